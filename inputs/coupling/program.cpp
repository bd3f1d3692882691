#include "program.hpp"

#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <utility>

#include "assembly/petsc.hpp"
#include "solvers/simulation.hpp"

namespace scree::structure {

bool root_rank() {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank == 0;
}

nlohmann::json coupled_boundary(const std::string& name, const std::string& material,
                                const UpperSurface& surface) {
  auto vertices = nlohmann::json::array(), faces = nlohmann::json::array();
  for (std::size_t k = 0; k < surface.reference.size(); k += 3)
    vertices.push_back({surface.reference[k], surface.reference[k + 1], surface.reference[k + 2]});
  for (std::size_t k = 0; k < surface.triangles.size(); k += 3)
    faces.push_back({surface.triangles[k], surface.triangles[k + 1], surface.triangles[k + 2]});
  return {{"name", name},        {"type", "surface"},    {"material", material},
          {"motion", "coupled"}, {"vertices", vertices}, {"faces", faces}};
}

int run_program(int argc, char** argv, const std::function<std::function<int()>(CLI::App&)>& prepare) {
  const petsc::Session session(&argc, &argv);
  CLI::App app;
  const std::function<int()> work = prepare(app);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return root_rank() ? app.exit(error) : error.get_exit_code();
  }
  try {
    return work();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "error: %s\n", error.what());
    MPI_Abort(MPI_COMM_WORLD, 1);  // an error may be that of one rank
  }
  return 1;
}

void CommonOptions::add_to(CLI::App& app) {
  app.add_option("--spread", spread, "Radius of means [m]; 0: nodes of the surface")->capture_default_str();
  app.add_option("--step", step, "Time step of the impact [s]")->capture_default_str();
  app.add_option("--acceleration", acceleration, "constant, aitken or iqn-ils")->capture_default_str();
  app.add_option("--results", results, "Folder")->capture_default_str();
}

CoupledOptions CommonOptions::coupled() const {
  CoupledOptions all;
  all.acceleration.method = coupling::acceleration_of(acceleration);
  return all;
}

nlohmann::json sphere_deck(const std::string& name, const Elastic& material, const UpperSurface& surface,
                           const Sphere& sphere, double step) {
  const nlohmann::json steel = {
      {"density", material.density}, {"young", material.young}, {"poisson", material.poisson}};
  return {{"title", "A sphere on a " + name},
          {"time", {{"end", 1.0}, {"step", step}}},
          {"integrator", {{"type", "newmark"}, {"beta", 0.25}, {"gamma", 0.5}}},
          {"solver", {{"newton", {{"relative", 1e-10}}}}},
          {"gravity", {0, 0, -sphere.gravity}},
          {"materials", {{"steel", steel}}},
          {"shapes", {{"sphere", {{"type", "sphere"}, {"radius", sphere.radius}}}}},
          {"bodies",
           {{{"shape", "sphere"},
             {"material", "steel"},
             {"position", {sphere.x, 0, sphere.radius + sphere.height}},
             {"velocity", {0, 0, -sphere.speed}}}}},
          {"boundaries", {coupled_boundary(name, "steel", surface)}},
          {"interfaces", {{{"between", {"steel", "steel"}}, {"normal", {{"law", "hertz"}}}}}}};
}

coupling::Participant participant(const nlohmann::json& deck, const std::string& folder,
                                  coupling::Options options) {
  return coupling::Participant::from_text(deck.dump(), std::filesystem::path(folder) / "deck.json",
                                          MPI_COMM_WORLD, std::move(options));
}

BodyNow body(const coupling::Participant& bodies, long id) {
  const Bodies& mine = bodies.simulation().bodies();
  std::array<double, 8> all{};
  for (int i = 0; i < mine.owned; ++i) {
    if (static_cast<long>(mine.properties[i].id) != id) continue;
    const BodyState& state = mine.state[i];
    all = {
        mine.properties[i].mass, state.x[0], state.x[1], state.x[2], state.v[0], state.v[1], state.v[2], 1.0};
  }
  MPI_Allreduce(MPI_IN_PLACE, all.data(), static_cast<int>(all.size()), MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  if (all[7] != 1.0) throw std::out_of_range("no body " + std::to_string(id));
  return {all[0], {all[1], all[2], all[3]}, {all[4], all[5], all[6]}};
}

void Report::add(const std::string& quantity, double measured, double expected, double tolerance) {
  const bool passed = std::abs(measured - expected) <= tolerance;  // false for NaN
  passed_ = passed_ && passed;
  all_.push_back(
      {{"quantity", quantity}, {"measured", measured}, {"expected", expected}, {"tolerance", tolerance}});
  if (root_rank())
    std::printf("%-62s %12.6g   expected %10.6g +- %-8.2g %s\n", quantity.c_str(), measured, expected,
                tolerance, passed ? "PASS" : "FAIL");
}

void Report::tell(const std::string& quantity, double measured) {
  all_.push_back({{"quantity", quantity}, {"measured", measured}});
  if (root_rank()) std::printf("%-62s %12.6g\n", quantity.c_str(), measured);
}

int Report::finish(const std::string& folder) const {
  if (root_rank()) {
    std::filesystem::create_directories(folder);
    std::ofstream file(std::filesystem::path(folder) / "measured.json");
    file << all_.dump(1) << "\n";
    if (!file) throw std::runtime_error("cannot write " + folder + "/measured.json");
  }
  return passed_ ? 0 : 1;
}

void Impact::add(double time, double force) {
  if (force > 0.0 && !over_) {
    if (begin_ < 0.0) begin_ = time_;
    largest_ = std::max(largest_, force);
    times_ = {times_[1], time};
    forces_ = {forces_[1], force};
    end_ = time;
  } else if (begin_ >= 0.0 && !over_) {
    over_ = true;
    // The overlap, F^(2/3), ends nearly linearly.
    const double before = std::pow(forces_[0], 2.0 / 3.0), last = std::pow(forces_[1], 2.0 / 3.0);
    if (before > last) end_ = std::min(times_[1] + (times_[1] - times_[0]) * last / (before - last), time);
  }
  time_ = time;
}

}  // namespace scree::structure

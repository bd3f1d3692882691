/// Irregular blocks fall on an elastic slab on two line supports. ./scree couple rockfall
/// Bodies by Scree, the slab by deal.II. Energy of both sides, forces on the supports, pictures.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>
#include <numbers>
#include <random>
#include <string>
#include <vector>

#include "coupled_run.hpp"
#include "program.hpp"

namespace {

using namespace scree;
using namespace scree::structure;

constexpr double kLength = 4.0, kWidth = 3.0, kThickness = 0.25;  ///< of the slab, spanning in x [m]
constexpr double kGravity = 9.81;
const Elastic kConcrete{.young = 30e9, .poisson = 0.2, .density = 2500.0};

struct Options : CommonOptions {
  double end = 0.35, fall_speed = 7.0, frame = 0.005;
  int blocks = 12, along = 16, across = 12;
};

/// Convex hull of points spread over an ellipsoid and displaced at random: a convex block of triangles.
nlohmann::json block_shape(unsigned seed) {
  constexpr int kPoints = 16;
  constexpr double kRadius = 0.27;
  std::mt19937 random(seed);
  // Not a distribution of the library: its numbers differ between implementations.
  const auto uniform = [&](double low, double high) {
    return low + (high - low) * static_cast<double>(random()) / static_cast<double>(std::mt19937::max());
  };
  const Eigen::Vector3d axes(kRadius * uniform(0.8, 1.2), kRadius * uniform(0.7, 1.0),
                             kRadius * uniform(0.6, 0.9));
  std::vector<Eigen::Vector3d> points;
  for (int k = 0; k < kPoints; ++k) {
    // A spiral spreads them evenly.
    const double z = 1 - (2 * k + 1.0) / kPoints, r = std::sqrt(1 - z * z);
    const double angle = std::numbers::pi * (1 + std::sqrt(5.0)) * k;
    Eigen::Vector3d p(r * std::cos(angle), r * std::sin(angle), z);
    for (int i = 0; i < 3; ++i) p[i] += uniform(-0.2, 0.2);
    points.emplace_back(axes.cwiseProduct(p.normalized()));
  }
  auto vertices = nlohmann::json::array(), faces = nlohmann::json::array();
  for (const Eigen::Vector3d& p : points) vertices.push_back({p[0], p[1], p[2]});
  for (int i = 0; i < kPoints; ++i)
    for (int j = i + 1; j < kPoints; ++j)
      for (int k = j + 1; k < kPoints; ++k) {
        const Eigen::Vector3d n = (points[j] - points[i]).cross(points[k] - points[i]);
        int above = 0, below = 0;
        for (int m = 0; m < kPoints; ++m) {
          if (m == i || m == j || m == k) continue;
          (n.dot(points[m] - points[i]) > 0 ? above : below) += 1;
        }
        if (above == 0) faces.push_back({i, j, k});
        if (below == 0) faces.push_back({i, k, j});
      }
  return {{"type", "polyhedron"}, {"vertices", vertices}, {"faces", faces}};
}

nlohmann::json deck(const Options& options, const UpperSurface& surface) {
  nlohmann::json shapes, fractions;
  constexpr unsigned kShapes = 4;
  for (unsigned k = 0; k < kShapes; ++k) {
    const std::string name = "block " + std::to_string(k);
    shapes[name] = block_shape(k + 1);
    fractions[name] = 1.0 / kShapes;
  }
  const nlohmann::json normal = {{"law", "barrier"},    {"threshold", 0.01},       {"stiffness", 3e12},
                                 {"exponent", 3},       {"barrier_fraction", 0.4}, {"barrier_exponent", -2},
                                 {"damping_ratio", 0.3}};
  return {
      {"title", "Rockfall on a slab"},
      {"time", {{"end", 10.0}, {"step", {{"initial", options.step}, {"min", 1e-9}, {"max", options.step}}}}},
      {"gravity", {0, 0, -kGravity}},
      {"solver", {{"newton", {{"relative", 1e-9}}}}},
      {"materials", {{"rock", {{"density", 2600}}}, {"concrete", {{"density", 2500}}}}},
      {"shapes", shapes},
      {"bodies",
       {{{"shape", fractions},
         {"material", "rock"},
         {"count", options.blocks},
         {"seed", 3},
         {"region", {{"min", {0.9, 0.7, 0.4}}, {"max", {kLength - 0.9, kWidth - 0.7, 2.4}}}},
         {"velocity", {0.5, 0, -options.fall_speed}}}}},
      {"boundaries", {coupled_boundary("slab", "concrete", surface)}},
      {"interfaces",
       {{{"between", {"*", "*"}},
         {"normal", normal},
         {"friction", {{"static", 0.6}, {"dynamic", 0.6}, {"stiffness", 1e8}}}}}},
      {"output", {{"directory", options.results}, {"vtk", {{"every", options.frame}}}}}};
}

struct Ledger {
  double bodies, dissipated, slab;  ///< [J]
  [[nodiscard]] double sum() const { return bodies + dissipated + slab; }
};

Ledger ledger(const coupling::Participant& bodies, const ElasticSolid& slab) {
  const EnergyLedger& energy = bodies.simulation().energy();
  return {energy.total(), energy.dissipated(), slab.kinetic_energy() + slab.strain_energy()};
}

void fall(const Options& options, Report& report) {
  namespace fs = std::filesystem;
  const bool is_root = root_rank();
  if (is_root) fs::create_directories(options.results);
  const auto near = [](double a, double b) { return std::abs(a - b) < 1e-9; };
  const auto edge = [near](double x) {
    return [near, x](const Place& p) { return near(p[0], x) && near(p[2], -kThickness); };
  };
  const auto left = edge(0.0), right = edge(kLength);
  // The two line supports; the others only hold it in its place.
  ElasticSolid slab(
      MPI_COMM_WORLD, kConcrete,
      Block{.corner = Place(0, 0, -kThickness),
            .elements = {equal_elements(kLength, options.along), equal_elements(kWidth, options.across),
                         equal_elements(kThickness, 1)}},
      {{left, 2},
       {right, 2},
       {left, 0},
       {[=](const Place& p) { return (left(p) || right(p)) && near(p[1], 0); }, 1}},
      options.spread);
  coupling::Participant bodies =
      participant(deck(options, slab.surface()), options.results, {.write_outputs = true});
  CoupledRun run(bodies, "slab", slab, MPI_COMM_WORLD, options.coupled());
  std::ofstream table;
  if (is_root) table.open(fs::path(options.results) / "history.csv");
  table << "time [s],contact [N],left support [N],right support [N],bodies [J],dissipated [J],slab [J]\n";
  std::string frames = R"(<VTKFile type="Collection"><Collection>)";
  const Ledger first = ledger(bodies, slab);
  double largest_contact = 0, largest_support = 0, impulse = 0, supported = 0, deflection = 0, worst = 0;
  double force_before = 0, support_before = 0, slab_most = 0;
  int frame = 0;
  const auto show = [&] {
    char name[32];
    std::snprintf(name, sizeof name, "slab_%04d.vtu", frame++);
    slab.write((fs::path(options.results) / name).string());
    frames += "<DataSet timestep=\"" + std::to_string(bodies.time()) + "\" file=\"" + name + "\"/>";
  };
  show();
  while (bodies.time() < options.end * (1 - 1e-9)) {
    run.step(options.step);
    const double contact = -run.vertical_force();
    const std::array<double, 2> supports{slab.support_force(0), slab.support_force(1)};
    const Ledger now = ledger(bodies, slab);
    table << bodies.time() << ',' << contact << ',' << supports[0] << ',' << supports[1] << ',' << now.bodies
          << ',' << now.dissipated << ',' << now.slab << '\n';
    largest_contact = std::max(largest_contact, contact);
    largest_support = std::max(largest_support, supports[0] + supports[1]);
    impulse += 0.5 * options.step * (force_before + contact);
    supported += 0.5 * options.step * (support_before + supports[0] + supports[1]);
    force_before = contact;
    support_before = supports[0] + supports[1];
    slab_most = std::max(slab_most, now.slab);
    worst = std::max(worst, std::abs(now.sum() - first.sum()));
    deflection = std::min(deflection, slab.section_deflection(kLength / 2));
    if (bodies.time() >= options.frame * frame * (1 - 1e-9)) show();
  }
  if (is_root) std::ofstream(fs::path(options.results) / "slab.pvd") << frames << "</Collection></VTKFile>\n";
  const EnergyLedger& energy = bodies.simulation().energy();
  double mass = 0;
  for (int k = 0; k < options.blocks; ++k) mass += body(bodies, k).mass;
  report.tell("mass of the blocks [kg]", mass);
  report.tell("unknowns of the slab", slab.unknowns());
  report.tell("largest contact force [kN]", 1e-3 * largest_contact);
  report.tell("largest force on both supports, without weight of the slab [kN]", 1e-3 * largest_support);
  report.tell("largest deflection of the section at midspan [mm]", -1e3 * deflection);
  report.tell("energy of the slab, largest [J]", slab_most);
  report.tell("energy of the slab at the end [J]", ledger(bodies, slab).slab);
  report.tell("energy of the blocks at the start, kinetic and potential [J]", first.bodies);
  report.tell("dissipated [J]", energy.dissipated());
  report.add("error of the energy of both sides over the reference energy", worst / energy.reference, 0.0, 0.01);
  report.add("energy of the slab less the work of the blocks on it, over the reference energy",
             (ledger(bodies, slab).slab + energy.work_of_boundaries) / energy.reference, 0.0, 1e-3);
  report.tell("balance of the bodies alone, over the reference energy",
              energy.closure_error() / energy.reference);
  // Momentum of the slab: contact impulse less that of the supports.
  const double momentum = slab.momentum().linear[2];
  report.add("impulse of contact less supports and slab, over contact",
             (impulse - supported + momentum) / impulse, 0.0, 1e-4);
  report.tell("iterations per step with contact", run.mean_iterations());
  const CoupledTimes times = run.times();
  report.tell("time of bodies [s]", times.bodies);
  report.tell("time of the slab [s]", times.structure);
  report.tell("time of coupling over time of both solvers", times.share());
}

}  // namespace

int main(int argc, char** argv) {
  return run_program(argc, argv, [](CLI::App& app) {
    auto options = std::make_shared<Options>(
        Options{{.spread = 0.25, .step = 2e-4, .results = "results/coupled_rockfall"}});
    app.description("Irregular blocks fall on an elastic slab on two line supports.");
    app.add_option("--end", options->end, "End [s]")->capture_default_str();
    app.add_option("--blocks", options->blocks, "Number of blocks")->capture_default_str();
    app.add_option("--fall-speed", options->fall_speed, "At the start [m/s]")->capture_default_str();
    app.add_option("--frame", options->frame, "Time between pictures [s]")->capture_default_str();
    app.add_option("--along", options->along, "Elements along the span")->capture_default_str();
    app.add_option("--across", options->across, "Elements across it")->capture_default_str();
    options->add_to(app);
    return [options] {
      Report report;
      fall(*options, report);
      return report.finish(options->results);
    };
  });
}

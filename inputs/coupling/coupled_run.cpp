#include "coupled_run.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

namespace scree::structure {

namespace {

coupling::SurfaceMesh mesh_of(const UpperSurface& surface) {
  return {.reference = surface.reference, .id = surface.id, .triangles = surface.triangles};
}

bool same_contacts(std::span<const double> a, std::span<const double> b) {
  return std::equal(a.begin(), a.end(), b.begin(),
                    [](double x, double y) { return (x == 0.0) == (y == 0.0); });
}

}  // namespace

CoupledRun::CoupledRun(coupling::Participant& bodies, const char* name, ElasticSolid& solid, MPI_Comm comm,
                       CoupledOptions options)
    : bodies_(bodies),
      solid_(solid),
      options_(options),
      surface_(bodies.add_surface(name, mesh_of(solid.surface()))),
      accelerator_(options.acceleration, comm, coupling::shared_weights(solid.surface().id, 3, comm)),
      predictor_(comm),
      forces_(solid.surface().reference.size(), 0.0),
      accepted_(forces_),
      motion_(forces_) {
  bodies_.initialize();
}

template <class Work>
void CoupledRun::timed(double& of_solver, const Work& work) {
  const double start = MPI_Wtime();
  work();
  of_solver += MPI_Wtime() - start;
}

bool CoupledRun::attempt(double h) {
  timed(times_.structure, [&] {
    solid_.set_step(h);
    const std::vector<double> predicted = predictor_.predict();
    solid_.solve(predicted.empty() ? forces_ : predicted, motion_);
  });
  bool feasible = true;
  const auto image = [&](std::span<const double> u, std::span<double> of_u) {
    if (!feasible) return;  // the iterate is of no use
    timed(times_.bodies, [&] {
      bodies_.set_motion(surface_, u);
      const coupling::StepReport report = bodies_.solve_step(h);
      if (report.status == coupling::Status::failed)
        throw std::runtime_error("step of the bodies at " + std::to_string(bodies_.time()) +
                                 " s: " + report.message);
      feasible = report.converged();
      if (feasible) bodies_.forces(surface_, forces_);
    });
    if (!feasible) return;
    timed(times_.structure, [&] { solid_.solve(forces_, of_u); });
  };
  last_ = coupling::iterate(accelerator_, motion_, image, options_.tolerance);
  return feasible && last_.converged;
}

void CoupledRun::step(double h) {
  const double begin = MPI_Wtime(), in_solvers = times_.bodies + times_.structure;
  double done = 0.0, part = h;
  while (done < h * (1.0 - 1e-12)) {
    if (!attempt(part)) {
      part *= 0.5;
      accelerator_.forget();
      forces_ = accepted_;
      if (part < options_.smallest * h)
        throw std::runtime_error("coupled step at " + std::to_string(bodies_.time()) +
                                 " s not converged after " + std::to_string(last_.iterations) +
                                 " iterations with parts of " + std::to_string(2.0 * part) + " s");
      continue;
    }
    timed(times_.bodies, [&] { bodies_.accept(); });
    timed(times_.structure, [&] { solid_.accept(); });
    predictor_.accept(forces_);
    if (!same_contacts(forces_, accepted_)) accelerator_.forget();
    accepted_ = forces_;
    if (std::any_of(forces_.begin(), forces_.end(), [](double f) { return f != 0.0; })) {
      ++steps_in_contact_;
      iterations_ += last_.iterations;
    }
    done += part;
    part = std::min(part, h - done);
  }
  times_.coupling += MPI_Wtime() - begin - (times_.bodies + times_.structure - in_solvers);
}

double CoupledRun::vertical_force() const {
  double sum = 0.0;
  for (std::size_t k = 2; k < forces_.size(); k += 3) sum += forces_[k];
  return sum;
}

CoupledTimes CoupledRun::times() const {
  // Participant keeps and brings back states within steps of the bodies.
  const double kept = bodies_.simulation().clock().kept_states();
  return {times_.bodies - kept, times_.structure, times_.coupling + kept};
}

double CoupledRun::mean_iterations() const {
  return steps_in_contact_ > 0 ? static_cast<double>(iterations_) / static_cast<double>(steps_in_contact_)
                               : 0.0;
}

}  // namespace scree::structure

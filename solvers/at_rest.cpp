#include "solvers/at_rest.hpp"

#include <algorithm>

#include "solvers/contact_output.hpp"

namespace scree {
namespace {

/// Largest dead load of the deck on one body [N]. Collective.
double largest_load(const System& system) {
  double largest = system.loads().largest_dead_load(system.bodies());
  MPI_Allreduce(MPI_IN_PLACE, &largest, 1, MPI_DOUBLE, MPI_MAX, system.comm());
  return largest;
}

double unbalanced_part(System& system) {
  const auto [force, moment] = unbalanced(system, largest_load(system));
  return std::max(force, moment);
}

}  // namespace

double energy_scale(const System& system) {
  const Bodies& bodies = system.bodies();
  const double load = largest_load(system);
  double sum = 0;
  for (int i = 0; i < bodies.owned; ++i) {
    const BodyProperties& body = bodies.properties[i];
    sum += std::max(load, body.mass * system.model().gravity.norm()) * body.length;
  }
  MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_DOUBLE, MPI_SUM, system.comm());
  return sum;
}

bool AtRest::reached(System& system, double time, double kinetic) {
  if (!stop_.wanted || time < stop_.after) return false;
  const double scale = energy_scale(system);
  const double slow = stop_.kinetic_energy >= 0 ? stop_.kinetic_energy : kRestEnergy * scale;
  const double balanced = stop_.unbalanced_force >= 0 ? stop_.unbalanced_force : kRestForce;
  // Without weight and loads there is nothing that unbalance could be a part of.
  const bool holds = kinetic <= slow && (scale == 0 || unbalanced_part(system) <= balanced);
  steps_ = holds ? steps_ + 1 : 0;
  return steps_ >= kRestSteps;
}

RestReport AtRest::report(System& system, double kinetic) const {
  RestReport report;
  report.wanted = stop_.wanted;
  if (!stop_.wanted) return report;
  report.reached = steps_ >= kRestSteps;
  report.kinetic_energy = kinetic;
  report.unbalanced_force = unbalanced_part(system);
  report.relative = energy_scale(system) > 0;
  return report;
}

}  // namespace scree

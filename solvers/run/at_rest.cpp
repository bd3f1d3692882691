#include "solvers/run/at_rest.hpp"

#include <algorithm>

namespace scree {
namespace {

/// Largest dead load of the deck on one body [N]. Collective.
double largest_load(const World& world) {
  double largest = world.loads().largest_dead_load(world.bodies());
  MPI_Allreduce(MPI_IN_PLACE, &largest, 1, MPI_DOUBLE, MPI_MAX, world.comm());
  return largest;
}

double unbalanced_part(Procedure& procedure) {
  const auto [force, moment] = procedure.unbalanced(largest_load(procedure.world()));
  return std::max(force, moment);
}

}  // namespace

double energy_scale(const World& world) {
  const Bodies& bodies = world.bodies();
  const double load = largest_load(world);
  double sum = 0;
  for (int i = 0; i < bodies.owned; ++i) {
    const BodyProperties& body = bodies.properties[i];
    if (all_fixed(body.fixed)) continue;
    sum += std::max(load, body.mass * world.model().gravity.norm()) * body.length;
  }
  MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_DOUBLE, MPI_SUM, world.comm());
  return sum;
}

double still_energy(const World& world) {
  constexpr double kStill = 1e-9;  // 1/s
  const Bodies& bodies = world.bodies();
  double sum = 0;
  for (int i = 0; i < bodies.owned; ++i) {
    const BodyProperties& body = bodies.properties[i];
    if (all_fixed(body.fixed)) continue;
    const double speed = kStill * body.length;
    sum += 0.5 * body.mass * speed * speed;
  }
  MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_DOUBLE, MPI_SUM, world.comm());
  return sum;
}

bool AtRest::reached(Procedure& procedure, double time, double kinetic) {
  if (!stop_.wanted || time < stop_.after) return false;
  const double scale = energy_scale(procedure.world());
  const double slow = stop_.kinetic_energy >= 0 ? stop_.kinetic_energy : kRestEnergy * scale;
  const double balanced = stop_.unbalanced_force >= 0 ? stop_.unbalanced_force : kRestForce;
  // Without weight and loads there is nothing that unbalance could be a part of.
  const bool holds = kinetic <= slow && (scale == 0 || unbalanced_part(procedure) <= balanced);
  steps_ = holds ? steps_ + 1 : 0;
  return steps_ >= kRestSteps;
}

RestReport AtRest::report(Procedure& procedure, double kinetic) const {
  RestReport report;
  report.wanted = stop_.wanted;
  if (!stop_.wanted) return report;
  report.reached = steps_ >= kRestSteps;
  report.kinetic_energy = kinetic;
  report.unbalanced_force = unbalanced_part(procedure);
  report.relative = energy_scale(procedure.world()) > 0;
  return report;
}

}  // namespace scree

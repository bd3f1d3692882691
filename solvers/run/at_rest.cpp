#include "solvers/run/at_rest.hpp"

#include <algorithm>
#include <vector>

namespace scree {
namespace {

double largest_of_all(const World& world, double own) {
  MPI_Allreduce(MPI_IN_PLACE, &own, 1, MPI_DOUBLE, MPI_MAX, world.comm());
  return own;
}

/// Work of the forces over the bounding radii of all bodies that can move [J]. @param force on an owned body,
/// at least its weight [N]. Collective.
template <class Force>
double work_over_radii(const World& world, Force&& force) {
  const Bodies& bodies = world.bodies();
  double sum = 0;
  for (int i = 0; i < bodies.owned; ++i) {
    const BodyProperties& body = bodies.properties[i];
    if (!all_fixed(body.fixed)) sum += force(i) * body.length;
  }
  MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_DOUBLE, MPI_SUM, world.comm());
  return sum;
}

/// Largest sum of contact forces, or of weight and loads, on an owned body of any rank [N]. Collective.
double largest_force(Procedure& procedure, World& world) {
  std::vector<Wrench> by_contact;
  procedure.body_wrenches(by_contact);
  const LocalSystem& loads = world.load_residual();
  double largest = 0;
  for (int i = 0; i < world.bodies().owned; ++i) {
    const Eigen::Map<const Vec3> load(&loads.residual[loads.offset[i]]);
    largest = std::max({largest, by_contact[i].force.norm(), load.norm()});
  }
  return largest_of_all(world, largest);
}

double unbalanced_part(Procedure& procedure, World& world, double time) {
  double least = largest_of_all(world, world.loads().dead_load(world.bodies(), time));
  if (!(least > 0 || world.model().gravity.norm() > 0)) least = largest_force(procedure, world);
  const auto [force, moment] = procedure.unbalanced(least);
  return std::max(force, moment);
}

}  // namespace

double energy_scale(const World& world) {
  const Bodies& bodies = world.bodies();
  const double load = largest_of_all(world, world.loads().largest_dead_load(bodies));
  return work_over_radii(
      world, [&](int i) { return std::max(load, bodies.properties[i].mass * world.model().gravity.norm()); });
}

double energy_scale(const World& world, double time) {
  const std::vector<double> loads = world.loads().sizes(world.bodies(), time);
  return work_over_radii(world, [&](int i) { return loads[static_cast<std::size_t>(i)]; });
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

double AtRest::slow(double scale) const {
  return stop_.kinetic_energy >= 0 ? stop_.kinetic_energy : kRestEnergy * scale;
}

double AtRest::balanced() const { return stop_.unbalanced_force >= 0 ? stop_.unbalanced_force : kRestForce; }

bool AtRest::reached(Procedure& procedure, World& world, double time, double kinetic, bool pending) {
  if (!stop_.wanted || time < stop_.after) return false;
  const double scale = energy_scale(world, time);
  const bool holds =
      !pending && kinetic <= slow(scale) && unbalanced_part(procedure, world, time) <= balanced();
  steps_ = holds ? steps_ + 1 : 0;
  return steps_ >= kRestSteps;
}

RestReport AtRest::report(Procedure& procedure, World& world, double time, double kinetic) const {
  RestReport report;
  report.wanted = stop_.wanted;
  if (!stop_.wanted) return report;
  report.reached = steps_ >= kRestSteps;
  report.kinetic_energy = kinetic;
  report.unbalanced_force = unbalanced_part(procedure, world, time);
  report.slow = slow(energy_scale(world, time));
  report.balanced = balanced();
  return report;
}

}  // namespace scree

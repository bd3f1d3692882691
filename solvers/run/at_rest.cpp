#include "solvers/run/at_rest.hpp"

#include <algorithm>
#include <vector>

#include "solvers/world/contact_output.hpp"

namespace scree {
namespace {

/// Sum of a value over the bodies of all ranks that can move. @param value of an owned body. Collective.
template <class Value>
double sum_of_movable(const World& world, Value&& value) {
  const Bodies& bodies = world.bodies();
  double sum = 0;
  for (int i = 0; i < bodies.owned; ++i)
    if (!all_fixed(bodies.properties[i].fixed)) sum += value(i);
  MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_DOUBLE, MPI_SUM, world.comm());
  return sum;
}

/// Largest sum of contact forces, or of weight and loads, on an owned body of any rank [N]. Collective.
double largest_force(const std::vector<Wrench>& by_contact, World& world) {
  const LocalSystem& loads = world.load_residual();
  double largest = 0;
  for (int i = 0; i < world.bodies().owned; ++i) {
    const Eigen::Map<const Vec3> load(&loads.residual[loads.offset[i]]);
    largest = std::max({largest, by_contact[i].force.norm(), load.norm()});
  }
  return world.max_over_ranks(largest);
}

LargestUnbalance unbalanced_part(const Procedure& procedure, World& world, double time) {
  std::vector<Wrench> by_contact;
  procedure.body_wrenches(by_contact);
  double least = world.max_over_ranks(world.loads().dead_load(world.bodies(), time));
  if (!(least > 0 || world.model().gravity.norm() > 0)) least = largest_force(by_contact, world);
  return largest_unbalance(world, by_contact, least);
}

/// Whether a body is in free flight: neither contacts carry it nor do other forces balance its weight or
/// load.
bool any_flies(const LargestUnbalance& part) { return part.uncarried > AtRest::kRestForce; }

}  // namespace

double energy_scale(const World& world) {
  const Bodies& bodies = world.bodies();
  const double gravity = world.model().gravity.norm();
  const double load = world.max_over_ranks(world.loads().largest_dead_load(bodies));
  return sum_of_movable(world, [&](int i) {
    const BodyProperties& body = bodies.properties[i];
    return std::max(load, body.mass * gravity) * body.length;
  });
}

double energy_scale(const World& world, double time) {
  const Bodies& bodies = world.bodies();
  const std::vector<double> loads = world.loads().sizes(bodies, time);
  return sum_of_movable(
      world, [&](int i) { return loads[static_cast<std::size_t>(i)] * bodies.properties[i].length; });
}

double still_energy(const World& world) {
  constexpr double kStill = 1e-9;  // 1/s
  return sum_of_movable(world, [&](int i) {
    const BodyProperties& body = world.bodies().properties[i];
    const double speed = kStill * body.length;
    return 0.5 * body.mass * speed * speed;
  });
}

double AtRest::slow(double scale) const {
  return stop_.kinetic_energy >= 0 ? stop_.kinetic_energy : kRestEnergy * scale;
}

double AtRest::balanced() const { return stop_.unbalanced_force >= 0 ? stop_.unbalanced_force : kRestForce; }

bool AtRest::reached(Procedure& procedure, World& world, double time, double kinetic, bool pending) {
  LargestUnbalance part;
  bool holds = stop_.wanted && time >= stop_.after && !pending && kinetic <= slow(energy_scale(world, time));
  if (holds) {
    part = unbalanced_part(procedure, world, time);
    holds = std::max(part.force, part.moment) <= balanced();
  }
  steps_ = holds ? steps_ + 1 : 0;
  return steps_ >= kRestSteps && !any_flies(part);
}

RestReport AtRest::report(Procedure& procedure, World& world, double time, double kinetic) const {
  RestReport report;
  report.wanted = stop_.wanted;
  if (!stop_.wanted) return report;
  const LargestUnbalance part = unbalanced_part(procedure, world, time);
  report.reached = steps_ >= kRestSteps && !any_flies(part);
  report.kinetic_energy = kinetic;
  report.unbalanced_force = std::max(part.force, part.moment);
  report.slow = slow(energy_scale(world, time));
  report.balanced = any_flies(part) ? std::min(balanced(), kRestForce) : balanced();
  return report;
}

}  // namespace scree

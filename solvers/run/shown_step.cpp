#include "solvers/run/shown_step.hpp"

#include <cstddef>
#include <map>

#include "solvers/procedure.hpp"
#include "solvers/world/contact_output.hpp"
#include "solvers/world/world.hpp"

namespace scree {

void ShownStep::keep_forces(Procedure& procedure, bool with_intervals) {
  if (has_forces) return;
  keep_wrenches(procedure);
  contact_records(procedure.world(), contacts);
  if (with_intervals) procedure.add_intervals(contacts);
  has_forces = true;
}

void ShownStep::keep_wrenches(const Procedure& procedure) {
  procedure.body_wrenches(body);
  boundary_wrenches(procedure.world(), boundary);
  of = procedure.world().bodies().owned_ids();
}

void ShownStep::take_forces(const ShownStep& before, const World& world) {
  std::map<BodyId, Wrench> wrenches;
  for (std::size_t i = 0; i < before.of.size(); ++i) wrenches[before.of[i]] = before.body[i];
  of = world.bodies().owned_ids();
  body.clear();
  for (const BodyId id : of) body.push_back(wrenches[id]);  // zero on those that came
  boundary = before.boundary;
  contact_records(world, contacts);
  has_forces = true;
}

}  // namespace scree

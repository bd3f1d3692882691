/// Bodies of the model on the ranks: start, ghosts, migration, and the search that goes with them.
#include <algorithm>
#include <string>

#include "core/error.hpp"
#include "solvers/system.hpp"

namespace scree {
namespace {

BodyProperties properties_of(const Model& model, BodyId id) {
  const BodyDescription& body = model.bodies[static_cast<std::size_t>(id)];
  BodyProperties properties;
  properties.id = id;
  properties.shape = body.shape;
  properties.material = body.material;
  properties.mass = body.mass;
  properties.inertia_B = body.inertia_B;
  properties.length = model.shapes[body.shape].bounding_radius;
  properties.fixed = body.fixed;
  return properties;
}

BodyState state_of(const BodyDescription& body) {
  BodyState state;
  state.x = body.position;
  state.q = body.orientation.normalized();
  state.v = body.velocity;
  state.w = body.angular_velocity;
  return state;
}

std::string name_of(const Model& model, const BodyProperties& body) {
  if (body.id >= contact::kFirstBoundaryId) {
    const auto part = static_cast<std::size_t>(body.id - contact::kFirstBoundaryId);
    return "boundary \"" + model.boundaries[model.boundary_parts[part].boundary].name + "\"";
  }
  const std::string& name = model.bodies[static_cast<std::size_t>(body.id)].name;
  return name.empty() ? "body " + std::to_string(body.id) : "body \"" + name + "\"";
}

}  // namespace

void System::distribute() {
  const Model& model = *model_;
  for (BodyId id = 0; id < static_cast<BodyId>(model.bodies.size()); ++id) {
    bodies_.properties.push_back(properties_of(model, id));
    bodies_.state.push_back(state_of(model.bodies[static_cast<std::size_t>(id)]));
  }
  bodies_.owned = static_cast<int>(bodies_.properties.size());
  append_boundaries();
  boundaries_active_.assign(model.boundary_parts.size(), 1);
  redistribute(5 * contacts_.largest_threshold());
  set_boundaries(0);

  int a = 0;
  int b = 0;
  double depth = 0;
  if (contacts_.find_overlap(bodies_, a, b, depth)) {
    const BodyProperties& body = bodies_.properties[a];
    throw InputError(model.bodies[static_cast<std::size_t>(body.id)].where,
                     name_of(model, body) + " and " + name_of(model, bodies_.properties[b]) + " overlap at the start by " +
                         std::to_string(depth) + " m; a barrier law needs a gap > 0 between all bodies");
  }
}

void System::append_boundaries() {
  for (std::size_t part = 0; part < model_->boundary_parts.size(); ++part) {
    const BoundaryPart& wall = model_->boundary_parts[part];
    BodyProperties properties;
    properties.id = contact::kFirstBoundaryId + static_cast<BodyId>(part);
    properties.shape = plane_shape_;
    properties.material = model_->boundaries[wall.boundary].material;
    properties.length = 0;
    BodyState state;
    state.x = wall.point;
    state.q = Quat::FromTwoVectors(Vec3::UnitZ(), wall.normal);
    bodies_.properties.push_back(properties);
    bodies_.state.push_back(state);
  }
  bodies_.boundaries = static_cast<int>(model_->boundary_parts.size());
  bodies_.trial.resize(bodies_.state.size());
}

void System::redistribute(double travel) {
  reset_trial();
  contacts_.search(bodies_, travel);
  contacts_.set_boundaries(bodies_, boundaries_active_);
  if (!dofs_) {
    layout();
    dofs_.emplace(comm_, bodies_.owned, local_.size, std::vector<RemoteEntity>{});
  }
}

void System::update_ghost_states() {}

}  // namespace scree

#include "solvers/world/domain.hpp"

#include <algorithm>
#include <cmath>

#include "core/infinity.hpp"

namespace scree {
namespace {

/// Cosine between gravity and a wall below which the wall is taken for vertical.
constexpr double kVertical = 1e-9;

const Shape* wall_shape(const Model& model, const BoundaryPart& part) {
  return part.wall < 0 ? nullptr : &model.walls[part.wall];
}

bool is_plane(const Model& model, const BoundaryPart& part) { return wall_shape(model, part) == nullptr; }

/// Whether the boundary acts now or will.
bool acts_later(const Model& model, const BoundaryPart& part, double time) {
  return model.boundaries[part.boundary].active_until > time;
}

const BodyState& pose(const World& world, std::size_t part) {
  return world.bodies().state[static_cast<std::size_t>(world.bodies().moving()) + part];
}

Vec3 axis(const World& world, std::size_t part) { return pose(world, part).q * Vec3::UnitZ(); }

/// Whether an infinite wall stops whatever falls along `down` on its side.
bool catches(const Shape* wall, const Vec3& own_axis, const Vec3& down) {
  if (wall == nullptr) return own_axis.dot(down) < -kVertical;
  if (wall->kind == ShapeKind::cavity) return true;
  return wall->kind == ShapeKind::bore && own_axis.cross(down).norm() > kVertical;
}

}  // namespace

Domain::Box::Box() : low(Vec3::Constant(kInfinity)), high(Vec3::Constant(-kInfinity)) {}

void Domain::Box::add(const Vec3& x, double radius) {
  low = low.cwiseMin((x.array() - radius).matrix());
  high = high.cwiseMax((x.array() + radius).matrix());
}

double Domain::Box::reach(const Vec3& along) const {
  return along.cwiseProduct((along.array() > 0).select(high, low)).sum();
}

Domain::Domain(const World& world) {
  const Model& model = world.model();
  const Bodies& bodies = world.bodies();
  bool fixed = false;
  for (int i = 0; i < bodies.owned; ++i) {
    start_.add(bodies.state[i].x, bodies.properties[i].length);
    fixed = fixed || all_fixed(bodies.properties[i].fixed);
  }
  double corners[7] = {-start_.low.x(), -start_.low.y(), -start_.low.z(),  start_.high.x(),
                       start_.high.y(), start_.high.z(), fixed ? 1.0 : 0.0};
  MPI_Allreduce(MPI_IN_PLACE, corners, 7, MPI_DOUBLE, MPI_MAX, world.comm());
  start_.low = -Vec3(corners);
  start_.high = Vec3(corners + 3);
  holds_ = corners[6] > 0;
  exists_ = holds_ || !model.boundary_parts.empty();
  for (const InletDescription& inlet : model.inlets) {
    start_.add(inlet.low, inlet.largest_bound);
    start_.add(inlet.high, inlet.largest_bound);
  }
  for (const OutletDescription& outlet : model.outlets) {
    start_.add(outlet.low);
    start_.add(outlet.high);
  }
  std::vector<int> there(model.interface_of.size(), 0);  // per material: a body of it moves, or will
  for (int i = 0; i < bodies.owned; ++i)
    if (!all_fixed(bodies.properties[i].fixed)) there[bodies.properties[i].material] = 1;
  for (const InletDescription& inlet : model.inlets) there[inlet.material] = 1;
  MPI_Allreduce(MPI_IN_PLACE, there.data(), static_cast<int>(there.size()), MPI_INT, MPI_MAX, world.comm());
  for (const BoundaryPart& part : model.boundary_parts) {
    Box& own = own_.emplace_back();
    met_.push_back(0);
    const int wall = bodies.properties[bodies.moving() + static_cast<int>(own_.size()) - 1].material;
    for (std::size_t m = 0; m < there.size(); ++m)
      if (there[m] != 0 && model.interface_of[m][wall] >= 0) met_.back() = 1;
    const Shape* shape = wall_shape(model, part);
    if (shape == nullptr) continue;
    if (shape->kind == ShapeKind::cavity) own.add(Vec3::Zero(), shape->hollow_radius);
    for (const Vec3& vertex : shape->vertices) own.add(vertex, shape->radius);
  }
}

Domain::Box Domain::box(const World& world, double time) const {
  const Model& model = world.model();
  Box all = start_;
  const auto& parts = model.boundary_parts;
  const std::vector<const contact::DeformingSurface*> surfaces = world.surfaces().by_part();
  for (std::size_t part = 0; part < parts.size(); ++part) {
    if (!acts_later(model, parts[part], time)) continue;
    if (!surfaces.empty() && surfaces[part] != nullptr) {
      const Shape& now = surfaces[part]->at(0);
      for (const Vec3& vertex : now.vertices) all.add(vertex, now.radius);
      continue;
    }
    const BodyState& where = pose(world, part);
    if (own_[part].empty()) {
      all.add(where.x);  // the point that the deck gives
      continue;
    }
    for (int corner = 0; corner < 8; ++corner) {
      Vec3 x;
      for (int k = 0; k < 3; ++k) x[k] = ((corner >> k) & 1) != 0 ? own_[part].high[k] : own_[part].low[k];
      all.add(where.x + where.q * x);
    }
  }
  return all;
}

double Domain::depth(const World& world, double time, const Box& all) const {
  const Model& model = world.model();
  const double weight = model.gravity.norm();
  if (!exists_ || !(weight > 0) || all.empty()) return kInfinity;
  const Vec3 down = model.gravity / weight;
  for (int k = 0; k < 3; ++k) {
    if (model.periodic.length[k] > 0 && std::abs(down[k]) > kVertical) return kInfinity;
  }
  const auto& parts = model.boundary_parts;
  for (std::size_t part = 0; part < parts.size(); ++part) {
    if (met_[part] != 0 && acts_later(model, parts[part], time) &&
        catches(wall_shape(model, parts[part]), axis(world, part), down))
      return kInfinity;
  }
  // What hangs on a fixed body swings, and may lose contact, as far below it as it reached beside it.
  return all.reach(down) + (holds_ ? (all.high - all.low).norm() : 0.0);
}

double Domain::distance(const World& world, double time, const Box& all, const Vec3& x) {
  const Model& model = world.model();
  const auto& parts = model.boundary_parts;
  double before_planes = -kInfinity;
  for (std::size_t part = 0; part < parts.size(); ++part) {
    if (!is_plane(model, parts[part]) || !acts_later(model, parts[part], time)) continue;
    const Vec3 normal = axis(world, part);
    before_planes = std::max(before_planes, normal.dot(x) - all.reach(normal));
  }
  if (before_planes > -kInfinity) return before_planes;
  return (x - x.cwiseMax(all.low).cwiseMin(all.high)).norm();
}

double Domain::potential_lost_outside(const World& world, double time) const {
  const Bodies& bodies = world.bodies();
  const Vec3& gravity = world.model().gravity;
  const double limit = depth(world, time, box(world, time));
  if (!std::isfinite(limit)) return 0;
  double sum = 0;
  for (int i = 0; i < bodies.owned; ++i) {
    const BodyProperties& body = bodies.properties[i];
    const double beyond = gravity.normalized().dot(bodies.state[i].x) - limit - 2 * body.length;
    if (beyond > 0) sum += body.mass * gravity.norm() * beyond;
  }
  return sum;
}

LeftBodies Domain::left(const World& world, const std::vector<Wrench>& wrench, double time) const {
  const Model& model = world.model();
  const Bodies& bodies = world.bodies();
  LeftBodies found;
  if (!exists_) return found;
  const Box all = box(world, time);
  if (all.empty()) return found;
  const double limit = depth(world, time, all);
  const Vec3& gravity = model.gravity;
  const double far = kFar * (all.high - all.low).norm();
  const double rest = std::max(model.time.end - time, 0.0);
  double nearest = kInfinity;  // number of the first one
  double count = 0;
  Vec3 place = Vec3::Zero();
  for (int i = 0; i < bodies.owned; ++i) {
    const BodyState& body = bodies.state[i];
    if (!wrench[i].force.isZero(0) || !wrench[i].moment.isZero(0)) continue;
    bool gone = false;
    if (std::isfinite(limit)) {
      const Vec3 down = gravity.normalized();
      gone = down.dot(body.x) > limit + 2 * bodies.properties[i].length && down.dot(body.v) > 0 &&
             down.dot(body.a) >= 0;
    }
    if (!gone && model.near_fields.empty()) {
      const double now = distance(world, time, all, body.x);
      const Vec3 end = body.x + rest * body.v + 0.5 * rest * rest * gravity;
      const Vec3 soon = body.x + 1e-6 * far / std::max(body.v.norm(), 1e-300) * body.v;
      gone = now > far && distance(world, time, all, soon) > now && distance(world, time, all, end) >= now;
    }
    if (!gone) continue;
    ++count;
    if (static_cast<double>(bodies.properties[i].id) < nearest) {
      nearest = static_cast<double>(bodies.properties[i].id);
      place = body.x;
    }
  }
  MPI_Allreduce(MPI_IN_PLACE, &count, 1, MPI_DOUBLE, MPI_SUM, world.comm());
  found.count = std::lround(count);
  if (found.count == 0) return found;
  double lowest = nearest;
  MPI_Allreduce(MPI_IN_PLACE, &lowest, 1, MPI_DOUBLE, MPI_MIN, world.comm());
  if (nearest != lowest) place.setConstant(-kInfinity);
  MPI_Allreduce(MPI_IN_PLACE, place.data(), 3, MPI_DOUBLE, MPI_MAX, world.comm());
  found.first = static_cast<BodyId>(lowest);
  found.place = place;
  return found;
}

}  // namespace scree

#include "solvers/world/boundary_motion.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/rotation.hpp"
#include "core/rotation_between.hpp"
#include "solvers/analysis.hpp"

namespace scree {
namespace {

using Knot = BoundaryMotion::Knot;

/// Rotation by a rotation vector (angle times axis).
Mat3 exponential(const Vec3& vector) {
  const double angle = vector.norm();
  if (angle == 0) return Mat3::Identity();
  return Eigen::AngleAxisd(angle, vector / angle).toRotationMatrix();
}

/// Spin of exp(vector) when the vector changes by `rate`: left Jacobian of the exponential map.
Vec3 spin_of(const Vec3& vector, const Vec3& rate) {
  const double angle2 = vector.squaredNorm();
  double b = 0.5, c = 1.0 / 6;  // (1 - cos a)/a^2, (1 - sin a / a)/a^2
  if (angle2 > 1e-8) {
    const double angle = std::sqrt(angle2);
    b = (1 - std::cos(angle)) / angle2;
    c = (1 - std::sin(angle) / angle) / angle2;
  }
  return rate + b * vector.cross(rate) + c * vector.cross(vector.cross(rate));
}

bool before(double time, const Knot& knot) { return time < knot.time; }

/// @returns the accepted state of a part that does not move; null where the deck alone says where it is.
const BodyState* standing_part(const Model& model, std::size_t part, const Bodies* bodies) {
  if (bodies == nullptr || bodies->boundaries == 0) return nullptr;
  if (moves(model.boundaries[model.boundary_parts[part].boundary].motion)) return nullptr;
  return &bodies->state[static_cast<std::size_t>(bodies->moving()) + part];
}

}  // namespace

RigidMotion motion_at(const BoundaryMotion& motion, double time, double during) {
  RigidMotion result;
  result.about = motion.about;
  const auto& table = motion.table;
  if (table.empty()) {
    result.displacement = time * motion.velocity;
    result.rotation = exponential(time * motion.angular_velocity);
    result.velocity = motion.velocity;
    result.spin = motion.angular_velocity;
    return result;
  }
  // The position follows from `time` alone: for a proximal step `during` is no time of the deck.
  Vec3 vector = Vec3::Zero();
  const auto later = std::upper_bound(table.begin(), table.end(), time, before);
  if (later == table.begin() || later == table.end()) {
    const Knot& end = later == table.begin() ? table.front() : table.back();
    result.displacement = end.displacement;
    vector = end.rotation;
  } else {
    const Knot &from = *(later - 1), &to = *later;
    const double s = (time - from.time) / (to.time - from.time);
    result.displacement = from.displacement + s * (to.displacement - from.displacement);
    vector = from.rotation + s * (to.rotation - from.rotation);
  }
  result.rotation = exponential(vector);
  const auto next = std::upper_bound(table.begin(), table.end(), during, before);
  if (next == table.begin() || next == table.end()) return result;
  const Knot &from = *(next - 1), &to = *next;
  const double span = to.time - from.time;
  result.velocity = (to.displacement - from.displacement) / span;
  result.spin = spin_of(vector, (to.rotation - from.rotation) / span);
  return result;
}

double next_knot(const BoundaryMotion& motion, double time) {
  const auto next = std::upper_bound(motion.table.begin(), motion.table.end(), time, before);
  return next == motion.table.end() ? std::numeric_limits<double>::infinity() : next->time;
}

bool moves(const BoundaryMotion& motion) {
  if (motion.coupled) return true;
  if (motion.table.empty()) return !motion.velocity.isZero(0) || !motion.angular_velocity.isZero(0);
  return std::any_of(motion.table.begin(), motion.table.end(), [](const Knot& knot) {
    return !knot.displacement.isZero(0) || !knot.rotation.isZero(0);
  });
}

BodyState boundary_state(const Model& model, const BoundaryPart& part, double time, double during) {
  BodyState state;
  state.x = part.point;
  state.q = rotation::between(Vec3::UnitZ(), part.normal);
  const BoundaryMotion& motion = model.boundaries[part.boundary].motion;
  if (!moves(motion)) return state;
  const RigidMotion now = motion_at(motion, time, during);
  state.x = now.place(part.point);
  state.q = (Quat(now.rotation) * state.q).normalized();
  if (!traits_of(model.analysis).has_velocities) return state;
  const Vec3 arm = state.x - now.about - now.displacement;
  state.v = now.velocity + now.spin.cross(arm);
  state.w = now.spin;
  state.a = now.spin.cross(now.spin.cross(arm));  // velocities are constant between time points
  return state;
}

BodyState part_state(const Model& model, std::size_t part, double time, const Bodies* bodies) {
  const BodyState* const stands = standing_part(model, part, bodies);
  return stands != nullptr ? *stands : boundary_state(model, model.boundary_parts[part], time, time);
}

RigidMotion part_motion(const Model& model, std::size_t part, double time, const Bodies* bodies) {
  const BoundaryPart& given = model.boundary_parts[part];
  RigidMotion motion = motion_at(model.boundaries[given.boundary].motion, time, time);
  const BodyState* const stands = standing_part(model, part, bodies);
  if (stands == nullptr) return motion;
  const BodyState start = boundary_state(model, given, time, time);
  // Where the deck has it, it stays to the bit.
  if (stands->x == start.x && stands->q.coeffs() == start.q.coeffs()) return motion;
  motion.about = start.x;
  motion.displacement = stands->x - start.x;
  motion.rotation = (stands->q * start.q.conjugate()).toRotationMatrix();
  return motion;
}

RigidMotion boundary_motion(const Model& model, int boundary, double time, const Bodies* bodies) {
  const auto& parts = model.boundary_parts;
  const auto first = std::find_if(parts.begin(), parts.end(),
                                  [&](const BoundaryPart& part) { return part.boundary == boundary; });
  if (first == parts.end()) return motion_at(model.boundaries[boundary].motion, time, time);
  return part_motion(model, static_cast<std::size_t>(first - parts.begin()), time, bodies);
}

}  // namespace scree

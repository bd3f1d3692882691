/// Periodic directions: whether bodies have room in them, and boundaries repeat themselves.
#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "core/periodic_parameters.hpp"
#include "core/text.hpp"
#include "io/builder_parts.hpp"
#include "io/deck_validation.hpp"
#include "solvers/boundary_motion.hpp"

namespace scree::builder {
namespace {

constexpr double kAligned = 1e-9;

/// Whether a wall at rest is the same after any translation along `axis`.
bool repeats(const Model& model, const BoundaryPart& part, const Vec3& axis) {
  if (part.wall < 0) return std::abs(part.normal.dot(axis)) < kAligned;
  const ShapeKind kind = model.walls[part.wall].kind;
  const bool straight = kind == ShapeKind::bore || kind == ShapeKind::cylinder;
  return straight && part.normal.cross(axis).norm() < kAligned;
}

/// Whether a wall turns about another direction than `axis`: it then tilts, or at least has other velocities
/// one period away (a floor that turns about its normal).
bool turns_otherwise(const BoundaryMotion& motion, const Vec3& axis) {
  const auto otherwise = [&](const Vec3& turn) { return turn.cross(axis).norm() > kAligned * turn.norm(); };
  return otherwise(motion.angular_velocity) ||
         std::any_of(motion.table.begin(), motion.table.end(),
                     [&](const BoundaryMotion::Knot& knot) { return otherwise(knot.rotation); });
}

void check_boundaries(Build& build, const Value& period, int axis) {
  const Model& model = build.model;
  const std::string name(1, "xyz"[axis]);
  for (std::size_t b = 0; b < model.boundaries.size(); ++b) {
    const BoundaryDescription& boundary = model.boundaries[b];
    const bool all_repeat =
        std::all_of(model.boundary_parts.begin(), model.boundary_parts.end(), [&](const BoundaryPart& part) {
          return part.boundary != static_cast<int>(b) || repeats(model, part, Vec3::Unit(axis));
        });
    if (!all_repeat) {
      build.diagnostics.error(
          boundary.where,
          fmt::format(
              "boundary \"{}\" is not the same everywhere along {}, as {} asks. Expected a plane "
              "along {}, a box that is \"open\" at \"-{}\" and \"+{}\", or a cylinder along {} without "
              "\"length\".",
              boundary.name, name, period.where(), name, name, name, name));
    } else if (turns_otherwise(boundary.motion, Vec3::Unit(axis))) {
      build.diagnostics.error(
          boundary.where + "/motion",
          fmt::format(
              "boundary \"{}\" turns about another direction than {}, so that it is or moves "
              "differently one period along {}, {}. Expected no rotation, or one about {} where it is "
              "the only periodic direction.",
              boundary.name, name, name, period.where(), name));
    }
  }
}

/// No body may meet its own image.
void check_room(Build& build, const Value& period) {
  const Model& model = build.model;
  const BodyDescription* largest = nullptr;
  double size = 0;
  for (const BodyDescription& body : model.bodies) {
    if (body.shape < 0) continue;  // a shape that failed has no size
    const double diameter = 2 * model.shapes[body.shape].bounding_radius;
    if (diameter <= size) continue;
    size = diameter;
    largest = &body;
  }
  if (largest == nullptr) return;
  double threshold = 0;
  for (const auto& interface : model.interfaces) threshold = std::max(threshold, interface.threshold());
  const double low = period.items()[0].number(), high = period.items()[1].number();
  if (high - low > size + threshold) return;
  const std::string what = largest->name.empty() ? fmt::format("body {}", largest - model.bodies.data())
                                                 : fmt::format("body \"{}\"", largest->name);
  build.diagnostics.error(
      period.where(),
      fmt::format(
          "got {}, a period of {} m; the largest body, {}, {}, would meet its own image. Expected more "
          "than {} m: the diameter of the ball around it{}.",
          to_text(period), text::number(high - low), what, largest->where, text::number(size + threshold),
          threshold > 0
              ? fmt::format(", {} m, and the threshold of {} m", text::number(size), text::number(threshold))
              : ""));
}

}  // namespace

void add_periodic(Build& build) {
  const Value* periodic = build.deck.find("periodic");
  if (periodic == nullptr || !is_complete(*periodic)) return;
  if (!build.diagnostics.attempt(periodic->where(), "",
                                 [&] { build.model.periodic = periodic_cell(*periodic); }))
    return;
  for (int axis = 0; axis < 3; ++axis) {
    const Value* period = periodic->find(std::string(1, "xyz"[axis]));
    if (period == nullptr) continue;
    check_room(build, *period);
    check_boundaries(build, *period, axis);
  }
}

}  // namespace scree::builder

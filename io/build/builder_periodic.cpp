/// Periodic directions: whether bodies have room in them, and boundaries repeat themselves.
#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "core/parameters/periodic_parameters.hpp"
#include "core/text.hpp"
#include "io/build/builder_parts.hpp"
#include "io/deck/deck_validation.hpp"
#include "solvers/placement/generator.hpp"
#include "solvers/world/boundary_motion.hpp"

namespace scree::builder {
namespace {

constexpr double kAligned = 1e-9;

/// What a body that is met in the cell may reach, in a periodic direction.
struct Reach {
  double low = 0, high = 0;  ///< of the cell [m]
  double beyond = 0;         ///< diameter of the largest body's ball, and the threshold [m]
};

/// Whether a surface is the same wherever a body of the cell may be: it extends beyond what the bodies reach,
/// and what crosses that runs along the axis.
bool runs_through(const Shape& surface, const Vec3& place, int axis, const Reach& reach) {
  const double low = reach.low - reach.beyond, high = reach.high + reach.beyond;
  const auto side = [&](int vertex) {
    const double along = place[axis] + surface.vertices[vertex][axis];
    return along <= low ? -1 : (along >= high ? 1 : 0);
  };
  return std::all_of(surface.edges.begin(), surface.edges.end(), [&](const Edge& edge) {
    const int first = side(edge.v0), last = side(edge.v1);
    if (first == 0 || last == 0) return false;
    return first == last || edge.direction.cross(Vec3::Unit(axis)).norm() < kAligned;
  });
}

/// Whether a wall at rest is the same after any translation along `axis`.
bool repeats(const Model& model, const BoundaryPart& part, int number, const Reach& reach) {
  const Vec3 axis = Vec3::Unit(number);
  if (part.wall < 0) return std::abs(part.normal.dot(axis)) < kAligned;
  if (model.walls[part.wall].open)
    return !moves(model.boundaries[part.boundary].motion) &&
           runs_through(model.walls[part.wall], part.point, number, reach);
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

void check_boundaries(Build& build, const Value& period, int axis, double beyond) {
  const Model& model = build.model;
  const std::string name(1, "xyz"[axis]);
  const Reach reach{period.items()[0].number(), period.items()[1].number(), beyond};
  for (std::size_t b = 0; b < model.boundaries.size(); ++b) {
    const BoundaryDescription& boundary = model.boundaries[b];
    const bool all_repeat =
        std::all_of(model.boundary_parts.begin(), model.boundary_parts.end(), [&](const BoundaryPart& part) {
          return part.boundary != static_cast<int>(b) || repeats(model, part, axis, reach);
        });
    if (boundary.motion.coupled) {
      build.diagnostics.error(
          boundary.where + "/motion",
          fmt::format("boundary \"{}\" is \"coupled\": not supported with periodic directions ({}), as its "
                      "motion does not repeat itself. Remove {}, or use a fixed surface.",
                      boundary.name, period.where(), period.where()));
    } else if (!all_repeat) {
      build.diagnostics.error(
          boundary.where,
          fmt::format(
              "boundary \"{}\" is not translation-invariant along {} (required by {}). Valid: a plane "
              "parallel to {}, a box that is \"open\" at \"-{}\" and \"+{}\", a cylinder along {} without "
              "\"length\", or a fixed surface with edges along {} from {} m beyond the cell to {} m "
              "beyond it (the largest body's size).",
              boundary.name, name, period.where(), name, name, name, name, name, text::number(beyond),
              text::number(beyond)));
    } else if (turns_otherwise(boundary.motion, Vec3::Unit(axis))) {
      build.diagnostics.error(
          boundary.where + "/motion",
          fmt::format("boundary \"{}\" rotates about an axis other than {}: it is not periodic along {} "
                      "({}). Valid: no "
                      "rotation, or rotation about {} if it is the only periodic direction.",
                      boundary.name, name, name, period.where(), name));
    }
  }
}

/// No body may meet its own image; those of inlets: check_inlets(). @returns the size of the largest of all,
/// with the threshold [m]; 0 without bodies.
double check_room(Build& build, const Value& period) {
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
  const double threshold = clearance_of(model);
  double beyond = size;
  for (const InletDescription& inlet : model.inlets) beyond = std::max(beyond, 2 * inlet.largest_bound);
  if (beyond > 0) beyond += threshold;
  const double low = period.items()[0].number(), high = period.items()[1].number();
  if (largest == nullptr || high - low > size + threshold) return beyond;
  const std::string what = largest->name.empty() ? fmt::format("body {}", largest - model.bodies.data())
                                                 : fmt::format("body \"{}\"", largest->name);
  build.diagnostics.error(
      period.where(),
      fmt::format(
          "period {} ({} m) is too small: {} ({}) would interact with its own image; expected more "
          "than {} m, the bounding diameter{}.",
          to_text(period), text::number(high - low), what, largest->where, text::number(size + threshold),
          threshold > 0 ? fmt::format(" {} m + threshold {} m", text::number(size), text::number(threshold))
                        : ""));
  return beyond;
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
    const double beyond = check_room(build, *period);
    check_boundaries(build, *period, axis, beyond);
  }
}

}  // namespace scree::builder

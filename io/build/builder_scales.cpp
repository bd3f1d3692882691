/// What is too far away, or too fast, for a computation in double precision to mean anything.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/interrupt.hpp"
#include "core/text.hpp"
#include "io/build/builder_parts.hpp"
#include "io/deck/deck_validation.hpp"

namespace scree::builder {
namespace {

/// Distance of neighbouring numbers at the position of a body, as part of the length that contact has to
/// resolve: of a gap at the activation distance this leaves three digits.
constexpr double kResolved = 1e-3;
/// Overlap-based laws: that length as part of the bounding radius.
constexpr double kOverlap = 1e-3;

/// Newton's mechanics does not go beyond [m/s].
constexpr double kSpeedOfLight = 299792458;

/// Bodies that are reported one by one.
constexpr int kShown = 20;

double spacing_at(const Vec3& x) { return std::numeric_limits<double>::epsilon() * x.cwiseAbs().maxCoeff(); }

class Scales {
 public:
  explicit Scales(Build& build) : build_(build), threshold_(std::numeric_limits<double>::infinity()) {
    for (const auto& interface : build.model.interfaces) {
      if (interface.threshold() > 0) threshold_ = std::min(threshold_, interface.threshold());
    }
  }

  void check() {
    for (const BodyDescription& body : build_.model.bodies) {
      check_interrupt();
      if (body.shape < 0 || build_.shape_good[body.shape] == 0) continue;
      const double radius = radius_of(body.shape);
      // Generated bodies have no place yet.
      if (body.position.allFinite()) check_position(body.where, "position", body.position, radius);
      check_speed(body.where, body.velocity, body.angular_velocity, radius);
    }
    check_generated();
    check_inlets();
    for (const BoundaryDescription& boundary : build_.model.boundaries) {
      // Tables are prescribed displacements: their speeds follow from the times.
      const double speed = boundary.motion.velocity.norm();
      if (speed <= kSpeedOfLight) continue;
      build_.diagnostics.error(boundary.where + "/motion/velocity",
                               fmt::format("boundary \"{}\": {}", boundary.name, too_fast(speed)));
    }
    if (faults_ > kShown)
      build_.diagnostics.error(
          "/bodies",
          fmt::format("{} more bodies are too far from the origin or too fast.", faults_ - kShown));
  }

 private:
  [[nodiscard]] double radius_of(int shape) const { return build_.model.shapes[shape].bounding_radius; }

  /// Places are found later, in these regions.
  void check_generated() {
    const auto& entries = build_.deck.at("bodies").items();
    const auto& bodies = build_.model.bodies;
    for (std::size_t k = 0; k < entries.size(); ++k) {
      if (!is_complete(entries[k]) || !entries[k].has("count")) continue;
      double smallest = std::numeric_limits<double>::infinity();
      for (std::size_t b = build_.first_body[k]; b < build_.end_of(k); ++b)
        if (bodies[b].shape >= 0) smallest = std::min(smallest, radius_of(bodies[b].shape));
      const Value& region = entries[k].at("region");
      check_corners(region.where(), region.vector("min"), region.vector("max"), smallest);
    }
  }

  void check_inlets() {
    for (const InletDescription& inlet : build_.model.inlets) {
      double smallest = std::numeric_limits<double>::infinity();
      for (const InletDescription::Entry& entry : inlet.entries)
        smallest = std::min(smallest, radius_of(entry.shape));
      check_corners(inlet.where + "/region", inlet.low, inlet.high, smallest);
      check_speed(inlet.where, inlet.velocity, inlet.angular_velocity, inlet.largest_bound);
    }
  }

  void check_corners(const std::string& where, const Vec3& low, const Vec3& high, double smallest) {
    const Vec3 farthest = low.cwiseAbs().cwiseMax(high.cwiseAbs());
    const bool is_low = farthest.maxCoeff() == low.cwiseAbs().maxCoeff();
    check_position(where, "corner", is_low ? low : high, smallest);
  }

  void check_position(const std::string& where, const char* what, const Vec3& x, double radius) {
    const double spacing = spacing_at(x);
    const bool gap = std::isfinite(threshold_);
    const double length = gap ? threshold_ : kOverlap * radius;
    if (spacing > kResolved * length)
      error(where, fmt::format("{} {}: double precision resolves {:.2g} m there, which is too coarse "
                               "for {} of {:.2g} m; "
                               "move the origin of coordinates near to the bodies.",
                               what, text::vector(x), spacing,
                               gap ? "a gap at the activation distance" : "an overlap", length));
  }

  void check_speed(const std::string& where, const Vec3& velocity, const Vec3& angular, double radius) {
    const double speed = velocity.norm(), turning = angular.norm() * radius;
    if (speed > kSpeedOfLight) error(where, "velocity: " + too_fast(speed));
    if (turning > kSpeedOfLight)
      error(where, fmt::format("angular_velocity {} rad/s at the bounding radius {} m: {}",
                               text::number(angular.norm()), text::number(radius), too_fast(turning)));
  }

  static std::string too_fast(double speed) {
    return fmt::format("got {} m/s; expected less than the speed of light, {:.0f} m/s.", text::number(speed),
                       kSpeedOfLight);
  }

  void error(const std::string& where, const std::string& message) {
    if (++faults_ <= kShown) build_.diagnostics.error(where, message);
  }

  Build& build_;
  double threshold_;  ///< the least activation distance [m]
  int faults_ = 0;
};

}  // namespace

void check_scales(Build& build) { Scales(build).check(); }

}  // namespace scree::builder

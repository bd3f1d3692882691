/// What is too far away, or too fast, for a computation in double precision to mean anything.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/interrupt.hpp"
#include "core/text.hpp"
#include "io/build/builder_parts.hpp"

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
      check(body);
    }
    for (const BoundaryDescription& boundary : build_.model.boundaries) {
      // Tables are prescribed displacements: their speeds follow from the times.
      const double speed = boundary.motion.velocity.norm();
      if (speed <= kSpeedOfLight) continue;
      build_.diagnostics.error("/boundaries",
                               fmt::format("boundary \"{}\": {}", boundary.name, too_fast(speed)));
    }
    if (faults_ > kShown)
      build_.diagnostics.error(
          "/bodies",
          fmt::format("{} more bodies are too far from the origin or too fast.", faults_ - kShown));
  }

 private:
  void check(const BodyDescription& body) {
    const double radius = build_.model.shapes[body.shape].bounding_radius;
    if (body.position.allFinite()) {  // generated bodies have no place yet
      const double spacing = spacing_at(body.position);
      const bool gap = std::isfinite(threshold_);
      const double length = gap ? threshold_ : kOverlap * radius;
      if (spacing > kResolved * length)
        error(body, fmt::format("position {}: double precision resolves {:.2g} m there, which is too coarse "
                                "for {} of {:.2g} m; "
                                "move the origin of coordinates near to the bodies.",
                                text::vector(body.position), spacing,
                                gap ? "a gap at the activation distance" : "an overlap", length));
    }
    const double speed = body.velocity.norm(), turning = body.angular_velocity.norm() * radius;
    if (speed > kSpeedOfLight) error(body, "velocity: " + too_fast(speed));
    if (turning > kSpeedOfLight)
      error(body,
            fmt::format("angular_velocity {} rad/s at the bounding radius {} m: {}",
                        text::number(body.angular_velocity.norm()), text::number(radius), too_fast(turning)));
  }

  static std::string too_fast(double speed) {
    return fmt::format("got {} m/s; expected less than the speed of light, {:.0f} m/s.", text::number(speed),
                       kSpeedOfLight);
  }

  void error(const BodyDescription& body, const std::string& message) {
    if (++faults_ <= kShown) build_.diagnostics.error(body.where, message);
  }

  Build& build_;
  double threshold_;  ///< the least activation distance [m]
  int faults_ = 0;
};

}  // namespace

void check_scales(Build& build) { Scales(build).check(); }

}  // namespace scree::builder

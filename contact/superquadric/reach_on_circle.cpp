#include "contact/superquadric/reach_on_circle.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace scree::contact {
namespace {

/// Directions across an axis, by their angle.
struct Circle {
  const Reach& reach;
  Vec3 e, t;

  [[nodiscard]] Vec3 at(double angle) const { return std::cos(angle) * e + std::sin(angle) * t; }
  [[nodiscard]] double slope(double angle) const {
    return (std::cos(angle) * t - std::sin(angle) * e).dot(reach.gradient(at(angle)));
  }
};

struct Sample {
  double angle = 0, slope = 0;
};

/// @returns the angle between two at which the slope is zero; it has other signs there. Illinois method, with
/// halvings where a corner of the body makes the slope jump.
double zero_between(const Circle& circle, Sample a, Sample b) {
  constexpr int kMostSteps = 150;
  constexpr double kAsGood = 4e-16;
  const double exact = kAsGood * circle.reach.scale();
  for (int k = 0; k < kMostSteps && std::abs(b.angle - a.angle) > kAsGood; ++k) {
    Sample next;
    next.angle = a.angle - a.slope * (b.angle - a.angle) / (b.slope - a.slope);
    const auto [least, most] = std::minmax(a.angle, b.angle);
    if (k % 4 == 3 || !(next.angle > least && next.angle < most)) next.angle = 0.5 * (a.angle + b.angle);
    next.slope = circle.slope(next.angle);
    if (std::abs(next.slope) <= exact) return next.angle;
    if ((next.slope > 0) == (b.slope > 0)) {
      a.slope *= 0.5;
    } else {
      a = b;
    }
    b = next;
  }
  return b.angle;
}

/// Adds samples where the slope comes near to zero and leaves it again: it may change its sign twice there.
void look_at_dips(const Circle& circle, std::vector<Sample>& samples) {
  constexpr int kPerGap = 8;
  thread_local std::vector<Sample> more;
  more.clear();
  for (std::size_t k = 0; k < samples.size(); ++k) {
    more.push_back(samples[k]);
    if (k + 1 == samples.size()) break;
    const auto is_dip = [&](std::size_t i) {
      if (i == 0 || i + 1 >= samples.size()) return false;
      const double before = samples[i - 1].slope, at = samples[i].slope, after = samples[i + 1].slope;
      return at > 0 ? at <= before && at <= after : at >= before && at >= after;
    };
    if (!is_dip(k) && !is_dip(k + 1)) continue;
    for (int i = 1; i < kPerGap; ++i) {
      const double angle = samples[k].angle + i * (samples[k + 1].angle - samples[k].angle) / kPerGap;
      more.push_back({angle, circle.slope(angle)});
    }
  }
  std::swap(samples, more);
}

}  // namespace

void find_on_circle(const Reach& reach, std::vector<ReachPlace>& places) {
  constexpr int kInView = 32;  // directions
  constexpr int kAll = 128;
  const bool all = reach.all_round();
  Circle circle{reach, reach.c.isZero(0) ? reach.axis.unitOrthogonal() : reach.c.normalized(), {}};
  circle.t = reach.axis.cross(circle.e);
  const double half = all ? std::numbers::pi : reach.half_angle();
  const int steps = all ? kAll : kInView;
  thread_local std::vector<Sample> samples;
  samples.clear();
  for (int k = 0; k < steps + (all ? 0 : 1); ++k) {
    const double angle = half * (2.0 * k / steps - 1);
    const double slope = circle.slope(angle);
    if (std::abs(slope) > Reach::kNoSlope * reach.scale()) samples.push_back({angle, slope});
  }
  if (all && !samples.empty())
    samples.push_back({samples.front().angle + 2 * std::numbers::pi, samples.front().slope});
  look_at_dips(circle, samples);
  for (std::size_t k = 1; k < samples.size(); ++k) {
    if ((samples[k].slope > 0) == (samples[k - 1].slope > 0)) continue;
    places.push_back(reach.place_at(circle.at(zero_between(circle, samples[k - 1], samples[k])),
                                    samples[k].slope > 0 ? ReachKind::saddle : ReachKind::maximum));
    places.back().along = reach.axis.cross(places.back().u);
  }
  if (places.empty()) places.push_back(reach.place_at(circle.e, ReachKind::maximum));  // as round as the wall
  if (all) drop_lowest(places, ReachKind::saddle);
}

}  // namespace scree::contact

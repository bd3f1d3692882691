#include "solvers/dynamic/impact_weights.hpp"

#include <algorithm>
#include <cmath>

#include "core/infinity.hpp"

namespace scree {

double beyond_part(double limit, double value) {
  return limit > 0 ? std::clamp(value / limit - 1, 0.0, 1.0) : 1.0;
}

double tangential_restitution(double e) { return e * e * e * e; }

double released(double e, double first, double last, double fallen) {
  const double given = std::max(last * last + fallen, first * first);
  const double kept = e * e * given + (1 - e * e) * first * first - fallen;
  return std::clamp(std::sqrt(std::max(kept, 0.0)), kLeast * last, last);
}

double lost_in_step(const contact::SecantSlip& slip, double limit) {
  return slip.force.dot(slip.moved) -
         0.5 * slip.stiffness *
             (slip.elastic_end(std::min(limit, slip.limit)).squaredNorm() - slip.kept.squaredNorm());
}

double impulse_of(double weight, double speed, double mass) {
  return mass > 0 ? weight * speed / (1 + weight / mass) : 0;
}

Vec3 beyond(const Vec3& impulse, double limit) {
  const double size = impulse.norm();
  return size > limit ? Vec3((1 - limit / size) * impulse) : Vec3(Vec3::Zero());
}

double most_of_spring(const contact::SecantSlip& slip, double stiffening, double h) {
  return std::isfinite(stiffening) ? h * stiffening * slip.uncut : kInfinity;
}

double weight_across(const contact::SecantSlip& slip, const Across& motion, double limit, double most,
                     double thrown_back, double h) {
  const double speed = motion.end.norm();
  if (!(speed > 0) || !(motion.mass > 0)) return 0;
  const Vec3 direction = motion.end / speed;
  const double before = motion.start.dot(direction);
  const double now = h * slip.force.norm();
  // Each part vanishes where its condition begins to hold: rounding may decide which one acts, not how much.
  const double turned = std::clamp(-before / speed, 0.0, 1.0);
  // It sticks, and the spring of friction throws it back.
  const double stop = std::min(limit + now, motion.mass * (1 - thrown_back) * speed);
  // The limit of the step before was too small, or there was none.
  double missing = slip.slides || !(slip.limit > 0) ? std::max(limit - now, 0.0) : 0.0;
  missing = std::min(missing, std::max(most - now, 0.0));
  // The spring of friction pushes back: as the normal one.
  double released_now = 0;
  const double along = -std::min(slip.elastic_end(slip.limit).dot(direction), slip.kept.dot(direction));
  if (along > 0 && speed > before) {
    const double share = std::min(along / slip.kept.norm(), 1.0);
    released_now = share * motion.mass * (speed - released(thrown_back, std::max(before, 0.0), speed));
  }
  const double wanted = turned * stop + (1 - turned) * std::max(missing, released_now);
  if (!(wanted > 0)) return 0;
  const double left = speed - wanted / motion.mass;
  return left > kLeastSlip * speed ? wanted / left : motion.mass / kLeastSlip;
}

double SlipAnswer::mass(double impulse_now, double left_now, double isolated) const {
  const double more = impulse_now - impulse;
  const double less = left - left_now;
  // Solutions on the way end at a tolerance, which is not to decide; what goes the other way, other rows have
  // moved; and none of them is stiffer than one that stops its contact.
  constexpr double kSeen = 1e-3, kMost = 1 / kLeast;
  const bool known = left >= 0 && more * less > 0 && std::abs(less) > kSeen * left;
  return known ? std::clamp(more / less, isolated, kMost * isolated) : isolated;
}

double corrected_across(const contact::SecantSlip& slip, const Across& motion, const AfterUpdate& after,
                        double most, double thrown_back) {
  const double left = after.now.norm();
  if (!(left > 0) || !(motion.mass > 0)) return after.weight;
  const Vec3 direction = after.now / left;
  const double given = after.given.norm();
  const double drag = after.given.dot(direction);
  const double acting = after.weight * left;
  // Largest impulse along the slip with which the whole of friction is within its limit.
  const double room = after.limit * after.limit - given * given + drag * drag;
  const double allowed = room > 0 ? std::max(std::sqrt(room) - drag, 0.0) : 0.0;
  double wanted = acting;
  const bool sticks = !slip.slides && slip.limit > 0;
  // The slip without its own row, not what that left: each correction would take its part of it again.
  const double was = std::min(motion.end.norm(), left + acting / motion.mass);
  if (left > kLeastSlip * motion.end.norm() && (!sticks || after.takes)) {
    const double before = motion.start.dot(direction);
    // Turned round within the step, or driven by friction that held against the impulse that was taken.
    const double driven = given > 0 ? std::clamp(-drag / given, 0.0, 1.0) : 0.0;
    const double turned = std::max(std::clamp(-before / left, 0.0, 1.0), driven);
    const double target =
        sticks ? released(thrown_back, std::max(before, 0.0), std::max(was, before)) : thrown_back * was;
    const double stop = std::max(acting + motion.mass * (left - target), 0.0);
    const double missing = std::clamp(after.limit - given, 0.0, std::max(most - given, 0.0));
    wanted = sticks ? stop : turned * stop + (1 - turned) * missing;
  }
  wanted = std::min(wanted, allowed);
  const double speed = std::max(left - (wanted - acting) / motion.mass, kLeastSlip * left);
  return std::min(wanted / speed, motion.mass / kLeastSlip);
}

}  // namespace scree

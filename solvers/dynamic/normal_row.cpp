#include "solvers/dynamic/normal_row.hpp"

#include <algorithm>
#include <cmath>

#include "core/infinity.hpp"
#include "solvers/dynamic/impact_weights.hpp"

namespace scree {
namespace {

/// A contact may take more than it gave by this part of it.
constexpr double kPullingError = 0.02;
/// Rates of opening and impulses that are taken may be off by this part.
constexpr double kOpeningError = 1e-3;

}  // namespace

double NormalRow::acceleration() const { return steady + std::min(passing, 0.0); }

double NormalRow::free_acceleration(double without) const {
  return beyond_part(kSlow * h * std::abs(acceleration()), without) * acceleration();
}

double NormalRow::net(double now) const { return std::max(impulse - weight * now, 0.0); }

double NormalRow::gave() const { return beyond_part(common * std::abs(acceleration()) * h, of_corner); }

bool NormalRow::weigh_for(double without) {
  const double opening = std::max(start, 0.0);
  const double falls = free_acceleration(without);
  const double fallen = -2 * falls * opened;
  // What passes outside of something round opens by that alone, since it opened: no part of the rebound.
  const double turning = std::max(passing, 0.0);
  const double since = without > 0 ? std::min(2 * opened / (without + opening), h) : 0.0;
  const double thrown = without - turning * since;
  if (!(thrown > 0 && thrown * thrown + fallen > opening * opening && restitution < 1)) return false;
  rate = without;
  target = released(restitution, opening, thrown, fallen) + turning * since;
  // What its own impulse moved: several contacts of a body share its mass, and one that others throw open
  // has nothing to take back. Contacts that share a corner are one, and take their parts of it.
  const double gained = end - start - (falls + turning) * h;
  moved = std::min(gained > 0 ? of_corner / gained : kInfinity, common);
  part = of_corner > 0 ? impulse / of_corner : 1;
  wanted = part * moved * (rate - target) * gave();
  return true;
}

double NormalRow::weigh() {
  if (!weigh_for(end)) return 0;
  const double all = moved * (rate - target);
  weight = part * all / (rate - all / std::max(moved, mass));
  return part * all;
}

bool NormalRow::weigh_thrown_open(double now) {
  if (!(now > 0 && impulse > quiet && restitution < 1)) return false;
  const double taken = weight * now;
  NormalRow row = *this;
  // Not what its own impulse moved: it answers for what others do.
  const double answers = std::max(row.moved, mass);
  if (weight > 0) {
    // The rate that the other rows leave: more than in the solution of the step.
    const double left = now + taken / (part * answers);
    const bool thrown = left > rate * (1 + kOpeningError) && now - target > kOpeningError * left;
    if (!thrown || !row.weigh_for(left)) return false;
  } else if (now - std::max(start, 0.0) <= kOpeningError * now || !row.weigh_for(now)) {
    return false;
  }
  row.moved = moved;
  // It takes what it gave at most.
  const double all = std::min(answers * (row.rate - row.target), of_corner) * gave();
  row.wanted = row.part * all;
  row.weight = row.wanted / std::max(row.rate - all / answers, row.target);
  if (row.weight * now - taken <= std::max(kOpeningError * impulse, quiet)) return false;
  *this = row;
  return true;
}

bool NormalRow::correct(double now) {
  const double over = weight * now - impulse;
  const bool pulls = weight > 0 && over > kPullingError * impulse;
  if (!pulls && weigh_thrown_open(now)) return true;
  if (!(weight > 0)) return false;
  // Between the rate that other rows hold and that of an isolated contact: with the first alone a stiff row
  // needs all solutions, and friction grows beside it; the second alone takes too little.
  if (pulls) weight = impulse / std::sqrt(now * (now + over / mass));
  const double taken = weight * now;
  const double missing = wanted - taken;
  const bool opens = now < rate && now - target > kOpeningError * rate && missing > kOpeningError * wanted;
  if (opens) {
    // Where others take as well, its own impulse counts for as much of the change as it has in the last
    // solution. One that pulled goes to its target with the smaller impulse: where it would be released
    // instead, cubes that land almost flush with restitution 0 turned twice as fast.
    const double by_own = taken / (rate - now);
    const double more = std::min(wanted, by_own * (rate - target));
    weight = more / std::max(rate - more / by_own, target);
  }
  return pulls || opens;
}

}  // namespace scree

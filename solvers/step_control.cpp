#include "solvers/step_control.hpp"

#include <algorithm>
#include <cmath>

namespace scree {
namespace {

/// Growth from the step actually taken (theory 09 section 4, limit 3).
constexpr double kGrowth = 1.4;
constexpr int kMostHalvings = 10;

}  // namespace

double StepControl::next(double now, double event, const contact::StepLimits& limits) {
  double h = 0;
  if (time_.adaptive) {
    h = longest();
    const char* cause = h < time_.max ? "growth after a smaller step" : "largest step of the deck";
    if (limits.closing < h) {
      h = limits.closing;
      cause = "closing of gaps";
    }
    if (limits.oscillation < h) {
      h = limits.oscillation;
      cause = "oscillation of contacts";
    }
    h = std::max(h, time_.min);
    ++causes_[cause];
  } else {
    const double target = time_.step * static_cast<double>(grid_ + 1);
    h = std::ldexp(time_.step, -halvings_);
    if (now + h > target * (1 - 1e-12)) h = target - now;
  }
  // The last bit of a stretch is not left over as a tiny step.
  const double left = std::min(event, time_.end) - now;
  if (h > left * (1 - 1e-9)) return left;
  if (time_.adaptive && 2 * h > left) return 0.5 * left;
  return h;
}

void StepControl::accepted(double now, double taken) {
  if (time_.adaptive) {
    next_ = kGrowth * taken;
    return;
  }
  while (now > time_.step * (static_cast<double>(grid_ + 1) - 1e-9)) {
    ++grid_;
    halvings_ = 0;
  }
}

bool StepControl::cut(double /*now*/, double taken) {
  if (time_.adaptive) {
    if (taken <= time_.min * (1 + 1e-9)) return false;
    next_ = std::max(0.5 * taken, time_.min);
    return true;
  }
  return ++halvings_ <= kMostHalvings;
}

}  // namespace scree

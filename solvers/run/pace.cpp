#include "solvers/run/pace.hpp"

#include <algorithm>
#include <utility>

namespace scree {
namespace {

/// Accepted steps of a window.
constexpr int kWindow = 6;
/// Iterations per step up to which a longer step is cheaper, whatever it takes.
constexpr double kFew = 6;
/// Iterations per step from which on shorter steps are tried.
constexpr double kMany = 8;
/// Factor by which the bound changes.
constexpr double kFactor = 2;
/// Changes of the cost below this part of it are chance.
constexpr double kNoticed = 0.1;
/// The bound does not fall below this part of the largest step of the deck.
constexpr double kShortest = 1.0 / 64;
constexpr int kMostPatience = 8;

}  // namespace

void Pace::accepted(double size, double most, bool free) {
  const int spent = std::exchange(attempts_, 0);
  if (!free) return;
  iterations_ += spent;
  ++steps_;
  time_ += size;
  if (steps_ < kWindow) return;
  judge(most);
  begin_window();
}

void Pace::failed(double size, double most) {
  set(std::min(bound_, 0.5 * size), most);
  begin_window();
  attempts_ = 0;
  turn_ = 1;
  pause();
}

void Pace::begin_window() {
  iterations_ = steps_ = 0;
  time_ = 0;
}

void Pace::pause() {
  direction_ = 0;
  grown_ = false;
  waits_ = patience_;
  patience_ = std::min(2 * patience_, kMostPatience);
}

void Pace::set(double bound, double most) { bound_ = std::clamp(bound, kShortest * most, most); }

void Pace::judge(double most) {
  if (waits_ > 0) {
    --waits_;
    return;
  }
  const double each = static_cast<double>(iterations_) / steps_;
  const double cost = static_cast<double>(iterations_) / time_;
  const bool bounded = bound_ < most;
  if (each <= kFew) {
    // A longer step that holds for a window makes the next pause shorter.
    if (grown_) patience_ = std::max(patience_ / 2, 1);
    grown_ = true;
    set(kFactor * bound_, most);
    direction_ = 0;
    return;
  }
  if (direction_ != 0 && cost > (1 + kNoticed) * before_) {
    set(direction_ > 0 ? bound_ / kFactor : bound_ * kFactor, most);
    turn_ = -direction_;
    pause();
    return;
  }
  if (direction_ == 0) {
    if (each < kMany && !bounded) return;
    direction_ = each < kMany ? 1 : bounded ? turn_ : -1;
  } else if (cost > (1 - kNoticed) * before_) {
    direction_ = 1;  // as good: the longer steps
  }
  before_ = cost;
  set(std::min(bound_, most) * (direction_ > 0 ? kFactor : 1 / kFactor), most);
}

}  // namespace scree

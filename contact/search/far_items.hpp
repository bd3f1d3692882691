/// Which candidates of a long list are too far to matter: how near each was when it was last looked at, less
/// how much distances have changed since.
#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>

#include "contact/pair/pair.hpp"

namespace scree::contact {

/// Bounds of a list that has just been built, if it is long.
void begin_bounds(BodyPair& pair);

/// The items of a pair at a state, or at both ends of a step. Of a short list nothing is far.
class FarItems {
 public:
  /// Goes to the state of the views.
  FarItems(BodyPair& pair, const BodyView& a, const BodyView& b);
  /// Goes to the end of a step, which began where the views with an n are.
  FarItems(BodyPair& pair, const BodyView& a_n, const BodyView& b_n, const BodyView& a, const BodyView& b);

  /// @returns a gap near the smallest one [m]: what is further can be skipped. Infinity for short lists.
  [[nodiscard]] double near() const { return near_; }
  /// @returns whether an item has no gap below the threshold of a law, neither at the end nor at the start,
  /// and is not the nearest. @param nearest smallest gap known [m].
  [[nodiscard]] bool skips(std::size_t item, double threshold, double nearest) const {
    const double limit = std::max(threshold, std::min(nearest, near_));
    return least(item) >= limit && least_n(item) >= limit;
  }
  /// @returns what the gap of an item is at least [m]; minus infinity: nothing is known.
  [[nodiscard]] double least(std::size_t item) const {
    return bounds_ == nullptr ? -kUnknown : bounds_->gaps[item] - bounds_->moved;
  }
  /// An item has been looked at. @param gap at the state, or the end of the step [m].
  void saw(std::size_t item, double gap) {
    if (bounds_ != nullptr) bounds_->gaps[item] = not_above(gap + bounds_->moved);
  }
  /// The same. @param gap_n at the start of the step, at least [m].
  void saw(std::size_t item, double gap, double gap_n) {
    saw(item, gap);
    if (bounds_ != nullptr) bounds_->gaps_n[item] = not_above(gap_n - moved_n_);
  }

 private:
  static constexpr double kUnknown = std::numeric_limits<double>::infinity();
  [[nodiscard]] double least_n(std::size_t item) const {
    return of_step_ ? bounds_->gaps_n[item] - moved_n_ : kUnknown;
  }
  void go_to(BodyPair& pair, const BodyView& a, const BodyView& b);

  ItemBounds* bounds_ = nullptr;
  bool of_step_ = false;
  double moved_n_ = 0;  ///< from where the gaps at the start of the step are known to that start [m]
  double near_ = kUnknown;
};

/// Gap of an item that is not of a superquadric, at the state of the views [m].
double gap_of(const BodyPair& pair, const Item& item, const BodyView& a, const BodyView& b);

/// Smallest gap over the candidates at the state of the views, rounding included [m]; `reach` without items.
/// No forces, no memory: for the no-penetration bound along a path. @param enough as in `find_nearest`.
double smallest_gap(BodyPair& pair, const BodyView& a, const BodyView& b, double enough = 1);

/// The same where the list is older than the state: of a long one only those items are looked at that may be
/// the nearest. The views are those of the bodies that the list was built for.
double smallest_gap(BodyPair& pair, const BodyView& a, const BodyView& b, double enough, FarItems& far);

}  // namespace scree::contact

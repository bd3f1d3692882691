#include "contact/pair/shared_corners.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace scree::contact {
namespace {

/// Nearest points that differ by this part of the distance are one.
constexpr double kSamePlace = 1e-6;

/// Whether one term takes off what the other counts: the same two nearest points. Where a vertex is above an
/// edge or another vertex, rounding decides which features they are named after.
bool is_same_place(const Term& p, const Term& q) {
  const double within = kSamePlace * std::max(std::abs(p.distance), std::abs(q.distance));
  return (foot_on_a(p) - foot_on_a(q)).squaredNorm() <= within * within &&
         (p.distance * p.n - q.distance * q.n).squaredNorm() <= within * within;
}

/// Contacts i and j, and all that share a corner with either, share one.
void join(std::vector<Active>& active, std::size_t i, std::size_t j) {
  const auto first_of = [&](std::size_t k) {
    return active[k].corner < 0 ? static_cast<int>(k) : active[k].corner;
  };
  const int p = first_of(i);
  const int q = first_of(j);
  const int first = std::min(p, q);
  active[i].corner = active[j].corner = first;
  for (Active& contact : active) {
    if (contact.corner == p || contact.corner == q) contact.corner = first;
  }
}

/// Contacts of a pair by a number that is alike for those that belong together.
template <class Number>
using Numbered = std::vector<std::pair<Number, std::size_t>>;

/// Of equal terms of a corner only the sum counts. Where a thin part of two bodies overlaps, it is negative.
void mark_taken_off(BodyPair& pair) {
  constexpr double kRoundOff = 1e-9;
  thread_local Numbered<int> by_corner;
  by_corner.clear();
  for (std::size_t i = 0; i < pair.active.size(); ++i)
    if (pair.active[i].corner >= 0) by_corner.emplace_back(pair.active[i].corner, i);
  std::sort(by_corner.begin(), by_corner.end());
  const auto for_terms = [&](auto first, auto last, auto&& what) {
    for (auto one = first; one != last; ++one) {
      const Active& contact = pair.active[one->second];
      for (int t = contact.first; t < contact.first + contact.terms; ++t)
        what(contact, pair.terms[static_cast<std::size_t>(t)]);
    }
  };
  for (auto first = by_corner.begin(); first != by_corner.end();) {
    const auto last =
        std::find_if(first, by_corner.end(), [&](const auto& one) { return one.first != first->first; });
    for_terms(first, last, [&](const Active& /*contact*/, Term& term) {
      double sum = 0;
      for_terms(first, last, [&](const Active& other, const Term& one) {
        if (is_same_place(term, one)) sum += window_of(pair, other) * one.sign;
      });
      term.takes_off = sum < -kRoundOff;
    });
    first = last;
  }
}

}  // namespace

bool group_corners(BodyPair& pair) {
  const auto main_of = [&](std::size_t j) -> const Term& {
    return pair.terms[static_cast<std::size_t>(pair.active[j].first)];
  };
  // Along the axis on which they are furthest apart: fine surfaces have thousands of contacts.
  int axis = 0;
  thread_local Numbered<double> by_place;
  by_place.clear();
  double farthest = 0;
  bool any = false;
  for (std::size_t i = 0; i < pair.active.size(); ++i) {
    const Active& contact = pair.active[i];
    for (int t = contact.first + 1; t < contact.first + contact.terms; ++t) {
      const Term& term = pair.terms[static_cast<std::size_t>(t)];
      if (term.sign > 0) continue;
      if (by_place.empty()) {
        Eigen::AlignedBox3d box;
        for (std::size_t j = 0; j < pair.active.size(); ++j) box.extend(foot_on_a(main_of(j)));
        box.sizes().maxCoeff(&axis);
        for (std::size_t j = 0; j < pair.active.size(); ++j) {
          by_place.emplace_back(foot_on_a(main_of(j))[axis], j);
          farthest = std::max(farthest, std::abs(main_of(j).distance));
        }
        std::sort(by_place.begin(), by_place.end());
      }
      const double place = foot_on_a(term)[axis];
      const double within = kSamePlace * std::max(std::abs(term.distance), farthest);
      for (auto near =
               std::lower_bound(by_place.begin(), by_place.end(), std::pair(place - within, std::size_t{0}));
           near != by_place.end() && near->first <= place + within; ++near) {
        const std::size_t j = near->second;
        if (j == i || (contact.corner >= 0 && pair.active[j].corner == contact.corner)) continue;
        if (main_of(j).sign < 0 || !is_same_place(term, main_of(j))) continue;
        join(pair.active, i, j);
        any = true;
      }
    }
  }
  if (any) mark_taken_off(pair);
  return any;
}

void set_straight(BodyPair& pair, const std::vector<Vec3>& pushes) {
  for (std::size_t i = 0; i < pair.active.size(); ++i) {
    Active& contact = pair.active[i];
    const Vec3& main = pair.terms[static_cast<std::size_t>(contact.first)].n;
    if (follows_corner(contact, pushes[i], main)) contact.straight = pushes[i].normalized();
  }
}

void sum_over_corners(const BodyPair& pair, std::vector<Vec3>& of) {
  for (std::size_t i = 0; i < pair.active.size(); ++i) {
    const int first = pair.active[i].corner;
    if (first >= 0 && static_cast<std::size_t>(first) != i) of[static_cast<std::size_t>(first)] += of[i];
  }
  for (std::size_t i = 0; i < pair.active.size(); ++i) {
    const int first = pair.active[i].corner;
    if (first >= 0) of[i] = of[static_cast<std::size_t>(first)];
  }
}

}  // namespace scree::contact

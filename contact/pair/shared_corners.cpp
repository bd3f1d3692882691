#include "contact/pair/shared_corners.hpp"

#include <algorithm>

namespace scree::contact {
namespace {

/// Nearest point of a term on A, the rounding left out.
Vec3 foot_on_a(const Term& term) {
  return moves_with_b(term.kind) ? Vec3(term.p + term.distance * term.n) : term.p;
}

/// Whether one term takes off what the other counts: the same two nearest points. Where a vertex is above an
/// edge or another vertex, rounding decides which features they are named after.
bool is_same_place(const Term& p, const Term& q) {
  constexpr double kRoundOff = 1e-6;  // part of the distance
  const double within = kRoundOff * std::max(std::abs(p.distance), std::abs(q.distance));
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

/// Of equal terms of a corner only the sum counts. Where a thin part of two bodies overlaps, it is negative.
void mark_taken_off(BodyPair& pair) {
  constexpr double kRoundOff = 1e-9;
  const auto for_terms = [&](int corner, auto&& what) {
    for (const Active& contact : pair.active) {
      if (contact.corner != corner) continue;
      for (int t = contact.first; t < contact.first + contact.terms; ++t)
        what(contact, pair.terms[static_cast<std::size_t>(t)]);
    }
  };
  for (const Active& contact : pair.active) {
    if (contact.corner < 0) continue;
    for (int t = contact.first; t < contact.first + contact.terms; ++t) {
      Term& term = pair.terms[static_cast<std::size_t>(t)];
      double sum = 0;
      for_terms(contact.corner, [&](const Active& other, const Term& one) {
        if (is_same_place(term, one)) sum += window_of(pair, other) * one.sign;
      });
      term.takes_off = sum < -kRoundOff;
    }
  }
}

}  // namespace

bool group_corners(BodyPair& pair) {
  bool any = false;
  for (std::size_t i = 0; i < pair.active.size(); ++i) {
    const Active& contact = pair.active[i];
    for (int t = contact.first + 1; t < contact.first + contact.terms; ++t) {
      const Term& term = pair.terms[static_cast<std::size_t>(t)];
      if (term.sign > 0) continue;
      for (std::size_t j = 0; j < pair.active.size(); ++j) {
        if (j == i || (contact.corner >= 0 && pair.active[j].corner == contact.corner)) continue;
        const Term& main = pair.terms[static_cast<std::size_t>(pair.active[j].first)];
        if (main.sign < 0 || !is_same_place(term, main)) continue;
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

/// For tests of pairs: two bodies with their interface, at random states, and the tangent against differences
/// of the residual.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <map>

#include "contact/pair/pair_commit.hpp"
#include "contact/pair/pair_evaluate.hpp"
#include "contact/search/candidates.hpp"
#include "contact/search/far_items.hpp"
#include "contact/test_bodies.hpp"
#include "core/test_extremes.hpp"

namespace scree::contact::testing {

using Vec12 = Eigen::Matrix<double, 12, 1>;
using Mat12 = Eigen::Matrix<double, 12, 12>;

struct TestPair {
  TestBody a, b;
  BodyPair pair;
  InterfaceLaw law;
  StepContext step{1e-3, 0};

  /// @param sa, sb outlive this object.
  TestPair(const Shape& sa, const Shape& sb, const Interface& i) : law(i) {
    a.shape = &sa;
    b.shape = &sb;
    pair.m_star = 1.3;
  }
  TestPair(const Shape&& sa, const Shape& sb, const Interface& i) = delete;
  TestPair(const Shape& sa, const Shape&& sb, const Interface& i) = delete;
  TestPair(const Shape&& sa, const Shape&& sb, const Interface& i) = delete;
  void set(const Vec12& d) {
    a.set(d.segment<3>(0), d.segment<3>(3));
    b.set(d.segment<3>(6), d.segment<3>(9));
    if (!step.frozen) return;
    a.freeze();
    b.freeze();
  }
  PairWrench at(const Vec12& d) {
    set(d);
    return evaluate(pair, a.view(), b.view(), law, step);
  }
  Vec12 both(const Vec12& d) {
    const PairWrench w = at(d);
    Vec12 all;
    all << w.force, w.moment, -w.force, -w.moment - (a.trial.x - b.trial.x).cross(w.force);
    return all;
  }
};

/// Moves A towards B until the smallest gap is between the given ones. @returns false if it never gets there.
inline bool approach(TestPair& t, const Vec12& d, double least, double most) {
  for (int k = 0; k < 200; ++k) {
    t.set(d);
    build_items(t.pair, t.a.view(), t.b.view(), 0.5);
    const double now = smallest_gap(t.pair, t.a.view(), t.b.view());
    if (now < least) return false;
    if (now < most) return true;
    const Vec3 line = t.b.shape->kind == ShapeKind::plane ? Vec3(-(t.b.state.q * t.b.shape->faces[0].normal))
                                                          : (t.b.state.x - t.a.state.x).normalized();
    t.a.state.x += std::min(0.7 * (now - most + 0.1 * std::abs(most)), 0.02) * line;
  }
  return false;
}

/// @returns relative difference between the tangent and fourth-order differences of the residual; negative
/// where contacts appear, vanish or change their branch (slip, rolling at its limit, a dashpot that is
/// limited or begins): the force has a kink there, or jumps (theory 05, C25).
inline double derivative_error(TestPair& t, const Vec12& d, std::map<TermKind, int>& kinds) {
  const Vec12 r0 = t.both(d);
  PairTangent ka;
  const PairWrench w = evaluate_tangent(t.pair, t.a.view(), t.b.view(), t.law, t.step, ka);
  for (const Active& c : t.pair.active) {
    for (int k = c.first; k < c.first + c.terms; ++k) ++kinds[t.pair.terms[k].kind];
  }
  Mat12 exact;
  exact << ka, reaction_tangent(ka, w, t.a.trial.x - t.b.trial.x, t.step.frozen);
  exact.middleCols<3>(3) *= t.a.trial.Xi;
  exact.rightCols<3>() *= t.b.trial.Xi;
  // Which branch each contact is on: a difference across a kink is no derivative.
  const auto branches = [&t] {
    std::vector<std::uint64_t> all;
    for (const Active& c : t.pair.active) {
      all.push_back(c.key);
      all.push_back((c.slips ? 1U : 0U) | (c.rolls ? 2U : 0U) | (c.damping_clipped ? 4U : 0U) |
                    (c.damping_begins ? 8U : 0U) | (c.dashpot_positive ? 16U : 0U) |
                    (c.normal_positive ? 32U : 0U) | (c.straight.isZero(0) ? 0U : 64U));
      all.push_back(static_cast<std::uint64_t>(c.corner + 1));
      all.push_back(static_cast<std::uint64_t>(c.fold + 1));
      const Term& main = t.pair.terms[c.first];
      all.push_back(8U * static_cast<unsigned>(main.kind) + static_cast<unsigned>(main.rank));
    }
    return all;
  };
  const auto branch = branches();
  bool jumps = false;
  const auto at = [&](const Vec12& moved) {
    Vec12 r = t.both(moved);
    jumps = jumps || branches() != branch;
    return r;
  };
  EXPECT_NEAR((w.force - Vec3(r0.head<3>())).norm(), 0, 1e-9 * (1 + r0.norm()));
  EXPECT_NEAR((w.moment - Vec3(r0.segment<3>(3))).norm(), 0, 1e-9 * (1 + r0.norm()));
  // Where little of a large force moves (frozen steps), round-off of the force is what differences see.
  double forces = 0;  // which may cancel: a dashpot that takes all of the compression
  for (const Active& c : t.pair.active) forces += c.normal + std::abs(c.damping);
  const double scale = 1 + exact.norm() + r0.norm() + forces;
  // Round-off limits small differences; large ones reach into kinks that no branch shows. A wrong tangent
  // misses both.
  double least = std::numeric_limits<double>::infinity();
  for (const double e : {5e-8, 1e-8}) {
    Mat12 numeric;
    for (int c = 0; c < 12; ++c) {
      Vec12 dp = Vec12::Zero();
      dp[c] = e;
      // Fourth order, so that the difference is limited by round-off.
      const Vec12 p1 = at(d + dp), m1 = at(d - dp), p2 = at(d + 2 * dp), m2 = at(d - 2 * dp);
      if (jumps) return std::isfinite(least) ? least : -1;
      numeric.col(c) = (8 * (p1 - m1) - (p2 - m2)) / (12 * e);
    }
    test::keep_smallest(least, (exact - numeric).norm() / scale);
    if (least < 5e-8) break;
  }
  return least;
}

/// Energy that the pair stores at the trial state.
inline double stored(const BodyPair& pair) {
  double sum = 0;
  for (const Active& contact : pair.active) sum += contact.window * contact.energy;
  return sum;
}

/// Two bodies somewhere, turning and moving. @param aligned axes nearly parallel.
inline TestPair random_pair(const Shape& a, const Shape& b, const Interface& interface, bool aligned,
                            std::mt19937_64& engine) {
  TestPair t(a, b, interface);
  t.a.rate = t.b.rate = 1600;
  t.b.state.q = random_rotation(engine);
  t.a.state.q = aligned ? Quat(t.b.state.q * rotation::quaternion(random_vector(engine, 0.04)))
                        : random_rotation(engine);
  t.a.state.x = random_vector(engine, 0.05) + 0.5 * random_vector(engine, 1).normalized();
  if (b.kind == ShapeKind::plane) t.a.state.x += 0.7 * (t.b.state.q * b.faces[0].normal);
  t.a.state.v = random_vector(engine, 0.5);
  t.a.state.w = random_vector(engine, 2);
  t.b.state.v = random_vector(engine, 0.5);
  t.b.state.w = random_vector(engine, 2);
  return t;
}

inline Vec12 random_increment(std::mt19937_64& engine) {
  Vec12 d;
  d << random_vector(engine, 1e-4), random_vector(engine, 1e-3), random_vector(engine, 1e-4),
      random_vector(engine, 1e-3);
  return d;
}

/// Elastic tangential displacement that a contact may have. @param size [m].
inline void give_slip(TestPair& t, double size, std::mt19937_64& engine) {
  for (HistoryEntry& h : t.pair.history) {
    const Vec3 slip = random_vector(engine, size);
    h.slip = slip - h.n * h.n.dot(slip);
  }
}

}  // namespace scree::contact::testing

/// Forces over a step against what they promise: their work is what contacts store, momenta stay, friction
/// takes (theory 11).
#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>

#include <cmath>
#include <cstdio>

#include "contact/pair/test_pair.hpp"
#include "contact/secant/secant_friction.hpp"
#include "contact/secant/secant_pair.hpp"
#include "contact/secant/secant_term.hpp"

namespace scree::contact {
namespace {

using testing::random_pair;
using testing::random_rotation;
using testing::random_vector;
using testing::stored;
using testing::TestPair;
using testing::Vec12;

Interface secant_barrier() {
  Interface i;
  i.normal = BarrierParameters{.threshold = 1e-3, .stiffness = 2.8e13};
  return i;
}

Interface hooke() {
  Interface i;
  i.normal = HookeParameters{.stiffness = 1e6};
  return i;
}

struct Kind {
  const char* name;
  Shape a, b;
  Interface interface;
  bool aligned;
};

std::vector<Kind> kinds() {
  const Shape box = make_box("box", {0.1, 0.08, 0.06});
  Shape rounded = make_box("rounded", {0.1, 0.08, 0.06});
  rounded.radius = 5e-3;
  rounded.bounding_radius += 5e-3;
  const Shape ball = make_sphere("ball", 0.04);
  const Shape capsule = make_capsule("capsule", 0.02, 0.08);
  const Shape plane = make_plane("plane");
  const Shape star = testing::star(0.08);
  const Shape tablet = make_superquadric("tablet", {0.05, 0.04, 0.03}, 2.5, 3, 10);
  return {{"ball, ball", ball, ball, hooke(), false},
          {"ball, plane", ball, plane, hooke(), false},
          {"box, plane", box, plane, secant_barrier(), false},
          {"box, box", box, box, secant_barrier(), false},
          {"boxes, aligned", box, box, secant_barrier(), true},
          {"capsules", capsule, capsule, secant_barrier(), false},
          {"capsule, box", capsule, box, secant_barrier(), false},
          {"star, box", star, box, secant_barrier(), false},
          {"stars", star, star, secant_barrier(), false},
          {"tablets", tablet, tablet, hooke(), false},
          {"tablet, plane", tablet, plane, hooke(), false},
          {"tablet, box", tablet, box, secant_barrier(), false},
          {"ball, box at overlap", ball, box, hooke(), false},
          {"rounded boxes at overlap", rounded, rounded, hooke(), false}};
}

/// A step of a pair near contact, of a size that crosses features now and then.
Vec12 random_step(std::mt19937_64& engine, double size) {
  Vec12 d;
  d << random_vector(engine, size), random_vector(engine, 10 * size), random_vector(engine, size),
      random_vector(engine, 10 * size);
  return d;
}

/// What random steps of a kind of pair do.
struct Balance {
  double error = 0;  ///< work less what is stored and what bodies that come to rest lose, of the energy
  int acting = 0, corrected = 0;
};

/// @param end_weight of bodies that come to rest; 0.5: they do not.
Balance random_steps(const Kind& kind, double size, std::mt19937_64& engine, double end_weight = 0.5) {
  Balance all;
  for (int k = 0; k < 400; ++k) {
    TestPair t = random_pair(kind.a, kind.b, kind.interface, kind.aligned, engine);
    const bool overlap = t.law.normal.allows_overlap();
    const double reach = t.law.normal.scale();
    if (!testing::approach(t, Vec12::Zero(), overlap ? -2e-3 : 0.1 * reach, overlap ? -1e-5 : 0.9 * reach))
      continue;
    Vec12 d = random_step(engine, size);
    if (kind.b.kind == ShapeKind::plane) d.tail<6>().setZero();
    t.set(Vec12::Zero());
    build_items(t.pair, t.a.view(), t.b.view(), 0.02 + 20 * size);
    evaluate_secant(t.pair, t.a.view(), t.b.view(), t.law, t.step);
    const double before = stored(t.pair);
    roll_back(t.pair);
    t.set(d);
    t.a.trial.end_weight = end_weight;
    PairWrench w;
    try {
      w = evaluate_secant(t.pair, t.a.view(), t.b.view(), t.law, t.step);
    } catch (const RecoverableError&) {
      continue;
    }
    if (t.pair.active.empty()) continue;
    const double after = stored(t.pair);
    const Vec3 arm = (t.a.trial.x - 0.5 * t.a.trial.u) - (t.b.trial.x - 0.5 * t.b.trial.u);
    const PairWrench on_b = reaction(w, arm);
    // The residual is the negative of the force: its work is what is stored.
    const double work = w.force.dot(t.a.trial.u) + w.moment.dot(t.a.trial.alpha) +
                        on_b.force.dot(t.b.trial.u) + on_b.moment.dot(t.b.trial.alpha);
    double lost = 0;
    for (const Active& contact : t.pair.active) lost += contact.settled;
    const double energy = std::abs(before) + std::abs(after) + 1e-9;
    test::keep_largest(all.error, std::abs(work - (after - before) - lost) / (energy + std::abs(lost)));
    ++all.acting;
    for (const SecantTerm& secant : t.pair.secants) all.corrected += secant.correction.norm() > 1e-6 ? 1 : 0;
  }
  std::printf("%-26s %3d pairs, %3d corrected directions: %.1e of the energy\n", kind.name, all.acting,
              all.corrected, all.error);
  return all;
}

TEST(SecantPair, WorkIsWhatContactsStoreAndMomentaStay) {
  // What conserves energy must do so for any step, whatever features are nearest at its ends.
  std::mt19937_64 engine(2);
  for (const Kind& kind : kinds()) {
    const Balance found = random_steps(kind, 3e-4, engine);
    EXPECT_GT(found.acting, 30) << kind.name;
    EXPECT_LT(found.error, 1e-7) << kind.name;
  }
}

TEST(SecantPair, SuperquadricsThatPassEdgesInAStepLeaveNoEnergy) {
  std::mt19937_64 engine(8);
  Interface wide;
  wide.normal = BarrierParameters{.threshold = 1e-2, .stiffness = 1e9};
  const Shape box = make_box("box", {0.1, 0.08, 0.06});
  const Shape star = testing::star(0.08);
  const Shape capsule = make_capsule("capsule", 0.02, 0.08);
  const Shape tablet = make_superquadric("tablet", {0.05, 0.04, 0.03}, 2.5, 3, 10);
  const std::vector<Kind> passing = {{"tablet, box", tablet, box, wide, false},
                                     {"box, tablet", box, tablet, wide, false},
                                     {"tablet, capsule", tablet, capsule, wide, false},
                                     {"tablet, star", tablet, star, wide, false}};
  for (const Kind& kind : passing) {
    const Balance found = random_steps(kind, 4e-3, engine);
    EXPECT_GT(found.acting, 30) << kind.name;
    EXPECT_LT(found.error, 1e-7) << kind.name;
  }
}

TEST(SecantPair, BodiesThatComeToRestLoseEnergyAlsoWhereTheyAttractEachOther) {
  std::mt19937_64 engine(9);
  Interface sticky;
  sticky.normal = DmtParameters{{}, 50, 1e-3};
  const Shape ball = make_sphere("ball", 0.04);
  for (const Interface& law : {sticky, hooke(), secant_barrier()}) {
    double made = 0, lost = 0;
    for (int k = 0; k < 1000; ++k) {
      TestPair t = random_pair(ball, ball, law, false, engine);
      t.pair.hertz = 1e8;
      t.pair.r_star = t.pair.r_rolling = 0.02;
      t.law.normal.set_scale(1e-3);
      const bool overlap = t.law.normal.allows_overlap();
      // From overlap, and from where there is attraction alone.
      const double most = overlap && k % 2 == 0 ? -1e-5 : 9e-4;
      if (!testing::approach(t, Vec12::Zero(), overlap ? -2e-3 : 1e-4, most)) continue;
      t.set(random_step(engine, 1e-3));
      t.a.trial.end_weight = t.b.trial.end_weight = 1;
      build_items(t.pair, t.a.view(), t.b.view(), 0.02);
      try {
        evaluate_secant(t.pair, t.a.view(), t.b.view(), t.law, t.step);
      } catch (const RecoverableError&) {
        continue;
      }
      for (const Active& contact : t.pair.active) {
        const double size = std::abs(contact.energy) + std::abs(contact.mean_energy) + 1e-9;
        test::keep_largest(made, -contact.settled / size);
        test::keep_largest(lost, contact.settled / size);
      }
    }
    EXPECT_LT(made, 1e-12);
    EXPECT_GT(lost, 0.1);
  }
}

TEST(SecantPair, BodiesThatComeToRestLoseWhatIsBooked) {
  std::mt19937_64 engine(11);
  std::vector<Kind> all = kinds();
  // Edges that cross at a small angle: their window takes off a part of what meets in a corner.
  Interface thin;
  thin.normal = BarrierParameters{1e-5, 1e12, 2, 0.4, -2, 0.3};
  const Shape brick = make_box("brick", {0.2, 0.1, 0.1});
  all.push_back({"bricks, aligned, thin gap", brick, brick, thin, true});
  for (const Kind& kind : all) {
    const Balance found = random_steps(kind, &kind == &all.back() ? 3e-6 : 3e-4, engine, 1);
    EXPECT_GT(found.acting, 30) << kind.name;
    EXPECT_LT(found.error, 1e-7) << kind.name;
  }
}

TEST(SecantTerm, CrossedEdgesAndSpheresNeedNoCorrection) {
  std::mt19937_64 engine(3);
  const Shape box = make_box("box", {0.1, 0.08, 0.06});
  const Shape ball = make_sphere("ball", 0.04);
  for (const bool edges : {true, false}) {
    double largest = 0;
    int seen = 0;
    for (int k = 0; k < 2000 && seen < 100; ++k) {
      TestPair t = random_pair(edges ? box : ball, edges ? box : ball, edges ? secant_barrier() : hooke(),
                               false, engine);
      if (!testing::approach(t, Vec12::Zero(), edges ? 1e-4 : -2e-3, edges ? 9e-4 : -1e-4)) continue;
      t.set(random_step(engine, 5e-5));
      build_items(t.pair, t.a.view(), t.b.view(), 0.02);
      try {
        evaluate_secant(t.pair, t.a.view(), t.b.view(), t.law, t.step);
      } catch (const RecoverableError&) {
        continue;
      }
      if (t.pair.active.size() != 1 || t.pair.terms.size() != 1) continue;
      if (t.pair.terms[0].kind != (edges ? TermKind::ee : TermKind::vv)) continue;
      ++seen;
      test::keep_largest(largest, t.pair.secants[0].correction.norm());
    }
    EXPECT_EQ(seen, 100);
    EXPECT_LT(largest, 1e-8);
  }
}

TEST(SecantPair, TangentIsTheDerivativeWhereNothingIsLeftOut) {
  // Faces and spheres: no correction. Superquadrics: with one. Curvature far below inertia.
  std::mt19937_64 engine(4);
  const Shape box = make_box("box", {0.1, 0.08, 0.06});
  const Shape plane = make_plane("plane");
  const Shape ball = make_sphere("ball", 0.04);
  const Shape tablet = make_superquadric("tablet", {0.05, 0.04, 0.03}, 2.5, 3, 10);
  const std::vector<Kind> smooth = {{"box, plane", box, plane, secant_barrier(), false},
                                    {"balls", ball, ball, hooke(), false},
                                    {"tablet, plane", tablet, plane, hooke(), false},
                                    {"tablets", tablet, tablet, hooke(), false},
                                    {"tablet, box", tablet, box, hooke(), false}};
  for (const Kind& kind : smooth) {
    const bool overlap = kind.interface.normal.index() == hooke().normal.index();
    double largest = 0;
    int seen = 0;
    for (int k = 0; k < 600 && seen < 40; ++k) {
      TestPair t = random_pair(kind.a, kind.b, kind.interface, false, engine);
      t.step.h = 1e-4;
      if (!testing::approach(t, Vec12::Zero(), overlap ? -2e-3 : 2e-4, overlap ? -1e-5 : 8e-4)) continue;
      Vec12 d = random_step(engine, 5e-5);
      const bool wall = kind.b.kind == ShapeKind::plane;
      if (wall) d.tail<6>().setZero();
      t.set(d);
      build_items(t.pair, t.a.view(), t.b.view(), 0.02);
      const auto both = [&](const Vec12& at) {
        t.set(at);
        const PairWrench w = evaluate_secant(t.pair, t.a.view(), t.b.view(), t.law, t.step);
        const Vec3 arm = (t.a.trial.x - 0.5 * t.a.trial.u) - (t.b.trial.x - 0.5 * t.b.trial.u);
        const PairWrench on_b = reaction(w, arm);
        Vec12 all;
        all << w.force, w.moment, on_b.force, on_b.moment;
        return all;
      };
      try {
        const Vec12 r = both(d);
        if (t.pair.active.empty()) continue;
        PairTangent ka, kb;
        secant_tangent(t.pair, t.a.view(), t.b.view(), t.law, t.step, ka, kb);
        testing::Mat12 exact;
        exact << ka, kb;
        exact.middleCols<3>(3) *= t.a.trial.Xi;
        exact.rightCols<3>() *= t.b.trial.Xi;
        testing::Mat12 numeric;
        constexpr double kStep = 1e-8;
        for (int c = 0; c < 12; ++c) {
          Vec12 e = Vec12::Zero();
          e[c] = kStep;
          numeric.col(c) = (both(d + e) - both(d - e)) / (2 * kStep);
        }
        if (wall) {  // does not move
          exact.rightCols<6>().setZero();
          numeric.rightCols<6>().setZero();
        }
        ++seen;
        test::keep_largest(largest, (exact - numeric).norm() / (1 + exact.norm() + r.norm()));
      } catch (const RecoverableError&) {
      }
    }
    std::printf("%s: %d states, %.1e\n", kind.name, seen, largest);
    EXPECT_EQ(seen, 40);
    EXPECT_LT(largest, 1e-5);
  }
}

/// Pairs of edges that take off more than they add: with the derivative of the part that acts the tangent is
/// as good as that of other sharp bodies, whose edges pass each other (1e-3; 8e-2 without).
TEST(SecantPair, TangentHasThePartOfEdgePairsThatActs) {
  std::mt19937_64 engine(14);
  const Shape roof = make_polyhedron(
      "roof", {{-0.05, -0.04, 0}, {0.05, -0.04, 0}, {0.05, 0.04, 0}, {-0.05, 0.04, 0}, {0, 0, 0.012}},
      {{3, 2, 1, 0}, {0, 1, 4}, {1, 2, 4}, {2, 3, 4}, {3, 0, 4}});
  double largest = 0;
  int seen = 0;
  for (int k = 0; k < 20000 && seen < 40; ++k) {
    TestPair t = random_pair(roof, roof, secant_barrier(), k % 2 == 0, engine);
    t.step.h = 1e-4;
    if (!testing::approach(t, Vec12::Zero(), 2e-4, 8e-4)) continue;
    const Vec12 d = random_step(engine, 5e-5);
    t.set(d);
    build_items(t.pair, t.a.view(), t.b.view(), 0.02);
    const auto force_on_a = [&](const Vec12& at) {
      t.set(at);
      const PairWrench w = evaluate_secant(t.pair, t.a.view(), t.b.view(), t.law, t.step);
      Vec6 all;
      all << w.force, w.moment;
      return all;
    };
    try {
      const Vec6 r = force_on_a(d);
      const auto limited = [](const Active& contact) {
        return contact.part_slope != 0 && contact.part > 0.01;
      };
      if (std::none_of(t.pair.active.begin(), t.pair.active.end(), limited)) continue;
      PairTangent ka, kb;
      secant_tangent(t.pair, t.a.view(), t.b.view(), t.law, t.step, ka, kb);
      ka.middleCols<3>(3) *= t.a.trial.Xi;
      ka.rightCols<3>() *= t.b.trial.Xi;
      PairTangent numeric;
      constexpr double kStep = 1e-9;
      for (int c = 0; c < 12; ++c) {
        Vec12 e = Vec12::Zero();
        e[c] = kStep;
        numeric.col(c) = (force_on_a(d + e) - force_on_a(d - e)) / (2 * kStep);
      }
      ++seen;
      test::keep_largest(largest, (ka - numeric).norm() / (1 + ka.norm() + r.norm()));
    } catch (const RecoverableError&) {
    }
  }
  std::printf("%d states with a pair of edges that takes off, %.1e\n", seen, largest);
  EXPECT_GT(seen, 15);
  EXPECT_LT(largest, 5e-3);
}

TEST(SecantPair, CurvatureNeverOutweighsInertia) {
  // Trial states of steps that do not resolve the contact overlap deeply: the force times the curvature of
  // the distance is many times the inertia there.
  std::mt19937_64 engine(6);
  const Shape plane = make_plane("plane");
  const Shape ball = make_sphere("ball", 0.04);
  const Shape tablet = make_superquadric("tablet", {0.05, 0.04, 0.03}, 2.5, 3, 10);
  const std::vector<Kind> kinds = {{"balls", ball, ball, hooke(), false},
                                   {"tablet, plane", tablet, plane, hooke(), false},
                                   {"tablets", tablet, tablet, hooke(), false},
                                   {"tablet, ball", tablet, ball, hooke(), false}};
  for (const Kind& kind : kinds) {
    double least = 1;  // of the inertia
    double deepest = 0;
    int seen = 0;
    for (int k = 0; k < 600 && seen < 100; ++k) {
      TestPair t = random_pair(kind.a, kind.b, kind.interface, false, engine);
      t.step.h = 3e-2;
      if (!testing::approach(t, Vec12::Zero(), -4e-3, -1e-3)) continue;
      Vec12 d = random_step(engine, 5e-5);
      if (kind.b.kind == ShapeKind::plane) d.tail<6>().setZero();
      t.set(d);
      build_items(t.pair, t.a.view(), t.b.view(), 0.02);
      const PairWrench w = evaluate_secant(t.pair, t.a.view(), t.b.view(), t.law, t.step);
      if (t.pair.active.empty()) continue;
      PairTangent on_a, on_b;
      secant_tangent(t.pair, t.a.view(), t.b.view(), t.law, t.step, on_a, on_b);
      const double inertia = 2 * t.pair.m_star / (t.step.h * t.step.h);
      const Mat3 stiffness = on_a.topLeftCorner<3, 3>();
      const Mat3 sum = inertia * Mat3::Identity() + 0.5 * (stiffness + stiffness.transpose());
      test::keep_smallest(least, Eigen::SelfAdjointEigenSolver<Mat3>(sum).eigenvalues()[0] / inertia);
      test::keep_largest(deepest, w.force.norm() / kind.a.bounding_radius / inertia);
      ++seen;
    }
    std::printf("%s: %d states, %.2g of the inertia\n", kind.name, seen, least);
    EXPECT_EQ(seen, 100) << kind.name;
    EXPECT_GT(least, 0.2) << kind.name;
    EXPECT_GT(deepest, 2) << kind.name;
  }
}

TEST(SecantFriction, NeverMakesEnergy) {
  std::mt19937_64 engine(5);
  std::uniform_real_distribution<double> any(0, 1);
  double made = 0;
  int slid = 0;
  for (int k = 0; k < 100000; ++k) {
    SecantSlip slip;
    slip.stiffness = std::pow(10.0, 3 + 4 * any(engine));
    slip.limit = std::pow(10.0, 3 * any(engine));
    slip.n = Vec3::UnitZ();
    const double reach = slip.limit / slip.stiffness;
    const Vec3 kept = random_vector(engine, reach);
    slip.kept = {kept.x(), kept.y(), 0};
    if (slip.kept.norm() > reach) slip.kept *= reach / slip.kept.norm();
    const Vec3 moved = random_vector(engine, reach * std::pow(10.0, 4 * any(engine) - 2));
    slip.moved = {moved.x(), moved.y(), 0};
    slip.trial = slip.stiffness * (slip.kept + 0.5 * slip.moved);
    slip.slides = slip.trial.norm() > slip.limit;
    slip.force = slip.slides ? Vec3((slip.limit / slip.trial.norm()) * slip.trial) : slip.trial;
    slid += slip.slides ? 1 : 0;
    // Under any limit that is left after the impact update.
    const Vec3 end = slip.elastic_end(slip.limit * any(engine));
    const double stored = 0.5 * slip.stiffness * (end.squaredNorm() - slip.kept.squaredNorm());
    test::keep_largest(made, (stored - slip.force.dot(slip.moved)) / (slip.limit * reach));
  }
  EXPECT_GT(slid, 20000);
  EXPECT_LT(slid, 80000);
  EXPECT_LT(made, 1e-12);
}

TEST(SecantFriction, ItsTangentIsPositiveAndBecomesTheDerivative) {
  std::mt19937_64 engine(6);
  for (int k = 0; k < 2000; ++k) {
    SecantSlip slip;
    slip.stiffness = 1e5;
    slip.limit = 10;
    slip.n = Vec3::UnitZ();
    const auto at = [&](const Vec3& moved) {
      slip.moved = {moved.x(), moved.y(), 0};
      slip.trial = slip.stiffness * (slip.kept + 0.5 * slip.moved);
      slip.slides = slip.trial.norm() > slip.limit;
      slip.force = slip.slides ? Vec3((slip.limit / slip.trial.norm()) * slip.trial) : slip.trial;
      return slip.force;
    };
    SlipIterate iterate;
    iterate.force = random_vector(engine, 20);
    iterate.force.z() = 0;
    iterate.force = cut_to_limit(iterate.force, slip.limit);
    const Vec3 moved = random_vector(engine, 2e-3);
    at(moved);
    const Mat3 tangent = slip_stiffness(slip, &iterate);
    const Eigen::Matrix2d plane = tangent.topLeftCorner<2, 2>();
    EXPECT_GE(plane.selfadjointView<Eigen::Lower>().eigenvalues().minCoeff(), -1e-9 * slip.stiffness);
    if (!slip.slides) continue;
    // At convergence the dual force is the force itself.
    Mat3 last = tangent;
    for (int i = 0; i < 3; ++i) {
      follow_slip(slip, iterate);
      last = slip_stiffness(slip, &iterate);
    }
    const double e = 1e-9;
    for (int c = 0; c < 2; ++c) {
      Vec3 step = Vec3::Zero();
      step[c] = e;
      const Vec3 more = at(moved + step);
      const Vec3 less = at(moved - step);
      EXPECT_LT(((more - less) / (2 * e) - last.col(c)).norm(), 1e-4 * slip.stiffness);
    }
  }
}

}  // namespace
}  // namespace scree::contact

/// Superquadrics inside of cylinders and spheres over a step: the work of the wall, and tangents.
#include <gtest/gtest.h>

#include <cstdio>

#include "contact/pair/pair_commit.hpp"
#include "contact/pair/test_pair.hpp"
#include "contact/secant/secant_pair.hpp"
#include "contact/superquadric/hollow.hpp"
#include "core/error.hpp"

namespace scree::contact {
namespace {

using testing::random_rotation;
using testing::random_vector;
using testing::TestPair;
using testing::Vec12;

Interface soft() {
  Interface interface;
  interface.normal = HookeParameters{.stiffness = 1e6};
  return interface;
}

Interface stiff() {
  Interface interface;
  interface.normal = BarrierParameters{.threshold = 2e-3, .stiffness = 1e11};
  return interface;
}

struct Hollow {
  Shape body, wall;
  Interface interface;
};

std::vector<Hollow> hollows() {
  const Shape brick = make_superquadric("brick", {0.05, 0.04, 0.03}, 3, 4, 10);
  const Shape pill = make_superquadric("pill", {0.05, 0.05, 0.02}, 4, 2, 30);
  const Shape bore = make_bore("bore", 0.15), cavity = make_cavity("cavity", 0.15);
  std::vector<Hollow> all;
  for (const Shape& body : {brick, pill})
    for (const Shape& wall : {bore, cavity})
      for (const Interface& interface : {soft(), stiff()}) all.push_back({body, wall, interface});
  return all;
}

/// The body somewhere near the wall, turning and moving, one time in two with a face towards it.
TestPair near_wall(const Hollow& hollow, std::mt19937_64& engine) {
  TestPair t(hollow.body, hollow.wall, hollow.interface);
  t.a.rate = t.b.rate = 1600;
  const Vec3 way = hollow.wall.kind == ShapeKind::bore
                       ? Vec3(random_vector(engine, 1).cwiseProduct(Vec3(1, 1, 0)).normalized())
                       : random_vector(engine, 1).normalized();
  t.a.state.q = random_rotation(engine);
  if (std::uniform_int_distribution<int>(0, 1)(engine) == 1)
    t.a.state.q =
        Quat::FromTwoVectors(Vec3::UnitZ(), way) * rotation::quaternion(random_vector(engine, 0.02));
  t.a.state.v = random_vector(engine, 0.5);
  t.a.state.w = random_vector(engine, 2);
  const bool overlap = t.law.normal.allows_overlap();
  const double wanted =
      std::uniform_real_distribution<double>(overlap ? -2e-3 : 4e-4, overlap ? -1e-5 : 1.8e-3)(engine);
  double near = 0, far = 0.2;
  for (int k = 0; k < 50; ++k) {
    const double middle = 0.5 * (near + far);
    t.a.state.x = t.b.state.x + middle * way;
    t.set(Vec12::Zero());
    (nearest_in_hollow(Smooth(t.a.view()), t.b.view()).distance > wanted ? near : far) = middle;
  }
  return t;
}

/// Of the body alone. @param size of its way [m]; it turns ten times as far [rad / m].
Vec12 step_of_body(std::mt19937_64& engine, double size) {
  Vec12 d = Vec12::Zero();
  d.head<6>() << random_vector(engine, size), random_vector(engine, 10 * size);
  return d;
}

TEST(SecantHollow, WorkIsWhatPlacesStoreThatAppearAndVanish) {
  std::mt19937_64 engine(3);
  for (const Hollow& hollow : hollows()) {
    double error = 0;
    int acting = 0, several = 0, changed = 0;
    for (int k = 0; k < 150; ++k) {
      TestPair t = near_wall(hollow, engine);
      const Vec12 d = step_of_body(engine, k % 2 == 0 ? 3e-4 : 3e-3);
      t.set(Vec12::Zero());
      build_items(t.pair, t.a.view(), t.b.view(), 0.1);
      PairWrench w;
      double before = 0, after = 0;
      std::size_t terms = 0;
      try {
        evaluate_secant(t.pair, t.a.view(), t.b.view(), t.law, t.step);
        before = testing::stored(t.pair);
        terms = t.pair.terms.size();
        roll_back(t.pair);
        t.set(d);
        w = evaluate_secant(t.pair, t.a.view(), t.b.view(), t.law, t.step);
        after = testing::stored(t.pair);
      } catch (const RecoverableError&) {
        continue;
      }
      if (t.pair.active.empty()) continue;
      const double work = w.force.dot(t.a.trial.u) + w.moment.dot(t.a.trial.alpha);
      test::keep_largest(error,
                         std::abs(work - (after - before)) / (std::abs(before) + std::abs(after) + 1e-9));
      // What is stored is a function of the place alone: as if the step had begun at its end.
      TestPair there = near_wall(hollow, engine);
      there.a.state.x = t.a.trial.x;
      there.a.state.q = Quat(t.a.trial.R);
      there.set(Vec12::Zero());
      build_items(there.pair, there.a.view(), there.b.view(), 0.1);
      evaluate_secant(there.pair, there.a.view(), there.b.view(), there.law, there.step);
      EXPECT_NEAR(testing::stored(there.pair), after, 1e-6 * (before + after) + 1e-9)
          << hollow.wall.name << ' ' << k;
      ++acting;
      several += t.pair.terms.size() > 1 ? 1 : 0;
      changed += t.pair.terms.size() != terms ? 1 : 0;
    }
    std::printf("%s in %s: %d steps, %d with several places, %d in which they change: %.1e of the energy\n",
                hollow.body.name.c_str(), hollow.wall.name.c_str(), acting, several, changed, error);
    EXPECT_GT(acting, 100);
    EXPECT_GT(several, 20);
    EXPECT_LT(error, 1e-7);
  }
}

TEST(SecantHollow, TangentsAreDerivatives) {
  std::mt19937_64 engine(4);
  for (const Hollow& hollow : hollows()) {
    double of_step = 0, of_pose = 0;
    int seen = 0, several = 0;
    for (int k = 0; k < 50; ++k) {
      TestPair t = near_wall(hollow, engine);
      t.step.h = 1e-7;  // inertia that outweighs any curvature: nothing is left out of the tangent
      const Vec12 d = step_of_body(engine, 5e-5);
      t.set(d);
      build_items(t.pair, t.a.view(), t.b.view(), 0.1);
      const auto at = [&](const Vec12& moved) {
        t.set(moved);
        const PairWrench w = evaluate_secant(t.pair, t.a.view(), t.b.view(), t.law, t.step);
        Eigen::Matrix<double, 6, 1> all;
        all << w.force, w.moment;
        return all;
      };
      try {
        const Eigen::Matrix<double, 6, 1> r = at(d);
        if (t.pair.active.empty()) continue;
        const std::size_t terms = t.pair.terms.size();
        PairTangent ka, kb;
        secant_tangent(t.pair, t.a.view(), t.b.view(), t.law, t.step, ka, kb);
        Mat6 exact = ka.leftCols<6>();
        exact.rightCols<3>() *= t.a.trial.Xi;
        Mat6 numeric;
        bool kink = false;
        constexpr double kStep = 1e-8;
        for (int c = 0; c < 6; ++c) {
          Vec12 e = Vec12::Zero();
          e[c] = kStep;
          const auto seen_at = [&](double times) {
            auto found = at(d + times * e);
            kink = kink || t.pair.terms.size() != terms;
            return found;
          };
          // Fourth order, so that the difference is limited by round-off.
          numeric.col(c) = (8 * (seen_at(1) - seen_at(-1)) - (seen_at(2) - seen_at(-2))) / (12 * kStep);
        }
        if (kink) continue;
        ++seen;
        several += terms > 1 ? 1 : 0;
        test::keep_largest(of_step, (exact - numeric).norm() / (1 + exact.norm() + r.norm()));
        std::map<TermKind, int> kinds;
        roll_back(t.pair);
        test::keep_largest(of_pose, testing::derivative_error(t, d, kinds));
      } catch (const RecoverableError&) {
      }
    }
    std::printf("%s in %s: %d states, %d with several places: %.1e over a step, %.1e of a pose\n",
                hollow.body.name.c_str(), hollow.wall.name.c_str(), seen, several, of_step, of_pose);
    EXPECT_GT(seen, 30);
    EXPECT_GT(several, 8);
    EXPECT_LT(of_step, 1e-5);
    EXPECT_LT(of_pose, 1e-6);
  }
}

}  // namespace
}  // namespace scree::contact

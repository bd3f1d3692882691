/// How long features stay apart on a path.
#include "contact/bounds/feature_motion.hpp"

#include <gtest/gtest.h>

#include <cstdio>
#include <vector>

#include "contact/search/candidates.hpp"
#include "contact/search/far_items.hpp"
#include "contact/test_bodies.hpp"
#include "core/test_extremes.hpp"

namespace scree::contact {
namespace {

using testing::random_rotation;
using testing::random_vector;
using testing::TestBody;

struct MovingBody : TestBody {
  Vec3 u0 = Vec3::Zero(), alpha0 = Vec3::Zero(), du = Vec3::Zero(), dalpha = Vec3::Zero();

  void go(double t) { set(u0 + t * du, alpha0 + t * dalpha); }
  [[nodiscard]] BodyWay way() const { return {du, trial.Xi * dalpha, dalpha.norm(), shape->bounding_radius}; }
};

TEST(FeatureMotion, NoGapFallsBelowTheBoundOnRandomMotions) {
  const std::vector<Shape> shapes = {make_box("box", {0.2, 0.24, 0.3}), testing::star(0.25),
                                     testing::staple(), make_capsule("capsule", 0.07, 0.3),
                                     make_sphere("sphere", 0.12)};
  std::mt19937_64 engine(7);
  std::uniform_real_distribution<double> uniform(0, 1);
  double lowest = 1;  // of a sampled gap over the bound
  int bounded = 0, unbounded = 0;
  for (int n = 0; n < 4000; ++n) {
    MovingBody a, b;
    a.shape = &shapes[static_cast<std::size_t>(n) % shapes.size()];
    b.shape = &shapes[static_cast<std::size_t>(n / 5) % shapes.size()];
    for (MovingBody* body : {&a, &b}) {
      body->state.x = random_vector(engine, 0.3);
      body->state.q = random_rotation(engine);
      body->u0 = random_vector(engine, 0.05);
      body->alpha0 = random_vector(engine, 0.3);
      body->du = random_vector(engine, 0.3 * uniform(engine));
      body->dalpha = random_vector(engine, uniform(engine));
      body->go(0);
    }
    a.state.x.z() += 0.4;
    a.go(0);
    BodyPair pair;
    build_items(pair, a.view(), b.view(), 5);
    const double gap = smallest_gap(pair, a.view(), b.view());
    if (!(gap > 1e-3)) continue;
    const double least = 0.3 * gap;
    const FarItems far(pair, a.view(), b.view());
    const double rate = a.du.norm() + b.du.norm() + a.dalpha.norm() + b.dalpha.norm();  // lengths below 1 m
    const double part = apart_for(pair, a.view(), b.view(), a.way(), b.way(), least, 1, far, rate);
    (part < 1 ? bounded : unbounded) += 1;
    constexpr int kSamples = 40;
    for (int k = 1; k <= kSamples; ++k) {
      const double t = std::min(part, 1.0) * k / kSamples;
      a.go(t);
      b.go(t);
      test::keep_largest(lowest, 1 + (least - smallest_gap(pair, a.view(), b.view())) / gap);
    }
  }
  std::printf("bounded %d, unbounded %d, least gap below the bound %.3g\n", bounded, unbounded, lowest - 1);
  EXPECT_GT(bounded, 300);
  EXPECT_GT(unbounded, 300);
  EXPECT_LE(lowest, 1 + 1e-9);
}

TEST(FeatureMotion, SlidingAlongAFaceIsClearWhateverTheGap) {
  const Shape box = make_box("box", {0.2, 0.2, 0.2});
  MovingBody a, b;
  a.shape = b.shape = &box;
  a.state.x = Vec3(0, 0, 0.2 + 1e-8);
  a.du = Vec3(0.1, 0.05, 0);
  a.go(0);
  b.go(0);
  BodyPair pair;
  build_items(pair, a.view(), b.view(), 0.1);
  const FarItems far(pair, a.view(), b.view());
  EXPECT_GT(apart_for(pair, a.view(), b.view(), a.way(), b.way(), 1e-9, 1, far, 1), 1);
  // The same way with a tenth of it downwards meets the face after a millionth.
  a.du.z() = -0.01;
  EXPECT_NEAR(apart_for(pair, a.view(), b.view(), a.way(), b.way(), 1e-9, 1, far, 1), 9e-7, 1e-9);
}

TEST(FeatureMotion, SlidingPastTheEdgesOfAFaceIsClearWhateverTheGap) {
  // Where corners and edges pass those of the other body, the line between the nearest points is oblique.
  for (const Shape& shape : {make_box("box", {0.2, 0.2, 0.2}), testing::staple()}) {
    const double size = shape.convex ? 0.2 : 0.1;
    MovingBody a, b;
    a.shape = b.shape = &shape;
    for (const double beside : {-1e-8, 0.0, 1e-8}) {
      a.state.x = Vec3(shape.convex ? 0.2 : 0.3, size, 0) + Vec3(beside, 1e-8, 0);
      a.du = Vec3(-0.1, 0, 0.05);
      a.go(0);
      b.go(0);
      BodyPair pair;
      build_items(pair, a.view(), b.view(), 0.1);
      const FarItems far(pair, a.view(), b.view());
      EXPECT_GE(apart_for(pair, a.view(), b.view(), a.way(), b.way(), 1e-9, 1, far, 1), 1)
          << shape.name << beside;
      a.du.y() = -0.01;
      EXPECT_NEAR(apart_for(pair, a.view(), b.view(), a.way(), b.way(), 1e-9, 1, far, 1), 9e-7, 1e-9)
          << shape.name << beside;
    }
  }
}

}  // namespace
}  // namespace scree::contact

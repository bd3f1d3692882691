/// Superquadrics against bodies of every other kind: the nearest points are proved nearest.
#include "contact/superquadric/smooth_terms.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <map>
#include <string>

#include "contact/geometry/closest_points.hpp"
#include "contact/pair/test_pair.hpp"
#include "contact/search/candidates.hpp"
#include "contact/superquadric/separation.hpp"
#include "core/test_extremes.hpp"

namespace scree::contact {
namespace {

using testing::random_rotation;
using testing::random_vector;
using testing::TestPair;
using testing::Vec12;

const std::map<std::string, Shape>& partners() {
  static const std::map<std::string, Shape> all = {
      {"box", make_box("box", {0.2, 0.24, 0.3})},
      {"needle", make_polyhedron("needle", {{0, 0, 0}, {0.05, 0, 0}, {0.02, 0.06, 0}, {0.1, 0.08, 0.5}},
                                 {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}})},
      {"sphere", make_sphere("sphere", 0.12)},
      {"capsule", make_capsule("capsule", 0.07, 0.3)},
      {"tablet", make_superquadric("tablet", {0.15, 0.12, 0.09}, 5, 3, 30)}};
  return all;
}

/// Support function of any convex body, written for itself.
double support_of(const BodyView& body, const Vec3& m) {
  if (is_smooth(*body.shape)) return m.dot(body.trial->x) + Smooth(body).support_point(m).h;
  double highest = -1e300;
  for (std::size_t v = 0; v < body.shape->vertices.size(); ++v)
    test::keep_largest(highest, m.dot(body.vertices[v]));
  return highest + body.shape->radius;
}

/// How far a point lies outside of a convex body [m]; for a superquadric by its support in many directions.
double outside(const BodyView& body, const Vec3& p, std::mt19937_64& engine) {
  double most = -1e300;
  if (!is_smooth(*body.shape)) {
    int hint = -1;
    const Vec3 local = body.trial->R.transpose() * (p - body.trial->x);
    return nearest_on_convex(*body.shape, local, hint).distance - body.shape->radius;
  }
  for (int k = 0; k < 10; ++k) {
    const Vec3 m = random_vector(engine, 1).normalized();
    test::keep_largest(most, m.dot(p) - support_of(body, m));
  }
  return most;
}

/// Poses at which the candidates are built anew or reused, as in a run.
void check(const std::string& name, const Shape& a, const Shape& b, int poses, std::uint64_t seed) {
  std::mt19937_64 engine(seed);
  TestPair t(a, b, Interface{});
  int apart = 0, failed = 0;
  double worst = 0, worst_outside = -1;
  for (int k = 0; k < poses; ++k) {
    t.b.state.q = random_rotation(engine);
    t.a.state.q = random_rotation(engine);
    t.b.state.x = random_vector(engine, 0.2);
    t.a.state.x = random_vector(engine, 0.5);
    t.set(Vec12::Zero());
    const BodyView va = t.a.view(), vb = t.b.view();
    build_items(t.pair, va, vb, 0.1);
    if (t.pair.items.empty()) {
      // Further apart than the reach: the reported distance is a bound that a direction shows.
      EXPECT_GE(t.pair.reach, 0.1);
      continue;
    }
    const NearestPoints nearest = smooth_nearest(t.pair, t.pair.items[0], va, vb);
    const double bound = -support_of(va, -nearest.n) - support_of(vb, nearest.n);
    if (!(nearest.gap > 0)) {
      // Overlap: no direction separates, and the gap is a separation.
      test::keep_largest(worst, std::abs(bound - nearest.gap));
      continue;
    }
    ++apart;
    const double distance = (nearest.on_a - nearest.on_b).norm();
    failed += std::abs(distance - bound) < 1e-9 && std::abs(distance - nearest.gap) < 1e-9 ? 0 : 1;
    test::keep_largest(worst, {std::abs(distance - bound), std::abs(distance - nearest.gap)});
    test::keep_largest(worst_outside, {outside(va, nearest.on_a, engine), outside(vb, nearest.on_b, engine)});
  }
  EXPECT_EQ(failed, 0) << name;
  EXPECT_LT(worst, 1e-9) << name;
  EXPECT_LT(worst_outside, 1e-9) << name;
  EXPECT_GT(apart, poses / 20) << name;
  std::printf("%s: %d of %d poses apart and within reach, bounds meet to %.1e\n", name.c_str(), apart, poses,
              worst);
}

void check_all(int poses) {
  const Shape body = make_superquadric("body", {0.1, 0.15, 0.2}, 6, 3, 30);
  for (const auto& [name, partner] : partners()) {
    check("superquadric on " + name, body, partner, poses, 3);
    check(name + " on superquadric", partner, body, poses, 5);
  }
}

TEST(SmoothPairs, NearestPointsAreProvedByABound) { check_all(2000); }

/// By name: build/contact_tests --gtest_also_run_disabled_tests --gtest_filter=SmoothPairs.*
TEST(SmoothPairs, DISABLED_NearestPointsOfAMillionPosesAreProvedByABound) { check_all(100000); }

/// The cached nearest feature of a pair changes nothing.
TEST(SmoothPairs, WarmStartsFindWhatColdOnesFind) {
  std::mt19937_64 engine(11);
  const Shape body = make_superquadric("body", {0.1, 0.15, 0.2}, 6, 3, 30);
  Interface interface;
  interface.normal = BarrierParameters{.threshold = 0.05, .stiffness = 1e6};
  double worst = 0;
  int states = 0;
  for (const auto& [name, partner] : partners()) {
    for (int path = 0; path < 40; ++path) {
      TestPair t(body, partner, interface);
      t.b.state.q = random_rotation(engine);
      t.a.state.q = random_rotation(engine);
      t.a.state.x = 0.6 * random_vector(engine, 1).normalized();
      if (!testing::approach(t, Vec12::Zero(), 0.005, 0.04)) continue;
      const Vec3 way = random_vector(engine, 4e-4), turn = random_vector(engine, 4e-3);
      for (int k = 0; k < 60; ++k) {
        Vec12 d = Vec12::Zero();
        d.segment<3>(0) = k * way;
        d.segment<3>(3) = k * turn;
        t.set(d);
        const BodyView va = t.a.view(), vb = t.b.view();
        VertexContacts found;
        smooth_terms(t.pair, t.pair.items[0], va, vb, 0.5, found);
        ASSERT_EQ(found.contacts.size(), 1u);
        BodyPair cold;
        build_items(cold, va, vb, 1);
        const NearestPoints nearest = smooth_nearest(cold, cold.items[0], va, vb);
        if (nearest.gap <= 0) break;  // branches may differ in overlap
        test::keep_largest(worst, std::abs(found.nearest - nearest.gap));
        ++states;
      }
    }
  }
  EXPECT_GT(states, 3000);
  EXPECT_LT(worst, 1e-12);
  std::printf("%d states, largest difference %.1e\n", states, worst);
}

}  // namespace
}  // namespace scree::contact

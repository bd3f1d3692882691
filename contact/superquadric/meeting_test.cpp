/// The cache of two superquadrics saves searching and changes nothing.
#include "contact/superquadric/meeting.hpp"

#include <gtest/gtest.h>

#include <cstdio>
#include <random>

#include "contact/superquadric/test_facing.hpp"
#include "core/rotation.hpp"

namespace scree::contact {
namespace {

using testing::random_rotation;
using testing::random_vector;

/// Two superquadrics of high blockiness about a gap.
struct Two : testing::FacingPair {
  Two(std::mt19937_64& engine, double gap)
      : FacingPair(engine, gap, {{1, 0.7, 1.2}, 8, 6, 100}, {{0.8, 1, 0.9}, 6, 8, 100}) {}
  void move(std::mt19937_64& engine, double by) {
    for (Smooth* body : {&a, &b}) {
      body->x += random_vector(engine, by);
      body->R = rotation::matrix(random_vector(engine, by)) * body->R;
    }
  }
};

/// Motions of a time step: the first normal that is tried errs by their square, and is found in fewer steps.
TEST(Meeting, IsCarriedAlongWithTheBodies) {
  std::mt19937_64 engine(3);
  long from_old = 0, from_carried = 0;
  int other = 0;
  constexpr int kPairs = 2000;
  for (int k = 0; k < kPairs; ++k) {
    Two two(engine, k % 2 == 0 ? 0.01 : -0.01);
    const Meeting met = meeting_at(separation(two.a, two.b, two.a.x - two.b.x), two.a, two.b);
    EXPECT_EQ(carried_along(met, two.a, two.b), met.n) << "nothing has moved";
    two.move(engine, 1e-4);
    const Vec3 start = carried_along(met, two.a, two.b);
    EXPECT_NEAR(start.norm(), 1, 1e-14);
    const Summit old = separation(two.a, two.b, met.n);
    const Summit carried = separation(two.a, two.b, start, {.from_last = false});
    ASSERT_TRUE(old.converged && carried.converged);
    from_old += old.iterations;
    from_carried += carried.iterations;
    other += std::abs(carried.value - old.value) < 1e-12 ? 0 : 1;
  }
  EXPECT_EQ(other, 0);
  EXPECT_LT(2 * from_carried, from_old);
  std::printf("iterations from the old normal %.2f, from the carried one %.2f\n",
              static_cast<double>(from_old) / kPairs, static_cast<double>(from_carried) / kPairs);
}

TEST(Meeting, BoundsOfMotionMayBeContentWithPartOfTheDistance) {
  std::mt19937_64 engine(5);
  long all = 0, some = 0;
  for (int k = 0; k < 1000; ++k) {
    const Two two(engine, 0.001 + 0.0005 * k);
    const Summit exact = separation(two.a, two.b, two.a.x - two.b.x);
    const Summit bound = separation(two.a, two.b, two.a.x - two.b.x, {.enough = 0.8});
    EXPECT_LE(bound.value, exact.value + 1e-14);
    EXPECT_GE(bound.value, 0.8 * exact.value);
    all += exact.iterations;
    some += bound.iterations;
  }
  EXPECT_LT(2 * some, all);
  const Two overlapping(engine, -0.05);
  EXPECT_EQ(
      separation(overlapping.a, overlapping.b, overlapping.a.x - overlapping.b.x, {.enough = 0.8}).value,
      separation(overlapping.a, overlapping.b, overlapping.a.x - overlapping.b.x).value)
      << "an overlap has no such bound";
}

/// A converged search does not continue to improve round-off.
TEST(Meeting, SearchesEndWithTheLastDigit) {
  std::mt19937_64 engine(7);
  long evaluations = 0;
  constexpr int kPairs = 2000;
  for (int k = 0; k < kPairs; ++k) {
    const Two two(engine, -0.005);
    const Vec3 c = two.a.x - two.b.x;
    const auto count = [&](const Vec3& n) {
      ++evaluations;
      Height height;
      height.on_a = two.a.support(-n);
      height.on_b = two.b.support(n);
      height.value = n.dot(c) - height.on_a.h - height.on_b.h;
      height.gradient = c + height.on_a.point - height.on_b.point;
      height.bend = height.on_a.hessian + height.on_b.hessian;
      height.bend.diagonal().array() += height.value;
      return height;
    };
    const Vec3 near = separation(two.a, two.b, c).n + random_vector(engine, 1e-6);
    EXPECT_TRUE(climb<2>(count, near, Vec3::Zero(), two.a.size + two.b.size + c.norm(), {}).converged);
  }
  EXPECT_LT(evaluations, 6 * kPairs);
  std::printf("%.2f evaluations from 1e-6 away\n", static_cast<double>(evaluations) / kPairs);
}

}  // namespace
}  // namespace scree::contact

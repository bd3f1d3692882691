#include <gtest/gtest.h>

#include <cmath>

#include "core/rotation_between.hpp"
#include "core/test_extremes.hpp"
#include "core/test_random.hpp"

namespace scree {
namespace {

TEST(Rotation, BetweenTwoVectorsTurnsOneOntoTheOtherBySmallestAngle) {
  std::mt19937_64 engine(3);
  double error = 0, angle = 0;
  for (int k = 0; k < 1000; ++k) {
    const Vec3 from = test::random_vector(engine, 2);
    // Also nearly along it, and nearly opposite.
    const Vec3 to = k % 3 == 0 ? test::random_vector(engine, 5)
                               : Vec3((k % 3 == 1 ? 2.0 : -2.0) * from + test::random_vector(engine, 1e-5));
    const Quat q = rotation::between(from, to);
    test::keep_largest(error, (q * from.normalized() - to.normalized()).norm());
    test::keep_largest(error, std::abs(q.norm() - 1));
    const double turned = 2 * std::atan2(q.vec().norm(), std::abs(q.w()));
    const double between = std::atan2(from.cross(to).norm(), from.dot(to));
    test::keep_largest(angle, std::abs(turned - between));
  }
  EXPECT_LT(error, 2e-8);
  EXPECT_LT(angle, 2e-8);
}

TEST(Rotation, BetweenOppositeVectorsIsHalfATurn) {
  for (const Vec3& from : {Vec3(0, 0, 1), Vec3(1, -2, 3), Vec3(-4, 0, 0)}) {
    const Quat q = rotation::between(from, -from);
    EXPECT_LT((q * from + from).norm(), 1e-15 * from.norm());
    EXPECT_NEAR(q.norm(), 1, 1e-15);
  }
}

}  // namespace
}  // namespace scree

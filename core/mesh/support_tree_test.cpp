#include "core/mesh/support_tree.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <random>

#include "core/test_extremes.hpp"

namespace scree {
namespace {

TEST(SupportTree, SaysTheSameAsALookAtEveryPoint) {
  std::mt19937_64 engine(11);
  std::normal_distribution<double> normal;
  const auto random = [&] {
    const double x = normal(engine), y = normal(engine);
    return Vec3(x, y, normal(engine));
  };
  for (const std::size_t count : {0u, 1u, 7u, 100u, 3000u}) {
    for (const bool ball : {true, false}) {
      std::vector<Vec3> points, normals;
      for (std::size_t k = 0; k < count; ++k) {
        const Vec3 n = random().normalized();
        points.push_back(ball ? Vec3(n + Vec3(3, 4, 5)) : random());
        normals.push_back(ball ? n : random());
      }
      const SupportTree tree(points, normals);
      for (int k = 0; k < 200; ++k) {
        const Vec3 n = random().normalized();
        double highest = -std::numeric_limits<double>::infinity();
        for (const Vec3& p : points) test::keep_largest(highest, n.dot(p));
        if (count == 0) highest = 0;
        EXPECT_FALSE(tree.any_above(n, highest + 1e-12));
        EXPECT_EQ(tree.any_above(n, highest - 1e-12), count > 0);
      }
    }
  }
}

}  // namespace
}  // namespace scree

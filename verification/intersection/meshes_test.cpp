#include "meshes.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "test_solids.hpp"

namespace intersection {
namespace {

/// A tetrahedron with a spike on each face: the shape of [Poly, section 3.4].
Solid tetrapod() {
  Solid solid;
  const double across = std::sqrt(8.0) / 3;
  const Eigen::Vector3d tips[4] = {{across, 0, -1.0 / 3},
                                   {-across / 2, across * std::sqrt(0.75), -1.0 / 3},
                                   {-across / 2, -across * std::sqrt(0.75), -1.0 / 3},
                                   {0, 0, 1}};
  for (const auto& tip : tips) solid.vertices.emplace_back(tip);
  for (const auto& tip : tips) solid.vertices.emplace_back(-0.3 * tip);
  for (int t = 0; t < 4; ++t) {
    int base[3], count = 0;
    for (int k = 0; k < 4; ++k)
      if (k != t) base[count++] = 4 + k;
    for (int k = 0; k < 3; ++k) {
      std::vector<int> face = {t, base[k], base[(k + 1) % 3]};
      const auto& v = solid.vertices;
      const Eigen::Vector3d normal = (v[face[1]] - v[face[0]]).cross(v[face[2]] - v[face[0]]);
      if (normal.dot(v[face[0]]) < 0) std::swap(face[1], face[2]);
      solid.faces.push_back(face);
    }
  }
  solid.convex = false;
  solid.prepare();
  return solid;
}

constexpr Real kFar = std::numeric_limits<Real>::infinity();

TEST(Meshes, OfCubesAreAsByAxes) {
  // Two ways to the same: where surfaces are apart, the distance is not less than any axis separates.
  std::mt19937_64 random(11);
  const Solid a = cube(1);
  int apart = 0, together = 0;
  for (int trial = 0; trial < 2000; ++trial) {
    const Pose p = random_pose(random, 0), q = random_pose(random, 0.8);
    const Separation by_axes = separation(a, p, a, q);
    const Separation by_faces = mesh_separation(a, p, a, q, kFar);
    EXPECT_EQ(by_axes.intersects(), by_faces.intersects());
    if (!by_axes.intersects()) {
      EXPECT_GE(by_faces.value, by_axes.value - by_axes.error);
    }
    ++(by_axes.intersects() ? together : apart);
  }
  EXPECT_GT(apart, 200);
  EXPECT_GT(together, 200);
}

TEST(Meshes, ATipInAConcaveCornerIsApartAlthoughNoAxisSeparates) {
  const Solid a = tetrapod();
  // Between two spikes, along the line m that halves their angle, the valley is 0.173 deep and the hull
  // 0.577.
  const Eigen::Vector3d m = (a.vertices[0] + a.vertices[3]).normalized();
  Pose upper;
  upper.x = 1.3 * m;  // its tip at 0.3
  upper.q = Eigen::AngleAxisd(std::acos(-m.z()), Eigen::Vector3d::UnitZ().cross(-m).normalized());
  const Separation found = mesh_separation(a, upper, a, at(0, 0, 0), kFar);
  EXPECT_GT(found.value, 0.01);
  Solid hull = a;
  hull.convex = true;
  EXPECT_LT(separation(hull, upper, hull, at(0, 0, 0)).value, 0) << "hulls overlap";
}

TEST(Meshes, SeeASpikeThroughAFaceAndABodyInside) {
  const Solid a = tetrapod();
  EXPECT_TRUE(mesh_separation(a, at(0.05, 0.02, 0.9), a, at(0, 0, 0), kFar).intersects());
  Solid small = cube(0.02);
  EXPECT_TRUE(mesh_separation(small, at(0, 0, 0), a, at(0, 0, 0), kFar).intersects())
      << "inside, no face crossed";
  EXPECT_TRUE(mesh_separation(a, at(0, 0, 0), small, at(0, 0, 0), 1e-3).intersects());
  EXPECT_FALSE(mesh_separation(small, at(0.4, 0.4, 0.4), a, at(0, 0, 0), kFar).intersects());
}

TEST(Meshes, DistanceOfABallIsKnown) {
  const Solid a = tetrapod(), b = ball(0.1);
  EXPECT_NEAR(static_cast<double>(separation(b, at(0, 0, 1.35), a, at(0, 0, 0)).value), 0.25, 1e-15) << "tip";
  EXPECT_LE(separation(a, at(0, 0, 0), b, at(0, 0, 0.1)).value, -0.1) << "inside";
}

TEST(Meshes, DepthIsThatOfTheDeepestPointOfAnEdge) {
  const Solid a = tetrapod(), large = cube(1), small = cube(0.2);
  EXPECT_NEAR(
      static_cast<double>(mesh_separation(small, at(0.55, 0.02, 0.01), large, at(0, 0, 0), kFar).value),
      -0.05, 1e-15)
      << "corners";
  EXPECT_NEAR(static_cast<double>(mesh_separation(a, at(0, 0, -1.47), large, at(0, 0, 0), kFar).value), -0.03,
              1e-15)
      << "tip of a spike";
  EXPECT_NEAR(static_cast<double>(mesh_separation(large, at(0, 0, 0), a, at(0, 0, -1.47), kFar).value), -0.03,
              1e-15)
      << "the other way";
}

TEST(Meshes, NothingNearerIsSaidAsSuch) {
  const Solid a = tetrapod();
  EXPECT_EQ(mesh_separation(a, at(3, 0, 0), a, at(0, 0, 0), 0.125L).value, 0.125L);
}

}  // namespace
}  // namespace intersection

#include "walls.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "test_solids.hpp"

namespace intersection {
namespace {

/// As core/test_extremes.hpp, from which nothing is shared.
void keep_smallest(double& least, double value) {
  if (value < least || std::isnan(value)) least = value;
}

constexpr double kAll = std::numeric_limits<double>::infinity();

Wall round_wall(WallKind kind, double radius) {
  Wall wall;
  wall.kind = kind;
  wall.radius = radius;
  return wall;
}

/// A square of edge 2 in the plane z = 0 about the origin, of two triangles.
Wall square() {
  Solid mesh;
  mesh.vertices = {{-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0}};
  mesh.faces = {{0, 1, 2}, {0, 2, 3}};
  Wall wall;
  wall.kind = WallKind::surface;
  wall.set_surface(mesh);
  return wall;
}

double clearance(const Solid& solid, const Pose& pose, const Wall& wall, const Pose& pose_wall = {}) {
  const double value = static_cast<double>(separation(solid, pose, wall, pose_wall, kAll).value);
  EXPECT_LE(least_separation(solid, pose, wall, pose_wall), value);
  return value;
}

TEST(Walls, PlaneIsAsFarAsTheLowestPoint) {
  Pose pose = at(5, -3, std::sqrt(3.0) / 2 + 1e-6);
  pose.q = Eigen::AngleAxisd(std::acos(1 / std::sqrt(3.0)), Eigen::Vector3d(1, -1, 0).normalized());
  EXPECT_NEAR(clearance(cube(1), pose, Wall{}), 1e-6, 1e-15);
  pose.x.z() -= 2e-6;
  EXPECT_TRUE(separation(cube(1), pose, Wall{}, Pose{}, kAll).intersects());
  EXPECT_NEAR(clearance(ball(0.1), at(0, 0, 0.05), Wall{}), -0.05, 1e-16);
}

TEST(Walls, FromInsideTheOutermostPointCounts) {
  const Wall bore = round_wall(WallKind::bore, 1), cavity = round_wall(WallKind::cavity, 1);
  EXPECT_NEAR(clearance(ball(0.1), at(0.3, 0.4, 7), bore), 0.4, 1e-15);
  EXPECT_NEAR(clearance(ball(0.1), at(0.6, 0.8, 7), bore), -0.1, 1e-15);
  EXPECT_NEAR(clearance(ball(0.1), at(0, 0.3, 0.4), cavity), 0.4, 1e-15);
  EXPECT_NEAR(clearance(cube(1), at(0, 0, 9), bore), 1 - std::sqrt(0.5), 1e-15);
  EXPECT_NEAR(clearance(cube(1), at(0, 0, 0), cavity), 1 - std::sqrt(0.75), 1e-15);
  Pose across = at(0, 0, 3);
  across.q = turn(M_PI / 2, {0, 1, 0});
  EXPECT_NEAR(clearance(rod(0.1, 1), across, bore), 0.4, 1e-15);
  EXPECT_NEAR(clearance(rod(0.1, 1), at(0, 0, 3), bore), 0.9, 1e-15);
}

TEST(Walls, FromOutsideEdgesAndFacesCount) {
  const Wall cylinder = round_wall(WallKind::cylinder, 0.25), sphere = round_wall(WallKind::sphere, 0.25);
  EXPECT_NEAR(clearance(ball(0.1), at(0.3, 0.4, -50), cylinder), 0.15, 1e-14);
  // The edge of a cube that stands on it lies across the cylinder, both ends far from it.
  Pose across = at(0.25 + 0.01 + std::sqrt(0.5), 0, 3);
  across.q = turn(M_PI / 4, {0, 1, 0});
  EXPECT_NEAR(clearance(cube(1), across, cylinder), 0.01, 1e-14);
  EXPECT_NEAR(clearance(cube(1), at(0.8, 0, 3), cylinder), 0.05, 1e-15);
  EXPECT_NEAR(clearance(cube(1), at(0.5, 0, 0.8), sphere), 0.05, 1e-15);
  EXPECT_LT(clearance(cube(1), at(0.2, 0, 3), cylinder), 0);
  Pose rod_across = at(0.4, 0, 3);
  rod_across.q = turn(M_PI / 2, {1, 0, 0});
  EXPECT_NEAR(clearance(rod(0.1, 9), rod_across, cylinder), 0.05, 1e-15);
}

TEST(Walls, SurfaceHasTwoSidesAndABorder) {
  const Wall sheet = square();
  EXPECT_NEAR(clearance(ball(0.1), at(0.2, -0.3, 0.5), sheet), 0.4, 1e-15);
  EXPECT_NEAR(clearance(ball(0.1), at(0.2, -0.3, -0.5), sheet), 0.4, 1e-15);
  EXPECT_NEAR(clearance(ball(0.1), at(1.3, 0.1, 0.4), sheet), 0.4, 1e-15);
  EXPECT_LT(clearance(rod(0.1, 3), at(0.1, 0.5, 0), sheet), 0) << "passes through, both ends far away";
  EXPECT_NEAR(clearance(cube(1), at(0, 0, 0.51), sheet), 0.01, 1e-15);
  EXPECT_LT(clearance(cube(1), at(0, 0, 0.2), sheet), 0) << "cut by a face, no vertex near";
  EXPECT_LT(clearance(cube(9), at(0, 0, 0.2), sheet), 0) << "the sheet lies inside";
  Pose edge_on = at(1.2, 0, 0);
  edge_on.q = turn(M_PI / 4, {0, 1, 0});
  EXPECT_NEAR(clearance(cube(0.2), edge_on, sheet), (1.2 - std::sqrt(0.02) - 1) * std::sqrt(0.5), 1e-15);
  EXPECT_EQ(separation(ball(0.1), at(0, 0, 5), sheet, Pose{}, 0.1).value, kAll) << "farther than the limit";
}

TEST(Walls, MayBeSolidsThatMove) {
  Wall hammer, post;
  hammer.kind = WallKind::polyhedron;
  hammer.solid = cube(1);
  post.kind = WallKind::capsule;
  post.solid = rod(0.2, 2);
  EXPECT_NEAR(clearance(ball(0.1), at(0.2, 0.1, 0.8), hammer), 0.2, 1e-15);
  EXPECT_NEAR(clearance(cube(1), at(0, 1.02, 0.3), hammer), 0.02, 1e-15);
  EXPECT_LT(clearance(cube(1), at(0.9, 0.9, 0.9), hammer), 0);
  EXPECT_NEAR(clearance(ball(0.1), at(0.5, 0, 0.7), post), 0.2, 1e-15);
  EXPECT_LT(clearance(cube(1), at(0.6, 0, 1.5), post), 0);
  hammer.solid.convex = false;
  EXPECT_NEAR(clearance(ball(0.1), at(0.2, 0.1, 0.8), hammer), 0.2, 1e-15) << "by its surface";
  EXPECT_LT(least_separation(ball(0.1), at(0.2, 0.1, 0.8), hammer, Pose{}), 0.2);
}

TEST(Walls, OnlyTheRelativePoseCounts) {
  std::mt19937_64 random(3);
  for (const auto kind : {WallKind::sphere, WallKind::plane, WallKind::cylinder, WallKind::bore,
                          WallKind::cavity, WallKind::surface}) {
    Wall wall = square();
    wall.kind = kind;
    wall.radius = 1.5;
    for (const Solid& solid : {ball(0.2), rod(0.2, 1), cube(0.5)}) {
      for (int trial = 0; trial < 20; ++trial) {
        const Pose pose = random_pose(random, 2), both = random_pose(random, 3);
        const Pose moved{both.x + both.q * pose.x, both.q * pose.q};
        EXPECT_NEAR(clearance(solid, moved, wall, both), clearance(solid, pose, wall), 1e-14);
      }
    }
  }
}

TEST(Walls, SeparationIsThatOfSampledPoints) {
  // Distances of points on the surface of a box from walls are closed forms.
  std::mt19937_64 random(5);
  const Solid box = cube(1);
  const int n = 40;
  const double spacing = 1.0 / n;
  for (int trial = 0; trial < 60; ++trial) {
    const Pose pose = random_pose(random, 1.2);
    double in = kAll, out = kAll, round = kAll, sheet = kAll;
    for (const auto& face : box.faces) {
      for (int i = 0; i <= n; ++i) {
        for (int j = 0; j <= n; ++j) {
          const Eigen::Vector3d &o = box.vertices[face[0]], &u = box.vertices[face[1]],
                                &v = box.vertices[face[3]];
          const Eigen::Vector3d p = pose.x + pose.q * (o + spacing * i * (u - o) + spacing * j * (v - o));
          keep_smallest(in, 2 - p.head<2>().norm());
          keep_smallest(out, p.head<2>().norm() - 0.5);
          keep_smallest(round, p.norm() - 0.5);
          keep_smallest(
              sheet,
              (p - Eigen::Vector3d(std::clamp(p.x(), -1.0, 1.0), std::clamp(p.y(), -1.0, 1.0), 0)).norm());
        }
      }
    }
    const auto agrees = [&](double sampled, double exact, const char* what) {
      if (exact > 0) {
        EXPECT_LE(exact, sampled + 1e-12) << what;
      } else {
        EXPECT_LT(sampled, spacing) << what;
      }
      if (sampled > spacing) {
        EXPECT_GT(exact, 0) << what;
      }
      return sampled - exact;
    };
    EXPECT_NEAR(agrees(in, clearance(box, pose, round_wall(WallKind::bore, 2)), "bore"), 0, 1e-12)
        << "at a corner";
    const double apart = agrees(out, clearance(box, pose, round_wall(WallKind::cylinder, 0.5)), "cylinder");
    if (out > spacing) {
      EXPECT_LT(apart, spacing);
    }
    const double from_sphere =
        agrees(round, clearance(box, pose, round_wall(WallKind::sphere, 0.5)), "sphere");
    if (round > spacing) {
      EXPECT_LT(from_sphere, spacing);
    }
    // The largest separation over axes is no distance; a sheet may also lie inside the box.
    const double from_sheet = clearance(box, pose, square());
    EXPECT_LE(from_sheet, sheet + 1e-12);
    if (from_sheet > 0) {
      EXPECT_GT(sheet, 0);
    }
  }
}

}  // namespace
}  // namespace intersection

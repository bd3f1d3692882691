#include "solvers/placement/generator.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "core/test_extremes.hpp"

namespace scree {
namespace {

std::vector<BoundaryPart> open_box(const Vec3& low, const Vec3& high) {
  return {{0, low, Vec3::UnitX()},
          {0, low, Vec3::UnitY()},
          {0, low, Vec3::UnitZ()},
          {0, high, -Vec3::UnitX()},
          {0, high, -Vec3::UnitY()}};
}

/// Distance of a point to a placed box, from its half sizes: shares nothing with separating axes.
double distance_to_box(const PlacedBody& box, const Vec3& half, const Vec3& p) {
  const Vec3 local = box.R.transpose() * (p - box.x);
  return (local.cwiseAbs() - half).cwiseMax(0.0).norm();
}

/// Smallest distance of points on one box's edges to the other box, by sampling.
double sampled_distance(const PlacedBody& a, const PlacedBody& b, const Shape& shape, const Vec3& half) {
  double least = std::numeric_limits<double>::infinity();
  for (const auto& edge : shape.edges) {
    for (int k = 0; k <= 20; ++k) {
      const double t = k / 20.0;
      test::keep_smallest(least,
                          distance_to_box(b, half, (1 - t) * a.vertices[edge.v0] + t * a.vertices[edge.v1]));
    }
  }
  return least;
}

TEST(Generator, FillsAboxOf564CubesWithClearance) {
  const std::vector<Shape> shapes = {make_box("block", Vec3::Constant(0.1))};
  Generator generator(shapes, open_box({0, 0, 0}, {1, 1, 3}), 1e-3, {0, 0, -9.81});
  const auto bodies = generator.generate(std::vector<int>(564, 0), {0, 0, 0.05}, {1, 1, 2}, 1);
  ASSERT_EQ(bodies.size(), 564u);
  const Vec3 half = Vec3::Constant(0.05);
  double least = 1;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    EXPECT_LE(bodies[i].x.z(), 2.0);
    for (const auto& v : bodies[i].vertices) {
      ASSERT_GE(std::min({v.x(), v.y(), v.z(), 1 - v.x(), 1 - v.y()}), 1e-3);
    }
    for (std::size_t j = 0; j < i; ++j) {
      if ((bodies[i].x - bodies[j].x).norm() > 0.18) continue;
      test::keep_smallest(least, {sampled_distance(bodies[i], bodies[j], shapes[0], half),
                                  sampled_distance(bodies[j], bodies[i], shapes[0], half)});
    }
  }
  EXPECT_GE(least, 1e-3);
  EXPECT_LT(least, 5e-3);  // the test sees the neighbours
}

TEST(Generator, FarPlacesAreSeenToBeTaken) {
  const std::vector<Shape> shapes = {make_sphere("ball", 1)};
  Generator generator(shapes, {}, 0, {0, 0, 0});
  const Vec3 far(1e40, -1e40, 1e30), beside(2e40, -1e40, 1e30);
  generator.add_obstacle(0, far, Quat::Identity());
  RandomNumbers random;
  EXPECT_FALSE(generator.place_one(0, far, far, 3, random));
  EXPECT_TRUE(generator.place_one(0, beside, beside, 3, random));
}

/// No point of one superquadric is in another: what the rounding of faces takes off corners is less than the
/// clearance. @returns how many points were near another body.
int expect_apart(const std::vector<PlacedBody>& bodies, const Superquadric& shape, double width) {
  RandomNumbers random(7);
  int near = 0;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    for (int k = 0; k < 300; ++k) {
      const Vec3 m = random.in_box(-Vec3::Ones(), Vec3::Ones());
      const Vec3 p = bodies[i].x + bodies[i].R * shape.support_point(m).point;
      EXPECT_GE(std::min({p.x(), p.y(), p.z(), width - p.x(), width - p.y()}), 1e-3 - 1e-12);
      for (std::size_t j = 0; j < bodies.size(); ++j) {
        if (i == j || (bodies[i].x - bodies[j].x).norm() > 0.16) continue;
        ++near;
        const Vec3 local = bodies[j].R.transpose() * (p - bodies[j].x);
        EXPECT_GT(shape.shape_function(local).f, 0);
      }
    }
  }
  return near;
}

TEST(Generator, SuperquadricsKeepTheClearanceToWallsAndOneAnother) {
  const std::vector<Shape> shapes = {make_superquadric("tablet", {0.06, 0.06, 0.03}, 4, 2, 30)};
  Generator generator(shapes, open_box({0, 0, 0}, {0.5, 0.5, 1}), 1e-3, {0, 0, -9.81});
  const auto bodies = generator.generate(std::vector<int>(60, 0), Vec3::Zero(), {0.5, 0.5, 0.6}, 1);
  ASSERT_EQ(bodies.size(), 60u);
  EXPECT_GT(expect_apart(bodies, shapes[0].superquadric, 0.5), 1000);
}

TEST(Generator, GrowsSpheresToADensityThatAdditionNeverReaches) {
  const std::vector<Shape> shapes = {make_sphere("ball", 0.1)};
  Generator generator(shapes, {}, 0, Vec3::Zero());
  PeriodicCell cell;
  cell.length = Vec3::Ones();
  generator.set_periodic(cell);
  // 0.52 of the volume; random sequential addition jams at 0.38 [Cooper 1988, Phys. Rev. A 38, 522].
  const auto bodies = generator.generate(std::vector<int>(124, 0), Vec3::Zero(), Vec3::Ones(), 1);
  ASSERT_EQ(bodies.size(), 124u);
  double least = 1;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    EXPECT_EQ(bodies[i].radius, 0.1);
    for (std::size_t j = 0; j < i; ++j) {
      Vec3 way = bodies[i].x - bodies[j].x;
      for (double& along : way) along -= std::round(along);
      test::keep_smallest(least, way.norm());
    }
  }
  EXPECT_GE(least, 0.2 - 1e-14);
}

TEST(Generator, GrowsSuperquadricsBetweenWalls) {
  const std::vector<Shape> shapes = {make_superquadric("tablet", {0.06, 0.06, 0.03}, 4, 2, 30)};
  auto walls = open_box({0, 0, 0}, {0.5, 0.5, 1});
  walls.push_back({0, {0, 0, 0.25}, -Vec3::UnitZ()});
  Generator generator(shapes, walls, 1e-3, Vec3::Zero());
  const auto bodies = generator.generate(std::vector<int>(45, 0), Vec3::Zero(), {0.5, 0.5, 0.25}, 1);
  ASSERT_EQ(bodies.size(), 45u);
  for (const PlacedBody& body : bodies) EXPECT_EQ(body.scale, 1);
  EXPECT_GT(expect_apart(bodies, shapes[0].superquadric, 0.5), 1000);
}

TEST(Generator, SameSeedSameBodiesOtherSeedOthers) {
  const std::vector<Shape> shapes = {make_sphere("ball", 0.05)};
  const auto run = [&](std::uint64_t seed) {
    Generator generator(shapes, {}, 1e-3, Vec3::Zero());
    return generator.generate(std::vector<int>(50, 0), Vec3::Zero(), Vec3::Ones(), seed);
  };
  const auto a = run(3), b = run(3), c = run(4);
  for (std::size_t k = 0; k < a.size(); ++k) {
    EXPECT_EQ(a[k].x, b[k].x);
    EXPECT_EQ(a[k].q.coeffs(), b[k].q.coeffs());
    EXPECT_NE(a[k].x, c[k].x);
  }
}

TEST(Generator, FirstNumbersAreThoseOfTheStandardEngine) {
  // 10000th number of a default mt19937_64 is 9981545732273789042 (C++ standard, [rand.predef]).
  RandomNumbers random(5489);
  double last = 0;
  for (int k = 0; k < 10000; ++k) last = random.uniform();
  EXPECT_EQ(last, static_cast<double>(9981545732273789042u >> 11) * 0x1p-53);
}

TEST(Generator, SaysHowManyFit) {
  const std::vector<Shape> shapes = {make_sphere("ball", 0.5)};
  Generator generator(shapes, open_box(Vec3::Zero(), Vec3::Constant(1.2)), 1e-3, {0, 0, -1});
  EXPECT_EQ(generator.generate(std::vector<int>(3, 0), Vec3::Zero(), Vec3(1.2, 1.2, 0.7), 1).size(), 1u);
}

TEST(Generator, KeepsClearOfObstacles) {
  const std::vector<Shape> shapes = {make_capsule("rod", 0.02, 0.2), make_box("table", {1, 1, 0.1})};
  Generator generator(shapes, {}, 0.01, Vec3::Zero());
  generator.add_obstacle(1, {0.5, 0.5, 0}, Quat::Identity());
  const auto rods = generator.generate(std::vector<int>(40, 0), {0, 0, 0}, {1, 1, 0.5}, 2);
  ASSERT_EQ(rods.size(), 40u);
  for (const auto& rod : rods) {
    for (const auto& v : rod.vertices) EXPECT_GE(v.z(), 0.05 + 0.02 + 0.01 - 1e-12);
  }
}

TEST(Generator, StaysAboveAFloorWhereAStateHasIt) {
  const std::vector<Shape> shapes = {make_sphere("ball", 0.05)};
  Model model;
  model.boundaries.resize(1);
  model.boundary_parts = {{0, Vec3::Zero(), Vec3::UnitZ()}};
  Bodies bodies;
  bodies.boundaries = 1;
  bodies.state.resize(1);
  bodies.state[0].x = Vec3(0, 0, 0.5);
  Generator generator(shapes, {}, 0, Vec3::Zero());
  generator.set_walls(model, 0, {}, &bodies);
  const auto balls = generator.generate(std::vector<int>(20, 0), {0, 0, 0}, {1, 1, 1}, 3);
  ASSERT_EQ(balls.size(), 20u);
  for (const auto& ball : balls) EXPECT_GE(ball.x.z(), 0.55 - 1e-12);
}

TEST(ConvexSeparation, SeesTheDistanceOfRoundedShapesExactly) {
  const Shape rod = make_capsule("rod", 0.1, 1), ball = make_sphere("ball", 0.2);
  const auto axes_rod = separation_axes(rod), axes_ball = separation_axes(ball);
  // Crossed rods 0.5 apart: distance 0.3. A ball beside a rod's end: distance 0.25.
  const auto a = place(rod, 0, Vec3::Zero(), Quat::Identity());
  const auto b = place(rod, 0, {0.5, 0, 0}, Quat(Eigen::AngleAxisd(0.7, Vec3::UnitX())));
  EXPECT_TRUE(separated(a, axes_rod, b, axes_rod, 0.2999));
  EXPECT_FALSE(separated(a, axes_rod, b, axes_rod, 0.3001));
  const auto c = place(ball, 1, {0.55, 0, 0.4}, Quat::Identity());
  EXPECT_TRUE(separated(a, axes_rod, c, axes_ball, 0.2499));
  EXPECT_FALSE(separated(a, axes_rod, c, axes_ball, 0.2501));
}

TEST(ConvexSeparation, EdgesThatCrossNeedTheirOwnAxis) {
  const Shape box = make_box("block", Vec3::Ones());
  const auto axes = separation_axes(box);
  EXPECT_EQ(axes.normals.size(), 3u);
  EXPECT_EQ(axes.edges.size(), 3u);
  // Two cubes stood on edges that cross at right angles: half diagonals sqrt(2)/2 each.
  const Quat qa(Eigen::AngleAxisd(std::atan(1.0), Vec3::UnitX())),
      qb(Eigen::AngleAxisd(std::atan(1.0), Vec3::UnitY()));
  const auto a = place(box, 0, Vec3::Zero(), qa);
  const auto b = place(box, 0, {0.1, 0.1, std::sqrt(2.0) + 0.05}, qb);
  EXPECT_TRUE(separated(a, axes, b, axes, 0.0499));
  EXPECT_FALSE(separated(a, axes, b, axes, 0.0501));
}

TEST(ConvexSeparation, DoesNotTryEachFaceOfFineBodies) {
  // Two balls of points, 0.1 apart, one with its pole beside the middle: their centre line shows no gap. A
  // normal of ten times the length would show ten times the gap.
  PlacedBody a, b;
  SeparationAxes axes;
  a.x = {0, 0, 1};
  a.bound = 2;
  b.x = {2.1, 0, 0};
  b.bound = 1;
  constexpr int kPoints = 1000;
  for (int k = 0; k < kPoints; ++k) {
    const double z = (2 * k + 1.0) / kPoints - 1, r = std::sqrt(1 - z * z);
    const Vec3 p(r * std::cos(2.4 * k), r * std::sin(2.4 * k), z);
    a.vertices.push_back(p);
    b.vertices.emplace_back(b.x + p);
    axes.normals.push_back(p);
  }
  EXPECT_TRUE(separated(a, axes, b, axes, 0.05));
  axes.normals.emplace_back(10, 0, 0);
  EXPECT_FALSE(separated(a, axes, b, axes, 0.2));
  // The few faces of the other body are tried all the same.
  SeparationAxes few;
  few.normals.emplace_back(10, 0, 0);
  EXPECT_TRUE(separated(a, few, b, axes, 0.2));
}

TEST(ConvexSeparation, DirectionsAreThoseOfAComparisonOfEachWithEach) {
  // Opposite faces and parallel edges of a prism, turned so that no direction is along an axis.
  std::vector<Vec3> vertices;
  std::vector<std::vector<int>> faces;
  constexpr int kSides = 24;
  const Quat turn(Eigen::AngleAxisd(0.7, Vec3(1, 2, 3).normalized()));
  for (int k = 0; k < kSides; ++k) {
    const double angle = 2 * M_PI * k / kSides;
    for (const double z : {0.0, 1.0}) vertices.emplace_back(turn * Vec3(std::cos(angle), std::sin(angle), z));
  }
  std::vector<int> bottom, top;
  for (int k = 0; k < kSides; ++k) {
    const int next = (k + 1) % kSides;
    faces.push_back({2 * k, 2 * next, 2 * next + 1, 2 * k + 1});
    bottom.push_back(2 * (kSides - 1 - k));
    top.push_back(2 * k + 1);
  }
  faces.push_back(bottom);
  faces.push_back(top);
  const Shape prism = make_polyhedron("prism", vertices, faces);
  std::vector<Vec3> normals, edges;
  const auto add = [](std::vector<Vec3>& all, const Vec3& d) {
    for (const Vec3& other : all) {
      if (other.cross(d).norm() < 1e-9) return;
    }
    all.push_back(d);
  };
  for (const Face& face : prism.faces) add(normals, face.normal);
  for (const Edge& edge : prism.edges) add(edges, edge.direction);
  ASSERT_EQ(normals.size(), 1U + kSides / 2);
  const SeparationAxes axes = separation_axes(prism);
  EXPECT_EQ(axes.normals, normals);
  EXPECT_EQ(axes.edges, edges);
}

}  // namespace
}  // namespace scree

/// How long bodies that pass each other stay apart.
#include "contact/bounds/approach.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

#include "contact/search/candidates.hpp"
#include "contact/search/far_items.hpp"
#include "contact/test_bodies.hpp"
#include "core/infinity.hpp"
#include "core/test_extremes.hpp"

namespace scree::contact {
namespace {

using testing::random_rotation;
using testing::random_vector;
using testing::TestBody;

/// A body with constant velocities.
struct GoingBody : TestBody {
  Vec3 v = Vec3::Zero(), w = Vec3::Zero();

  void go(double t) { set(t * v, t * w); }
};

Approach approach_of(const GoingBody& a, const GoingBody& b) {
  return {a.v - b.v, a.w, b.w, a.shape->bounding_radius, b.shape->bounding_radius};
}

/// Gap at the trial state; `reach` where it is larger [m].
double gap_now(const GoingBody& a, const GoingBody& b, double reach) {
  BodyPair pair;
  build_items(pair, a.view(), b.view(), reach);
  return std::min(smallest_gap(pair, a.view(), b.view()), reach);
}

TEST(Approach, BodiesAreAsFarApartAsIsSaidForAsLongAsItIsSaid) {
  const std::vector<Shape> shapes = {make_box("box", {0.2, 0.24, 0.3}),
                                     testing::star(0.25),
                                     testing::staple(),
                                     make_capsule("capsule", 0.07, 0.3),
                                     make_sphere("sphere", 0.12),
                                     testing::egg(12),
                                     make_superquadric("tablet", {0.2, 0.15, 0.1}, 4, 4, 10)};
  std::mt19937_64 engine(11);
  std::uniform_real_distribution<double> uniform(0, 1);
  constexpr double kLongest = 1;
  double missing = 0;  // of the distance that stays, over it
  int bounded = 0, unbounded = 0, unknown = 0;
  for (int n = 0; n < 3000; ++n) {
    GoingBody a, b;
    a.shape = &shapes[static_cast<std::size_t>(n) % shapes.size()];
    b.shape = &shapes[static_cast<std::size_t>(n) / shapes.size() % shapes.size()];
    for (GoingBody* body : {&a, &b}) {
      body->state.x = random_vector(engine, 0.3);
      body->state.q = random_rotation(engine);
      body->v = random_vector(engine, 0.5 * uniform(engine));
      body->w = random_vector(engine, 0.5 * uniform(engine));
      body->go(0);
    }
    a.state.x.z() += 0.4;
    a.go(0);
    const double gap = gap_now(a, b, 0.3);
    if (!(gap > 1e-2)) continue;
    const double stays = 0.3 * gap;
    const double time = time_apart(a.view(), b.view(), approach_of(a, b), -stays, kLongest);
    (time == 0 ? unknown : time < kLongest ? bounded : unbounded) += 1;
    constexpr int kSamples = 20;
    for (int k = 1; k <= kSamples; ++k) {
      a.go(time * k / kSamples);
      b.go(time * k / kSamples);
      test::keep_largest(missing, (stays - gap_now(a, b, 2 * stays)) / stays);
    }
  }
  std::printf("bounded %d, unbounded %d, no plane %d; most that is missing %.2g\n", bounded, unbounded,
              unknown, missing);
  EXPECT_GT(bounded, 200);
  EXPECT_GT(unbounded, 200);
  EXPECT_GT(unknown, 20);
  EXPECT_LE(missing, 1e-6);  // of superquadrics the gap itself is known to no more
}

/// A grid of triangles on the square of `size` about the origin. @param place where a point of it is [m].
template <class Place>
Shape sheet_of(int cells, double size, Place&& place) {
  std::vector<Vec3> vertices;
  std::vector<std::vector<int>> faces;
  for (int i = 0; i <= cells; ++i) {
    for (int j = 0; j <= cells; ++j)
      vertices.push_back(place(size * (static_cast<double>(i) / cells - 0.5),
                               size * (static_cast<double>(j) / cells - 0.5)));
  }
  const auto at = [&](int i, int j) { return i * (cells + 1) + j; };
  for (int i = 0; i < cells; ++i) {
    for (int j = 0; j < cells; ++j) {
      faces.push_back({at(i, j), at(i + 1, j), at(i + 1, j + 1)});
      faces.push_back({at(i, j), at(i + 1, j + 1), at(i, j + 1)});
    }
  }
  return make_surface("sheet", vertices, faces);
}

/// Turned about its middle line by `fold` [rad] on one side.
Shape folded_sheet(int cells, double size, double fold) {
  return sheet_of(cells, size, [&](double x, double y) {
    return Vec3(x > 0 ? x * std::cos(fold) : x, y, x > 0 ? x * std::sin(fold) : 0.0);
  });
}

/// With heights of a tenth of a millimetre.
Shape rough_sheet(int cells, double size) {
  std::mt19937_64 engine(3);
  std::uniform_real_distribution<double> height(-1e-4, 0);
  return sheet_of(cells, size, [&](double x, double y) { return Vec3(x, y, height(engine)); });
}

TEST(Approach, WhatSkimsOverAFlatOfAnyKindHasAllTheTimeOfTheWorld) {
  const Shape cube = make_box("cube", {0.2, 0.2, 0.2});
  const std::vector<Shape> floors = {make_plane("floor"), make_box("slab", {8, 8, 1}), folded_sheet(2, 8, 0),
                                     folded_sheet(16, 8, 0)};
  for (const Shape& floor : floors) {
    for (const Vec3& turn : {Vec3(0, 0, 0), Vec3(0.3, -0.5, 0.2)}) {
      GoingBody a, b;
      a.shape = &cube;
      b.shape = &floor;
      const Mat3 R = rotation::matrix(turn);
      a.state.q = b.state.q = Quat(R);
      const double top = floor.convex && !floor.open && floor.kind == ShapeKind::polyhedron ? 0.5 : 0.0;
      a.state.x = R * Vec3(0.1, 0.2, top + 0.1 + 1e-6);
      a.v = R * Vec3(3, 1, 0);
      a.w = R * Vec3(0, 0, 2);
      a.go(0);
      b.go(0);
      const auto time = [&] { return time_apart(a.view(), b.view(), approach_of(a, b), 0, 1); };
      EXPECT_EQ(time(), 1) << floor.name << " " << floor.faces.size();
      a.v += R * Vec3(0, 0, -1e-5);
      EXPECT_NEAR(time(), 0.1, 1e-6) << floor.name << " " << floor.faces.size();
    }
  }
}

TEST(Approach, AFoldInTheWayCounts) {
  const Shape cube = make_box("cube", {0.2, 0.2, 0.2});
  const Shape sheet = folded_sheet(16, 8, 0.5);
  GoingBody a, b;
  a.shape = &cube;
  b.shape = &sheet;
  // The sheet lies about the middle of its bounding box: its lower side is at -shift.
  a.state.x = Vec3(-2, 0, 0.1 + 1e-3) - sheet.shift;
  a.v = Vec3(1, 0, 0);
  a.go(0);
  b.go(0);
  EXPECT_EQ(time_apart(a.view(), b.view(), approach_of(a, b), 0, 0.5), 0.5);  // the fold is 1.9 m ahead
  a.v = Vec3(100, 0, 0);
  EXPECT_LT(time_apart(a.view(), b.view(), approach_of(a, b), 0, 0.5), 0.021);
}

TEST(Approach, APlaneBehindAThinBodyIsNotBetweenTheTwo) {
  // Nearer than they may be deep in each other, and thinner: from above, the plate seems to go away.
  const Shape plate = make_box("plate", {0.1, 0.1, 1e-3});
  const Shape sheet = folded_sheet(4, 8, 0);
  for (const Shape* other : {&plate, &sheet}) {
    GoingBody a, b;
    a.shape = &plate;
    b.shape = other;
    const double top = other == &plate ? 5e-4 : 0.0;
    a.state.x = Vec3(0.01, 0.02, top + 5e-4 + 1e-3);
    a.v = Vec3(0, 0, -1);
    a.go(0);
    b.go(0);
    EXPECT_NEAR(time_apart(a.view(), b.view(), approach_of(a, b), 2.8e-3, 1), 3.8e-3, 1e-9) << other->name;
  }
}

TEST(Approach, AWallThatTurnsComesToWhereTheBodyGoes) {
  const Shape ball = make_sphere("ball", 0.01);
  const Shape sheet = folded_sheet(2, 8, 0);
  GoingBody a, b;
  a.shape = &ball;
  b.shape = &sheet;
  a.state.x = Vec3(0, 0, 0.05);
  a.v = Vec3(10, 0, 0);
  b.w = Vec3(0, -1, 0);
  a.go(0);
  b.go(0);
  // The sheet rises by w v t^2 where the ball is: they meet after 63 ms.
  const Approach approach{Vec3(10, 0, 0.05 * -1), a.w, b.w, 0.01, 0.01};
  const double time = time_apart(a.view(), b.view(), approach, 0, 1);
  EXPECT_LT(time, 0.064);
  EXPECT_GT(time, 0.02);
}

TEST(Approach, OfAFineSurfaceAShorterTimeIsFoundWhereALongOneSeesTooMuch) {
  const Shape cube = make_box("cube", {0.2, 0.2, 0.2});
  // Not flat: its faces are not merged.
  const Shape fine = rough_sheet(200, 8);
  GoingBody a, b;
  a.shape = &cube;
  b.shape = &fine;
  a.state.x = Vec3(0.013, 0.02, 0.1 + 5e-3);
  a.v = Vec3(50, 0, 0);
  a.go(0);
  b.go(0);
  const double time = time_apart(a.view(), b.view(), approach_of(a, b), 0, 0.02);
  EXPECT_GE(time, 1e-3);  // 5 mm at 50 m/s are 0.1 ms
}

TEST(Approach, AlongItsAxisACylinderIsNotApproached) {
  const Mat3 R = Mat3::Identity();
  EXPECT_EQ(approach_speed(make_bore("pipe", 1), R, {0, 0, 7}), 0);
  EXPECT_EQ(approach_speed(make_bore("pipe", 1), R, {3, 4, 7}), 5);
  EXPECT_EQ(approach_speed(make_cavity("hall", 1), R, {0, 0, 7}), 7);
  EXPECT_EQ(approach_speed(make_plane("floor"), R, {3, 4, 7}), 0);
  EXPECT_EQ(approach_speed(make_plane("floor"), R, {3, 4, -7}), 7);
}

}  // namespace
}  // namespace scree::contact

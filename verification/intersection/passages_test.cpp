#include "passages.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "separation.hpp"
#include "test_solids.hpp"

namespace intersection {
namespace {

/// A tetrapod's arm and a bar: not convex, its pole outside of it.
Solid hook() {
  Solid solid;  // an L of width 1 and arms of length 3, 1 thick, about a point in its corner's open side
  const double x[6] = {0, 3, 3, 1, 1, 0}, y[6] = {0, 0, 1, 1, 3, 3};
  for (const double z : {-0.5, 0.5}) {
    for (int k = 0; k < 6; ++k) solid.vertices.emplace_back(x[k] - 1.2, y[k] - 1.2, z);
  }
  solid.faces = {{5, 4, 3, 0}, {3, 2, 1, 0}, {6, 9, 10, 11}, {6, 7, 8, 9}};
  for (int k = 0; k < 6; ++k) solid.faces.push_back({k, (k + 1) % 6, (k + 1) % 6 + 6, k + 6});
  solid.convex = false;
  solid.prepare();
  return solid;
}

Wall wall_of(WallKind kind, double radius) {
  Wall wall;
  wall.kind = kind;
  wall.radius = radius;
  wall.until = 1e9;
  return wall;
}

/// A square of edge 2 in the plane z = 0.
Wall square() {
  Solid mesh;
  mesh.vertices = {{-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0}};
  mesh.faces = {{0, 1, 2}, {0, 2, 3}};
  Wall wall = wall_of(WallKind::surface, 0);
  wall.set_surface(mesh);
  return wall;
}

struct Scene {
  TraceReader trace;
  State before, now;

  void add(const Solid& solid, const Pose& from, const Pose& to) {
    trace.solid_of.push_back(static_cast<std::int64_t>(trace.solids.size()));
    trace.solids.push_back(solid);
    before.poses.push_back(from);
    now.poses.push_back(to);
    before.velocities.push_back(to.x - from.x);
    now.velocities.push_back(to.x - from.x);
  }
  void add(const Wall& wall, const Pose& from, const Pose& to) {
    trace.walls.push_back(wall);
    before.walls.push_back(from);
    now.walls.push_back(to);
  }
  std::size_t passages(double allowed = 0) {
    now.time = before.time + 1;
    Passages passages(trace, allowed);
    EXPECT_TRUE(passages.next(before).empty());
    return passages.next(now).size();
  }
};

TEST(Passages, ThinSheetThatGoesThroughABodyBetweenStates) {
  for (const Solid& solid : {cube(0.4), ball(0.2), rod(0.1, 0.3), hook()}) {
    for (const double offset : {0.3, 2.0}) {  // through it; past it
      Scene scene;
      const Pose body = at(offset + (offset > 1 ? solid.bounding_radius : 0), 0, 0);
      scene.add(solid, body, body);
      scene.add(square(), at(0, 0, -5), at(0, 0, 5));
      EXPECT_EQ(scene.passages(), offset < 1 ? 1u : 0u);
    }
  }
}

TEST(Passages, BodyThatTheSheetTakesAlongDoesNotPass) {
  Scene scene;
  scene.add(cube(0.4), at(0, 0, 0.21), at(0, 0, 5.21));
  scene.add(square(), at(0, 0, 0), at(0, 0, 5));
  scene.add(ball(0.1), at(0.5, 0.5, -0.11), at(0.5, 0.5, 4.89));
  EXPECT_EQ(scene.passages(), 0u);
}

TEST(Passages, BladeOnAnArcMissesWhatItsChordHitsAndHitsWhatTheArcDoes) {
  // A quarter turn about the z axis at a distance of 10: the chord cuts 2.9 off the arc.
  Pose from = at(10, 0, 0), to = at(0, 10, 0);
  from.q = turn(M_PI / 2, {1, 0, 0});  // normal along the way, -y and y
  to.q = turn(M_PI / 2, {0, 0, 1}) * from.q;
  for (const bool on_arc : {false, true}) {
    Scene scene;
    const double r = on_arc ? 10 : 10 / std::sqrt(2.0);
    scene.add(ball(0.3), at(r * std::sqrt(0.5), r * std::sqrt(0.5), 0),
              at(r * std::sqrt(0.5), r * std::sqrt(0.5), 0));
    scene.add(square(), from, to);
    // Only what is hit on both ways counts: on the straight one the blade turns about its pole.
    EXPECT_EQ(scene.passages(), 0u) << on_arc;
  }
}

TEST(Passages, BladeThatTurnsAboutADistantPointHitsABodyInItsWay) {
  Pose from = at(10, 0, 0), to = at(10 * std::cos(0.2), 10 * std::sin(0.2), 0);
  from.q = turn(M_PI / 2, {1, 0, 0});
  to.q = turn(0.2, {0, 0, 1}) * from.q;
  for (const double r : {10.0, 8.5}) {
    Scene scene;
    const Pose body = at(r * std::cos(0.1), r * std::sin(0.1), 0);
    scene.add(ball(0.3), body, body);
    scene.add(square(), from, to);
    EXPECT_EQ(scene.passages(), r > 9 ? 1u : 0u) << r;
  }
}

TEST(Passages, BodyThroughABodyBetweenStates) {
  for (const Solid& other : {cube(1), ball(0.5), rod(0.3, 1), hook()}) {
    Scene scene;
    scene.add(cube(0.1), at(-5, 0.1, 0), at(5, 0.1, 0));
    scene.add(other, at(0, 0, 0), at(0, 0, 0));
    scene.add(ball(0.1), at(-5, 0, 4), at(5, 0, 4));
    EXPECT_EQ(scene.passages(), 1u);
  }
}

TEST(Passages, RodThatCrossesABallIsSeenAndPlanesAreLeftToTheStates) {
  Scene scene;
  scene.add(ball(0.3), at(0, 0, 0), at(0, 0, 0));
  scene.add(wall_of(WallKind::cylinder, 0.05), at(-2, 0, 0), at(2, 0, 0));
  scene.add(wall_of(WallKind::sphere, 0.05), at(0, -2, 0), at(0, 2, 0));
  scene.add(wall_of(WallKind::sphere, 0.05), at(0.4, -2, 0), at(0.4, 2, 0));
  scene.add(wall_of(WallKind::plane, 0), at(0, 0, -1), at(0, 0, -1));
  EXPECT_EQ(scene.passages(), 2u);
}

TEST(Passages, WallThatIsSwitchedOffLetsPassAndSoDoesTheCellsFace) {
  Scene scene;
  scene.add(cube(0.4), at(0, 0, 0), at(0, 0, 0));
  Wall wall = square();
  wall.until = 0.5;
  scene.add(wall, at(0, 0, -5), at(0, 0, 5));
  scene.add(cube(0.4), at(3, 0, -5), at(3, 0, 5));
  scene.before.velocities[1] = scene.now.velocities[1] = {0, 0, -0.5};  // it was brought back
  scene.add(cube(1), at(3, 0, 0), at(3, 0, 0));
  EXPECT_EQ(scene.passages(), 0u);
}

TEST(Passages, OverlapThatIsAllowedDoesNotPass) {
  Scene scene;  // a ball that presses into a sheet, on its way back
  scene.add(ball(0.2), at(0, 0, 0.12), at(0, 0, 0.12));
  scene.add(square(), at(0, 0, -0.5), at(0, 0, 0.04));
  EXPECT_EQ(scene.passages(), 1u);
  EXPECT_EQ(scene.passages(0.12), 0u);
}

TEST(Core, KeepsItsMarginFromTheSurface) {
  for (const Solid& solid : {cube(0.4), ball(0.2), rod(0.1, 0.3), hook()}) {
    for (const double allowed : {0.0, 0.05}) {
      const Core core = core_of(solid, allowed);
      ASSERT_FALSE(core.parts.empty());
      EXPECT_GE(core.margin, std::min(1.5 * allowed, 0.04));
      for (const Solid& part : core.parts) EXPECT_LT(part.bounding_radius, solid.bounding_radius);
    }
  }
}

}  // namespace
}  // namespace intersection

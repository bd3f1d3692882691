#include "contact/surface/deforming_surface.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "contact/test_sheet.hpp"
#include "core/interrupt.hpp"
#include "core/rotation.hpp"
#include "core/shapes/coupled_surface.hpp"
#include "core/test_extremes.hpp"

namespace scree::contact {
namespace {

/// A sheet of n x n squares of two triangles each, not flat.
Shape sheet(int n = 4) {
  std::vector<Vec3> vertices;
  for (int j = 0; j <= n; ++j)
    for (int i = 0; i <= n; ++i)
      vertices.emplace_back(0.25 * i, 0.25 * j, 0.05 * std::sin(2.0 * i + 3.0 * j));
  return make_coupled_surface("sheet", vertices, testing::triangles_of_squares(n));
}

std::vector<Vec3> random_vectors(std::size_t count, double size, unsigned seed) {
  std::mt19937 engine(seed);
  std::uniform_real_distribution<double> number(-size, size);
  std::vector<Vec3> all(count);
  for (Vec3& one : all) one = Vec3(number(engine), number(engine), number(engine));
  return all;
}

/// Places on all kinds of features, some of them beside the surface.
std::vector<SurfacePlace> places(const Shape& shape, double phase) {
  std::vector<SurfacePlace> all;
  for (const int f : {0, 9, 31}) {
    Vec3 middle = Vec3::Zero();
    for (const int v : shape.faces[f].loop) middle += shape.vertices[v] / 3;
    all.push_back({FeatureKind::face, f, middle + 0.04 * shape.faces[f].normal + Vec3(0.01, 0.02, 0), phase});
  }
  for (const int e : {0, 13}) {
    const Edge& edge = shape.edges[e];
    all.push_back({FeatureKind::edge, e,
                   0.3 * shape.vertices[edge.v0] + 0.7 * shape.vertices[edge.v1] + Vec3(0, 0.01, 0.03),
                   phase});
  }
  for (const int v : {0, 12})
    all.push_back({FeatureKind::vertex, v, shape.vertices[v] + Vec3(0.01, 0, 0.02), phase});
  return all;
}

TEST(DeformingSurface, ThatTurnsAsAWholeMovesLikeARigidBodyAtEveryPlace) {
  Shape shape = sheet();
  DeformingSurface surface(shape);
  const Mat3 turn = Eigen::AngleAxisd(0.7, Vec3(1, 2, -1).normalized()).toRotationMatrix();
  const Vec3 way(0.3, -0.2, 0.1), spin(0.5, -1, 2);
  std::vector<Vec3> x = shape.vertices, v;
  for (Vec3& one : x) {
    one = way + turn * one;
    v.push_back(Vec3(1, 2, 3) + spin.cross(one));
  }
  surface.set_end(x, v);
  double turned = 0, moved = 0, velocity = 0;
  for (const SurfacePlace& place : places(shape, 0)) {
    const BodyTrial motion = surface.motion_at(place, 1);
    test::keep_largest(turned, (motion.Q - turn).norm());
    test::keep_largest(moved, (motion.u - way).norm());
    test::keep_largest(velocity, (motion.w - spin).norm());
    test::keep_largest(velocity, (motion.v - spin.cross(motion.x) - Vec3(1, 2, 3)).norm());
  }
  EXPECT_LT(turned, 1e-14);
  EXPECT_LT(moved, 1e-14);
  EXPECT_LT(velocity, 1e-13);
}

TEST(DeformingSurface, ForcesOnVerticesHaveTheSumAndTheMomentOfForceAndCouple) {
  Shape shape = sheet();
  DeformingSurface surface(shape);
  surface.set_end(
      [&] {
        std::vector<Vec3> x = shape.vertices;
        const std::vector<Vec3> way = random_vectors(x.size(), 0.03, 1);
        for (std::size_t k = 0; k < x.size(); ++k) x[k] += way[k];
        return x;
      }(),
      random_vectors(shape.vertices.size(), 1, 2));
  const Vec3 force(3, -2, 5), couple(0.2, 0.5, -0.4);
  double sum_error = 0, moment_error = 0;
  for (const SurfacePlace& place : places(surface.at(1), 1)) {
    std::vector<Vec3> forces(shape.vertices.size(), Vec3::Zero());
    surface.add_forces(place, force, couple, forces);
    Vec3 sum = -force, moment = -couple - place.point.cross(force);
    for (std::size_t k = 0; k < forces.size(); ++k) {
      sum += forces[k];
      moment += surface.position(static_cast<int>(k), 1).cross(forces[k]);
    }
    test::keep_largest(sum_error, sum.norm());
    test::keep_largest(moment_error, moment.norm());
  }
  EXPECT_LT(sum_error, 1e-14);
  EXPECT_LT(moment_error, 1e-14);
}

TEST(DeformingSurface, ForcesOnVerticesDoTheWorkOfForceAndCoupleInAnyMotionOfTheVertices) {
  Shape shape = sheet();
  DeformingSurface surface(shape);
  const std::vector<Vec3> v = random_vectors(shape.vertices.size(), 1, 3);
  surface.accept(shape.vertices, v);
  const Vec3 force(3, -2, 5), couple(0.2, 0.5, -0.4);
  double error = 0;
  for (const SurfacePlace& place : places(shape, 0)) {
    std::vector<Vec3> forces(shape.vertices.size(), Vec3::Zero());
    surface.add_forces(place, force, couple, forces);
    double power = 0;
    for (std::size_t k = 0; k < forces.size(); ++k) power += forces[k].dot(v[k]);
    const BodyTrial motion = surface.motion_at(place, 0);
    const Vec3 of_point = motion.v + motion.w.cross(place.point - motion.x);
    test::keep_largest(error, std::abs(power - force.dot(of_point) - couple.dot(motion.w)));
  }
  EXPECT_LT(error, 1e-13);
}

TEST(DeformingSurface, SpinsAreTheRatesOfTheRotationsOfPlaces) {
  Shape shape = sheet();
  DeformingSurface surface(shape);
  const std::vector<Vec3> v = random_vectors(shape.vertices.size(), 1, 4);
  constexpr double kStep = 1e-6;
  std::vector<Vec3> x = shape.vertices;
  for (std::size_t k = 0; k < x.size(); ++k) x[k] += kStep * v[k];
  surface.accept(shape.vertices, v);
  surface.set_end(x, v);
  double error = 0;
  for (const SurfacePlace& place : places(shape, 0)) {
    const Vec3 spin = surface.motion_at(place, 0).w;
    test::keep_largest(error, (surface.motion_at(place, 1).alpha / kStep - spin).norm() / spin.norm());
  }
  EXPECT_LT(error, 1e-4);
}

TEST(DeformingSurface, GeometryAtAPhaseIsThatOfASurfaceMadeThere) {
  Shape shape = sheet();
  const Shape first = shape;
  DeformingSurface surface(shape);
  std::vector<Vec3> x = first.vertices;
  const std::vector<Vec3> way = random_vectors(x.size(), 0.05, 5);
  for (std::size_t k = 0; k < x.size(); ++k) x[k] += way[k];
  surface.set_end(x, way);
  BodyPair pair;
  for (int f = 0; f < 32; f += 3) pair.closed.push_back({FeatureKind::face, f});
  const DeformingSurface::Part part = surface.part_of(pair);
  for (const double phase : {0.25, 1.0, 0.5, 0.25}) {
    std::vector<std::vector<int>> loops;
    for (const Face& face : first.faces) loops.push_back(face.loop);
    std::vector<Vec3> there = first.vertices;
    for (std::size_t k = 0; k < there.size(); ++k) there[k] += phase * way[k];
    const Shape made = make_coupled_surface("there", there, loops);
    double error = 0, walked = 0;
    for (std::size_t f = 0; f < made.faces.size(); ++f) {
      test::keep_largest(error, (surface.at(phase).faces[f].normal - made.faces[f].normal).norm());
      test::keep_largest(error, std::abs(surface.at(phase).faces[f].offset - made.faces[f].offset));
    }
    for (std::size_t e = 0; e < made.edges.size(); ++e)
      test::keep_largest(error, (surface.at(phase).edges[e].direction - made.edges[e].direction).norm());
    for (const int f : part.faces)
      test::keep_largest(
          walked, (surface.walk(part, phase).faces[f].normal - made.faces[static_cast<std::size_t>(f)].normal)
                      .norm());
    EXPECT_LT(error, 1e-13) << phase;
    EXPECT_LT(walked, 1e-13) << phase;
  }
  surface.accept(x, way);
  EXPECT_EQ(shape.vertices, x);
  EXPECT_EQ(surface.way(0), surface.way(1));
}

TEST(DeformingSurface, LeavesRequestsToStopToThoseWhoMoveIt) {
  Shape shape = sheet(48);  // trees of so many faces look for requests
  DeformingSurface surface(shape);
  std::vector<Vec3> x = shape.vertices;
  for (Vec3& one : x) one.z() += 0.01;
  const std::vector<Vec3> still(x.size(), Vec3::Zero());
  request_interrupt();
  EXPECT_NO_THROW({
    surface.set_end(x, still);
    (void)surface.at(0.5);
    surface.accept(x, still);
  });
  EXPECT_TRUE(interrupt_requested());
  clear_interrupt();
  EXPECT_EQ(shape.vertices, x);
}

TEST(DeformingSurface, FindsTrianglesThatDegenerateOrFoldOver) {
  const Shape shape = sheet();
  EXPECT_EQ(find_fault(shape, shape.vertices, shape.vertices).face, -1);
  std::vector<Vec3> x = shape.vertices;
  x[12] = x[11];
  EXPECT_GE(find_fault(shape, shape.vertices, x).face, 0);
  EXPECT_EQ(find_fault(shape, shape.vertices, x).other, -1);
  x = shape.vertices;
  x[0] = x[6] + 0.9 * (x[6] - x[0]) + Vec3(0, 0, 0.001);  // the corner is turned in
  const SurfaceFault fold = find_fault(shape, shape.vertices, x);
  EXPECT_GE(fold.face, 0);
  EXPECT_GE(fold.other, 0);
}

TEST(DeformingSurface, FindsTrianglesThatShrinkOnTheWayAlone) {
  const Shape shape = sheet();
  std::vector<Vec3> before = shape.vertices;
  for (Vec3& one : before) one.z() = 0;  // bumps would keep some of the area
  const auto after = [&](const Mat3& map) {
    std::vector<Vec3> x = before;
    for (Vec3& one : x) one = map * one;
    return x;
  };
  const Mat3 mirror = Vec3(-1, 1, 1).asDiagonal();
  EXPECT_EQ(find_fault(shape, before, after(mirror)).face, -1);
  const SurfaceFault fault = find_fault_on_the_way(shape, {before, after(mirror)});
  EXPECT_GE(fault.face, 0);
  EXPECT_EQ(fault.other, -1);
  // Shrunk to less than 1e-3 of the area at no multiple of a power of 1/2, and seen all the same.
  const Mat3 past = Vec3(-0.7, 1, 1).asDiagonal();
  EXPECT_GE(find_fault_on_the_way(shape, {before, after(past)}).face, 0);
  // A turn by 170 degrees along lines leaves cos^2 85 = 7.6e-3 of the area, one by 178 degrees 3e-4.
  const auto turned = [](double degrees) {
    return Mat3(Eigen::AngleAxisd(degrees * M_PI / 180, Vec3::UnitZ()).toRotationMatrix());
  };
  EXPECT_EQ(find_fault_on_the_way(shape, {before, after(turned(170))}).face, -1);
  EXPECT_GE(find_fault_on_the_way(shape, {before, after(turned(178))}).face, 0);
  // With the velocities of the turn half a turn is a curve that keeps clear of the middle.
  const Mat3 spin = M_PI / 3 * turned(90);
  std::vector<Vec3> one = before, two = after(turned(180));
  for (std::size_t k = 0; k < one.size(); ++k) {
    const Vec3 step(spin(0, 1) * before[k].y(), spin(1, 0) * before[k].x(), 0);
    one[k] += step;
    two[k] += step;
  }
  EXPECT_EQ(find_fault_on_the_way(shape, {before, one, two, after(turned(180))}).face, -1);
}

}  // namespace
}  // namespace scree::contact

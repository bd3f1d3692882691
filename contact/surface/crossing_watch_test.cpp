#include "contact/surface/crossing_watch.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "core/mesh/crossing_faces.hpp"
#include "core/rotation.hpp"
#include "core/shapes/coupled_surface.hpp"
#include "core/test_random.hpp"

namespace scree::contact {
namespace {

using test::random_vector;

/// A strip of n x 3 squares of two triangles each, in the plane, 1 m long.
Shape strip(int n) {
  std::vector<Vec3> vertices;
  std::vector<std::vector<int>> faces;
  for (int j = 0; j <= 3; ++j)
    for (int i = 0; i <= n; ++i) vertices.emplace_back(1.0 * i / n, 0.1 * j, 0);
  for (int j = 0; j < 3; ++j) {
    for (int i = 0; i < n; ++i) {
      const int k = (n + 1) * j + i;
      faces.push_back({k, k + 1, k + n + 2});
      faces.push_back({k, k + n + 2, k + n + 1});
    }
  }
  return make_coupled_surface("strip", vertices, faces);
}

/// The strip bent along a curve that crosses itself at the origin where `part` is 1; 0: a bow that is open.
std::vector<Vec3> bent(const Shape& flat, double part) {
  std::vector<Vec3> x;
  for (const Vec3& p : flat.vertices) {
    const double t = -0.6 + part * (M_PI + 1.2) * p.x();
    x.emplace_back(std::sin(t), p.y(), std::sin(2 * t));
  }
  return x;
}

bool crosses(const Shape& surface, const std::vector<Vec3>& x) {
  PolyhedronSurface all;
  all.vertices = x;
  for (const Face& face : surface.faces) all.loops.push_back(face.loop);
  return !crossing_faces(all, 1).empty();
}

TEST(CrossingWatch, FindsWhereAStripPassesThroughItself) {
  const Shape flat = strip(24);
  CrossingWatch watch(flat);
  int apart = 0;
  for (int k = 1; k <= 100; ++k) {
    const std::vector<Vec3> x = bent(flat, 0.01 * k);
    ASSERT_EQ(watch.find(x).has_value(), crosses(flat, x)) << k;
    if (!crosses(flat, x)) ++apart;
  }
  EXPECT_GT(apart, 30);
  EXPECT_LT(apart, 90);
}

/// Against a search of another kind (core/mesh/crossing_faces), step by step as in a coupled run.
TEST(CrossingWatch, AgreesWithASearchOverAllFacesInRandomMotions) {
  const Shape flat = strip(8);
  std::mt19937_64 engine(3);
  int crossed = 0, apart = 0;
  for (int run = 0; run < 60; ++run) {
    CrossingWatch watch(flat);
    std::vector<Vec3> x = flat.vertices;
    const double size = 0.002 * std::pow(10.0, run % 3 * 0.6);
    for (int step = 0; step < 80; ++step) {
      for (Vec3& one : x) one += random_vector(engine, size);
      const bool wanted = crosses(flat, x);
      ASSERT_EQ(watch.find(x).has_value(), wanted) << run << " " << step;
      ++(wanted ? crossed : apart);
      if (wanted) break;
    }
  }
  EXPECT_GT(crossed, 10);
  EXPECT_GT(apart, 1000);
}

TEST(CrossingWatch, MeasuresNothingWhileASurfaceMovesAsAWhole) {
  const Shape flat = strip(10);
  CrossingWatch watch(flat);
  std::mt19937_64 engine(5);
  for (int step = 0; step < 50; ++step) {
    const Mat3 R = rotation::quaternion(random_vector(engine, 2)).toRotationMatrix();
    const Vec3 shift = random_vector(engine, 10);
    std::vector<Vec3> x;
    for (const Vec3& p : flat.vertices) x.push_back(R * p + shift + random_vector(engine, 1e-3));
    EXPECT_FALSE(watch.find(x));
  }
  EXPECT_EQ(watch.measured(), 0);
}

TEST(CrossingWatch, LeavesOutWhatTouchesAtRest) {
  Shape both = strip(4);
  const std::size_t vertices = both.vertices.size();
  // A second sheet whose vertices are those of the first, not merged: a seam along its border.
  std::vector<Vec3> all = both.vertices;
  std::vector<std::vector<int>> faces;
  for (const Face& face : both.faces) faces.push_back(face.loop);
  for (const Vec3& v : both.vertices) all.emplace_back(v.x() + 1, v.y(), v.z());
  for (const Face& face : both.faces) {
    std::vector<int> loop = face.loop;
    for (int& v : loop) v += static_cast<int>(vertices);
    faces.push_back(loop);
  }
  const Shape seam = make_coupled_surface("seam", all, faces);
  CrossingWatch watch(seam);
  std::vector<Vec3> x = seam.vertices;
  for (Vec3& one : x) one.z() += 0.3 * one.x() * one.x();
  EXPECT_FALSE(watch.find(x));
  EXPECT_EQ(watch.measured(), 1);
  for (std::size_t k = vertices; k < x.size(); ++k) x[k] -= Vec3(0.5, 0, 0.3);
  EXPECT_TRUE(watch.find(x));
}

}  // namespace
}  // namespace scree::contact

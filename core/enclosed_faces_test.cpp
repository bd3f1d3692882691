/// Parts of a surface that lie within each other, against winding numbers that are known.
#include "core/enclosed_faces.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "core/shape.hpp"

namespace scree {
namespace {

/// A cube of triangles. @param inwards turned inside out: a cavity.
void add_cube(PolyhedronSurface& surface, const Vec3& corner, double size, bool inwards = false) {
  const int n = static_cast<int>(surface.vertices.size());
  for (int k = 0; k < 8; ++k)
    surface.vertices.emplace_back(corner + size * Vec3(k & 1, (k >> 1) & 1, (k >> 2) & 1));
  for (const auto& q :
       {std::vector{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}}) {
    for (const auto& t : {std::vector{q[0], q[1], q[2]}, {q[0], q[2], q[3]}}) {
      surface.loops.push_back({n + t[0], n + t[inwards ? 2 : 1], n + t[inwards ? 1 : 2]});
    }
  }
}

std::string refusal(const PolyhedronSurface& surface) {
  try {
    (void)make_polyhedron("cubes", surface.vertices, surface.loops);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(EnclosedFaces, WindingNumbersCountHowOftenASurfaceGoesAround) {
  PolyhedronSurface surface;
  add_cube(surface, Vec3::Zero(), 4);
  add_cube(surface, {1, 1, 1}, 2);
  add_cube(surface, {1.5, 1.5, 1.5}, 1, true);
  EXPECT_NEAR(winding_number(surface, {5, 1, 2}), 0, 1e-14);
  EXPECT_NEAR(winding_number(surface, {0.5, 1, 2}), 1, 1e-14);
  EXPECT_NEAR(winding_number(surface, {1.2, 1.3, 2}), 2, 1e-14);
  EXPECT_NEAR(winding_number(surface, {2, 2, 2}), 1, 1e-14);
}

TEST(EnclosedFaces, OfPartsThatOverlapAreFoundHoweverTheyLie) {
  // Edges through the diagonals of faces, faces flush, one within the other: none has an edge that passes
  // through the inside of a triangle.
  for (const auto& [corner, size] :
       {std::pair{Vec3(1, 1, 1), 2.0}, {Vec3(1, 0, 0), 2.0}, {Vec3(0.5, 0.6, 0.7), 1.0}}) {
    PolyhedronSurface surface;
    add_cube(surface, Vec3::Zero(), 2);
    add_cube(surface, corner, size);
    const auto found = enclosed_faces(surface, 99);
    ASSERT_FALSE(found.empty()) << corner.transpose();
    for (const EnclosedFace& face : found) EXPECT_EQ(face.times, 2);
    EXPECT_NE(refusal(surface).find("would count 2 times"), std::string::npos) << refusal(surface);
  }
}

TEST(EnclosedFaces, CavitiesAndPartsThatTouchAreWell) {
  PolyhedronSurface hollow;
  add_cube(hollow, Vec3::Zero(), 2);
  add_cube(hollow, {0.5, 0.5, 0.5}, 1, true);
  EXPECT_EQ(refusal(hollow), "");
  EXPECT_DOUBLE_EQ(make_polyhedron("hollow", hollow.vertices, hollow.loops).volume, 7);
  PolyhedronSurface flush;
  add_cube(flush, Vec3::Zero(), 2);
  add_cube(flush, {2, 0, 0}, 2);
  EXPECT_TRUE(enclosed_faces(flush, 9).empty());
}

TEST(EnclosedFaces, APartTurnedInsideOutBesideAnotherIsFound) {
  PolyhedronSurface surface;
  add_cube(surface, Vec3::Zero(), 2);
  add_cube(surface, {3, 0, 0}, 1, true);
  const std::string text = refusal(surface);
  EXPECT_NE(text.find("face 12"), std::string::npos) << text;
  EXPECT_NE(text.find("turned inside out"), std::string::npos) << text;
}

TEST(EnclosedFaces, AcuteSpikesAreWell) {
  // A needle a thousand times as long as wide: little is behind its corners.
  PolyhedronSurface surface;
  surface.vertices = {{0, 0, 0}, {1e-3, 0, 0}, {0, 1e-3, 0}, {2e-4, 3e-4, 1}};
  surface.loops = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}};
  EXPECT_TRUE(enclosed_faces(surface, 9).empty());
}

TEST(EnclosedFaces, OfALargeSurfaceSomeAreLookedAt) {
  // Two balls of 7,600 triangles each, one half inside of the other.
  PolyhedronSurface surface;
  constexpr int kAround = 60, kDown = 64;
  for (const double x : {0.0, 1.0}) {
    const int n = static_cast<int>(surface.vertices.size());
    surface.vertices.emplace_back(x, 0, 1);
    for (int j = 1; j < kDown; ++j)
      for (int i = 0; i < kAround; ++i) {
        const double t = M_PI * j / kDown, p = 2 * M_PI * i / kAround;
        surface.vertices.emplace_back(x + std::sin(t) * std::cos(p), std::sin(t) * std::sin(p), std::cos(t));
      }
    surface.vertices.emplace_back(x, 0, -1);
    const auto at = [&](int j, int i) { return n + 1 + (j - 1) * kAround + i % kAround; };
    for (int i = 0; i < kAround; ++i) {
      surface.loops.push_back({n, at(1, i), at(1, i + 1)});
      surface.loops.push_back({at(kDown - 1, i + 1), at(kDown - 1, i), at(kDown - 1, 0) + kAround});
      for (int j = 1; j + 1 < kDown; ++j) {
        surface.loops.push_back({at(j, i), at(j + 1, i), at(j + 1, i + 1)});
        surface.loops.push_back({at(j, i), at(j + 1, i + 1), at(j, i + 1)});
      }
    }
  }
  EXPECT_FALSE(enclosed_faces(surface, 9).empty());
}

}  // namespace
}  // namespace scree

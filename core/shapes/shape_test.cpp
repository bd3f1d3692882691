#include "core/shapes/shape.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numbers>

#include "core/error.hpp"
#include "core/shapes/coupled_surface.hpp"
#include "core/test_extremes.hpp"

namespace scree {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

struct Surface {
  std::vector<Vec3> vertices;
  std::vector<std::vector<int>> faces;
};

/// Cube [0, 1]^3 of 12 triangles.
Surface triangulated_cube() {
  Surface s;
  for (int k = 0; k < 8; ++k) s.vertices.emplace_back(k & 1, (k >> 1) & 1, (k >> 2) & 1);
  for (const auto& q : std::vector<std::array<int, 4>>{
           {0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}}) {
    s.faces.push_back({q[0], q[1], q[2]});
    s.faces.push_back({q[0], q[2], q[3]});
  }
  return s;
}

/// Prism of height 1 over a simple polygon, anticlockwise; its ends as given (numbers of the polygon).
Surface prism(const std::vector<std::pair<double, double>>& polygon,
              const std::vector<std::vector<int>>& ends) {
  Surface s;
  const int n = static_cast<int>(polygon.size());
  for (const double z : {0.0, 1.0}) {
    for (const auto& [x, y] : polygon) s.vertices.emplace_back(x, y, z);
  }
  for (int k = 0; k < n; ++k) s.faces.push_back({k, (k + 1) % n, n + (k + 1) % n, n + k});
  for (auto end : ends) {
    auto top = end;
    for (int& v : top) v += n;
    s.faces.push_back(top);
    std::reverse(end.begin(), end.end());
    s.faces.push_back(end);
  }
  return s;
}

Surface l_prism() {
  return prism({{0, 0}, {2, 0}, {2, 1}, {1, 1}, {1, 2}, {0, 2}}, {{0, 1, 2, 3}, {0, 3, 4, 5}});
}

/// Euler's formula and mutual references: what adjacency promises.
void expect_consistent(const Shape& shape) {
  EXPECT_EQ(static_cast<int>(shape.vertices.size()) - static_cast<int>(shape.edges.size()) +
                static_cast<int>(shape.faces.size()),
            2);
  for (int e = 0; e < static_cast<int>(shape.edges.size()); ++e) {
    const Edge& edge = shape.edges[e];
    ASSERT_GE(edge.f0, 0);
    ASSERT_GE(edge.f1, 0);
    EXPECT_NEAR((shape.vertices[edge.v0] + edge.length * edge.direction - shape.vertices[edge.v1]).norm(), 0,
                1e-14);
    const auto runs = [&](int f, int from, int to) {
      const Face& face = shape.faces[f];
      const std::size_t k = std::find(face.edges.begin(), face.edges.end(), e) - face.edges.begin();
      ASSERT_LT(k, face.edges.size());
      EXPECT_EQ(face.loop[k], from);
      EXPECT_EQ(face.loop[(k + 1) % face.loop.size()], to);
    };
    runs(edge.f0, edge.v0, edge.v1);
    runs(edge.f1, edge.v1, edge.v0);
  }
  std::size_t at_vertices = 0, in_loops = 0;
  for (const auto& faces : shape.vertex_faces) at_vertices += faces.size();
  for (const auto& face : shape.faces) {
    in_loops += face.loop.size();
    for (const int v : face.loop) EXPECT_NEAR(face.normal.dot(shape.vertices[v]), face.offset, 1e-14);
  }
  EXPECT_EQ(at_vertices, in_loops);
}

TEST(Shape, SphereIsOneVertexWithItsInertia) {
  const Shape s = make_sphere("ball", 0.5);
  EXPECT_EQ(s.vertices.size(), 1u);
  EXPECT_TRUE(s.edges.empty() && s.faces.empty());
  EXPECT_DOUBLE_EQ(s.volume, std::numbers::pi / 6);
  EXPECT_DOUBLE_EQ(s.inertia_per_density(1, 1), 0.4 * s.volume * 0.25);
  EXPECT_DOUBLE_EQ(s.smallest_feature, 1.0);
  EXPECT_EQ(s.vertex_acts[0], 1);
}

TEST(Shape, CapsuleInertiaMatchesSlices) {
  const double r = 0.3, length = 0.7;
  const Shape s = make_capsule("rod", r, length);
  double volume = 0, across = 0, along = 0;
  const int n = 200000;
  const double half = 0.5 * length, top = half + r, dz = 2 * top / n;
  for (int i = 0; i < n; ++i) {
    const double z = -top + (i + 0.5) * dz;
    const double h = std::max(0.0, std::abs(z) - half);
    const double area = std::numbers::pi * (r * r - h * h), r2 = r * r - h * h;
    volume += area * dz;
    along += 0.5 * area * r2 * dz;
    across += area * (0.25 * r2 + z * z) * dz;
  }
  EXPECT_NEAR(s.volume, volume, 1e-9 * volume);
  EXPECT_NEAR(s.inertia_per_density(2, 2), along, 1e-8 * along);
  EXPECT_NEAR(s.inertia_per_density(0, 0), across, 1e-8 * across);
  ASSERT_EQ(s.edges.size(), 1u);
  EXPECT_EQ(s.edges[0].f0, -1);
  EXPECT_EQ(s.edges[0].f1, -1);
  EXPECT_DOUBLE_EQ(s.bounding_radius, 0.65);
}

TEST(Shape, BoxHasEightVerticesTwelveEdgesSixFaces) {
  const Shape s = make_box("block", {1, 2, 3});
  EXPECT_EQ(s.vertices.size(), 8u);
  EXPECT_EQ(s.edges.size(), 12u);
  EXPECT_EQ(s.faces.size(), 6u);
  expect_consistent(s);
  for (const auto& edge : s.edges) EXPECT_EQ(edge.kind, EdgeKind::convex);
  for (const auto& face : s.faces) EXPECT_GT(face.offset, 0);
  EXPECT_TRUE(s.convex);
  EXPECT_DOUBLE_EQ(s.smallest_feature, 1);
  EXPECT_DOUBLE_EQ(s.inertia_per_density(0, 0), 6.0 / 12 * 13);
  EXPECT_EQ(std::count(s.vertex_acts.begin(), s.vertex_acts.end(), 1), 8);
  EXPECT_EQ(s.triangles.size(), 12u);
}

TEST(Shape, PlaneIsOneUnboundedFace) {
  const Shape s = make_plane("floor");
  ASSERT_EQ(s.faces.size(), 1u);
  EXPECT_TRUE(s.faces[0].loop.empty());
  EXPECT_EQ(s.faces[0].normal, Vec3(0, 0, 1));
}

TEST(Shape, SizesMustBePositive) {
  EXPECT_THROW(make_sphere("a", 0), InputError);
  EXPECT_THROW(make_capsule("a", 1, -1), InputError);
  EXPECT_THROW(make_box("a", {1, 0, 1}), InputError);
}

TEST(ShapePolyhedron, TrianglesOfACubeMergeIntoTheBox) {
  auto cube = triangulated_cube();
  const Vec3 far(1000, -2000, 300);
  for (auto& v : cube.vertices) v += far;
  const Shape s = make_polyhedron("cube", cube.vertices, cube.faces);
  EXPECT_EQ(s.vertices.size(), 8u);
  EXPECT_EQ(s.edges.size(), 12u);
  EXPECT_EQ(s.faces.size(), 6u);
  expect_consistent(s);
  EXPECT_TRUE(s.convex);
  EXPECT_NEAR(s.volume, 1, 1e-12);
  EXPECT_NEAR((s.inertia_per_density - Mat3::Identity() / 6).norm(), 0, 1e-12);
  EXPECT_NEAR((s.shift - far - Vec3(0.5, 0.5, 0.5)).norm(), 0, 1e-12);
  EXPECT_NEAR(s.bounding_radius, std::sqrt(0.75), 1e-12);
}

TEST(ShapePolyhedron, SubdividedFacesAndStraightEdgesLeaveNoVertices) {
  // Cube whose top is a fan about its middle and whose edge 4-5 is split in two on both sides.
  auto cube = triangulated_cube();
  cube.faces.resize(10);
  cube.vertices.emplace_back(0.5, 0.5, 1);  // 8, middle of the top
  cube.vertices.emplace_back(0.5, 0, 1);    // 9, on the edge 4-5
  for (const auto& [a, b] : std::vector<std::pair<int, int>>{{4, 9}, {9, 5}, {5, 7}, {7, 6}, {6, 4}}) {
    cube.faces.push_back({a, b, 8});
  }
  // Side y = 0 was {0,1,5}, {0,5,4}.
  const std::vector<int> with_54{0, 5, 4};
  std::erase(cube.faces, with_54);
  cube.faces.push_back({0, 5, 9});
  cube.faces.push_back({0, 9, 4});
  const Shape s = make_polyhedron("cube", cube.vertices, cube.faces);
  EXPECT_EQ(s.vertices.size(), 8u);
  EXPECT_EQ(s.edges.size(), 12u);
  EXPECT_EQ(s.faces.size(), 6u);
  expect_consistent(s);
  EXPECT_NEAR(s.volume, 1, 1e-14);
}

TEST(ShapePolyhedron, InertiaOfACornerTetrahedron) {
  // x, y, z >= 0, x + y + z <= 1: V = 1/6, int x^2 = 1/60, int xy = 1/120, centre 1/4.
  const Shape s = make_polyhedron("tet", {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
                                  {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}});
  expect_consistent(s);
  EXPECT_NEAR(s.volume, 1.0 / 6, 1e-16);
  EXPECT_NEAR(s.inertia_per_density(0, 0), 2.0 / 60 - 2.0 / 96, 1e-16);
  EXPECT_NEAR(s.inertia_per_density(0, 1), -(1.0 / 120 - 1.0 / 96), 1e-16);
}

TEST(ShapePolyhedron, GrooveIsConcaveAndKeepsCoplanarEdges) {
  const auto l = l_prism();
  const Shape s = make_polyhedron("L", l.vertices, l.faces);
  expect_consistent(s);
  EXPECT_FALSE(s.convex);
  EXPECT_NEAR(s.volume, 3, 1e-14);
  EXPECT_EQ(s.faces.size(), 10u);  // the L itself is not convex, so its two halves stay
  const auto count = [&](EdgeKind kind) {
    return std::count_if(s.edges.begin(), s.edges.end(), [&](const Edge& e) { return e.kind == kind; });
  };
  EXPECT_EQ(count(EdgeKind::concave), 1);
  EXPECT_EQ(count(EdgeKind::coplanar), 2);
}

TEST(ShapePolyhedron, VerticesOfFlatPlacesDoNotActAndThoseOfStraightEdgesDo) {
  // The L again, with a vertex in the middle of its long side (x, 0) that only one of the two halves needs,
  // and one within its lower face.
  const auto l = prism({{0, 0}, {1, 0}, {2, 0}, {2, 1}, {1, 1}, {1, 2}, {0, 2}},
                       {{1, 2, 3, 4}, {0, 1, 4}, {0, 4, 5, 6}});
  auto vertices = l.vertices;
  auto faces = l.faces;
  const auto below = std::find_if(faces.begin(), faces.end(), [&](const std::vector<int>& loop) {
    return loop.size() == 3 &&
           std::all_of(loop.begin(), loop.end(), [&](int v) { return vertices[v].z() == 0; });
  });
  ASSERT_NE(below, faces.end());
  const std::vector<int> corners = *below;
  const int within = static_cast<int>(vertices.size());
  vertices.emplace_back((vertices[corners[0]] + vertices[corners[1]] + vertices[corners[2]]) / 3);
  faces.erase(below);
  for (int k = 0; k < 3; ++k) faces.push_back({corners[k], corners[(k + 1) % 3], within});
  const Shape s = make_polyhedron("L", vertices, faces);
  bool mid_edge = false;
  for (int v = 0; v < static_cast<int>(s.vertices.size()); ++v) {
    const Vec3 p = s.vertices[v] + s.shift;
    mid_edge = mid_edge || (std::abs(p.x() - 1) < 1e-9 && std::abs(p.y()) < 1e-9);
    const bool flat = (p - vertices[static_cast<std::size_t>(within)]).norm() < 1e-9;
    EXPECT_EQ(s.vertex_acts[v], flat ? 0 : 1) << p.transpose();
  }
  EXPECT_TRUE(mid_edge);
  EXPECT_EQ(std::count(s.vertex_acts.begin(), s.vertex_acts.end(), 0), 1);
  for (const auto& [a, b, c] : s.triangles) {
    const Vec3 side = s.vertices[b] - s.vertices[a];
    EXPECT_GT(side.cross(s.vertices[c] - s.vertices[a]).norm(), 0.1);
  }
}

/// Everything that make_polyhedron says of a surface.
std::string complaint(const Surface& s) {
  try {
    make_polyhedron("stone", s.vertices, s.faces);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(ShapePolyhedron, FaultsAreToldTogether) {
  auto cube = triangulated_cube();
  cube.faces[0] = {0, 1, 12};
  cube.faces[3] = {1, 1, 7};
  const std::string both = complaint(cube);
  EXPECT_THAT(both, HasSubstr("stone: face 0: vertex number 12 is out of range; expected 0 to 7."));
  EXPECT_THAT(both, HasSubstr("face 3 is degenerate"));
}

TEST(ShapePolyhedron, OpenTurnedAndInsideOutSurfacesAreRefused) {
  auto open = triangulated_cube();
  open.faces.pop_back();
  EXPECT_THAT(complaint(open), HasSubstr("not closed"));
  auto turned = triangulated_cube();
  std::swap(turned.faces[4][0], turned.faces[4][1]);
  EXPECT_THAT(complaint(turned), HasSubstr("and 4 traverse the edge"));
  auto fin = triangulated_cube();
  fin.vertices.emplace_back(9, 9, 9);
  const int tip = static_cast<int>(fin.vertices.size()) - 1, from = fin.faces[0][0], to = fin.faces[0][1];
  fin.faces.push_back({from, to, tip});
  const std::string more = complaint(fin);
  EXPECT_THAT(more, HasSubstr("stone: 3 faces meet at the edge from vertex " + std::to_string(from)));
  EXPECT_THAT(more, Not(HasSubstr("traverse the edge")));
  // Four faces: reported once.
  fin.faces.push_back({to, from, tip});
  const std::string four = complaint(fin);
  EXPECT_THAT(four, HasSubstr("4 faces meet at the edge"));
  EXPECT_EQ(four.find("meet at"), four.rfind("meet at"));
  auto inside_out = triangulated_cube();
  for (auto& face : inside_out.faces) std::swap(face[0], face[1]);
  EXPECT_THAT(complaint(inside_out), HasSubstr("inverted orientation (volume -1 m^3)"));
  auto bent = l_prism();
  bent.vertices[0].z() = -0.5;
  EXPECT_THAT(complaint(bent), HasSubstr("not planar"));
}

TEST(ShapeSurface, MayBeOpenAndMergesWhatIsFlat) {
  // A trough of two planes with a fold along y, each of four triangles.
  const std::vector<Vec3> v = {{-1, 0, 1}, {0, 0, 0},  {1, 0, 1}, {-1, 1, 1}, {0, 1, 0},
                               {1, 1, 1},  {-1, 2, 1}, {0, 2, 0}, {1, 2, 1}};
  const Shape trough = make_surface(
      "trough", v, {{0, 1, 4}, {0, 4, 3}, {3, 4, 7}, {3, 7, 6}, {1, 2, 5}, {1, 5, 4}, {4, 5, 8}, {4, 8, 7}});
  EXPECT_TRUE(trough.open);
  EXPECT_FALSE(trough.convex);
  ASSERT_EQ(trough.faces.size(), 2u);
  ASSERT_EQ(trough.edges.size(), 7u);  // six on the border and the fold
  EXPECT_EQ(trough.shift, Vec3(0, 1, 0.5));
  for (const Edge& edge : trough.edges) EXPECT_EQ(edge.kind, EdgeKind::convex);  // on one side or the other
  EXPECT_EQ(std::count_if(trough.edges.begin(), trough.edges.end(), [](const Edge& e) { return e.f1 < 0; }),
            6);
  EXPECT_EQ(std::count(trough.vertex_acts.begin(), trough.vertex_acts.end(), 1), 6);
  // Triangles that turn against each other have no common side.
  EXPECT_THROW(make_surface("turned", v, {{0, 1, 4}, {0, 3, 4}}), InputError);
  EXPECT_THROW(make_surface("empty", v, {}), InputError);
}

TEST(ShapeSurface, CoupledPolygonsAreSplitIntoTrianglesWithArea) {
  // A rectangle with a vertex in the middle of a side.
  const std::vector<Vec3> v = {{-1, -1, 0}, {0, -1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0}};
  std::vector<int> face = {0, 1, 2, 3, 4};
  for (int start = 0; start < 5; ++start) {
    const Shape sheet = make_coupled_surface("sheet", v, {face});
    ASSERT_EQ(sheet.faces.size(), 3u);
    double area = 0;
    for (const Face& triangle : sheet.faces) {
      const Vec3 a = v[triangle.loop[1]] - v[triangle.loop[0]], b = v[triangle.loop[2]] - v[triangle.loop[0]];
      EXPECT_GT(a.cross(b).z(), 1.9) << start;
      area += 0.5 * a.cross(b).z();
    }
    EXPECT_NEAR(area, 4, 1e-14) << start;
    std::rotate(face.begin(), face.begin() + 1, face.end());
  }
  const auto refusal = [](const std::vector<Vec3>& vertices) -> std::string {
    try {
      make_coupled_surface("sheet", vertices, {{0, 1, 2, 3, 4, 5}});
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_THAT(refusal({{0, 0, 0}, {2, 0, 0}, {2, 1, 0}, {1, 1, 0}, {1, 2, 0}, {0, 2, 0}}),
              HasSubstr("face 0 is not a convex polygon. Split it into triangles."));
  EXPECT_THAT(refusal({{-1, -1, 0}, {0, -1, 0}, {0, -1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0}}),
              HasSubstr("sheet: face 0 has no division into triangles with area"));
}

/// Small boxes at 500 places, which go with time.
struct ManyBoxes {
  std::vector<Eigen::AlignedBox3d> boxes;
  std::vector<Vec3> centres;

  explicit ManyBoxes(double time) {
    for (int k = 0; k < 500; ++k) {
      centres.emplace_back(std::cos(1.7 * k + time), std::sin(2.3 * k), std::cos(0.3 + 3.1 * k - time));
      boxes.emplace_back(centres.back() - Vec3::Constant(0.01), centres.back() + Vec3::Constant(0.01));
    }
  }

  /// @param most faces that are found beside a point.
  void expect_found_in(const FaceTree& tree, std::size_t most) const {
    for (int k = 0; k < 50; ++k) {
      const Vec3 p(1.2 * std::cos(5.0 * k), std::sin(3.0 * k), std::cos(2.0 * k));
      std::vector<int> near, expected;
      tree.near(p, 0.4, near);
      double nearest = 10;
      for (int f = 0; f < 500; ++f) {
        if (boxes[f].exteriorDistance(p) <= 0.4) expected.push_back(f);
        test::keep_smallest(nearest, (centres[f] - p).norm());
      }
      EXPECT_TRUE(std::includes(near.begin(), near.end(), expected.begin(), expected.end()));
      EXPECT_LT(near.size(), most);
      EXPECT_EQ(tree.nearest(p, [&](int f) { return (centres[f] - p).norm(); }), nearest);
    }
  }
};

TEST(FaceTree, FindsWhatIsNearAndTheNearest) {
  const ManyBoxes many(0);
  many.expect_found_in(FaceTree(many.boxes), 80);
  EXPECT_EQ(FaceTree().nearest(Vec3::Zero(), [](int) { return 0.0; }),
            std::numeric_limits<double>::infinity());
}

TEST(FaceTree, FollowsFacesThatHaveMoved) {
  FaceTree tree(ManyBoxes(0).boxes);
  for (const double time : {0.2, 3.0, 0.0}) {  // bent, all in other places, back again
    const ManyBoxes many(time);
    tree.fit(many.boxes);
    many.expect_found_in(tree, time == 3.0 ? 501 : 160);
  }
}

TEST(Shape, ScaledIsAsIfMadeOfLongerLengths) {
  const double f = 1.7;
  const auto same = [](const Shape& a, const Shape& b) {
    ASSERT_EQ(a.vertices.size(), b.vertices.size());
    for (std::size_t v = 0; v < a.vertices.size(); ++v)
      EXPECT_NEAR((a.vertices[v] - b.vertices[v]).norm(), 0, 1e-14);
    for (std::size_t e = 0; e < a.edges.size(); ++e) EXPECT_NEAR(a.edges[e].length, b.edges[e].length, 1e-14);
    for (std::size_t k = 0; k < a.faces.size(); ++k) EXPECT_NEAR(a.faces[k].offset, b.faces[k].offset, 1e-14);
    EXPECT_NEAR(a.radius, b.radius, 1e-15);
    EXPECT_NEAR(a.bounding_radius, b.bounding_radius, 1e-14);
    EXPECT_NEAR(a.smallest_feature, b.smallest_feature, 1e-14);
    EXPECT_NEAR(a.volume, b.volume, 1e-13 * b.volume);
    EXPECT_NEAR((a.inertia_per_density - b.inertia_per_density).norm(), 0,
                1e-13 * b.inertia_per_density.norm());
    const Vec3 m = Vec3(1, -2, 0.5).normalized();
    EXPECT_NEAR(a.superquadric.support(m).h, b.superquadric.support(m).h, 1e-14);
  };
  same(scaled(make_sphere("s", 0.3), "s", f), make_sphere("s", 0.3 * f));
  same(scaled(make_capsule("c", 0.1, 0.4), "c", f), make_capsule("c", 0.1 * f, 0.4 * f));
  same(scaled(make_box("b", {0.1, 0.2, 0.3}), "b", f), make_box("b", f * Vec3(0.1, 0.2, 0.3)));
  same(scaled(make_superquadric("q", {0.1, 0.2, 0.3}, 4, 3, 30), "q", f),
       make_superquadric("q", f * Vec3(0.1, 0.2, 0.3), 4, 3, 30));
}

}  // namespace
}  // namespace scree

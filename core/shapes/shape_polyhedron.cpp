#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/error.hpp"
#include "core/interrupt.hpp"
#include "core/mesh/edge_table.hpp"
#include "core/mesh/polygon_triangles.hpp"
#include "core/mesh/polyhedron_surface.hpp"
#include "core/mesh/support_tree.hpp"
#include "core/shapes/coupled_surface.hpp"
#include "core/shapes/face_sheets.hpp"
#include "core/shapes/face_tree_of.hpp"
#include "core/shapes/mass_properties.hpp"
#include "core/shapes/shape.hpp"
#include "core/text.hpp"

namespace scree {
namespace {

// Coordinates of a mesh often have single precision: below this a dihedral angle is noise, not shape.
constexpr double kFlatSine = 1e-6;

using Triangles = std::vector<std::array<int, 3>>;

/// Whether the corners lie on a straight line.
bool is_flat(const std::vector<Vec3>& vertices, const std::array<int, 3>& corners, const Vec3& normal) {
  const Vec3 a = vertices[corners[1]] - vertices[corners[0]];
  const Vec3 b = vertices[corners[2]] - vertices[corners[0]];
  const double longest = std::max({a.squaredNorm(), b.squaredNorm(), (b - a).squaredNorm()});
  return normal.dot(a.cross(b)) <= kFlatSine * longest;
}

/// Adds the fan of a convex polygon from its first vertex; other triangles where one of the fan would have no
/// area, as with vertices within sides.
void add_triangles(const std::vector<Vec3>& vertices, const std::vector<int>& loop, Triangles& triangles) {
  const std::size_t first = triangles.size();
  for (std::size_t k = 1; k + 1 < loop.size(); ++k) triangles.push_back({loop[0], loop[k], loop[k + 1]});
  if (loop.size() == 3) return;
  const Vec3 normal = polygon_normal(vertices, loop);
  bool flat = false;
  for (std::size_t t = first; t < triangles.size(); ++t)
    flat = flat || is_flat(vertices, triangles[t], normal);
  if (!flat) return;
  triangles.resize(first);
  const Triangles others = triangles_of(vertices, loop);
  triangles.insert(triangles.end(), others.begin(), others.end());
}

Triangles all_triangles(const PolyhedronSurface& surface) {
  Triangles triangles;
  for (const auto& loop : surface.loops) add_triangles(surface.vertices, loop, triangles);
  return triangles;
}

/// Kind by the sine of the dihedral, n0 x n1 . e with e along the loop of face 0 (theory 03 section 4.1).
EdgeKind edge_kind(const Vec3& n0, const Vec3& n1, const Vec3& direction) {
  const double sine = n0.cross(n1).dot(direction);
  if (std::abs(sine) <= kFlatSine && n0.dot(n1) > 0) return EdgeKind::coplanar;
  return sine >= 0 ? EdgeKind::convex : EdgeKind::concave;
}

void add_faces(Shape& shape, const std::vector<std::vector<int>>& loops) {
  shape.faces.reserve(loops.size());
  int outline = 0;
  InterruptLook look;
  for (const auto& loop : loops) {
    look();
    Face face;
    face.loop = loop;
    face.edges.resize(loop.size(), -1);
    face.normal = polygon_normal(shape.vertices, loop);
    for (const int v : loop) face.offset += face.normal.dot(shape.vertices[v]);
    face.offset /= static_cast<double>(loop.size());
    face.first_outline = outline;
    outline += 1 + static_cast<int>(loop.size());
    shape.faces.push_back(std::move(face));
  }
}

void add_edges(Shape& shape, const std::vector<std::vector<int>>& loops) {
  const EdgeTable directed(shape.vertices.size(), loops);
  InterruptLook look;
  for (int f = 0; f < static_cast<int>(shape.faces.size()); ++f) {
    look();
    auto& face = shape.faces[f];
    for (std::size_t k = 0; k < face.loop.size(); ++k) {
      const int v0 = face.loop[k], v1 = face.loop[(k + 1) % face.loop.size()];
      const DirectedEdge* other = directed.find(v1, v0);
      const int number = other != nullptr ? shape.faces[other->loop].edges[other->corner] : -1;
      if (number >= 0) {
        Edge& edge = shape.edges[number];
        edge.f1 = f;
        edge.kind = edge_kind(shape.faces[edge.f0].normal, face.normal, edge.direction);
        face.edges[k] = number;
        continue;
      }
      const Vec3 along = shape.vertices[v1] - shape.vertices[v0];
      face.edges[k] = static_cast<int>(shape.edges.size());
      shape.edges.push_back(
          {.v0 = v0, .v1 = v1, .f0 = f, .direction = along.normalized(), .length = along.norm()});
    }
  }
}

/// A vertex can touch first unless it is flat or has no convex edge (theory 03 section 4.2). One inside of a
/// straight edge acts: pairs of both parts of the edge leave it out, as their end.
bool acts(const Shape& shape, int v) {
  const auto& edges = shape.vertex_edges[static_cast<std::size_t>(v)];
  return std::any_of(edges.begin(), edges.end(), [&](int e) {
    return shape.edges[static_cast<std::size_t>(e)].kind == EdgeKind::convex;
  });
}

bool is_convex(const Shape& shape, double size) {
  for (const auto& edge : shape.edges) {
    if (edge.kind == EdgeKind::concave) return false;
  }
  // Edges say nothing of parts that do not hang together.
  std::vector<Vec3> normals(shape.vertices.size(), Vec3::Zero());
  for (const Face& face : shape.faces) {
    for (const int v : face.loop) normals[v] += face.normal;
  }
  const SupportTree tree(shape.vertices, normals);
  return std::none_of(shape.faces.begin(), shape.faces.end(), [&](const Face& face) {
    check_interrupt();
    return tree.any_above(face.normal, face.offset + kFlatSine * size);
  });
}

/// Everything that follows from vertices about the centre of mass and loops.
Shape connect(const std::string& name, const PolyhedronSurface& surface, bool open = false) {
  Shape shape;
  shape.open = open;
  shape.name = name;
  shape.kind = ShapeKind::polyhedron;
  shape.vertices = surface.vertices;
  add_faces(shape, surface.loops);
  add_edges(shape, surface.loops);
  // Coplanar faces need not make one convex polygon.
  number_sheets(shape, [](const Edge& edge) { return edge.kind == EdgeKind::coplanar; });
  // A surface with two sides: what is concave on one of them is convex on the other.
  for (Edge& edge : shape.edges) {
    if (open && edge.kind == EdgeKind::concave) edge.kind = EdgeKind::convex;
  }
  shape.vertex_edges.resize(shape.vertices.size());
  shape.vertex_faces.resize(shape.vertices.size());
  shape.smallest_feature = std::numeric_limits<double>::infinity();
  InterruptLook look;
  for (int e = 0; e < static_cast<int>(shape.edges.size()); ++e) {
    look();
    shape.vertex_edges[shape.edges[e].v0].push_back(e);
    shape.vertex_edges[shape.edges[e].v1].push_back(e);
    shape.smallest_feature = std::min(shape.smallest_feature, shape.edges[e].length);
  }
  for (int f = 0; f < static_cast<int>(shape.faces.size()); ++f) {
    look();
    for (const int v : shape.faces[f].loop) shape.vertex_faces[v].push_back(f);
  }
  for (int v = 0; v < static_cast<int>(shape.vertices.size()); ++v) {
    look();
    shape.vertex_acts.push_back(acts(shape, v) ? 1 : 0);
    shape.bounding_radius = std::max(shape.bounding_radius, shape.vertices[v].norm());
  }
  shape.convex = !open && is_convex(shape, surface.size());
  shape.face_tree = face_tree_of(shape);
  shape.triangles = all_triangles(surface);
  return shape;
}

}  // namespace

Shape make_box(const std::string& name, const Vec3& size) {
  if (!(size.minCoeff() > 0) || !size.allFinite()) {
    throw InputError(name, "size: got " + text::vector(size) + "; expected three lengths [m] > 0.");
  }
  PolyhedronSurface surface;
  for (int k = 0; k < 8; ++k) {
    const Vec3 corner((k & 1) != 0 ? 0.5 : -0.5, (k & 2) != 0 ? 0.5 : -0.5, (k & 4) != 0 ? 0.5 : -0.5);
    surface.vertices.emplace_back(corner.cwiseProduct(size));
  }
  surface.loops = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
  Shape shape = connect(name, surface);
  shape.volume = size.prod();
  const Vec3 s2 = size.cwiseAbs2();
  shape.inertia_per_density =
      (shape.volume / 12.0 * Vec3(s2.y() + s2.z(), s2.z() + s2.x(), s2.x() + s2.y())).asDiagonal();
  return shape;
}

Shape make_polyhedron(const std::string& name, const std::vector<Vec3>& vertices,
                      const std::vector<std::vector<int>>& faces) {
  const PolyhedronSurface given{vertices, faces};
  std::vector<std::pair<int, int>> touching;
  auto faults = surface_faults(given, name, false, &touching);
  if (!faults.empty()) throw InputError(std::move(faults));
  const MassProperties properties = mass_properties(vertices, all_triangles(given));
  if (properties.volume <= 0) {
    throw InputError(name, "inverted orientation (volume " + text::number(properties.volume) +
                               " m^3): order the vertices of each face counter-clockwise seen from outside.");
  }
  faults = enclosed_faults(given, name, touching);
  if (!faults.empty()) throw InputError(std::move(faults));
  PolyhedronSurface surface = merge_coplanar(given);
  for (auto& v : surface.vertices) v -= properties.centre;
  Shape shape = connect(name, surface);
  shape.volume = properties.volume;
  shape.inertia_per_density = properties.inertia;
  shape.shift = properties.centre;
  return shape;
}

Shape make_surface(const std::string& name, const std::vector<Vec3>& vertices,
                   const std::vector<std::vector<int>>& faces) {
  const PolyhedronSurface given{vertices, faces};
  auto faults = surface_faults(given, name, true);
  if (!faults.empty()) throw InputError(std::move(faults));
  PolyhedronSurface surface = merge_coplanar(given);
  Eigen::AlignedBox3d bounds;
  for (const auto& v : surface.vertices) bounds.extend(v);
  const Vec3 centre = bounds.center();
  for (auto& v : surface.vertices) v -= centre;
  Shape shape = connect(name, surface, true);
  shape.shift = centre;
  return shape;
}

Shape make_coupled_surface(const std::string& name, const std::vector<Vec3>& vertices,
                           const std::vector<std::vector<int>>& faces, const SurfaceNames& names) {
  PolyhedronSurface surface{vertices, faces};
  auto faults = surface_faults(surface, name, true, nullptr, names);
  if (!faults.empty()) throw InputError(std::move(faults));
  surface.loops.clear();
  const double size = surface.size();
  Triangles triangles;
  for (std::size_t f = 0; f < faces.size(); ++f) {
    triangles.clear();
    add_triangles(vertices, faces[f], triangles);
    for (const std::array<int, 3>& corners : triangles) {
      surface.loops.emplace_back(corners.begin(), corners.end());
      if (triangles.size() == 1 || !is_degenerate_face(surface, surface.loops.back(), size)) continue;
      throw InputError(name, text::join("face ", names.face(static_cast<int>(f)),
                                        " has no division into triangles with area: its vertices are too "
                                        "close together. Remove duplicate vertices."));
    }
  }
  return connect(name, surface, true);
}

}  // namespace scree

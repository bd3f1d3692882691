#include "core/mesh/polyhedron_surface.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numbers>
#include <numeric>
#include <set>
#include <utility>

#include "core/interrupt.hpp"
#include "core/mesh/crossing_faces.hpp"
#include "core/mesh/edge_table.hpp"
#include "core/mesh/enclosed_faces.hpp"
#include "core/text.hpp"

namespace scree {
namespace {

constexpr double kMergeTolerance = 1e-9;  // of the size, and of the angle
// Polygons typed by hand have a few digits; a bend below this is not seen in any gap.
constexpr double kPlanarTolerance = 1e-6;
constexpr int kFaultsShown = 5;  // of each kind

/// A loop that turns left at every corner, and once around.
bool is_convex_loop(const std::vector<Vec3>& vertices, const std::vector<int>& loop, const Vec3& normal) {
  const std::size_t n = loop.size();
  if (n < 3) return false;
  double turned = 0;
  for (std::size_t k = 0; k < n; ++k) {
    const Vec3 in = (vertices[loop[(k + 1) % n]] - vertices[loop[k]]).normalized();
    const Vec3 out = (vertices[loop[(k + 2) % n]] - vertices[loop[(k + 1) % n]]).normalized();
    const double sine = normal.dot(in.cross(out));
    if (sine < -kMergeTolerance || (std::abs(sine) <= kMergeTolerance && in.dot(out) < 0)) return false;
    turned += std::atan2(sine, in.dot(out));
  }
  return std::abs(turned - 2 * std::numbers::pi) < 1e-3;
}

/// @returns how far vertices are off the plane of the polygon [m].
double bend_of(const PolyhedronSurface& surface, const std::vector<int>& loop, const Vec3& normal) {
  double bend = 0;
  for (const int v : loop)
    bend = std::max(bend, std::abs(normal.dot(surface.vertices[v] - surface.vertices[loop[0]])));
  return bend;
}

/// Collects faults, of each kind a few one by one and the rest as a number.
class FaultList {
 public:
  explicit FaultList(std::string where) : where_(std::move(where)) {}

  void add(const std::string& kind, const std::string& message) {
    if (++count_[kind] <= kFaultsShown) faults_.push_back({where_, message});
  }
  /// There may be more of a kind than were added.
  void at_least(const std::string& kind) { unfinished_.insert(kind); }
  [[nodiscard]] bool empty() const { return faults_.empty(); }

  std::vector<Diagnostic> take() {
    for (const auto& [kind, count] : count_) {
      if (count > kFaultsShown) {
        const std::string number = std::to_string(count - kFaultsShown);
        faults_.push_back({where_, text::join("and ", unfinished_.contains(kind) ? "at least " : "", number,
                                              " more: ", kind, ".")});
      }
    }
    return std::move(faults_);
  }

 private:
  std::string where_;
  std::map<std::string, int> count_;
  std::set<std::string> unfinished_;
  std::vector<Diagnostic> faults_;
};

std::string point(const PolyhedronSurface& surface, const SurfaceNames& names, int v) {
  return names.vertex(v) + " " + text::vector(surface.vertices[v]);
}

/// Faces, each by itself. @returns false if the edges cannot be looked at.
bool check_faces(const PolyhedronSurface& surface, const SurfaceNames& names, FaultList& faults) {
  const int n = static_cast<int>(surface.vertices.size());
  const double size = surface.size();
  bool complete = true;
  InterruptLook look;
  for (int f = 0; f < static_cast<int>(surface.loops.size()); ++f) {
    look();
    const auto& loop = surface.loops[f];
    const auto face = [&names, f] { return "face " + names.face(f); };
    const auto bad = std::find_if(loop.begin(), loop.end(), [n](int v) { return v < 0 || v >= n; });
    if (bad != loop.end()) {
      faults.add("vertex number out of range", face() + ": vertex number " + std::to_string(*bad) +
                                                   " is out of range; expected 0 to " +
                                                   std::to_string(n - 1) + ".");
      complete = false;
      continue;
    }
    if (loop.size() < 3) {
      faults.add("degenerate face", face() + " has fewer than 3 vertices.");
      complete = false;
      continue;
    }
    if (is_degenerate_face(surface, loop, size)) {
      faults.add("degenerate face", face() + " is degenerate: zero area or duplicate vertex.");
      complete = false;
      continue;
    }
    if (loop.size() == 3) continue;
    const Vec3 normal = polygon_normal(surface.vertices, loop);
    const double bend = bend_of(surface, loop, normal);
    if (bend > kPlanarTolerance * size) {
      faults.add("face not planar", face() + " is not planar: its vertices deviate from the plane by " +
                                        text::number(bend) + " m. Split it into triangles.");
    } else if (!is_convex_loop(surface.vertices, loop, normal)) {
      faults.add("face not convex", face() + " is not a convex polygon. Split it into triangles.");
    }
  }
  return complete;
}

void check_edges(const PolyhedronSurface& surface, bool open, const SurfaceNames& names, FaultList& faults) {
  const EdgeTable edges(surface.vertices.size(), surface.loops);
  InterruptLook look;
  for (int f = 0; f < static_cast<int>(surface.loops.size()); ++f) {
    look();
    const auto& loop = surface.loops[f];
    for (std::size_t k = 0; k < loop.size(); ++k) {
      const int v = loop[k], w = loop[(k + 1) % loop.size()];
      const int first = edges.loop_of(v, w);
      if (first == f) continue;
      if (const int forward = edges.count(v, w), back = edges.count(w, v); forward + back > 2) {
        // Once per edge: at the second face of one direction.
        if (edges.find(v, w)[1].loop != f || (back > 1 && w < v)) continue;
        faults.add("edges of more than two faces",
                   text::join(std::to_string(forward + back), " faces meet at the edge from vertex ",
                              point(surface, names, v), " to ", point(surface, names, w),
                              "; expected at most two. Split the mesh there into separate meshes, or remove "
                              "duplicate faces."));
        continue;
      }
      faults.add("inverted or duplicate faces",
                 "faces " + names.face(first) + " and " + names.face(f) + " traverse the edge from vertex " +
                     point(surface, names, v) + " to " + point(surface, names, w) +
                     " in the same direction: inverted orientation or duplicate face.");
    }
  }
  if (open) return;
  for (int v = 0; v < static_cast<int>(surface.vertices.size()); ++v) {
    look();
    for (const DirectedEdge* edge = edges.begin(v); edge != edges.end(v); ++edge) {
      if (edge != edges.begin(v) && edge->to == (edge - 1)->to) continue;
      if (edges.find(edge->to, v) != nullptr) continue;
      faults.add("free edges", "surface not closed: face " + names.face(edge->loop) +
                                   " has a free edge from vertex " + point(surface, names, v) + " to " +
                                   point(surface, names, edge->to) + ".");
    }
  }
}

void check_crossings(const PolyhedronSurface& surface, FaultList& faults,
                     std::vector<std::pair<int, int>>* touching) {
  constexpr std::size_t kLookedFor = 100;
  SelfContact contact = self_contact(surface, kLookedFor);
  for (const FaceCrossing& crossing : contact.crossings) {
    faults.add("self-intersections", "self-intersection: faces " + std::to_string(crossing.a) + " and " +
                                         std::to_string(crossing.b) + " intersect at " +
                                         text::vector(crossing.at) + ".");
  }
  if (!contact.all_crossings) faults.at_least("self-intersections");
  if (touching != nullptr) *touching = std::move(contact.touching);
}

/// Outline of a set of loops: directed edges whose opposite is not in the set, chained.
/// @returns empty if it is not one closed loop that visits each vertex once.
std::vector<int> outline(const std::vector<std::vector<int>>& loops, const std::vector<int>& group,
                         const EdgeTable& owner, const std::vector<int>& group_of) {
  std::map<int, int> next;
  const int number = group_of[group.front()];
  for (const int f : group) {
    const auto& loop = loops[f];
    for (std::size_t k = 0; k < loop.size(); ++k) {
      const int v0 = loop[k], v1 = loop[(k + 1) % loop.size()];
      const int other = owner.loop_of(v1, v0);
      if (other >= 0 && group_of[other] == number) continue;
      if (!next.emplace(v0, v1).second) return {};
    }
  }
  if (next.empty()) return {};
  std::vector<int> chain;
  int v = next.begin()->first;
  do {
    chain.push_back(v);
    const auto it = next.find(v);
    if (it == next.end() || chain.size() > next.size()) return {};
    v = it->second;
  } while (v != chain.front());
  return chain.size() == next.size() ? chain : std::vector<int>{};
}

/// Sets of coplanar neighbours, grown from the largest face so that its normal decides.
std::vector<std::vector<int>> coplanar_groups(const PolyhedronSurface& surface, const EdgeTable& owner,
                                              std::vector<int>& group_of) {
  const auto& loops = surface.loops;
  const int n = static_cast<int>(loops.size());
  std::vector<double> reach(n);
  std::vector<Vec3> normals(n);
  InterruptLook look;
  for (int f = 0; f < n; ++f) {
    look();
    normals[f] = polygon_normal(surface.vertices, loops[f]);
    for (const int v : loops[f]) {
      reach[f] = std::max(reach[f], (surface.vertices[v] - surface.vertices[loops[f][0]]).norm());
    }
  }
  std::vector<int> order(n);
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
    look();
    return reach[a] > reach[b];
  });

  const double tolerance = kMergeTolerance * surface.size();
  std::vector<std::vector<int>> groups;
  group_of.assign(n, -1);
  for (const int seed : order) {
    if (group_of[seed] >= 0) continue;
    const int number = static_cast<int>(groups.size());
    std::vector<int> group{seed};
    group_of[seed] = number;
    const Vec3 base = surface.vertices[loops[seed][0]];
    for (std::size_t i = 0; i < group.size(); ++i) {
      look();
      const auto& loop = loops[group[i]];
      for (std::size_t k = 0; k < loop.size(); ++k) {
        const int other = owner.loop_of(loop[(k + 1) % loop.size()], loop[k]);
        if (other < 0 || group_of[other] >= 0) continue;
        const bool parallel = normals[seed].dot(normals[other]) > 0 &&
                              normals[seed].cross(normals[other]).norm() <= kMergeTolerance;
        const bool in_plane = std::all_of(loops[other].begin(), loops[other].end(), [&](int v) {
          return std::abs(normals[seed].dot(surface.vertices[v] - base)) <= tolerance;
        });
        if (!parallel || !in_plane) continue;
        group_of[other] = number;
        group.push_back(other);
      }
    }
    std::sort(group.begin(), group.end());
    groups.push_back(std::move(group));
  }
  std::sort(groups.begin(), groups.end(), [&look](const std::vector<int>& a, const std::vector<int>& b) {
    look();
    return a < b;
  });
  for (int g = 0; g < static_cast<int>(groups.size()); ++g) {
    for (const int f : groups[g]) group_of[f] = g;
  }
  return groups;
}

/// Takes vertices out of the loops that lie inside a straight edge between two polygons, or inside a border.
void straighten(const std::vector<Vec3>& vertices, std::vector<std::vector<int>>& loops) {
  InterruptLook look;
  // Of each vertex the number of loops, and the first two.
  std::vector<int> count(vertices.size(), 0);
  std::vector<std::array<int, 2>> loops_at(vertices.size());
  for (int f = 0; f < static_cast<int>(loops.size()); ++f) {
    look();
    for (const int v : loops[f]) {
      if (count[v] < 2) loops_at[v][count[v]] = f;
      ++count[v];
    }
  }
  for (int v = 0; v < static_cast<int>(vertices.size()); ++v) {
    look();
    if (count[v] == 0 || count[v] > 2) continue;
    const auto at = loops_at[v].begin();
    const bool straight = std::all_of(at, at + count[v], [&](int f) {
      const auto& loop = loops[f];
      if (loop.size() < 4) return false;
      const std::size_t k = std::find(loop.begin(), loop.end(), v) - loop.begin();
      const Vec3 in = (vertices[v] - vertices[loop[(k + loop.size() - 1) % loop.size()]]).normalized();
      const Vec3 out = (vertices[loop[(k + 1) % loop.size()]] - vertices[v]).normalized();
      return in.dot(out) > 0 && in.cross(out).norm() <= kMergeTolerance;
    });
    if (!straight) continue;
    for (auto f = at; f != at + count[v]; ++f) std::erase(loops[*f], v);
  }
}

}  // namespace

bool has_valid_numbers(const PolyhedronSurface& surface) {
  const int count = static_cast<int>(surface.vertices.size());
  return std::all_of(surface.loops.begin(), surface.loops.end(), [count](const std::vector<int>& loop) {
    return std::all_of(loop.begin(), loop.end(), [count](int v) { return v >= 0 && v < count; });
  });
}

bool is_degenerate_face(const PolyhedronSurface& surface, const std::vector<int>& loop, double size) {
  if (loop.size() < 3) return true;
  auto sorted = loop;
  std::sort(sorted.begin(), sorted.end());
  if (std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end()) return true;
  const Vec3& base = surface.vertices[loop[0]];
  double longest = 0, area = 0;
  for (const int v : loop) longest = std::max(longest, (surface.vertices[v] - base).norm());
  for (std::size_t k = 1; k + 1 < loop.size(); ++k) {
    const Vec3 a = surface.vertices[loop[k]] - base;
    area += 0.5 * a.cross(surface.vertices[loop[k + 1]] - base).norm();
  }
  return area <= kMergeTolerance * size * longest;
}

bool is_planar_convex(const PolyhedronSurface& surface, const std::vector<int>& loop, double size) {
  const Vec3 normal = polygon_normal(surface.vertices, loop);
  return bend_of(surface, loop, normal) <= kPlanarTolerance * size &&
         is_convex_loop(surface.vertices, loop, normal);
}

void drop_unused_vertices(PolyhedronSurface& surface) {
  std::vector<int> number(surface.vertices.size(), -1);
  for (const auto& loop : surface.loops) {
    for (const int v : loop) number[v] = 0;
  }
  std::vector<Vec3> kept;
  for (std::size_t v = 0; v < surface.vertices.size(); ++v) {
    if (number[v] < 0) continue;
    number[v] = static_cast<int>(kept.size());
    kept.push_back(surface.vertices[v]);
  }
  surface.vertices = std::move(kept);
  for (auto& loop : surface.loops) {
    for (int& v : loop) v = number[v];
  }
}

std::string too_many_corners(std::size_t corners) {
  if (corners <= kMostCorners) return "";
  return text::join("has ", std::to_string(corners), " face corners; expected at most ",
                    std::to_string(kMostCorners), ". Use a coarser mesh.");
}

std::vector<Diagnostic> surface_faults(const PolyhedronSurface& surface, const std::string& where, bool open,
                                       std::vector<std::pair<int, int>>* touching,
                                       const SurfaceNames& names) {
  FaultList faults(where);
  std::size_t corners = 0;
  for (const auto& loop : surface.loops) corners += loop.size();
  if (const std::string fault = too_many_corners(corners); !fault.empty()) return {{where, fault}};
  if (open && surface.loops.empty()) faults.add("no faces", "has no faces.");
  if (!open && surface.loops.size() < 4) {
    faults.add("too few faces", "has " + std::to_string(surface.loops.size()) +
                                    " faces; a closed surface requires at least 4.");
  }
  if (check_faces(surface, names, faults)) check_edges(surface, open, names, faults);
  // What a body is filled with has no inside where its surface passes through itself; a wall may do so.
  if (!open && faults.empty()) check_crossings(surface, faults, touching);
  return faults.take();
}

std::vector<Diagnostic> enclosed_faults(const PolyhedronSurface& surface, const std::string& where,
                                        const std::vector<std::pair<int, int>>& touching) {
  FaultList faults(where);
  for (const EnclosedFace& face : enclosed_faces(surface, touching)) {
    const std::string what =
        face.times > 1 ? " is enclosed " + std::to_string(face.times) +
                             " times (overlapping parts): merge the parts (Boolean union)."
                       : " has no volume behind it: inverted orientation of this part of the surface.";
    faults.add("overlapping parts",
               "face " + std::to_string(face.face) + ", at " + text::vector(face.at) + "," + what);
  }
  return faults.take();
}

PolyhedronSurface merge_coplanar(const PolyhedronSurface& surface) {
  const EdgeTable owner(surface.vertices.size(), surface.loops);
  std::vector<int> group_of;
  PolyhedronSurface merged{surface.vertices, {}};
  InterruptLook look;
  for (const auto& group : coplanar_groups(surface, owner, group_of)) {
    look();
    const auto loop = group.size() == 1 ? std::vector<int>{} : outline(surface.loops, group, owner, group_of);
    const Vec3 normal = polygon_normal(surface.vertices, surface.loops[group.front()]);
    if (!loop.empty() && is_convex_loop(surface.vertices, loop, normal)) {
      merged.loops.push_back(loop);
    } else {
      for (const int f : group) merged.loops.push_back(surface.loops[f]);
    }
  }
  straighten(merged.vertices, merged.loops);
  drop_unused_vertices(merged);
  return merged;
}

}  // namespace scree

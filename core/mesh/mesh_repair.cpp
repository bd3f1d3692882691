#include "core/mesh/mesh_repair.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

#include "core/interrupt.hpp"
#include "core/mesh/edge_faces.hpp"
#include "core/mesh/face_tree.hpp"
#include "core/mesh/orientation.hpp"
#include "core/mesh/polygon_triangles.hpp"
#include "core/mesh/polyhedron_surface.hpp"
#include "core/mesh/vertex_merge.hpp"

namespace scree {
namespace {

/// Of a repair that may make the next one possible.
constexpr int kRounds = 20;

/// A vertex on a side of a face, to be put between the ends of the side.
struct Insertion {
  int face = 0;
  int corner = 0;    ///< the side begins there
  double along = 0;  ///< from the beginning of the side [m]
  int vertex = 0;
};

/// Loops with vertices put into them, as triangles.
void insert(PolyhedronSurface& surface, std::vector<Insertion> insertions) {
  std::sort(insertions.begin(), insertions.end(), [](const Insertion& a, const Insertion& b) {
    if (a.face != b.face) return a.face < b.face;
    if (a.corner != b.corner) return a.corner > b.corner;
    return a.along != b.along ? a.along > b.along : a.vertex < b.vertex;
  });
  for (std::size_t k = 0; k < insertions.size();) {
    const int face = insertions[k].face;
    std::vector<int> loop = surface.loops[face];
    for (; k < insertions.size() && insertions[k].face == face; ++k) {
      if (std::find(loop.begin(), loop.end(), insertions[k].vertex) == loop.end())
        loop.insert(loop.begin() + insertions[k].corner + 1, insertions[k].vertex);
    }
    const auto triangles = triangles_of(surface.vertices, loop);
    surface.loops[face].assign(triangles[0].begin(), triangles[0].end());
    for (std::size_t t = 1; t < triangles.size(); ++t)
      surface.loops.emplace_back(triangles[t].begin(), triangles[t].end());
  }
}

/// Corners that follow each other on one vertex become one.
void drop_repeated_corners(PolyhedronSurface& surface) {
  InterruptLook look;
  for (auto& loop : surface.loops) {
    look();
    loop.erase(std::unique(loop.begin(), loop.end()), loop.end());
    while (loop.size() > 1 && loop.front() == loop.back()) loop.pop_back();
  }
}

/// Removes the faces without area. A triangle whose vertex lies on its longest side leaves a slit of no
/// width: the face beyond that side gets the vertex. @returns how many were removed.
std::size_t drop_flat_faces(PolyhedronSurface& surface) {
  std::size_t removed = 0;
  const double size = surface.size();
  InterruptLook look;
  // What gets a vertex may have no area then. What is left after so many rounds is for surface_faults.
  for (int round = 0; round < kRounds; ++round) {
    drop_repeated_corners(surface);
    std::vector<char> flat(surface.loops.size(), 0);
    for (std::size_t f = 0; f < surface.loops.size(); ++f) {
      look();
      flat[f] = is_degenerate_face(surface, surface.loops[f], size) ? 1 : 0;
    }
    const auto count = static_cast<std::size_t>(std::count(flat.begin(), flat.end(), 1));
    if (count == 0) return removed;
    removed += count;
    std::vector<Insertion> insertions;
    const std::vector<FaceSide> sides = sides_of(surface);
    for_each_edge(sides, [&](const FaceSide* first, const FaceSide* last) {
      if (last - first != 2 || flat[first[0].face] == flat[first[1].face]) return;
      const FaceSide& mine = flat[first[0].face] != 0 ? first[0] : first[1];
      const FaceSide& other = flat[first[0].face] != 0 ? first[1] : first[0];
      const auto& loop = surface.loops[mine.face];
      if (loop.size() != 3) return;
      const int apex = loop[(mine.corner + 2) % 3];
      const Vec3& from = surface.vertices[surface.loops[other.face][other.corner]];
      const Vec3 side = surface.vertices[mine.low] - surface.vertices[mine.high];
      const Vec3 to_apex = surface.vertices[apex] - from;
      // Only the longest side has the apex between its ends.
      const bool between = (surface.vertices[apex] - surface.vertices[mine.low]).dot(-side) > 0 &&
                           (surface.vertices[apex] - surface.vertices[mine.high]).dot(side) > 0;
      if (between) insertions.push_back({other.face, other.corner, to_apex.norm(), apex});
    });
    insert(surface, std::move(insertions));
    flat.resize(surface.loops.size(), 0);
    std::size_t kept = 0;
    for (std::size_t f = 0; f < surface.loops.size(); ++f) {
      if (flat[f] == 0) {
        if (kept != f) surface.loops[kept] = std::move(surface.loops[f]);
        ++kept;
      }
    }
    surface.loops.resize(kept);
  }
  return removed;
}

/// The loop from its lowest vertex on, towards the lower neighbour of that: equal for equal polygons.
/// @returns whether the order of the vertices was reversed.
bool make_canonical(std::vector<int>& loop) {
  std::rotate(loop.begin(), std::min_element(loop.begin(), loop.end()), loop.end());
  if (loop.size() < 3 || loop[1] <= loop.back()) return false;
  std::reverse(loop.begin() + 1, loop.end());
  return true;
}

/// A polygon that is given in both senses, represented by its first copy.
struct TwoSided {
  int first = 0;          ///< face
  int opposite = 0;       ///< first face with the other sense
  bool balanced = false;  ///< as often in one sense as in the other
  int needed = 0;         ///< edges that one other face leaves open
  int closed = 0;         ///< edges that are closed without it
  int agreeing = 0;       ///< of the needed edges: agree with the first copy, less those that do not
  std::vector<std::pair<int, bool>> beside{};  ///< two-sided ones across edges of no other face; same sense
};

/// Finds what the edges of two-sided polygons say of them. @param number per face that of its polygon, -1:
/// one sense only. @param drop faces that do not count.
void look_at_edges(const PolyhedronSurface& surface, const std::vector<int>& number,
                   const std::vector<char>& drop, std::vector<TwoSided>& polygons) {
  std::vector<const FaceSide*> both, single;
  for_each_edge(sides_of(surface), [&](const FaceSide* first, const FaceSide* last) {
    both.clear();
    single.clear();
    for (const FaceSide* side = first; side != last; ++side)
      if (drop[side->face] == 0) (number[side->face] < 0 ? single : both).push_back(side);
    if (single.size() > 1) {
      for (const FaceSide* side : both) ++polygons[number[side->face]].closed;
    } else if (single.size() == 1 && both.size() == 1) {
      TwoSided& one = polygons[number[both[0]->face]];
      ++one.needed;
      one.agreeing += both[0]->forward != single[0]->forward ? 1 : -1;
    } else if (single.empty() && both.size() == 2) {
      const int a = number[both[0]->face], b = number[both[1]->face];
      const bool same = both[0]->forward != both[1]->forward;
      polygons[a].beside.emplace_back(b, same);
      polygons[b].beside.emplace_back(a, same);
    }
  });
}

/// Of polygons that are given in both senses: keeps the copy that closes the surface, in the sense of its
/// neighbours; no copy where parts touch: the surface is closed there without it. Such polygons beside each
/// other have the same fate, that of most of their edges; without such an edge only a sense that is given
/// more often stays. @param open one copy of each stays. @param[in,out] drop all copies but the first.
void judge_two_sided(std::vector<TwoSided>& polygons, bool open, std::vector<char>& drop) {
  std::vector<int> sense(polygons.size(), 0);  // of the first copy, against that of the seed; 0: not seen
  std::vector<int> patch;
  for (std::size_t seed = 0; seed < polygons.size(); ++seed) {
    if (sense[seed] != 0) continue;
    patch = {static_cast<int>(seed)};
    sense[seed] = 1;
    int needed = 0, closed = 0, agreeing = 0;
    for (std::size_t k = 0; k < patch.size(); ++k) {
      const TwoSided& one = polygons[patch[k]];
      needed += one.needed;
      closed += one.closed;
      agreeing += sense[patch[k]] * one.agreeing;
      for (const auto& [other, same] : one.beside) {
        if (sense[other] != 0) continue;
        sense[other] = same ? sense[patch[k]] : -sense[patch[k]];
        patch.push_back(other);
      }
    }
    if (agreeing == 0) agreeing = 1;
    for (const int number : patch) {
      const TwoSided& one = polygons[number];
      const bool stays = open || (needed + closed > 0 ? needed > closed : !one.balanced);
      if (!stays) drop[one.first] = 1;
      if (!stays || sense[number] * agreeing > 0) continue;
      std::swap(drop[one.first], drop[one.opposite]);
    }
  }
}

/// Removes faces with the same corners in the same cyclic order as another, from either side; of a closed
/// surface all of them where parts touch each other there: they enclose nothing. @returns how many were
/// removed.
std::size_t drop_duplicates(PolyhedronSurface& surface, bool open) {
  InterruptLook look;
  const std::size_t count = surface.loops.size();
  std::vector<std::vector<int>> canonical = surface.loops;
  std::vector<char> reversed(count, 0);
  for (std::size_t f = 0; f < count; ++f) {
    look();
    reversed[f] = static_cast<char>(make_canonical(canonical[f]));
  }
  std::vector<int> order(count);
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](int a, int b) {
    look();
    return canonical[a] != canonical[b] ? canonical[a] < canonical[b] : a < b;
  });
  std::vector<char> drop(count, 0);
  std::vector<int> number(count, -1);
  std::vector<TwoSided> two_sided;
  for (std::size_t k = 0; k < count;) {
    look();
    std::size_t end = k + 1;
    while (end < count && canonical[order[end]] == canonical[order[k]]) ++end;
    int balance = 0, opposite = -1;
    for (std::size_t j = k; j < end; ++j) {
      const bool same = reversed[order[j]] == reversed[order[k]];
      balance += same ? 1 : -1;
      if (!same && opposite < 0) opposite = order[j];
      if (j > k) drop[order[j]] = 1;
    }
    if (opposite >= 0) {
      number[order[k]] = static_cast<int>(two_sided.size());
      two_sided.push_back({.first = order[k], .opposite = opposite, .balanced = balance == 0});
    }
    k = end;
  }
  if (!two_sided.empty()) {
    look_at_edges(surface, number, drop, two_sided);
    judge_two_sided(two_sided, open, drop);
  }
  const auto removed = static_cast<std::size_t>(std::count(drop.begin(), drop.end(), 1));
  if (removed == 0) return 0;
  std::size_t kept = 0;
  for (std::size_t f = 0; f < count; ++f) {
    if (drop[f] != 0) continue;
    if (kept != f) surface.loops[kept] = std::move(surface.loops[f]);
    ++kept;
  }
  surface.loops.resize(kept);
  return removed;
}

/// Removes faces that hang with one side on an edge between two others and are free elsewhere, and what hangs
/// on those: they bound nothing. @returns how many were removed.
std::size_t drop_fins(PolyhedronSurface& surface) {
  std::size_t removed = 0;
  for (int round = 0; round < kRounds; ++round) {
    std::vector<int> free(surface.loops.size(), 0), held(surface.loops.size(), 0);
    for_each_edge(sides_of(surface), [&](const FaceSide* first, const FaceSide* last) {
      for (const FaceSide* side = first; side != last; ++side) {
        free[side->face] += last - first == 1 ? 1 : 0;
        held[side->face] += last - first == 3 ? 1 : 0;
      }
    });
    std::size_t kept = 0;
    for (std::size_t f = 0; f < free.size(); ++f) {
      if (held[f] == 1 && free[f] + 1 == static_cast<int>(surface.loops[f].size())) continue;
      if (kept != f) surface.loops[kept] = std::move(surface.loops[f]);
      ++kept;
    }
    if (kept == free.size()) break;
    removed += free.size() - kept;
    surface.loops.resize(kept);
  }
  return removed;
}

std::vector<int> vertices_of(const std::vector<FaceSide>& sides) {
  std::vector<int> vertices;
  for (const FaceSide& side : sides) {
    vertices.push_back(side.low);
    vertices.push_back(side.high);
  }
  std::sort(vertices.begin(), vertices.end());
  vertices.erase(std::unique(vertices.begin(), vertices.end()), vertices.end());
  return vertices;
}

/// Vertices at free edges that are nearer than `crack` become one.
void join_vertices(PolyhedronSurface& surface, double crack, MeshRepairs& repairs) {
  const std::vector<int> border = vertices_of(free_sides(surface));
  if (border.empty()) return;
  const Vec3 base = surface.vertices[border.front()];
  VertexNumbers numbers(crack, border.size());
  std::vector<int> representative, target(surface.vertices.size(), -1);
  for (const int v : border) {
    const auto number = static_cast<std::size_t>(numbers.of(surface.vertices[v] - base));
    if (number == representative.size()) {
      representative.push_back(v);
      continue;
    }
    target[v] = representative[number];
    ++repairs.joined_vertices;
    repairs.widest_crack = std::max(repairs.widest_crack,
                                    (surface.vertices[v] - surface.vertices[representative[number]]).norm());
  }
  for (auto& loop : surface.loops) {
    for (int& v : loop) {
      if (target[v] >= 0) v = target[v];
    }
  }
}

/// Vertices at free edges that lie on another free edge divide it.
void split_edges(PolyhedronSurface& surface, double crack, MeshRepairs& repairs) {
  const std::vector<FaceSide> free = free_sides(surface);
  std::vector<Eigen::AlignedBox3d> boxes;
  for (const FaceSide& side : free) {
    Eigen::AlignedBox3d box(surface.vertices[side.low]);
    box.extend(surface.vertices[side.high]);
    boxes.push_back(box);
  }
  const FaceTree tree(boxes);
  std::vector<Insertion> insertions;
  std::vector<int> near;
  for (const int v : vertices_of(free)) {
    near.clear();
    tree.near(surface.vertices[v], crack, near);
    for (const int k : near) {
      const FaceSide& side = free[k];
      const auto& loop = surface.loops[side.face];
      if (std::find(loop.begin(), loop.end(), v) != loop.end()) continue;
      const Vec3& from = surface.vertices[loop[side.corner]];
      const Vec3 edge = surface.vertices[side.forward ? side.high : side.low] - from;
      const double length = edge.norm();
      const Vec3 to = surface.vertices[v] - from;
      const double along = length > 0 ? to.dot(edge) / length : 0;
      const double off = length > 0 ? (to - along / length * edge).norm() : 0;
      if (along <= crack || along >= length - crack || off > crack) continue;
      insertions.push_back({side.face, side.corner, along, v});
      ++repairs.split_edges;
      repairs.widest_crack = std::max(repairs.widest_crack, off);
    }
  }
  insert(surface, std::move(insertions));
}

}  // namespace

MeshRepairs repair(PolyhedronSurface& surface, double crack, bool open) {
  MeshRepairs repairs;
  const std::size_t polygons = surface.loops.size();
  const double size = surface.size();
  drop_repeated_corners(surface);
  InterruptLook look;
  for (std::size_t f = 0; f < polygons; ++f) {
    look();
    if (surface.loops[f].size() < 4 || is_planar_convex(surface, surface.loops[f], size)) continue;
    const auto triangles = triangles_of(surface.vertices, surface.loops[f]);
    surface.loops[f].assign(triangles[0].begin(), triangles[0].end());
    for (std::size_t t = 1; t < triangles.size(); ++t)
      surface.loops.emplace_back(triangles[t].begin(), triangles[t].end());
    ++repairs.split_polygons;
  }
  repairs.removed_faces = drop_flat_faces(surface);
  repairs.removed_duplicates = drop_duplicates(surface, open);
  if (crack > 0) {
    join_vertices(surface, crack, repairs);
    split_edges(surface, crack, repairs);
    repairs.removed_faces += drop_flat_faces(surface);
    repairs.removed_duplicates += drop_duplicates(surface, open);
  }
  if (!open) repairs.removed_fins = drop_fins(surface);
  const Reversals reversed = orient(surface, open);
  repairs.reversed_faces = reversed.faces;
  repairs.reversed_parts = reversed.parts;
  drop_unused_vertices(surface);
  return repairs;
}

}  // namespace scree

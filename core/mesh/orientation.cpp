#include "core/mesh/orientation.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <vector>

#include "core/interrupt.hpp"
#include "core/mesh/edge_faces.hpp"
#include "core/mesh/enclosed_faces.hpp"
#include "core/mesh/face_tree.hpp"
#include "core/mesh/ray_crossings.hpp"

namespace scree {
namespace {

/// Faces that hang together over edges of two faces.
struct Part {
  std::vector<int> faces;
  bool orientable = true;
  bool closed = true;
};

struct Neighbour {
  int face = 0;
  bool agrees = false;
};

/// @param[out] reversed per face: against the first face of its part.
std::vector<Part> parts_of(const PolyhedronSurface& surface, std::vector<char>& reversed) {
  const std::size_t count = surface.loops.size();
  std::vector<std::vector<Neighbour>> neighbours(count);
  std::vector<char> has_border(count, 0);
  for_each_edge(sides_of(surface), [&](const FaceSide* first, const FaceSide* last) {
    if (last - first == 2) {
      const bool agrees = first[0].forward != first[1].forward;
      neighbours[first[0].face].push_back({first[1].face, agrees});
      neighbours[first[1].face].push_back({first[0].face, agrees});
    } else {
      for (const FaceSide* side = first; side != last; ++side) has_border[side->face] = 1;
    }
  });
  reversed.assign(count, 0);
  std::vector<char> known(count, 0);
  std::vector<Part> parts;
  InterruptLook look;
  for (std::size_t seed = 0; seed < count; ++seed) {
    if (known[seed] != 0) continue;
    Part part;
    part.faces = {static_cast<int>(seed)};
    known[seed] = 1;
    for (std::size_t k = 0; k < part.faces.size(); ++k) {
      look();
      const int face = part.faces[k];
      if (has_border[face] != 0) part.closed = false;
      for (const Neighbour& next : neighbours[face]) {
        const char wanted = next.agrees ? reversed[face] : static_cast<char>(1 - reversed[face]);
        if (known[next.face] == 0) {
          known[next.face] = 1;
          reversed[next.face] = wanted;
          part.faces.push_back(next.face);
        } else if (reversed[next.face] != wanted) {
          part.orientable = false;
        }
      }
    }
    parts.push_back(std::move(part));
  }
  return parts;
}

double volume_of(const PolyhedronSurface& surface, const Part& part) {
  const Vec3 base = surface.vertices[surface.loops[part.faces.front()].front()];
  double sum = 0;
  for (const int f : part.faces) {
    const auto& loop = surface.loops[f];
    const Vec3 a = surface.vertices[loop[0]] - base;
    for (std::size_t k = 1; k + 1 < loop.size(); ++k)
      sum += a.dot((surface.vertices[loop[k]] - base).cross(surface.vertices[loop[k + 1]] - base)) / 6;
  }
  return sum;
}

void reverse(PolyhedronSurface& surface, const Part& part) {
  for (const int f : part.faces) std::reverse(surface.loops[f].begin(), surface.loops[f].end());
}

/// The triangles of one part, with vertices of its own. @param number per vertex of the surface -1, which
/// holds again afterwards.
PolyhedronSurface triangles_alone(const PolyhedronSurface& surface, const Part& part,
                                  std::vector<int>& number) {
  PolyhedronSurface alone;
  const auto own = [&](int v) {
    if (number[v] < 0) {
      number[v] = static_cast<int>(alone.vertices.size());
      alone.vertices.push_back(surface.vertices[v]);
    }
    return number[v];
  };
  for (const int f : part.faces) {
    const auto& loop = surface.loops[f];
    for (std::size_t k = 1; k + 1 < loop.size(); ++k)
      alone.loops.push_back({own(loop[0]), own(loop[k]), own(loop[k + 1])});
  }
  for (const int f : part.faces) {
    for (const int v : surface.loops[f]) number[v] = -1;
  }
  return alone;
}

/// @returns per part the closed parts that it lies in. A part is taken to be where its first vertex is.
std::vector<std::vector<int>> containers(const PolyhedronSurface& surface, const std::vector<Part>& parts) {
  constexpr double kTouch = 1e-9;  // of the size: nearer to a face, rays may miss it
  std::vector<Eigen::AlignedBox3d> boxes(parts.size());
  for (std::size_t p = 0; p < parts.size(); ++p) {
    for (const int f : parts[p].faces) {
      for (const int v : surface.loops[f]) boxes[p].extend(surface.vertices[v]);
    }
  }
  const FaceTree tree(boxes);
  std::vector<std::vector<int>> within(parts.size());  // per closed part those in its box
  for (int inner = 0; inner < static_cast<int>(parts.size()); ++inner) {
    check_interrupt();
    tree.visit([&](const Eigen::AlignedBox3d& box) { return box.contains(boxes[inner]); },
               [&](int outer) {
                 const bool holds = parts[outer].closed && parts[outer].orientable && outer != inner;
                 if (holds && boxes[outer].contains(boxes[inner])) within[outer].push_back(inner);
               });
  }
  std::vector<std::vector<int>> around(parts.size());
  std::vector<int> number(surface.vertices.size(), -1);
  for (std::size_t outer = 0; outer < parts.size(); ++outer) {
    if (within[outer].empty()) continue;
    const PolyhedronSurface alone = triangles_alone(surface, parts[outer], number);
    const RayCrossings crossings(alone, kTouch * alone.size());
    for (const int inner : within[outer]) {
      check_interrupt();
      const Vec3& p = surface.vertices[surface.loops[parts[inner].faces.front()].front()];
      const std::optional<int> times = crossings.around(p, Vec3::UnitZ(), -1);
      if (times ? *times != 0 : std::abs(winding_number(alone, p)) > 0.5)
        around[inner].push_back(static_cast<int>(outer));
    }
  }
  return around;
}

}  // namespace

Reversals orient(PolyhedronSurface& surface, bool open) {
  Reversals done;
  std::vector<char> reversed;
  const std::vector<Part> parts = parts_of(surface, reversed);
  for (const Part& part : parts) {
    if (!part.orientable) continue;
    const auto against =
        std::count_if(part.faces.begin(), part.faces.end(), [&](int f) { return reversed[f] != 0; });
    // As many on both sides: the first face is right.
    const bool others = 2 * static_cast<std::size_t>(against) > part.faces.size();
    for (const int f : part.faces) {
      if ((reversed[f] != 0) == others) continue;
      std::reverse(surface.loops[f].begin(), surface.loops[f].end());
      ++done.faces;
    }
  }
  if (open) return done;
  const std::vector<std::vector<int>> around = containers(surface, parts);
  std::vector<char> inverted(parts.size(), 0);
  for (std::size_t p = 0; p < parts.size(); ++p) {
    if (around[p].empty() && parts[p].closed && parts[p].orientable && volume_of(surface, parts[p]) < 0)
      inverted[p] = 1;
  }
  for (std::size_t p = 0; p < parts.size(); ++p) {
    const bool with_outer = std::any_of(around[p].begin(), around[p].end(), [&](int outer) {
      return inverted[outer] != 0 && around[outer].empty();
    });
    if (inverted[p] == 0 && !with_outer) continue;
    reverse(surface, parts[p]);
    ++done.parts;
  }
  return done;
}

std::size_t separate_parts(const PolyhedronSurface& surface) {
  std::vector<char> reversed;
  std::vector<Part> parts = parts_of(surface, reversed);
  if (parts.size() < 2) return parts.size();
  // Each is, also where it touches another one along an edge, which then has four sides.
  for (Part& part : parts) part.closed = true;
  const std::vector<std::vector<int>> around = containers(surface, parts);
  std::vector<int> group(parts.size());  // per part a part that it touches, itself: the last one
  std::iota(group.begin(), group.end(), 0);
  const auto last = [&group](int p) {
    while (group[p] != p) p = group[p] = group[group[p]];
    return p;
  };
  std::vector<int> at_vertex(surface.vertices.size(), -1);  // the first part there
  for (int p = 0; p < static_cast<int>(parts.size()); ++p) {
    if (!around[p].empty()) continue;
    for (const int f : parts[p].faces) {
      for (const int v : surface.loops[f]) {
        if (at_vertex[v] < 0) at_vertex[v] = p;
        group[last(p)] = last(at_vertex[v]);
      }
    }
  }
  std::size_t count = 0;
  for (int p = 0; p < static_cast<int>(parts.size()); ++p)
    count += around[p].empty() && group[p] == p ? 1 : 0;
  return count;
}

}  // namespace scree

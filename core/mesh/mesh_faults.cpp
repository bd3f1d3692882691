#include "core/mesh/mesh_faults.hpp"

#include <algorithm>

#include "core/mesh/crossing_faces.hpp"
#include "core/mesh/edge_faces.hpp"
#include "core/mesh/enclosed_faces.hpp"
#include "core/mesh/polyhedron_surface.hpp"

namespace scree {

MeshFaults find_mesh_faults(const std::string& name, const PolyhedronSurface& surface, bool open) {
  constexpr std::size_t kMostCrossings = 1000000;
  MeshFaults faults{name, surface, {}, {}, {}, {}, {}};
  const double size = surface.size();
  for (int f = 0; f < static_cast<int>(surface.loops.size()); ++f) {
    if (is_degenerate_face(surface, surface.loops[f], size)) faults.degenerate_faces.push_back(f);
  }
  for_each_edge(sides_of(surface), [&](const FaceSide* first, const FaceSide* last) {
    if (last - first == 1 && !open) faults.free_edges.push_back({first->low, first->high});
    const auto forward = std::count_if(first, last, [](const FaceSide& side) { return side.forward; });
    if (forward > 1 || last - first - forward > 1) faults.clashing_edges.push_back({first->low, first->high});
  });
  if (open || faults.any()) return faults;
  const SelfContact contact = self_contact(surface, kMostCrossings);
  for (const FaceCrossing& crossing : contact.crossings) {
    faults.crossing_faces.push_back(crossing.a);
    faults.crossing_faces.push_back(crossing.b);
  }
  std::sort(faults.crossing_faces.begin(), faults.crossing_faces.end());
  faults.crossing_faces.erase(std::unique(faults.crossing_faces.begin(), faults.crossing_faces.end()),
                              faults.crossing_faces.end());
  if (faults.any()) return faults;
  for (const EnclosedFace& face : enclosed_faces(surface, contact.touching))
    faults.enclosed_faces.push_back(face.face);
  return faults;
}

}  // namespace scree

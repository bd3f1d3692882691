#include "solvers/compliant/body_stops.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

#include "contact/bounds/paths.hpp"

namespace scree {
namespace {

/// Looks at the pairs of a path. A body that stops may be met by those behind it, and so on.
constexpr int kMostLooks = 30;

}  // namespace

void give_to_ghosts(const World& world, std::vector<double>& values) {
  const Bodies& bodies = world.bodies();
  if (!world.dofs().has_ghosts()) {
    values.resize(static_cast<std::size_t>(bodies.moving()));
    return;
  }
  const LocalSystem& rows = world.rows();
  const petsc::VecHandle own = world.dofs().create_vector();
  {
    const petsc::VecValues to(own);
    for (int i = 0; i < bodies.owned; ++i) to.data()[rows.offset[i]] = values[static_cast<std::size_t>(i)];
  }
  const std::vector<double> ones(static_cast<std::size_t>(rows.offset.back()), 1.0);
  std::vector<double> local(ones.size());
  world.dofs().to_local(own, ones, local);
  values.resize(static_cast<std::size_t>(bodies.moving()));
  for (int i = bodies.owned; i < bodies.moving(); ++i)
    values[static_cast<std::size_t>(i)] = local[static_cast<std::size_t>(rows.offset[i])];
}

bool stop_bodies(const World& world, Passage& passage) {
  const Bodies& bodies = world.bodies();
  std::vector<double>& stops = passage.stops();
  stops.assign(static_cast<std::size_t>(bodies.moving()), 1.0);
  std::vector<char> changed(static_cast<std::size_t>(bodies.all()), 1);
  std::vector<double> next;
  for (int look = 0; look < kMostLooks; ++look) {
    const contact::StoppedBodies found = passage.own_stops(changed, next);
    std::array<int, 2> seen{found.any ? 1 : 0, found.in_vain ? 1 : 0};
    MPI_Allreduce(MPI_IN_PLACE, seen.data(), 2, MPI_INT, MPI_MAX, world.comm());
    if (seen[1] != 0) break;
    if (seen[0] == 0) return true;
    give_to_ghosts(world, next);
    for (std::size_t i = 0; i < stops.size(); ++i) changed[i] = next[i] != stops[i] ? 1 : 0;
    std::fill(changed.begin() + bodies.moving(), changed.end(), char{0});
    stops.swap(next);
  }
  stops.clear();
  return false;
}

}  // namespace scree

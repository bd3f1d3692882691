#include "solvers/compliant/body_stops.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

#include "contact/bounds/paths.hpp"

namespace scree {
namespace {

/// Looks at the pairs of a path. A body that stops may be met by those behind it, and so on.
constexpr int kMostLooks = 30;

constexpr double kNotCarried = -1;

/// Path of a body that a boundary carries, as it was.
struct OwnPath {
  int body = 0;
  Vec3 du, dalpha;  ///< [m], [-]
};

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

bool stop_bodies(const World& world, Passage& passage, bool carry) {
  const Bodies& bodies = world.bodies();
  const auto moving = static_cast<std::size_t>(bodies.moving());
  std::vector<double>& stops = passage.stops();
  stops.assign(moving, 1.0);
  std::vector<char> changed(static_cast<std::size_t>(bodies.all()), 1);
  std::vector<double> next;
  std::vector<double> carriers(carry ? moving : 0, kNotCarried);
  std::vector<OwnPath> own;  // of those that are carried
  for (int look = 0; look < kMostLooks;) {
    const std::vector<double> before = carriers;
    const contact::StoppedBodies found = passage.own_stops(changed, next, carriers);
    std::array<int, 3> seen{found.any ? 1 : 0, found.in_vain ? 1 : 0, carriers != before ? 1 : 0};
    MPI_Allreduce(MPI_IN_PLACE, seen.data(), 3, MPI_INT, MPI_MAX, world.comm());
    if (seen[1] != 0) break;
    if (seen[0] == 0) return true;
    give_to_ghosts(world, next);
    if (seen[2] != 0)
      give_to_ghosts(world, carriers);  // each body once at most
    else
      ++look;
    for (std::size_t i = 0; i < moving; ++i) {
      changed[i] = next[i] != stops[i] ? 1 : 0;
      if (carry && carriers[i] != before[i]) {
        const int at = static_cast<int>(i);
        own.push_back({at, passage.du(at), passage.dalpha(at)});
        passage.carry(at, static_cast<int>(carriers[i]));
        next[i] = changed[i] = 1;
      }
    }
    std::fill(changed.begin() + bodies.moving(), changed.end(), char{0});
    stops.swap(next);
  }
  stops.clear();
  for (const OwnPath& path : own) {
    passage.du(path.body) = path.du;
    passage.dalpha(path.body) = path.dalpha;
  }
  return false;
}

}  // namespace scree

#include "solvers/quasi_static/unbalance.hpp"

#include <algorithm>
#include <cstdio>
#include <limits>
#include <vector>

#include "solvers/world/contact_output.hpp"

namespace scree {

Unbalance unbalance_of(World& world) {
  const LocalSystem& loads = world.load_residual();
  const Bodies& bodies = world.bodies();
  double largest[3] = {0, 0, 0};
  for (int i = 0; i < bodies.owned; ++i) {
    largest[0] = std::max(largest[0], bodies.state[i].a.norm());
    largest[1] = std::max(largest[1], bodies.state[i].dw.norm());
    const Eigen::Map<const Vec3> load(&loads.residual[loads.offset[i]]);
    largest[2] = std::max(largest[2], load.norm() / bodies.properties[i].mass);
  }
  MPI_Allreduce(MPI_IN_PLACE, largest, 3, MPI_DOUBLE, MPI_MAX, world.comm());
  return {largest[0], largest[1], largest[2]};
}

double extent_of(const World& world) {
  // Poles with bounding radii; boundaries, which may be unbounded, by their poles.
  const Bodies& bodies = world.bodies();
  constexpr double kFar = std::numeric_limits<double>::max();
  double corner[6] = {-kFar, -kFar, -kFar, -kFar, -kFar, -kFar};  // largest of -x and of x
  for (int i = 0; i < bodies.all(); ++i) {
    const double length = bodies.is_boundary(i) ? 0 : bodies.properties[i].length;
    for (int k = 0; k < 3; ++k) {
      corner[k] = std::max(corner[k], length - bodies.state[i].x[k]);
      corner[k + 3] = std::max(corner[k + 3], length + bodies.state[i].x[k]);
    }
  }
  MPI_Allreduce(MPI_IN_PLACE, corner, 6, MPI_DOUBLE, MPI_MAX, world.comm());
  Vec3 size(corner[0] + corner[3], corner[1] + corner[4], corner[2] + corner[5]);
  for (int k = 0; k < 3; ++k) {
    // Where a cell begins is no matter of the packing.
    if (bodies.periodic.length[k] > 0) size[k] = bodies.periodic.length[k];
  }
  return size.norm();
}

std::string restless_body(World& world, const WayBack& start) {
  std::vector<Wrench> by_contact;
  sum_pair_wrenches(world, by_contact);
  const LocalSystem& loads = world.load_residual();
  const Bodies& bodies = world.bodies();
  double own = -1;
  int local = -1;
  for (int i = 0; i < bodies.owned; ++i) {
    Vec3 force = by_contact[i].force - Eigen::Map<const Vec3>(&loads.residual[loads.offset[i]]);
    for (int k = 0; k < 3; ++k) {
      if (bodies.properties[i].fixed[k]) force[k] = 0;
    }
    if (force.norm() <= own) continue;
    local = i;
    own = force.norm();
  }
  const double worst = world.max_over_ranks(own);
  BodyId body = local >= 0 && own == worst ? bodies.properties[local].id : std::numeric_limits<BodyId>::max();
  const BodyId found = body;
  MPI_Allreduce(MPI_IN_PLACE, &body, 1, MPI_INT64_T, MPI_MIN, world.comm());
  double moved = 0, touches = 0;
  if (local >= 0 && found == body) {
    moved = start.moved(local);
    touches = by_contact[local].force.norm() > 0 ? 1 : 0;
  }
  moved = world.max_over_ranks(moved);
  touches = world.max_over_ranks(touches);
  char text[160];
  std::snprintf(text, sizeof text, "moved %.3g m in this load step, unbalanced force %.3g N: it %s", moved,
                worst, touches > 0 ? "slides, rotates or sinks" : "falls without contact");
  return world.model().body_in_words(body) + ' ' + text;
}

}  // namespace scree

/// For tests of quasi-static runs: what a run shows, and small models.
#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "solvers/test_models.hpp"
#include "solvers/time_loop.hpp"

namespace scree::statics {

using test::add_cube;
using test::cubes_on_floor;

/// Poses of all bodies of all ranks by id, 7 numbers each, and the energy balance, per accepted state.
struct Seen {
  [[nodiscard]] Vec3 position(std::size_t state, std::size_t body) const {
    return Vec3(&poses[state][7 * body]);
  }
  /// Where a point of the body frame is.
  [[nodiscard]] Vec3 point(std::size_t state, std::size_t body, const Vec3& local) const {
    return position(state, body) + Eigen::Map<const Quat>(&poses[state][7 * body + 3]) * local;
  }
  std::vector<std::vector<double>> poses;
  std::vector<double> times, gaps;
  std::vector<EnergyLedger> ledgers;
  std::vector<Vec3> floor;
  double fastest = 0;
};

struct Watch : Observer {
  Watch(MPI_Comm c, BodyId bodies) : comm(c), count(static_cast<std::size_t>(bodies)) {}
  void accepted(const AcceptedState& state) override {
    std::vector<double> pose(7 * count, 0.0);
    for (int i = 0; i < state.bodies->owned; ++i) {
      const BodyState& s = state.bodies->state[i];
      double* out = &pose[7 * static_cast<std::size_t>(state.bodies->properties[i].id)];
      std::copy(s.x.begin(), s.x.end(), out);
      std::copy(s.q.coeffs().begin(), s.q.coeffs().end(), out + 3);
      seen.fastest = std::max({seen.fastest, s.v.norm(), s.w.norm()});
    }
    MPI_Allreduce(MPI_IN_PLACE, pose.data(), static_cast<int>(pose.size()), MPI_DOUBLE, MPI_SUM, comm);
    seen.poses.push_back(pose);
    seen.times.push_back(state.time);
    seen.ledgers.push_back(state.energy);
    seen.gaps.push_back(state.min_gap);
    if (!state.boundary_wrench->empty()) seen.floor.push_back((*state.boundary_wrench)[0].force);
  }
  MPI_Comm comm;
  std::size_t count;
  Seen seen;
};

inline Seen watched(const Model& model, MPI_Comm comm, std::string* failure = nullptr) {
  Watch watch(comm, model.body_count());
  try {
    run(model, {&watch}, comm);
  } catch (const RunError& error) {
    if (failure == nullptr) throw;
    *failure = error.what();
  }
  return watch.seen;
}

inline Model still_cubes(double friction) {
  Model model = cubes_on_floor(0.3, friction);
  model.analysis = Analysis::quasi_static;
  model.time.end = model.time.step = 1;
  model.solver.newton_relative = 1e-10;
  return model;
}

inline elements::ForceLoad force(const Vec3& value, const Vec3& point,
                                 std::vector<std::pair<double, double>> ramp) {
  elements::ForceLoad load;
  load.value = value;
  load.point_B = point;
  load.ramp = std::move(ramp);
  return load;
}

}  // namespace scree::statics

/// Whole runs for tests of the solvers, and what is left of them.
#pragma once

#include <algorithm>
#include <atomic>
#include <vector>

#include "solvers/observer.hpp"
#include "solvers/time_loop.hpp"

namespace scree::testing {

/// Last state of all bodies of all ranks, by id: 13 numbers each.
struct Watch : Observer {
  explicit Watch(MPI_Comm c, std::size_t bodies) : comm(c), values(13 * bodies, 0.0) {}
  void accepted(const AcceptedState& state) override {
    energies.push_back(state.energy.total());
    owned = state.bodies->owned;
    std::vector<BodyId> ids;
    for (int i = 0; i < owned; ++i) ids.push_back(state.bodies->properties[i].id);
    if (!state.first && ids != ids_) migrated = 1;
    ids_ = std::move(ids);
    if (!state.last) return;
    MPI_Allreduce(MPI_IN_PLACE, &migrated, 1, MPI_INT, MPI_MAX, comm);
    for (int i = 0; i < state.bodies->owned; ++i) {
      const BodyState& s = state.bodies->state[i];
      double* out = &values[13 * static_cast<std::size_t>(state.bodies->properties[i].id)];
      Eigen::Matrix<double, 13, 1> all;
      all << s.x, s.v, s.w, s.q.coeffs();
      std::copy(all.begin(), all.end(), out);
    }
    MPI_Allreduce(MPI_IN_PLACE, values.data(), static_cast<int>(values.size()), MPI_DOUBLE, MPI_SUM, comm);
  }
  MPI_Comm comm;
  std::vector<double> values, energies;
  int owned = 0;
  int migrated = 0;

 private:
  std::vector<BodyId> ids_;
};

struct LastState {
  std::vector<double> values, energies;
  int owned;
  int migrated;  ///< whether a body changed its rank during the run
};

inline LastState run_model(const Model& model, MPI_Comm comm, RunReport* report = nullptr) {
  Watch watch(comm, model.bodies.size());
  const std::atomic<bool> stop{false};
  const RunReport r = run(model, {&watch}, stop, comm);
  if (report != nullptr) *report = r;
  return {watch.values, watch.energies, watch.owned, watch.migrated};
}

}  // namespace scree::testing

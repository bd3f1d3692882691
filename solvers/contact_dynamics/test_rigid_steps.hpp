/// For tests: rigid cubes and balls over a floor, and what the last step of a run leaves.
#pragma once

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "core/test_extremes.hpp"
#include "solvers/test_models.hpp"
#include "solvers/test_runs.hpp"
#include "solvers/time_loop.hpp"

namespace scree::rigid_steps {

/// Last state of a run, on all ranks.
struct LastStep {
  std::vector<double> bodies, forces;
  Wrench floor;
  EnergyLedger energy;
  double lowest_gap = 0;
  std::map<std::pair<BodyId, BodyId>, double> of_pairs;  ///< normal forces of this rank's contacts
  [[nodiscard]] Vec3 place(std::size_t body) const { return Vec3(&bodies[13 * body]); }
  [[nodiscard]] Vec3 velocity(std::size_t body) const { return Vec3(&bodies[13 * body + 3]); }
  [[nodiscard]] Vec3 force(std::size_t body) const { return Vec3(&forces[6 * body]); }
};

struct Recorder : Observer {
  explicit Recorder(MPI_Comm c) : comm(c) {}
  void accepted(const AcceptedState& state) override {
    last.bodies = test_runs::all_states(state, comm);
    last.forces.assign(6 * state.model->body_count(), 0.0);
    for (int i = 0; i < state.bodies->owned; ++i) {
      const auto id = static_cast<std::size_t>(state.bodies->properties[i].id);
      const Wrench& wrench = (*state.body_wrench)[i];
      std::copy(wrench.force.begin(), wrench.force.end(), &last.forces[6 * id]);
      std::copy(wrench.moment.begin(), wrench.moment.end(), &last.forces[6 * id + 3]);
    }
    test_runs::sum_over_ranks(last.forces, comm);
    last.floor = state.boundary_wrench->empty() ? Wrench{} : state.boundary_wrench->front();
    if (state.rigid != nullptr && state.rigid->known)
      test::keep_smallest(last.lowest_gap, state.rigid->gap_at_end);
    last.energy = state.energy;
    last.of_pairs.clear();
    for (const ContactRecord& record : state.queries->contacts())
      last.of_pairs[{record.body_a, record.body_b}] += record.normal_force;
  }
  MPI_Comm comm;
  LastStep last;
};

/// Cubes of 2 kg over a floor, rigid.
inline Model rigid_cubes(double restitution = 0) {
  Model model = test::cubes_on_floor(0, 0);
  model.analysis = Analysis::contact_dynamics;
  model.interfaces[0].normal = contact::RigidParameters{restitution, 1, 1};
  model.interfaces[0].friction = {};
  model.time.step = 2e-3;
  model.time.end = 0.02;
  model.solver.lcp_tolerance = 1e-12;
  return model;
}

inline void add_ball(Model& model, double radius, double mass, const Vec3& x, const Vec3& v) {
  model.shapes.push_back(make_sphere("ball", radius));
  BodyDescription body;
  body.shape = static_cast<int>(model.shapes.size()) - 1;
  body.position = x;
  body.velocity = v;
  body.mass = mass;
  body.inertia_B = 0.4 * mass * radius * radius * Mat3::Identity();
  model.bodies.push_back(body);
}

inline LastStep last_of(const Model& model, RunReport* report = nullptr, MPI_Comm comm = MPI_COMM_WORLD) {
  Recorder recorder(comm);
  const RunReport r = run(model, {&recorder}, comm);
  if (report != nullptr) *report = r;
  return recorder.last;
}

}  // namespace scree::rigid_steps

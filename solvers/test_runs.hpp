/// Whole runs for tests, and what is left of them.
#pragma once

#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "core/rotation.hpp"
#include "core/test_extremes.hpp"
#include "solvers/test_models.hpp"
#include "solvers/time_loop.hpp"

namespace scree::test_runs {

inline void sum_over_ranks(std::vector<double>& values, MPI_Comm comm) {
  MPI_Allreduce(MPI_IN_PLACE, values.data(), static_cast<int>(values.size()), MPI_DOUBLE, MPI_SUM, comm);
}

/// @returns all bodies of all ranks, by id: 13 numbers each, as LastState::values; zeros of those that left.
inline std::vector<double> all_states(const AcceptedState& state, MPI_Comm comm) {
  std::vector<double> values(13 * static_cast<std::size_t>(state.population->numbers), 0.0);
  for (int i = 0; i < state.bodies->owned; ++i) {
    const BodyState& s = state.bodies->state[i];
    Eigen::Matrix<double, 13, 1> row;
    row << state.bodies->unwrapped(s), s.v, s.w, s.q.coeffs();
    std::copy(row.begin(), row.end(), &values[13 * static_cast<std::size_t>(state.bodies->properties[i].id)]);
  }
  sum_over_ranks(values, comm);
  return values;
}

/// Last state of all bodies of all ranks, by id: 13 numbers each.
struct Watch : Observer {
  explicit Watch(MPI_Comm c) : comm(c) {}
  void accepted(const AcceptedState& state) override {
    energies.push_back(state.energy.total());
    test::keep_smallest(least_gap, state.min_gap);
    if (!state.boundary_wrench->empty()) floor = (*state.boundary_wrench)[0].force;
    owned = state.bodies->owned;
    std::vector<BodyId> ids;
    ids.reserve(static_cast<std::size_t>(owned));
    for (int i = 0; i < owned; ++i) ids.push_back(state.bodies->properties[i].id);
    if (!state.first && ids != ids_) migrated = 1;
    ids_ = std::move(ids);
    if (!state.last) return;
    MPI_Allreduce(MPI_IN_PLACE, &migrated, 1, MPI_INT, MPI_MAX, comm);
    values = all_states(state, comm);
  }
  MPI_Comm comm;
  std::vector<double> values, energies;
  Vec3 floor = Vec3::Zero();
  double least_gap = 0;
  int owned = 0;
  int migrated = 0;

 private:
  std::vector<BodyId> ids_;
};

struct LastState {
  std::vector<double>
      values;  ///< 13 per body: position (unwrapped), velocity, spin, orientation (x, y, z, w)
  std::vector<double> energies;  ///< per accepted state, contact included [J]
  int owned;                     ///< bodies of this rank at the end
  int migrated;                  ///< whether a body changed its rank during the run
  Vec3 floor;                    ///< force on the first boundary [N]
  double least_gap;              ///< of all accepted states, at most 0 [m]

  [[nodiscard]] Vec3 position(std::size_t body) const { return Vec3(&values[13 * body]); }
  [[nodiscard]] Vec3 velocity(std::size_t body) const { return Vec3(&values[13 * body + 3]); }
  [[nodiscard]] Vec3 spin(std::size_t body) const { return Vec3(&values[13 * body + 6]); }
  [[nodiscard]] Quat orientation(std::size_t body) const {
    const double* q = &values[13 * body + 9];
    return {q[3], q[0], q[1], q[2]};
  }
};

inline LastState run_model(const Model& model, MPI_Comm comm, RunReport* report = nullptr) {
  Watch watch(comm);
  const RunReport r = run(model, {&watch}, comm);
  if (report != nullptr) *report = r;
  return {watch.values, watch.energies, watch.owned, watch.migrated, watch.floor, watch.least_gap};
}

/// @returns largest difference of two runs of the same bodies, over all numbers of LastState::values.
inline double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  double worst = a.size() == b.size() ? 0.0 : std::numeric_limits<double>::infinity();
  for (std::size_t k = 0; k < std::min(a.size(), b.size()); ++k)
    test::keep_largest(worst, std::abs(a[k] - b[k]));
  return worst;
}

/// Adaptive steps, solved far below what is compared.
inline void take_adaptive_steps(Model& model, double end) {
  model.time.end = end;
  model.time.step = 1e-4;
  model.time.adaptive = true;
  model.time.min = 1e-9;
  model.time.max = 1e-3;
  model.solver.newton_relative = 1e-11;
}

/// @returns why a model is refused, or what ends its run (RunError), "" if it runs.
template <class Error = InputError>
std::string refusal(const Model& model, MPI_Comm comm = MPI_COMM_WORLD) {
  try {
    run_model(model, comm);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

/// 27 cubes that fall onto the floor and each other.
inline Model falling_cubes() {
  Model model = test::cubes_on_floor(0.3, 0.3);
  int k = 0;
  for (int z = 0; z < 3; ++z) {
    for (int y = 0; y < 3; ++y) {
      for (int x = 0; x < 3; ++x, ++k) {
        const Vec3 tilt(0.3 * std::sin(1.0 + k), 0.3 * std::cos(2.0 * k), 0.5 * std::sin(3.0 * k));
        test::add_cube(model, {0.17 * x, 0.17 * y, 0.1 + 0.17 * z}, rotation::quaternion(tilt),
                       {0.2 * std::cos(5.0 * k), 0.1, -1.0}, {std::sin(7.0 * k), 0.5, std::cos(k)});
      }
    }
  }
  take_adaptive_steps(model, 0.08);  // impacts multiply differences: two ranks part by 6e-6 at 0.09 s
  model.solver.petsc_options = "";
  return model;
}

/// Balls of 5 cm radius and 1 kg on a floor, Hooke's law with damping and friction.
inline Model balls_on_floor(double damping, double friction) {
  Model model;
  model.gravity = {0, 0, -9.81};
  model.materials.push_back({"rubber", 2000, 0, 0});
  model.shapes.push_back(make_sphere("ball", 0.05));
  contact::Interface law;
  contact::HookeParameters hooke;
  hooke.stiffness = 2e4;
  hooke.damping = damping;
  law.normal = hooke;
  law.friction.static_coefficient = law.friction.dynamic_coefficient = friction;
  law.friction.stiffness = 1e4;
  law.friction.damping = 2;
  model.interfaces.push_back(law);
  model.interface_of = {{0}};
  BoundaryDescription floor;
  floor.name = "floor";
  model.boundaries.push_back(floor);
  model.boundary_parts.push_back({0, Vec3::Zero(), Vec3::UnitZ()});
  return model;
}

inline void add_ball(Model& model, const Vec3& x, const Vec3& v = Vec3::Zero(),
                     const Vec3& w = Vec3::Zero()) {
  BodyDescription body;
  body.position = x;
  body.velocity = v;
  body.angular_velocity = w;
  body.mass = 1;
  body.inertia_B = 0.4 * 0.05 * 0.05 * Mat3::Identity();
  model.bodies.push_back(body);
}

/// 18 balls that fall onto the floor and each other. @param damping of Hooke's law [1/s].
inline Model falling_balls(double damping = 20) {
  Model model = balls_on_floor(damping, 0.3);
  int k = 0;
  for (int z = 0; z < 2; ++z) {
    for (int y = 0; y < 3; ++y) {
      for (int x = 0; x < 3; ++x, ++k) {
        add_ball(model, {0.11 * x + 0.02 * z, 0.11 * y + 0.01 * z, 0.06 + 0.11 * z},
                 {0.4 * std::cos(5.0 * k), 0.3 * std::sin(2.0 * k), -1.0},
                 {std::sin(7.0 * k), 0.5, std::cos(k)});
      }
    }
  }
  model.time.end = 0.08;
  model.time.step = 2e-4;
  model.solver.newton_relative = 1e-11;
  return model;
}

}  // namespace scree::test_runs

/// Bodies for tests of contact: a shape with a trial state whose velocities follow the increment linearly,
/// as every integrator's do.
#pragma once

#include <random>
#include <vector>

#include "contact/pair.hpp"
#include "core/rotation.hpp"

namespace scree::contact::testing {

struct TestBody {
  const Shape* shape = nullptr;
  BodyState state;
  double rate = 0;  ///< dv/du [1/s]
  BodyTrial trial;
  std::vector<Vec3> vertices;

  void set(const Vec3& u, const Vec3& alpha) {
    trial.u = u;
    trial.alpha = alpha;
    trial.x = state.x + u;
    trial.Q = rotation::matrix(alpha);
    trial.R = trial.Q * state.q.toRotationMatrix();
    trial.Xi = rotation::spin_map(alpha);
    trial.v = rate * u + state.v;
    trial.w = trial.Q * (rate * alpha + state.w);
    trial.dv_du = rate;
    trial.dw_dtheta = -rotation::skew(trial.w) + rate * trial.Q * rotation::inverse_spin_map(alpha);
    place_vertices();
  }
  /// Back to the accepted pose, with the velocities of the trial (StepContext::frozen).
  void freeze() {
    trial.u = trial.alpha = Vec3::Zero();
    trial.x = state.x;
    trial.Q = Mat3::Identity();
    trial.R = state.q.toRotationMatrix();
    place_vertices();
  }
  void place_vertices() {
    vertices.clear();
    for (const Vec3& v : shape->vertices) vertices.push_back(trial.x + trial.R * v);
  }
  [[nodiscard]] BodyView view() const { return {shape, &trial, vertices.data()}; }
};

inline Vec3 random_vector(std::mt19937_64& engine, double size) {
  std::uniform_real_distribution<double> uniform(-size, size);
  const double x = uniform(engine);
  const double y = uniform(engine);
  const double z = uniform(engine);
  return {x, y, z};
}

inline Quat random_rotation(std::mt19937_64& engine) {
  std::normal_distribution<double> normal;
  const double w = normal(engine);
  const double x = normal(engine);
  const double y = normal(engine);
  const double z = normal(engine);
  return Quat(w, x, y, z).normalized();
}

}  // namespace scree::contact::testing

/// For tests of integrators and loads: one body, its residual in the increments and the tangent.
#pragma once

#include <random>
#include <utility>
#include <vector>

#include "elements/loads/loads.hpp"
#include "elements/rigid_body.hpp"

namespace scree::elements {

inline Vec3 random_vector(std::mt19937_64& engine, double size) {
  std::uniform_real_distribution<double> uniform(-size, size);
  const double x = uniform(engine), y = uniform(engine), z = uniform(engine);
  return {x, y, z};
}

/// 2.5 kg, inertia diag(1, 2, 3) kg m^2, under an integrator (left out where it is null) and loads.
template <class Integrator>
struct OneBody {
  using Block = Eigen::Matrix<double, 6, 6, Eigen::RowMajor>;
  Bodies bodies;
  LocalSystem system;
  Integrator integrator;
  Loads loads;
  bool inertia = true;  ///< false: the loads alone, so that inertia does not hide them in differences

  /// @param parameters of the integrator.
  template <class... Parameters>
  explicit OneBody(Loads acting, Parameters... parameters)
      : integrator(parameters...), loads(std::move(acting)) {
    bodies.owned = 1;
    bodies.properties.resize(1);
    bodies.state.resize(1);
    bodies.trial.resize(1);
    bodies.properties[0].mass = 2.5;
    bodies.properties[0].inertia_B = Vec3(1, 2, 3).asDiagonal();
    system.set_entities(1, {kBodyUnknowns});
    system.set_couplings({});
    loads.locate(bodies);
  }
  void random_state(std::mt19937_64& engine) {
    BodyState& s = bodies.state[0];
    s.q = Quat(Eigen::AngleAxisd(random_vector(engine, 3).norm(), random_vector(engine, 1).normalized()));
    s.v = random_vector(engine, 1);
    s.w = random_vector(engine, 2);
    s.a = random_vector(engine, 10);
    s.dw = random_vector(engine, 10);
  }
  Vec6 residual(const Vec6& d, double h, std::vector<double>* spins = nullptr) {
    bodies.trial[0].u = d.head<3>();
    bodies.trial[0].alpha = d.tail<3>();
    integrator.kinematics(bodies.state[0], h, bodies.trial[0]);
    system.clear_residual();
    loads.residual(bodies, 0, system);
    if (inertia) integrator.residual(bodies, h, system);
    if (spins != nullptr) *spins = system.residual;
    residual_to_increments(bodies, system);
    return Eigen::Map<Vec6>(system.residual_of(0));
  }
  Block tangent(const Vec6& d, double h) {
    std::vector<double> spins;
    residual(d, h, &spins);
    system.clear_tangent();
    loads.tangent(bodies, 0, system);
    if (inertia) integrator.tangent(bodies, h, system);
    tangent_to_increments(bodies, spins, 0, bodies.owned, system);
    return Eigen::Map<Block>(system.diagonal(0));
  }
  /// Differences of the residual, of fourth order.
  Block differences(const Vec6& d, double h) {
    const double e = 1e-4;
    Block numeric;
    for (int c = 0; c < 6; ++c) {
      Vec6 dp = Vec6::Zero();
      dp[c] = e;
      numeric.col(c) = (8 * (residual(d + dp, h) - residual(d - dp, h)) -
                        (residual(d + 2 * dp, h) - residual(d - 2 * dp, h))) /
                       (12 * e);
    }
    return numeric;
  }
  void step(double h) {
    Vec6 d = Vec6::Zero();
    for (int it = 0; it < 20; ++it) {
      const Vec6 r = residual(d, h);
      if (r.norm() < 1e-13) break;
      d -= tangent(d, h).fullPivLu().solve(r);
    }
    residual(d, h);
    integrator.commit(bodies.properties[0], h, bodies.trial[0], bodies.state[0]);
  }
};

}  // namespace scree::elements

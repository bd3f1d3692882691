/// One body under an integrator and loads, for tests.
#pragma once

#include <memory>
#include <random>
#include <vector>

#include "core/rotation.hpp"
#include "core/test_random.hpp"
#include "elements/integrators/end_of_step.hpp"
#include "elements/integrators/newmark.hpp"
#include "elements/loads/loads.hpp"
#include "elements/rigid_body.hpp"

namespace scree::one_body {

using namespace elements;
using test::random_vector;

/// One body with inertia diag(1, 2, 3) kg m^2 under an integrator and loads.
struct OneBody {
  Bodies bodies;
  LocalSystem system;
  std::shared_ptr<const Integrator> integrator;
  Loads loads;
  std::vector<double> forces;  ///< residual of the loads at the last evaluation
  double time = 0;
  bool inertia = true;  ///< false: the loads alone, so that inertia does not hide them in differences

  explicit OneBody(double beta = 0.3, double gamma = 0.5, std::vector<Load> dead = {})
      : OneBody(std::make_shared<Newmark>(beta, gamma), std::move(dead)) {}
  explicit OneBody(std::shared_ptr<const Integrator> method, std::vector<Load> dead = {})
      : OneBody(std::move(method), Loads(Vec3::Zero(), std::move(dead))) {}
  OneBody(std::shared_ptr<const Integrator> method, Loads acting)
      : integrator(std::move(method)), loads(std::move(acting)) {
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
  void evaluate(const Vec6& d, double h) {
    bodies.trial[0].u = d.head<3>();
    bodies.trial[0].alpha = d.tail<3>();
    integrator->kinematics(bodies.state[0], h, bodies.trial[0]);
    system.clear_residual();
    loads.residual(bodies, time, system);
    forces = system.residual;
    if (inertia) integrator->residual(bodies, h, system);
  }
  Vec6 residual(const Vec6& d, double h) {
    evaluate(d, h);
    residual_to_increments(bodies, integrator->supports_in_moments(), system);
    return Eigen::Map<Vec6>(system.residual_of(0));
  }
  Mat6 tangent(const Vec6& d, double h) {
    evaluate(d, h);
    const std::vector<double> spin = system.residual;
    system.clear_tangent();
    if (inertia) integrator->tangent(bodies, h, system);
    loads.tangent(bodies, time, system);
    tangent_to_increments(bodies, integrator->supports_in_moments(), spin, 0, bodies.owned, system);
    return Eigen::Map<Eigen::Matrix<double, 6, 6, Eigen::RowMajor>>(system.diagonal(0));
  }
  /// Differences of the residual, of fourth order.
  Mat6 differences(const Vec6& d, double h) {
    const double e = 1e-4;
    Mat6 numeric;
    for (int c = 0; c < 6; ++c) {
      Vec6 dp = Vec6::Zero();
      dp[c] = e;
      numeric.col(c) = (8 * (residual(d + dp, h) - residual(d - dp, h)) -
                        (residual(d + 2 * dp, h) - residual(d - 2 * dp, h))) /
                       (12 * e);
    }
    return numeric;
  }
  void random_state(std::mt19937_64& engine) {
    BodyState& s = bodies.state[0];
    s.q = Quat(Eigen::AngleAxisd(random_vector(engine, 3).norm(), random_vector(engine, 1).normalized()));
    s.v = random_vector(engine, 1);
    s.w = random_vector(engine, 2);
    s.a = random_vector(engine, 10);
    s.dw = random_vector(engine, 10);
  }
  /// @returns residual norms of the iterates.
  std::vector<double> step(double h) {
    std::vector<double> norms;
    Vec6 d;
    Vec3 u, alpha;
    integrator->predict(bodies.state[0], h, u, alpha);
    d << u, alpha;
    const double scale = 1 / (h * h);
    for (int it = 0; it < 12; ++it) {
      const Vec6 r = residual(d, h);
      norms.push_back(r.norm() / scale);
      if (norms.back() < 1e-15) break;
      d -= tangent(d, h).fullPivLu().solve(r);
    }
    evaluate(d, h);
    finish(h);
    return norms;
  }
  /// From the solution to the accepted state, as System does it.
  void finish(double h) {
    BodyState& state = bodies.state[0];
    BodyTrial& trial = bodies.trial[0];
    if (integrator->stage() != ForceStage::end) {
      move_to_end(*integrator, state, h, trial);
      apply_impulse(bodies.properties[0], state, -h * Eigen::Map<Vec3>(forces.data()),
                    -h * Eigen::Map<Vec3>(&forces[3]), trial);
    }
    integrator->commit(bodies.properties[0], h, trial, state);
  }
  void start(const Vec3& w) {
    BodyState& s = bodies.state[0];
    s.w = w;
    const Mat3& j = bodies.properties[0].inertia_B;
    s.dw = j.inverse() * -w.cross(j * w);
  }
  [[nodiscard]] Vec3 momentum() const {
    const BodyState& s = bodies.state[0];
    return s.q * (bodies.properties[0].inertia_B * (s.q.conjugate() * s.w));
  }
  [[nodiscard]] double energy() const {
    const Vec3 spin = bodies.state[0].q.conjugate() * bodies.state[0].w;
    return 0.5 * spin.dot(bodies.properties[0].inertia_B * spin);
  }
};

}  // namespace scree::one_body

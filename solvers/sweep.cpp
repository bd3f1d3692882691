/// One sweep of the fixed-point iteration for spheres (theory 04 section 4).
#include <algorithm>

#include "solvers/system.hpp"

namespace scree {
namespace {

/// A change in the step below this part of the whole is lost in round-off as a measure of errors.
constexpr double kVanishing = 1e-6;

/// Nor does a sweep that changes less than this part of the whole say anything.
constexpr double kRoundOff = 1e-15;

/// Moments of forces through the poles are round-off of force times lever. Spins that nothing else makes are
/// measured against what forces of this part would make, and against the motion of the surface: else their
/// digits, which never settle, would be the largest error of all.
constexpr double kMomentRoundOff = 1e-14;

}  // namespace

double System::sweep(Vec y) {
  // Forces ask for velocities, these for positions: [Sph, Eqs. 42, 45] for the residual of theory 02 section
  // 5 is d - (h phi)^2 M^-1 r, a Jacobi sweep, which knows no order of bodies and no ranks.
  const double factor = integrator_->sweep_factor(h_);
  enum Measure { position, velocity, spin, rotation, kMeasures };
  // Change in the sweep, change in the step, and size, summed over bodies.
  constexpr std::size_t kTurned = std::size_t{3} * kMeasures;
  double sums[kTurned + 1] = {};
  double& turned = sums[kTurned];  // rotation that round-off may make
  const petsc::VecValues values(y);
  for (int i = 0; i < bodies_.owned; ++i) {
    const BodyProperties& properties = bodies_.properties[i];
    const BodyState& state = bodies_.state[i];
    BodyTrial trial = bodies_.trial[i];
    const Vec6 r = Eigen::Map<const Vec6>(&spin_residual_[local_.offset[i]]);
    Vec3 du = -factor / properties.mass * r.head<3>();
    // A sphere: J = j I in any axes.
    Vec3 dalpha = -factor / properties.inertia_B(0, 0) * r.tail<3>();
    for (int k = 0; k < 3; ++k) {
      if (properties.fixed[k]) du[k] = 0;
      if (properties.fixed[k + 3]) dalpha[k] = 0;
    }
    turned += (trial.u.norm() + factor / properties.mass * norms_.force_scale) / properties.length;
    const Vec3 v = trial.v;
    const Vec3 w = trial.w;
    trial.u += du;
    trial.alpha += dalpha;
    integrator_->kinematics(state, h_, trial);
    const double terms[3 * kMeasures] = {du.norm(),
                                         (trial.v - v).norm(),
                                         (trial.w - w).norm(),
                                         dalpha.norm(),
                                         trial.u.norm(),
                                         (trial.v - state.v).norm(),
                                         (trial.w - state.w).norm(),
                                         trial.alpha.norm(),
                                         trial.x.norm(),
                                         trial.v.norm(),
                                         trial.w.norm(),
                                         trial.alpha.norm()};
    for (int k = 0; k < 3 * kMeasures; ++k) sums[k] += terms[k];
    for (int k = 0; k < kBodyUnknowns; ++k) {
      const int at = local_.offset[i] + k;
      values.data()[at] = (k < 3 ? trial.u[k] : trial.alpha[k - 3]) / local_.scale[at];
    }
  }
  MPI_Allreduce(MPI_IN_PLACE, sums, 3 * kMeasures + 1, MPI_DOUBLE, MPI_SUM, comm_);
  double error = 0;
  for (int k = 0; k < kMeasures; ++k) {
    const double change = sums[kMeasures + k];
    const double size = sums[2 * kMeasures + k];
    // [Sph, Eq. 48]; where the denominator approaches zero [Sph, Eq. 49].
    const double denominator = change > kVanishing * size ? change : size;
    double round_off = kRoundOff * size;
    if (k == rotation) round_off += kMomentRoundOff * turned;
    if (k == spin) round_off += kMomentRoundOff * turned / h_;
    if (sums[k] > round_off) error = std::max(error, sums[k] / denominator);
  }
  return error;
}

}  // namespace scree

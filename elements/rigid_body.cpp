#include "elements/rigid_body.hpp"

#include "core/rotation.hpp"

namespace scree::elements {
namespace {

using Block = Eigen::Map<Eigen::Matrix<double, 6, 6, Eigen::RowMajor>>;

/// Size that stands on the diagonal of a fixed unknown, over the mass [1/s^2]: of the order of the inertia
/// block at a usual step, so that its row is a force like the others and preconditioning sees nothing odd.
constexpr double kFixedRate = 1e8;

double fixed_stiffness(const BodyProperties& properties) { return properties.mass * kFixedRate; }

/// Whether rows of moments stay as they are. With no fixed rotation, or two, solutions are the same.
bool keeps_moments(const BodyProperties& properties, bool supports_in_moments) {
  int fixed = 0;
  for (int k = 3; k < kBodyUnknowns; ++k) fixed += properties.fixed[k] ? 1 : 0;
  return supports_in_moments && fixed == 1;
}

double unknown(const BodyTrial& trial, int k) { return k < 3 ? trial.u[k] : trial.alpha[k - 3]; }

}  // namespace

void residual_to_increments(const Bodies& bodies, bool supports_in_moments, LocalSystem& system) {
  for (int i = 0; i < bodies.owned; ++i) {
    const BodyProperties& properties = bodies.properties[i];
    Eigen::Map<Vec6> r(system.residual_of(i));
    if (!keeps_moments(properties, supports_in_moments)) {
      const Vec3 pseudo = bodies.trial[i].Xi.transpose() * r.tail<3>();
      r.tail<3>() = pseudo;
    }
    for (int k = 0; k < kBodyUnknowns; ++k) {
      if (!properties.fixed[k]) continue;
      const double length = k < 3 ? 1.0 : properties.length * properties.length;
      r[k] = fixed_stiffness(properties) * length * unknown(bodies.trial[i], k);
    }
  }
}

void tangent_to_increments(const Bodies& bodies, bool supports_in_moments,
                           const std::vector<double>& spin_residual, int first, int last,
                           LocalSystem& system) {
  for (int i = first; i < last; ++i) {
    if (!system.assembles(i)) continue;
    const BodyTrial& trial = bodies.trial[i];
    const BodyProperties& properties = bodies.properties[i];
    Block k(system.diagonal(i));
    const Vec3 moment(&spin_residual[system.offset[i] + 3]);
    const bool keeps = keeps_moments(properties, supports_in_moments);
    if (!keeps) {
      const Eigen::Matrix<double, 3, 6> rows = trial.Xi.transpose() * k.bottomRows<3>();
      k.bottomRows<3>() = rows;
    }
    const Eigen::Matrix<double, 6, 3> columns = k.rightCols<3>() * trial.Xi;
    k.rightCols<3>() = columns;
    if (!keeps)
      k.bottomRightCorner<3, 3>() += rotation::spin_map_transpose_derivative(trial.alpha, trial.Xi, moment);
    for (int f = 0; f < kBodyUnknowns; ++f) {
      if (!properties.fixed[f]) continue;
      k.row(f).setZero();
      k.col(f).setZero();
      k(f, f) = fixed_stiffness(properties) * (f < 3 ? 1.0 : properties.length * properties.length);
    }
    const Eigen::Map<const Vec6> scale(&system.scale[system.offset[i]]);
    system.stiffness[i] = (scale.asDiagonal() * k.cwiseAbs() * scale).maxCoeff();
  }
  const int couplings = static_cast<int>(system.couplings.size());
  for (int c = system.first_coupling(first); c < couplings && system.couplings[c].row < last; ++c) {
    const LocalSystem::Coupling& coupling = system.couplings[c];
    if (!system.assembles(coupling.row)) continue;
    Block k(system.coupling(c));
    if (k.isZero(0)) continue;  // near, not in contact
    if (!keeps_moments(bodies.properties[coupling.row], supports_in_moments)) {
      const Eigen::Matrix<double, 3, 6> rows = bodies.trial[coupling.row].Xi.transpose() * k.bottomRows<3>();
      k.bottomRows<3>() = rows;
    }
    const Eigen::Matrix<double, 6, 3> columns = k.rightCols<3>() * bodies.trial[coupling.col].Xi;
    k.rightCols<3>() = columns;
    for (int f = 0; f < kBodyUnknowns; ++f) {
      if (bodies.properties[coupling.row].fixed[f]) k.row(f).setZero();
      if (bodies.properties[coupling.col].fixed[f]) k.col(f).setZero();
    }
  }
}

}  // namespace scree::elements

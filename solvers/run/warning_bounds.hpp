/// Bounds of warnings.
#pragma once

namespace scree {

/// Energies are measured against the reference energy (EnergyLedger::reference).
struct WarningBounds {
  static constexpr double kCreated = 0.01;      ///< energy balance error above which energy was created
  static constexpr double kKept = 0.1;          ///< ... above which the run has failed, by integrators that
                                                ///< make errors; with secant forces it has above kCreated
  static constexpr double kLost = 0.1;          ///< ... below the negative of which energy was lost
  static constexpr double kSwing = 0.1;         ///< ... at any time of the run, either way
  static constexpr double kBalanced = 0.1;      ///< force on a body over the largest contact force: balance
  static constexpr double kOverruled = 2;       ///< step over its limit
  static constexpr double kAtMinimum = 0.1;     ///< part of the steps at the deck's smallest size
  static constexpr double kBondLoad = 1.2;      ///< tension at which a bond broke over the breaking force
  static constexpr double kRejected = 0.2;      ///< part of the attempted steps
  static constexpr double kBlocked = 0.5;       ///< ... rejected because a boundary would meet a body
  static constexpr double kResidual = 1e-4;     ///< accepted residual over the force scale
  static constexpr double kForces = 1e-6;       ///< misfit of the two-step method's compatible forces
  static constexpr double kOverlap = 0.01;      ///< of rigid bodies over the mean bounding radius
  static constexpr double kSoftOverlap = 0.05;  ///< of compliant contacts over the smaller bounding radius
  static constexpr double kStartOverlap = 0.5;  ///< the same at the start: positions or sizes are in doubt
  static constexpr double kSmallGap = 0.01;     ///< smallest gap over the activation distance
  static constexpr double kResolution = 2;      ///< time/step/resolution
};

}  // namespace scree

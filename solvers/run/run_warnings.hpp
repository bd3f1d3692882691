/// What a run has to warn of: the conditions, and the texts.
#pragma once

#include <string>

#include "solvers/observer.hpp"
#include "solvers/procedure.hpp"
#include "solvers/run/energy.hpp"
#include "solvers/run/warnings.hpp"
#include "solvers/world/world.hpp"

namespace scree {

/// Bounds of warnings. Energies are measured against the reference energy (EnergyLedger::reference).
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
  static constexpr double kSmallGap = 0.01;     ///< smallest gap over the activation distance
  static constexpr double kResolution = 2;      ///< time/step/resolution
};

/// @returns whether compliant contacts are too soft: overlap against body size, gap against activation
/// distance. @param report of the run so far.
[[nodiscard]] bool too_soft(const Model& model, const RunReport& report);

/// At the start: energy stored in contacts that are out of balance, where it is more than the kinetic energy
/// and the work of weight and loads over the bounding radii (energy_scale) together; a resolution that is too
/// coarse for single impacts. Collective.
void warn_at_start(const World& world, const EnergyAccount& energy, Warnings& warnings);

/// The same of what contacts store with boundaries that become active inside of the range of bodies.
/// @param energy with the switch booked. @param brought by it [J] (EnergyAccount::book_switch).
/// @param time of the switch [s]. Collective.
void warn_of_switch(const World& world, const EnergyAccount& energy, double brought, double time,
                    Warnings& warnings);

/// Books what another deck changes at the state that it continues (EnergyAccount::book_switch), and warns of
/// what contacts store more under it, as at the start. @param procedure, world made of the state.
/// @param time of it [s]. Collective.
void book_another_deck(Procedure& procedure, World& world, EnergyAccount& energy, double time,
                       Warnings& warnings);

/// Bodies that left the domain. @param time [s].
void warn_of_left(const Model& model, const LeftBodies& left, double time, Warnings& warnings);

/// Whether a run ends with so much energy that the time integration created that its results mean nothing.
[[nodiscard]] bool created_too_much(const Model& model, const RunReport& report);

/// @returns the message of such a run.
[[nodiscard]] std::string created_too_much_text(const Model& model, const RunReport& report);

/// At the end, from the report of the run. Not collective: the report is the same on all ranks.
void warn_at_end(const Model& model, const RunReport& report, Warnings& warnings);

}  // namespace scree

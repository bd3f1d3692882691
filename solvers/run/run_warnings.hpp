/// What a run has to warn of: the conditions, and the texts.
#pragma once

#include <string>

#include "solvers/observer.hpp"
#include "solvers/procedure.hpp"
#include "solvers/run/energy.hpp"
#include "solvers/run/warning_bounds.hpp"
#include "solvers/run/warnings.hpp"
#include "solvers/world/world.hpp"

namespace scree {

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

/// Whether a run ends with so much energy that the time integration created, or has had so much of bodies
/// that attract each other by laws that only repel, that its results mean nothing.
[[nodiscard]] bool created_too_much(const Model& model, const RunReport& report);

/// @returns the message of such a run.
[[nodiscard]] std::string created_too_much_text(const Model& model, const RunReport& report);

/// At the end, from the report of the run. Not collective: the report is the same on all ranks.
void warn_at_end(const Model& model, const RunReport& report, Warnings& warnings);

}  // namespace scree

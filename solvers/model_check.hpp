/// What a model has that contradicts itself or is not supported together. A model that is built by hand is
/// refused as a deck is.
#pragma once

#include <string>
#include <vector>

#include "core/error.hpp"
#include "solvers/model.hpp"

namespace scree {

/// @returns all faults; none of a model that can be simulated. Faults are called as in a deck: `where` is the
/// JSON pointer of the key that sets what is wrong. What concerns single bodies is looked at only as long as
/// a rank has all of them (Model::keep_own_block), so that all ranks find the same.
std::vector<Diagnostic> faults_of(const Model& model);

/// @returns the model. @throws InputError with all its faults.
const Model& checked(const Model& model);

/// The parts of `faults_of`, for those who build a model step by step and call each when what it needs is
/// there. Faults are appended.
namespace model_check {

using Faults = std::vector<Diagnostic>;

/// Step sizes.
void time(const Model& model, Faults& faults);
/// What ends a run at rest. Needs gravity, loads and interfaces.
void stop(const Model& model, Faults& faults);
/// What limits the steps, under this integrator.
void step_control(const Model& model, Faults& faults);
/// No force keeps a gap open that is evaluated at the start of the step. Needs interfaces.
void explicit_forces(const Model& model, Faults& faults);
/// The fixed-point iteration is written for spheres under the trapezoidal rule (theory 04 section 4). Needs
/// bodies and shapes; a shape of radius 0 could not be made, and is left out.
void fixed_point(const Model& model, Faults& faults);
/// What has no meaning without velocities. Needs interfaces.
void quasi_static(const Model& model, Faults& faults);
/// Friction of rigid contact. Needs interfaces.
void contact_dynamics(const Model& model, Faults& faults);
/// Laws of rigid contact belong to contact dynamics, all others elsewhere. Needs interfaces.
void laws(const Model& model, Faults& faults);
/// Needs bodies, shapes and interfaces.
void bonds(const Model& model, Faults& faults);

}  // namespace model_check
}  // namespace scree

/// From the stage of the forces to the end of the step, for integrators whose stage is not the end.
#pragma once

#include "core/body.hpp"
#include "elements/integrators/integrator.hpp"

namespace scree::elements {

/// Puts the trial state, at the solution of the step, to the end of it, with the mean velocities of the step
/// (u/h, alpha/h of the whole increment).
void move_to_end(const Integrator& integrator, const BodyState& state, double h, BodyTrial& trial);

/// Velocities at the end of the step from the impulses of the forces on the body: p_{k+1} = p_k + impulse,
/// and pi likewise (theory 02 sections 3 and 4), so that momenta change by what acts and by nothing else.
/// Fixed unknowns stay at rest: their reactions take up what is left.
/// @param impulse [N s], angular_impulse [N m s]; @param trial pose at the end of the step; gets v and w.
void apply_impulse(const BodyProperties& properties, const BodyState& state, const Vec3& impulse,
                   const Vec3& angular_impulse, BodyTrial& trial);

/// Force and moment on a body that go with its accelerations [N], [N m]: f = m a, m = J dw + w x J w.
void inertia_forces(const BodyProperties& properties, const BodyState& state, Vec3& force, Vec3& moment);

/// Sets accelerations of a body from the forces on it, the inverse of `inertia_forces`; zero where it is
/// fixed.
void set_accelerations(const BodyProperties& properties, const Vec3& force, const Vec3& moment,
                       BodyState& state);

}  // namespace scree::elements

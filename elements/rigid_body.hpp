/// The last step of assembly for rigid bodies: batches work with virtual spins, the unknowns are Rodrigues
/// increments (theory 01 section 3); and degrees of freedom that the user has fixed.
#pragma once

#include "core/body.hpp"
#include "core/local_system.hpp"

namespace scree::elements {

/// Residual moments m become Xi^T m; rows of fixed unknowns become the unknown itself times a stiffness.
/// @param supports_in_moments Integrator::supports_in_moments: of a body with one fixed rotation the two free
/// rows are those of m then, as Xi^T would add the support's moment, by half of the turn in the step.
void residual_to_increments(const Bodies& bodies, bool supports_in_moments, LocalSystem& system);

/// Blocks K (rows moment, columns virtual spin) become Xi^T K Xi, plus d(Xi^T)m/d alpha once per body from
/// the summed moment, in the rows that are assembled of the bodies first..last-1. Keeps the stiffness of each
/// body. @param spin_residual residual as it was before `residual_to_increments`, whose other parameter is
/// the same.
void tangent_to_increments(const Bodies& bodies, bool supports_in_moments,
                           const std::vector<double>& spin_residual, int first, int last,
                           LocalSystem& system);

}  // namespace scree::elements

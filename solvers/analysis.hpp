/// Properties of an analysis that shared code depends on.
#pragma once

#include "solvers/model.hpp"

namespace scree {

/// What shared code may depend on: no other code compares analyses.
struct AnalysisTraits {
  const char* name = "dynamic";  ///< for messages
  bool uses_integrator = false;  ///< the integrator of the model moves bodies through a step
  bool has_load_steps = false;   ///< a sequence of equilibria, each found in proximal iterations
  bool has_velocities = true;    ///< bodies and boundaries have velocities
  /// Contact forces follow from the state. Otherwise they are unknowns of a step, constant over it.
  bool forces_follow_from_state = true;
  bool resolves_impacts = false;  ///< adaptive steps resolve contacts by time/step/resolution
  bool solves_lcp = false;        ///< has options for PETSc beside those of all solvers (lcp_prefix)
};

/// @returns the traits of an analysis.
const AnalysisTraits& traits_of(Analysis analysis);

}  // namespace scree

/// Small steps of several ranks on one of them: solvers that reduce sums at every iteration would wait for
/// messages most of the time.
#pragma once

#include "assembly/factors.hpp"
#include "core/body.hpp"
#include "solvers/contact_dynamics/one_step.hpp"

namespace scree::contact_dynamics {

/// Up to so many bodies of all ranks rank 0 solves the step, which is the limit of factors that each rank
/// computes for itself. 20 sliding boxes on 2 ranks: 118 Newton iterations and 2800 reductions in a step.
inline constexpr PetscInt kMostBodiesOnOneRank = petsc::kMostRepeatable / kBodyUnknowns;

/// `solve_one_step`; up to `kMostBodiesOnOneRank` bodies rank 0 solves for all ranks, with bodies in the
/// order of their ids and contacts in that of their bodies. The result then is, to the bit, that of one rank
/// which holds them in this order. Four messages or reductions; rank 0 stores the bodies and contacts of all.
/// @returns the bodies and contacts of this rank, and the report of the whole. @throws Interrupted on all
/// ranks if any was asked to stop; on all ranks what rank 0 threw, as CallbackGuard::call. Collective.
[[nodiscard]] OneStepResult solve_one_step_of_ranks(const StepProblem& problem, const ContactOperator& op,
                                                    const OneStepOptions& options = {});

}  // namespace scree::contact_dynamics

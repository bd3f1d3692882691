/// What a step of contact dynamics is about, in plain data (theory 07 section 1): bodies, and contacts as
/// inequalities on their velocities. Where it comes from (bodies of a deck, a test) does not matter here.
#pragma once

#include <mpi.h>
#include <petscsys.h>

#include <cstdint>
#include <string>
#include <vector>

#include "assembly/petsc.hpp"
#include "core/body.hpp"
#include "core/types.hpp"

namespace scree::contact_dynamics {

/// A body with its six velocity unknowns (v, omega), both along the global axes.
struct StepBody {
  PetscInt number = 0;  ///< over all ranks: its unknowns are 6 number ... 6 number + 5
  BodyId id = 0;        ///< of the body, which does not depend on the ranks
  /// Inverse mass matrix in global axes, with zero rows and columns for what is fixed [1/kg], [1/(kg m^2)].
  Mat6 inverse_mass = Mat6::Zero();
  /// The mass matrix on what is free, zero rows and columns for what is fixed. Drag adds h c to it (theory 07
  /// section 1).
  Mat6 mass = Mat6::Zero();
  Vec6 velocity = Vec6::Zero();  ///< at the step's start; of fixed unknowns the prescribed one [m/s], [rad/s]
  /// Weight, loads and the mean gyroscopic moment of the step; not read for fixed unknowns [N], [N m].
  Vec6 force = Vec6::Zero();
};

/// A contact between body a and body b, or between body a and something whose motion is prescribed.
struct Constraint {
  int a = 0;                    ///< index into StepProblem::bodies
  int b = -1;                   ///< the same; -1 for a boundary
  std::uint64_t key = 0;        ///< identifies a contact of a pair, constant from step to step
  Vec3 normal = Vec3::UnitZ();  ///< from b to a
  Vec3 arm_a = Vec3::Zero();    ///< from the pole of a to the contact point [m]
  Vec3 arm_b = Vec3::Zero();    ///< from the pole of b [m]
  double gap = 0;               ///< > 0 apart: what may be closed in the step [m]
  double overlap = 0;           ///< >= 0: that earlier steps left, and that is no part of the gap [m]
  Vec3 drift = Vec3::Zero();    ///< minus the velocity of a boundary at the contact point [m/s]
  double restitution = 0;       ///< e_n of an impact
  double by_loads = 0;          ///< change of its rate by loads in the step, sum of both sides [m/s]
  double stiffness_ratio = 1;   ///< k~ of theory 07 section 3
  double exponent = 1;          ///< of force on compression: 1 (Hooke) or 1.5 (Hertz)
  double friction = 0;          ///< Coulomb's coefficient (one-step method)
};

/// One step, this rank's share. A rank holds the constraints whose body a it owns; those between bodies of
/// two ranks once, too. Bodies: the owned ones, then ghosts that constraints name.
struct StepProblem {
  MPI_Comm comm = MPI_COMM_NULL;
  std::string options_prefix = petsc::kOptionsPrefix;  ///< of the simulation
  double h = 0;                                        ///< size of the step [s]
  double closed = 0;     ///< gap at the end of the step up to which a contact has closed in it [m]
  double rebound = 1;    ///< part of the restitution that impacts have
  bool follows = false;  ///< impacts are those that others caused in the same step
  int owned = 0;         ///< bodies of this rank; their numbers are consecutive
  std::vector<StepBody> bodies;
  std::vector<Constraint> constraints;
  long between_held = 0;  ///< contacts of this rank that were left out: both sides are fixed
};

/// @returns the prefix of options for the LCP of a step: "cd_lcp_", or that of the simulation and "lcp_".
[[nodiscard]] inline std::string lcp_prefix(const StepProblem& problem) {
  return problem.options_prefix == petsc::kOptionsPrefix ? "cd_lcp_" : problem.options_prefix + "lcp_";
}

}  // namespace scree::contact_dynamics

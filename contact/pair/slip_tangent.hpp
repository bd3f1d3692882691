/// Primal-dual tangent of a force that slides at its limit, for friction and rolling resistance (theory 05
/// section 9).
#pragma once

#include "core/types.hpp"

namespace scree::contact {

/// What Newton's method keeps of one sliding force over the iterations of a step, beside the unknowns:
/// scratch of the solver, which the accepted state does not depend on.
struct SlipIterate {
  Vec3 force = Vec3::Zero();  ///< f^, the force as an unknown of its own, |f^| <= limit
  Vec3 trial = Vec3::Zero();  ///< y, the force without a limit, at the last accepted iterate
  double limit = 0;           ///< L there
  bool slides = false;        ///< |y| > L there
  bool known = false;         ///< false until the first iterate of the step in which the contact acts
};

/// f cut to the limit.
Vec3 cut_to_limit(const Vec3& force, double limit);

/// Starts the iterations of a step. @param stored force in the spring at the start of the step.
void begin_iterates(SlipIterate& iterate, const Vec3& stored, const Vec3& trial, double limit, bool slides);

/// Next accepted iterate, any step length away from the last one: the force that the linear model of the last
/// tangent has at the trial force y', cut to the limit of the new iterate.
void next_iterate(SlipIterate& iterate, const Vec3& trial, double limit, bool slides);

/// d f / d d for a sliding force f = L y/|y| with d y / d d = stiffness I:
/// (L stiffness / |y|) [I - (q t^T + t q^T)/2], q = f^/L, t = y/|y|. With |f^| <= L it is positive
/// semi-definite; with f^ = L t it is the derivative, which is zero along t.
Mat3 slip_tangent(const Vec3& trial, double limit, const Vec3& force, double stiffness = 1);

}  // namespace scree::contact

/// Energy, forces and tangent of one pair of bodies.
#pragma once

#include "contact/interface_law.hpp"
#include "contact/pair.hpp"

namespace scree::contact {

/// Force and moment on A about A's pole as residual contributions (gradient of the energy less dissipative
/// forces, theory 01 section 5), split by origin.
struct PairWrench {
  Vec3 force = Vec3::Zero();
  Vec3 moment = Vec3::Zero();
};

/// Finds the active contacts at the trial state: fills pair.terms, pair.active, pair.nearest, friction and
/// damping included. History entries are made for contacts born in this step. In a frozen step the views hold
/// the accepted poses (increments zero) and the trial's velocities.
/// @returns residual wrench of A; `reaction` gives the one of B.
/// @throws RecoverableError if a gap is not positive under a barrier law, or an overlap deeper than the
/// rounding. @note Allocates only when a pair has more contacts than ever.
PairWrench evaluate(BodyPair& pair, const BodyView& a, const BodyView& b, const InterfaceLaw& law,
                    const StepContext& step);

/// Gap of a term less that where its contact begins: negative by the depth [m].
inline double beginning_gap(const Term& term, const InterfaceLaw& law) {
  return term.gap - law.normal.onset();
}

/// Wrench of B, about its pole, that goes with that of A. @param r x_A - x_B [m].
inline PairWrench reaction(const PairWrench& on_a, const Vec3& r) {
  return {-on_a.force, -on_a.moment - r.cross(on_a.force)};
}

/// Rows: residual wrench of A in virtual spins; columns u_A, theta_A, u_B, theta_B.
using PairTangent = Eigen::Matrix<double, 6, 12>;

/// Exact derivative of `evaluate` at the state of the last call (theory 03 section 2, docs/contact.md).
/// @param[out] tangent of the wrench of A; that of B follows by `reaction_tangent`.
/// @returns the wrench itself.
PairWrench evaluate_tangent(const BodyPair& pair, const BodyView& a, const BodyView& b,
                            const InterfaceLaw& law, const StepContext& step, PairTangent& tangent);

/// Tangent of B's wrench (-F, -M - r x F), r = x_A - x_B, from that of A. @param frozen r does not change.
PairTangent reaction_tangent(const PairTangent& tangent, const PairWrench& wrench, const Vec3& r,
                             bool frozen = false);

/// Smallest gap over the candidates at the state of the views, rounding included [m]; `reach` without items.
/// No forces, no memory: for the no-penetration bound along a path. @param enough as in `find_nearest`.
double smallest_gap(BodyPair& pair, const BodyView& a, const BodyView& b, double enough = 1);

/// Return mapping and transport of the memory at an accepted state (theory 05 sections 2 and 3), and what
/// the step dissipated. @returns {damping, friction} losses of the step [J].
struct StepLosses {
  double damping = 0, friction = 0;
  double bonds = 0;  ///< stored in bonds that broke
};
StepLosses commit(BodyPair& pair, const BodyView& a, const BodyView& b, const InterfaceLaw& law,
                  const StepContext& step);

/// Forgets contacts that were born in the step (the step is cut).
void roll_back(BodyPair& pair);

/// Elastic energy stored by the normal law and by tangential springs at the last evaluation/commit [J].
double normal_energy(const BodyPair& pair);
double friction_energy(const BodyPair& pair, const InterfaceLaw& law);

}  // namespace scree::contact

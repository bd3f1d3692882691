/// Rolling resistance of one contact: elastic-plastic spring and dashpot, type C of [Ai] in three dimensions
/// (docs/interface_laws.md, section 5).
#pragma once

#include "contact/pair_evaluate.hpp"

namespace scree::contact {

/// Relative rolling of the step in the frozen tangent plane, and what the dashpot sees of it.
struct RollIncrement {
  Vec3 roll;     ///< in-plane part of the rotation of A relative to B since the step start [rad]
  Vec3 viscous;  ///< the same; in a frozen step the relative spin times h [rad]
};
RollIncrement roll_increment(const HistoryEntry& entry, const BodyView& a, const BodyView& b,
                             const StepContext& step);

/// Coefficient of the rolling dashpot in this step, over h [N m]: 2 eta sqrt(I_r k_r) / h, 0 while the spring
/// was at its limit at the step start (type C with f = 0) or velocities do not count.
double rolling_viscosity(const BodyPair& pair, const HistoryEntry& entry, const InterfaceLaw& law,
                         const StepContext& step);

/// Spring, limit and dashpot into contact.rolling; the couples on A and B are opposite.
/// @returns residual moment on A [N m].
Vec3 rolling_moment(BodyPair& pair, Active& contact, const BodyView& a, const BodyView& b,
                    const InterfaceLaw& law, const StepContext& step);

/// Derivative of the residual moment on A in the columns u_A, theta_A, u_B, theta_B.
/// @param normal row of the derivative of the compression N.
Eigen::Matrix<double, 3, 12> rolling_tangent(const BodyPair& pair, const Active& contact, const BodyView& a,
                                             const BodyView& b, const InterfaceLaw& law,
                                             const StepContext& step,
                                             const Eigen::Matrix<double, 1, 12>& normal);

/// Moves the memory to the accepted state with normal n. @returns what rolling dissipated in the step [J].
double commit_rolling(HistoryEntry& entry, const Active& contact, const BodyView& a, const BodyView& b,
                      const InterfaceLaw& law, const StepContext& step, const Vec3& n);

}  // namespace scree::contact

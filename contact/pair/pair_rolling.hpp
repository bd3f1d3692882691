/// Rolling resistance of one contact: elastic-plastic spring and dashpot, type C of [Ai] in three dimensions
/// (docs/interface_laws.md, section 5).
#pragma once

#include "contact/pair/pair_touch.hpp"

namespace scree::contact {

/// Relative rolling of the step in the frozen tangent plane, and what the dashpot sees of it.
struct RollIncrement {
  Vec3 whole;       ///< in-plane part of the rotation of A relative to B since the step start [rad]; in a
                    ///< frozen step the relative spin times h
  Vec3 roll;        ///< what the spring sees: the acting part of it, none in a frozen step [rad]
  Vec3 viscous;     ///< what the dashpot sees [rad]
  ActingPart part;  ///< of the step
};
RollIncrement roll_increment(const BodyPair& pair, const Active& contact, const BodyView& a,
                             const BodyView& b, const InterfaceLaw& law, const StepContext& step);

/// Coefficient of the rolling dashpot in this step, over h [N m]: 2 eta sqrt(I_r k_r) / h, 0 while the spring
/// was at its limit at the step start (type C with f = 0) or velocities do not count.
double rolling_viscosity(const BodyPair& pair, const HistoryEntry& entry, const InterfaceLaw& law,
                         const StepContext& step);

/// Spring, limit and dashpot into contact.rolling; the couples on A and B are opposite.
/// @returns residual moment on A [N m].
Vec3 rolling_moment(BodyPair& pair, Active& contact, const BodyView& a, const BodyView& b,
                    const InterfaceLaw& law, const StepContext& step);

/// Derivative of the residual moment on A in the columns u_A, theta_A, u_B, theta_B.
/// @param normal, gap, share rows of the derivatives of the compression N, of the gap and of Active::share.
Eigen::Matrix<double, 3, 12> rolling_tangent(const BodyPair& pair, const Active& contact, const BodyView& a,
                                             const BodyView& b, const InterfaceLaw& law,
                                             const StepContext& step,
                                             const Eigen::Matrix<double, 1, 12>& normal,
                                             const Eigen::Matrix<double, 1, 12>& gap,
                                             const Eigen::Matrix<double, 1, 12>& share);

/// Moves the history to the accepted state with normal n. @returns work done on spring and dashpot in the
/// step [J].
double commit_rolling(const BodyPair& pair, HistoryEntry& entry, const Active& contact, const BodyView& a,
                      const BodyView& b, const InterfaceLaw& law, const StepContext& step, const Vec3& n);

}  // namespace scree::contact

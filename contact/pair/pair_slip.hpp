/// How far the material points at a contact slip in a step (theory 05 section 1), and how that moves with the
/// bodies.
#pragma once

#include "contact/pair/pair_touch.hpp"

namespace scree::contact {

/// Slip of A relative to B in the tangent plane. Barrier laws take plane and points from the step start:
/// their gaps are small against the steps, so that normals between corners and edges turn fast. Laws at
/// overlap take the plane of the trial state and the mean of the points at start and trial: of second order,
/// and no slip either where the bodies turn as one, because (Q - I) a = alpha x (a + Q a) / 2
/// (docs/interface_laws.md, section 4). Their dashpots see the velocity of the trial state, as those along
/// the normal do: the mean one of the step is half a step late where forces act at its end.
struct SlipIncrement {
  Vec3 whole;         ///< of the step; in a frozen step the slip velocity times h [m]
  Vec3 slip;          ///< what the spring sees: the acting part of it, none in a frozen step [m]
  Vec3 drift;         ///< slip velocity times h, of which the dashpot sees the acting part [m]
  Vec3 viscous;       ///< what the dashpot sees [m]
  Vec3 kept;          ///< elastic displacement of the step start, in the plane [m]
  ActingPart part;    ///< of the step
  Vec3 arm_a, arm_b;  ///< of the friction force [m]
};
SlipIncrement slip_increment(const BodyPair& pair, const Active& contact, const BodyView& a,
                             const BodyView& b, const InterfaceLaw& law, const StepContext& step);

/// Whether plane and points are those of the trial state.
inline bool frame_turns(const InterfaceLaw& law, const StepContext& step) {
  return law.normal.allows_overlap() && !step.frozen;
}

using Row12 = Eigen::Matrix<double, 1, 12>;
using Mat3x12 = Eigen::Matrix<double, 3, 12>;

/// Derivatives in the 12 columns of what a contact's first term is made of.
struct TermColumns {
  Row12 gap;
  Mat3x12 normal;
  Mat3x12 along;  ///< of the shift of the point p within A (edge pairs, smooth)
};

/// Velocity of A's material point relative to B's, arms from the poles [m/s]; along n it is the rate of the
/// gap
/// ([Poly, Eq. 41]).
inline Vec3 relative_velocity(const Vec3& arm_a, const Vec3& arm_b, const BodyView& a, const BodyView& b) {
  return a.trial->v + a.trial->w.cross(arm_a) - b.trial->v - b.trial->w.cross(arm_b);
}
/// The same in the 12 columns, poses held.
Mat3x12 point_velocity(const Vec3& arm_a, const Vec3& arm_b, const BodyView& a, const BodyView& b);

/// Derivatives of SlipIncrement.
struct SlipColumns {
  Mat3x12 whole, drift, kept, arm_a;
};
SlipColumns slip_columns(const BodyPair& pair, const Active& contact, const SlipIncrement& increment,
                         const TermColumns& term, const BodyView& a, const BodyView& b,
                         const InterfaceLaw& law, const StepContext& step);

/// Objective transport of a tangent vector from normal n0 to n1 while the bodies turn by Qa, Qb (theory 05
/// section 2): minimal rotation times the mean twist. @returns zero if the normal turned by more than 60
/// degrees.
Vec3 transport_slip(const Vec3& slip, const Vec3& n0, const Vec3& n1, const Mat3& qa, const Mat3& qb);

}  // namespace scree::contact

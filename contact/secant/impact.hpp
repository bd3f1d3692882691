/// What the impact update needs of a contact in which a force acted in the step
/// (theory 11 section 6).
#pragma once

#include "contact/secant/secant_friction.hpp"

namespace scree::contact {

struct Impact {
  int pair = 0, at = 0;                             ///< indices into PairList::pairs() and its `active`
  int a = 0, b = 0;                                 ///< local indices
  bool counted = false;                             ///< in sums over ranks by this one
  bool on_place = false;                            ///< B deforms, see below
  Vec3 n = Vec3::UnitZ();                           ///< from B to A at the end of the step
  Vec3 arm_a = Vec3::Zero(), arm_b = Vec3::Zero();  ///< of the contact point from the poles at the end [m]
  /// Velocities of the place of a B that deforms, whose pole `arm_b` is from: at the end of the step [m/s],
  /// [rad/s], and over it.
  Vec6 place_end = Vec6::Zero(), place_mean = Vec6::Zero();
  /// Unit direction along which it gives back: of the conservative force on A, or that of its corner.
  Vec3 push = Vec3::UnitZ();
  double impulse = 0;       ///< of the conservative force over the step [N s], >= 0
  double of_corner = 0;     ///< the same of all contacts that share its corner, or its own [N s]
  double normal_share = 1;  ///< of it, what limits see as the normal impulse
  double restitution = 1;
  double opened = 0;  ///< gap at the end beyond the reach of the law [m]
  /// Acceleration with which the gap of round bodies opens as they pass each other; negative in a hollow
  /// [m/s^2].
  double passing = 0;
  bool friction = false;   ///< acts
  double coefficient = 0;  ///< of friction, over `impulse`
  SecantSlip slip;         ///< of the step; `force` times h is the impulse on B
  double rises = 1;        ///< its normal force at the end of the step over the mean, if that is more
  double resolved = 1;     ///< part of what its spring may store in the step, of an impact that begins in it
  double spring = 0;       ///< its stiffness, if that is constant; 0: none or not so [N/m]
  /// Of its spring within the step, over the stiffness at the start; infinite: it only just began.
  double stiffening = 1;
  double viscosity = 0;            ///< of friction that is a dashpot alone [N s/m]
  bool rolling = false;            ///< rolling resistance acts
  double lever = 0;                ///< its largest couple over the force along `push` [m]
  SecantSlip roll;                 ///< of the step; `force` times h is the angular impulse on B
  double rolling_restitution = 1;  ///< of its spring, with its dashpot
};

}  // namespace scree::contact

/// Weights of the rows of an impact update and what they are for, contact by contact (theory 11 section 6).
#pragma once

#include "contact/secant/impact.hpp"
#include "core/types.hpp"

namespace scree {

/// A velocity of opening or of slip is taken down to this part of itself at least: what stops is then as good
/// as at rest, in the next step if not in this. The condition of the matrix is the inverse of these parts:
/// with 1e-6 for both, 1500 spheres at rest took more than 500 iterations, or factors that lost the digits;
/// with these some hundred.
inline constexpr double kLeast = 5e-5;
inline constexpr double kLeastSlip = 1e-2;

/// Speeds up to so many times what weight gives in a step are slow: bodies that rest, rock or roll. Contacts
/// that open and close from step to step have to stop there.
inline constexpr double kSlow = 3;

/// @returns 0 for a value up to a limit, 1 from twice that on, even between: rounding must not decide.
/// Without a limit above 0: 1.
double beyond_part(double limit, double value);

/// Motion along the tangent plane of a contact: velocities, and the mass that answers in the direction at
/// the end. Of rolling spins, and the moment of inertia.
struct Across {
  Vec3 start = Vec3::Zero(), end = Vec3::Zero();
  double mass = 0;
};

/// Restitution of a slip that turns round: between that of a contact that sticks, as rigid bodies have it,
/// and that of a spring, which an undamped law demands (theory 11 section 6).
double tangential_restitution(double e);

/// Speed after a spring has released energy in the step, of which the part e^2 is given back. @param fallen
/// squared speed that other forces took on the way since the contact opened: what the spring gave was more.
double released(double e, double first, double last, double fallen = 0);

/// What a spring at its limit dissipated in the solve of the step [J]. @param limit after the impact.
double lost_in_step(const contact::SecantSlip& slip, double limit);

/// Impulse of an isolated contact under a weight. @param speed before. @param mass that it moves.
double impulse_of(double weight, double speed, double mass);

/// The part of an impulse beyond its limit.
Vec3 beyond(const Vec3& impulse, double limit);

/// Impulse that a spring of slip or rolling gives in a step of h [s], if its limit lets it; infinite without
/// one. @param stiffening as in Impact.
double most_of_spring(const contact::SecantSlip& slip, double stiffening, double h);

/// Weight of the rows of slip or rolling. @param limit of the impulse after the impact. @param most that
/// the spring can give in the step of h [s]. @param thrown_back restitution of what turns round.
double weight_across(const contact::SecantSlip& slip, const Across& motion, double limit, double most,
                     double thrown_back, double h);

/// What the last solution of an update left of a contact's motion along its plane.
struct AfterUpdate {
  Vec3 now = Vec3::Zero();    ///< velocity [m/s]
  double weight = 0;          ///< of the rows in that solution [kg]
  Vec3 given = Vec3::Zero();  ///< impulse of friction on B without them [N s]
  double limit = 0;           ///< of that impulse, under the normal impulse that is left [N s]
  bool takes = false;         ///< the normal row takes an impulse
};

/// How a slip answered to the impulse of its rows in a solution.
struct SlipAnswer {
  double impulse = 0;  ///< [N s]
  double left = -1;    ///< slip [m/s]; negative: not known

  /// Mass that answered from that solution to another one [kg]: other rows that hold the body make it many
  /// times that of an isolated contact, with which the corrections overshoot to and fro.
  /// @param isolated which it is at least.
  [[nodiscard]] double mass(double impulse_now, double left_now, double isolated) const;
};

/// Weight of the rows of slip that corrects `after`: sliding friction gets what the normal impulse allows; a
/// contact that sticks is held where the normal impulse that was taken, with which friction was in balance,
/// lets it slide. @param motion with the mass in the direction of `after.now`. @param most, thrown_back as
/// above.
double corrected_across(const contact::SecantSlip& slip, const Across& motion, const AfterUpdate& after,
                        double most, double thrown_back);

}  // namespace scree

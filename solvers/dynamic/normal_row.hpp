/// The normal row of a contact in an impact update: its weight and the impulse that it takes (theory 11
/// section 6).
#pragma once

namespace scree {

/// A contact along its normal. Rates are those of its gap [m/s], impulses those of the contact [N s].
struct NormalRow {
  double h = 0;  ///< of the step [s]
  double restitution = 1;
  double start = 0;      ///< rate at the start of the step
  double end = 0;        ///< rate in the solution of the step
  double impulse = 0;    ///< in the step
  double of_corner = 0;  ///< impulse of all contacts that share its corner, itself included
  double opened = 0;     ///< gap since the force vanished [m]
  double steady = 0;     ///< acceleration with which steady loads alone open it [m/s^2]
  double passing = 0;    ///< acceleration of the gap of round bodies that pass each other [m/s^2]
  double mass = 0;       ///< effective [kg]
  double common = 0;     ///< that it moves if its bodies do not turn: the most that contacts can share [kg]
  double quiet = 0;      ///< impulse up to which it is left as it is

  double weight = 0;  ///< of the row [kg]: it takes the impulse weight * rate
  double wanted = 0;  ///< impulse that it takes at most
  double target = 0;  ///< rate at which it has taken enough
  double rate = 0;    ///< rate without the row, for which it is weighed
  double moved = 0;   ///< mass that the impulse of its corner moves [kg]; 0 if others throw it open
  double part = 1;    ///< of that impulse, its own

  /// Weighs the row of a contact that opens with the rate `end`. @returns impulse that it takes if isolated.
  double weigh();
  /// Weighs the row anew by the rate that the last solution of the update left: where contacts of a body open
  /// together, each of which was weighed as if it were alone, so that they take what they gave; where it took
  /// more than its own impulse, and so would pull the bodies together, so that it does not: stiff rows on
  /// bodies that rest on many contacts would hold against each other; and where rows of others throw it open,
  /// so that it takes of that as well. @returns whether its weight changes by a part that counts.
  bool correct(double now);
  /// Impulse that is left after a solution with the rate `now`; it never pulls.
  [[nodiscard]] double net(double now) const;

 private:
  /// What carries a weight and is thrown open by another gave nothing of that: a block that rocks. @returns
  /// the part of what it takes that counts.
  [[nodiscard]] double gave() const;
  /// Weighs the row for a rate without it. @returns whether it takes an impulse.
  bool weigh_for(double without);
  bool weigh_thrown_open(double now);
  /// Acceleration with which it opens without a contact, unless it is that of bodies that pass outside
  /// [m/s^2].
  [[nodiscard]] double acceleration() const;
  /// The part of it, less than all to none, that counts where a contact is slow.
  [[nodiscard]] double free_acceleration(double without) const;
};

}  // namespace scree

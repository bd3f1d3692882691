#include "contact/pair/pair_rolling.hpp"

#include <cmath>

#include "contact/geometry/tangent_plane.hpp"
#include "contact/pair/pair_slip.hpp"
#include "core/rotation.hpp"

namespace scree::contact {
RollIncrement roll_increment(const BodyPair& pair, const Active& contact, const BodyView& a,
                             const BodyView& b, const InterfaceLaw& law, const StepContext& step) {
  const HistoryEntry& entry = pair.history[contact.history];
  const Mat3 plane = plane_of(entry.n);
  RollIncrement increment;
  if (step.frozen) {
    increment.roll.setZero();
    increment.whole = increment.viscous = step.h * (plane * (a.trial->w - b.trial->w));
    return increment;
  }
  // Seen from B: a common rotation does not count.
  increment.part = acting_part(entry, pair.terms[contact.first].gap, law, step);
  increment.whole = plane * rotation::rodrigues(b.trial->Q.transpose() * a.trial->Q);
  increment.roll = increment.part.spring * increment.whole;
  increment.viscous = increment.part.dashpot * increment.whole;
  return increment;
}

double rolling_viscosity(const BodyPair& pair, const HistoryEntry& entry, const InterfaceLaw& law,
                         const StepContext& step) {
  if (step.at_rest || entry.rolling) return 0;
  return 2 * law.rolling.damping_ratio * std::sqrt(pair.rolling_inertia * law.rolling.stiffness) / step.h;
}

Vec3 rolling_moment(BodyPair& pair, Active& contact, const BodyView& a, const BodyView& b,
                    const InterfaceLaw& law, const StepContext& step) {
  const HistoryEntry& entry = pair.history[contact.history];
  const RollIncrement increment = roll_increment(pair, contact, a, b, law, step);
  const double k = law.rolling.stiffness;
  contact.trial_roll = contact.share * entry.roll + increment.roll;
  contact.rolling_limit = law.rolling.coefficient * pair.r_rolling * contact.pressing;
  const double elastic = k * contact.trial_roll.norm();
  contact.rolls = elastic > contact.rolling_limit;
  contact.rolling = (contact.rolls ? k * contact.rolling_limit / elastic : k) * contact.trial_roll +
                    rolling_viscosity(pair, entry, law, step) * increment.viscous;
  return contact.rolling;
}

Eigen::Matrix<double, 3, 12> rolling_tangent(const BodyPair& pair, const Active& contact, const BodyView& a,
                                             const BodyView& b, const InterfaceLaw& law,
                                             const StepContext& step,
                                             const Eigen::Matrix<double, 1, 12>& normal,
                                             const Eigen::Matrix<double, 1, 12>& gap,
                                             const Eigen::Matrix<double, 1, 12>& share) {
  const HistoryEntry& entry = pair.history[contact.history];
  const Mat3 plane = plane_of(entry.n);
  const double viscosity = rolling_viscosity(pair, entry, law, step);
  Eigen::Matrix<double, 3, 12> d = Eigen::Matrix<double, 3, 12>::Zero();
  if (step.frozen) {
    d.middleCols<3>(3) = viscosity * step.h * plane * a.trial->dw_dtheta;
    d.rightCols<3>() = -viscosity * step.h * plane * b.trial->dw_dtheta;
    if (contact.rolls)
      d += law.rolling.coefficient * pair.r_rolling * contact.trial_roll.normalized() * normal;
    return d;  // the loads that decide on the share do not change
  }
  const Mat3 relative = b.trial->Q.transpose() * a.trial->Q;
  // Spins of the relative rotation are Q_B^T (theta_A - theta_B).
  const Mat3 roll =
      plane * rotation::inverse_spin_map(rotation::rodrigues(relative)) * b.trial->Q.transpose();
  Mat3 stiffness = law.rolling.stiffness * Mat3::Identity();
  if (contact.rolls) {
    const SlipIterates* kept = iterates_of(pair, contact);
    const Vec3 direction = contact.trial_roll.normalized();
    const Vec3 moment = kept != nullptr ? kept->rolling.force : Vec3(contact.rolling_limit * direction);
    const double k = law.rolling.stiffness;
    stiffness = slip_tangent(k * contact.trial_roll, contact.rolling_limit, moment, k);
    d = law.rolling.coefficient * pair.r_rolling * direction * normal;
  }
  const RollIncrement increment = roll_increment(pair, contact, a, b, law, step);
  const ActingPart& part = increment.part;
  const Mat3 turn = (part.spring * stiffness + part.dashpot * viscosity * Mat3::Identity()) * roll;
  d.middleCols<3>(3) += turn;
  d.rightCols<3>() -= turn;
  d += (stiffness * entry.roll) * share;
  d +=
      (part.spring_slope * (stiffness * increment.whole) + part.dashpot_slope * viscosity * increment.whole) *
      gap;
  return d;
}

double commit_rolling(const BodyPair& pair, HistoryEntry& entry, const Active& contact, const BodyView& a,
                      const BodyView& b, const InterfaceLaw& law, const StepContext& step, const Vec3& n) {
  if (!law.rolling_acts()) return 0;
  const double k = law.rolling.stiffness;
  const Vec3 increment = roll_increment(pair, contact, a, b, law, step).whole;
  Vec3 roll = contact.trial_roll;
  if (contact.rolls) roll *= contact.rolling_limit / (k * roll.norm());
  const double work = 0.5 * (contact.rolling + entry.rolling_n).dot(increment);
  entry.roll = transport_slip(roll, entry.n, n, a.trial->Q, b.trial->Q);
  entry.rolling_n = transport_slip(contact.rolling, entry.n, n, a.trial->Q, b.trial->Q);
  entry.rolling = contact.rolls;
  return work;
}

}  // namespace scree::contact

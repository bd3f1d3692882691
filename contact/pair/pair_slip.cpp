#include "contact/pair/pair_slip.hpp"

#include "contact/geometry/tangent_plane.hpp"
#include "core/rotation.hpp"

namespace scree::contact {
namespace {

using rotation::skew;

/// Relative displacement at the mean of the arms, the change of gap taken out along the old normal.
Vec3 displacement(const HistoryEntry& entry, const Term& term, const SlipIncrement& increment,
                  const BodyView& a, const BodyView& b) {
  const Vec3 of_a = a.trial->u + 0.5 * a.trial->alpha.cross(entry.arm_a + increment.arm_a);
  const Vec3 of_b = b.trial->u + 0.5 * b.trial->alpha.cross(entry.arm_b + increment.arm_b);
  return of_a - of_b - 0.5 * (term.gap - entry.gap_n) * entry.n;
}

/// Mean spin of the bodies about the old normal.
double twist(const HistoryEntry& entry, const BodyView& a, const BodyView& b) {
  return 0.5 * (a.trial->alpha + b.trial->alpha).dot(entry.n);
}

/// Derivative of P(n) v, v's own part left out.
Mat3x12 turn_plane(const Vec3& n, const Vec3& v, const Mat3x12& dn) {
  return -n.dot(v) * dn - n * (v.transpose() * dn);
}

}  // namespace

Mat3x12 point_velocity(const Vec3& arm_a, const Vec3& arm_b, const BodyView& a, const BodyView& b) {
  Mat3x12 d;
  d.leftCols<3>() = a.trial->dv_du * Mat3::Identity();
  d.middleCols<3>(3) = -skew(arm_a) * a.trial->dw_dtheta;
  d.middleCols<3>(6) = -b.trial->dv_du * Mat3::Identity();
  d.rightCols<3>() = skew(arm_b) * b.trial->dw_dtheta;
  return d;
}

SlipIncrement slip_increment(const BodyPair& pair, const Active& contact, const BodyView& a,
                             const BodyView& b, const InterfaceLaw& law, const StepContext& step) {
  const HistoryEntry& entry = pair.history[contact.history];
  const Term& term = pair.terms[contact.first];
  SlipIncrement result;
  result.kept = entry.slip;
  if (frame_turns(law, step)) {
    const Vec3 point = contact_point(pair, term, a, b);
    result.arm_a = point - a.trial->x;
    result.arm_b = point - b.trial->x;
    const Mat3 plane = plane_of(term.n);
    result.whole = plane * displacement(entry, term, result, a, b);
    result.drift = step.h * (plane * relative_velocity(result.arm_a, result.arm_b, a, b));
    result.kept = plane * (entry.slip + twist(entry, a, b) * entry.n.cross(entry.slip));
  } else {
    result.arm_a = a.trial->Q * entry.arm_a;
    result.arm_b = b.trial->Q * entry.arm_b;
    const Vec3 moved = step.frozen ? Vec3(step.h * relative_velocity(result.arm_a, result.arm_b, a, b))
                                   : Vec3(a.trial->x + result.arm_a - b.trial->x - result.arm_b);
    result.whole = result.drift = plane_of(entry.n) * moved;
  }
  if (step.frozen) {
    result.part.spring = 0;
  } else {
    result.part = acting_part(entry, term.gap, law, step);
  }
  result.slip = result.part.spring * result.whole;
  result.viscous = result.part.dashpot * result.drift;
  return result;
}

SlipColumns slip_columns(const BodyPair& pair, const Active& contact, const SlipIncrement& increment,
                         const TermColumns& term, const BodyView& a, const BodyView& b,
                         const InterfaceLaw& law, const StepContext& step) {
  const HistoryEntry& entry = pair.history[contact.history];
  const Term& main = pair.terms[contact.first];
  SlipColumns d{Mat3x12::Zero(), Mat3x12::Zero(), Mat3x12::Zero(), Mat3x12::Zero()};
  if (step.frozen) {
    d.whole = d.drift = step.h * plane_of(entry.n) * point_velocity(increment.arm_a, increment.arm_b, a, b);
    return d;
  }
  if (!frame_turns(law, step)) {
    const Mat3 plane = plane_of(entry.n);
    d.whole.leftCols<3>() = plane;
    d.whole.middleCols<3>(3) = -plane * skew(increment.arm_a);
    d.whole.middleCols<3>(6) = -plane;
    d.whole.rightCols<3>() = plane * skew(increment.arm_b);
    d.arm_a.middleCols<3>(3) = -skew(increment.arm_a);
    d.drift = d.whole;
    return d;
  }
  const bool with_b = moves_with_b(main.kind);
  const double share = main.gap < 0 ? pair.share : 0.5;
  // The contact point: p and from there along the normal.
  Mat3x12 point = term.along;
  const Vec3 arm_p = main.p - (with_b ? b : a).trial->x;
  point.middleCols<3>(with_b ? 6 : 0) += Mat3::Identity();
  point.middleCols<3>(with_b ? 9 : 3) -= skew(arm_p);
  const double to_point =
      with_b ? b.shape->radius + (1 - share) * main.gap : -a.shape->radius - share * main.gap;
  point += to_point * term.normal + (with_b ? 1 - share : -share) * main.n * term.gap;
  d.arm_a = point;
  d.arm_a.leftCols<3>() -= Mat3::Identity();
  Mat3x12 arm_b = point;
  arm_b.middleCols<3>(6) -= Mat3::Identity();
  const Mat3 plane = plane_of(main.n);
  const Mat3 rate_a = rotation::inverse_spin_map(a.trial->alpha);
  const Mat3 rate_b = rotation::inverse_spin_map(b.trial->alpha);
  Mat3x12 moved = 0.5 * (skew(a.trial->alpha) * d.arm_a - skew(b.trial->alpha) * arm_b);
  moved.leftCols<3>() += Mat3::Identity();
  moved.middleCols<3>(3) -= 0.5 * skew(entry.arm_a + increment.arm_a) * rate_a;
  moved.middleCols<3>(6) -= Mat3::Identity();
  moved.rightCols<3>() += 0.5 * skew(entry.arm_b + increment.arm_b) * rate_b;
  moved -= 0.5 * entry.n * term.gap;
  d.whole = plane * moved + turn_plane(main.n, displacement(entry, main, increment, a, b), term.normal);
  const Mat3x12 velocity = point_velocity(increment.arm_a, increment.arm_b, a, b) +
                           skew(a.trial->w) * d.arm_a - skew(b.trial->w) * arm_b;
  d.drift =
      step.h * (plane * velocity +
                turn_plane(main.n, relative_velocity(increment.arm_a, increment.arm_b, a, b), term.normal));
  const Vec3 across = entry.n.cross(entry.slip);
  d.kept = turn_plane(main.n, entry.slip + twist(entry, a, b) * across, term.normal);
  const Vec3 turned = 0.5 * (plane * across);
  d.kept.middleCols<3>(3) += turned * (entry.n.transpose() * rate_a);
  d.kept.rightCols<3>() += turned * (entry.n.transpose() * rate_b);
  return d;
}

Vec3 transport_slip(const Vec3& slip, const Vec3& n0, const Vec3& n1, const Mat3& qa, const Mat3& qb) {
  const double c = n0.dot(n1);
  if (c < 0.5) return Vec3::Zero();
  const Vec3 turn = (2.0 / (1.0 + c)) * n0.cross(n1);
  const Mat3 q_turn = rotation::matrix(turn);
  const double twist_a = rotation::rodrigues(q_turn.transpose() * qa).dot(n0);
  const double twist_b = rotation::rodrigues(q_turn.transpose() * qb).dot(n0);
  const Vec3 carried = q_turn * (rotation::matrix(0.5 * (twist_a + twist_b) * n0) * slip);
  return project(carried, n1);
}

}  // namespace scree::contact

/// Derivatives of the contact of a superquadric (implicit function theorem, theory 06 section 6), and its
/// place at the step start.
#include <cmath>

#include "contact/superquadric/meeting.hpp"
#include "contact/superquadric/midway.hpp"
#include "contact/superquadric/reach_places.hpp"
#include "contact/superquadric/smooth_terms.hpp"
#include "core/rotation.hpp"

namespace scree::contact {
namespace {

using rotation::skew;

/// What is left of curvatures that cancel.
constexpr double kCancelled = 1e-15;

/// How the normal answers to a relative displacement of the surfaces: T S^-1 T^T on the directions in which
/// it may turn, S = T^T (K_A + K_B) T + g. Where a body is as round as the wall around it, S is zero and any
/// normal is as good as another: it stays. @param size of the curvatures of which S is the sum [m].
Mat3 turning(const Term& term, const Mat3& bend, double size, const Vec3& axis) {
  if (term.rank == 0) return Mat3::Zero();
  const double least = kCancelled * size;
  if (term.rank == 1) {
    const Vec3 across = axis.cross(term.n);
    const double curvature = across.dot(bend * across);
    return std::abs(curvature) > least ? Mat3(across * across.transpose() / curvature) : Mat3::Zero();
  }
  Eigen::Matrix<double, 3, 2> basis;
  basis.col(0) = term.n.unitOrthogonal();
  basis.col(1) = term.n.cross(basis.col(0));
  const Eigen::Matrix2d s = basis.transpose() * bend * basis;
  if (!(std::abs(s.determinant()) > least * least)) return Mat3::Zero();
  return basis * s.inverse() * basis.transpose();
}

}  // namespace

SmoothMotion smooth_motion(const BodyPair& pair, const Term& term, const Vec3& s, const BodyView& a,
                           const BodyView& b) {
  SmoothMotion m;
  const Vec3& n = term.n;
  const bool smooth_a = is_smooth(*a.shape);
  const auto [ka, kb] = bends_at(pair, a, b, n);
  Mat3 bend = ka + kb;
  // A wall around the body curves the other way: its support function is minus its radius.
  const double straight = term.distance - (smooth_a ? b.shape->hollow_radius : 0.0);
  const double size = bend.norm() + std::abs(straight);
  bend.diagonal().array() += straight;
  const Mat3 c = turning(term, bend, size, smooth_a ? term.f : term.e);
  m.normal.leftCols<3>() = c;
  if (smooth_a) {
    m.normal.rightCols<3>() = -c * (skew(s) + ka * skew(n));
    m.shift = -ka * m.normal;
    m.shift.rightCols<3>() -= ka * skew(n);
    return m;
  }
  // The features of A turn with it; p follows from the point of B.
  const Vec3 sb = s - term.distance * n;
  m.normal.rightCols<3>() = -skew(n) + c * (kb * skew(n) - skew(sb));
  m.shift = kb * m.normal + term.distance * m.normal;
  m.shift.leftCols<3>() += n * n.transpose() - Mat3::Identity();
  m.shift.rightCols<3>() += n * s.cross(n).transpose() + skew(s);
  return m;
}

MidwayTermMotion midway_term_motion(const Vec3& s, const BodyView& a, const BodyView& b) {
  const Smooth body_a(a), body_b(b);
  const MidwayMotion motion = midway_motion(midway(body_a, body_b), body_a, body_b);
  MidwayTermMotion m;
  m.gap = motion.gap;
  m.normal = motion.normal;
  m.shift = motion.on_a;
  m.shift.leftCols<3>() -= Mat3::Identity();
  m.shift.rightCols<3>() += skew(s);
  return m;
}

Vec3 smooth_start(StartOfContact& start, const Term& term, const BodyView& a, const BodyView& b,
                  Vec3* guess) {
  if (term.kind == TermKind::midway) {
    const Midway then = midway(accepted_body(a), accepted_body(b));
    start.gap = then.gap;
    start.n = then.n;
    return then.x + then.to_a * then.n;
  }
  constexpr double kAnything = std::numeric_limits<double>::infinity();
  const bool smooth_a = is_smooth(*a.shape);
  const Smooth body = accepted_body(smooth_a ? a : b);
  const BodyView& other = smooth_a ? b : a;
  const Mat3 back = other.trial->Q.transpose();
  const Vec3 on_other = smooth_a ? Vec3(term.p - term.distance * term.n) : term.p;
  const Vec3 pole = other.trial->x - other.trial->u;
  const Vec3 point = pole + back * (on_other - other.trial->x);
  const Vec3 axis = back * (smooth_a ? term.f : term.e);
  Vec3 n = back * (smooth_a ? term.n : Vec3(-term.n));  // from the other to the superquadric
  double distance = 0;
  if (smooth_a && is_smooth(*b.shape)) {
    if (guess != nullptr && !guess->isZero(0)) n = *guess;
    const Summit summit = separation(body, accepted_body(b), n);
    n = summit.n;
    if (guess != nullptr) *guess = n;
    distance = summit.value;
  } else if (other.shape->hollow_radius > 0) {
    const Reach reach(body, pole, term.rank == 1 ? axis : Vec3::Zero());
    const Vec3 u = place_near(reach, -n);
    n = -u;
    distance = other.shape->hollow_radius - u.dot(reach.gradient(u));
  } else if (term.rank == 0) {
    distance = n.dot(body.x - point) - body.support_point(-n).h;
  } else {
    const Summit summit = term.rank == 1 ? separation_from_line(body, point, axis, n, kAnything)
                                         : separation_from_point(body, point, n, kAnything);
    n = summit.n;
    distance = summit.value;
  }
  const Vec3 on_body = body.x + body.support_point(-n).point;
  start.gap = distance - (term.distance - term.gap);
  start.n = smooth_a ? n : Vec3(-n);
  return smooth_a ? on_body : Vec3(on_body - distance * n);
}

}  // namespace scree::contact

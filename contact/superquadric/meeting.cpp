#include "contact/superquadric/meeting.hpp"

#include <algorithm>

namespace scree::contact {
namespace {

/// Unit vectors that differ by less are the same but for round-off.
constexpr double kSameMeeting = 1e-13;

Mat3 turned_by(const Mat3& rotation, const Mat3& hessian) {
  return rotation * hessian * rotation.transpose();
}

/// Whether the bodies stand as they did when the search ended at n.
bool is_there(const Meeting& met, const Mat3& ra, const Mat3& rb, const Vec3& n) {
  return met.n == n && (ra * met.m_a + n).norm() < kSameMeeting && (rb * met.m_b - n).norm() < kSameMeeting;
}

}  // namespace

Smooth accepted_body(const BodyView& body) {
  Smooth smooth(body);
  smooth.x -= body.trial->u;
  smooth.R = body.trial->Q.transpose() * smooth.R;
  return smooth;
}

Meeting meeting_at(const Summit& summit, const Smooth& a, const Smooth& b) {
  return {summit.n, -(a.R.transpose() * summit.n), b.R.transpose() * summit.n, summit.on_a, summit.on_b};
}

Vec3 carried_along(const Meeting& met, const Smooth& a, const Smooth& b) {
  constexpr double kFurthest = 0.3;
  const Vec3 by_a = -(a.R * met.m_a), by_b = b.R * met.m_b;
  const Vec3 middle = (by_a + by_b).normalized();
  const Mat3 bend_a = turned_by(a.R, met.on_a.hessian), bend_b = turned_by(b.R, met.on_b.hessian);
  const Vec3 on_a = a.R * met.on_a.point - bend_a * (middle - by_a);
  const Vec3 on_b = b.R * met.on_b.point + bend_b * (middle - by_b);
  const Vec3 c = a.x - b.x, gradient = c + on_a - on_b;
  Mat3 bend = bend_a + bend_b;
  bend.diagonal().array() += middle.dot(gradient);
  const Eigen::Matrix<double, 3, 2> basis = tangents(middle);
  const Eigen::Vector2d step =
      uphill<2>(basis.transpose() * gradient, basis.transpose() * bend * basis, a.size + b.size + c.norm());
  if (!(step.norm() < kFurthest)) return met.n;
  const Vec3 n = (middle + basis * step).normalized();
  return (n - met.n).norm() < kSameMeeting ? met.n : n;
}

double bound_from(const Meeting& met, const Smooth& a, const Smooth& b) {
  // Along any normal the separation is not more than the largest; |h(m) - h(m')| <= size |m - m'|.
  const Vec3 c = a.x - b.x, by_a = -(a.R * met.m_a), by_b = b.R * met.m_b;
  const double known = met.on_a.h + met.on_b.h, apart = (by_a - by_b).norm();
  return std::max(by_a.dot(c) - b.size * apart, by_b.dot(c) - a.size * apart) - known;
}

Bends bends_at(const BodyPair& pair, const BodyView& a, const BodyView& b, const Vec3& n) {
  Bends bends;
  const bool smooth_a = is_smooth(*a.shape), smooth_b = is_smooth(*b.shape);
  if (smooth_a && smooth_b && !pair.meeting.empty() && is_there(pair.meeting[0], a.trial->R, b.trial->R, n)) {
    bends.of_a = turned_by(a.trial->R, pair.meeting[0].on_a.hessian);
    bends.of_b = turned_by(b.trial->R, pair.meeting[0].on_b.hessian);
    return bends;
  }
  if (smooth_a) bends.of_a = Smooth(a).support(-n).hessian;
  if (smooth_b) bends.of_b = Smooth(b).support(n).hessian;
  return bends;
}

}  // namespace scree::contact

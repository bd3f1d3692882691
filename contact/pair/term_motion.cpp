#include "contact/pair/term_motion.hpp"

#include <cmath>

#include "contact/superquadric/smooth_terms.hpp"
#include "core/rotation.hpp"

namespace scree::contact {

using rotation::skew;

TermMotion motion_of(const BodyPair& pair, const Term& term, const Vec3& s, const BodyView& view_a,
                     const BodyView& view_b) {
  TermMotion m;
  m.wrench.head<3>() = term.n;
  m.wrench.tail<3>() = s.cross(term.n);
  m.gap = m.wrench;
  m.normal.setZero();
  const double r = term.curvature;
  switch (term.kind) {
    case TermKind::vf:
      break;
    case TermKind::fv:
      m.normal.rightCols<3>() = -skew(term.n);
      break;
    case TermKind::ve:
    case TermKind::ev: {
      // Across the edge only: d n = b (b . (v + w x s)) curvature, b = edge x n; plus w x n if the edge is
      // A's.
      const Vec3 b = (term.kind == TermKind::ve ? term.f : term.e).cross(term.n);
      const Vec3 sb = s.cross(b);
      m.normal.leftCols<3>() = (r * b) * b.transpose();
      m.normal.rightCols<3>() = (r * b) * sb.transpose();
      if (term.kind == TermKind::ev) m.normal.rightCols<3>() -= skew(term.n);
      break;
    }
    case TermKind::vv: {
      const Mat3 p = r * (Mat3::Identity() - term.n * term.n.transpose());
      m.normal.leftCols<3>() = p;
      m.normal.rightCols<3>() = -p * skew(s);
      break;
    }
    case TermKind::ee: {
      const Vec3 k = term.e.cross(term.f);
      const double sine2 = k.squaredNorm();
      const double c = term.e.dot(term.f);
      const double sigma = (k.dot(term.n) > 0 ? 1.0 : -1.0) / std::sqrt(sine2);
      // d k = (w x e) x f = e (w . f) - w (e . f); d n is its part across n.
      const Mat3 dk = term.e * term.f.transpose() - c * Mat3::Identity();
      m.normal.rightCols<3>() = sigma * (dk - term.n * (term.n.transpose() * dk));
      // Closest points stay closest: [e.y = 0, f.y = 0] differentiated with f fixed.
      const Vec3 along = (term.e - c * term.f) / -sine2;
      m.shift.leftCols<3>() = term.e * along.transpose();
      m.shift.rightCols<3>() =
          term.e * (s.cross(along) - term.e.cross(term.distance * term.n) / sine2).transpose();
      break;
    }
    case TermKind::smooth: {
      const SmoothMotion smooth = smooth_motion(pair, term, s, view_a, view_b);
      m.normal = smooth.normal;
      m.shift = smooth.shift;
      break;
    }
    case TermKind::midway: {
      const MidwayTermMotion midway = midway_term_motion(s, view_a, view_b);
      m.gap = midway.gap;
      m.normal = midway.normal;
      m.shift = midway.shift;
      break;
    }
  }
  return m;
}

Row12 expand(const Vec6& g, const Vec3& r) {
  Row12 row;
  row.segment<3>(0) = g.head<3>();
  row.segment<3>(3) = g.tail<3>();
  row.segment<3>(6) = -g.head<3>();
  row.segment<3>(9) = -g.tail<3>() - r.cross(Vec3(g.head<3>()));
  return row;
}

Mat3x12 expand(const Mat36& g, const Vec3& value, const Vec3& r) {
  Mat3x12 d;
  d.leftCols<6>() = g;
  d.middleCols<3>(6) = -g.leftCols<3>();
  d.rightCols<3>() = g.leftCols<3>() * skew(r) - g.rightCols<3>() - skew(value);
  return d;
}

}  // namespace scree::contact

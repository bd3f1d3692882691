/// How a term of a pair moves with its bodies, to first order (docs/contact.md, section 5).
#pragma once

#include "contact/pair/pair_slip.hpp"

namespace scree::contact {

/// Whether the point p moves within A.
inline bool shifts(TermKind kind) { return kind == TermKind::ee || is_smooth(kind); }

/// First-order motion of one term when A is displaced by v and turned by w about its pole, B held.
struct TermMotion {
  Vec6 wrench;   ///< of a unit force along n: d gap, but for the midway point
  Vec6 gap;      ///< d gap
  Mat36 normal;  ///< d n
  Mat36 shift;   ///< of the point p within A, where shifts(kind)
};

/// @param s p from A's pole [m].
TermMotion motion_of(const BodyPair& pair, const Term& term, const Vec3& s, const BodyView& view_a,
                     const BodyView& view_b);

/// 12 columns (u_A, theta_A, u_B, theta_B) of a scalar that depends on the relative pose: theta_B also moves
/// the frame. @param g derivative in (v, w). @param r x_A - x_B [m].
Row12 expand(const Vec6& g, const Vec3& r);
/// The same of a vector that turns with B. @param value of it.
Mat3x12 expand(const Mat36& g, const Vec3& value, const Vec3& r);

}  // namespace scree::contact

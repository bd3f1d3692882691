#include "distances.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace intersection {

Vector closest_on_segment(const Vector& p, const Vector& a, const Vector& b) {
  const Vector e = b - a;
  const Real length2 = e.squaredNorm();
  const Real t = length2 > 0 ? std::clamp<Real>((p - a).dot(e) / length2, 0, 1) : 0;
  return a + t * e;
}

Real segment_distance(const Vector& a, const Vector& b, const Vector& c, const Vector& d) {
  Real best = std::min({(a - closest_on_segment(a, c, d)).norm(), (b - closest_on_segment(b, c, d)).norm(),
                        (c - closest_on_segment(c, a, b)).norm(), (d - closest_on_segment(d, a, b)).norm()});
  const Vector e = b - a, f = d - c, w = a - c;
  const Real ee = e.dot(e), ef = e.dot(f), ff = f.dot(f), ew = e.dot(w), fw = f.dot(w);
  const Real determinant = ee * ff - ef * ef;
  if (determinant > 0) {
    const Real s = (ef * fw - ff * ew) / determinant, t = (ee * fw - ef * ew) / determinant;
    if (s > 0 && s < 1 && t > 0 && t < 1) best = std::min(best, (w + s * e - t * f).norm());
  }
  return best;
}

Real polygon_distance(const Vector& a, const Vector& b, const std::vector<Vector>& loop) {
  const std::size_t n = loop.size();
  const Vector normal = loop_normal(loop).normalized();
  const auto over = [&](const Vector& p) {
    for (std::size_t i = 0; i < n; ++i) {
      if (normal.cross(loop[(i + 1) % n] - loop[i]).dot(p - loop[i]) < 0) return false;
    }
    return true;
  };
  const Real ha = (a - loop[0]).dot(normal), hb = (b - loop[0]).dot(normal);
  if (ha * hb < 0 && over(a + (b - a) * (ha / (ha - hb)))) return 0;
  Real best = std::numeric_limits<Real>::infinity();
  if (over(a)) best = std::min(best, std::abs(ha));
  if (over(b)) best = std::min(best, std::abs(hb));
  for (std::size_t i = 0; i < n; ++i) {
    best = std::min(best, segment_distance(a, b, loop[i], loop[(i + 1) % n]));
  }
  return best;
}

}  // namespace intersection

#include "solvers/dynamic/body_mobility.hpp"

namespace scree {

Mat6 inertia_of(const BodyProperties& body, const Mat3& r) {
  Mat6 m = Mat6::Zero();
  m.topLeftCorner<3, 3>() = body.mass * Mat3::Identity();
  m.bottomRightCorner<3, 3>() = r * body.inertia_B * r.transpose();
  return m;
}

Mat6 mobility_of(const BodyProperties& body, const Mat3& r) {
  Mat6 m = inertia_of(body, r);
  for (int k = 0; k < kBodyUnknowns; ++k) {
    if (!body.fixed[static_cast<std::size_t>(k)]) continue;
    m.row(k).setZero();
    m.col(k).setZero();
    m(k, k) = k < 3 ? body.mass : body.mass * body.length * body.length;
  }
  Mat6 inverse = m.inverse();
  for (int k = 0; k < kBodyUnknowns; ++k) {
    if (body.fixed[static_cast<std::size_t>(k)]) inverse(k, k) = 0;
  }
  return inverse;
}

}  // namespace scree

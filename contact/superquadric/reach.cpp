#include "contact/superquadric/reach.hpp"

#include <algorithm>
#include <cmath>

namespace scree::contact {

Reach::Reach(const Smooth& superquadric, const Vec3& centre, const Vec3& along)
    : body(superquadric), c(superquadric.x - centre), axis(along) {
  c -= axis * axis.dot(c);
}

ReachPlace Reach::place_at(const Vec3& u, ReachKind kind) const {
  ReachPlace place;
  place.u = u;
  place.on_body = body.support_point(u).point;
  place.value = u.dot(c + place.on_body);
  place.kind = kind;
  return place;
}

bool Reach::all_round() const {
  constexpr double kNear = 1.2;  // sizes of the body, from the axis or centre
  return c.norm() < kNear * body.size;
}

double Reach::half_angle() const {
  constexpr double kWidened = 1.01;
  return kWidened * std::asin(std::min(body.size / c.norm(), 1.0));
}

void drop_lowest(std::vector<ReachPlace>& places, ReachKind kind) {
  auto lowest = places.end();
  for (auto it = places.begin(); it != places.end(); ++it) {
    if (it->kind == kind && (lowest == places.end() || it->value < lowest->value)) lowest = it;
  }
  if (lowest != places.end()) places.erase(lowest);
}

bool move_to_place(const Reach& reach, Vec3& u, double furthest) {
  constexpr int kMostSteps = 30;
  constexpr double kLongest = 0.3;       // [rad]
  constexpr double kStationary = 1e-11;  // of the scale
  constexpr double kExact = 3e-15;
  constexpr double kFlattest = 1e-12;
  const double scale = reach.scale();
  const bool circle = !reach.axis.isZero(0);
  Vec3 at = u;
  double before = std::numeric_limits<double>::infinity();
  for (int k = 0; k < kMostSteps; ++k) {
    const SupportValue support = reach.body.support(at);
    const Vec3 gradient = reach.c + support.point;
    Mat3 bend = -support.hessian;
    bend.diagonal().array() += at.dot(gradient);
    Vec3 step;
    double steep = 0;
    if (circle) {
      const Vec3 across = reach.axis.cross(at);
      const double slope = across.dot(gradient), curvature = across.dot(bend * across);
      steep = std::abs(slope);
      step = across * (slope / std::copysign(std::max(std::abs(curvature), kFlattest * scale), curvature));
    } else {
      const Eigen::Matrix<double, 3, 2> basis = tangents(at);
      const Eigen::Vector2d slope = basis.transpose() * gradient;
      Eigen::SelfAdjointEigenSolver<Eigen::Matrix2d> eigen;
      eigen.computeDirect(basis.transpose() * bend * basis);
      Eigen::Vector2d along = eigen.eigenvectors().transpose() * slope;
      for (int i = 0; i < 2; ++i) {
        const double curvature = eigen.eigenvalues()[i];
        along[i] /= std::copysign(std::max(std::abs(curvature), kFlattest * scale), curvature);
      }
      steep = slope.norm();
      step = basis * (eigen.eigenvectors() * along);
    }
    if (steep <= kExact * scale || (steep <= kStationary * scale && steep > 0.5 * before)) {
      u = at;
      return true;
    }
    before = steep;
    const double length = step.norm();
    at = (at + std::min(1.0, kLongest / length) * step).normalized();
    if (!((at - u).norm() <= furthest)) break;
  }
  return false;
}

}  // namespace scree::contact

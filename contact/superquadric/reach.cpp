#include "contact/superquadric/reach.hpp"

#include <algorithm>
#include <cmath>

namespace scree::contact {

Reach::Reach(const Smooth& superquadric, const Vec3& centre, const Vec3& along)
    : body(superquadric), c(superquadric.x - centre), axis(along) {
  c -= axis * axis.dot(c);
}

ReachBend Reach::bend(const Vec3& u) const {
  const SupportValue support = body.support(u);
  ReachBend found;
  found.gradient = c + support.point;
  Mat3 whole = -support.hessian;
  whole.diagonal().array() += u.dot(found.gradient);
  const Eigen::Matrix<double, 3, 2> basis = tangents(u);
  Eigen::SelfAdjointEigenSolver<Eigen::Matrix2d> eigen;
  eigen.computeDirect(basis.transpose() * whole * basis);
  found.curvatures = eigen.eigenvalues();
  found.directions = basis * eigen.eigenvectors();
  return found;
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
  const auto divided = [&](double slope, double curvature) {
    return slope / std::copysign(std::max(std::abs(curvature), kFlattest * scale), curvature);
  };
  Vec3 at = u;
  double before = std::numeric_limits<double>::infinity();
  for (int k = 0; k < kMostSteps; ++k) {
    Vec3 step;
    double steep = 0;
    if (reach.axis.isZero(0)) {
      const ReachBend bend = reach.bend(at);
      const Eigen::Vector2d slope = bend.directions.transpose() * bend.gradient;
      steep = slope.norm();
      step = bend.directions *
             Eigen::Vector2d(divided(slope[0], bend.curvatures[0]), divided(slope[1], bend.curvatures[1]));
    } else {
      const SupportValue support = reach.body.support(at);
      const Vec3 gradient = reach.c + support.point;
      const Vec3 across = reach.axis.cross(at);
      const double slope = across.dot(gradient);
      steep = std::abs(slope);
      step = across * divided(slope, at.dot(gradient) - across.dot(support.hessian * across));
    }
    if (steep <= kExact * scale || (steep <= kStationary * scale && steep > 0.5 * before)) {
      u = at;
      return true;
    }
    before = steep;
    at = (at + std::min(1.0, kLongest / step.norm()) * step).normalized();
    if (!((at - u).norm() <= furthest)) break;
  }
  return false;
}

Vec3 climb_to_maximum(const Reach& reach, const Vec3& start) {
  return climb<2>(
             [&](const Vec3& u) {
               Height height;
               height.on_a = reach.body.support(u);
               height.gradient = reach.c + height.on_a.point;
               height.value = u.dot(height.gradient);
               height.bend = -height.on_a.hessian;
               height.bend.diagonal().array() += height.value;
               return height;
             },
             start, Vec3::Zero(), reach.scale(), {})
      .n;
}

}  // namespace scree::contact

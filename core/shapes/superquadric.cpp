#include "core/shapes/superquadric.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace scree {
namespace {

/// (x^n + y^n)^(1/n) of numbers >= 0 that neither overflows nor underflows (theory 06 section 1).
double norm_of(double x, double y, double n) {
  const double most = std::max(x, y);
  if (!(most > 0)) return 0;
  if (n == 2) return most * std::sqrt((x / most) * (x / most) + (y / most) * (y / most));
  return most * std::pow(std::pow(x / most, n) + std::pow(y / most, n), 1 / n);
}

/// Largest value of p u + q v over |u|^n + |v|^n = 1 in the Euclidean norm: theory 06 section 3, by Hoelder.
double hoelder(double p, double q, double n) {
  if (n <= 2) return std::max(p, q);
  return norm_of(p, q, 2 * n / (n - 2));
}

/// A q-norm N of (x, y) with its derivatives (theory 06 section 7).
struct Norm {
  double value = 0, x = 0, y = 0, xx = 0, xy = 0, yy = 0;
};

template <bool Second>
Norm norm_with_derivatives(double x, double y, double q) {
  Norm n;
  if (q == 2) {
    n.value = norm_of(x, y, q);
    n.x = x / n.value;
    n.y = y / n.value;
  } else {
    // With r = least / most and s = 1 + r^q: N = most s^(1/q), and the derivatives (least, most over N)^(q-1)
    // are r^q / r and 1 times s^(1/q) / s. Powers are a third of the cost of a contact.
    const double most = std::max(x, y), ratio = std::min(x, y) / most;
    // Exponentials and logarithms are twice as fast as powers; what they lose is round-off times the
    // logarithm.
    const double power = ratio > 0 ? std::exp(q * std::log(ratio)) : 0, s = 1 + power;
    const double root = std::exp(std::log(s) / q);
    n.value = most * root;
    const double by_most = root / s, by_least = ratio > 0 ? power / ratio * by_most : 0;
    n.x = x < y ? by_least : by_most;
    n.y = x < y ? by_most : by_least;
  }
  const double u = x / n.value, v = y / n.value;
  if constexpr (Second) {
    const double k = (q - 1) / n.value;
    n.xx = k * (n.x / u - n.x * n.x);
    n.yy = k * (n.y / v - n.y * n.y);
    n.xy = -k * n.x * n.y;
  }
  return n;
}

/// N(N(x, y), z) of the parts of t, with derivatives. @returns its value.
template <bool Second>
double norm_of_norm(const Vec3& t, double q_inner, double q_outer, Vec3& by_t, Mat3& by_tt) {
  const Norm inner = norm_with_derivatives<Second>(t.x(), t.y(), q_inner);
  const Norm outer = norm_with_derivatives<Second>(inner.value, t.z(), q_outer);
  by_t = {outer.x * inner.x, outer.x * inner.y, outer.y};
  if constexpr (Second) {
    by_tt(0, 0) = outer.xx * inner.x * inner.x + outer.x * inner.xx;
    by_tt(1, 1) = outer.xx * inner.y * inner.y + outer.x * inner.yy;
    by_tt(0, 1) = by_tt(1, 0) = outer.xx * inner.x * inner.y + outer.x * inner.xy;
    by_tt(0, 2) = by_tt(2, 0) = outer.xy * inner.x;
    by_tt(1, 2) = by_tt(2, 1) = outer.xy * inner.y;
    by_tt(2, 2) = outer.yy;
  }
  return outer.value;
}

/// The same where both are of one q: a power less.
template <bool Second>
double norm_of_three(const Vec3& t, double q, Vec3& by_t, Mat3& by_tt) {
  const double most = t.maxCoeff();
  const Vec3 ratio = t / most;
  Vec3 power;
  for (int k = 0; k < 3; ++k)
    power[k] = ratio[k] < 1 ? (ratio[k] > 0 ? std::exp(q * std::log(ratio[k])) : 0) : 1;
  const double s = power.sum(), root = std::exp(std::log(s) / q), value = most * root;
  for (int k = 0; k < 3; ++k) by_t[k] = ratio[k] > 0 ? power[k] / ratio[k] * root / s : 0;
  if constexpr (Second) {
    by_tt = (-(q - 1) / value) * by_t * by_t.transpose();
    by_tt.diagonal() += (q - 1) * by_t.cwiseQuotient(t);
  }
  return value;
}

/// log Gamma(1 + z).
double log_gamma1(double z) { return std::lgamma(1 + z); }

/// Faces of bodies that are nearly ellipsoids need less than any number: powers of it stay finite.
constexpr double kLeastEpsilon = 1e-100;

constexpr int kMostSweeps = 400;
constexpr double kRescaled = 1e-15;

}  // namespace

Superquadric::Superquadric(const Vec3& half_axes, double n1, double n2, double face_radius, bool rescaled) {
  const double n = std::max(n1, n2);
  double epsilon = 0;
  if (n > 2 && face_radius > 0) epsilon = std::max(std::pow(face_radius, -(n - 1) / (n - 2)), kLeastEpsilon);
  *this = with_epsilon(half_axes, n1, n2, epsilon, rescaled);
}

Superquadric Superquadric::with_epsilon(const Vec3& half_axes, double n1, double n2, double epsilon,
                                        bool rescaled) {
  Superquadric body;
  body.half_axes_ = body.p_ = half_axes;
  body.n1_ = n1;
  body.n2_ = n2;
  body.q1_ = n1 / (n1 - 1);
  body.q2_ = n2 / (n2 - 1);
  body.epsilon_ = epsilon;
  if (!rescaled || epsilon == 0) return body;
  for (int sweep = 0; sweep < kMostSweeps; ++sweep) {
    double change = 0;
    for (int k = 0; k < 3; ++k) {
      const double factor = half_axes[k] / body.support_point(Vec3::Unit(k)).h;
      body.p_[k] *= factor;
      change = std::max(change, std::abs(factor - 1));
    }
    if (change < kRescaled) break;
  }
  return body;
}

template <bool Second>
SupportValue Superquadric::evaluate(const Vec3& m) const {
  SupportValue value;
  if (n1_ == 2 && n2_ == 2) {  // ellipsoid: h = |D m|
    const Vec3 d = p_.cwiseAbs2();
    value.h = p_.cwiseProduct(m).norm();
    value.point = d.cwiseProduct(m) / value.h;
    if constexpr (Second) {
      value.hessian = -value.point * value.point.transpose() / value.h;
      value.hessian.diagonal() += d / value.h;
    }
    return value;
  }
  const double rounding = epsilon_ * epsilon_;
  const double squared = m.squaredNorm();
  Vec3 t;
  for (int k = 0; k < 3; ++k) t[k] = p_[k] * std::sqrt(m[k] * m[k] + rounding * squared);
  if (epsilon_ == 0) {
    // No second derivatives are required here; components that are zero have none of the first either.
    const double sigma = norm_of(t.x(), t.y(), q2_);
    value.h = norm_of(sigma, t.z(), q1_);
    const double outer = sigma > 0 ? std::pow(sigma / value.h, q1_ - 1) : 0;
    const auto coordinate = [&](int k, double part) { return std::copysign(p_[k] * part, m[k]); };
    value.point = {sigma > 0 ? coordinate(0, std::pow(t.x() / sigma, q2_ - 1) * outer) : 0,
                   sigma > 0 ? coordinate(1, std::pow(t.y() / sigma, q2_ - 1) * outer) : 0,
                   coordinate(2, std::pow(t.z() / value.h, q1_ - 1))};
    if constexpr (Second) value.hessian.setConstant(std::numeric_limits<double>::quiet_NaN());
    return value;
  }
  Vec3 by_t;
  Mat3 by_tt;
  value.h = q1_ == q2_ ? norm_of_three<Second>(t, q1_, by_t, by_tt)
                       : norm_of_norm<Second>(t, q2_, q1_, by_t, by_tt);
  // d t_i = p_i^2 (m_i e_i + eps^2 m) / t_i, row i.
  Mat3 dt;
  for (int k = 0; k < 3; ++k) {
    dt.row(k) = (rounding * p_[k] * p_[k] / t[k]) * m.transpose();
    dt(k, k) += p_[k] * p_[k] * m[k] / t[k];
  }
  value.point = dt.transpose() * by_t;
  if constexpr (Second) {
    // Second derivatives of t_i: p_i^2 (e_i e_i + eps^2 I) / t_i - dt_i dt_i / t_i.
    for (int k = 0; k < 3; ++k) by_tt(k, k) -= by_t[k] / t[k];
    value.hessian = dt.transpose() * by_tt * dt;
    double all = 0;
    for (int k = 0; k < 3; ++k) {
      const double own = by_t[k] * p_[k] * p_[k] / t[k];
      value.hessian(k, k) += own;
      all += rounding * own;
    }
    value.hessian.diagonal().array() += all;
    // Symmetric up to round-off; both halves are used.
    value.hessian = (0.5 * (value.hessian + value.hessian.transpose())).eval();
  }
  return value;
}

template SupportValue Superquadric::evaluate<true>(const Vec3& m) const;
template SupportValue Superquadric::evaluate<false>(const Vec3& m) const;

ShapeFunctionValue Superquadric::shape_function(const Vec3& x) const {
  ShapeFunctionValue value;
  const double a = half_axes_.x(), b = half_axes_.y(), c = half_axes_.z();
  const double u = std::abs(x.x() / a), v = std::abs(x.y() / b), w = std::abs(x.z() / c);
  const double s = norm_of(u, v, n2_);
  value.f = std::pow(s, n1_) + std::pow(w, n1_) - 1;
  const double su = s > 0 ? u / s : 0, sv = s > 0 ? v / s : 0;
  const double radial = n1_ * std::pow(s, n1_ - 1);
  value.gradient = {std::copysign(radial / a * std::pow(su, n2_ - 1), x.x()),
                    std::copysign(radial / b * std::pow(sv, n2_ - 1), x.y()),
                    std::copysign(n1_ / c * std::pow(w, n1_ - 1), x.z())};
  const double second = n1_ * std::pow(s, n1_ - 2);
  const auto own = [&](double part) {
    return second * ((n2_ - 1) * std::pow(part, n2_ - 2) + (n1_ - n2_) * std::pow(part, 2 * n2_ - 2));
  };
  value.hessian(0, 0) = own(su) / (a * a);
  value.hessian(1, 1) = own(sv) / (b * b);
  value.hessian(0, 1) = value.hessian(1, 0) =
      std::copysign(second / (a * b) * std::pow(su * sv, n2_ - 1), x.x() * x.y()) * (n1_ - n2_);
  value.hessian(2, 2) = n1_ * (n1_ - 1) / (c * c) * std::pow(w, n1_ - 2);
  return value;
}

Superquadric Superquadric::scaled(double factor) const {
  Superquadric larger = *this;  // the support function is homogeneous of degree 1 in the half axes
  larger.half_axes_ *= factor;
  larger.p_ *= factor;
  return larger;
}

SuperquadricMass Superquadric::mass_properties() const {
  const double i1 = 1 / n1_, i2 = 1 / n2_;
  const double box = 8 * half_axes_.prod();
  const Vec3 squared = half_axes_.cwiseAbs2();
  const double area = 2 * log_gamma1(i2) - log_gamma1(2 * i2);
  SuperquadricMass mass;
  mass.volume = box * std::exp(area + log_gamma1(i1) + log_gamma1(2 * i1) - log_gamma1(3 * i1));
  const double across = box / 3 *
                        std::exp(log_gamma1(3 * i2) + log_gamma1(i2) - log_gamma1(4 * i2) + log_gamma1(i1) +
                                 log_gamma1(4 * i1) - log_gamma1(5 * i1));
  const double along =
      box / 3 * std::exp(area + log_gamma1(3 * i1) + log_gamma1(2 * i1) - log_gamma1(5 * i1));
  mass.inertia = {squared.y() * across + squared.z() * along, squared.x() * across + squared.z() * along,
                  (squared.x() + squared.y()) * across};
  return mass;
}

double Superquadric::bounding_radius() const {
  return hoelder(hoelder(half_axes_.x(), half_axes_.y(), n2_), half_axes_.z(), n1_);
}

CurvatureRadii curvature_radii(const Mat3& hessian, const Vec3& m) {
  const Vec3 t = m.unitOrthogonal(), s = m.cross(t);
  const double tt = t.dot(hessian * t), ss = s.dot(hessian * s), ts = t.dot(hessian * s);
  const double determinant = tt * ss - ts * ts;
  return {2 * determinant / (tt + ss), std::sqrt(std::max(determinant, 0.0))};
}

}  // namespace scree

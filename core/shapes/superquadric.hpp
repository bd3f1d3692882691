/// Superquadrics: shape function, mass properties, and the support function by which they touch (theory 06).
#pragma once

#include "core/types.hpp"

namespace scree {

/// Support function h(m) = largest m . x over the body, for any m (homogeneous of degree 1).
struct SupportValue {
  double h = 0;                 ///< [m] for a unit vector
  Vec3 point = Vec3::Zero();    ///< gradient: the point of the surface with outward normal m [m]
  Mat3 hessian = Mat3::Zero();  ///< radii of curvature on the plane across m, for a unit vector [m]
};

/// Shape function f: negative inside, zero on the surface (theory 06 section 1).
struct ShapeFunctionValue {
  double f = 0;
  Vec3 gradient = Vec3::Zero();
  Mat3 hessian = Mat3::Zero();
};

/// Volume and central inertia for unit density; axes are principal.
struct SuperquadricMass {
  double volume = 0;            ///< [m^3]
  Vec3 inertia = Vec3::Zero();  ///< [m^5]
};

/// f(x) = (|x/a|^n2 + |y/b|^n2)^(n1/n2) + |z/c|^n1 - 1, centre of mass at the origin. Contact sees the body
/// of the regularised support function: flat faces have a finite radius of curvature (theory 06 section 7).
class Superquadric {
 public:
  Superquadric() = default;
  /// @param half_axes a, b, c [m] > 0; @param n1, n2 blockiness >= 2.
  /// @param face_radius largest radius of curvature of a face, in half axes, > 1 (rho of section 7);
  /// 0: the body as it is, whose second derivatives are not finite at faces.
  /// @param rescaled whether the half axes of the regularised body are those given.
  Superquadric(const Vec3& half_axes, double n1, double n2, double face_radius, bool rescaled = true);
  /// With the parameter of the regularisation itself, for tests. @param epsilon >= 0.
  static Superquadric with_epsilon(const Vec3& half_axes, double n1, double n2, double epsilon,
                                   bool rescaled);

  /// @returns the same body `factor` > 0 times as large.
  [[nodiscard]] Superquadric scaled(double factor) const;

  [[nodiscard]] const Vec3& half_axes() const { return half_axes_; }
  [[nodiscard]] double n1() const { return n1_; }
  [[nodiscard]] double n2() const { return n2_; }
  [[nodiscard]] double epsilon() const { return epsilon_; }

  /// Regularised support function in the body frame. @param m not zero. @note No allocation.
  [[nodiscard]] SupportValue support(const Vec3& m) const { return evaluate<true>(m); }
  /// The same without the Hessian.
  [[nodiscard]] SupportValue support_point(const Vec3& m) const { return evaluate<false>(m); }

  /// Shape function of the body that is not regularised, body frame (theory 06 section 1).
  [[nodiscard]] ShapeFunctionValue shape_function(const Vec3& x) const;

  /// Of the body that is not regularised, in closed form (theory 06 section 2).
  [[nodiscard]] SuperquadricMass mass_properties() const;
  /// Radius of the smallest sphere about the centre that holds the body [m] (theory 06 section 3).
  [[nodiscard]] double bounding_radius() const;

 private:
  template <bool Second>
  [[nodiscard]] SupportValue evaluate(const Vec3& m) const;

  Vec3 half_axes_ = Vec3::Ones();
  Vec3 p_ = Vec3::Ones();  ///< half axes that give the wanted ones once regularised [m]
  double n1_ = 2, n2_ = 2, q1_ = 2, q2_ = 2, epsilon_ = 0;
};

/// Radius of curvature that stands for a surface in Hertz's law.
struct CurvatureRadii {
  double mean = 0;      ///< 1 / mean curvature [m]
  double gaussian = 0;  ///< 1 / sqrt(Gaussian curvature) [m]
};
/// @param hessian of the support function at the unit normal m (theory 06 section 5: R is the inverse of the
/// curvatures in the tangent plane). @returns infinities where a curvature vanishes.
CurvatureRadii curvature_radii(const Mat3& hessian, const Vec3& m);

}  // namespace scree

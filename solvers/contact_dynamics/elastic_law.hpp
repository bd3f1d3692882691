/// The elastic law of a contact in the limit of infinite stiffness: potential, force and stiffness as
/// functions of the scaled compression (theory 07 sections 3 and 5).
#pragma once

#include <Eigen/Dense>
#include <cmath>

namespace scree::contact_dynamics {

/// Law of one contact. Force f = k c^exponent for a scaled compression c; both exponents may meet in one
/// problem, k is then in N per (unit of c)^exponent.
struct ElasticLaw {
  double stiffness = 1;  ///< k~ > 0
  double exponent = 1;   ///< 1 (Hooke) or 1.5 (Hertz)
  double friction = 0;   ///< Coulomb's coefficient; read where there are tangential components
};

/// k s^(exponent - 1), the secant stiffness. @param s >= 0.
[[nodiscard]] inline double secant(const ElasticLaw& law, double s) {
  if (law.exponent == 1) return law.stiffness;
  if (law.exponent == 1.5) return law.stiffness * std::sqrt(s);
  return law.stiffness * std::pow(s, law.exponent - 1);
}

/// The compression that makes the force f: the inverse of the law. @param f >= 0.
[[nodiscard]] inline double compression_of(const ElasticLaw& law, double f) {
  const double ratio = f / law.stiffness;
  return law.exponent == 1 ? ratio : std::pow(ratio, 1 / law.exponent);
}

/// What a contact answers to the compression x: with one row x = (c), with three x = (c, t) with the
/// tangential displacement t that friction resists.
template <int Rows>
struct ElasticResponse {
  Eigen::Matrix<double, Rows, 1> force = Eigen::Matrix<double, Rows, 1>::Zero();
  Eigen::Matrix<double, Rows, Rows> stiffness = Eigen::Matrix<double, Rows, Rows>::Zero();
};

/// Potential W(x) = k/p |P(x)|^p with p = exponent + 1, P the projection on the half-line c >= 0 (theory 07
/// section 3) or on the friction cone |t| <= mu c (section 5: the convexified law of Anitescu and Tasora).
/// |P(x)| is the largest z.x over unit z in the cone, hence W is convex.
/// @returns gradient k |P|^(p-2) P, a force within the cone, and the Hessian (an element of the generalised
/// one where it jumps). @param with_stiffness false leaves the Hessian zero.
template <int Rows>
[[nodiscard]] inline ElasticResponse<Rows> respond(const ElasticLaw& law,
                                                   const Eigen::Matrix<double, Rows, 1>& x,
                                                   bool with_stiffness = true) {
  ElasticResponse<Rows> answer;
  if constexpr (Rows == 1) {
    if (x[0] <= 0) return answer;
    const double k = secant(law, x[0]);
    answer.force[0] = k * x[0];
    answer.stiffness(0, 0) = law.exponent * k;
  } else {
    using Tangent = Eigen::Matrix<double, Rows - 1, 1>;
    const Tangent t = x.template tail<Rows - 1>();
    const double slip = t.norm();
    const double mu = law.friction;
    Eigen::Matrix<double, Rows, 1> onto = x;
    Eigen::Matrix<double, Rows, Rows> derivative = Eigen::Matrix<double, Rows, Rows>::Identity();
    if (slip > mu * x[0]) {
      const double s = (x[0] + mu * slip) / (1 + mu * mu);
      if (s <= 0) return answer;
      const Tangent along = t / slip;
      onto << s, mu * s * along;
      Eigen::Matrix<double, Rows, 1> ray;
      ray << 1, mu * along;
      derivative = ray * ray.transpose() / (1 + mu * mu);
      derivative.template bottomRightCorner<Rows - 1, Rows - 1>() +=
          mu * s / slip * (Eigen::Matrix<double, Rows - 1, Rows - 1>::Identity() - along * along.transpose());
    }
    const double size = onto.norm();
    if (size <= 0) return answer;
    const double k = secant(law, size);
    answer.force = k * onto;
    if (with_stiffness)
      answer.stiffness = k * (derivative + (law.exponent - 1) / (size * size) * onto * onto.transpose());
  }
  return answer;
}

/// W(x) of `respond`. @returns [unit of k times unit of x to the p].
template <int Rows>
[[nodiscard]] inline double potential(const ElasticLaw& law, const Eigen::Matrix<double, Rows, 1>& x) {
  const auto answer = respond<Rows>(law, x, false);
  const double force = answer.force.norm();
  return force == 0 ? 0 : force * compression_of(law, force) / (law.exponent + 1);
}

}  // namespace scree::contact_dynamics

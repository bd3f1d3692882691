/// Parameters of interface laws, as the deck gives them.
#pragma once

#include <limits>
#include <utility>
#include <vector>

namespace scree::contact {

/// Hybrid penalty and barrier law f(gap), [Poly, Eqs. 49-51], theory 03 section 3.
struct BarrierParameters {
  double threshold = 1e-3;        ///< gap where the force begins [m], > 0
  double stiffness = 0;           ///< epsilon_1 [N/m^exponent], > 0
  double exponent = 3;            ///< n_1 >= 1
  double barrier_fraction = 0.4;  ///< f in (0, 1): barrier below f * threshold
  double barrier_exponent = -2;   ///< n_2 <= -1
  double damping_ratio = 0;       ///< zeta >= 0
};

/// Coulomb friction with an elastic-viscous trial force, theory 05 section 3. Absent: static_coefficient = 0.
struct FrictionParameters {
  double static_coefficient = 0;   ///< mu_s >= mu_d
  double dynamic_coefficient = 0;  ///< mu_d >= 0
  double stiffness = 0;            ///< epsilon_t [N/m] >= 0
  double damping = 0;              ///< c_t [N s/m] >= 0; stiffness and damping not both 0
  std::vector<std::pair<double, double>> active = {{0.0, std::numeric_limits<double>::infinity()}};  ///< [s]
};

/// Everything that acts between two materials.
struct Interface {
  BarrierParameters normal;
  FrictionParameters friction;
};

}  // namespace scree::contact

/// Bonds between spheres, as the deck gives them.
#pragma once

#include <limits>

#include "core/parameters/parameters.hpp"

namespace scree::contact {

/// Linear springs in tension and compression between spheres that are near at the start.
struct BondParameters {
  double stiffness = 0;  ///< k_B [N/m], > 0
  double within = 0;     ///< bonded if d < (1 + within) (r_i + r_j) at the start [-], > 0
  double break_force = std::numeric_limits<double>::infinity();  ///< tension that breaks a bond [N], > 0

  [[nodiscard]] bool breakable() const { return break_force < std::numeric_limits<double>::infinity(); }
};

/// @returns the deck's key "bonds".
ParameterSpec bond_specification();

/// @param values checked against bond_specification().
BondParameters bond_parameters(const Value& values);

}  // namespace scree::contact

/// Near-field forces, as the deck gives them.
#pragma once

#include "core/error.hpp"
#include "core/parameters/parameters.hpp"

namespace scree::contact {

/// What the force does at the cut-off.
enum class AtCutoff {
  jump,    ///< it ends there, as in the paper
  shifted  ///< its value at the cut-off is taken off everywhere, so that it ends without a jump
};

/// Attraction and repulsion along the line between two poles, [Sph, eq. 17], theory 04 section 3.
struct NearFieldParameters {
  double attraction = 0, repulsion = 0;                    ///< kappa_1, kappa_2 [N m^lambda]
  double attraction_exponent = 0, repulsion_exponent = 0;  ///< lambda_1, lambda_2 >= 0 [-]
  double cutoff = 0;  ///< distance of the poles beyond which nothing acts [m], > 0
  AtCutoff at_cutoff = AtCutoff::jump;
};

/// @returns the deck's load "near_field".
Specification near_field_specification();

/// @param values checked against near_field_specification().
/// @param faults gets what is wrong between the keys: both kappa zero (where = JSON pointer).
NearFieldParameters near_field_parameters(const Value& values, std::vector<Diagnostic>& faults);

}  // namespace scree::contact

/// Measures of a state on the way to equilibrium.
#pragma once

#include <string>

#include "solvers/quasi_static/way_back.hpp"
#include "solvers/world/world.hpp"

namespace scree {

/// What drives the next proximal step of a quasi-static analysis, the largest over bodies; of what is fixed,
/// zero.
struct Unbalance {
  double acceleration = 0;  ///< unbalanced force over mass [m/s^2]
  double turning = 0;       ///< unbalanced moment over inertia [rad/s^2]
  double load = 0;          ///< weight and loads over mass [m/s^2]
};

/// @returns the unbalance at the accepted state, whose accelerations follow from its forces
/// (CompliantProblem::settle). Collective.
Unbalance unbalance_of(World& world);

/// @returns the body with the largest unbalanced force, and what it does, in words. State as in
/// `unbalance_of`. Collective.
std::string restless_body(World& world, const WayBack& start);

/// @returns diagonal of the box around all there is [m]. Collective.
double extent_of(const World& world);

}  // namespace scree

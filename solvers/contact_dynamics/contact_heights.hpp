/// How high bodies are above each other, from their contacts alone.
#pragma once

#include <vector>

#include "solvers/contact_dynamics/contact_energy.hpp"

namespace scree::contact_dynamics {

/// @returns a height of every owned body along the direction `up` [m], from lever arms along contacts, up to
/// a constant for each group of bodies in contact: positions are not needed.
[[nodiscard]] std::vector<double> contact_heights(const ContactEnergy& energy, const Vec3& up);

}  // namespace scree::contact_dynamics

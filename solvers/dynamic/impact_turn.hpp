/// Turn of bodies by impacts within a step: an error of the impulse (theory 11 section 7).
#pragma once

#include <array>
#include <vector>

namespace scree {

class World;

/// Largest change of spin over the step beyond that of a free body, times its size, of the bodies that are no
/// spheres and in which force acted at one other body or boundary alone. In a crowd the order of collisions
/// is a larger error.
/// @param touching local indices of the bodies of each contact with a force in the step. @param h [s].
/// @returns [rad], over all ranks. Collective.
double turn_of_impacts(const World& world, const std::vector<std::array<int, 2>>& touching, double h);

}  // namespace scree

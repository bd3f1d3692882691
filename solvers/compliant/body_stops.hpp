/// Each body goes along an update or a prediction until it meets another one (theory 03 section 6).
#pragma once

#include <vector>

#include "assembly/dof_map.hpp"
#include "solvers/world/passage.hpp"

namespace scree {

/// Values per body of the owners, for their ghosts too. Collective.
/// @param[in,out] values one per body that moves; those of ghosts are overwritten.
void give_to_ghosts(const World& world, std::vector<double>& values);

/// Sets where on the path of `passage` each body stops, so that no two meet. Bodies that a moving plane,
/// bore or cavity would run over where they stop go with it instead, and so do those that they meet. Others
/// in the way of a moving boundary stop sooner, in the end where they begin.
/// @param carry whether bodies may go with a boundary: under methods that need no shorter steps to resolve an
/// impact.
/// @returns whether that was found; without, nobody stops, and paths are as before. The same on all ranks.
/// Collective.
bool stop_bodies(const World& world, Passage& passage, bool carry);

}  // namespace scree

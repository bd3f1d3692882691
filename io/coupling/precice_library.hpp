/// Whether this build has preCICE, for the check of a deck. Defined by the adapter, the only file that is
/// compiled with the library.
#pragma once

namespace scree::coupling {

/// @throws InputError if this build has no preCICE.
void require_precice();

}  // namespace scree::coupling

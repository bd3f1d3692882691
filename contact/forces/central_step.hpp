/// Central forces over a step: what Newton's method leaves out of their tangent.
#pragma once

#include "contact/forces/central_pair.hpp"

namespace scree::contact {

/// A force that repels pulls the line of centres over, as a strut buckles. Where that outweighs inertia the
/// matrix would be indefinite, and Newton's method leave the way down: the turning of the direction is left
/// out of the tangent there (theory 11 section 8). The solution does not depend on it.
/// @param[in,out] pair with its force over the step: `length` becomes infinite.
void leave_out_buckling(CentralPair& pair, const Bodies& bodies);

}  // namespace scree::contact

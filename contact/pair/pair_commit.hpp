/// The end of a step for one pair: its history and its dissipation.
#pragma once

#include "contact/laws/interface_law.hpp"
#include "contact/pair/pair.hpp"

namespace scree::contact {

/// What a step dissipated [J].
struct StepLosses {
  double damping = 0, friction = 0;
  double bonds = 0;       ///< stored in bonds that broke
  double boundaries = 0;  ///< taken by boundaries that move, of secant forces and impulses
  /// Contact dynamics (theory 07 section 6): error of the balance because weight does its work along the
  /// velocities of the end, impulses along the mean; what forces do on the way out of present overlap.
  double lag = 0, overlap = 0;
};

/// Return mapping and transport of the memory at an accepted state (theory 05 sections 2 and 3), and what
/// the step dissipated. @returns losses by damping and friction [J].
StepLosses commit(BodyPair& pair, const BodyView& a, const BodyView& b, const InterfaceLaw& law,
                  const StepContext& step);

/// Keeps where the searches of a step begin, at its first evaluation.
void keep_search_start(BodyPair& pair);

/// Removes contacts that were created in the step (the step is rejected); its searches begin where they did.
void roll_back(BodyPair& pair);

/// Elastic energy stored by the springs of friction and rolling at the last commit [J].
double friction_energy(const BodyPair& pair, const InterfaceLaw& law);

}  // namespace scree::contact

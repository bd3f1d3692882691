/// Where a contact that is made within a step was when the step started.
#pragma once

#include "core/types.hpp"

namespace scree::contact {

/// A contact at the accepted state, by the features that are nearest in the trial state: each is turned back
/// with its body, edges and faces are taken as infinite.
struct StartOfContact {
  double gap = 0;  ///< between the rounded surfaces [m]
  Vec3 n = Vec3::UnitZ();
  Vec3 point = Vec3::Zero();  ///< middle of the gap; in an overlap by the share of each side
};

}  // namespace scree::contact

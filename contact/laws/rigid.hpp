/// Unilateral contact of rigid bodies: no force until the gap is closed, and then what all contacts of a step
/// together ask for (theory 07; solvers/contact_dynamics). What a single contact says is here.
#pragma once

#include "contact/parameters.hpp"

namespace scree::contact {

struct RigidLaw : RigidParameters {
  explicit RigidLaw(const RigidParameters& p) : RigidParameters(p) {}
};

}  // namespace scree::contact

/// Parameters of contact laws, as the deck gives them.
#pragma once

#include "contact/laws/friction_parameters.hpp"
#include "contact/laws/normal_laws.hpp"
#include "contact/laws/rolling_parameters.hpp"

namespace scree::contact {

/// Everything that acts between two materials.
struct Interface {
  NormalParameters normal;
  FrictionParameters friction;
  RollingParameters rolling;
  bool midway = false;  ///< superquadrics touch each other by their midway point; of laws that have the trait

  [[nodiscard]] const LawTraits& traits() const { return traits_of(normal); }
  /// Gap below which forces act [m]: 0 for overlap-based laws that do not attract from a distance.
  [[nodiscard]] double threshold() const;
};

/// What laws with moduli need to know of a material.
struct Elasticity {
  double young = 0;    ///< [Pa]; 0: not given, rigid where the material is that of a boundary
  double poisson = 0;  ///< [-]
};

}  // namespace scree::contact

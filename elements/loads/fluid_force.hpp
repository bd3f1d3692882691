/// What drag and Magnus forces share: a fluid that is not modelled, and its velocity.
#pragma once

#include <optional>

#include "elements/loads/load_traits.hpp"

namespace scree::elements {

/// @returns the key of the velocity of the fluid.
inline ParameterSpec fluid_velocity_parameter() {
  return {.key = "fluid_velocity",
          .kind = ParameterKind::vector,
          .unit = "m/s",
          .description = "Velocity of the fluid, global axes.",
          .fallback = Vec3(Vec3::Zero()),
          .size = 3};
}

/// @returns why a fluid force has no effect: its coefficient is zero.
inline std::optional<IdleLoad> idle_fluid_force(double coefficient) {
  if (coefficient != 0) return std::nullopt;
  return IdleLoad{"", "has no effect: \"coefficient\" is 0."};
}

}  // namespace scree::elements

/// Random numbers of tests.
#pragma once

#include <random>

#include "core/types.hpp"

namespace scree::test {

/// @returns a vector of which each component is between -size and size.
inline Vec3 random_vector(std::mt19937_64& engine, double size) {
  std::uniform_real_distribution<double> uniform(-size, size);
  const double x = uniform(engine);
  const double y = uniform(engine);
  const double z = uniform(engine);
  return {x, y, z};
}

}  // namespace scree::test

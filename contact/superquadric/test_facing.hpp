/// For tests of searches between two superquadrics: two, turned at random, about a given distance apart.
#pragma once

#include <algorithm>
#include <cmath>
#include <random>

#include "contact/superquadric/separation.hpp"
#include "contact/test_bodies.hpp"

namespace scree::contact::testing {

struct FacingPair {
  Superquadric body_a, body_b;
  Smooth a, b;

  /// @param gap separation of the two within 1e-9, negative for an overlap.
  FacingPair(std::mt19937_64& engine, double gap, const Superquadric& first, const Superquadric& second)
      : body_a(first), body_b(second) {
    b = Smooth(body_b, random_vector(engine, 1), random_rotation(engine).toRotationMatrix(),
               body_b.bounding_radius());
    a = Smooth(body_a, Vec3::Zero(), random_rotation(engine).toRotationMatrix(), body_a.bounding_radius());
    const Vec3 way = random_vector(engine, 1).normalized();
    a.x = b.x + way * (a.size + b.size + 1);
    for (int k = 0; k < 60; ++k) {
      const Summit s = separation(a, b, a.x - b.x);
      if (std::abs(s.value - gap) < 1e-9) break;
      a.x -= way * (s.value - gap) / std::max(s.n.dot(way), 0.2);
    }
  }
  FacingPair(const FacingPair&) = delete;  // a and b look at the bodies
  FacingPair& operator=(const FacingPair&) = delete;
};

}  // namespace scree::contact::testing

/// What closed features are at both ends of a step.
#pragma once

#include <cstdint>

#include "contact/pair/pair.hpp"

namespace scree::contact {

/// How the force of a term of two sharp bodies acts, by what is nearest at the start of the step alone: kinds
/// of features at the end change with the trial state, and the force would jump there.
enum class SecantRule : std::uint8_t {
  face,     ///< a vertex above a face
  corner,   ///< a vertex beside an edge or another vertex
  crossing  ///< of two edges
};

/// Two closed features at both ends of a step, or several that are at the same places at both.
struct ClosedTerm {
  Term start, end;  ///< `end.sign`: how often they count
  int place =
      0;  ///< open features that are nearest, by a number within the item: at the start if it acts then
  SecantRule rule = SecantRule::face;
  bool of_b = false;  ///< the vertex that acts at the start is one of B
};

}  // namespace scree::contact

/// What closed features are at both ends of a step.
#pragma once

#include "contact/pair/pair.hpp"

namespace scree::contact {

/// Two closed features at both ends of a step, or several that are at the same places at both.
struct ClosedTerm {
  Term start, end;  ///< `end.sign`: how often they count
  int place =
      0;  ///< open features that are nearest, by a number within the item: at the start if it acts then
};

}  // namespace scree::contact

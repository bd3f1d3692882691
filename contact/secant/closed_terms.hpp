/// The gaps of closed features at both ends of a step (theory 11 section 3).
///
/// The distance of two closed features is continuously differentiable wherever the nearest points lie on
/// them, so that each has one secant per step, although the open features that are nearest may change.
#pragma once

#include <vector>

#include "contact/laws/normal_law.hpp"
#include "contact/pair/body_over_step.hpp"
#include "contact/pair/pair.hpp"
#include "contact/secant/closed_term.hpp"

namespace scree::contact {

/// What an item has found.
struct ClosedTerms {
  std::vector<ClosedTerm> terms;    ///< ordered by place
  double nearest = 0;               ///< gap at the end [m]
  double nearest_n = 0;             ///< gap at the start, at least [m]; minus infinity: not known
  double window_n = 1, window = 1;  ///< of an edge pair, at both ends
  double cosine_n = 0, cosine = 0;  ///< between the edges, at both ends
  double widest = 0;                ///< squared sine from which the window is 1
};

/// Closed features of an item whose gap is below the law's threshold at one end of the step at least.
/// @param law says the threshold. @param midway superquadrics touch by their midway point.
void closed_terms(BodyPair& pair, Item& item, const BodyOverStep& a, const BodyOverStep& b,
                  const NormalLaw& law, bool midway, ClosedTerms& found);

}  // namespace scree::contact

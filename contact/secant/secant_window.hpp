/// The window of nearly parallel edges over a step (theory 11 section 3).
#pragma once

#include "contact/secant/facet_over_step.hpp"

namespace scree::contact {

/// Derivative of the window of an edge pair as a secant in the cosine between the edges.
struct WindowSecant {
  double slope = 0;      ///< (m1 - m0) / (c1 - c0)
  double mu = 0;         ///< dm/dc at the end
  double slope_end = 0;  ///< d slope / d c1
};

WindowSecant window_secant(const Active& contact);

/// What the window of a contact puts on A in the residual, beside the forces of its terms: a couple, and, at
/// a surface that deforms, a force at the point of its first term.
struct WindowWrench {
  Vec3 force = Vec3::Zero(), couple = Vec3::Zero();
};

/// @param contact with its windows, cosines and Active::mean_energy.
WindowWrench window_wrench(const BodyPair& pair, const Active& contact, const BodyOverStep& a,
                           FacetOverStep& b);

}  // namespace scree::contact

/// A superquadric in a hollow over a step: which place at its start is which at its end (theory 06 section
/// 13).
#pragma once

#include <vector>

#include "contact/secant/closed_term.hpp"

namespace scree::contact {

/// Where a superquadric touches the wall around it at one end of a step.
struct HollowPlace {
  Term term;                    ///< with its sign
  Vec3 on_body = Vec3::Zero();  ///< in the frame of the superquadric [m]
  int place = 0;                ///< number of its contact
};

/// Terms of a step, so that what they store at both ends is what the places there store. Places that one end
/// lacks appear or vanish by twos of different sign: both go with one place of the other end, at which they
/// cancel.
/// @param ends not empty, one of them of sign 1. @param[in,out] terms is appended to, ordered by place.
void join_hollow_places(const std::vector<HollowPlace>& starts, const std::vector<HollowPlace>& ends,
                        std::vector<ClosedTerm>& terms);

}  // namespace scree::contact

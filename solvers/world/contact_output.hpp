/// From the contacts of this rank to what observers are shown.
#pragma once

#include <utility>
#include <vector>

#include "solvers/observer.hpp"
#include "solvers/world/world.hpp"

namespace scree {

/// Sum of the wrenches that the pairs of this rank and their bonds put on each owned body at the last
/// evaluation, and the impact update, about its pole (in steps whose forces are secants, the mean one).
/// @param[out] wrench size owned.
void sum_pair_wrenches(const World& world, std::vector<Wrench>& wrench);

/// Force and moment about the origin on each boundary, summed over its parts and over ranks. Collective.
void boundary_wrenches(const World& world, std::vector<Wrench>& wrench);

/// Active contacts and living bonds that this rank counts.
void contact_records(const World& world, std::vector<ContactRecord>& records);

/// Largest unbalanced force and moment on a body that is free to move, see RunReport.
struct LargestUnbalance {
  double force = 0, moment = 0;
  double uncarried = 0;  ///< the larger of both, of bodies that contacts do not carry
  double resultant = 0;  ///< force, or moment over the bounding radius: not relative to anything [N]
};

/// @returns the largest of all ranks. Collective. @param by_contact wrenches on the owned bodies.
/// @param least_scale force that unbalance of a body that is touched, or has no weight, is at least measured
/// against [N].
LargestUnbalance largest_unbalance(World& world, const std::vector<Wrench>& by_contact, double least_scale);

}  // namespace scree

/// From the contacts of this rank to what observers are shown.
#pragma once

#include <utility>
#include <vector>

#include "solvers/observer.hpp"
#include "solvers/system.hpp"

namespace scree {

/// Force and moment by contact and bonds on each owned body (about its pole). @param[out] wrench size owned.
void body_wrenches(const System& system, std::vector<Wrench>& wrench);

/// Force and moment about the origin on each boundary, summed over its parts and over ranks. Collective.
void boundary_wrenches(const System& system, std::vector<Wrench>& wrench);

/// Active contacts and living bonds that this rank counts.
void contact_records(const System& system, std::vector<ContactRecord>& records);

/// Largest unbalanced force and moment on a body that is free to move, see RunReport. Collective.
/// @param least_scale force that unbalance is at least measured against, where it is more than the weight
/// [N].
std::pair<double, double> unbalanced(System& system, double least_scale = 0);

}  // namespace scree

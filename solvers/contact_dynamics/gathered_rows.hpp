/// Rows of B of a few contacts, brought to one rank.
#pragma once

#include <vector>

#include "solvers/contact_dynamics/contact_energy.hpp"

namespace scree::contact_dynamics {

/// B of all contacts of a ContactEnergy without friction, row by row; empty but on rank 0.
struct GatheredRows {
  long first = 0;  ///< where this rank's contacts begin among all; set on every rank
  int unknowns = 0;
  std::vector<int> start, column;  ///< compressed rows
  std::vector<double> value;
};

/// @throws RunError where there are more entries than an int counts. Collective.
[[nodiscard]] GatheredRows gather_rows(const ContactEnergy& energy);

/// Values of all ranks in their order on rank 0. Collective.
[[nodiscard]] std::vector<double> gather(MPI_Comm comm, const std::vector<double>& mine);

}  // namespace scree::contact_dynamics

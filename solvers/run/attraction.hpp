/// Bodies that attract each other although their contact laws only repel (docs/contact.md, section 2).
#pragma once

#include "solvers/model.hpp"
#include "solvers/observer.hpp"
#include "solvers/run/warnings.hpp"

namespace scree {

/// Whether they have stored so much less than nothing that the run is wrong: more than that part of the
/// reference energy by which created energy counts.
[[nodiscard]] bool attracts(const RunReport& report);

/// Warns of it. Not collective: the report is the same on all ranks.
void warn_of_attraction(const Model& model, const RunReport& report, Warnings& warnings);

}  // namespace scree

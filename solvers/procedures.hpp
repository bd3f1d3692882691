/// The analyses that there are.
#pragma once

#include <memory>

#include "solvers/procedure.hpp"

namespace scree {

/// @returns the procedure of the model's analysis.
std::unique_ptr<Procedure> make_procedure(World& world, PhaseClock& clock, RunReport& report);

}  // namespace scree

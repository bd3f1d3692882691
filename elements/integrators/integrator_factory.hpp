/// Creates a time integrator from the deck.
#pragma once

#include <memory>
#include <vector>

#include "core/error.hpp"
#include "core/parameters/registry.hpp"
#include "elements/integrators/integrator.hpp"

namespace scree {

/// Makes an integrator of checked values. @param faults gets what is wrong between or beyond the ranges of
/// the keys (where = JSON pointer).
using IntegratorFactory = std::shared_ptr<const elements::Integrator> (*)(const Value& values,
                                                                          std::vector<Diagnostic>& faults);

}  // namespace scree

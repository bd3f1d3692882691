/// What dead forces and moments on single bodies share: constant direction in global axes, size by a table.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "elements/loads/load_traits.hpp"

namespace scree::elements {

/// (time [s], factor [-]), piecewise linear, constant outside; empty: 1.
using Ramp = std::vector<std::pair<double, double>>;

/// Factor of a ramp at a time [s].
double ramp_factor(const Ramp& ramp, double time);

/// @returns the largest size of the factor over all times.
double largest_factor(const Ramp& ramp);

/// @returns the time of the first row after `time` [s], infinite after the last row.
double next_row(const Ramp& ramp, double time);

/// @returns keys that every dead load has: the body, the value with its unit, and the ramp.
std::vector<ParameterSpec> dead_load_parameters(const std::string& unit);

/// @param values checked against dead_load_parameters. @returns the ramp, empty without one.
/// @param faults gets times that do not increase.
Ramp read_ramp(const Value& values, std::vector<Diagnostic>& faults);

/// @returns why a dead load has no effect: its value is zero, or its ramp until the end of the run.
std::optional<IdleLoad> idle_dead_load(const Vec3& value, const Ramp& ramp, const Value& values,
                                       const LoadedRun& run);

}  // namespace scree::elements

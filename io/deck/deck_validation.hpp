/// Values against their specification.
#pragma once

#include "core/parameters/parameters.hpp"
#include "io/deck/diagnostics.hpp"

namespace scree {

/// Checks a value, and all below it: unknown, missing and unavailable keys and names, kinds, ranges, lengths.
/// @returns the value with defaults filled in. What is wrong is reported and stands as null in the result, so
/// that everything else can still be looked at.
Value validate(const Value& given, const ParameterSpec& specification, Diagnostics& diagnostics);

/// @returns whether nothing in the value is null: it and all below it passed the checks.
bool is_complete(const Value& value);

/// @returns what is wrong with a name that has control characters.
std::string control_character_fault(const std::string& name);

/// @returns what is wrong with the name of a group, which materials have behind an "@" (GroupedMaterial); ""
/// if nothing is.
std::string group_fault(const std::string& group);

/// Range of numbers other than 0: five of them can be multiplied.
inline constexpr double kLeastNumber = 1e-60, kLargestNumber = 1e60;
/// Whether products of some such numbers, as formulas have them, are neither infinite nor 0.
bool is_computable(double value);

/// @returns what is wrong with a number, as the deck has it, whose products double precision does not have.
std::string not_computable_fault(const std::string& number);

}  // namespace scree

/// Keys without effect: found by the scopes that stand in the specification (core/parameters/parameters.hpp),
/// and by what nothing has read.
#pragma once

#include "core/parameters/parameters.hpp"
#include "io/deck/diagnostics.hpp"

namespace scree {

/// Reports each key of the deck that has no effect under its "analysis", or beside another key: an error, or
/// a note where Scope says so. Defaults are left out, and of an object that is reported its members.
/// @param deck as validate() returns it.
void check_scopes(const Value& deck, const ParameterSpec& specification, Diagnostics& diagnostics);

/// Reports each value of the deck that was not read since it was validated: it cannot have had an effect.
void check_all_read(const Value& deck, Diagnostics& diagnostics);

}  // namespace scree

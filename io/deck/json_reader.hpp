/// From the text of a deck to a tree of values.
#pragma once

#include <string>

#include "core/parameters/value.hpp"
#include "io/deck/diagnostics.hpp"

namespace scree {

/// Parses JSON with comments. Every value knows its JSON pointer.
/// @param file name for messages. @param diagnostics receives duplicate keys; the first one counts.
/// @throws InputError for a syntax error, or brackets within each other too deep (where =
/// "file:line:column"), or more values than there is memory for. @throws Interrupted if the user asked to
/// stop.
Value parse_json(const std::string& text, const std::string& file, Diagnostics& diagnostics);

}  // namespace scree

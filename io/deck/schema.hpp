/// What a deck may contain, written from the same specifications that check it.
#pragma once

#include <string>

namespace scree {

/// @returns the JSON Schema (draft 2020-12) of a deck, indented, ending with a newline.
std::string json_schema();

/// @returns docs/input.md: every key with type, unit, range, default and meaning.
std::string input_reference();

}  // namespace scree

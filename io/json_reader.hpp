/// From the text of a deck to a tree of values.
#pragma once

#include <filesystem>
#include <string>

#include "core/value.hpp"
#include "io/diagnostics.hpp"

namespace scree {

/// Parses JSON with comments. Every value knows its JSON pointer.
/// @param file name for messages. @param diagnostics gets keys that are there twice; the first one counts.
/// @throws InputError for a syntax error (where = "file:line:column").
Value parse_json(const std::string& text, const std::string& file, Diagnostics& diagnostics);

/// @param shown name of the file for messages.
/// @returns the whole file. @throws InputError (where = shown) with the system's reason if it cannot be read.
std::string read_text_file(const std::filesystem::path& file, const std::string& shown);

}  // namespace scree

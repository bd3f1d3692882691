/// Files that a deck consists of or names: read whole, with a message for everything that is no file to read.
#pragma once

#include <filesystem>
#include <string>

namespace scree {

/// @param shown name of the file for messages.
/// @returns the whole file. @throws InputError (where = shown) with the reason if it cannot be read: missing,
/// no permission, a folder, a pipe or device, links in a circle, larger than the memory that is left.
/// @throws Interrupted if the user asked to stop.
std::string read_text_file(const std::filesystem::path& file, const std::string& shown);

/// @returns the text without a byte order mark of UTF-8. @throws InputError (where = file:line) if it is
/// UTF-16 or UTF-32, or holds a zero byte, as binary files do.
std::string as_text(std::string text, const std::string& file);

}  // namespace scree

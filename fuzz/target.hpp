/// What every fuzz target does with its input: reads it, and lets nothing escape but the errors that are for
/// people.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>

#include "core/parameters/value.hpp"

namespace scree::fuzz {

/// Reads `deck` as `scree check` does. InputError is an answer; everything else is a finding.
/// Decks that define more than `kMostBodies` bodies, or for as many from inlets, are checked up to the
/// model, which is not made: that they take long is no fault, and the fuzzer could not tell it from one.
/// @param folder where relative files of the deck are looked for.
void read_as_deck(const std::string& deck, const std::filesystem::path& folder);

inline constexpr double kMostBodies = 50;

/// Folder of this process below the system's temporary one, for files that decks name. Removed at exit.
const std::filesystem::path& scratch();

/// Writes `bytes` to a file of scratch().
void write_file(const std::string& name, const std::string& bytes);

inline std::string text_of(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

}  // namespace scree::fuzz

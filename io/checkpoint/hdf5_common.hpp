/// What the writer and the reader of checkpoint files have in common: names and types.
#pragma once

#include <hdf5.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "io/checkpoint/columns.hpp"

namespace scree::checkpoint {

inline constexpr const char* kFormat = "format";
inline constexpr const char* kFormatName = "scree checkpoint";
inline constexpr const char* kFormatNumber = "format_version";
inline constexpr const char* kUnits = "units";
/// Rows and hash of each rank's part of a dataset; a dataset without is the same on all ranks.
inline constexpr const char* kRows = "rows_of_ranks";
inline constexpr const char* kHashes = "hashes_of_ranks";
/// Group of what the ranks have of the bodies.
inline constexpr const char* kOwn = "world";

/// @returns the type of numbers in a file.
hid_t file_type(Scalar type);

/// @returns a number that changes with any byte (FNV-1a, over words of 8 bytes).
std::uint64_t checksum(const std::byte* bytes, std::size_t size);

}  // namespace scree::checkpoint

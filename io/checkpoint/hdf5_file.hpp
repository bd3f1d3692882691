/// Checkpoint files: columns and texts in HDF5, written by all ranks together, readable with h5py.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "io/checkpoint/columns.hpp"

namespace scree::checkpoint {

/// Of the layout of the file: one that has another number cannot be read.
inline constexpr int kFormatVersion = 8;

/// What a checkpoint file is about, in the attributes of its root.
struct Head {
  std::string program;    ///< version of the program
  int ranks = 1;          ///< that wrote it
  double time = 0;        ///< [s]
  std::int64_t step = 0;  ///< accepted steps so far
  bool at_end = false;    ///< the run had reached its end
  std::string deck_file;  ///< name of the deck as the run was given it
  std::string deck_path;  ///< the same, absolute
  std::string deck;       ///< its text
  std::string files;      ///< files that it names: a line "HASH PATH" each
  std::string options;    ///< for PETSc, of the command line: a line each
};

/// A file that is no checkpoint, not whole, or of another version. The message names the file and the reason.
class UnreadableFile : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Files up to this size are gathered and made by one rank, in memory: HDF5 on several ranks may crash, or
/// wait for ever, where a disk fills up under it [bytes].
inline constexpr std::size_t kGathered = std::size_t{1} << 30;

/// Writes a file under a temporary name, and gives it its name when it is whole and on the disk.
/// @param head its texts are those of rank 0. @param common columns that are the same on all ranks: those of
/// rank 0 are written. @param own of this rank; all ranks have the same columns. Collective. @throws RunError
/// on all ranks (file and reason); an earlier file of the name is then as it was. @param gathered largest
/// file that one rank makes; all of them write a larger one together.
void write_file(const std::filesystem::path& file, Head head, const std::vector<Column>& common,
                const std::vector<Column>& own, MPI_Comm comm, std::size_t gathered = kGathered);

/// @returns the head. @throws UnreadableFile.
Head read_head(const std::filesystem::path& file);

/// @returns the columns that are the same on all ranks. @throws UnreadableFile.
std::vector<Column> read_common(const std::filesystem::path& file);

/// @returns the columns of one of the ranks that wrote the file. @param wanted of a name: whether its column
/// is read; empty: all are. @throws UnreadableFile.
std::vector<Column> read_own(const std::filesystem::path& file, int rank,
                             const std::function<bool(const std::string&)>& wanted = {});

/// @returns a number that files with other bytes do not share, in 16 hexadecimal digits (FNV-1a).
std::string hash_of(const std::string& bytes);

}  // namespace scree::checkpoint

/// States in checkpoint files, as they are read: from files to bodies.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "io/checkpoint/hdf5_file.hpp"
#include "solvers/model.hpp"
#include "solvers/world/state.hpp"

namespace scree::checkpoint {

struct NumberedPath {
  long number = 0;
  std::filesystem::path path;
};

/// @returns the checkpoint files in a folder, newest first.
std::vector<NumberedPath> files_in(const std::filesystem::path& folder);

/// What the numbers in a state stand for, so that another deck can take bodies over.
struct StateNames {
  std::vector<std::string> shapes, materials;
  std::vector<std::string> boundaries;   ///< per part: several walls may belong to one boundary
  std::map<BodyId, std::string> bodies;  ///< those that have a name

  StateNames() = default;
  explicit StateNames(const Model& model);

  template <class Self, class Archive>
  static void visit(Self& self, Archive& archive) {
    archive("shapes", self.shapes, "");
    archive("materials", self.materials, "");
    archive("boundaries", self.boundaries, "");
    archive("bodies", self.bodies, "");
  }
};

/// A checkpoint in memory.
struct SavedRun {
  std::filesystem::path file;
  Head head;
  std::vector<Column> common;
  BodiesState bodies;         ///< of this rank, ascending IDs
  bool redistribute = false;  ///< the run had another number of ranks
};

/// Reads one file. @param rank, ranks of the run that is continued. @throws UnreadableFile.
SavedRun read(const std::filesystem::path& file, int rank, int ranks);

/// @returns the names in a file. @throws UnreadableFile.
StateNames names_of(const SavedRun& run);

/// @returns bodies of several ranks as one state, ascending IDs; contacts that several of them know, once.
BodiesState merged(std::vector<BodiesState> parts);

/// @returns what a results folder has: a line per checkpoint.
std::string describe_folder(const std::filesystem::path& folder);

}  // namespace scree::checkpoint

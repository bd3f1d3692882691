/// States in checkpoint files, as they are read: from files to bodies.
#pragma once

#include <array>
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

/// A coupled boundary: its mesh, which may be another one than that of the deck, and the forces that the
/// partner has got.
struct CoupledMesh {
  int boundary = 0;                           ///< index into Model::boundaries
  std::vector<Vec3> reference;                ///< vertices at rest [m]
  std::vector<std::array<int, 3>> triangles;  ///< their vertices
  std::vector<Vec3> forces;                   ///< of the last coupled step, per vertex [N]; empty: no partner

  template <class Self, class Archive>
  static void visit(Self& self, Archive& archive) {
    archive("boundary", self.boundary, "");
    archive("reference", self.reference, "m");
    archive("triangles", self.triangles, "");
    archive("force", self.forces, "N");
  }
};

/// The coupled boundaries of a run, in the order of the deck.
struct CoupledMeshes {
  std::vector<CoupledMesh> surfaces;

  CoupledMeshes() = default;
  explicit CoupledMeshes(const Model& model);  ///< without forces

  template <class Self, class Archive>
  static void visit(Self& self, Archive& archive) {
    archive("surfaces", self.surfaces, "");
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

/// @returns whether a file has the meshes of coupled boundaries: a run without such boundaries has none, nor
/// have files of versions that did not write them.
bool has_coupled_meshes(const SavedRun& run);

/// @returns the meshes in a file; none without any. @throws UnreadableFile.
CoupledMeshes coupled_meshes_of(const SavedRun& run);

/// @returns bodies of several ranks as one state, ascending IDs; contacts that several of them know, once.
BodiesState merged(std::vector<BodiesState> parts);

/// For a folder without checkpoints. @throws InputError: no results of a run, or of one that wrote none.
[[noreturn]] void refuse_without_checkpoint(const std::filesystem::path& folder);

/// @returns what a results folder has: a line per checkpoint. Files that a run removes meanwhile are left
/// out. @throws InputError (folder, reason) if no checkpoint can be read.
std::string describe_folder(const std::filesystem::path& folder);

}  // namespace scree::checkpoint

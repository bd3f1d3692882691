/// What the bodies and boundaries of a deck are. A snapshot brings their states, not them: both have to be of
/// the same bodies and boundaries.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/body.hpp"
#include "solvers/model.hpp"

namespace scree {

/// A boundary of a deck: all but its material, its motion and when it acts.
struct BoundaryOfDeck {
  struct Wall {
    std::int64_t kind = 0;  ///< ShapeKind
    std::int64_t open = 0;  ///< 1: a surface with two sides
    double radius = 0;      ///< of a round wall, or of the disc that closes a drum [m]
    std::size_t mesh = 0;   ///< hash of vertices and faces; 0 without any
    Vec3 point = Vec3::Zero(), normal = Vec3::Zero();  ///< where the deck has it [m]; BoundaryPart
  };
  std::string name;
  bool coupled = false;
  std::vector<Wall> walls;

  template <class Self, class Archive>
  static void visit(Self& self, Archive& archive) {
    archive("name", self.name, "");
    archive("coupled", self.coupled, "");
    archive("walls", self.walls, "");
  }
};

struct BodiesOfDeck {
  std::size_t count = 0;
  std::size_t names = 0, shapes = 0, masses = 0, supports = 0;  ///< hashes
  std::size_t deck = 0;  ///< hash of its text and of when a run ends: what is not of bodies may differ
  std::vector<BoundaryOfDeck> boundaries;

  BodiesOfDeck() = default;
  explicit BodiesOfDeck(const Model& model);

  /// @returns what this deck has instead of the other, in words; "" if nothing differs.
  [[nodiscard]] std::string difference_from(const BodiesOfDeck& other) const;
  /// @throws std::invalid_argument, on the other ranks RunError, if a snapshot was saved with other bodies on
  /// any rank. Collective.
  void require_same(const BodiesOfDeck& saved_in, MPI_Comm comm) const;
  /// The same for boundaries: names, types, shapes, and places. Where this deck has a wall elsewhere, it has
  /// to have it at `time` [s] where the state has it; vertices of coupled boundaries are not compared. Moving
  /// walls go to where another deck has them then. @param model of this deck. @param walls of the state, one
  /// per part. @returns for each part whether it went. @throws as require_same; walls are then as before.
  /// Collective.
  std::vector<char> take_boundaries(const BodiesOfDeck& saved_in, const Model& model, double time,
                                    std::vector<BodyState>& walls, MPI_Comm comm) const;

  template <class Self, class Archive>
  static void visit(Self& self, Archive& archive) {
    archive("count", self.count, "");
    archive("names", self.names, "");
    archive("shapes", self.shapes, "");
    archive("masses", self.masses, "");
    archive("supports", self.supports, "");
    archive("deck", self.deck, "");
    archive("boundaries", self.boundaries, "");
  }
};

}  // namespace scree

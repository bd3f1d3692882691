/// What the bodies of a deck are. A snapshot brings their states, not them: both have to be of the same
/// bodies.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <string>

#include "solvers/model.hpp"

namespace scree {

struct BodiesOfDeck {
  std::size_t count = 0;
  std::size_t names = 0, shapes = 0, masses = 0, supports = 0;  ///< hashes
  std::size_t deck = 0;  ///< hash of its text and of when a run ends: what is not of bodies may differ

  BodiesOfDeck() = default;
  explicit BodiesOfDeck(const Model& model);

  /// @returns what this deck has instead of the other, in words; "" if nothing differs.
  [[nodiscard]] std::string difference_from(const BodiesOfDeck& other) const;
  /// @throws std::invalid_argument, on the other ranks RunError, if a snapshot was saved with other bodies on
  /// any rank. Collective.
  void require_same(const BodiesOfDeck& saved_in, MPI_Comm comm) const;
};

}  // namespace scree

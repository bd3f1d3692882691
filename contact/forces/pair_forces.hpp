/// All forces of this rank between pairs of bodies beside contact: bonds and near-field forces.
#pragma once

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "contact/forces/bonds.hpp"
#include "contact/forces/near_field.hpp"

namespace scree::contact {

/// Sums over the pairs that this rank counts (each pair is counted on one rank).
struct PairForceTotals {
  double bond_energy = 0, near_field_energy = 0;  ///< [J]
  long bonds = 0;                                 ///< that live
};

class PairForces {
 public:
  /// @param shapes outlive this object.
  PairForces(const std::vector<Shape>& shapes, std::optional<BondParameters> bonds,
             const std::vector<NearFieldParameters>& near_fields);

  /// Whether there is nothing to do.
  [[nodiscard]] bool empty() const { return !bonds_.wanted() && near_fields_.empty(); }

  /// How far the bounding spheres of bodies that act on each other may lie apart, at the accepted state, when
  /// bodies travel by up to `travel` [m]: what ghosts have to reach.
  [[nodiscard]] double reach(const Bodies& bodies, double travel) const;
  /// Bonds all spheres that are near enough at the accepted state. Once, with all ghosts in reach().
  void make_bonds(const Bodies& bodies) { bonds_.make(bodies); }
  /// Lists anew after bodies came, went or moved. @param travel how far each may move before the next [m].
  void search(const Bodies& bodies, double travel);

  /// Couplings that the tangent needs. @param[out] couplings appended (row, col).
  void couplings(std::vector<LocalSystem::Coupling>& couplings) const;
  /// After LocalSystem::set_couplings: finds each pair's blocks.
  void locate_blocks(const Bodies& bodies, const LocalSystem& system);

  /// Adds the forces to the residual, those of the trial state, of the accepted one or of the step. @throws
  /// RecoverableError if two poles coincide.
  void residual(const Bodies& bodies, Configuration where, LocalSystem& system);
  /// Evaluates the near-field forces alone, for those who solve for contact forces otherwise.
  void evaluate_near_fields(const Bodies& bodies, Configuration where);
  /// The near-field part of `residual` alone: with the loads it balances contact and bonds.
  void near_field_residual(const Bodies& bodies, Configuration where, LocalSystem& system);
  /// Marks the rows of bodies on which a moved body acts. @param moved per body; @param[in,out] rows per
  /// owned body.
  void mark_rows(const Bodies& bodies, const std::vector<char>& moved, std::vector<char>& rows) const;
  /// Tangent at the state of the last `residual`, which must not have been at the accepted one, in the rows
  /// that are assembled. Blocks must have been located since the last search (std::logic_error).
  void tangent(LocalSystem& system) const;
  /// Accepts the trial state. @param breaks lets bonds break. @returns this rank's losses.
  BondLosses commit(const Bodies& bodies, bool breaks);

  /// Limit of the next step from the accepted state [s], at the last evaluation; trial state must be the
  /// accepted one. @param all pairs that are not being moved limit the step too.
  [[nodiscard]] double oscillation_limit(const Bodies& bodies, double eta, bool all) const;
  /// Largest force at the last evaluation on this rank [N].
  [[nodiscard]] double largest_force() const;
  /// The same per local body. @param[in,out] largest raised where it is less.
  void raise_largest(std::vector<double>& largest) const;
  [[nodiscard]] PairForceTotals totals(const Bodies& bodies) const;
  [[nodiscard]] bool breakable() const { return bonds_.breakable(); }
  /// Bonds::largest_load of this rank.
  [[nodiscard]] double largest_bond_load(const Bodies& bodies) const { return bonds_.largest_load(bodies); }
  /// Living bonds of which this rank owns a body, sorted by ids, with their forces at the last evaluation.
  [[nodiscard]] const std::vector<CentralPair>& bonds() const { return bonds_.pairs(); }

  [[nodiscard]] const std::vector<NearField>& near_fields() const { return near_fields_; }

  /// Bonds of this rank or of one body; taken over, before the next `search`; forgotten, before all are taken
  /// over.
  [[nodiscard]] std::vector<BondMemory> memory(std::optional<BodyId> body = {}) const {
    return bonds_.memory(body);
  }
  void remember(const std::vector<BondMemory>& memory) { bonds_.remember(memory); }
  void forget() { bonds_.forget(); }
  void restore(const std::vector<BondMemory>& memory) { bonds_.restore(memory); }

 private:
  const std::vector<Shape>* shapes_;
  Bonds bonds_;
  std::vector<NearField> near_fields_;
  bool located_ = false;  ///< blocks are those of the pairs
};

}  // namespace scree::contact

#include "contact/forces/pair_forces.hpp"

#include <algorithm>
#include <stdexcept>

namespace scree::contact {

PairForces::PairForces(const std::vector<Shape>& shapes, std::optional<BondParameters> bonds,
                       const std::vector<NearFieldParameters>& near_fields)
    : shapes_(&shapes), bonds_(shapes, bonds) {
  for (const NearFieldParameters& parameters : near_fields) near_fields_.emplace_back(parameters);
}

double PairForces::reach(const Bodies& bodies, double travel) const {
  double reach = bonds_.reach(bodies);
  for (const NearField& field : near_fields_) reach = std::max(reach, field.reach(travel));
  return reach;
}

void PairForces::search(const Bodies& bodies, double travel) {
  bonds_.locate(bodies);
  for (NearField& field : near_fields_) field.search(bodies, *shapes_, travel);
  located_ = false;
}

void PairForces::couplings(std::vector<LocalSystem::Coupling>& couplings) const {
  append_couplings(bonds_.pairs(), couplings);
  for (const NearField& field : near_fields_) append_couplings(field.pairs(), couplings);
}

void PairForces::locate_blocks(const Bodies& bodies, const LocalSystem& system) {
  contact::locate_blocks(bonds_.pairs(), bodies, system);
  for (NearField& field : near_fields_) contact::locate_blocks(field.pairs(), bodies, system);
  located_ = true;
}

void PairForces::residual(const Bodies& bodies, Configuration where, LocalSystem& system) {
  bonds_.evaluate(bodies, where);
  add_residual(bonds_.pairs(), bodies, system);
  near_field_residual(bodies, where, system);
}

void PairForces::evaluate_near_fields(const Bodies& bodies, Configuration where) {
  for (NearField& field : near_fields_) field.evaluate(bodies, where);
}

void PairForces::near_field_residual(const Bodies& bodies, Configuration where, LocalSystem& system) {
  evaluate_near_fields(bodies, where);
  for (const NearField& field : near_fields_) add_residual(field.pairs(), bodies, system);
}

void PairForces::mark_rows(const Bodies& bodies, const std::vector<char>& moved,
                           std::vector<char>& rows) const {
  contact::mark_rows(bonds_.pairs(), bodies, moved, rows);
  for (const NearField& field : near_fields_) contact::mark_rows(field.pairs(), bodies, moved, rows);
}

void PairForces::tangent(LocalSystem& system) const {
  if (empty()) return;
  if (!located_) throw std::logic_error("PairForces: no blocks for the pairs of the last search");
  add_tangent(bonds_.pairs(), system);
  for (const NearField& field : near_fields_) add_tangent(field.pairs(), system);
}

BondLosses PairForces::commit(const Bodies& bodies, bool breaks) {
  evaluate_near_fields(bodies, Configuration::trial);
  return bonds_.commit(bodies, breaks);
}

double PairForces::oscillation_limit(const Bodies& bodies, double eta, bool all) const {
  double limit = contact::oscillation_limit(bonds_.pairs(), bodies, eta, all);
  for (const NearField& field : near_fields_)
    limit = std::min(limit, contact::oscillation_limit(field.pairs(), bodies, eta, all));
  return limit;
}

double PairForces::largest_force() const {
  double largest = contact::largest_force(bonds_.pairs());
  for (const NearField& field : near_fields_)
    largest = std::max(largest, contact::largest_force(field.pairs()));
  return largest;
}

void PairForces::raise_largest(std::vector<double>& largest) const {
  contact::raise_largest(bonds_.pairs(), largest);
  for (const NearField& field : near_fields_) contact::raise_largest(field.pairs(), largest);
}

PairForceTotals PairForces::totals(const Bodies& bodies) const {
  PairForceTotals totals;
  totals.bond_energy = counted_energy(bonds_.pairs(), bodies);
  for (const NearField& field : near_fields_)
    totals.near_field_energy += counted_energy(field.pairs(), bodies);
  totals.bonds = std::count_if(bonds_.pairs().begin(), bonds_.pairs().end(),
                               [&](const CentralPair& pair) { return bodies.is_owned(pair.a); });
  return totals;
}

}  // namespace scree::contact

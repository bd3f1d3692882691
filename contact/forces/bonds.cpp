#include "contact/forces/bonds.hpp"

#include <algorithm>
#include <stdexcept>

#include "contact/forces/central_step.hpp"
#include "contact/search/broad_phase.hpp"

namespace scree::contact {
namespace {

/// Force on A at the last evaluation [N].
Vec3 on_a(const CentralPair& bond) { return -bond.force.slope * bond.dir; }

}  // namespace

CentralForce bond_force(const BondParameters& parameters, double rest, double distance, double change) {
  const double elongation = distance - rest;
  return {0.5 * parameters.stiffness * elongation * elongation,
          parameters.stiffness * (elongation - 0.5 * change), parameters.stiffness};
}

double Bonds::reach(const Bodies& bodies) const {
  double reach = 0;
  if (!wanted()) return reach;
  if (made_) {
    for (const CentralPair& pair : pairs_)
      reach = std::max(reach, separation(pair, bodies, Configuration::accepted).norm() - pair.rest);
  } else {
    for (int i = 0; i < bodies.moving(); ++i)
      reach = std::max(reach, 2 * parameters_->within * radius(bodies, i));
  }
  return reach;
}

void Bonds::make(const Bodies& bodies) {
  if (!wanted()) return;
  for (const auto& [a, b, image] : near_bodies(bodies, *shapes_, reach(bodies))) {
    const auto is_sphere = [&](int i) {
      return !bodies.is_boundary(i) && (*shapes_)[bodies.properties[i].shape].kind == ShapeKind::sphere;
    };
    if (!is_sphere(a) || !is_sphere(b)) continue;
    CentralPair pair;
    pair.a = a;
    pair.b = b;
    pair.image = image;
    pair.id_a = bodies.properties[a].id;
    pair.id_b = bodies.properties[b].id;
    pair.rest = radius(bodies, a) + radius(bodies, b);
    const double distance = separation(pair, bodies, Configuration::accepted).norm();
    if (distance < (1 + parameters_->within) * pair.rest) pairs_.push_back(pair);
  }
  made_ = true;
}

void Bonds::locate(const Bodies& bodies) {
  std::sort(pairs_.begin(), pairs_.end(), ids_before);
  const auto same = [](const CentralPair& p, const CentralPair& q) {
    return !ids_before(p, q) && !ids_before(q, p);  // came with one body and was here for the other
  };
  pairs_.erase(std::unique(pairs_.begin(), pairs_.end(), same), pairs_.end());
  const auto of_others = [&](const CentralPair& pair) {
    return !(pair.a >= 0 && bodies.is_owned(pair.a)) && !(pair.b >= 0 && bodies.is_owned(pair.b));
  };
  for (CentralPair& pair : pairs_) {
    pair.a = bodies.find(pair.id_a);
    pair.b = bodies.find(pair.id_b);
    pair.coupling_ab = pair.coupling_ba = -1;
  }
  std::erase_if(pairs_, of_others);
  for (CentralPair& pair : pairs_) {
    if (pair.a < 0 || pair.b < 0)
      throw std::logic_error("Bonds: a bonded body is missing in the ghost layer");
    pair.rest = radius(bodies, pair.a) + radius(bodies, pair.b);
  }
}

void Bonds::evaluate(const Bodies& bodies, Configuration where) {
  where_ = where;
  for (CentralPair& pair : pairs_) {
    measure(pair, bodies, where);
    pair.force = bond_force(*parameters_, pair.rest, pair.distance, pair.change);
    if (!pair.stepped) pair.on_a = on_a(pair);
    if (where != Configuration::step) continue;
    pair.force.curvature *= 0.5;
    leave_out_buckling(pair, bodies);
  }
}

BondLosses Bonds::commit(const Bodies& bodies, bool breaks_now) {
  BondLosses losses;
  const auto keep = [&] {
    for (CentralPair& pair : pairs_) pair.on_a = on_a(pair);
  };
  for (CentralPair& pair : pairs_) pair.stepped = true;
  const bool is_mean = where_ == Configuration::step;
  if (is_mean) keep();
  evaluate(bodies, Configuration::trial);
  if (!is_mean) keep();
  if (!breaks_now || !breakable()) return losses;
  const auto breaks = [&](const CentralPair& pair) { return pair.force.slope > parameters_->break_force; };
  for (const CentralPair& pair : pairs_) {
    if (!breaks(pair) || !bodies.is_owned(pair.a)) continue;
    ++losses.broken;
    losses.energy += pair.force.energy;
  }
  std::erase_if(pairs_, breaks);
  return losses;
}

double Bonds::largest_load(const Bodies& bodies) const {
  double largest = 0;
  if (!breakable()) return largest;
  for (const CentralPair& pair : pairs_) {
    const double elongation = separation(pair, bodies, Configuration::trial).norm() - pair.rest;
    largest = std::max(largest, parameters_->stiffness * elongation / parameters_->break_force);
  }
  return largest;
}

std::vector<BondMemory> Bonds::memory(std::optional<BodyId> body) const {
  std::vector<BondMemory> memory;
  for (const CentralPair& pair : pairs_) {
    if (!body || pair.id_a == *body || pair.id_b == *body)
      memory.push_back({pair.id_a, pair.id_b, pair.image, pair.on_a});
  }
  return memory;
}

void Bonds::remember(const std::vector<BondMemory>& memory) {
  for (const BondMemory& bond : memory) {
    CentralPair& pair = pairs_.emplace_back();
    pair.id_a = bond.id_a;
    pair.id_b = bond.id_b;
    pair.image = bond.image;
    pair.on_a = bond.on_a;
    pair.stepped = true;
  }
}

}  // namespace scree::contact

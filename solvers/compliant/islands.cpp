#include "solvers/compliant/islands.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "contact/contacts.hpp"
#include "contact/forces/pair_forces.hpp"
#include "core/disjoint_sets.hpp"
#include "solvers/compliant/body_stops.hpp"

namespace scree {

void Islands::find() {
  const Bodies& bodies = world_->bodies();
  const auto moving = static_cast<std::size_t>(bodies.moving());
  DisjointSets sets;
  sets.reset(moving);
  const auto connect = [&](int a, int b) {
    if (!all_fixed(bodies.properties[a].fixed) && !all_fixed(bodies.properties[b].fixed)) sets.join(a, b);
  };
  const contact::Contacts& contacts = world_->contacts();
  for (const contact::AwakePair& awake : contacts.list().awake()) {
    if (contacts.results().found[awake.pair].acting && !bodies.is_boundary(awake.b))
      connect(awake.a, awake.b);
  }
  std::vector<LocalSystem::Coupling> others;
  world_->pair_forces().couplings(others);
  for (const LocalSystem::Coupling& pair : others) connect(pair.row, pair.col);

  // A root is the least of its island: it has a number before the others need it.
  island_.resize(moving);
  count_ = 0;
  for (std::size_t i = 0; i < moving; ++i) {
    const int of = sets.root_of(static_cast<int>(i));
    island_[i] = of == static_cast<int>(i) ? count_++ : island_[of];
  }
}

void Islands::spread_largest(std::vector<double>& values) const {
  const auto owned = static_cast<std::size_t>(world_->bodies().owned);
  std::vector<double> largest;
  for (bool changed = true; changed;) {
    give_to_ghosts(*world_, values);
    largest.assign(static_cast<std::size_t>(count_), -std::numeric_limits<double>::infinity());
    for (std::size_t i = 0; i < island_.size(); ++i)
      largest[island_[i]] = std::max(largest[island_[i]], values[i]);
    changed = false;
    for (std::size_t i = 0; i < island_.size(); ++i) {
      if (i < owned && values[i] < largest[island_[i]]) changed = true;
      values[i] = largest[island_[i]];
    }
    // What changed here, islands on other ranks have to know.
    changed = world_->on_any_rank(changed);
  }
}

std::vector<double> Islands::weights(std::vector<double> unbalanced, std::vector<double> sizes) const {
  spread_largest(unbalanced);
  spread_largest(sizes);
  // Powers of two round nothing. The least is far from what reciprocals lose.
  constexpr double kLeastSize = 1e-200;
  for (std::size_t i = 0; i < sizes.size(); ++i)
    sizes[i] = unbalanced[i] > 0 ? std::exp2(-std::ilogb(std::max(sizes[i], kLeastSize))) : 0.0;
  return sizes;
}

}  // namespace scree

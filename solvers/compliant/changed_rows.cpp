#include "solvers/compliant/changed_rows.hpp"

#include "contact/forces/contact_forces.hpp"

#include <algorithm>
#include <limits>

namespace scree {
namespace {

constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();

/// Whether the unknowns of the body that begin at `at` are others; NaN, where nothing was evaluated yet, is.
bool differs(const std::vector<double>& now, const std::vector<double>& then, int at) {
  return !std::equal(&now[at], &now[at] + kBodyUnknowns, &then[at]);
}

}  // namespace

void ChangedRows::reset(std::size_t unknowns, int bodies) {
  evaluated_.assign(unknowns, kNothing);
  assembled_.assign(unknowns, kNothing);
  moved_.assign(static_cast<std::size_t>(bodies), 1);
  stale_.clear();
}

void ChangedRows::compare(const std::vector<double>& increment, const Bodies& bodies,
                          const LocalSystem& rows) {
  for (int i = 0; i < bodies.moving(); ++i)
    moved_[i] = differs(increment, evaluated_, rows.offset[i]) ? 1 : 0;
}

void ChangedRows::hold_boundaries(const Bodies& bodies) {
  std::fill(moved_.begin() + bodies.moving(), moved_.end(), char{0});
}

void ChangedRows::failed() { evaluated_.assign(evaluated_.size(), kNothing); }

void ChangedRows::choose(const std::vector<double>& increment, bool whole, World& world) {
  // A row depends on its own body, on those that it is in contact with, and on those that act on it
  // otherwise.
  const Bodies& bodies = world.bodies();
  LocalSystem& rows = world.rows();
  moved_since_tangent_.resize(static_cast<std::size_t>(bodies.moving()));
  for (int i = 0; i < bodies.moving(); ++i)
    moved_since_tangent_[i] = differs(increment, assembled_, rows.offset[i]) ? 1 : 0;
  if (stale_.empty()) whole = true;  // the first tangent of a step
  stale_.resize(static_cast<std::size_t>(bodies.owned));
  // Where bodies are in balance, rows stay: Newton's residual after an update d is K' d^2 / 2, and what an
  // old row makes of the next update s is K' d s, twice this or less, as updates do not grow.
  std::vector<char>& chosen = rows.assembling;
  for (int i = 0; i < bodies.owned; ++i) {
    if (whole || moved_since_tangent_[i] != 0) stale_[i] = 1;
    if (whole) chosen[i] = 1;
  }
  world.contacts().forces().mark_rows(bodies, moved_since_tangent_, stale_, chosen);
  world.pair_forces().mark_rows(bodies, moved_since_tangent_, stale_);
  for (int i = 0; i < bodies.owned; ++i) {
    if (stale_[i] == 0) chosen[i] = 0;
    if (chosen[i] != 0) stale_[i] = 0;
  }
  assembled_ = increment;
}

}  // namespace scree

#include "contact/forces/rigid_forces.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "contact/pair/folded_contacts.hpp"
#include "contact/pair/pair_terms.hpp"
#include "contact/pair/rigid_contacts.hpp"
#include "contact/search/candidates.hpp"
#include "core/infinity.hpp"

namespace scree::contact {
namespace {

/// Normal force of the last step.
double remembered(const BodyPair& pair, std::uint64_t key) {
  for (const HistoryEntry& entry : pair.history) {
    if (entry.key == key) return entry.normal_n;
  }
  return 0;
}

/// Whether the round bodies about two bodies are further apart than `reach`.
bool are_apart(const BodyView& a, const BodyView& b, double reach) {
  if (is_wall(*b.shape)) {
    if (b.shape->kind != ShapeKind::plane) return false;
    const Vec3 n = b.trial->R * b.shape->faces[0].normal;
    return n.dot(a.trial->x - b.trial->x) - a.shape->bounding_radius > reach;
  }
  const double limit = a.shape->bounding_radius + b.shape->bounding_radius + reach;
  return (a.trial->x - b.trial->x).squaredNorm() > limit * limit;
}

}  // namespace

void RigidForces::find_of(BodyPair& pair, const Bodies& bodies, double reach, double h) const {
  const BodyView a = geometry_->view(bodies, pair.a);
  const BodyView b = geometry_->view_of_b(bodies, pair);
  pair.terms.clear();
  pair.active.clear();
  pair.nearest = kInfinity;
  if (!pair.acts || are_apart(a, b, reach)) return;
  if (!has_manifold(a, b)) gaps_->cover(pair, bodies, std::max(reach, depth_seen(a, b)));
  find_rigid_contacts(pair, a, b, reach, h);
}

double RigidForces::find(const Bodies& bodies, double reach, double h, std::vector<RigidContact>& contacts) {
  contacts.clear();
  geometry_->update(bodies);
  std::vector<BodyPair>& pairs = list_->pairs();
  double nearest = kInfinity;
  for (std::size_t p = 0; p < pairs.size(); ++p) {
    BodyPair& pair = pairs[p];
    results_->wrenches[p] = {};
    find_of(pair, bodies, reach, h);
    nearest = std::min(nearest, pair.nearest);
    if (!counted(bodies, pair)) continue;
    for (std::size_t k = 0; k < pair.active.size(); ++k) {
      const Term& term = pair.terms[pair.active[k].first];
      contacts.push_back({static_cast<int>(p), static_cast<int>(k),
                          contact_point(term, geometry_->view(bodies, pair.a).shape->radius,
                                        geometry_->view(bodies, pair.b).shape->radius),
                          remembered(pair, pair.active[k].key)});
    }
  }
  return nearest;
}

double RigidForces::smallest_gap(const Bodies& bodies, double reach) {
  geometry_->update(bodies);
  double nearest = kInfinity;
  for (BodyPair& pair : list_->pairs()) {
    // Also where no force came of it: what turns can come nearer than its gap at the start allowed for.
    if (pair.terms.empty() && !(pair.nearest <= reach)) continue;
    // The contacts themselves stay those that the step was solved with.
    std::swap(pair.terms, kept_terms_);
    std::swap(pair.active, kept_active_);
    find_of(pair, bodies, 0);
    nearest = std::min(nearest, pair.nearest);
    std::swap(pair.terms, kept_terms_);
    std::swap(pair.active, kept_active_);
  }
  return nearest;
}

void RigidForces::set(const Bodies& bodies, const std::vector<RigidContact>& contacts,
                      const std::vector<RigidForce>& forces) {
  std::vector<BodyPair>& pairs = list_->pairs();
  results_->largest_force = 0;
  history_before_.resize(pairs.size());
  for (std::size_t p = 0; p < pairs.size(); ++p) {
    pairs[p].history.swap(history_before_[p]);
    pairs[p].history.clear();
  }
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    BodyPair& pair = pairs[contacts[i].pair];
    Active& contact = pair.active[contacts[i].at];
    const RigidForce& force = forces[i];
    contact.normal = contact.pressing = force.normal;
    contact.first_found = force.first_found;
    contact.friction = -force.friction;
    contact.normal_positive = force.normal > 0;
    if (!contact.normal_positive) continue;
    results_->largest_force = std::max(results_->largest_force, force.normal);
    HistoryEntry entry;
    entry.key = contact.key;
    entry.normal_n = force.normal;
    entry.friction_n = contact.friction;
    pair.history.push_back(entry);
    const Vec3 on_a = force.normal * pair.terms[contact.first].n + force.friction;
    PairWrench& wrench = results_->wrenches[contacts[i].pair];  // residual: the negative acts on A
    wrench.force -= on_a;
    wrench.moment -= (contacts[i].point - bodies.trial[pair.a].x).cross(on_a);
  }
  for (BodyPair& pair : pairs) std::erase_if(pair.active, [](const Active& c) { return !c.normal_positive; });
}

void RigidForces::undo() {
  std::vector<BodyPair>& pairs = list_->pairs();
  for (std::size_t p = 0; p < pairs.size(); ++p) pairs[p].history.swap(history_before_[p]);
}

}  // namespace scree::contact

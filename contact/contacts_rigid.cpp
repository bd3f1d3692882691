/// Contacts of contact dynamics: found at the start of a step, given forces at its end.
#include <algorithm>
#include <limits>

#include "contact/contacts.hpp"
#include "contact/pair/folded_contacts.hpp"
#include "contact/pair/pair_terms.hpp"
#include "contact/pair/rigid_contacts.hpp"
#include "contact/search/candidates.hpp"

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

void Contacts::find_rigid_of(BodyPair& pair, const Bodies& bodies, double reach) {
  const BodyView a = view(bodies, pair.a);
  const BodyView b = view_of_b(bodies, pair);
  pair.terms.clear();
  pair.active.clear();
  pair.nearest = std::numeric_limits<double>::infinity();
  if (!pair.acts || are_apart(a, b, reach)) return;
  if (!has_manifold(a, b)) cover(pair, bodies, std::max(reach, depth_seen(a, b)));
  find_rigid_contacts(pair, a, b, reach);
}

double Contacts::find_rigid(const Bodies& bodies, double reach, std::vector<RigidContact>& contacts) {
  contacts.clear();
  update_vertices(bodies);
  double nearest = std::numeric_limits<double>::infinity();
  for (std::size_t p = 0; p < pairs_.size(); ++p) {
    BodyPair& pair = pairs_[p];
    wrenches_[p] = {};
    find_rigid_of(pair, bodies, reach);
    nearest = std::min(nearest, pair.nearest);
    if (!counted(bodies, pair)) continue;
    for (std::size_t k = 0; k < pair.active.size(); ++k) {
      const Term& term = pair.terms[pair.active[k].first];
      contacts.push_back(
          {static_cast<int>(p), static_cast<int>(k),
           contact_point(term, view(bodies, pair.a).shape->radius, view(bodies, pair.b).shape->radius),
           remembered(pair, pair.active[k].key)});
    }
  }
  return nearest;
}

double Contacts::rigid_gap(const Bodies& bodies, double reach) {
  update_vertices(bodies);
  double nearest = std::numeric_limits<double>::infinity();
  for (BodyPair& pair : pairs_) {
    // Also where no force came of it: what turns can come nearer than its gap at the start allowed for.
    if (pair.terms.empty() && !(pair.nearest <= reach)) continue;
    // The contacts themselves stay those that the step was solved with.
    std::swap(pair.terms, kept_terms_);
    std::swap(pair.active, kept_active_);
    find_rigid_of(pair, bodies, 0);
    nearest = std::min(nearest, pair.nearest);
    std::swap(pair.terms, kept_terms_);
    std::swap(pair.active, kept_active_);
  }
  return nearest;
}

void Contacts::set_rigid_forces(const Bodies& bodies, const std::vector<RigidContact>& contacts,
                                const std::vector<RigidForce>& forces) {
  largest_force_ = 0;
  history_before_.resize(pairs_.size());
  for (std::size_t p = 0; p < pairs_.size(); ++p) {
    pairs_[p].history.swap(history_before_[p]);
    pairs_[p].history.clear();
  }
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    BodyPair& pair = pairs_[contacts[i].pair];
    Active& contact = pair.active[contacts[i].at];
    const RigidForce& force = forces[i];
    contact.normal = contact.pressing = force.normal;
    contact.first_found = force.first_found;
    contact.friction = -force.friction;
    contact.normal_positive = force.normal > 0;
    if (!contact.normal_positive) continue;
    largest_force_ = std::max(largest_force_, force.normal);
    HistoryEntry entry;
    entry.key = contact.key;
    entry.normal_n = force.normal;
    entry.friction_n = contact.friction;
    pair.history.push_back(entry);
    const Vec3 on_a = force.normal * pair.terms[contact.first].n + force.friction;
    PairWrench& wrench = wrenches_[contacts[i].pair];  // residual: the negative acts on A
    wrench.force -= on_a;
    wrench.moment -= (contacts[i].point - bodies.trial[pair.a].x).cross(on_a);
  }
  for (BodyPair& pair : pairs_)
    std::erase_if(pair.active, [](const Active& c) { return !c.normal_positive; });
}

void Contacts::undo_rigid_forces() {
  for (std::size_t p = 0; p < pairs_.size(); ++p) pairs_[p].history.swap(history_before_[p]);
}

}  // namespace scree::contact

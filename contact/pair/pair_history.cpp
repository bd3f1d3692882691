#include "contact/pair/pair_history.hpp"

#include <algorithm>

#include "contact/geometry/tangent_plane.hpp"
#include "contact/pair/pair_friction.hpp"

namespace scree::contact {
namespace {

/// Contacts further apart than this many scales of the law do not succeed each other.
constexpr double kNeighbourhood = 5.0;
/// Contacts that are so near to each other, in scales of the law, are at one place.
constexpr double kOnePlace = 1e-6;
/// Part of the normal force at its place below which a contact leaves no memory.
constexpr double kShadow = 1e-6;
/// Cosine between normals of contacts that may succeed each other.
constexpr double kAlike = 0.8;

/// Index of the nearest entry of the step start; -1 without one in the neighbourhood.
int find_donor(const BodyPair& pair, const HistoryEntry& entry, const InterfaceLaw& law) {
  double nearest = kNeighbourhood * law.normal.scale();
  int donor = -1;
  for (std::size_t i = 0; i < pair.history.size(); ++i) {
    const HistoryEntry& other = pair.history[i];
    if (other.fresh || other.n.dot(entry.n) < kAlike) continue;
    const double distance = (other.arm_a - entry.arm_a).norm();
    if (distance < nearest) {
      nearest = distance;
      donor = static_cast<int>(i);
    }
  }
  return donor;
}

/// Index of the entry with the key of a contact; -1: none.
int find_entry(const BodyPair& pair, const Active& contact) {
  // Contacts come in the order of the last step, as their history does: the next one is found at once.
  const std::size_t known = pair.history.size();
  std::size_t i = pair.active.empty() ? 0 : static_cast<std::size_t>(pair.active.back().history + 1);
  for (std::size_t k = 0; k < known; ++k, ++i) {
    if (i >= known) i = 0;
    if (pair.history[i].key == contact.key) return static_cast<int>(i);
  }
  return -1;
}

}  // namespace

int find_history(const BodyPair& pair, const Active& contact) {
  const int found = find_entry(pair, contact);
  return found >= 0 && !pair.history[static_cast<std::size_t>(found)].fresh ? found : -1;
}

int find_or_create_history(BodyPair& pair, const Active& contact, const BodyView& a, const BodyView& b,
                           const InterfaceLaw& law) {
  const int found = find_entry(pair, contact);
  if (found >= 0) return found;
  const Term& main = pair.terms[contact.first];
  HistoryEntry entry;
  entry.key = contact.key;
  entry.fresh = true;
  // Where it was at the step start, frozen (theory 09 section 6.3): no iterate leaves a trace.
  const StartOfContact start = start_of_contact(pair, main, a, b);
  entry.gap_n = start.gap;
  entry.approach = std::max(start.gap - law.normal.onset(), 0.0);
  entry.n = start.n;
  entry.arm_a = start.point - (a.trial->x - a.trial->u);
  entry.arm_b = start.point - (b.trial->x - b.trial->u);
  entry.donor = find_donor(pair, entry, law);
  if (entry.donor >= 0) {
    const HistoryEntry& donor = pair.history[entry.donor];
    entry.approach = 0;  // it succeeds another one
    entry.slip = project(donor.slip, entry.n);
    entry.sliding = donor.sliding;
    entry.stiffness_n = donor.stiffness_n;
    entry.roll = project(donor.roll, entry.n);
    entry.rolling = donor.rolling;
  }
  pair.history.push_back(entry);
  return static_cast<int>(pair.history.size()) - 1;
}

double forget_shadowed(BodyPair& pair, const InterfaceLaw& law) {
  double largest = 0;
  for (const HistoryEntry& entry : pair.history)
    if (entry.acts) largest = std::max(largest, entry.normal_n);
  const double near = kOnePlace * law.normal.scale();
  double energy = 0;
  for (HistoryEntry& entry : pair.history) {
    if (!entry.acts || !(entry.normal_n < kShadow * largest)) continue;
    if (std::none_of(pair.history.begin(), pair.history.end(), [&](const HistoryEntry& other) {
          return other.acts && entry.normal_n < kShadow * other.normal_n && other.n.dot(entry.n) >= kAlike &&
                 (other.arm_a - entry.arm_a).norm() <= near;
        }))
      continue;
    energy += stored_energy(entry, law);
    entry.acts = false;
  }
  return energy;
}

void share_springs(BodyPair& pair) {
  const auto succeeds = [&](const Active& contact) {
    return contact.history >= 0 && pair.history[contact.history].donor >= 0;
  };
  if (std::none_of(pair.active.begin(), pair.active.end(), succeeds)) return;
  for (HistoryEntry& entry : pair.history) entry.family = 0;
  for (const Active& contact : pair.active) {
    if (contact.history >= 0) pair.history[family_of(pair, contact)].family += contact.normal;
  }
  for (Active& contact : pair.active) {
    if (contact.history < 0) continue;
    const double all = pair.history[family_of(pair, contact)].family;
    contact.share = all > 0 ? contact.normal / all : 0.0;
  }
}

}  // namespace scree::contact

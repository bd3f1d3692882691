#include "contact/secant/spring_source.hpp"

namespace scree::contact {

const HistoryEntry* source_of(const BodyPair& pair, const Active& contact) {
  const HistoryEntry& own = pair.history[static_cast<std::size_t>(contact.history)];
  if (!own.fresh) return &own;
  if (own.donor < 0) return nullptr;
  for (const Active& other : pair.active) {
    if (other.history == own.donor) return nullptr;
    if (&other == &contact) continue;
    // Of several the first has all.
    if (other.history >= 0 && &other < &contact &&
        pair.history[static_cast<std::size_t>(other.history)].fresh &&
        pair.history[static_cast<std::size_t>(other.history)].donor == own.donor)
      return nullptr;
  }
  return &pair.history[static_cast<std::size_t>(own.donor)];
}

}  // namespace scree::contact

/// Contact history: migration with bodies between ranks, and storage.
#include "contact/contacts.hpp"

namespace scree::contact {

std::vector<PairMemory> Contacts::memory(std::optional<BodyId> body) const {
  std::vector<PairMemory> memory;
  for (const BodyPair& pair : pairs_) {
    if ((body && pair.id_a != *body && pair.id_b != *body) || pair.history.empty()) continue;
    memory.push_back({pair.id_a, pair.id_b, pair.image, pair.history, pair.stored_n});
  }
  return memory;
}

void Contacts::forget() {
  pairs_.clear();
  incoming_.clear();
  awake_.clear();
  wrenches_.clear();
  found_.clear();
  stale_ = true;
}

void Contacts::remember(const std::vector<PairMemory>& memory) {
  for (const PairMemory& of : memory) {
    BodyPair& pair = incoming_.emplace_back();
    pair.id_a = of.id_a;
    pair.id_b = of.id_b;
    pair.image = of.image;
    pair.history = of.entries;
    pair.stored_n = of.stored;
  }
}

}  // namespace scree::contact

/// What contacts remember, as it travels with bodies between ranks.
#include <cstring>

#include "contact/contacts.hpp"

namespace scree::contact {
namespace {

template <class T>
void put(std::vector<std::byte>& blob, const T& value) {
  const auto* bytes = reinterpret_cast<const std::byte*>(&value);
  blob.insert(blob.end(), bytes, bytes + sizeof(T));
}

template <class T>
T take(const std::vector<std::byte>& blob, std::size_t& at) {
  T value;
  std::memcpy(static_cast<void*>(&value), blob.data() + at, sizeof(T));
  at += sizeof(T);
  return value;
}

}  // namespace

std::vector<std::byte> Contacts::pack(BodyId body) const {
  std::vector<std::byte> blob;
  for (const BodyPair& pair : pairs_) {
    if ((pair.id_a != body && pair.id_b != body) || pair.history.empty()) continue;
    put(blob, pair.id_a);
    put(blob, pair.id_b);
    put(blob, pair.image);
    put(blob, pair.history.size());
    for (const HistoryEntry& entry : pair.history) put(blob, entry);
  }
  return blob;
}

void Contacts::forget() {
  pairs_.clear();
  incoming_.clear();
  awake_.clear();
  wrenches_.clear();
  found_.clear();
  stale_ = true;
}

void Contacts::unpack(const std::vector<std::byte>& blob) {
  std::size_t at = 0;
  while (at < blob.size()) {
    BodyPair pair;
    pair.id_a = take<BodyId>(blob, at);
    pair.id_b = take<BodyId>(blob, at);
    pair.image = take<CellNumber>(blob, at);
    const auto entries = take<std::size_t>(blob, at);
    for (std::size_t k = 0; k < entries; ++k) pair.history.push_back(take<HistoryEntry>(blob, at));
    incoming_.push_back(std::move(pair));
  }
}

}  // namespace scree::contact

#include "solvers/contact_dynamics/body_wrenches.hpp"

#include <cstring>
#include <utility>

namespace scree::contact_dynamics {
namespace {

constexpr std::size_t kBytes = sizeof(double) * 6;

}  // namespace

BodyWrenches::BodyWrenches(World& world)
    : world_(&world),
      luggage_(world, {[this](BodyId id) { return pack(id); },
                       [this](BodyId id, const std::vector<std::byte>& bytes) { unpack(id, bytes); }}) {}

void BodyWrenches::set(const std::vector<Vec6>& of_owned) {
  std::swap(now_, before_);
  const auto put = [&] {
    for (std::size_t i = 0; i < of_owned.size(); ++i) now_[world_->bodies().properties[i].id] = of_owned[i];
  };
  put();  // in the memory of two steps ago
  if (now_.size() == of_owned.size()) return;
  now_.clear();  // of bodies that have left since
  put();
}

std::vector<Vec6> BodyWrenches::of_owned() const {
  const Bodies& bodies = world_->bodies();
  std::vector<Vec6> all(static_cast<std::size_t>(bodies.owned), Vec6::Zero());
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto known = now_.find(bodies.properties[i].id);
    if (known != now_.end()) all[i] = known->second;
  }
  return all;
}

std::vector<std::byte> BodyWrenches::pack(BodyId id) {
  std::vector<std::byte> bytes(2 * kBytes);  // zeros
  const auto take = [&](std::unordered_map<BodyId, Vec6>& of, std::size_t at) {
    const auto known = of.find(id);
    if (known == of.end()) return;
    std::memcpy(bytes.data() + at, known->second.data(), kBytes);
    of.erase(known);
  };
  take(now_, 0);
  take(before_, kBytes);
  return bytes;
}

void BodyWrenches::unpack(BodyId id, const std::vector<std::byte>& bytes) {
  if (bytes.size() != 2 * kBytes) return;  // from a rank that had no owner of wrenches yet
  std::memcpy(now_[id].data(), bytes.data(), kBytes);
  std::memcpy(before_[id].data(), bytes.data() + kBytes, kBytes);
}

}  // namespace scree::contact_dynamics

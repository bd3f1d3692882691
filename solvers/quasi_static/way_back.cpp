#include "solvers/quasi_static/way_back.hpp"

#include <algorithm>
#include <utility>

#include "contact/neighbours/pair_gaps.hpp"
#include "core/archive.hpp"

namespace scree {

WayBack::WayBack(World& world)
    : world_(&world),
      luggage_(world, {[this](BodyId id) { return pack(id); },
                       [this](BodyId id, const std::vector<std::byte>& bytes) { unpack(id, bytes); }}) {}

void WayBack::keep() {
  const Bodies& bodies = world_->bodies();
  kept_ = Kept{{}, {}, {}, world_->ghost_reach(travel())};
  for (int i = 0; i < bodies.owned; ++i) kept_->start[bodies.properties[i].id].state = bodies.state[i];
  // Not body by body, each of which would look through all pairs.
  const PairMemories all = world_->memory();
  const auto give = [&](const auto& memory, auto PairMemories::*part) {
    for (const auto& pair : memory) {
      for (const BodyId id : {pair.id_a, pair.id_b}) {
        const auto body = kept_->start.find(id);
        if (body != kept_->start.end()) (body->second.memory.*part).push_back(pair);
      }
    }
  };
  give(all.contacts, &PairMemories::contacts);
  give(all.bonds, &PairMemories::bonds);
  kept_->boundaries.assign(bodies.state.end() - bodies.boundaries, bodies.state.end());
  kept_->surfaces = world_->surfaces().states();
}

void WayBack::restore() {
  Bodies& bodies = world_->bodies();
  world_->forget_memory();
  for (int i = 0; i < bodies.owned; ++i) {
    const StartOfBody& start = kept_->start.at(bodies.properties[i].id);
    bodies.state[i] = start.state;
    world_->remember(start.memory);
  }
  std::copy(kept_->boundaries.begin(), kept_->boundaries.end(), bodies.state.end() - bodies.boundaries);
  world_->restore_surfaces(kept_->surfaces);
  const double reach = kept_->reach;
  kept_.reset();
  world_->find_neighbours(travel(), reach);
  world_->contacts().gaps().update(bodies);
}

std::vector<std::byte> WayBack::pack(BodyId id) {
  if (!kept_) return {};
  return to_bytes(std::move(kept_->start.extract(id).mapped()));
}

void WayBack::unpack(BodyId id, const std::vector<std::byte>& bytes) {
  if (kept_) kept_->start[id] = from_bytes<StartOfBody>(bytes);
}

double WayBack::moved(int body) const {
  const Bodies& bodies = world_->bodies();
  const BodyState& start = kept_->start.at(bodies.properties[body].id).state;
  return (bodies.unwrapped(bodies.state[body]) - bodies.unwrapped(start)).norm();
}

double WayBack::largest_moved() const {
  double largest = 0;
  for (int i = 0; i < world_->bodies().owned; ++i) largest = std::max(largest, moved(i));
  return world_->max_over_ranks(largest);
}

}  // namespace scree

/// What travels with bodies that change their rank, for as long as its owner lives.
#pragma once

#include <utility>

#include "solvers/world/world.hpp"

namespace scree {

class LuggageScope {
 public:
  /// @param world outlives this object; it has no other migration payload.
  LuggageScope(World& world, BodyLuggage luggage) : world_(&world) { world.set_luggage(std::move(luggage)); }
  ~LuggageScope() { world_->set_luggage({}); }
  LuggageScope(const LuggageScope&) = delete;
  LuggageScope& operator=(const LuggageScope&) = delete;
  LuggageScope(LuggageScope&&) = delete;
  LuggageScope& operator=(LuggageScope&&) = delete;

 private:
  World* world_;
};

}  // namespace scree

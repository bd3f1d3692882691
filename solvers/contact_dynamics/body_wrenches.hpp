/// Forces of the last step on bodies, which go with them to other ranks (contact dynamics).
#pragma once

#include <cstddef>
#include <unordered_map>
#include <vector>

#include "solvers/world/luggage_scope.hpp"
#include "solvers/world/world.hpp"

namespace scree::contact_dynamics {

class BodyWrenches {
 public:
  /// @param world outlives this object; it has no other migration payload.
  explicit BodyWrenches(World& world);

  /// Those of a new step [N], [N m]; the ones before are kept for `undo`. @param of_owned per owned body.
  void set(const std::vector<Vec6>& of_owned);
  void undo() { now_ = before_; }
  /// @returns per owned body; zero for what came after the last step.
  [[nodiscard]] std::vector<Vec6> of_owned() const;

 private:
  std::vector<std::byte> pack(BodyId id);
  void unpack(BodyId id, const std::vector<std::byte>& bytes);

  World* world_;
  LuggageScope luggage_;
  std::unordered_map<BodyId, Vec6> now_, before_;
};

}  // namespace scree::contact_dynamics

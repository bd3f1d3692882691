/// The state at the start of a load step, to which a load step that is rejected returns.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <vector>

#include "contact/neighbours/contact_model.hpp"
#include "solvers/world/luggage_scope.hpp"
#include "solvers/world/world.hpp"

namespace scree {

/// Keeps states and contact history of the owned bodies. They travel with bodies that change their rank.
class WayBack {
 public:
  /// @param world outlives this object; it has no other migration payload.
  explicit WayBack(World& world);

  /// Keeps the accepted state. Collective.
  void keep();
  /// Forgets it.
  void drop() { kept_.reset(); }
  /// Restores the state that was kept, on any rank that its bodies may have come to since, with the contact
  /// history, and rebuilds the lists. Forgets it. Collective.
  void restore();

  /// @returns the displacement of an owned body since `keep` [m].
  [[nodiscard]] double moved(int body) const;
  /// @returns the largest one of all bodies [m]. Collective.
  [[nodiscard]] double largest_moved() const;

 private:
  struct StartOfBody {
    BodyState state;
    PairMemories memory;

    template <class Self, class Archive>
    static void visit(Self& self, Archive& archive) {
      archive("state", self.state, "");
      archive("memory", self.memory, "");
    }
  };
  struct Kept {
    std::map<BodyId, StartOfBody> start;  ///< of the owned bodies
    std::vector<BodyState> boundaries;
    std::vector<SurfaceState> surfaces;
    double reach = 0;  ///< that ghosts need there [m]
  };

  [[nodiscard]] std::vector<std::byte> pack(BodyId id);
  void unpack(BodyId id, const std::vector<std::byte>& bytes);
  /// What lists cover after `restore` [m].
  [[nodiscard]] double travel() const { return 5 * world_->contacts().model().scale(); }

  World* world_;
  LuggageScope luggage_;
  std::optional<Kept> kept_;
};

}  // namespace scree

/// What outputs show of the step that led to the accepted state: the forces that acted in it. A state that
/// was restored no longer has them.
#pragma once

#include <vector>

#include "core/types.hpp"
#include "solvers/observer.hpp"

namespace scree {

class Procedure;
class World;

struct ShownStep {
  bool known = false;                                  ///< what is archived: it goes with a saved state
  double unbalanced_force = 0, unbalanced_moment = 0;  ///< RunReport::unbalanced_force and _moment
  RestReport rest;
  bool is_rigid = false;
  RigidFigures figures;

  bool has_forces = false;  ///< what follows, which stays in memory
  std::vector<Wrench> body, boundary;
  std::vector<BodyId> of;  ///< whose wrenches `body` has: those that this rank owned
  std::vector<ContactRecord> contacts;

  /// Keeps the forces of the accepted state before they are evaluated anew, if they are not kept.
  /// @param with_intervals of normal forces, as far as the deck requests them. Collective.
  void keep_forces(Procedure& procedure, bool with_intervals);
  /// Keeps their sums alone, which go with the lists. Collective.
  void keep_wrenches(const Procedure& procedure);
  /// Bodies have come or gone: forces are still those of the step before. @param before with its sums.
  void take_forces(const ShownStep& before, const World& world);

  template <class Self, class Archive>
  static void visit(Self& self, Archive& archive) {
    archive("known", self.known, "");
    archive("unbalanced_force", self.unbalanced_force, "");
    archive("unbalanced_moment", self.unbalanced_moment, "");
    archive("rest", self.rest, "");
    archive("is_rigid", self.is_rigid, "");
    archive("figures", self.figures, "");
  }
};

}  // namespace scree

/// What outlives a step of the bodies on one rank, and nothing else: all that follows from it is in World.
#pragma once

#include <optional>
#include <vector>

#include "contact/forces/bonds.hpp"
#include "contact/pair/pair.hpp"
#include "core/archive.hpp"
#include "core/body.hpp"
#include "solvers/world/surface_motion.hpp"

namespace scree {

/// History of contacts and bonds: those of one body, or of all bodies of a rank.
struct PairMemories {
  std::vector<contact::PairMemory> contacts;
  std::vector<contact::BondMemory> bonds;
  /// Of bodies of another run: it has made its bonds, all of which may have broken. Part of no state.
  bool bonded = false;

  template <class Self, class Archive>
  static void visit(Self& self, Archive& archive) {
    archive("contacts", self.contacts, "");
    archive("bonds", self.bonds, "");
  }
};

/// State of the bodies, boundaries and contacts of one rank.
struct BodiesState {
  std::vector<BodyProperties> properties;  ///< of the owned bodies, ascending id
  std::vector<BodyState> bodies;           ///< the same
  std::vector<BodyState> boundaries;       ///< per boundary part
  std::vector<char> active;                ///< per boundary part: it acts
  std::vector<SurfaceState> surfaces;      ///< per coupled boundary, whole on every rank
  PairMemories memory;
  std::vector<Vec6>
      rigid_wrenches;        ///< contact dynamics: force and moment by contact per owned body [N], [N m]
  bool bonds_broke = false;  ///< in the last step, on any rank
  bool uneven = false;       ///< bodies entered or left since they were last shared among ranks
  double travel = 0;         ///< lists made from this state cover such a displacement of each body [m]
  double reach = 0;          ///< ... and need ghosts as far away [m]; the same on all ranks

  template <class Self, class Archive>
  static void visit(Self& self, Archive& archive) {
    archive("properties", self.properties, "");
    archive("bodies", self.bodies, "");
    archive("boundaries", self.boundaries, "");
    archive("active", self.active, "");
    archive("surfaces", self.surfaces, "");
    archive("memory", self.memory, "");
    archive("rigid_wrenches", self.rigid_wrenches, "");
    archive("bonds_broke", self.bonds_broke, "");
    archive("uneven", self.uneven, "");
    archive("travel", self.travel, "m");
    archive("reach", self.reach, "m");
  }
};

}  // namespace scree

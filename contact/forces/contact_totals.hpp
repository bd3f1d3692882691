/// Sums over contacts.
#pragma once

#include "core/body.hpp"

namespace scree::contact {

/// Sums over the contacts that this rank counts (each contact is counted on one rank).
struct ContactTotals {
  double normal_energy = 0, friction_energy = 0;  ///< [J]
  long contacts = 0;
  double min_gap = 0;        ///< +inf without contacts [m]
  double largest_force = 0;  ///< net compression of a point contact [N]
  double overlap_part = 0;   ///< largest overlap of a soft law over the smaller bounding radius of its bodies
  double gap_part = 0;       ///< smallest gap of a barrier over its activation distance; +inf without
  /// Of pairs whose law only repels and that store less than nothing: they attract each other [J]. And of the
  /// worst, its energy and A.
  double attraction = 0, worst_attraction = 0;
  BodyId attracted = -1;

  template <class Self, class Archive>
  static void visit(Self& self, Archive& archive) {
    archive("normal_energy", self.normal_energy, "J");
    archive("friction_energy", self.friction_energy, "J");
    archive("contacts", self.contacts, "");
    archive("min_gap", self.min_gap, "m");
    archive("largest_force", self.largest_force, "N");
    archive("overlap_part", self.overlap_part, "");
    archive("gap_part", self.gap_part, "");
    archive("attraction", self.attraction, "J");
    archive("worst_attraction", self.worst_attraction, "J");
    archive("attracted", self.attracted, "");
  }
};

}  // namespace scree::contact

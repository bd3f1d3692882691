/// Which bodies a material has, and which of them can interact.
#pragma once

#include <map>
#include <vector>

#include "io/build/builder_parts.hpp"

namespace scree::builder {

/// Number of bodies, and of those that can move: fixed bodies interact with these only.
struct Count {
  int all = 0, free = 0;
  void add(bool is_free) {
    ++all;
    if (is_free) ++free;
  }
};

/// @returns whether one of these bodies can interact with one of those.
inline bool can_meet(const Count& these, const Count& those) {
  return these.all > 0 && those.all > 0 && these.free + those.free > 0;
}
/// @returns whether two of these bodies can interact.
inline bool can_meet(const Count& these) { return these.all > 1 && these.free > 0; }

/// Bodies of a material, in total and by shape.
struct Members {
  Count bodies;
  std::map<int, Count> shapes;
  void add(int shape, bool is_free) {
    bodies.add(is_free);
    shapes[shape].add(is_free);
  }
};

/// @returns the members of every material.
inline std::vector<Members> members_of(const Build& build) {
  std::vector<Members> members(build.model.materials.size());
  for (const auto& body : build.model.bodies) {
    if (body.material < 0 || body.shape < 0) continue;
    members[body.material].add(body.shape, !is_fixed(body));
  }
  for (const InletDescription& inlet : build.model.inlets) {
    for (const InletDescription::Entry& entry : inlet.entries) {
      members[inlet.material].add(entry.shape, true);
    }
  }
  return members;
}

}  // namespace scree::builder

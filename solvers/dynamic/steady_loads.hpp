/// What accelerates bodies throughout a step, beside their impacts: weight, dead loads and near-field forces.
#pragma once

#include <vector>

#include "contact/forces/contact_impacts.hpp"
#include "solvers/world/world.hpp"

namespace scree {

class SteadyLoads {
 public:
  /// For a step. @param time within it [s]. Collective.
  void begin(const World& world, double time);

  /// Acceleration with which weight, dead loads and near-field forces alone would open a contact, as far as
  /// no other contact holds its bodies up [m/s^2]. @param mobility per moving body: inverse of its inertia.
  /// Contacts of a pair should come one after the other: what they have in common is kept.
  [[nodiscard]] double opening(const contact::Impact& contact, const std::vector<Mat6>& mobility);

 private:
  const World* world_ = nullptr;
  std::vector<Vec3> acceleration_;  ///< per moving body, of these [m/s^2]
  int pair_ = -1;                   ///< of the last contact
  Vec3 held_ = Vec3::Zero();        ///< by it: force on A in the step before [N]
};

}  // namespace scree

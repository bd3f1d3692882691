/// Bodies that overlap at the start: what a run must not begin with.
#pragma once

#include <optional>
#include <vector>

#include "contact/forces/rigid_forces.hpp"
#include "contact/neighbours/contact_model.hpp"
#include "contact/neighbours/pair_list.hpp"
#include "contact/neighbours/trial_geometry.hpp"
#include "core/body.hpp"

namespace scree::contact {

struct OverlappingPair {
  int a = 0, b = 0;           ///< local indices
  double depth = 0;           ///< [m]; for overlap-based laws that of the skeletons, without rounding
  bool barrier = true;        ///< the pair's law is a barrier
  bool rigid = false;         ///< the pair's law is that of rigid contact
  bool through_face = false;  ///< of the periodic cell
  /// The law has a force however deep, but A's centre of mass is behind the plane or outside of the hollow.
  bool behind = false;
};

class OverlapCheck {
 public:
  OverlapCheck(const ContactModel& model, TrialGeometry& geometry, PairList& list, const RigidForces& rigid)
      : model_(&model), geometry_(&geometry), list_(&list), rigid_(&rigid) {}

  /// First pair that overlaps at the accepted state, or one of which is wholly inside of the other, in a way
  /// that its law has no force for: overlap or touch under a barrier law, overlap deeper than the rounding
  /// under the others. Nothing without one, or if this rank was interrupted.
  /// @param boundaries of these alone if it is not null: whether each part counts.
  std::optional<OverlappingPair> find(const Bodies& bodies, const std::vector<char>* boundaries = nullptr);

 private:
  const ContactModel* model_;
  TrialGeometry* geometry_;
  PairList* list_;
  const RigidForces* rigid_;
};

}  // namespace scree::contact

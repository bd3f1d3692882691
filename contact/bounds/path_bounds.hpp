/// The part of a path on which no body goes through another one (theory 03 section 6).
#pragma once

#include "contact/bounds/paths.hpp"
#include "contact/neighbours/contact_model.hpp"
#include "contact/neighbours/pair_list.hpp"
#include "contact/neighbours/trial_geometry.hpp"
#include "contact/neighbours/waking.hpp"
#include "core/body.hpp"

namespace scree::contact {

class PathBounds {
 public:
  PathBounds(const ContactModel& model, TrialGeometry& geometry, PairList& list, Waking& waking)
      : model_(&model), geometry_(&geometry), list_(&list), waking_(&waking) {}

  /// Largest part of a path along which no gap closes by more than nine tenths, for overlap-based laws no
  /// distance of the skeletons that the rounding is about (cheap filter, then additive conservative
  /// advancement on the candidates of a pair). Starts at the last evaluated trial state.
  ClearPart clip(const Bodies& bodies, const Path& path, PathPairs which = PathPairs::all);

 private:
  /// BodyMotion::in_step on a path from the trial state.
  [[nodiscard]] double motion_along(const Bodies& bodies, const Path& path) const;
  /// Bound on how fast the distances of a pair change along a path of unit length [m].
  [[nodiscard]] double closing_speed(int ia, int ib, const Bodies& bodies, const Path& path) const;
  /// Clear part of a path for one pair, whose distances change by less than `speed` [m] along it.
  ClearPart advance(BodyPair& pair, const Bodies& bodies, const Path& path, double speed) const;
  /// The same beside a boundary whose vertices move. @param speed with the whole of their motion [m].
  ClearPart advance_beside(BodyPair& pair, const Bodies& bodies, const Path& path, double speed) const;

  const ContactModel* model_;
  TrialGeometry* geometry_;
  PairList* list_;
  Waking* waking_;
};

}  // namespace scree::contact

/// Which pairs a step looks at: those that may come within the reach of their law.
#pragma once

#include "contact/neighbours/contact_model.hpp"
#include "contact/neighbours/pair_curvature.hpp"
#include "contact/neighbours/pair_gaps.hpp"
#include "contact/neighbours/pair_list.hpp"
#include "contact/neighbours/pair_results.hpp"
#include "contact/neighbours/trial_geometry.hpp"
#include "core/body.hpp"

namespace scree::contact {

class Waking {
 public:
  Waking(const ContactModel& model, TrialGeometry& geometry, const PairCurvature& curvature, PairList& list,
         const PairGaps& gaps, PairResults& results)
      : model_(&model),
        geometry_(&geometry),
        curvature_(&curvature),
        list_(&list),
        gaps_(&gaps),
        results_(&results) {}

  /// Chooses the pairs that the coming step looks at: those that may come within the threshold when bodies
  /// move by up to `travel` each, rotation included [m]. A step that moves further wakes the others. Gaps
  /// must be current.
  void wake(const Bodies& bodies, double travel);
  /// Wakes the others in the middle of a step if a body moves by more than they may sleep for [m].
  void wake_beyond(const Bodies& bodies, double travel) {
    if (travel > list_->awake_travel()) wake_all(bodies);
  }

 private:
  void wake_all(const Bodies& bodies);

  const ContactModel* model_;
  TrialGeometry* geometry_;
  const PairCurvature* curvature_;
  PairList* list_;
  const PairGaps* gaps_;
  PairResults* results_;
};

}  // namespace scree::contact

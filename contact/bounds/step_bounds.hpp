/// Limits of the next step that gaps and contacts set (theory 09 section 4).
#pragma once

#include "contact/bounds/step_limits.hpp"
#include "contact/neighbours/contact_model.hpp"
#include "contact/neighbours/pair_curvature.hpp"
#include "contact/neighbours/pair_gaps.hpp"
#include "contact/neighbours/pair_list.hpp"
#include "contact/neighbours/trial_geometry.hpp"
#include "core/body.hpp"

namespace scree::contact {

class StepBounds {
 public:
  StepBounds(const ContactModel& model, TrialGeometry& geometry, const PairCurvature& curvature,
             PairList& list, const PairGaps& gaps)
      : model_(&model), geometry_(&geometry), curvature_(&curvature), list_(&list), gaps_(&gaps) {}

  /// Limits of the next step from the accepted state; trial state must be the accepted one.
  /// @param longest step that is asked about [s]: what would allow a longer one is not looked at.
  /// @param explicit_forces the integrator takes elastic forces from the accepted state: contacts that are
  /// not being moved limit the step too.
  [[nodiscard]] StepLimits limits(const Bodies& bodies, double eta, double longest,
                                  bool explicit_forces = false);
  /// Limits by motion alone, for integrators that are safe at any stiffness: what closes, slides and turns in
  /// a step, as parts of the size of bodies times `eta`. Otherwise as `limits`.
  [[nodiscard]] StepLimits motion_limits(const Bodies& bodies, double eta, double longest);

 private:
  const ContactModel* model_;
  TrialGeometry* geometry_;
  const PairCurvature* curvature_;
  PairList* list_;
  const PairGaps* gaps_;
};

}  // namespace scree::contact

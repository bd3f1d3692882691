/// How near the bodies of a pair are, and candidates of their features that cover it.
#pragma once

#include "contact/neighbours/contact_model.hpp"
#include "contact/neighbours/pair_curvature.hpp"
#include "contact/neighbours/pair_list.hpp"
#include "contact/neighbours/trial_geometry.hpp"
#include "contact/pair/pair.hpp"
#include "core/body.hpp"

namespace scree::contact {

class PairGaps {
 public:
  PairGaps(const ContactModel& model, TrialGeometry& geometry, const PairCurvature& curvature, PairList& list)
      : model_(&model), geometry_(&geometry), curvature_(&curvature), list_(&list) {}

  /// Candidates and gaps of all pairs at the trial state, without forces: after a search or a step that
  /// failed.
  void update(const Bodies& bodies);
  /// The same of one pair. The geometry must be up to date.
  void measure(BodyPair& pair, const Bodies& bodies) const;
  /// The same if the pair has slept since it was measured.
  void measure_sleeper(BodyPair& pair, const Bodies& bodies) const {
    if (has_slept(pair)) measure(pair, bodies);
  }
  /// Rebuilds the candidates of a pair if it moved too far for gaps up to `reach` [m], and sets pair.covered.
  void cover(BodyPair& pair, const Bodies& bodies, double reach) const;
  /// The same where gaps below `reach` at the start of the step count as well as those at the trial state.
  void cover_step(BodyPair& pair, const Bodies& bodies, double reach) const;

  /// Gap of a pair that may have slept since it was measured: not smaller than this [m].
  [[nodiscard]] double least(const BodyPair& pair) const {
    return pair.nearest - 2 * (travel_sum_ - pair.measured_at);
  }
  [[nodiscard]] bool has_slept(const BodyPair& pair) const { return pair.measured_at < travel_sum_; }

  /// A step is accepted in which bodies moved by up to so much [m].
  void add_travel(double travel) { travel_sum_ += travel; }
  /// The last evaluation of a pair is that of the accepted state.
  void mark_measured(BodyPair& pair) const { pair.measured_at = travel_sum_; }

 private:
  const ContactModel* model_;
  TrialGeometry* geometry_;
  const PairCurvature* curvature_;
  PairList* list_;
  double travel_sum_ = 0;  ///< largest motion of a body, summed over accepted steps [m]
};

}  // namespace scree::contact

/// Forces of all contacts of this rank in a step: residual, tangent, and what is kept when it is accepted.
#pragma once

#include <vector>

#include "contact/neighbours/body_motion.hpp"
#include "contact/neighbours/contact_model.hpp"
#include "contact/neighbours/pair_curvature.hpp"
#include "contact/neighbours/pair_gaps.hpp"
#include "contact/neighbours/pair_list.hpp"
#include "contact/neighbours/pair_results.hpp"
#include "contact/neighbours/trial_geometry.hpp"
#include "contact/neighbours/waking.hpp"
#include "contact/pair/pair_commit.hpp"
#include "contact/pair/pair_evaluate.hpp"
#include "core/body.hpp"
#include "core/local_system.hpp"

namespace scree::contact {

class ContactForces {
 public:
  ContactForces(const ContactModel& model, TrialGeometry& geometry, const BodyMotion& motion,
                const PairCurvature& curvature, PairList& list, PairGaps& gaps, Waking& waking,
                PairResults& results)
      : model_(&model),
        geometry_(&geometry),
        motion_(&motion),
        curvature_(&curvature),
        list_(&list),
        gaps_(&gaps),
        waking_(&waking),
        results_(&results) {}

  /// The forces are those of this step from now on. The state that is committed must have been evaluated
  /// last in a step that is neither frozen nor at rest.
  void begin_step(const StepContext& step);
  [[nodiscard]] const StepContext& step() const { return step_; }
  /// Contact forces at the trial state, added to the residual in virtual spins. Rebuilds candidate lists
  /// where motion demands it. @param moved per body: its trial state is not that of the last evaluation. A
  /// pair of which no body moved keeps its forces. @throws RecoverableError if a gap has closed.
  void residual(const Bodies& bodies, const std::vector<char>& moved, LocalSystem& system);
  /// Newton's method starts on a step: until `end_solve`, `tangent` is called at accepted iterates only, and
  /// sliding forces enter it by their primal-dual form (slip_tangent.hpp).
  void begin_solve();
  void end_solve() { solving_ = false; }
  /// Tangent at the state of the last `residual`, of the rows that are assembled. Outside of a solve it is
  /// the derivative.
  void tangent(const Bodies& bodies, LocalSystem& system);
  /// Marks the rows whose contact tangent is not that of the last `tangent`: those of moved bodies and of
  /// their partners. @param moved per moving body: since the last tangent. @param[in,out] rows per owned
  /// body; changed: those with a contact that was made or lost since then.
  void mark_rows(const Bodies& bodies, const std::vector<char>& moved, std::vector<char>& rows,
                 std::vector<char>& changed) const;
  /// @returns per local body the largest net compression of a contact on it in the last evaluation, of those
  /// of this rank [N].
  [[nodiscard]] std::vector<double> largest_on_bodies(const Bodies& bodies) const;
  /// @param values per local body. @returns per local body the largest among its own and those of the bodies
  /// with which it had a force in the last evaluation, of contacts of this rank.
  [[nodiscard]] std::vector<double> largest_of_touching(const std::vector<double>& values) const;
  /// Accepts the last evaluated state. @returns what this rank's contacts dissipated (counted once) [J].
  StepLosses commit(const Bodies& bodies);
  /// What the last evaluation found is what contacts stored at the accepted state: to be called when that has
  /// been evaluated other than by a step.
  void keep_stored();
  void roll_back();

 private:
  void evaluate_pair(const AwakePair& awake, const Bodies& bodies);

  const ContactModel* model_;
  TrialGeometry* geometry_;
  const BodyMotion* motion_;
  const PairCurvature* curvature_;
  PairList* list_;
  PairGaps* gaps_;
  Waking* waking_;
  PairResults* results_;
  StepContext step_;
  long solve_ = 0;  ///< number of the last solve: what pairs keep of another one is void
  bool solving_ = false;
};

}  // namespace scree::contact

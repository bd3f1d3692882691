/// Contacts of contact dynamics: found at the start of a step, given forces at its end.
#pragma once

#include <vector>

#include "contact/neighbours/contact_model.hpp"
#include "contact/neighbours/pair_gaps.hpp"
#include "contact/neighbours/pair_list.hpp"
#include "contact/neighbours/pair_results.hpp"
#include "contact/neighbours/trial_geometry.hpp"
#include "contact/pair/pair.hpp"
#include "core/body.hpp"

namespace scree::contact {

/// A place where bodies may touch in the step to come.
struct RigidContact {
  int pair = 0, at = 0;       ///< indices into PairList::pairs() and its `active`
  Vec3 point = Vec3::Zero();  ///< on the line of action, halfway between the surfaces [m]
  double force = 0;           ///< normal force in the last step, 0 if it is new [N]
};

/// What contact dynamics found for a contact. Forces on A [N].
struct RigidForce {
  double normal = 0;       ///< along the normal
  double first_found = 0;  ///< the same, of the LCP
  Vec3 friction = Vec3::Zero();
};

class RigidForces {
 public:
  RigidForces(const ContactModel& model, TrialGeometry& geometry, PairList& list, const PairGaps& gaps,
              PairResults& results)
      : model_(&model), geometry_(&geometry), list_(&list), gaps_(&gaps), results_(&results) {}

  /// Finds the contacts of all pairs with a gap below `reach` [m] at the accepted state; pairs hold them,
  /// without forces. @param h size of the step that they are for [s]. @param[out] contacts those that this
  /// rank counts. @returns smallest gap of all pairs of this rank [m], +infinity without any. @throws
  /// RecoverableError on an overlap without a distance.
  double find(const Bodies& bodies, double reach, double h, std::vector<RigidContact>& contacts);
  /// Contacts of one pair with gaps below `reach` [m]. The geometry must be up to date.
  void find_of(BodyPair& pair, const Bodies& bodies, double reach, double h = 0) const;
  /// Smallest gap of the pairs that `find` looked at, at the accepted state [m]. Keeps what it found.
  /// @param reach as in `find`: pairs that were further apart, and had no contact, are left out.
  [[nodiscard]] double smallest_gap(const Bodies& bodies, double reach);
  /// Puts forces to the contacts of the last `find`: for outputs, and as the start of the next step.
  /// Contacts without force are dropped. @param forces as many and in the same order.
  void set(const Bodies& bodies, const std::vector<RigidContact>& contacts,
           const std::vector<RigidForce>& forces);
  /// Takes the last `set` back, as far as the next step starts from it. No search may have come between.
  void undo();

 private:
  const ContactModel* model_;
  TrialGeometry* geometry_;
  PairList* list_;
  const PairGaps* gaps_;
  PairResults* results_;
  std::vector<std::vector<HistoryEntry>> history_before_;  ///< per pair: see `undo`
  std::vector<Term> kept_terms_;                           ///< scratch of `smallest_gap`
  std::vector<Active> kept_active_;
};

}  // namespace scree::contact

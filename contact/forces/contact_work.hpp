/// What contacts store, and what they take out of the bodies' motion, by the forces that an integrator
/// balanced.
#pragma once

#include <vector>

#include "contact/forces/contact_forces.hpp"
#include "contact/forces/contact_totals.hpp"
#include "contact/neighbours/contact_model.hpp"
#include "contact/neighbours/pair_list.hpp"
#include "contact/neighbours/pair_results.hpp"
#include "contact/neighbours/trial_geometry.hpp"
#include "core/body.hpp"

namespace scree::contact {

/// Of the contacts of this rank (counted once), at the state of the last evaluation.
class ContactWork {
 public:
  ContactWork(const ContactModel& model, const TrialGeometry& geometry, const PairList& list,
              const PairResults& results, const ContactForces& forces)
      : model_(&model), geometry_(&geometry), list_(&list), results_(&results), forces_(&forces) {}

  [[nodiscard]] ContactTotals totals(const Bodies& bodies) const;
  /// Energy in the springs of friction and rolling at the last commit [J].
  [[nodiscard]] double remembered_energy(const Bodies& bodies) const;
  /// Work of the dashpots, of friction and rolling resistance with their springs, and of rigid boundaries
  /// that move, over the whole step.
  /// @param share of the step that lies in the trial displacement [J].
  [[nodiscard]] StepLosses dissipative_work(const Bodies& bodies, double share) const;
  /// How badly the step resolves contacts, the worst of this rank: what a pair stores at the end less what it
  /// stored at the start and the work of the mean of its conservative forces; and that over the energy at
  /// play in the pair: stored, and kinetic energy of approach (theory 09 section 4).
  /// @param start of all local bodies. @param floor energy that a pair has at least at play, per mass and
  /// bounding radius of A [J/(kg m)].
  struct EnergyError {
    double absolute = 0;  ///< [J]
    double relative = 0;
  };
  [[nodiscard]] EnergyError worst_energy_error(const Bodies& bodies, const std::vector<BodyState>& start,
                                               double floor) const;

 private:
  const ContactModel* model_;
  const TrialGeometry* geometry_;
  const PairList* list_;
  const PairResults* results_;
  const ContactForces* forces_;
};

}  // namespace scree::contact

/// Contacts as the impact update sees them, in steps whose forces are secants.
#pragma once

#include <cstddef>
#include <vector>

#include "contact/forces/contact_forces.hpp"
#include "contact/neighbours/contact_model.hpp"
#include "contact/neighbours/pair_list.hpp"
#include "contact/neighbours/pair_results.hpp"
#include "contact/neighbours/trial_geometry.hpp"
#include "contact/secant/impact.hpp"
#include "core/body.hpp"

namespace scree::contact {

class ContactImpacts {
 public:
  ContactImpacts(const ContactModel& model, const TrialGeometry& geometry, PairList& list,
                 const ContactForces& forces, const PairResults& results)
      : model_(&model), geometry_(&geometry), list_(&list), forces_(&forces), results_(&results) {}

  /// The contacts of this rank in which a force acted in the step last evaluated, those with ghosts on both
  /// ranks, but for those between bodies at rest in which nothing has changed for steps.
  [[nodiscard]] std::vector<Impact> all(const Bodies& bodies) const;
  /// Notes what the impact update did to a contact, until the next evaluation. @param taken out of its
  /// normal impulse [N s]: the next step's friction limit follows from the rest. @param on_a all impulses
  /// that the update puts on A at the contact point [N s], and the couple beside them [N m s]: part of the
  /// forces of the step. @param wound of what the update takes, what the spring of friction stores [J].
  void note_update(const Impact& impact, double taken, const Vec6& on_a, double wound);

 private:
  const ContactModel* model_;
  const TrialGeometry* geometry_;
  PairList* list_;
  const ContactForces* forces_;
  const PairResults* results_;
};

}  // namespace scree::contact

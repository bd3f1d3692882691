/// What contacts do to boundaries whose vertices move.
#pragma once

#include <vector>

#include "contact/forces/contact_forces.hpp"
#include "contact/neighbours/contact_model.hpp"
#include "contact/neighbours/pair_list.hpp"
#include "contact/neighbours/trial_geometry.hpp"
#include "core/body.hpp"

namespace scree::contact {

class VertexForces {
 public:
  VertexForces(const ContactModel& model, const TrialGeometry& geometry, const PairList& list,
               const ContactForces& forces)
      : model_(&model), geometry_(&geometry), list_(&list), forces_(&forces) {}

  /// Adds what the bodies that this rank counts put on the vertices of a deforming boundary, at the state
  /// last evaluated, as virtual work has it; in steps whose forces are secants the means over the step, with
  /// those of the impact update [N]. @param part number of the boundary part. @param[in,out]
  /// forces per vertex.
  void add(const Bodies& bodies, int part, std::vector<Vec3>& forces) const;

 private:
  const ContactModel* model_;
  const TrialGeometry* geometry_;
  const PairList* list_;
  const ContactForces* forces_;
};

}  // namespace scree::contact

/// Radii of curvature of superquadrics, for laws that require them (theory 06 section 10).
#pragma once

#include "contact/neighbours/contact_model.hpp"
#include "contact/neighbours/trial_geometry.hpp"
#include "contact/pair/pair.hpp"
#include "core/body.hpp"

namespace scree::contact {

/// Radii where bodies are nearest, for the step to come; held for as long as the bodies touch, so that forces
/// keep a potential (theory 06 section 10); in the range beyond, where a law attracts, during the step. By
/// the midway point of LIGGGHTS, whose force has none, held during the step.
class PairCurvature {
 public:
  PairCurvature(const ContactModel& model, const TrialGeometry& geometry)
      : model_(&model), geometry_(&geometry) {}

  void update(BodyPair& pair, const Bodies& bodies) const;
  /// The same for two superquadrics that touch in the step under way and did not at its start.
  void set_at_start(BodyPair& pair, const Bodies& bodies) const;
  /// The same where the normal from B to A is known. Nothing if the law requires no radii.
  void set(BodyPair& pair, const Bodies& bodies, const Vec3& n) const;

 private:
  const ContactModel* model_;
  const TrialGeometry* geometry_;
};

}  // namespace scree::contact

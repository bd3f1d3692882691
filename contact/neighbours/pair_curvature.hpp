/// Radii of curvature of superquadrics, for laws that require them (theory 06 section 10).
#pragma once

#include "contact/neighbours/contact_model.hpp"
#include "contact/neighbours/trial_geometry.hpp"
#include "contact/pair/pair.hpp"
#include "core/body.hpp"

namespace scree::contact {

/// Radii where bodies are nearest, for the step to come: held during it, so that forces keep a potential; in
/// energy-consistent steps held for as long as the bodies touch (theory 11 section 2).
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

/// Bodies that go through each other in a step: their cores are followed, which no overlap of an accepted
/// step reaches. No other check detects it for linear gaps (contact dynamics) and overlap-based laws.
#pragma once

#include <vector>

#include "contact/bounds/paths.hpp"
#include "contact/geometry/cores.hpp"
#include "contact/neighbours/contact_model.hpp"
#include "contact/neighbours/pair_list.hpp"
#include "contact/neighbours/trial_geometry.hpp"
#include "core/body.hpp"

namespace scree::contact {

class CorePassage {
 public:
  CorePassage(const ContactModel& model, const TrialGeometry& geometry, const PairList& list)
      : model_(&model), geometry_(&geometry), list_(&list), cores_(model.shapes()) {}

  /// Whether on a path the core of a body (cores.hpp) meets another body or a wall with something behind it.
  /// Bodies that go less than the margin of their cores are left out. @param near_surfaces those near a
  /// surface are not: what a surface cuts does not know on which side it was. @returns t = 0 and the first
  /// such pair, or 1.
  ClearPart find(const Bodies& bodies, const EvenPath& path, bool near_surfaces);

 private:
  /// Whether the core of body a meets body or boundary b on a path. @param shift of b, to the image that a
  /// meets [m]. @param speed of a's points as b sees them, at most [m].
  [[nodiscard]] bool meets(const Bodies& bodies, const EvenPath& path, int a, int b, const Vec3& shift,
                           double speed);
  /// The same of a boundary whose vertices move.
  [[nodiscard]] bool meets_surface(const Bodies& bodies, const EvenPath& path, int a, int b, double speed);

  const ContactModel* model_;
  const TrialGeometry* geometry_;
  const PairList* list_;
  Cores cores_;
};

}  // namespace scree::contact

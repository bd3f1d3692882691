#include "contact/neighbours/contact_model.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "contact/superquadric/smooth_terms.hpp"
#include "core/infinity.hpp"

namespace scree::contact {
namespace {

/// Candidates reach this many scales of the law beyond the threshold, so that lists last some steps.
constexpr double kFeatureSkin = 3.0;

/// Length that replaces the threshold for overlap-based laws, as part of the smallest rounding: lists then
/// last for some hundred steps of an impact.
constexpr double kOverlapScale = 0.02;

/// Smallest rounding radius, half thickness of superquadrics, or bounding radius of sharp bodies, which may
/// be far below the radius of a wall [m]. Half of the smallest feature of bodies where nothing is round.
/// All shapes that are in use at any time count, so that it does not change when bodies come or go.
double smallest_rounding(const std::vector<Shape>& shapes) {
  double rounded = kInfinity, sharp = kInfinity, feature = kInfinity;
  for (const Shape& shape : shapes) {
    if (shape.unused) continue;
    if (shape.radius > 0) {
      rounded = std::min(rounded, shape.radius);
    } else if (is_smooth(shape)) {
      rounded = std::min(rounded, 0.5 * shape.smallest_feature);
    } else if (shape.smallest_feature > 0 && !shape.open) {
      sharp = std::min(sharp, shape.bounding_radius);
      feature = std::min(feature, 0.5 * shape.smallest_feature);
    }
  }
  return std::isfinite(rounded) ? std::min(rounded, sharp) : feature;
}

/// How deep a body may be pressed before its surface has no nearest point on the way in [m].
double inner_depth(const Shape& shape) {
  constexpr double kPartOfThickness = 0.25;
  return is_smooth(shape) ? kPartOfThickness * shape.smallest_feature : shape.radius;
}

}  // namespace

ContactModel::ContactModel(const std::vector<Shape>& shapes, std::vector<InterfaceLaw> laws,
                           std::vector<std::vector<int>> interface_of, std::vector<Elasticity> materials)
    : shapes_(&shapes),
      laws_(std::move(laws)),
      interface_of_(std::move(interface_of)),
      materials_(std::move(materials)) {
  const double overlap_scale = kOverlapScale * smallest_rounding(shapes);
  for (InterfaceLaw& law : laws_) {
    law.normal.set_scale(overlap_scale);
    threshold_ = std::max(threshold_, law.normal.threshold());
    scale_ = std::max(scale_, law.normal.scale());
  }
  feature_skin_ = kFeatureSkin * scale_;
}

Side ContactModel::side(const Bodies& bodies, int i) const {
  const BodyProperties& body = bodies.properties[i];
  const auto material = static_cast<std::size_t>(body.material);
  return {&body, &(*shapes_)[body.shape], material < materials_.size() ? materials_[material] : Elasticity{},
          bodies.is_boundary(i)};
}

double ContactModel::allowed_depth(const BodyPair& pair, const Bodies& bodies) const {
  if (!law(pair).normal.allows_overlap()) return 0;
  const Shape& a = shape_of(bodies, pair.a);
  const Shape& b = shape_of(bodies, pair.b);
  // Nothing lies behind a plane, nor outside of what is hollow: depths have a sign there, however deep.
  if (b.kind == ShapeKind::plane || b.hollow_radius > 0) return kInfinity;
  return inner_depth(a) + inner_depth(b);
}

}  // namespace scree::contact

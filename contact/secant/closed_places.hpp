/// Places where a body is nearest to a surface that is not convex, at both ends of a step (theory 11 section
/// 3).
#pragma once

#include <vector>

#include "contact/geometry/closest_points.hpp"
#include "contact/secant/closed_term.hpp"

namespace scree::contact {

struct OpenFeature {
  FeatureKind kind;
  int feature;
  bool operator==(const OpenFeature&) const = default;
};

inline OpenFeature open_feature(const SurfacePoint& point) { return {point.kind, point.feature}; }

/// Number of an open feature of a surface; coplanar faces of a sheet are one.
int place_number(const Shape& surface, const OpenFeature& at);

/// Closed features of a surface that is not convex, nearest at the same open features at both ends.
struct StepPlace {
  OpenFeature at_start, at_end;
  Term start, end;
  int weight;  ///< closed faces and vertices +1, closed edges -1
  SecantRule rule = SecantRule::face;
  bool of_b = false;  ///< see ClosedTerm
};

/// Those that are nearest at the same open features at both ends count together.
void add_place(std::vector<StepPlace>& places, const StepPlace& place);

/// A contact that goes over from one feature to another stays one contact, as on a convex body: the same
/// energy in secants of closed features that begin and end would not carry a body while it passes a seam
/// (theory 11 section 3). So does one that is made or opens on the way: features that cancel at the end at
/// which they act have different gaps at the other.
/// @param[in,out] places that act at one end at least; becomes one place where there is a single one at each
/// end. @param beyond where none acts at one of the ends, the nearest place there; null: not known.
void follow_contact(std::vector<StepPlace>& places, const StepPlace* beyond, double threshold);

}  // namespace scree::contact

/// A superquadric against the features of another body: which one is nearest, and along which normal.
#pragma once

#include "contact/superquadric/separation.hpp"

namespace scree::contact {

/// Where a superquadric is nearest to something: normals point from there to the superquadric.
struct Touch {  // NOLINT(clang-analyzer-optin.performance.Padding): in the order of use
  double distance = std::numeric_limits<double>::infinity();  ///< rounding of the other left out [m]
  Vec3 n = Vec3::UnitZ();
  int rank = 2;              ///< directions in which the normal may turn: 0 on a face, 1 on an edge
  Vec3 axis = Vec3::Zero();  ///< of the edge, rank 1
  FeatureKind kind = FeatureKind::vertex;
  int feature = 0;
  bool found = true;  ///< false: the distance is a lower bound that was enough, or that Newton's method left
  Vec3 on_body = Vec3::Zero();  ///< point of the superquadric, from its pole, global axes [m]
};

/// @param other sphere, capsule, plane, cylinder seen from outside or convex polyhedron. @param hint any
/// value is right, a good one is fast. @param stop distances above are of no interest [m]. @param meeting the
/// same for two superquadrics. @param enough for two superquadrics: a lower bound of this part of the
/// distance will do; 1: the distance.
Touch touch_convex(const Smooth& body, const BodyView& other, TouchHint& hint, double stop,
                   Meeting* meeting = nullptr, double enough = 1);

/// @param closed feature of a surface that is not convex: face (with its edges and vertices), edge (with its
/// ends) or vertex.
Touch touch_closed(const Smooth& body, const BodyView& surface, FeatureKind kind, int feature,
                   TouchHint& hint, double stop);

}  // namespace scree::contact

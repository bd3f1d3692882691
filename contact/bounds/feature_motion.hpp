/// How long features of a pair stay apart on a path, from how they move along their normals (theory 03
/// section 6).
#pragma once

#include "contact/pair/pair.hpp"
#include "contact/search/far_items.hpp"

namespace scree::contact {

/// Motion of a body from a place on its path, per unit of the path.
struct BodyWay {
  Vec3 velocity = Vec3::Zero(), spin = Vec3::Zero();  ///< [m], [rad]
  double turn = 0;                                    ///< bound on the spin along the path [rad]
  double length = 0;                                  ///< largest distance of its points from its pole [m]
};

/// @returns a part of the path on which no candidate of the pair comes nearer than `least` [m]; infinity:
/// none ever does, 0: nothing is known (round shapes). @param longest part of interest.
/// @param far at the state of the views. @param rate by which gaps change at most, per unit of that part [m].
double apart_for(const BodyPair& pair, const BodyView& a, const BodyView& b, const BodyWay& way_a,
                 const BodyWay& way_b, double least, double longest, const FarItems& far, double rate);

}  // namespace scree::contact

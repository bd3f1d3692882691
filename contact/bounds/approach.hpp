/// How fast bodies come nearer to each other, and how long they stay apart.
#pragma once

#include <cstddef>

#include "contact/pair/pair.hpp"
#include "core/shapes/shape.hpp"

namespace scree::contact {

/// Bodies with up to so many faces offer each of them as a plane between two bodies.
constexpr std::size_t kFewFaces = 32;

/// Speed at which a body may come nearer to another one: a plane is approached along its normal, a cylinder
/// across its axis, whatever the body does along them. @param apart velocity of the body relative to the
/// other one [m/s].
double approach_speed(const Shape& other, const Mat3& orientation, const Vec3& apart);

/// How two bodies go from here.
struct Approach {
  Vec3 apart = Vec3::Zero();                          ///< velocity of A relative to B at the pole of A [m/s]
  Vec3 spin_a = Vec3::Zero(), spin_b = Vec3::Zero();  ///< [rad/s]
  double size_a = 0, size_b = 0;  ///< how far their places that count are from the poles [m]
};

/// Time in which two bodies that keep their velocities come at most so near that they are `allowed` deep in
/// each other [s]. A plane between them decides: it moves with the faster of what its normal sees of both,
/// so that bodies that pass each other have the time until one has closed. Of several planes (faces, axes of
/// the bodies, the line between the poles, the face of a fine surface that is nearest) the best one counts;
/// any of them is right for the part of a surface that is within reach. The result depends on these two
/// bodies and on `longest` alone.
/// @param allowed may be negative: a distance that stays [m]. @param longest time that is of interest [s].
/// @returns 0 if no plane says anything, at most `longest`.
double time_apart(const BodyView& a, const BodyView& b, const Approach& approach, double allowed,
                  double longest);

}  // namespace scree::contact

/// Signed separation of a solid from a wall, in long double.
#pragma once

#include "separation.hpp"

namespace intersection {

/// How far a solid is clear of a wall [m]; negative: by how much it is not.
///   plane: its lowest point; cylinder and sphere from inside: the radius less that of its outermost point,
///   both exact also in depth; sphere and cylinder from outside, surface: as separation() of two solids, the
///   sphere a rounded point, the cylinder a rounded line that is longer than the body is, the surface its
///   polygons one by one. Of a surface only those are looked at that could be nearer than `within` [m]
///   (infinity: all); without any the value is infinite.
Separation separation(const Solid& solid, const Pose& pose, const Wall& wall, const Pose& pose_wall,
                      double within);

/// Lower bound of that in double, from the solid's bounding sphere, less rounding [m]. Of a surface
/// -infinity.
double least_separation(const Solid& solid, const Pose& pose, const Wall& wall, const Pose& pose_wall);

}  // namespace intersection

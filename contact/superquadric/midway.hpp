/// The midway point of two superquadrics, the contact of Podlozhnyuk, Pirker and Kloss (2017) and of
/// LIGGGHTS: for comparison only (theory 06 section 8). Its gap is no distance and its force has no
/// potential.
#pragma once

#include "contact/superquadric/separation.hpp"

namespace scree::contact {

struct Midway {
  Vec3 x = Vec3::Zero();      ///< the point: grad F_B + mu2 grad F_A = 0, F_A = F_B
  double mu2 = 1;             ///< of the shape functions as theory 06 section 1 has them
  Vec3 n = Vec3::UnitZ();     ///< from B to A
  double to_a = 0, to_b = 0;  ///< from x along n to the surfaces [m]; in overlap to_b > 0 > to_a
  double gap = 0;  ///< to_a - to_b: between the surfaces along n through x, negative in overlap [m]
  bool converged = false;
  int iterations = 0;
};

/// Of the bodies that are not regularised. Newton's method from spheres of the same volume; where it fails,
/// axes and exponents are led there from the spheres in up to a hundred steps.
Midway midway(const Smooth& a, const Smooth& b);

/// First-order motion of gap, normal and the point x + to_a n of A's surface, when A is displaced by v and
/// turned by w about its pole, B held; columns v, w.
struct MidwayMotion {
  Vec6 gap = Vec6::Zero();
  Eigen::Matrix<double, 3, 6> normal, on_a;
};
MidwayMotion midway_motion(const Midway& at, const Smooth& a, const Smooth& b);

}  // namespace scree::contact

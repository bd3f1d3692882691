/// Effective constants of two bodies (theory 04 section 1 and C22).
#pragma once

#include "contact/laws/interface_law.hpp"
#include "core/body.hpp"
#include "core/shapes/shape.hpp"

namespace scree::contact {

/// One side of a pair.
struct Side {
  const BodyProperties* body = nullptr;
  const Shape* shape = nullptr;
  Elasticity material{};
  bool boundary = false;  ///< no mass and flat; rigid where its material has no modulus
};

/// @param a a body. @param b a body or a boundary. @returns m*, R*, 4/3 E* sqrt(R*), 8 G* sqrt(R*), I_r
/// and where the contact point lies.
/// The radius of a feature is the rounding radius of its shape, that of a boundary infinite.
PairConstants pair_constants(const Side& a, const Side& b, const InterfaceLaw& law);
/// The same with radii that stand for the surfaces where they touch [m]; 0: sharp.
PairConstants pair_constants(const Side& a, const Side& b, const InterfaceLaw& law, double radius_a,
                             double radius_b);
/// Constants of the same bodies with another effective radius [m], but for rolling resistance.
PairConstants with_radius(PairConstants pair, double r_star);

}  // namespace scree::contact

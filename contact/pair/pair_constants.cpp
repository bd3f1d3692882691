#include "contact/pair/pair_constants.hpp"

#include <algorithm>
#include <cmath>

namespace scree::contact {
namespace {

/// What a side adds to 1/E* [1/Pa].
double compliance(const Side& side) {
  const Elasticity& m = side.material;
  return m.young > 0 ? (1 - m.poisson * m.poisson) / m.young : 0.0;
}

/// What a side adds to 1/G* [1/Pa]: Mindlin's (2 - nu) / G, or 1 / G as [Sph, Eq. 38] has it (theory 04,
/// C22).
double shear_compliance(const Side& side, TangentialStiffness rule) {
  const Elasticity& m = side.material;
  if (!(m.young > 0)) return 0;
  const double shear = 0.5 * m.young / (1 + m.poisson);
  return (rule == TangentialStiffness::mindlin ? 2 - m.poisson : 1.0) / shear;
}

/// A body whose pole is held does not answer, as a boundary, whether it may turn or not.
double mobility(const Side& side) {
  return side.boundary || pole_fixed(side.body->fixed) ? 0.0 : 1 / side.body->mass;
}

/// I + m r^2 of [Ai], the moment about the contact; mean moment of inertia of bodies that are no spheres.
double inertia_about_contact(const Side& side) {
  const double radius = typical_radius(*side.shape);
  return side.body->inertia_B.trace() / 3 + side.body->mass * radius * radius;
}

/// What a side adds to the inverse of the moment of inertia about the contact [1/(kg m^2)].
double turning_mobility(const Side& side) {
  return side.boundary || all_fixed(side.body->fixed) ? 0.0 : 1 / inertia_about_contact(side);
}

}  // namespace

PairConstants pair_constants(const Side& a, const Side& b, const InterfaceLaw& law) {
  return pair_constants(a, b, law, typical_radius(*a.shape), typical_radius(*b.shape));
}

PairConstants pair_constants(const Side& a, const Side& b, const InterfaceLaw& law, double radius_a,
                             double radius_b) {
  PairConstants pair;
  const double inverse = mobility(a) + mobility(b);
  pair.m_star = inverse > 0 ? 1 / inverse : a.body->mass;  // between what is held nothing moves
  const double ra = typical_radius(*a.shape);
  const double rb = typical_radius(*b.shape);
  if (b.boundary) {
    pair.r_star = radius_a;
    pair.share = 1;  // theory 04 section 2: the arm reaches to the surface of a boundary
    pair.rolling_inertia = inertia_about_contact(a);
  } else {
    if (ra + rb > 0) pair.share = ra / (ra + rb);  // theory 04 section 2
    // A side with sharp edges is as flat as a boundary to a rounded one.
    if (radius_a > 0 && radius_b > 0)
      pair.r_star = radius_a * radius_b / (radius_a + radius_b);
    else
      pair.r_star = std::max(radius_a, radius_b);
    const double turns = turning_mobility(a) + turning_mobility(b);
    pair.rolling_inertia = turns > 0 ? 1 / turns : inertia_about_contact(a);
  }
  pair.r_rolling = pair.r_star;
  const double root = std::sqrt(pair.r_star);
  const double normal = compliance(a) + compliance(b);
  if (normal > 0) pair.hertz = 4.0 / 3.0 * root / normal;
  const double tangential = shear_compliance(a, law.friction.rule) + shear_compliance(b, law.friction.rule);
  if (tangential > 0) pair.tangential = 8 * root / tangential;
  return pair;
}

PairConstants with_radius(PairConstants pair, double r_star) {
  if (!(pair.r_star > 0)) return pair;
  const double root = std::sqrt(r_star / pair.r_star);
  pair.hertz *= root;
  pair.tangential *= root;
  pair.r_star = r_star;
  return pair;
}

}  // namespace scree::contact

/// What a pair of bodies exchanges, and where its contacts begin.
#pragma once

#include "contact/laws/interface_law.hpp"
#include "contact/pair/pair.hpp"

namespace scree::contact {

/// Force and moment on A about A's pole as residual contributions (gradient of the energy less dissipative
/// forces, theory 01 section 5), split by origin.
struct PairWrench {
  Vec3 force = Vec3::Zero();
  Vec3 moment = Vec3::Zero();
};

/// Wrench of B, about its pole, that goes with that of A. @param r x_A - x_B [m].
inline PairWrench reaction(const PairWrench& on_a, const Vec3& r) {
  return {-on_a.force, -on_a.moment - r.cross(on_a.force)};
}

/// Gap of a term less that where its contact begins: negative by the depth [m].
inline double beginning_gap(const Term& term, const InterfaceLaw& law) {
  return term.gap - law.normal.onset();
}

}  // namespace scree::contact

#include "contact/laws/hooke.hpp"

#include <cmath>
#include <numbers>

#include "contact/laws/restitution.hpp"

namespace scree::contact {

HookeLaw::HookeLaw(const HookeParameters& p)
    : stiffness_(p.stiffness), damping_(p.damping), no_tension_(p.no_tension) {
  if (!p.restitution) return;
  damping_ = 0;
  damping_ratio_ = damping_for(*p.restitution, p.no_tension);
}

LawValue HookeLaw::at(double gap, const PairConstants& pair) const {
  LawValue value;
  if (!(gap < 0)) return value;
  value.force = -stiffness_ * gap;
  value.slope = -stiffness_;
  value.energy = 0.5 * stiffness_ * gap * gap;
  value.dashpot = damping_ * std::sqrt(pair.m_star) + 2 * damping_ratio_ * std::sqrt(stiffness_);
  return value;
}

double HookeLaw::duration(double mass) const { return std::numbers::pi * std::sqrt(mass / stiffness_); }

}  // namespace scree::contact

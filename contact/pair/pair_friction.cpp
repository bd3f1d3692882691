#include "contact/pair/pair_friction.hpp"

#include <algorithm>
#include <cmath>

#include "contact/geometry/tangent_plane.hpp"

namespace scree::contact {
TrialStiffness trial_stiffness(const BodyPair& pair, const Active& contact, const InterfaceLaw& law,
                               const StepContext& step) {
  TrialStiffness k;
  if (!law.friction_varies()) {
    k.elastic = k.carried_by_share = law.friction.stiffness;
    k.carried = contact.share * k.elastic;
  } else {
    const double gap = pair.terms[contact.first].gap;
    const double before = pair.history[contact.history].stiffness_n;
    const double held = contact.share * before;
    if (gap < 0) {
      k.elastic = pair.tangential * std::sqrt(-gap);  // theory 04, C22
      k.elastic_slope = 0.5 * k.elastic / gap;
    }
    const CarriedSpring rule = law.friction.carried;
    if (rule == CarriedSpring::slip) {
      k.carried = contact.share * k.elastic;
      k.carried_slope = contact.share * k.elastic_slope;
      k.carried_by_share = k.elastic;
    } else if (rule == CarriedSpring::dissipative && k.elastic < held) {
      k.carried = k.elastic;
      k.carried_slope = k.elastic_slope;
    } else {
      k.carried = held;
      k.carried_by_share = before;
    }
  }
  if (step.at_rest) return k;
  k.viscous = law.friction.damping / step.h;
  if (law.friction.damping_ratio > 0 && k.elastic > 0) {
    const double with_ratio = 2 * law.friction.damping_ratio * std::sqrt(k.elastic * pair.m_star) / step.h;
    k.viscous += with_ratio;
    k.viscous_slope = 0.5 * with_ratio * k.elastic_slope / k.elastic;
  }
  return k;
}

PairWrench friction_force(BodyPair& pair, Active& contact, const BodyView& a, const BodyView& b,
                          const InterfaceLaw& law, const StepContext& step) {
  const HistoryEntry& entry = pair.history[contact.history];
  const SlipIncrement increment = slip_increment(pair, contact, a, b, law, step);
  // Theory 05 section 3: f_tr = k (ds + s*), k = eps_t + c_t/h, s* = eps_t/k s_c.
  const TrialStiffness stiffness = trial_stiffness(pair, contact, law, step);
  const bool apart = law.friction.limit == FrictionLimit::spring;
  const double k = apart ? stiffness.elastic : stiffness.both();
  const Vec3 dashpot = stiffness.viscous * increment.viscous;
  contact.slips = false;
  contact.trial_slip.setZero();
  contact.friction.setZero();
  if (stiffness.both() == 0) return {};  // a dashpot alone, at rest
  contact.limit = law.friction.dynamic_coefficient * contact.pressing;
  Vec3 trial = stiffness.elastic * increment.slip + stiffness.carried * increment.kept;
  if (!apart) trial += dashpot;
  if (k > 0) {
    contact.trial_slip = trial / k;
    const double mu = entry.sliding ? law.friction.dynamic_coefficient : law.friction.static_coefficient;
    const double size = trial.norm();
    contact.slips = law.friction.limited() && size > mu * contact.pressing;
    contact.friction = contact.slips ? Vec3((contact.limit / size) * trial) : trial;
  }
  if (dashpot_beside(law, entry)) contact.friction += dashpot;
  return {contact.friction, increment.arm_a.cross(contact.friction)};
}

Vec3 trial_force(const BodyPair& pair, const Active& contact, const InterfaceLaw& law,
                 const StepContext& step) {
  const TrialStiffness k = trial_stiffness(pair, contact, law, step);
  return (law.friction.limit == FrictionLimit::spring ? k.elastic : k.both()) * contact.trial_slip;
}

Vec3 stored_force(const BodyPair& pair, const Active& contact, const BodyView& a, const BodyView& b,
                  const InterfaceLaw& law, const StepContext& step) {
  if (pair.history[contact.history].slip.isZero(0)) return Vec3::Zero();
  return trial_stiffness(pair, contact, law, step).carried *
         slip_increment(pair, contact, a, b, law, step).kept;
}

double stored_energy(const HistoryEntry& entry, const InterfaceLaw& law) {
  return 0.5 * entry.stiffness_n * entry.slip.squaredNorm() +
         0.5 * law.rolling.stiffness * entry.roll.squaredNorm();
}

}  // namespace scree::contact

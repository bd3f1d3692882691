#include "contact/pair_friction.hpp"

#include <algorithm>
#include <cmath>

#include "contact/pair_rolling.hpp"
#include "contact/tangent_plane.hpp"
#include "core/rotation.hpp"

namespace scree::contact {
namespace {

/// Displacement in the step of the material point of A at a contact relative to that of B [m].
Vec3 moved_since_start(const HistoryEntry& entry, const BodyView& a, const BodyView& b) {
  return a.trial->x + a.trial->Q * entry.arm_a - b.trial->x - b.trial->Q * entry.arm_b;
}

/// Losses of a contact that opened within the step: its forces at the step start act with weight one half
/// over the whole step, as those of all contacts do.
StepLosses opened_losses(const HistoryEntry& entry, const BodyView& a, const BodyView& b) {
  const Vec3 moved = moved_since_start(entry, a, b);
  const Vec3 turned = rotation::rodrigues(b.trial->Q.transpose() * a.trial->Q);
  StepLosses losses;
  losses.damping = 0.5 * entry.damping_n * entry.n.dot(moved);
  losses.friction = 0.5 * (entry.friction_n.dot(moved) + entry.rolling_n.dot(turned));
  return losses;
}

}  // namespace

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

Vec3 transport_slip(const Vec3& slip, const Vec3& n0, const Vec3& n1, const Mat3& qa, const Mat3& qb) {
  const double c = n0.dot(n1);
  if (c < 0.5) return Vec3::Zero();
  const Vec3 turn = (2.0 / (1.0 + c)) * n0.cross(n1);
  const Mat3 q_turn = rotation::matrix(turn);
  const double twist_a = rotation::rodrigues(q_turn.transpose() * qa).dot(n0);
  const double twist_b = rotation::rodrigues(q_turn.transpose() * qb).dot(n0);
  const Vec3 carried = q_turn * (rotation::matrix(0.5 * (twist_a + twist_b) * n0) * slip);
  return project(carried, n1);
}

double stored_energy(const HistoryEntry& entry, const InterfaceLaw& law) {
  return 0.5 * entry.stiffness_n * entry.slip.squaredNorm() +
         0.5 * law.rolling.stiffness * entry.roll.squaredNorm();
}

StepLosses commit(BodyPair& pair, const BodyView& a, const BodyView& b, const InterfaceLaw& law,
                  const StepContext& step) {
  StepLosses losses;
  const bool friction = law.friction_acts(step.time);
  const bool turns = frame_turns(law, step);
  // Energy of the springs at the step start. The springs of fresh entries are copies: the donors count them.
  for (HistoryEntry& entry : pair.history) {
    entry.acts = false;
    if (!entry.fresh) losses.friction += stored_energy(entry, law);
  }
  for (Active& contact : pair.active) {
    if (contact.history < 0) continue;
    HistoryEntry& entry = pair.history[contact.history];
    entry.acts = true;
    const Term& main = pair.terms[contact.first];
    // Mean force of the ends times displacement: the work that Newmark's kinetic energy answers to.
    losses.damping += 0.5 * (contact.damping + entry.damping_n) * (main.gap - entry.gap_n);
    entry.damping_n = contact.damping;
    entry.gap_n = main.gap;
    Vec3 slip = Vec3::Zero();
    if (friction) {
      const SlipIncrement increment = slip_increment(pair, contact, a, b, law, step);
      const TrialStiffness stiffness = trial_stiffness(pair, contact, law, step);
      const double k = stiffness.elastic;
      // The elongation that gives the force at the new stiffness.
      slip = k > 0 ? Vec3((stiffness.carried / k) * entry.slip) : entry.slip;
      if (!turns) slip += increment.slip;
      slip = transport_slip(slip, entry.n, main.n, a.trial->Q, b.trial->Q);
      if (turns) slip += increment.slip;
      const double mu = entry.sliding ? law.friction.dynamic_coefficient : law.friction.static_coefficient;
      const double elastic = k * slip.norm();
      const bool stored = law.friction.limit == FrictionLimit::stored && contact.slips;
      if (stored && k > 0) {
        slip = contact.friction / k;
      } else if (law.friction.limited() && elastic > mu * contact.pressing) {
        slip *= contact.limit / elastic;  // [Poly, Eqs. 57-58]
      }
      if (k == 0) slip.setZero();
      losses.friction += 0.5 * (contact.friction + entry.friction_n).dot(increment.whole);
      entry.sliding = contact.slips;
      entry.friction_n = contact.friction;
      entry.stiffness_n = k;
    } else {
      losses.friction += 0.5 * entry.friction_n.dot(moved_since_start(entry, a, b));  // it was switched off
      entry.friction_n.setZero();
      entry.stiffness_n = 0;
      entry.sliding = false;
    }
    losses.friction += commit_rolling(pair, entry, contact, a, b, law, step, main.n);
    entry.slip = slip;
    losses.friction -= stored_energy(entry, law);
    if (!turns) entry.friction_n = transport_slip(entry.friction_n, entry.n, main.n, a.trial->Q, b.trial->Q);
    entry.n = main.n;
    entry.approach = 0;
    const Vec3 point = contact_point(pair, main, a, b);
    entry.arm_a = point - a.trial->x;
    entry.arm_b = point - b.trial->x;
  }
  for (HistoryEntry& entry : pair.history) {
    if (!entry.acts && !entry.fresh) {
      const StepLosses opened = opened_losses(entry, a, b);
      losses.damping += opened.damping;
      losses.friction += opened.friction;
    }
    entry.fresh = false;
    entry.donor = -1;
  }
  std::erase_if(pair.history, [](const HistoryEntry& entry) { return !entry.acts; });
  std::sort(pair.history.begin(), pair.history.end(),
            [](const HistoryEntry& x, const HistoryEntry& y) { return x.key < y.key; });
  return losses;
}

void roll_back(BodyPair& pair) {
  std::erase_if(pair.history, [](const HistoryEntry& entry) { return entry.fresh; });
}

double friction_energy(const BodyPair& pair, const InterfaceLaw& law) {
  double sum = 0;
  for (const HistoryEntry& entry : pair.history) {
    if (!entry.fresh) sum += stored_energy(entry, law);
  }
  return sum;
}

}  // namespace scree::contact

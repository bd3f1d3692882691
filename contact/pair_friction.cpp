#include "contact/pair_friction.hpp"

#include <algorithm>
#include <cmath>

#include "contact/pair_rolling.hpp"
#include "contact/tangent_plane.hpp"
#include "core/rotation.hpp"

namespace scree::contact {
namespace {

/// Contacts further apart than this many scales of the law are not neighbours in the sense of memory.
constexpr double kNeighbourhood = 5.0;

}  // namespace

int find_or_create_history(BodyPair& pair, const Active& contact, const BodyView& a, const BodyView& b,
                           const InterfaceLaw& law) {
  for (std::size_t i = 0; i < pair.history.size(); ++i) {
    if (pair.history[i].key == contact.key) return static_cast<int>(i);
  }
  const Term& main = pair.terms[contact.first];
  HistoryEntry entry;
  entry.key = contact.key;
  entry.fresh = true;
  // Where it was at the step start, frozen (theory 09 section 6.3): no iterate leaves a trace.
  const StartOfContact start = start_of_contact(pair, main, a, b);
  entry.gap_n = start.gap;
  entry.approach = std::max(start.gap - law.normal.threshold(), 0.0);
  entry.n = start.n;
  entry.arm_a = start.point - (a.trial->x - a.trial->u);
  entry.arm_b = start.point - (b.trial->x - b.trial->u);
  double nearest = kNeighbourhood * law.normal.scale();
  const HistoryEntry* donor = nullptr;
  for (const HistoryEntry& other : pair.history) {
    if (other.fresh || other.n.dot(entry.n) < 0.8) continue;
    const double distance = (other.arm_a - entry.arm_a).norm();
    if (distance < nearest) {
      nearest = distance;
      donor = &other;
    }
  }
  if (donor != nullptr) {
    entry.approach = 0;  // it goes on for another one
    entry.slip = project(donor->slip, entry.n);
    entry.sliding = donor->sliding;
    entry.stiffness_n = donor->stiffness_n;
    entry.roll = project(donor->roll, entry.n);
    entry.rolling = donor->rolling;
  }
  pair.history.push_back(entry);
  return static_cast<int>(pair.history.size()) - 1;
}

TrialStiffness trial_stiffness(const BodyPair& pair, const Active& contact, const InterfaceLaw& law,
                               const StepContext& step) {
  TrialStiffness k;
  if (!law.friction_varies()) {
    k.elastic = k.carried = law.friction.stiffness;
  } else {
    const double gap = pair.terms[contact.first].gap;
    const double before = pair.history[contact.history].stiffness_n;
    if (gap < 0) {
      k.elastic = pair.tangential * std::sqrt(-gap);  // theory 04, C22
      k.elastic_slope = 0.5 * k.elastic / gap;
    }
    const CarriedSpring rule = law.friction.carried;
    const bool of_the_moment =
        rule == CarriedSpring::slip || (rule == CarriedSpring::dissipative && k.elastic < before);
    k.carried = of_the_moment ? k.elastic : before;
    if (of_the_moment) k.carried_slope = k.elastic_slope;
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
  // Contacts that opened within the step: their dashpot acted for a part of it.
  for (HistoryEntry& entry : pair.history) entry.fresh = true;
  for (Active& contact : pair.active) {
    if (contact.history < 0) continue;
    HistoryEntry& entry = pair.history[contact.history];
    entry.fresh = false;
    const Term& main = pair.terms[contact.first];
    // Mean force of the ends times displacement: the work that Newmark's kinetic energy answers to.
    losses.damping += 0.5 * (contact.damping + entry.damping_n) * (main.gap - entry.gap_n);
    entry.damping_n = contact.damping;
    entry.gap_n = main.gap;
    entry.rate_n = contact.rate;
    const double before = 0.5 * entry.stiffness_n * entry.slip.squaredNorm();
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
      losses.friction += 0.5 * (contact.friction + entry.friction_n).dot(increment.slip) -
                         (0.5 * k * slip.squaredNorm() - before);
      entry.sliding = contact.slips;
      entry.friction_n = contact.friction;
      entry.stiffness_n = k;
    } else {
      losses.friction += before;
      entry.friction_n.setZero();
      entry.stiffness_n = 0;
      entry.sliding = false;
    }
    losses.friction += commit_rolling(pair, entry, contact, a, b, law, step, main.n);
    entry.slip = slip;
    if (!turns) entry.friction_n = transport_slip(entry.friction_n, entry.n, main.n, a.trial->Q, b.trial->Q);
    entry.n = main.n;
    entry.approach = 0;
    const Vec3 point = contact_point(pair, main, a, b);
    entry.arm_a = point - a.trial->x;
    entry.arm_b = point - b.trial->x;
  }
  for (const HistoryEntry& entry : pair.history) {
    if (!entry.fresh) continue;
    // Opened within the step: the force at its start works with weight one half over the whole step.
    losses.damping += 0.5 * entry.damping_n * entry.rate_n * step.h;
    losses.friction += stored_energy(entry, law);
  }
  std::erase_if(pair.history, [](const HistoryEntry& entry) { return entry.fresh; });
  std::sort(pair.history.begin(), pair.history.end(),
            [](const HistoryEntry& x, const HistoryEntry& y) { return x.key < y.key; });
  return losses;
}

void roll_back(BodyPair& pair) {
  std::erase_if(pair.history, [](const HistoryEntry& entry) { return entry.fresh; });
}

double friction_energy(const BodyPair& pair, const InterfaceLaw& law) {
  double sum = 0;
  for (const HistoryEntry& entry : pair.history) sum += stored_energy(entry, law);
  return sum;
}

}  // namespace scree::contact

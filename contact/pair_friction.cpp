#include "contact/pair_friction.hpp"

#include <algorithm>
#include <cmath>

#include "core/rotation.hpp"

namespace scree::contact {
namespace {

/// Middle of the gap, between the rounded surfaces.
Vec3 contact_point(const Term& term, const BodyView& a, const BodyView& b) {
  const bool moves_with_b = term.kind == TermKind::fv || term.kind == TermKind::ev;
  return moves_with_b ? Vec3(term.p + (b.shape->radius + 0.5 * term.gap) * term.n)
                      : Vec3(term.p - (a.shape->radius + 0.5 * term.gap) * term.n);
}

Vec3 project(const Vec3& v, const Vec3& n) { return v - n * n.dot(v); }

/// Contacts further apart than this many thresholds are not neighbours in the sense of memory.
constexpr double kNeighbourhood = 5.0;

}  // namespace

int find_or_create_history(BodyPair& pair, const Active& contact, const BodyView& a, const BodyView& b,
                           const InterfaceLaw& law, const StepContext& step) {
  for (std::size_t i = 0; i < pair.history.size(); ++i) {
    if (pair.history[i].key == contact.key) return static_cast<int>(i);
  }
  const Term& main = pair.terms[contact.first];
  HistoryEntry entry;
  entry.key = contact.key;
  entry.fresh = true;
  entry.gap_n = main.gap - contact.rate * step.h;
  entry.n = main.n;
  const Vec3 point = contact_point(main, a, b);
  // Where it first appears, turned back to the step start and frozen (theory 09 section 6.3).
  entry.arm_a = a.trial->Q.transpose() * (point - a.trial->x);
  entry.arm_b = b.trial->Q.transpose() * (point - b.trial->x);
  double nearest = kNeighbourhood * law.normal.threshold();
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
    entry.slip = project(donor->slip, entry.n);
    entry.sliding = donor->sliding;
  }
  pair.history.push_back(entry);
  return static_cast<int>(pair.history.size()) - 1;
}

SlipIncrement slip_increment(const HistoryEntry& entry, const BodyView& a, const BodyView& b,
                             const StepContext& step) {
  SlipIncrement result;
  result.arm_a = a.trial->Q * entry.arm_a;
  result.arm_b = b.trial->Q * entry.arm_b;
  if (step.frozen) {
    const Vec3 velocity =
        a.trial->v + a.trial->w.cross(result.arm_a) - b.trial->v - b.trial->w.cross(result.arm_b);
    result.slip.setZero();
    result.viscous = step.h * project(velocity, entry.n);
  } else {
    result.slip = project(a.trial->x + result.arm_a - b.trial->x - result.arm_b, entry.n);
    result.viscous = result.slip;
  }
  return result;
}

TrialStiffness trial_stiffness(const InterfaceLaw& law, const StepContext& step) {
  return {law.friction.stiffness, step.at_rest ? 0.0 : law.friction.damping / step.h};
}

PairWrench friction_force(BodyPair& pair, Active& contact, const BodyView& a, const BodyView& b,
                          const InterfaceLaw& law, const StepContext& step) {
  const HistoryEntry& entry = pair.history[contact.history];
  const SlipIncrement increment = slip_increment(entry, a, b, step);
  // Theory 05 section 3: f_tr = k (ds + s*), k = eps_t + c_t/h, s* = eps_t/k s_c.
  const TrialStiffness stiffness = trial_stiffness(law, step);
  const double k = stiffness.both();
  contact.slips = false;
  contact.trial_slip.setZero();
  contact.friction.setZero();
  if (k == 0) return {};  // a dashpot alone, at rest
  contact.trial_slip = step.frozen ? Vec3((stiffness.viscous / k) * increment.viscous) : increment.slip;
  contact.trial_slip += (stiffness.elastic / k) * entry.slip;
  const double mu = entry.sliding ? law.friction.dynamic_coefficient : law.friction.static_coefficient;
  const double length = contact.trial_slip.norm();
  contact.slips = k * length > mu * contact.normal;
  contact.limit = law.friction.dynamic_coefficient * contact.normal;
  contact.friction =
      contact.slips ? Vec3((contact.limit / length) * contact.trial_slip) : Vec3(k * contact.trial_slip);
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

StepLosses commit(BodyPair& pair, const BodyView& a, const BodyView& b, const InterfaceLaw& law,
                  const StepContext& step) {
  StepLosses losses;
  const double stiffness = law.friction.stiffness;
  const bool friction = law.friction_acts(step.time);
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
    Vec3 slip = Vec3::Zero();
    if (friction) {
      const SlipIncrement increment = slip_increment(entry, a, b, step);
      const double before = 0.5 * stiffness * entry.slip.squaredNorm();
      slip = entry.slip + increment.slip;
      const double mu = entry.sliding ? law.friction.dynamic_coefficient : law.friction.static_coefficient;
      const double elastic = stiffness * slip.norm();
      if (elastic > mu * contact.normal) slip *= contact.limit / elastic;  // [Poly, Eqs. 57-58]
      if (stiffness == 0) slip.setZero();
      losses.friction += 0.5 * (contact.friction + entry.friction_n).dot(increment.slip) -
                         (0.5 * stiffness * slip.squaredNorm() - before);
      entry.sliding = contact.slips;
      entry.friction_n = contact.friction;
    } else {
      losses.friction += 0.5 * stiffness * entry.slip.squaredNorm();
      entry.friction_n.setZero();
      entry.sliding = false;
    }
    entry.slip = transport_slip(slip, entry.n, main.n, a.trial->Q, b.trial->Q);
    entry.friction_n = transport_slip(entry.friction_n, entry.n, main.n, a.trial->Q, b.trial->Q);
    entry.n = main.n;
    const Vec3 point = contact_point(main, a, b);
    entry.arm_a = point - a.trial->x;
    entry.arm_b = point - b.trial->x;
  }
  for (const HistoryEntry& entry : pair.history) {
    if (!entry.fresh) continue;
    // Opened within the step: the force at its start works with weight one half over the whole step.
    losses.damping += 0.5 * entry.damping_n * entry.rate_n * step.h;
    losses.friction += 0.5 * stiffness * entry.slip.squaredNorm();
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
  for (const HistoryEntry& entry : pair.history)
    sum += 0.5 * law.friction.stiffness * entry.slip.squaredNorm();
  return sum;
}

}  // namespace scree::contact

#include "contact/pair/pair_commit.hpp"

#include <algorithm>

#include "contact/pair/pair_friction.hpp"
#include "contact/pair/pair_history.hpp"
#include "contact/pair/pair_rolling.hpp"
#include "contact/pair/shared_corners.hpp"
#include "contact/surface/deforming_surface.hpp"
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

StepLosses commit(BodyPair& pair, const BodyView& a, const BodyView& b, const InterfaceLaw& law,
                  const StepContext& step) {
  StepLosses losses;
  const bool friction = law.friction_acts(step.time);
  const bool turns = frame_turns(law, step);
  FacetView facet(b);
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
    const BodyView& near_b = facet.at(pair, contact);
    // A frame that turns is that of the first term.
    const Vec3& n = turns ? main.n : straight_normal(pair, contact);
    // Mean force of the ends times displacement: the work that Newmark's kinetic energy answers to.
    losses.damping +=
        contact.corner < 0
            ? 0.5 * (contact.damping + entry.damping_n) * (main.gap - entry.gap_n)
            : 0.5 *
                  (contact.damping * n + entry.damping_n * entry.n).dot(moved_since_start(entry, a, near_b));
    entry.damping_n = contact.damping;
    entry.normal_n = contact.pressing;  // for steps of secants, which may follow from a checkpoint
    entry.gap_n = main.gap;
    entry.radius = main.kind == TermKind::smooth && law.curvature_matters() ? pair.r_star : 0.0;
    Vec3 slip = Vec3::Zero();
    if (friction) {
      const SlipIncrement increment = slip_increment(pair, contact, a, near_b, law, step);
      const TrialStiffness stiffness = trial_stiffness(pair, contact, law, step);
      const double k = stiffness.elastic;
      // The elongation that gives the force at the new stiffness.
      slip = k > 0 ? Vec3((stiffness.carried / k) * entry.slip) : entry.slip;
      if (!turns) slip += increment.slip;
      slip = transport_slip(slip, entry.n, n, a.trial->Q, near_b.trial->Q);
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
      losses.friction +=
          0.5 * entry.friction_n.dot(moved_since_start(entry, a, near_b));  // it was switched off
      entry.friction_n.setZero();
      entry.stiffness_n = 0;
      entry.sliding = false;
    }
    losses.friction += commit_rolling(pair, entry, contact, a, near_b, law, step, n);
    entry.slip = slip;
    losses.friction -= stored_energy(entry, law);
    if (!turns) entry.friction_n = transport_slip(entry.friction_n, entry.n, n, a.trial->Q, near_b.trial->Q);
    entry.n = n;
    entry.approach = 0;
    const Vec3 point = contact_point(pair, main, a, b);  // of a B that deforms from its pole, which stays
    entry.arm_a = point - a.trial->x;
    entry.arm_b = point - b.trial->x;
  }
  for (HistoryEntry& entry : pair.history) {
    if (!entry.acts && !entry.fresh) {
      const StepLosses opened = opened_losses(entry, a, facet.at(pair, entry));
      losses.damping += opened.damping;
      losses.friction += opened.friction;
    }
    entry.fresh = false;
    entry.donor = -1;
  }
  losses.friction += forget_shadowed(pair, law);
  std::erase_if(pair.history, [](const HistoryEntry& entry) { return !entry.acts; });
  std::sort(pair.history.begin(), pair.history.end(),
            [](const HistoryEntry& x, const HistoryEntry& y) { return x.key < y.key; });
  return losses;
}

void keep_search_start(BodyPair& pair) {
  if (pair.search_n.kept || pair.hints.empty()) return;
  pair.search_n.n.setZero();
  pair.search_n.hints = pair.hints;
  pair.search_n.meeting = pair.meeting;
  pair.search_n.kept = true;
}

void roll_back(BodyPair& pair) {
  if (pair.search_n.kept) {
    pair.hints = pair.search_n.hints;
    pair.meeting = pair.search_n.meeting;
    pair.search_n.kept = false;
  }
  std::erase_if(pair.history, [](const HistoryEntry& entry) { return entry.fresh; });
  for (Active& contact : pair.active) {
    if (contact.history >= static_cast<int>(pair.history.size())) contact.history = -1;
  }
}

double friction_energy(const BodyPair& pair, const InterfaceLaw& law) {
  double sum = 0;
  for (const HistoryEntry& entry : pair.history) {
    if (!entry.fresh) sum += stored_energy(entry, law);
  }
  return sum;
}

}  // namespace scree::contact

#include "contact/pair/pair_evaluate.hpp"

#include <algorithm>
#include <cmath>

#include "contact/pair/pair_friction.hpp"
#include "contact/pair/pair_history.hpp"
#include "contact/pair/pair_rolling.hpp"
#include "contact/pair/pair_terms.hpp"
#include "contact/pair/shared_corners.hpp"
#include "contact/pair/shared_folds.hpp"
#include "contact/pair/taken_off.hpp"
#include "contact/pair/term_gap.hpp"
#include "contact/search/far_items.hpp"
#include "contact/superquadric/smooth_terms.hpp"
#include "contact/surface/deforming_surface.hpp"
#include "core/error.hpp"

namespace scree::contact {
namespace {

/// Law values of the terms, and the sums that friction and damping need.
void apply_law(BodyPair& pair, Active& contact, const BodyView& a, const BodyView& b,
               const InterfaceLaw& law) {
  double compression = 0;
  double adhesion = 0;
  double dashpot = 0;
  contact.energy = 0;
  for (int t = contact.first; t < contact.first + contact.terms; ++t) {
    Term& term = pair.terms[t];
    if (law.normal.allows_overlap()) {
      check_overlap(term, a, b);
    } else if (!(term.gap > 0)) {
      throw RecoverableError("gap <= 0 under a barrier law");
    }
    term.law = law.normal.at(term.gap, pair);
    contact.energy += term.sign * term.law.energy;
    compression += term.sign * term.law.compression();
    adhesion += term.sign * term.law.adhesion;
    dashpot += term.sign * term.law.dashpot;
  }
  if (contact.energy < 0 && kind_of(contact.key) == ItemKind::edges) {
    const TakenOff taken(law.normal, pair);
    contact.part = taken.slope(contact.energy);
    contact.part_slope = taken.curvature(contact.energy);
    contact.energy = taken.energy(contact.energy);
  }
  const double window = window_of(pair, contact);
  contact.normal_positive = compression > 0;
  contact.normal = window * std::max(compression, 0.0);
  contact.adhesion = window * adhesion;
  contact.dashpot_positive = dashpot > 0;
  contact.dashpot = window * std::max(dashpot, 0.0) * std::sqrt(pair.m_star);
}

/// A conservative force is part of both.
void add_to(PairWrench& total, StoredForce& stored, const Vec3& force, const Vec3& moment) {
  total.force += force;
  total.moment += moment;
  stored.force += force;
  stored.moment += moment;
}

/// In the step in which a contact is made, its dashpot rises to C rate while the depth (below the law's
/// beginning) grows to what the bodies close in kBeginning of the step. Without it the force would jump at
/// onset (Hooke, barrier of exponent 1) or rise with infinite slope (Hertz, exponents below 3), and a
/// step that ends there would have no solution or none that Newton finds (docs/interface_laws.md, section
/// 2). At overlap this is for contacts of this step; under a barrier features follow one another, so that
/// new contacts are identified by their depth alone. Variational steps keep the jump: they are to be the
/// method of [Var], and are rejected where they have no solution.
bool begins_in_step(const BodyPair& pair, const Active& contact, const InterfaceLaw& law,
                    const StepContext& step) {
  if (!law.normal.dashpot_is_steep() || step.frozen || step.first_touch != FirstTouch::part ||
      contact.history < 0)
    return false;
  if (law.normal.allows_overlap() && !pair.history[contact.history].fresh) return false;
  return kBeginning * step.h * contact.rate < beginning_gap(pair.terms[contact.first], law);
}

/// Sets rate and force of a dashpot, before its limit. Damping acts at the pair itself; where contacts share
/// a corner along the force of all of them.
void set_damping(const BodyPair& pair, Active& contact, const BodyView& a, const BodyView& b,
                 const InterfaceLaw& law, const StepContext& step) {
  const Term& main = pair.terms[contact.first];
  const Vec3& n = straight_normal(pair, contact);
  contact.rate =
      step.at_rest ? 0.0 : n.dot(relative_velocity(main.p - a.trial->x, main.p - b.trial->x, a, b));
  if (step.at_rest) contact.dashpot = 0;
  contact.damping_begins = begins_in_step(pair, contact, law, step);
  contact.damping =
      contact.dashpot *
      (contact.damping_begins ? beginning_gap(main, law) / (kBeginning * step.h) : contact.rate);
}

/// Damping never pulls [Poly, Eqs. 52-53], unless the law lets it. What shares a corner is limited as one:
/// the normal forces of its contacts and their dashpots are not in proportion.
void limit_damping(std::vector<Active>& active) {
  const auto sum_of = [&](int corner, double Active::*what) {
    double sum = 0;
    for (const Active& contact : active) sum += contact.corner == corner ? contact.*what : 0.0;
    return sum;
  };
  for (std::size_t i = 0; i < active.size(); ++i) {
    Active& contact = active[i];
    if (contact.corner < 0) {
      contact.damping_clipped = contact.damping > contact.normal;
    } else if (contact.corner == static_cast<int>(i)) {
      const bool clipped = sum_of(contact.corner, &Active::damping) > sum_of(contact.corner, &Active::normal);
      for (Active& other : active) {
        if (other.corner == contact.corner) other.damping_clipped = clipped;
      }
    }
  }
  for (Active& contact : active) {
    if (contact.damping_clipped) contact.damping = contact.normal;
  }
}

}  // namespace

PairWrench evaluate(BodyPair& pair, const BodyView& a, const BodyView& b, const InterfaceLaw& law,
                    const StepContext& step) {
  pair.terms.clear();
  pair.secants.clear();
  pair.active.clear();
  pair.nearest = pair.reach;
  PairWrench total;
  StoredForce& stored = pair.stored;
  stored = {};
  const double threshold = law.normal.threshold();
  const bool friction = law.friction_acts(step.time);
  const bool rolling = law.rolling_acts();
  const Vec3 xa = a.trial->x;
  FacetView facet(b);

  const auto add = [&](Active contact) {
    apply_law(pair, contact, a, b, law);
    // Elastic part: every term at its own place (gradient of the energy).
    for (int t = contact.first; t < contact.first + contact.terms; ++t) {
      const Term& term = pair.terms[t];
      const Vec3 force = (-window_of(pair, contact) * term.sign * term.law.force) * term.n;
      add_to(total, stored, force, (term.p - xa).cross(force));
    }
    const Term& main = pair.terms[contact.first];
    if (contact.window_mu != 0)
      add_to(total, stored, Vec3::Zero(), (contact.energy * contact.window_mu) * main.e.cross(main.f));
    stored.energy += contact.window * contact.energy;
    if (contact.normal_positive)
      contact.history = find_or_create_history(pair, contact, a, facet.at(pair, contact), law);
    pair.active.push_back(contact);
  };

  FarItems far(pair, a, b);
  for (std::size_t i = 0; i < pair.items.size(); ++i) {
    if (far.skips(i, threshold, pair.nearest)) continue;
    Item& item = pair.items[i];
    if (item.kind == ItemKind::edges) {
      Active contact;
      contact.first = static_cast<int>(pair.terms.size());
      const EdgeContact found = edge_terms(pair, item, a, b, law.normal);
      far.saw(i, found.nearest);
      pair.nearest = std::min(pair.nearest, found.nearest);
      if (found.terms == 0) continue;
      contact.key = make_key(item.kind, item.a, item.b);
      contact.terms = found.terms;
      contact.window = found.window;
      contact.window_mu = found.mu;
      contact.window_mu_dc = found.mu_dc;
      if (contact.window_mu != 0 && pair.terms[contact.first].kind != TermKind::ee) {
        // The directions are needed for the window even where the crossing itself cancelled.
        pair.terms[contact.first].e = segment_of(a, item.a, b).direction;
        pair.terms[contact.first].f = segment_of(b, item.b, a).direction;
      }
      add(contact);
    } else {
      const bool smooth = item.kind == ItemKind::smooth;
      thread_local VertexContacts found;
      if (smooth) {
        smooth_terms(pair, item, a, b, threshold, found, law.midway());
      } else {
        vertex_terms(pair, item, a, b, threshold, found);
      }
      far.saw(i, found.nearest);
      pair.nearest = std::min(pair.nearest, found.nearest);
      if (found.nearest <= 0 && !law.normal.allows_overlap())
        throw RecoverableError("gap <= 0 under a barrier law");
      const bool on_b = item.kind == ItemKind::vertex_of_a;
      const std::size_t first = pair.active.size();
      for (const VertexContacts::Contact& one : found.contacts) {
        Active contact;
        contact.key = on_b || smooth ? make_key(item.kind, item.a, one.feature)
                                     : make_key(item.kind, one.feature, item.b);
        contact.first = one.first;
        contact.terms = one.count;
        add(contact);
      }
      share_fold(pair, item, first, a, b);
    }
  }
  if (group_corners(pair)) {
    thread_local std::vector<Vec3> pushes;
    sum_pushes(
        pair, [&](int t) { return Vec3(pair.terms[t].law.force * pair.terms[t].n); }, pushes);
    set_straight(pair, pushes);
  }
  for (Active& contact : pair.active) set_damping(pair, contact, a, facet.at(pair, contact), law, step);
  if (law.normal.no_tension()) limit_damping(pair.active);
  for (Active& contact : pair.active) {
    // Barriers: the elastic part, as [Poly] has it; at overlap the whole of it, as most codes for spheres
    // have.
    contact.pressing =
        law.dashpot_presses() ? std::max(contact.normal - contact.damping, 0.0) : contact.normal;
    if (contact.damping == 0) continue;
    const Vec3 force = contact.damping * straight_normal(pair, contact);
    total.force += force;
    total.moment += (pair.terms[contact.first].p - xa).cross(force);
  }
  if (!friction && !rolling) return total;
  share_springs(pair);
  for (Active& contact : pair.active) {
    if (contact.history < 0) continue;
    const BodyView& near_b = facet.at(pair, contact);
    if (friction) {
      const PairWrench w = friction_force(pair, contact, a, near_b, law, step);
      total.force += w.force;
      total.moment += w.moment;
    }
    if (rolling) total.moment += rolling_moment(pair, contact, a, near_b, law, step);
  }
  return total;
}

double normal_energy(const BodyPair& pair) {
  double sum = 0;
  for (const Active& contact : pair.active) sum += contact.window * contact.energy;
  return sum;
}

}  // namespace scree::contact

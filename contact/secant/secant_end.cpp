/// What an energy-consistent step leaves: impacts for the update of the velocities, and the springs.
#include <algorithm>
#include <cmath>
#include <limits>

#include "contact/geometry/tangent_plane.hpp"
#include "contact/laws/restitution.hpp"
#include "contact/pair/pair_friction.hpp"
#include "contact/pair/shared_corners.hpp"
#include "contact/secant/secant_friction.hpp"
#include "contact/secant/secant_law.hpp"
#include "contact/secant/secant_pair.hpp"
#include "contact/secant/secant_term.hpp"
#include "contact/secant/spring_source.hpp"
#include "core/rotation.hpp"

namespace scree::contact {
namespace {

/// Whether a contact stores something at the end of the step.
bool is_closed(const BodyPair& pair, const Active& contact, const InterfaceLaw& law) {
  double sum = 0, largest = 0;
  for (int t = contact.first; t < contact.first + contact.terms; ++t) {
    const double one = law.normal.at(pair.terms[t].gap, pair).compression();
    sum += pair.terms[t].sign * one;
    largest = std::max(largest, one);
  }
  return remains(sum, largest);
}

/// Compression of a contact at the end of the step, where Active::normal is its mean [N].
double normal_at_end(const BodyPair& pair, const Active& contact, const InterfaceLaw& law) {
  double end = 0;
  for (int t = contact.first; t < contact.first + contact.terms; ++t)
    end += pair.terms[t].sign * law.normal.at(pair.terms[t].gap, pair).compression();
  return contact.window * contact.part_end * contact.counts * end;
}

/// By how much that exceeds the mean, along the normal [N].
Vec3 excess_of(const BodyPair& pair, const Active& contact, const InterfaceLaw& law) {
  return (normal_at_end(pair, contact, law) - contact.normal) * pair.terms[contact.first].n;
}

/// That over the mean, if it is more.
double rise_of(const BodyPair& pair, const Active& contact, const InterfaceLaw& law) {
  const double end = normal_at_end(pair, contact, law);
  return contact.normal > 0 && end > contact.normal ? end / contact.normal : 1.0;
}

/// How far steps of this size resolve an impact that begins: fully where the oscillation of the contact turns
/// by up to kResolved in a step, not at all from kCoarse on, when the impact is over in two of them.
double resolved_part(const BodyPair& pair, const Term& main, const InterfaceLaw& law, double h) {
  constexpr double kResolved = 1, kCoarse = 2;  // [rad]
  const double stiffness = std::max(-law.normal.at(main.gap, pair).slope, 0.0);
  const double turn = h * std::sqrt(stiffness / pair.m_star);
  return std::clamp((kCoarse - turn) / (kCoarse - kResolved), 0.0, 1.0);
}

/// Counts how often the excess has turned round in succession.
void follow_excess(HistoryEntry& entry, const Vec3& excess) {
  if (!entry.fresh)
    entry.alternations =
        excess.dot(entry.excess) < 0 ? std::min(entry.alternations + 1, HistoryEntry::kRings) : 0;
  entry.excess = excess;
}

/// Forces on A of contacts at the end of a step [N], each term along its own normal: what an edge pair takes
/// off of a vertex beside it is then exactly what that vertex takes. By contact, and of the corner that it
/// shares.
struct Pushes {
  std::vector<Vec3> own, shared;

  /// Goes to a pair; keeps its memory from pair to pair.
  void find(const BodyPair& pair) {
    const auto force_of = [&](int t) -> Vec3 {
      return pair.terms[t].law.compression() * acting_normal(pair.secants[t], pair.terms[t]);
    };
    own.clear();
    for (const Active& contact : pair.active) {
      Vec3 sum = Vec3::Zero();
      for (int t = contact.first; t < contact.first + contact.terms; ++t)
        sum += pair.terms[t].sign * force_of(t);
      own.emplace_back(window_of(pair, contact) * contact.counts * sum);
    }
    sum_pushes(pair, force_of, shared);
  }

  /// Normal of contact i at the end: that of its corner, or of its first term.
  [[nodiscard]] Vec3 normal(const BodyPair& pair, std::size_t i) const {
    const Active& contact = pair.active[i];
    const auto first = static_cast<std::size_t>(contact.first);
    const Vec3 main = acting_normal(pair.secants[first], pair.terms[first]);
    return follows_corner(contact, shared[i], main) ? shared[i].normalized() : main;
  }
};

/// The spring of a contact at the end of a step, which has turned with its bodies: with the normal, and about
/// it by the mean of both (theory 05 section 2). @param across plane of the spring in the step.
Vec3 turned_along(const Vec3& spring, const Vec3& across, const Vec3& n, const BodyView& a,
                  const BodyView& b) {
  const double twist = 0.5 * n.dot(a.trial->alpha + b.trial->alpha);
  return rotation::matrix(twist * n) * turn_between(spring, across, n);
}

/// Sets how the place of a surface that deforms moves. @param facet over the step.
void set_place(Impact& impact, const BodyTrial& facet, const Vec3& point, double h) {
  impact.on_place = true;
  impact.arm_b = point - facet.x;
  impact.place_end << facet.v, facet.w;
  impact.place_mean << facet.u / h, facet.alpha / h;
}

/// Acceleration of the gap of round bodies whose poles or axes pass each other with a velocity: the square of
/// that across the line between them, over its length (negative in a hollow). Of bodies without rounding
/// nothing: their features are as near as the gap, and pass in a small part of the step.
double passing_of(const Term& term, const BodyView& a, const BodyView& b) {
  const bool round = a.shape->radius + b.shape->radius > 0 || term.curvature < 0;
  if (!round || term.curvature == 0) return 0;
  const Vec3 foot = term.p - term.distance * term.n;
  const Vec3 velocity = relative_velocity(term.p - a.trial->x, foot - b.trial->x, a, b);
  Vec3 across = velocity - term.n.dot(velocity) * term.n;
  if (term.kind == TermKind::ve) across -= term.f.dot(across) * term.f;
  if (term.kind == TermKind::ev) across -= term.e.dot(across) * term.e;
  return term.curvature * across.squaredNorm();
}

/// Sets along which direction a contact gives back what it took: that of its force, or of its corner's. With
/// the normals of the first terms, cubes that lie almost flush would be pushed sideways by what their corners
/// dissipate.
void set_push(const Pushes& pushes, const Active& contact, std::size_t i, double h, Impact& impact) {
  impact.push = impact.n;
  impact.impulse = impact.of_corner = h * contact.normal;
  if (contact.terms == 1 && contact.corner < 0) return;
  const Vec3& own = pushes.own[i];
  const Vec3 push = contact.corner >= 0 ? impact.n : Vec3(own.normalized());
  const double along = own.dot(push);
  if (!(contact.normal > 0) || !(along > 0)) return;
  impact.push = push;
  impact.normal_share = contact.normal / along;
  impact.impulse = impact.of_corner = h * along;
  if (contact.corner >= 0) impact.of_corner = std::max(impact.impulse, h * pushes.shared[i].dot(push));
}

}  // namespace

void append_impacts(const BodyPair& pair, const BodyView& view_a, const BodyView& view_b,
                    const InterfaceLaw& law, const StepContext& step, std::vector<Impact>& impacts) {
  if (pair.active.empty()) return;
  const BodyOverStep a(view_a);
  const BodyOverStep b(view_b);
  FacetOverStep place(b);
  const bool friction = law.friction_acts(step.time);
  thread_local Pushes pushes;
  pushes.find(pair);
  for (std::size_t i = 0; i < pair.active.size(); ++i) {
    const Active& contact = pair.active[i];
    if (contact.history < 0) continue;
    const Term& main = pair.terms[static_cast<std::size_t>(contact.first)];
    Impact& impact = impacts.emplace_back();
    impact.at = static_cast<int>(i);
    impact.n = pushes.normal(pair, i);
    const Vec3 point = contact_point(pair, main, view_a, view_b);
    impact.arm_a = point - view_a.trial->x;
    impact.arm_b = point - view_b.trial->x;
    if (place.deforms()) set_place(impact, *place.at(pair, contact).end.trial, point, step.h);
    set_push(pushes, contact, i, step.h, impact);
    impact.restitution = law.normal.restitution(pair);
    impact.opened = std::max(main.gap - law.normal.onset(), 0.0);
    impact.passing = passing_of(main, view_a, place.at(pair, contact).end);
    impact.friction = friction && law.friction.limited();
    impact.rolling = law.rolling_acts();
    if (!friction && !impact.rolling) continue;
    const HistoryEntry* source = source_of(pair, contact);
    if (impact.rolling) {
      impact.roll = secant_roll(pair, contact, source, a, place, law);
      impact.lever = impact.normal_share * law.rolling.coefficient * pair.r_rolling;
      impact.rolling_restitution = restitution_of(law.rolling.damping_ratio, false);
    }
    if (!friction) continue;
    impact.slip = secant_slip(pair, contact, source, a, place, law, step.h);
    // Hertz's stiffness goes as the cube root of the force; one that only just began has none to start from.
    if (source != nullptr && law.friction_varies() && contact.normal > source->normal_n) {
      impact.stiffening = source->normal_n > 0 ? std::cbrt(contact.normal / source->normal_n)
                                               : std::numeric_limits<double>::infinity();
    }
    if (!law.friction_varies()) {
      impact.spring = law.friction.stiffness;
      impact.rises = rise_of(pair, contact, law);
    }
    if (source == nullptr) {
      impact.resolved = resolved_part(pair, main, law, step.h);
      // Friction of an impact that is over in the step is that of rigid bodies.
      impact.slip.uncut =
          impact.resolved > 0 ? impact.slip.uncut / impact.resolved : std::numeric_limits<double>::infinity();
    }
    if (!law.has_tangential_spring()) impact.viscosity = law.friction.damping;
    impact.coefficient = impact.normal_share * (impact.slip.slides || !(impact.slip.limit > 0)
                                                    ? law.friction.dynamic_coefficient
                                                    : law.friction.static_coefficient);
  }
}

StepLosses commit_secant(BodyPair& pair, const BodyView& view_a, const BodyView& view_b,
                         const InterfaceLaw& law, const StepContext& step) {
  const BodyOverStep a(view_a);
  const BodyOverStep b(view_b);
  FacetOverStep place(b);
  const bool friction = law.friction_acts(step.time);
  StepLosses losses;
  for (HistoryEntry& entry : pair.history) {
    entry.acts = false;
    if (!entry.fresh) losses.friction += stored_energy(entry, law);
  }
  for (const Active& contact : pair.active) losses.damping += contact.settled;
  // What springs hold at the end, in the plane there.
  struct Springs {
    Vec3 slip = Vec3::Zero(), roll = Vec3::Zero();
    bool slides = false, rolls = false;
  };
  thread_local std::vector<Springs> springs;
  springs.assign(pair.active.size(), {});
  thread_local Pushes pushes;
  pushes.find(pair);
  for (std::size_t i = 0; i < pair.active.size(); ++i) {
    const Active& contact = pair.active[i];
    if (contact.history < 0 || (!friction && !law.rolling_acts())) continue;
    const HistoryEntry* source = source_of(pair, contact);
    const Vec3 n = pushes.normal(pair, i);
    const double net = std::max(contact.normal - contact.impulse / step.h, 0.0);
    Springs& end = springs[i];
    if (friction) {
      const SecantSlip slip = secant_slip(pair, contact, source, a, place, law, step.h);
      losses.friction += slip.force.dot(slip.moved);
      const double mu = slip.slides ? law.friction.dynamic_coefficient : law.friction.static_coefficient;
      const double limit = law.friction.limited() ? mu * net : slip.limit;
      const double under = std::min(limit, slip.limit);
      const Vec3 elastic = contact.wound > 0 ? slip.wound_end(under, law.friction.stiffness, contact.wound)
                                             : slip.elastic_end(under);
      end.slip = turned_along(elastic, slip.n, n, view_a, place.at(pair, contact).end);
      end.slides = slip.slides;
    }
    if (law.rolling_acts()) {
      const SecantSlip roll = secant_roll(pair, contact, source, a, place, law);
      losses.friction += roll.force.dot(roll.moved);
      const double limit = std::min(law.rolling.coefficient * pair.r_rolling * net, roll.limit);
      end.roll = turned_along(roll.elastic_end(limit), roll.n, n, view_a, place.at(pair, contact).end);
      end.rolls = roll.slides;
    }
  }
  for (std::size_t i = 0; i < pair.active.size(); ++i) {
    const Active& contact = pair.active[i];
    if (contact.history < 0) continue;
    HistoryEntry& entry = pair.history[static_cast<std::size_t>(contact.history)];
    const Term& main = pair.terms[static_cast<std::size_t>(contact.first)];
    const HistoryEntry* source = source_of(pair, contact);
    // One that varies and begins has none before.
    const double before = !law.friction_varies() ? law.friction.stiffness
                          : source != nullptr    ? source->stiffness_n
                                                 : 0.0;
    double stiffness = friction ? law.friction.stiffness : 0.0;
    if (friction && law.friction_varies())
      stiffness = main.gap < 0 ? pair.tangential * std::sqrt(-main.gap) : 0.0;
    // New stiffness carries no force, lost stiffness takes its share along: no energy is made.
    const Springs& end = springs[i];
    entry.slip = stiffness > before && stiffness > 0 ? Vec3((before / stiffness) * end.slip) : end.slip;
    entry.roll = end.roll;
    follow_excess(entry,
                  excess_of(pair, contact, law) +
                      (stiffness > 0 ? Vec3(stiffness * entry.slip - contact.friction) : Vec3(Vec3::Zero())));
    entry.rolling_n = contact.rolling;
    entry.rolling = end.rolls;
    entry.stiffness_n = stiffness;
    entry.friction_n = contact.friction - project(contact.update_force, main.n);  // all of it
    entry.normal_n = std::max(contact.normal - contact.impulse / step.h, 0.0);
    entry.sliding = end.slides;
    // A contact that has opened is over: were it to close again, its friction would jump to the old limit.
    entry.acts = is_closed(pair, contact, law);
    entry.damping_n = 0;
    entry.gap_n = main.gap;
    entry.approach = 0;
    entry.radius = law.curvature_matters() ? pair.r_star : 0.0;
    if (entry.acts) losses.friction -= stored_energy(entry, law);
    const Vec3 point = contact_point(pair, main, view_a, view_b);
    entry.arm_a = point - view_a.trial->x;
    entry.arm_b = point - view_b.trial->x;
    entry.n = pushes.normal(pair, i);
  }
  for (HistoryEntry& entry : pair.history) {
    entry.fresh = false;
    entry.donor = -1;
  }
  std::erase_if(pair.history, [](const HistoryEntry& entry) { return !entry.acts; });
  std::sort(pair.history.begin(), pair.history.end(),
            [](const HistoryEntry& x, const HistoryEntry& y) { return x.key < y.key; });
  return losses;
}

}  // namespace scree::contact

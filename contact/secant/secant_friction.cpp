#include "contact/secant/secant_friction.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "contact/geometry/tangent_plane.hpp"
#include "contact/secant/secant_term.hpp"

namespace scree::contact {
namespace {

/// Normal of the plane of friction: the one that the bodies carry along, or the mean one of the step, of the
/// first term or of the corner that the contact shares.
Vec3 normal_across(const BodyPair& pair, const Active& contact, const HistoryEntry* source,
                   const BodyOverStep& a, const BodyOverStep& b) {
  if (source != nullptr && are_sharp(a, b)) return carried_normal(contact, *source, a, b).sum.normalized();
  if (!contact.straight.isZero(0)) return contact.straight;
  return mean_normal(pair, contact).normalized();
}

/// Part of the step in which a contact that began in it was closed, at an even rate of its gap.
double part_in_contact(const SecantTerm& main, double onset) {
  if (!(main.gap_n > onset)) return 1;
  return std::clamp((onset - main.gap) / (main.gap_n - main.gap), 0.0, 1.0);
}

/// Spring at the start, cut to its limit, and what acts.
void set_force(SecantSlip& slip, const Vec3& spring, const Vec3& n) {
  slip.kept = turn_between(spring, n, slip.n);
  slip.uncut = (slip.stiffness * slip.kept + slip.slope() * slip.moved).norm();
  const double length = slip.kept.norm();
  if (slip.stiffness * length > slip.limit) slip.kept *= slip.limit / (slip.stiffness * length);
  slip.trial = slip.stiffness * slip.kept + slip.slope() * slip.moved;
  const double size = slip.trial.norm();
  slip.slides = size > slip.limit;
  slip.force = slip.slides ? Vec3((slip.limit / size) * slip.trial) : slip.trial;
}

}  // namespace

CarriedNormal carried_normal(const Active& contact, const HistoryEntry& source, const BodyOverStep& a,
                             const BodyOverStep& b) {
  const ItemKind kind = kind_of(contact.key);
  const double with_a = kind == ItemKind::vertex_of_a ? 0.0 : kind == ItemKind::vertex_of_b ? 1.0 : 0.5;
  CarriedNormal n;
  n.on_a = with_a * (a.end.trial->Q * source.n);
  n.on_b = (1 - with_a) * (b.end.trial->Q * source.n);
  n.sum = source.n + (n.on_a + n.on_b);
  return n;
}

Vec3 mean_normal(const BodyPair& pair, const Active& contact) {
  const SecantTerm& main = pair.secants[static_cast<std::size_t>(contact.first)];
  return main.dir - main.correction;
}

Vec3 turn_between(const Vec3& v, const Vec3& n0, const Vec3& n1) {
  const double sum = 1 + n0.dot(n1);
  if (!(sum > 0.5)) return Vec3::Zero();  // by more than 120 degrees: another contact
  return v - (n0 + n1) * (n1.dot(v) / sum);
}

Vec3 SecantSlip::elastic_end(double under) const {
  const Vec3 all = kept + moved;
  const double most = stiffness > 0 ? under / stiffness : 0.0;
  const double length = all.norm();
  return length > most ? Vec3((most / length) * all) : all;
}

Vec3 SecantSlip::wound_end(double under, double spring, double energy) const {
  const Vec3 all = kept + moved;
  const double length = all.norm();
  const double without = under / spring;
  const double most = std::sqrt(without * without + 2 * energy / spring);
  return length > most ? Vec3((most / length) * all) : all;
}

SecantSlip secant_slip(const BodyPair& pair, const Active& contact, const HistoryEntry* source,
                       const BodyOverStep& a, FacetOverStep& b, const InterfaceLaw& law, double h) {
  SecantSlip slip;
  const HistoryEntry& entry = pair.history[static_cast<std::size_t>(contact.history)];
  const Term& term = pair.terms[static_cast<std::size_t>(contact.first)];
  slip.n = normal_across(pair, contact, source, a, b.whole());
  slip.point = 0.5 * (a.start_pose.x + entry.arm_a + contact_point(pair, term, a.end, b.whole().end));
  slip.moved = project(parting(a, b.at(pair, contact, slip.point), slip.point), slip.n);
  if (source == nullptr) {
    if (!law.friction_varies() && law.has_tangential_spring())
      slip.uncut = 0.5 * law.friction.stiffness * slip.moved.norm();
    slip.moved *= part_in_contact(pair.secants[static_cast<std::size_t>(contact.first)], law.normal.onset());
    return slip;
  }
  slip.stiffness = law.friction_varies() ? source->stiffness_n : law.friction.stiffness;
  const double mu = source->sliding ? law.friction.dynamic_coefficient : law.friction.static_coefficient;
  slip.limit = law.friction.limited() ? mu * source->normal_n : std::numeric_limits<double>::infinity();
  if (!law.has_tangential_spring()) slip.viscosity = law.friction.damping / h;
  if (slip.slope() > 0) set_force(slip, source->slip, source->n);
  return slip;
}

SecantSlip secant_roll(const BodyPair& pair, const Active& contact, const HistoryEntry* source,
                       const BodyOverStep& a, FacetOverStep& b, const InterfaceLaw& law) {
  SecantSlip roll;
  roll.n = normal_across(pair, contact, source, a, b.whole());
  roll.moved = project(turning(a, b.at(pair, contact)), roll.n);
  roll.stiffness = law.rolling.stiffness;
  if (source != nullptr) {
    roll.limit = law.rolling.coefficient * pair.r_rolling * source->normal_n;
    set_force(roll, source->roll, source->n);
  } else {
    set_force(roll, Vec3::Zero(), roll.n);
  }
  return roll;
}

void follow_slip(const SecantSlip& slip, SlipIterate& iterate) {
  if (iterate.known) {
    next_iterate(iterate, slip.trial, slip.limit, slip.slides);
  } else {
    begin_iterates(iterate, slip.stiffness * slip.kept, slip.trial, slip.limit, slip.slides);
  }
}

Mat3 slip_stiffness(const SecantSlip& slip, const SlipIterate* iterate) {
  const Mat3 plane = plane_of(slip.n);
  if (!slip.slides) return slip.slope() * plane;
  const Vec3& force = iterate != nullptr ? iterate->force : slip.force;
  return slip_tangent(slip.trial, slip.limit, force, slip.slope()) * plane;
}

}  // namespace scree::contact

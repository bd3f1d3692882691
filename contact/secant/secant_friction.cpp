#include "contact/secant/secant_friction.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "contact/geometry/tangent_plane.hpp"
#include "contact/secant/secant_term.hpp"

namespace scree::contact {

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

SecantSlip secant_slip(const BodyPair& pair, const Active& contact, const HistoryEntry* source,
                       const BodyOverStep& a, const BodyOverStep& b, const InterfaceLaw& law) {
  SecantSlip slip;
  const HistoryEntry& entry = pair.history[static_cast<std::size_t>(contact.history)];
  const SecantTerm& main = pair.secants[static_cast<std::size_t>(contact.first)];
  const Term& term = pair.terms[static_cast<std::size_t>(contact.first)];
  slip.n = (main.dir - main.correction).normalized();
  slip.point = 0.5 * (a.start_pose.x + entry.arm_a + contact_point(pair, term, a.end, b.end));
  slip.moved = project(parting(a, b, slip.point), slip.n);
  if (source == nullptr) return slip;
  slip.stiffness = law.friction_varies() ? source->stiffness_n : law.friction.stiffness;
  const double mu = source->sliding ? law.friction.dynamic_coefficient : law.friction.static_coefficient;
  slip.limit = law.friction.limited() ? mu * source->normal_n : std::numeric_limits<double>::infinity();
  if (slip.stiffness == 0) return slip;
  slip.kept = turn_between(source->slip, source->n, slip.n);
  const double most = slip.limit / slip.stiffness;
  const double length = slip.kept.norm();
  if (length > most) slip.kept *= most / length;
  slip.trial = slip.stiffness * (slip.kept + 0.5 * slip.moved);
  const double size = slip.trial.norm();
  slip.slides = size > slip.limit;
  slip.force = slip.slides ? Vec3((slip.limit / size) * slip.trial) : slip.trial;
  return slip;
}

Mat3 slip_stiffness(const SecantSlip& slip, HistoryEntry& entry) {
  const Vec3& y = slip.trial;
  const double limit = slip.limit;
  if (!entry.dual_known) {
    entry.dual = slip.stiffness * slip.kept;
  } else if (entry.trial_n.norm() > limit) {
    const double before = entry.trial_n.norm();
    const Vec3 t = entry.trial_n / before;
    entry.dual = (limit / before) * y - entry.dual * (t.dot(y - entry.trial_n) / before);
  } else {
    entry.dual = y;
  }
  const double size = entry.dual.norm();
  if (size > limit) entry.dual *= limit / size;
  entry.trial_n = y;
  entry.dual_known = true;
  if (!slip.slides) return 0.5 * slip.stiffness * plane_of(slip.n);
  if (!(limit > 0)) return Mat3::Zero();
  const double length = y.norm();
  const Vec3 t = y / length;
  const Vec3 q = entry.dual / limit;
  return (0.5 * limit * slip.stiffness / length) *
         (plane_of(slip.n) - 0.5 * (q * t.transpose() + t * q.transpose()));
}

}  // namespace scree::contact

#include "contact/secant/secant_pair.hpp"

#include <algorithm>
#include <cmath>

#include "contact/geometry/tangent_plane.hpp"
#include "contact/pair/pair_friction.hpp"
#include "contact/pair/pair_history.hpp"
#include "contact/pair/shared_corners.hpp"
#include "contact/pair/shared_folds.hpp"
#include "contact/pair/term_gap.hpp"
#include "contact/pair/term_motion.hpp"
#include "contact/search/far_items.hpp"
#include "contact/secant/secant_friction.hpp"
#include "contact/secant/secant_law.hpp"
#include "contact/secant/secant_taken_off.hpp"
#include "contact/secant/secant_term.hpp"
#include "contact/secant/secant_window.hpp"
#include "contact/secant/spring_source.hpp"
#include "core/error.hpp"
#include "core/rotation.hpp"

namespace scree::contact {
namespace {

using rotation::skew;

/// Curvature of the distance that outweighs inertia by this part is left out of the tangent: the matrix would
/// be indefinite, and Newton's method leave the way down (theory 11 section 4).
constexpr double kMostCurvature = 0.5;

/// Derivative of how far the bodies move apart at a point that moves itself.
Mat3x12 d_parting(const BodyOverStep& a, const BodyOverStep& b, const Vec3& point, const Mat3x12& d_point) {
  const Vec3& alpha_a = a.end.trial->alpha;
  const Vec3& alpha_b = b.end.trial->alpha;
  // d alpha = Xi^-1 theta; mean poles move by half of what the poles do.
  Mat3x12 d = skew(alpha_a - alpha_b) * d_point;
  d.leftCols<3>() += Mat3::Identity() - 0.5 * skew(alpha_a);
  d.middleCols<3>(3) -= skew(point - a.mean_pole()) * rotation::inverse_spin_map(alpha_a);
  d.middleCols<3>(6) -= Mat3::Identity() - 0.5 * skew(alpha_b);
  d.rightCols<3>() += skew(point - b.mean_pole()) * rotation::inverse_spin_map(alpha_b);
  return d;
}

/// Derivative of how A turns relative to B.
Mat3x12 d_turning(const BodyOverStep& a, const BodyOverStep& b) {
  Mat3x12 d = Mat3x12::Zero();
  d.middleCols<3>(3) = rotation::inverse_spin_map(a.end.trial->alpha);
  d.rightCols<3>() = -rotation::inverse_spin_map(b.end.trial->alpha);
  return d;
}

/// Derivative of the correction of a direction and of its couple (theory 11 section 3).
/// @param[in,out] d_dir of the mean normal; then of the direction.
void add_correction(const SecantTerm& secant, const BodyOverStep& a, const BodyOverStep& b,
                    const Row12& d_gap, const Mat3x12& d_point, Mat3x12& d_dir, Mat3x12& d_couple) {
  const Vec3 apart = parting(a, b, secant.point);
  const Vec3 turn = turning(a, b);
  const double arm2 = arm_of_correction2(a, b);
  const double way2 = apart.squaredNorm() + arm2 * turn.squaredNorm();
  const double lambda = (secant.correction.dot(apart) + secant.couple.dot(turn)) / way2;
  const Mat3x12 d_apart = d_parting(a, b, secant.point, d_point);
  const Mat3x12 d_turn = d_turning(a, b);
  const Vec3 mean = secant.dir - secant.correction;
  const Row12 d_lambda =
      (d_gap - apart.transpose() * d_dir - (mean + 2 * lambda * apart).transpose() * d_apart -
       (2 * lambda * arm2) * (turn.transpose() * d_turn)) /
      way2;
  d_dir += apart * d_lambda + lambda * d_apart;
  d_couple = arm2 * (turn * d_lambda + lambda * d_turn);
}

/// Derivative, in the plane of friction, of the spring that has turned with it (turn_between).
/// @param spring as it was across n0.
Mat3x12 d_turned(const SecantSlip& slip, const Vec3& spring, const Vec3& n0, const Mat3x12& d_n) {
  const double length = spring.norm();
  const double sum = 1 + n0.dot(slip.n);
  if (!(length > 0) || slip.kept.isZero(0)) return Mat3x12::Zero();
  const double cut = slip.kept.norm() / length;
  const double along = slip.n.dot(spring);
  const Vec3 both = n0 + slip.n;
  return (-cut / sum) * (along * d_n + both * ((spring - (along / sum) * n0).transpose() * d_n));
}

/// Derivative of the force of friction, or of the couple of rolling resistance.
/// @param motion, d_motion of which slip.moved is the part in the plane.
Mat3x12 d_slip_force(const SecantSlip& slip, const SlipIterate* iterate, const Vec3& motion,
                     const Mat3x12& d_motion, const Mat3x12& d_kept, const Mat3x12& d_n) {
  // In the plane: of the motion, and as the plane turns, also of the spring kept in it.
  const Mat3x12 d_moved = d_motion - motion.dot(slip.n) * d_n + (slip.stiffness / slip.slope()) * d_kept;
  return slip_stiffness(slip, iterate) * d_moved - slip.n * (slip.force.transpose() * d_n);
}

/// Whether the tangent follows the normal of a term as it turns. Curvature pulls across the normal; where
/// inertia is weaker it is left out.
bool keeps_curvature(const BodyPair& pair, const Term& term, const TermMotion& motion, double h) {
  double curvature = 0;
  if (is_smooth(term.kind)) {
    curvature = motion.normal.leftCols<3>().norm();
  } else if (term.kind == TermKind::ve || term.kind == TermKind::ev || term.kind == TermKind::vv) {
    curvature = std::abs(term.curvature);
  }
  return curvature * std::abs(term.law.force) * h * h <= kMostCurvature * 2 * pair.m_star;
}

/// Whether terms of both signs meet between the two, in corners, whose curvature cancels: it is kept, other
/// contacts hold the bodies across the normal. Left out term by term, what remains of a corner is too soft by
/// a factor of two.
bool meet_in_corners(const Shape& a, const Shape& b) {
  if (is_sharp(a) && is_sharp(b)) return true;
  return a.radius + b.radius == 0 && ((is_sharp(a) && !a.convex) || (is_sharp(b) && !b.convex));
}

/// Part of the force by which bodies come to rest that acts. It is for bodies that press on each other: where
/// a vertex has passed an edge within the step, the mean normal is tilted by half a right angle and more, and
/// what takes energy along it would stop the sliding.
constexpr int kStays = 4;
double settled_part(const SecantTerm& secant, const Term& end) {
  return std::pow(std::max(secant.n_start.dot(end.n), 0.0), kStays);
}

/// Its derivative. @param d_n of the normal at the end.
Row12 d_settled_part(const SecantTerm& secant, const Term& end, const Mat3x12& d_n) {
  return (kStays * std::pow(std::max(secant.n_start.dot(end.n), 0.0), kStays - 1)) *
         (secant.n_start.transpose() * d_n);
}

/// Derivatives of what friction of a contact acts across and where, and those of the force of its corner.
struct AcrossColumns {
  Mat3x12 d_n = Mat3x12::Zero(), d_point = Mat3x12::Zero();
  Vec3 push = Vec3::Zero();
  Mat3x12 d_push = Mat3x12::Zero();
};

/// Derivative of the mean over the step of a place that moves with one of the bodies.
/// @param end it at the end [m].
Mat3x12 d_mean_place(const Vec3& end, bool with_b, const BodyView& view_a, const BodyView& view_b) {
  Mat3x12 d = Mat3x12::Zero();
  const int first = with_b ? 6 : 0;
  d.middleCols<3>(first) = 0.5 * Mat3::Identity();
  d.middleCols<3>(first + 3) = -0.5 * skew(end - (with_b ? view_b : view_a).trial->x);
  return d;
}

/// Derivative of the unit vector along carried_normal.
Mat3x12 d_carried_normal(const Active& contact, const HistoryEntry& source, const BodyOverStep& a,
                         const BodyOverStep& b) {
  const CarriedNormal n = carried_normal(contact, source, a, b);
  const Mat3 across = plane_of(n.sum.normalized()) / n.sum.norm();
  Mat3x12 d = Mat3x12::Zero();
  d.middleCols<3>(3) = -across * skew(n.on_a);
  d.rightCols<3>() = -across * skew(n.on_b);
  return d;
}

/// @param number of the open features of the contact within the item (ClosedTerm::place).
std::uint64_t key_of(const Item& item, int number) {
  if (item.kind == ItemKind::edges) return make_key(item.kind, item.a, item.b);
  if (item.kind == ItemKind::smooth || item.kind == ItemKind::vertex_of_a)
    return make_key(item.kind, item.a, item.count > 0 || item.kind == ItemKind::smooth ? number : 0);
  return make_key(item.kind, item.count > 0 ? number : 0, item.b);
}

/// By how much the force at the end of the step exceeds the secant, and its slope: what bodies that come to
/// rest lose by. Positive work only where the law is convex: beyond its onset an attraction is not.
LawValue towards_end(const NormalLaw& law, double gap_n, double gap, const LawValue& secant,
                     const PairConstants& pair) {
  LawValue more;
  const bool attracts = law.threshold() > law.onset();
  if (attracts && gap_n >= law.onset()) return more;
  if (attracts && gap > law.onset()) {
    more.force = law.at(law.onset(), pair).force - secant_at(law, gap_n, law.onset(), pair).force;
    return more;
  }
  const LawValue at_end = law.at(gap, pair);
  more.force = at_end.force - secant.force;
  more.slope = at_end.slope - secant.slope;
  return more;
}

}  // namespace

PairWrench evaluate_secant(BodyPair& pair, const BodyView& view_a, const BodyView& view_b,
                           const InterfaceLaw& law, const StepContext& step) {
  pair.terms.clear();
  pair.secants.clear();
  pair.active.clear();
  pair.stored = {};
  pair.nearest = pair.reach;
  const BodyOverStep a(view_a);
  const BodyOverStep b(view_b);
  FacetOverStep place(b);
  FacetView facet(view_b);
  const Vec3 pole = a.mean_pole();
  const double settling =
      pair.never_settles
          ? 0.0
          : std::max(2 * std::max(view_a.trial->end_weight, view_b.trial->end_weight) - 1, pair.settling);
  PairWrench total;

  const auto add = [&](Active contact, const ClosedTerms& found) {
    contact.window = found.window;
    contact.window_n = found.window_n;
    double net = 0;
    double adhesion = 0;
    double stored_n = 0;
    for (int t = contact.first; t < contact.first + contact.terms; ++t) {
      const Term& term = pair.terms[static_cast<std::size_t>(t)];
      contact.energy += term.sign * term.law.energy;
      stored_n += term.sign * law.normal.at(pair.secants[static_cast<std::size_t>(t)].gap_n, pair).energy;
    }
    limit_taken_off(contact, stored_n, law.normal, pair);
    const double window = window_of(pair, contact);
    contact.settled *= window;
    for (int t = contact.first; t < contact.first + contact.terms; ++t) {
      const Term& term = pair.terms[static_cast<std::size_t>(t)];
      const SecantTerm& secant = pair.secants[static_cast<std::size_t>(t)];
      net += term.sign * term.law.compression();
      adhesion += term.sign * term.law.adhesion;
      const Vec3 force = (-window * term.sign * term.law.force) * secant.dir;
      total.force += force;
      total.moment +=
          (secant.point - pole).cross(force) - (window * term.sign * term.law.force) * secant.couple;
    }
    contact.cosine = found.cosine;
    contact.cosine_n = found.cosine_n;
    contact.widest = found.widest;
    contact.mean_energy = 0.5 * (stored_n + contact.energy);
    if (found.widest > 0) {
      contact.window_mu = window_secant(contact).slope;
      const WindowWrench fading = window_wrench(pair, contact, a, place);
      const Vec3& point = pair.secants[static_cast<std::size_t>(contact.first)].point;
      total.force += fading.force;
      total.moment += fading.couple + (point - pole).cross(fading.force);
    }
    contact.normal = contact.pressing = window * std::max(net, 0.0);
    contact.adhesion = window * adhesion;
    const Term& main = pair.terms[static_cast<std::size_t>(contact.first)];
    const BodyView& near_b = place.at(pair, contact).end;
    const Vec3 sa = main.p - view_a.trial->x;
    const Vec3 sb = main.p - near_b.trial->x;
    contact.rate = step.at_rest ? 0.0 : main.n.dot(relative_velocity(sa, sb, view_a, near_b));
    // What was pressed at the start keeps its friction to the end of the step, under the limit of the step
    // before: it would jump where the terms of a corner cancel.
    contact.history = contact.normal_positive
                          ? find_or_create_history(pair, contact, view_a, facet.at(pair, contact), law)
                          : find_history(pair, contact);
    pair.active.push_back(contact);
  };

  thread_local ClosedTerms found;
  FarItems far(pair, a.start(), b.start(), view_a, view_b);
  for (std::size_t i = 0; i < pair.items.size(); ++i) {
    if (far.skips(i, law.normal.threshold(), pair.nearest)) continue;
    Item& item = pair.items[i];
    closed_terms(pair, item, a, b, law.normal, law.midway(), found);
    far.saw(i, found.nearest, found.nearest_n);
    pair.nearest = std::min(pair.nearest, found.nearest);
    if (found.nearest <= 0 && !law.normal.allows_overlap())
      throw RecoverableError("two bodies touch or overlap");
    const std::size_t first_contact = pair.active.size();
    for (std::size_t first = 0; first < found.terms.size();) {
      const Term& main = found.terms[first].end;
      const int number = found.terms[first].place;
      Active contact;
      contact.key = key_of(item, number);
      contact.first = static_cast<int>(pair.terms.size());
      double elastic = 0, largest = 0;
      std::size_t next = first;
      for (; next < found.terms.size() && found.terms[next].place == number; ++next) {
        const ClosedTerm& closed = found.terms[next];
        if (law.normal.allows_overlap()) check_overlap(closed.end, view_a, view_b);
        SecantTerm& secant =
            pair.secants.emplace_back(secant_of(closed, a, place, law.normal, pair, contact.key, main));
        Term& term = pair.terms.emplace_back(closed.end);
        term.law = secant_at(law.normal, secant.gap_n, secant.gap, pair);
        const double compression = term.law.compression();
        elastic += term.sign * compression;
        largest = std::max(largest, compression);
        if (settling > 0) {
          const LawValue rest = towards_end(law.normal, secant.gap_n, secant.gap, term.law, pair);
          secant.settles = settling * rest.force;
          const double stays = settled_part(secant, term);
          const double more = stays * secant.settles;
          contact.settled += term.sign * more * (secant.gap_n - secant.gap);
          term.law.force += more;
          term.law.slope += stays * settling * rest.slope;
        }
        ++contact.terms;
      }
      first = next;
      // Damping may take all of the force. Friction would jump there: its limit is that of the last step.
      contact.normal_positive = remains(elastic, largest);
      add(contact, found);
    }
    share_fold(pair, item, first_contact, view_a, view_b);
  }
  const bool friction = law.friction_acts(step.time);
  if (group_corners(pair)) {
    thread_local std::vector<Vec3> pushes;
    sum_pushes(
        pair, [&](int t) { return Vec3(pair.terms[t].law.force * pair.secants[t].dir); }, pushes);
    set_straight(pair, pushes);
  }
  if (!friction && !law.rolling_acts()) return total;
  for (Active& contact : pair.active) {
    if (contact.history < 0) continue;
    const HistoryEntry* source = source_of(pair, contact);
    if (friction) {
      const SecantSlip slip = secant_slip(pair, contact, source, a, place, law, step.h);
      contact.limit = slip.limit;
      contact.slips = slip.slides;
      contact.friction = slip.force;
      total.force += slip.force;
      total.moment += (slip.point - pole).cross(slip.force);
    }
    if (law.rolling_acts()) {
      const SecantSlip roll = secant_roll(pair, contact, source, a, place, law);
      contact.rolling_limit = roll.limit;
      contact.rolls = roll.slides;
      contact.rolling = roll.force;
      total.moment += roll.force;
    }
  }
  return total;
}

void secant_tangent(BodyPair& pair, const BodyView& view_a, const BodyView& view_b, const InterfaceLaw& law,
                    const StepContext& step, PairTangent& on_a, PairTangent& on_b) {
  const BodyOverStep a(view_a);
  const BodyOverStep b(view_b);
  FacetOverStep place(b);
  const Vec3 pole = a.mean_pole();
  const Vec3 r = view_a.trial->x - view_b.trial->x;
  const Vec3 arm = pole - b.mean_pole();
  const bool friction = law.friction_acts(step.time);
  const bool rolling = law.rolling_acts();
  Mat3x12 d_pole = Mat3x12::Zero();
  d_pole.leftCols<3>() = 0.5 * Mat3::Identity();
  Mat3x12 d_force = Mat3x12::Zero();
  Mat3x12 d_moment = Mat3x12::Zero();
  Vec3 force = Vec3::Zero();
  /// A force f at a point: how it and its moment change.
  const auto add = [&](const Vec3& f, const Mat3x12& df, const Vec3& point, const Mat3x12& d_point) {
    force += f;
    d_force += df;
    d_moment += skew(point - pole) * df - skew(f) * (d_point - d_pole);
  };
  const bool corners = meet_in_corners(*view_a.shape, *view_b.shape);
  thread_local std::vector<AcrossColumns> columns;
  columns.assign(friction || rolling ? pair.active.size() : 0, {});
  for (std::size_t i = 0; i < pair.active.size(); ++i) {
    const Active& contact = pair.active[i];
    const double window = window_of(pair, contact);
    Row12 d_window = Row12::Zero();
    const WindowSecant fading = contact.widest > 0 ? window_secant(contact) : WindowSecant{};
    Row12 d_cosine = Row12::Zero();
    const Term& main = pair.terms[static_cast<std::size_t>(contact.first)];
    if (fading.mu != 0 || fading.slope != 0) {
      const Vec3 across = main.e.cross(main.f);
      d_cosine.segment<3>(3) = across.transpose();
      d_cosine.segment<3>(9) = -across.transpose();
      d_window = 0.5 * contact.part * fading.mu * d_cosine;
    }
    if (contact.part_slope != 0) d_window += d_part(pair, contact, view_a, view_b, law.normal, r);
    Row12 d_energy = Row12::Zero();
    Mat3x12 d_main_dir, d_main_point;  // of the first term, and of where friction acts
    AcrossColumns* const of_corner = !columns.empty() && contact.corner >= 0
                                         ? &columns[static_cast<std::size_t>(contact.corner)]
                                         : nullptr;
    for (int t = contact.first; t < contact.first + contact.terms; ++t) {
      const Term& term = pair.terms[static_cast<std::size_t>(t)];
      const SecantTerm& secant = pair.secants[static_cast<std::size_t>(t)];
      const Vec3 s = term.p - view_a.trial->x;
      const TermMotion motion = motion_of(pair, term, s, view_a, view_b);
      const Row12 d_end = expand(motion.gap, r);
      d_energy += term.sign * law.normal.at(term.gap, pair).force * -d_end;
      const Row12 d_gap = secant.follows * d_end;
      Mat3x12 d_n_end = expand(motion.normal, term.n, r);
      Mat3x12 d_dir = secant.share * d_n_end;
      if (secant.reach != 0) d_dir += (term.n - (secant.dir - secant.correction)) * (d_gap / secant.reach);
      const bool is_straight = !corners && !keeps_curvature(pair, term, motion, step.h);
      if (is_straight) {
        d_dir.setZero();
        d_n_end.setZero();
      }
      Mat3x12 d_nearest = d_mean_place(term.p, moves_with_b(term.kind), view_a, view_b);
      if (!moves_with_b(term.kind)) {
        if (shifts(term.kind)) d_nearest += 0.5 * expand(motion.shift, Vec3::Zero(), r);
        // That of a superquadric is halfway between the surfaces (secant_of).
        if (is_smooth(term.kind)) d_nearest -= 0.25 * (term.n * d_end + term.distance * d_n_end);
      }
      const Mat3x12 d_point =
          secant.carried ? d_mean_place(secant.end, secant.with_b, view_a, view_b) : d_nearest;
      if (t == contact.first) {
        d_main_dir = d_dir;
        // Of the point between the surfaces (contact_point).
        const double part = term.gap < 0 ? pair.share : 0.5;
        const bool with_b = moves_with_b(term.kind);
        const double radius = (with_b ? view_b : view_a).shape->radius;
        const double out = with_b ? 1 - part : -part;
        d_main_point = d_nearest + 0.5 * (out * term.n * d_end +
                                          ((with_b ? radius : -radius) + out * term.gap) * d_n_end);
      }
      Mat3x12 d_couple = Mat3x12::Zero();
      const bool corrected = !secant.correction.isZero(0) || !secant.couple.isZero(0);
      if (corrected && !is_straight) {
        const BodyOverStep& near_b = place.at(pair, contact, secant.point);
        add_correction(secant, a, near_b, d_gap, d_point, d_dir, d_couple);
      }
      const double scale = -term.sign * term.law.force;
      const Vec3 f = (window * scale) * secant.dir;
      Row12 d_size = (-window * term.sign * term.law.slope) * d_gap + scale * d_window;
      if (secant.settles != 0)
        d_size -= (window * term.sign * secant.settles) * d_settled_part(secant, term, d_n_end);
      const Mat3x12 df = secant.dir * d_size + (window * scale) * d_dir;
      add(f, df, secant.point, d_point);
      if (of_corner != nullptr && !term.takes_off) {
        of_corner->push -= f;  // of the residual
        of_corner->d_push -= df;
      }
      if (corrected) {
        d_moment += (window * scale) * d_couple + secant.couple * d_size;
      }
    }
    if (contact.window_mu != 0) {
      const Vec3 e = 0.5 * (view_a.trial->Q.transpose() * main.e + main.e);
      const Vec3 f = place.mean_edge(contact.key, main);
      d_moment += contact.mean_energy * fading.slope_end * e.cross(f) * d_cosine +
                  0.5 * contact.window_mu * contact.part_end * e.cross(f) * d_energy;
      Mat3x12 d_couple = Mat3x12::Zero();
      d_couple.middleCols<3>(3) = 0.5 * skew(f) * skew(main.e);
      d_couple.rightCols<3>() = -0.5 * skew(e) * skew(main.f);
      d_moment += contact.mean_energy * contact.window_mu * d_couple;
    }
    if (columns.empty()) continue;
    columns[i].d_point = d_main_point;
    if (!contact.straight.isZero(0)) continue;
    const Vec3 mean = mean_normal(pair, contact);
    columns[i].d_n = plane_of(mean.normalized()) * d_main_dir / mean.norm();
  }
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const Active& contact = pair.active[i];
    if (contact.history < 0) continue;
    const HistoryEntry* source = source_of(pair, contact);
    if (source == nullptr) continue;  // a new contact has no limit yet
    if (are_sharp(a, b)) {
      columns[i].d_n = d_carried_normal(contact, *source, a, b);
    } else if (!contact.straight.isZero(0)) {
      const AcrossColumns& corner = columns[static_cast<std::size_t>(contact.corner)];
      columns[i].d_n = plane_of(contact.straight) * corner.d_push / corner.push.norm();
    }
    const Mat3x12& d_n = columns[i].d_n;
    const Mat3x12& d_point = columns[i].d_point;
    const auto at = static_cast<std::size_t>(contact.history);
    SlipIterates* iterates = at < pair.iterates.size() ? &pair.iterates[at] : nullptr;
    if (friction) {
      const SecantSlip slip = secant_slip(pair, contact, source, a, place, law, step.h);
      SlipIterate* iterate = iterates != nullptr ? &iterates->friction : nullptr;
      if (slip.slope() > 0) {
        if (iterate != nullptr) follow_slip(slip, *iterate);
        const BodyOverStep& near_b = place.at(pair, contact, slip.point);
        const Mat3x12 df = d_slip_force(slip, iterate, parting(a, near_b, slip.point),
                                        d_parting(a, near_b, slip.point, d_point),
                                        d_turned(slip, source->slip, source->n, d_n), d_n);
        add(slip.force, df, slip.point, d_point);
      }
    }
    if (rolling) {
      const SecantSlip roll = secant_roll(pair, contact, source, a, place, law);
      SlipIterate* iterate = iterates != nullptr ? &iterates->rolling : nullptr;
      if (iterate != nullptr) follow_slip(roll, *iterate);
      const BodyOverStep& near_b = place.at(pair, contact);
      d_moment += d_slip_force(roll, iterate, turning(a, near_b), d_turning(a, near_b),
                               d_turned(roll, source->roll, source->n, d_n), d_n);
    }
  }
  on_a.topRows<3>() = d_force;
  on_a.bottomRows<3>() = d_moment;
  Mat3x12 d_arm = d_pole;
  d_arm.middleCols<3>(6) = -0.5 * Mat3::Identity();
  on_b.topRows<3>() = -d_force;
  on_b.bottomRows<3>() = -d_moment - skew(arm) * d_force + skew(force) * d_arm;
}

}  // namespace scree::contact

/// Exact tangent of a pair. Poses enter through the motion of A relative to B only: with B held, A displaced
/// by v and turned by w about its pole, every term needs one 6 x 6 block; the 12 columns follow once per
/// pair from objectivity (docs/contact.md, section 5). Dissipative forces add general columns.
#include <algorithm>
#include <cmath>

#include "contact/geometry/tangent_plane.hpp"
#include "contact/pair/pair_evaluate.hpp"
#include "contact/pair/pair_friction.hpp"
#include "contact/pair/pair_history.hpp"
#include "contact/pair/pair_rolling.hpp"
#include "contact/pair/shared_corners.hpp"
#include "contact/pair/shared_folds.hpp"
#include "contact/pair/term_motion.hpp"
#include "contact/superquadric/smooth_terms.hpp"
#include "contact/surface/deforming_surface.hpp"
#include "core/rotation.hpp"

namespace scree::contact {
namespace {

using rotation::skew;
/// Derivative of the gap rate [Poly, Eq. 41] in the 12 columns.
Row12 rate_row(const Term& term, const TermMotion& m, const BodyView& a, const BodyView& b, const Vec3& r) {
  const Vec3& n = term.n;
  const Vec3 sa = term.p - a.trial->x;
  const Vec3 sb = term.p - b.trial->x;
  const Vec3 c = relative_velocity(sa, sb, a, b);
  Row12 row = expand(m.normal.transpose() * c, r);
  row.segment<3>(9) += n.cross(c);
  row += n.transpose() * point_velocity(sa, sb, a, b);
  const Vec3 aa = n.cross(a.trial->w);
  const Vec3 ab = n.cross(b.trial->w);
  const Vec3 spin = aa - ab;
  if (moves_with_b(term.kind)) {
    row.segment<3>(0) -= aa;
    row.segment<3>(6) += aa;
    row.segment<3>(9) += sb.cross(spin);
  } else {
    row.segment<3>(0) -= ab;
    row.segment<3>(6) += ab;
    row.segment<3>(3) += sa.cross(spin);
    if (shifts(term.kind)) row += spin.transpose() * expand(m.shift, Vec3::Zero(), r);
  }
  return row;
}

/// Adds scale * d(wrench of a force along n) with the size of the force held: rotation of n and of the arm.
void add_geometric(Mat6& k, const Term& term, const TermMotion& m, const Vec3& s, double scale) {
  const Vec3 g = scale * term.n;
  const Mat36 dn = scale * m.normal;
  k.topRows<3>() += dn;
  k.bottomRows<3>() += skew(s) * dn;
  if (moves_with_b(term.kind)) {
    k.bottomLeftCorner<3, 3>() += skew(g);
  } else {
    k.bottomRightCorner<3, 3>() += s * g.transpose() - s.dot(g) * Mat3::Identity();
    if (shifts(term.kind)) k.bottomRows<3>() -= skew(g) * m.shift;
  }
}

/// Within a solve, geometric stiffness of a contact is left out from this part of the inertia on.
constexpr double kCurved = 0.5;

/// Whether the turn of the direction of a contact's force enters the tangent. It softens a compressed contact
/// by about f/d, d the radius of curvature, or by f s about its pole, s the lever. In a solve with a step so
/// large that this is comparable with the inertia m*/h^2 the matrix would become indefinite (theory 09
/// section 2); outside of a solve the tangent is the derivative.
bool keeps_direction(const BodyPair& pair, const Active& contact, const Vec3& s, const TermMotion& main,
                     const BodyView& a) {
  const double rate = a.trial->dv_du;
  if (pair.iterates.empty() || rate == 0) return true;
  const double force = std::abs(contact.normal - contact.adhesion - contact.damping);
  const double size = a.shape->bounding_radius;
  const double turn = std::max(main.normal.leftCols<3>().norm(), s.norm() / (size * size));
  return force * turn <= kCurved * pair.m_star * rate * rate;
}

struct Accumulator {
  Mat6 relative = Mat6::Zero();  ///< pose part, B held
  Vec3 force = Vec3::Zero();     ///< pose part of the wrench
  Vec3 moment = Vec3::Zero();
  PairTangent columns = PairTangent::Zero();  ///< everything that is not a function of the relative pose
};

/// What the dashpot of a contact needs of its terms, B held.
struct DashpotParts {
  Term term;  ///< at whose point it acts, along its normal
  TermMotion motion;
  Vec6 normal_gradient = Vec6::Zero();  ///< of the elastic compression
  Vec6 dashpot_gradient = Vec6::Zero();
  bool turns = true;         ///< the tangent has the turn of its direction
  Vec3 push = Vec3::Zero();  ///< of the first contact of a corner: force on A of all of them [N]
  Mat36 d_push = Mat36::Zero();
};

/// Gradients of the parts of contacts in folds that count (shared_folds.hpp). With s = 1 - Q/P, Q what is
/// taken off and P the sum of the positive compressions, ds = (-dQ + (1 - s) dP)/P.
void share_gradients(const BodyPair& pair, std::vector<DashpotParts>& parts) {
  for (std::size_t i = 0; i < pair.active.size(); ++i) {
    if (pair.active[i].fold != static_cast<int>(i)) continue;
    const double counts = pair.active[i].counts;
    double positive = 0;
    Vec6 taken = Vec6::Zero(), counted = Vec6::Zero();
    for (std::size_t k = i; k < pair.active.size(); ++k) {
      const Active& contact = pair.active[k];
      if (contact.fold != static_cast<int>(i)) continue;
      const double net = net_compression(pair, contact);
      positive += std::max(net, 0.0);
      (net > 0 ? counted : taken) += parts[k].normal_gradient;
    }
    Vec6 d_counts = Vec6::Zero();
    if (counts > 0) d_counts = (taken + (1 - counts) * counted) / positive;
    for (std::size_t k = i; k < pair.active.size(); ++k) {
      const Active& contact = pair.active[k];
      if (contact.fold != static_cast<int>(i)) continue;
      const double net = net_compression(pair, contact);
      if (net > 0) {
        parts[k].normal_gradient = counts * parts[k].normal_gradient + net * d_counts;
      } else {
        parts[k].normal_gradient.setZero();
      }
      parts[k].dashpot_gradient *= counts;
      if (counts > 0) parts[k].dashpot_gradient += (contact.dashpot / counts) * d_counts;
    }
  }
}

/// Derivatives of a contact in the 12 columns that friction and rolling resistance need.
struct ContactRows {
  TermColumns term;
  Row12 normal;    ///< of the elastic compression
  Row12 pressing;  ///< of the compression that the limits see
};

/// Derivative of Active::share: N/M with M the sum over the family. @param rows of all active contacts.
Row12 share_row(const BodyPair& pair, const Active& contact, const std::vector<ContactRows>& rows) {
  const int family = family_of(pair, contact);
  const double all = pair.history[family].family;
  if (contact.share == 1 || all == 0) return Row12::Zero();
  Row12 sum = Row12::Zero();
  for (std::size_t i = 0; i < pair.active.size(); ++i) {
    const Active& other = pair.active[i];
    if (other.history < 0 || family_of(pair, other) != family) continue;
    sum -= contact.share * rows[i].normal;
    if (&other == &contact) sum += rows[i].normal;
  }
  return sum / all;
}

/// @param share derivative of Active::share in the 12 columns.
void add_friction(Accumulator& sum, const BodyPair& pair, const Active& contact, const ContactRows& rows,
                  const Row12& share, const BodyView& a, const BodyView& b, const InterfaceLaw& law,
                  const StepContext& step, PairWrench& friction) {
  const SlipIncrement increment = slip_increment(pair, contact, a, b, law, step);
  const TrialStiffness stiffness = trial_stiffness(pair, contact, law, step);
  const Vec3& f = contact.friction;
  friction.force += f;
  friction.moment += increment.arm_a.cross(f);
  if (stiffness.both() == 0) return;
  const ActingPart& part = increment.part;
  const SlipColumns d = slip_columns(pair, contact, increment, rows.term, a, b, law, step);
  Mat3x12 df = stiffness.elastic * part.spring * d.whole + stiffness.carried * d.kept;
  df += (stiffness.carried_by_share * increment.kept) * share;
  Mat3x12 dashpot = stiffness.viscous * part.dashpot * d.drift;
  if (!step.frozen) {
    df += (stiffness.elastic_slope * increment.slip + stiffness.carried_slope * increment.kept +
           stiffness.elastic * part.spring_slope * increment.whole) *
          rows.term.gap;
    dashpot += (stiffness.viscous_slope * increment.viscous +
                stiffness.viscous * part.dashpot_slope * increment.drift) *
               rows.term.gap;
  }
  const bool apart = law.friction.limit == FrictionLimit::spring;
  if (!apart) df += dashpot;
  if (contact.slips) {
    const SlipIterates* kept = iterates_of(pair, contact);
    const Vec3 trial = (apart ? stiffness.elastic : stiffness.both()) * contact.trial_slip;
    const Vec3 direction = trial.normalized();
    const Vec3 force = kept != nullptr ? kept->friction.force : Vec3(contact.limit * direction);
    df = slip_tangent(trial, contact.limit, force) * df +
         law.friction.dynamic_coefficient * direction * rows.pressing;
  }
  if (dashpot_beside(law, pair.history[contact.history])) df += dashpot;
  sum.columns.topRows<3>() += df;
  sum.columns.bottomRows<3>() += skew(increment.arm_a) * df - skew(f) * d.arm_a;
}

/// Adds the dashpot of a contact. @returns derivative of its force in the 12 columns.
Row12 add_dashpot(Accumulator& sum, const Active& contact, const DashpotParts& parts, const BodyView& a,
                  const BodyView& b, const InterfaceLaw& law, const StepContext& step, const Vec3& r) {
  const Term& term = parts.term;
  const Vec3 s = term.p - a.trial->x;
  const Vec6& w = parts.motion.wrench;
  Row12 row = Row12::Zero();
  if (parts.turns) {
    add_geometric(sum.relative, term, parts.motion, s, contact.damping);
    sum.force += contact.damping * term.n;
    sum.moment += contact.damping * s.cross(term.n);
  }
  if (step.frozen) {
    if (contact.damping_clipped) return row;
    row = contact.dashpot * term.n.transpose() * point_velocity(s, term.p - b.trial->x, a, b);
    sum.columns += w * row;
  } else if (contact.damping_clipped) {
    sum.relative += w * parts.normal_gradient.transpose();
  } else if (contact.damping_begins) {
    const Vec6 gradient =
        (contact.dashpot * parts.motion.gap + beginning_gap(term, law) * parts.dashpot_gradient) /
        (kBeginning * step.h);
    sum.relative += w * gradient.transpose();
    row = expand(gradient, r);
  } else {
    row = contact.dashpot * rate_row(term, parts.motion, a, b, r) +
          contact.rate * expand(parts.dashpot_gradient, r);
    sum.columns += w * row;
  }
  return row;
}

}  // namespace

PairWrench evaluate_tangent(const BodyPair& pair, const BodyView& a, const BodyView& b,
                            const InterfaceLaw& law, const StepContext& step, PairTangent& tangent) {
  Accumulator sum;
  PairWrench friction;
  thread_local std::vector<ContactRows> rows;
  rows.resize(pair.active.size());
  thread_local std::vector<DashpotParts> dashpots;
  dashpots.assign(pair.active.size(), {});
  const Vec3& xa = a.trial->x;
  const Vec3 r = xa - b.trial->x;
  const bool friction_acts = law.friction_acts(step.time);
  const bool acts_across = friction_acts || law.rolling_acts();
  const double root_mass = std::sqrt(pair.m_star);
  FacetView facet(b);  // the columns of a B that deforms are of no use to anybody

  for (std::size_t i = 0; i < pair.active.size(); ++i) {
    const Active& contact = pair.active[i];
    const double m = window_of(pair, contact);
    DashpotParts& parts = dashpots[i];
    DashpotParts* const corner =
        contact.corner < 0 ? nullptr : &dashpots[static_cast<std::size_t>(contact.corner)];
    Vec6 elastic = Vec6::Zero();   // gradient of the signed sum of V
    Vec3 straight = Vec3::Zero();  // the part of its force that counts in the direction of a corner
    Vec6& normal_gradient = parts.normal_gradient;
    Vec6& dashpot_gradient = parts.dashpot_gradient;
    double force_sum = 0, dashpot_sum = 0;
    TermMotion& main_motion = parts.motion;
    bool& turns = parts.turns;
    for (int t = contact.first; t < contact.first + contact.terms; ++t) {
      const Term& term = pair.terms[t];
      const Vec3 s = term.p - xa;
      const TermMotion motion = motion_of(pair, term, s, a, b);
      if (t == contact.first) {
        main_motion = motion;
        turns = keeps_direction(pair, contact, s, motion, a);
      }
      const double scale = m * term.sign;
      sum.relative += (-scale * term.law.slope * motion.wrench) * motion.gap.transpose();
      if (turns) add_geometric(sum.relative, term, motion, s, -scale * term.law.force);
      elastic -= term.sign * term.law.force * motion.wrench;
      if (corner != nullptr && !term.takes_off) {
        straight -= term.sign * term.law.force * term.n;
        corner->d_push +=
            scale * (term.law.slope * term.n * motion.gap.transpose() + term.law.force * motion.normal);
      }
      normal_gradient += term.sign * term.law.compression_slope() * motion.gap;
      dashpot_gradient += term.sign * term.law.dashpot_slope * motion.gap;
      force_sum += term.sign * term.law.compression();
      dashpot_sum += term.sign * term.law.dashpot;
    }
    const Term& main = pair.terms[contact.first];
    if (corner != nullptr) corner->push -= m * straight;
    normal_gradient *= m;
    dashpot_gradient *= m;
    if (contact.part_slope != 0) {
      // Of what a pair takes off only a part acts, which goes with the sum.
      const Vec6 d_window = (contact.window * contact.part_slope) * elastic;
      if (turns) sum.relative += elastic * d_window.transpose();
      normal_gradient += force_sum * d_window;
      dashpot_gradient += dashpot_sum * d_window;
      if (corner != nullptr) corner->d_push -= straight * d_window.transpose();
    }
    if (turns) {
      sum.force += m * elastic.head<3>();
      sum.moment += m * elastic.tail<3>();
    }
    if (contact.window_mu != 0) {
      // E = m S: d(m G + S g) = g' G + m dG + G' g + S dg with g = mu k in the moment rows.
      const Vec3 k = main.e.cross(main.f);
      Vec6 g = Vec6::Zero();
      g.tail<3>() = contact.window_mu * k;
      if (turns) {
        sum.relative += contact.part * (elastic * g.transpose() + g * elastic.transpose());
        sum.relative.bottomRightCorner<3, 3>() +=
            contact.energy *
            (contact.window_mu_dc * k * k.transpose() +
             contact.window_mu * (main.e * main.f.transpose() - main.e.dot(main.f) * Mat3::Identity()));
        sum.moment += contact.energy * g.tail<3>();
      }
      if (corner != nullptr) corner->d_push -= contact.part * straight * g.transpose();
      normal_gradient += contact.part * force_sum * g;
      dashpot_gradient += contact.part * dashpot_sum * g;
    }
    if (!contact.normal_positive && contact.fold < 0) normal_gradient.setZero();
    dashpot_gradient *= contact.dashpot_positive ? root_mass : 0.0;

    parts.term = main;
    if (!acts_across || contact.history < 0) continue;
    ContactRows& own = rows[i];
    own.term.gap = expand(main_motion.gap, r);
    own.term.normal = expand(main_motion.normal, main.n, r);
    own.term.along.setZero();
    if (shifts(main.kind)) own.term.along = expand(main_motion.shift, Vec3::Zero(), r);
  }
  share_gradients(pair, dashpots);
  for (std::size_t i = 0; acts_across && i < pair.active.size(); ++i) {
    ContactRows& own = rows[i];
    own.normal.setZero();
    if (!step.frozen) own.normal = expand(dashpots[i].normal_gradient, r);
    own.pressing.setZero();
    if (pair.active[i].pressing > 0) own.pressing = own.normal;
  }
  for (std::size_t i = 0; i < pair.active.size(); ++i) {
    const Active& contact = pair.active[i];
    if (contact.damping == 0 && !(contact.dashpot > 0)) continue;
    DashpotParts& parts = dashpots[i];
    if (!contact.straight.isZero(0)) {
      const DashpotParts& corner = dashpots[static_cast<std::size_t>(contact.corner)];
      const Vec3 s = parts.term.p - xa;
      parts.term.n = contact.straight;
      parts.motion.normal = plane_of(contact.straight) * corner.d_push / corner.push.norm();
      parts.motion.wrench << contact.straight, s.cross(contact.straight);
    }
    const Row12 row = add_dashpot(sum, contact, parts, a, facet.at(pair, contact), law, step, r);
    if (acts_across && contact.history >= 0 && contact.pressing > 0 && law.dashpot_presses())
      rows[i].pressing -= row;
  }
  // Across the normal: the springs that contacts share depend on the normal forces of each other.
  for (std::size_t i = 0; acts_across && i < pair.active.size(); ++i) {
    const Active& contact = pair.active[i];
    if (contact.history < 0) continue;
    const Row12 share = share_row(pair, contact, rows);
    const BodyView& near_b = facet.at(pair, contact);
    if (friction_acts) add_friction(sum, pair, contact, rows[i], share, a, near_b, law, step, friction);
    if (!law.rolling_acts()) continue;
    friction.moment += contact.rolling;
    sum.columns.bottomRows<3>() +=
        rolling_tangent(pair, contact, a, near_b, law, step, rows[i].pressing, rows[i].term.gap, share);
  }

  // Objectivity: v = u_A - u_B - theta_B x r, w = theta_A - theta_B, and the wrench turns with B.
  tangent = sum.columns;
  if (step.frozen) return {sum.force + friction.force, sum.moment + friction.moment};
  tangent.leftCols<6>() += sum.relative;
  tangent.middleCols<3>(6) -= sum.relative.leftCols<3>();
  tangent.rightCols<3>() += sum.relative.leftCols<3>() * skew(r) - sum.relative.rightCols<3>();
  tangent.block<3, 3>(0, 9) -= skew(sum.force);
  tangent.block<3, 3>(3, 9) -= skew(sum.moment);
  return {sum.force + friction.force, sum.moment + friction.moment};
}

PairTangent reaction_tangent(const PairTangent& tangent, const PairWrench& wrench, const Vec3& r,
                             bool frozen) {
  PairTangent reaction;
  reaction.topRows<3>() = -tangent.topRows<3>();
  reaction.bottomRows<3>() = -tangent.bottomRows<3>() - skew(r) * tangent.topRows<3>();
  if (frozen) return reaction;
  reaction.block<3, 3>(3, 0) += skew(wrench.force);
  reaction.block<3, 3>(3, 6) -= skew(wrench.force);
  return reaction;
}

}  // namespace scree::contact

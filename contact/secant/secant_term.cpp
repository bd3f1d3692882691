#include "contact/secant/secant_term.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace scree::contact {
namespace {

/// Misses below this part of the motion are round-off: a correction would be noise.
constexpr double kExact = 1e-11;
/// So are those that rounding of positions makes.
constexpr double kRoundOff = 16 * std::numeric_limits<double>::epsilon();

/// Where a material point of a body was at the start of the step.
Vec3 back_by(const BodyOverStep& body, const Vec3& point) {
  const BodyTrial& now = *body.end.trial;
  return body.start_pose.x + now.Q.transpose() * (point - now.x);
}

/// Where a point of a body that was at `point` at the start of the step is at its end.
Vec3 forward_by(const BodyOverStep& body, const Vec3& point) {
  const BodyTrial& now = *body.end.trial;
  return now.x + now.Q * (point - body.start_pose.x);
}

/// Halfway between the nearest points.
Vec3 middle(const Term& term) {
  const double half = 0.5 * term.distance;
  return moves_with_b(term.kind) ? Vec3(term.p + half * term.n) : Vec3(term.p - half * term.n);
}

/// Whether two crossings of edges are on the same side, so that one normal turns into the other.
bool same_side(const Term& p, const Term& q) {
  return (p.e.cross(p.f).dot(p.n) > 0) == (q.e.cross(q.f).dot(q.n) > 0);
}

/// Squared sine below which mean lines of edges have no distinct crossing; their window is as good as shut.
constexpr double kParallel = 1e-10;

/// Cosines between the normals at both ends: from the first on a contact passes, at the second it has.
constexpr double kTurns = 0.8;
constexpr double kHasTurned = 0.4;

/// What acts at both ends follows a surface; what acts at one, up to this part of its energy at the other,
/// comes to it or leaves it.
constexpr double kSmaller = 0.1;

/// Of a term whose normal turns far: which part of each normal acts, and over which change of the gap.
void set_passage(const ClosedTerm& term, const NormalLaw& law, const PairConstants& pair,
                 SecantTerm& secant) {
  if (law.threshold() > law.onset()) return;  // attraction beyond the onset: of balls, which have no edges
  const double cosine = term.start.n.dot(term.end.n);
  if (cosine >= kTurns) return;
  const double first = law.at(term.start.gap, pair).energy;
  const double last = law.at(term.end.gap, pair).energy;
  const double most = std::max(first, last);
  const double least = std::min(first, last);
  if (!(most > 0) || !(least >= 0) || least >= kSmaller * most) return;
  secant.passes = std::min((kTurns - cosine) / (kTurns - kHasTurned), 1.0) * (1 - least / (kSmaller * most));
  const double part = last / (first + last);
  secant.share += secant.passes * (part - secant.share);
  secant.reach = 0;
  const double beyond = std::max(term.end.gap - law.threshold(), 0.0);
  secant.gap_n -= secant.passes * std::max(term.start.gap - law.threshold(), 0.0);
  secant.gap -= secant.passes * beyond;
  if (beyond > 0) secant.follows = 1 - secant.passes;
}

/// Crossing of the mean lines of two edges along the mean normal: there the force misses nothing.
/// @param on_b of the mean line of B. @param[in,out] point stays for lines that are parallel.
void set_crossing_of_means(const ClosedTerm& term, const Vec3& n, const BodyOverStep& a, const Vec3& on_b,
                           Vec3& point) {
  const Vec3& p = term.end.p;
  const Vec3 on_a = 0.5 * (p + back_by(a, p));
  const Vec3 along_a = 0.5 * (term.start.e + term.end.e);
  const Vec3 along_b = 0.5 * (term.start.f + term.end.f);
  if (along_a.cross(along_b).squaredNorm() < kParallel) return;
  Mat3 lines;
  lines << along_a, n, -along_b;
  const Vec3 where = lines.partialPivLu().solve(on_b - on_a);
  point = on_a + where[0] * along_a;
}

/// Normals around an edge or a vertex count by their distances: (r0 + r1)/(|r0| + |r1|).
void set_reach(double r_n, double r, SecantTerm& secant) {
  secant.share = r / (r_n + r);
  secant.reach = r_n + r;
}

/// Of two sharp bodies, whatever is nearest at the end.
void set_by_rule(const ClosedTerm& term, const BodyOverStep& a, const BodyOverStep& b, SecantTerm& secant) {
  if (term.rule == SecantRule::crossing) return;
  if (term.rule == SecantRule::corner) set_reach(term.start.distance, term.end.distance, secant);
  const Vec3 start = term.of_b ? foot_on_b(term.start) : foot_on_a(term.start);
  secant.carried = true;
  secant.with_b = term.of_b;
  secant.end = forward_by(term.of_b ? b : a, start);
  secant.point = 0.5 * (start + secant.end);
}

/// Crossing of the mean lines of two edges along the mean normal. Lines that are nearly parallel have none,
/// and rounding of their angle must not move it: within a sine of 1e-5 it goes over to the mean of the
/// nearest points. Edge directions and feet are those at both ends.
void set_blurred_crossing(const ClosedTerm& term, const Vec3& n, const BodyOverStep& a, const BodyOverStep& b,
                          SecantTerm& secant) {
  const Vec3 foot_a = foot_on_a(term.end);
  const Vec3 foot_b = foot_on_b(term.end);
  const Vec3 on_a = 0.5 * (foot_a + back_by(a, foot_a));
  const Vec3 on_b = 0.5 * (foot_b + back_by(b, foot_b));
  const Vec3 along_a = 0.5 * (term.start.e + term.end.e);
  const Vec3 along_b = 0.5 * (term.start.f + term.end.f);
  const double sine = n.dot(along_a.cross(along_b));
  secant.point = on_a + ((on_a - on_b).dot(n.cross(along_b)) * sine / (sine * sine + kParallel)) * along_a;
}

}  // namespace

Vec3 parting(const BodyOverStep& a, const BodyOverStep& b, const Vec3& point) {
  const BodyTrial& ta = *a.end.trial;
  const BodyTrial& tb = *b.end.trial;
  return ta.u - tb.u + ta.alpha.cross(point - a.mean_pole()) - tb.alpha.cross(point - b.mean_pole());
}

Vec3 turning(const BodyOverStep& a, const BodyOverStep& b) { return a.end.trial->alpha - b.end.trial->alpha; }

double arm_of_correction2(const BodyOverStep& a, const BodyOverStep& b) {
  double size = a.end.shape->bounding_radius;
  if (b.end.shape->bounding_radius > 0) size = std::min(size, b.end.shape->bounding_radius);
  return 0.25 * size * size;
}

Vec3 acting_normal(const SecantTerm& secant, const Term& end) {
  if (secant.passes == 0) return end.n;
  const Vec3 mean = (1 - secant.share) * secant.n_start + secant.share * end.n;
  return ((1 - secant.passes) * end.n + secant.passes * mean).normalized();
}

SecantTerm secant_of(const ClosedTerm& term, const BodyOverStep& a, FacetOverStep& b_or_place,
                     const NormalLaw& law, const BodyPair& pair, std::uint64_t key, const Term& main) {
  const Term& start = term.start;
  const Term& end = term.end;
  SecantTerm secant;
  secant.gap_n = start.gap;
  secant.gap = end.gap;
  secant.n_start = start.n;
  secant.point = 0.5 * (middle(start) + middle(end));
  const bool sharp = are_sharp(a, b_or_place.whole());
  if (sharp) {
    set_by_rule(term, a, b_or_place.whole(), secant);
  } else if (start.kind == end.kind) {
    switch (end.kind) {
      case TermKind::vf:
      case TermKind::fv:
        secant.point = 0.5 * (start.p + end.p);
        break;
      case TermKind::ve:
      case TermKind::ev:
      case TermKind::vv:
        if (start.curvature != 0 && end.curvature != 0 && (start.curvature > 0) == (end.curvature > 0)) {
          set_reach(1 / std::abs(start.curvature), 1 / std::abs(end.curvature), secant);
          if (end.curvature < 0) secant.reach = -secant.reach;
        }
        secant.point = 0.5 * (start.p + end.p);
        break;
      default:
        break;
    }
  }
  // Of a surface that is not convex, faces and edges of both signs meet, whose secants go together.
  if (a.end.shape->convex && b_or_place.whole().end.shape->convex) set_passage(term, law, pair, secant);
  secant.dir = (1 - secant.share) * start.n + secant.share * end.n;
  if (sharp) {
    if (term.rule == SecantRule::crossing)
      set_blurred_crossing(term, secant.dir, a, b_or_place.whole(), secant);
  } else if (start.kind == TermKind::ee && end.kind == TermKind::ee && same_side(start, end)) {
    const Vec3 q = foot_on_b(end);
    set_crossing_of_means(term, secant.dir, a, 0.5 * (q + b_or_place.back(pair, key, main, q)), secant.point);
  }
  const BodyOverStep& b = b_or_place.at(pair, key, main, secant.point);
  const Vec3 apart = parting(a, b, secant.point);
  const double miss = secant.gap - secant.gap_n - secant.dir.dot(apart);
  const Vec3 turn = turning(a, b);
  const double arm2 = arm_of_correction2(a, b);
  const double way2 = apart.squaredNorm() + arm2 * turn.squaredNorm();
  const double round_off = kRoundOff * (secant.point.norm() + a.end.trial->x.norm() + b.end.trial->x.norm());
  if (std::abs(miss) > kExact * (std::sqrt(way2) + std::abs(secant.gap - secant.gap_n)) + round_off &&
      way2 > 0) {
    secant.correction = (miss / way2) * apart;
    secant.couple = (miss / way2 * arm2) * turn;
    secant.dir += secant.correction;
  }
  return secant;
}

}  // namespace scree::contact

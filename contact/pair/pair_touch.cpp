#include "contact/pair/pair_touch.hpp"

#include <cmath>

#include "contact/geometry/tangent_plane.hpp"
#include "contact/pair/pair_terms.hpp"
#include "contact/superquadric/smooth_terms.hpp"

namespace scree::contact {
namespace {

/// Where a material point of a body was at the accepted state.
Vec3 back(const BodyView& body, const Vec3& point) {
  return body.trial->x - body.trial->u + body.trial->Q.transpose() * (point - body.trial->x);
}
Vec3 turned_back(const BodyView& body, const Vec3& direction) {
  return body.trial->Q.transpose() * direction;
}

/// Gap and normal of the features at the accepted state, from the vector y between their witnesses.
void measure(StartOfContact& start, const Term& term, const BodyView& a, const BodyView& b, Vec3 y,
             const Vec3& on_a) {
  double distance = 0;
  switch (term.kind) {
    case TermKind::vf:
    case TermKind::fv:
      start.n = turned_back(term.kind == TermKind::vf ? b : a, term.n);
      distance = start.n.dot(y);
      break;
    case TermKind::ve:
    case TermKind::vv:
      if (term.curvature < 0) {  // inside of a bore or cavity: from its axis or centre
        const double rho = -1 / term.curvature;
        Vec3 radial = on_a - back(b, term.p + rho * term.n);
        if (term.kind == TermKind::ve) radial = project(radial, turned_back(b, term.f));
        const double now = radial.norm();
        distance = term.distance + rho - now;
        start.n = now > 0 ? Vec3(-radial / now) : term.n;
        break;
      }
      if (term.kind == TermKind::ve) y = project(y, turned_back(b, term.f));
      distance = y.norm();
      start.n = distance > 0 ? Vec3(y / distance) : term.n;
      break;
    case TermKind::ev:
      y = project(y, turned_back(a, term.e));
      distance = y.norm();
      start.n = distance > 0 ? Vec3(y / distance) : term.n;
      break;
    case TermKind::ee: {
      const Vec3 k = turned_back(a, term.e).cross(turned_back(b, term.f));
      const double sine = k.norm();
      const bool along = term.e.cross(term.f).dot(term.n) > 0;
      start.n = sine > 0 ? Vec3(k / (along ? sine : -sine)) : term.n;
      distance = start.n.dot(y);
      break;
    }
    case TermKind::smooth:
    case TermKind::midway:
      break;  // smooth_start
  }
  start.gap = distance - (term.distance - term.gap);
}

}  // namespace

Vec3 contact_point(const BodyPair& pair, const Term& term, const BodyView& a, const BodyView& b) {
  return contact_point(term, a.shape->radius, b.shape->radius, term.gap < 0 ? pair.share : 0.5);
}

StartOfContact start_of_contact(const BodyPair& pair, const Term& term, const BodyView& a, const BodyView& b,
                                Vec3* guess) {
  StartOfContact start;
  Term then = term;
  if (is_smooth(term.kind)) {
    then.p = smooth_start(start, term, a, b, guess);
  } else {
    const bool with_b = moves_with_b(term.kind);
    const Vec3 on_a = back(a, with_b ? Vec3(term.p + term.distance * term.n) : term.p);
    const Vec3 on_b = back(b, with_b ? term.p : Vec3(term.p - term.distance * term.n));
    measure(start, term, a, b, on_a - on_b, on_a);
    then.p = with_b ? on_b : on_a;
  }
  then.gap = start.gap;
  then.n = start.n;
  start.point = contact_point(pair, then, a, b);
  return start;
}

ActingPart acting_part(const HistoryEntry& entry, double gap, const InterfaceLaw& law,
                       const StepContext& step) {
  ActingPart part;
  if (step.first_touch == FirstTouch::whole || entry.approach <= 0) return part;
  const double depth = law.normal.onset() - gap;
  const double way = depth + entry.approach;
  part.spring = depth / way;
  part.spring_slope = -entry.approach / (way * way);
  if (step.first_touch == FirstTouch::dashpot_at_once || part.spring >= kBeginning) return part;
  part.dashpot = part.spring / kBeginning;
  part.dashpot_slope = part.spring_slope / kBeginning;
  return part;
}

}  // namespace scree::contact

#include "contact/bounds/step_bounds.hpp"

#include <algorithm>
#include <cmath>

#include "contact/bounds/approach.hpp"
#include "contact/pair/pair_terms.hpp"
#include "contact/search/candidates.hpp"
#include "contact/superquadric/smooth_terms.hpp"
#include "contact/surface/deforming_surface.hpp"
#include "core/infinity.hpp"

namespace scree::contact {
namespace {

/// A contact is being moved when its oscillation would reach this part of its compression; calmer contacts
/// stay in the linear range of the law, where Newmark keeps the energy at any step, and set no limit.
constexpr double kStirOfAStep = 0.05;

/// Force over stiffness in which a law is that of its compression to the third power at most: the range of
/// steeper ones is shorter.
constexpr double kRange = 3;

/// Steps in the duration of an impact under an overlap-based law (theory 04 section 1).
constexpr double kStepsPerImpact = 20;

/// Control by motion (theory 11 section 7): bodies close by this part of their size
/// beyond the gap in a step, slide by that one, and turn by so much [rad].
constexpr double kClosing = 0.02;
constexpr double kSliding = 0.25;
constexpr double kTurning = 0.05;

/// Acceleration of a point of a body at the accepted state [m/s^2]. @param arm from its pole [m].
Vec3 acceleration_at(const Bodies& bodies, int i, const Vec3& arm) {
  const BodyState& state = bodies.state[i];
  return state.a + state.dw.cross(arm) + state.w.cross(state.w.cross(arm));
}

/// Velocity of a surface that deforms under the first contact of a pair, at the accepted state [m/s].
Vec3 velocity_under(const BodyPair& pair, const DeformingSurface& surface) {
  return surface.velocity_at(place_of_contact(pair, surface, pair.active.front(), 0), 0);
}

/// Rate of a gap by the present velocities [m/s].
double rate_at(const Term& term, const BodyTrial& a, const BodyTrial& b) {
  return term.n.dot(a.v + a.w.cross(term.p - a.x) - b.v - b.w.cross(term.p - b.x));
}

}  // namespace

StepLimits StepBounds::motion_limits(const Bodies& bodies, double eta, double longest) {
  StepLimits limits{longest, longest};
  geometry_->refresh_images(bodies);
  const auto limit = [&](double speed, double way) {
    if (speed * limits.closing > way) limits.closing = way / speed;
  };
  for (BodyPair& pair : list_->pairs()) {
    if (!pair.acts) continue;
    const BodyTrial& a = bodies.trial[pair.a];
    const BodyView of_b = geometry_->view_of_b(bodies, pair);
    const BodyTrial& b = *of_b.trial;
    const bool wall = bodies.is_boundary(pair.b);
    const double radius = model_->shape_of(bodies, pair.a).bounding_radius;
    const double other = wall ? radius : model_->shape_of(bodies, pair.b).bounding_radius;
    const double size = 2 * std::min(radius, other);
    const Vec3 carried = wall ? Vec3(b.w.cross(a.x - b.x)) : Vec3(Vec3::Zero());
    const DeformingSurface* surface = of_b.surface;
    const Vec3 under = surface != nullptr && !pair.active.empty() ? velocity_under(pair, *surface) : b.v;
    const Vec3 apart = a.v - under - carried;
    // Where it is not touched, what comes near of a surface that deforms may be any part of it.
    const double of_vertices = surface != nullptr && pair.active.empty() ? surface->largest_speed() : 0.0;
    const double turning = a.w.norm() * radius + b.w.norm() * other + of_vertices;
    const double speed = apart.norm() + turning;
    const double allowed = eta * kClosing * size;
    if (speed * limits.closing <= gaps_->least(pair) + allowed) continue;
    gaps_->measure_sleeper(pair, bodies);
    if (pair.active.empty()) {
      const double closing = approach_speed(*of_b.shape, b.R, apart) + turning;
      const double left = gaps_->least(pair) + allowed;
      if (closing * limits.closing <= left) continue;
      const Approach approach{apart, a.w, b.w, radius, other};
      const BodyView of_a = geometry_->view(bodies, pair.a);
      // Not up to the limit so far: that of a pair must not depend on those before it.
      const double own = std::max(left / closing, time_apart(of_a, of_b, approach, allowed, longest));
      limits.closing = std::min(limits.closing, own);
      continue;
    }
    limit(speed, eta * kSliding * size);
    for (const Active& contact : pair.active) {
      // A wall may have another velocity from now on than the one with which the contact was evaluated.
      const bool rigid_wall = wall && surface == nullptr;
      const double now = rigid_wall ? rate_at(pair.terms[contact.first], a, b) : contact.rate;
      const double rate = std::min(contact.rate, now);
      if (rate < 0) limit(-rate, allowed);
    }
    // Bodies that roll or slide do not turn into each other.
    for (const double spin : {a.w.norm(), b.w.norm()}) limit(spin * size, 2 * eta * kTurning * size);
  }
  return limits;
}

StepLimits StepBounds::limits(const Bodies& bodies, double eta, double longest, bool explicit_forces) {
  StepLimits limits{longest, longest};
  geometry_->refresh_images(bodies);
  for (BodyPair& pair : list_->pairs()) {
    if (!pair.acts) continue;
    const BodyView a = geometry_->view(bodies, pair.a);
    const BodyView b = geometry_->view_of_b(bodies, pair);
    const InterfaceLaw& pair_law = model_->law(pair);
    const NormalLaw& law = pair_law.normal;
    const double threshold = law.threshold();
    const double radii = a.shape->radius + b.shape->radius;
    const auto velocity = [&](const Vec3& pa, const Vec3& pb, const Item& item) -> Vec3 {
      const Vec3 of_a = a.trial->v + a.trial->w.cross(pa - a.trial->x);
      if (b.surface == nullptr) return of_a - b.trial->v - b.trial->w.cross(pb - b.trial->x);
      const double phase = b.trial->phase;
      return of_a - b.surface->velocity_at(place_of_item(pair, item, *b.surface, pb, phase), phase);
    };
    // Everything that is no candidate is at least `covered` away.
    // The points of a wall that are near move as the wall does at the pole of A.
    const bool wall = is_wall(*b.shape);
    const Vec3 carried = wall ? Vec3(b.trial->w.cross(a.trial->x - b.trial->x)) : Vec3(Vec3::Zero());
    const Vec3 apart = a.trial->v - b.trial->v - carried;
    const double radius = a.shape->bounding_radius;
    const Approach approach{apart, a.trial->w, b.trial->w, radius, wall ? radius : b.shape->bounding_radius};
    const double speed = approach_speed(*b.shape, b.trial->R, apart) +
                         (b.surface != nullptr ? b.surface->largest_speed() : 0.0) +
                         a.trial->w.norm() * approach.size_a + b.trial->w.norm() * approach.size_b;
    const double skin = law.allows_overlap() ? -threshold : (eta - 1) * threshold;
    if (pair.active.empty() && speed * limits.closing <= gaps_->least(pair) + skin) continue;
    gaps_->measure_sleeper(pair, bodies);
    // Planes between the bodies see what none of their features does, in reach of the list or not. Not up to
    // the limit so far: that of a pair must not depend on those before it.
    const double clear = (pair.active.empty() ? gaps_->least(pair) : pair.covered) + skin;
    const double apart_for = speed * limits.closing > clear ? time_apart(a, b, approach, skin, longest) : 0.0;
    if (pair.active.empty() && apart_for >= limits.closing) continue;
    const auto come = [&](double time) {
      limits.closing = std::min(limits.closing, std::max(time, apart_for));
    };
    if (apart_for < limits.closing && speed * limits.closing > pair.covered + skin) {
      // Where the reach of the list decides, the list is rebuilt: a step must not depend on its age. One
      // candidate that is the whole pair covers all.
      const bool one = law.allows_overlap() && touch_once(a, b);
      build_items(pair, a, b, std::max(model_->pair_reach(pair_law), one ? speed * limits.closing : 0.0));
      pair.covered = pair.reach;
      if (!(one && !pair.items.empty()) && speed * limits.closing > pair.covered + skin)
        come((pair.covered + skin) / speed);
    }
    for (const Item& item : pair.items) {
      Vec3 pa, pb;
      double gap = 0;
      if (item.kind == ItemKind::smooth) {
        if (one_smooth_contact(pair) && pair.terms[0].gap <= 0) continue;  // in contact, no need to search
        // A plane between the two that they do not pass in the step is enough; where they do the distance
        // itself decides.
        NearestPoints nearest = find_nearest(pair, item, a, b, law.allows_overlap() ? kNearEnough : 1);
        if (nearest.gap <= 0) continue;  // in contact
        if (law.allows_overlap()) {
          const double closing = -nearest.n.dot(velocity(nearest.on_a, nearest.on_b, item));
          if (closing * limits.closing <= nearest.gap - threshold) continue;
          nearest = find_nearest(pair, item, a, b);
        }
        if (!pair.curvature_known) curvature_->set(pair, bodies, nearest.n);
        pa = nearest.on_a + a.shape->radius * nearest.n;
        pb = nearest.on_b - b.shape->radius * nearest.n;
      } else if (item.kind == ItemKind::edges) {
        const Segment e = segment_of(a, item.a, b);
        const Segment f = segment_of(b, item.b, a);
        const SegmentPair p =
            nearest_on_segments(e.start, e.direction, e.length, f.start, f.direction, f.length);
        if (!p.interior) continue;  // an end vertex is nearer and has its own item
        pa = e.at(p.s);
        pb = f.at(p.t);
      } else {
        const bool on_b = item.kind == ItemKind::vertex_of_a;
        const BodyView& surface = on_b ? b : a;
        const Vec3& point = on_b ? a.vertex(item.a) : b.vertex(item.b);
        const Vec3 local = surface.to_local(point);
        const SurfacePoint nearest = nearest_of_item(pair, item, *surface.shape, local);
        if (nearest.distance < 0 && law.allows_overlap()) continue;  // in contact
        const Vec3 other = surface.trial->x + surface.trial->R * nearest.point;
        pa = on_b ? point : other;
        pb = on_b ? other : point;
      }
      const Vec3 y = pa - pb;
      const double distance = y.norm();
      gap = distance - radii;
      if (law.allows_overlap()) {
        // Contacts themselves are below; here those that come into being: the first step in contact resolves
        // the impact as the others do.
        const double rate = distance > 0 ? y.dot(velocity(pa, pb, item)) / distance : 0.0;
        if (gap <= threshold || rate >= 0) continue;
        const double impact = eta / kStepsPerImpact * law.duration(pair.m_star, -rate, pair);
        come((gap - threshold) / -rate + impact);
        continue;
      }
      const double rate = y.dot(velocity(pa, pb, item)) / distance;
      if (gap < threshold) {
        if (std::abs(rate) * limits.closing > eta * threshold)
          limits.closing = eta * threshold / std::abs(rate);
      } else if (rate < 0) {
        come((gap - threshold + eta * threshold) / -rate);
      }
    }
    for (const Active& contact : pair.active) {
      const Term& main = pair.terms[contact.first];
      // Where attraction ends the slope is positive.
      const double stiffness = contact.window * std::abs(main.law.slope);
      if (!(stiffness > 0)) continue;
      // A contact that is slow for a moment, but out of balance, is being moved too: it oscillates about the
      // gap at which its bodies would not accelerate, acceleration / frequency^2 away.
      const double acceleration = main.n.dot(acceleration_at(bodies, pair.a, main.p - a.trial->x) -
                                             acceleration_at(bodies, pair.b, main.p - b.trial->x));
      // Near the pole of a barrier the law bends within less than the compression.
      const double range =
          std::min(law.onset() - main.gap, kRange * main.law.compression() / std::abs(main.law.slope));
      const auto is_calm = [&](double frequency) {
        return !explicit_forces &&
               std::hypot(contact.rate, acceleration / frequency) < kStirOfAStep * frequency * range;
      };
      // Levers make a contact quicker still: most are slow enough without computing them.
      if (is_calm(std::sqrt(stiffness / pair.m_star))) continue;
      const auto mobility = [&](int i, const BodyView& body) {
        if (bodies.is_boundary(i) || all_fixed(bodies.properties[i].fixed)) return 0.0;
        const BodyProperties& properties = bodies.properties[i];
        const Vec3 lever = body.trial->R.transpose() * (main.p - body.trial->x).cross(main.n);
        return 1 / properties.mass + lever.dot(properties.inertia_B.inverse() * lever);
      };
      const double omega = std::sqrt(stiffness * (mobility(pair.a, a) + mobility(pair.b, b)));
      if (is_calm(omega)) continue;
      if (law.allows_overlap()) {
        // Theory 04 section 1 with the speed of an impact that has the energy of the contact.
        const double mass = stiffness / (omega * omega);
        // Bodies that attract each other have less energy than when they are apart.
        const double impact_speed = std::sqrt(
            std::max(contact.rate * contact.rate + 2 * contact.window * contact.energy / mass, 0.0));
        limits.oscillation =
            std::min(limits.oscillation, eta / kStepsPerImpact * law.duration(mass, impact_speed, pair));
        continue;
      }
      limits.oscillation = std::min(limits.oscillation, eta / omega);
      if (std::abs(contact.rate) * limits.closing > eta * threshold) {
        limits.closing = eta * threshold / std::abs(contact.rate);
      }
    }
  }
  return limits;
}

}  // namespace scree::contact

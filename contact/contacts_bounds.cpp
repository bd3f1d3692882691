/// The bounds that keep bodies apart: clipping of Newton updates, and the three limits of the step.
#include <algorithm>
#include <cmath>
#include <limits>

#include "contact/candidates.hpp"
#include "contact/contacts.hpp"
#include "contact/pair_terms.hpp"
#include "contact/superquadric/smooth_terms.hpp"
#include "core/rotation.hpp"

namespace scree::contact {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Part of a gap that has to remain along a clipped update (sigma of theory 03 section 6).
constexpr double kKeep = 0.1;

/// A contact is being moved when its oscillation would reach this part of its compression; calmer contacts
/// stay in the linear range of the law, where Newmark keeps the energy at any step, and set no limit.
constexpr double kStir = 0.05;

/// Steps in the duration of an impact under a law at overlap (theory 04 section 1).
constexpr double kStepsPerImpact = 20;

/// Pose of one body on the path u + t du, alpha + t dalpha.
struct PathBody {
  BodyTrial trial;
  std::vector<Vec3> vertices;

  void set(const BodyView& start, const Vec3& du, const Vec3& dalpha, double t) {
    const BodyTrial& from = *start.trial;
    trial.x = from.x + t * du;
    trial.R = rotation::matrix(from.alpha + t * dalpha) * from.Q.transpose() * from.R;
    vertices.resize(start.shape->vertices.size());
    for (std::size_t k = 0; k < vertices.size(); ++k)
      vertices[k] = trial.x + trial.R * start.shape->vertices[k];
  }
};

/// Largest motion of a wall as one of the moving bodies sees it, from a state to a pose [m]. @param x1, r1
/// pose of the wall; @param place of body i.
template <class Place>
double largest_wall_motion(const Bodies& bodies, const Shape& shape, const BodyState& from, const Vec3& x1,
                           const Mat3& r1, Place&& place) {
  const Mat3 r0 = from.q.toRotationMatrix();
  if (x1 == from.x && r1 == r0) return 0;
  double largest = 0;
  for (int i = 0; i < bodies.moving(); ++i) {
    const double size = bodies.properties[i].length;
    largest = std::max(largest, wall_motion(shape, from.x, r0, x1, r1, place(i), size));
  }
  return largest;
}

/// How deep a body may be pressed before its surface has no nearest point on the way in [m].
double inner_depth(const Shape& shape) {
  constexpr double kPartOfThickness = 0.25;
  return is_smooth(shape) ? kPartOfThickness * shape.smallest_feature : shape.radius;
}

/// Nearest point of the surface that the vertex of an item may touch, in the frame of the surface.
SurfacePoint nearest_of_item(const BodyPair& pair, const Item& item, const Shape& surface, const Vec3& p) {
  int hint = item.hint;
  if (item.count == 0) return nearest_on_convex(surface, p, hint);
  SurfacePoint best;
  best.distance = kInfinity;
  const int first = item.kind == ItemKind::vertex_of_a ? item.b : item.a;
  for (int c = first; c < first + item.count; ++c) {
    if (pair.closed[c].kind != FeatureKind::face) continue;  // closed faces contain the rest
    const SurfacePoint point = nearest_on_face(surface, pair.closed[c].feature, p);
    if (point.distance < best.distance) best = point;
  }
  return best;
}

}  // namespace

double Contacts::allowed_depth(const BodyPair& pair, const Bodies& bodies) const {
  if (!laws_[pair.interface].normal.allows_overlap()) return 0;
  const Shape& a = (*shapes_)[bodies.properties[pair.a].shape];
  const Shape& b = (*shapes_)[bodies.properties[pair.b].shape];
  // A boundary is on one side of its surface: depths have a sign there.
  if (bodies.is_boundary(pair.b) && b.kind != ShapeKind::polyhedron) return kInfinity;
  return inner_depth(a) + inner_depth(b);
}

double Contacts::travelled(const Bodies& bodies) const {
  double squared = 0;
  for (int i = 0; i < bodies.moving(); ++i) {
    squared = std::max(squared, (bodies.trial[i].x - searched_at_[i]).squaredNorm());
  }
  double largest = std::sqrt(squared);
  for (int w = bodies.moving(); w < bodies.all(); ++w) {
    const BodyTrial& trial = bodies.trial[w];
    const double motion = largest_wall_motion(bodies, (*shapes_)[bodies.properties[w].shape],
                                              searched_walls_[w - bodies.moving()], trial.x, trial.R,
                                              [&](int i) { return bodies.trial[i].x; });
    largest = std::max(largest, motion);
  }
  return largest;
}

double Contacts::motion_in_step(const Bodies& bodies) const {
  double largest = 0;
  for (int i = 0; i < bodies.moving(); ++i) {
    const BodyTrial& trial = bodies.trial[i];
    largest = std::max(largest, trial.u.norm() + bodies.properties[i].length * trial.alpha.norm());
  }
  for (int w = bodies.moving(); w < bodies.all(); ++w) {
    const BodyTrial& trial = bodies.trial[w];
    const double motion = largest_wall_motion(bodies, (*shapes_)[bodies.properties[w].shape], bodies.state[w],
                                              trial.x, trial.R, [&](int i) { return bodies.trial[i].x; });
    largest = std::max(largest, motion);
  }
  return largest;
}

double Contacts::motion_along(const Bodies& bodies, const std::vector<Vec3>& du,
                              const std::vector<Vec3>& dalpha) const {
  double largest = 0;
  for (int i = 0; i < bodies.moving(); ++i) {
    const BodyTrial& trial = bodies.trial[i];
    largest = std::max(
        largest, (trial.u + du[i]).norm() + bodies.properties[i].length * (trial.alpha + dalpha[i]).norm());
  }
  for (int w = bodies.moving(); w < bodies.all(); ++w) {
    const BodyTrial& trial = bodies.trial[w];
    const Mat3 r1 = rotation::matrix(trial.alpha + dalpha[w]) * trial.Q.transpose() * trial.R;
    const double motion =
        largest_wall_motion(bodies, (*shapes_)[bodies.properties[w].shape], bodies.state[w], trial.x + du[w],
                            r1, [&](int i) { return Vec3(bodies.trial[i].x + du[i]); });
    largest = std::max(largest, motion);
  }
  return largest;
}

double Contacts::closing_speed(int ia, int ib, const Bodies& bodies, const std::vector<Vec3>& du,
                               const std::vector<Vec3>& dalpha) const {
  const double own = bodies.properties[ia].length;
  const double turn_a = dalpha[ia].norm();
  const double turn_b = dalpha[ib].norm();
  const Vec3 relative = du[ia] - du[ib];
  if (!bodies.is_boundary(ib)) return relative.norm() + own * turn_a + bodies.properties[ib].length * turn_b;
  if (du[ib].isZero(0) && turn_b == 0) return relative.norm() + own * turn_a;
  const BodyTrial& a = bodies.trial[ia];
  const BodyTrial& b = bodies.trial[ib];
  const Shape& wall = (*shapes_)[bodies.properties[ib].shape];
  const Mat3 r1 = rotation::matrix(b.alpha + dalpha[ib]) * b.Q.transpose() * b.R;
  const double reach = own + du[ia].norm();
  const double shape_change = wall_motion(wall, b.x, b.R, b.x + du[ib], r1, a.x, reach);
  // A wall that slides or spins in itself is the same wall all along the path.
  if (shape_change < 1e-9 * own) return du[ia].norm() + own * turn_a + 2 * shape_change;
  // Velocity of A's points relative to the wall's frame: the spin of the path is dalpha to first order, with
  // |spin| <= |dalpha| and |spin - dalpha| <= |dalpha|^3 for paths of less than half a turn (theory 01
  // section 3), and the arm changes by `relative`.
  const Vec3 arm = a.x - b.x;
  const double cubed = turn_b * turn_b * turn_b;
  return (relative - dalpha[ib].cross(arm)).norm() + own * (turn_a + turn_b) + turn_b * relative.norm() +
         (cubed + turn_b * b.alpha.norm()) * arm.norm();
}

double Contacts::advance(BodyPair& pair, const Bodies& bodies, const std::vector<Vec3>& du,
                         const std::vector<Vec3>& dalpha, double speed) {
  // Additive conservative advancement (Li et al., Codimensional IPC 2021) with the bound on motion of theory
  // 03 section 6: all distances of the pair change by less than `speed` per unit of t.
  const BodyView a0 = view(bodies, pair.a);
  const BodyView b0 = view_of_b(bodies, pair);
  const bool wall = bodies.is_boundary(pair.b) && du[pair.b].isZero(0) && dalpha[pair.b].isZero(0);
  const InterfaceLaw& pair_law = laws_[pair.interface];
  PathBody a;
  PathBody b;
  const double deep = allowed_depth(pair, bodies);
  const double floor = kKeep * (pair.nearest + deep);
  double t = 0;
  double step = (1 - kKeep) * (pair.nearest + deep) / speed;
  while (t + step < 1) {
    t += step;
    a.set(a0, du[pair.a], dalpha[pair.a], t);
    if (!wall) b.set(b0, du[pair.b], dalpha[pair.b], t);
    const BodyView va = {a0.shape, &a.trial, a.vertices.data()};
    const BodyView vb = wall ? b0 : BodyView{b0.shape, &b.trial, b.vertices.data()};
    double motion = motion_since_build(pair, va, vb);
    if (!(motion < pair.reach - pair_law.normal.threshold())) {
      build_items(pair, va, vb, pair_reach(pair_law));
      motion = 0;
    }
    const double gap =
        deep + std::min(pair.items.empty() ? kInfinity : smallest_gap(pair, va, vb, kNearEnough),
                        pair.reach - motion);
    if (gap <= floor) return std::max(t - step, 0.0) + 0.5 * step;
    step = 0.9 * (gap - 0.5 * floor) / speed;
  }
  return 1;
}

double Contacts::clip(const Bodies& bodies, const std::vector<Vec3>& du, const std::vector<Vec3>& dalpha) {
  double t = 1;
  refresh_images(bodies);
  if (motion_along(bodies, du, dalpha) > awake_travel_) wake_all(bodies);
  for (const Awake& awake : awake_) {
    const double speed = closing_speed(awake.a, awake.b, bodies, du, dalpha);
    if (speed == 0) continue;
    BodyPair& pair = pairs_[awake.pair];
    if (!pair.acts) continue;
    if (speed * t < (1 - kKeep) * (pair.nearest + allowed_depth(pair, bodies))) continue;
    t = std::min(t, advance(pair, bodies, du, dalpha, speed));
  }
  return t;
}

StepLimits Contacts::limits(const Bodies& bodies, double eta, double longest, bool explicit_forces) {
  StepLimits limits{longest, longest};
  refresh_images(bodies);
  for (BodyPair& pair : pairs_) {
    if (!pair.acts) continue;
    const BodyView a = view(bodies, pair.a);
    const BodyView b = view_of_b(bodies, pair);
    const double threshold = laws_[pair.interface].normal.threshold();
    const double radii = a.shape->radius + b.shape->radius;
    const auto velocity = [&](const Vec3& pa, const Vec3& pb) -> Vec3 {
      return a.trial->v + a.trial->w.cross(pa - a.trial->x) - b.trial->v - b.trial->w.cross(pb - b.trial->x);
    };
    // Everything that is no candidate is at least `covered` away.
    // The points of a wall that are near move as the wall does at the pole of A.
    const bool wall = is_wall(*b.shape);
    const Vec3 carried = wall ? Vec3(b.trial->w.cross(a.trial->x - b.trial->x)) : Vec3(Vec3::Zero());
    const double speed = (a.trial->v - b.trial->v - carried).norm() +
                         a.trial->w.norm() * a.shape->bounding_radius +
                         b.trial->w.norm() * (wall ? a.shape->bounding_radius : b.shape->bounding_radius);
    const NormalLaw& law = laws_[pair.interface].normal;
    const double skin = law.allows_overlap() ? 0.0 : (eta - 1) * threshold;
    if (pair.active.empty() && speed * limits.closing <= least_gap(pair) + skin) continue;
    if (pair.measured_at < travel_sum_) measure(pair, bodies);
    if (speed * limits.closing > pair.covered + skin) {
      // Where the reach of the list decides, the list is made anew: a step must not depend on its age. One
      // candidate that is the whole pair covers all.
      const bool one = law.allows_overlap() && touch_once(a, b);
      build_items(pair, a, b,
                  std::max(pair_reach(laws_[pair.interface]), one ? speed * limits.closing : 0.0));
      pair.covered = pair.reach;
      if (!(one && !pair.items.empty()) && speed * limits.closing > pair.covered + skin)
        limits.closing = (pair.covered + skin) / speed;
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
          const double closing = -nearest.n.dot(velocity(nearest.on_a, nearest.on_b));
          if (closing * limits.closing <= nearest.gap) continue;
          nearest = find_nearest(pair, item, a, b);
        }
        if (!pair.curvature_known) set_curvature(pair, bodies, nearest.n);
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
        const Vec3& point = on_b ? a.vertices[item.a] : b.vertices[item.b];
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
        const double rate = distance > 0 ? y.dot(velocity(pa, pb)) / distance : 0.0;
        if (gap <= 0 || rate >= 0) continue;
        const double impact = eta / kStepsPerImpact * law.duration(pair.m_star, -rate, pair);
        limits.closing = std::min(limits.closing, gap / -rate + impact);
        continue;
      }
      const double rate = y.dot(velocity(pa, pb)) / distance;
      if (gap < threshold) {
        if (std::abs(rate) * limits.closing > eta * threshold)
          limits.closing = eta * threshold / std::abs(rate);
      } else if (rate < 0 && -rate * limits.closing > gap - threshold + eta * threshold) {
        limits.closing = (gap - threshold + eta * threshold) / -rate;
      }
    }
    for (const Active& contact : pair.active) {
      const Term& main = pair.terms[contact.first];
      const double stiffness = -contact.window * main.law.slope;
      if (!(stiffness > 0)) continue;
      const auto is_calm = [&](double frequency) {
        return !explicit_forces && std::abs(contact.rate) < kStir * frequency * (threshold - main.gap);
      };
      // Levers make a contact quicker still: most are calm without asking for them.
      if (is_calm(std::sqrt(stiffness / pair.m_star))) continue;
      const auto mobility = [&](int i, const BodyView& body) {
        if (bodies.is_boundary(i)) return 0.0;
        const BodyProperties& properties = bodies.properties[i];
        const Vec3 lever = body.trial->R.transpose() * (main.p - body.trial->x).cross(main.n);
        return 1 / properties.mass + lever.dot(properties.inertia_B.inverse() * lever);
      };
      const double omega = std::sqrt(stiffness * (mobility(pair.a, a) + mobility(pair.b, b)));
      if (is_calm(omega)) continue;
      if (law.allows_overlap()) {
        // Theory 04 section 1 with the speed of an impact that has the energy of the contact.
        const double mass = stiffness / (omega * omega);
        const double impact_speed =
            std::sqrt(contact.rate * contact.rate + 2 * contact.window * contact.energy / mass);
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

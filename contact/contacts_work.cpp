/// What contacts take out of the bodies' motion in a step, by the forces that an integrator balanced.
#include <algorithm>
#include <cmath>
#include <limits>

#include "contact/contacts.hpp"
#include "contact/pair/pair_friction.hpp"
#include "contact/pair/pair_rolling.hpp"
#include "contact/secant/secant_pair.hpp"
#include "contact/surface/deforming_surface.hpp"
#include "core/rotation.hpp"

namespace scree::contact {

StepLosses Contacts::dissipative_work(const Bodies& bodies, double share) const {
  StepLosses work;
  for (std::size_t p = 0; p < pairs_.size(); ++p) {
    const BodyPair& pair = pairs_[p];
    if (!counted(bodies, pair)) continue;
    if (bodies.is_boundary(pair.b) && surface_of(bodies, pair.b) == nullptr && !pair.active.empty()) {
      const BodyTrial& wall = *view_of_b(bodies, pair).trial;
      const PairWrench on_wall = reaction(wrenches_[p], arm_of(bodies, pair));
      work.boundaries -= (on_wall.force.dot(wall.u) + on_wall.moment.dot(wall.alpha)) / share;
    }
    const InterfaceLaw& pair_law = laws_[pair.interface];
    const BodyView a = view(bodies, pair.a);
    const BodyView b = view_of_b(bodies, pair);
    FacetView facet(b);
    for (const Active& contact : pair.active) {
      work.damping += contact.damping * contact.rate * step_.h / share;
      if (contact.history < 0) continue;
      const BodyView& near_b = facet.at(pair, contact);
      work.friction +=
          contact.friction.dot(slip_increment(pair, contact, a, near_b, pair_law, step_).whole) / share;
      if (!pair_law.rolling_acts()) continue;
      work.friction +=
          contact.rolling.dot(roll_increment(pair, contact, a, near_b, pair_law, step_).whole) / share;
    }
  }
  return work;
}

std::vector<Impact> Contacts::impacts(const Bodies& bodies) const {
  std::vector<Impact> impacts;
  for (const Awake& awake : awake_) {
    const BodyPair& pair = pairs_[awake.pair];
    const std::size_t before = impacts.size();
    append_impacts(pair, view(bodies, pair.a), view_of_b(bodies, pair), laws_[pair.interface], step_,
                   impacts);
    for (std::size_t i = before; i < impacts.size(); ++i) {
      impacts[i].pair = awake.pair;
      impacts[i].a = pair.a;
      impacts[i].b = pair.b;
      impacts[i].counted = counted(bodies, pair);
    }
  }
  return impacts;
}

void Contacts::keep_stored() {
  for (BodyPair& pair : pairs_) pair.stored_n = pair.stored;
}

Contacts::EnergyError Contacts::worst_energy_error(const Bodies& bodies, const std::vector<BodyState>& start,
                                                   double floor) const {
  struct Motion {
    Vec3 u, turn;
  };
  const auto motion = [&](int i) {
    const BodyState& from = start[static_cast<std::size_t>(i)];
    const BodyTrial& to = bodies.trial[i];
    const Mat3 q = to.R * from.q.toRotationMatrix().transpose();
    return Motion{to.x - from.x, rotation::rodrigues(q)};
  };
  EnergyError worst;
  for (const Awake& awake : awake_) {
    const BodyPair& pair = pairs_[awake.pair];
    if (!counted(bodies, pair) || (pair.stored.energy == 0 && pair.stored_n.energy == 0)) continue;
    const Motion a = motion(pair.a);
    const Motion b =
        surface_of(bodies, pair.b) == nullptr
            ? motion(pair.b)
            : Motion{motion_under(pair, view(bodies, pair.a), view(bodies, pair.b)), Vec3::Zero()};
    const Vec3 force = 0.5 * (pair.stored_n.force + pair.stored.force);
    const Vec3 arm_n =
        start[static_cast<std::size_t>(pair.a)].x - start[static_cast<std::size_t>(pair.b)].x - pair.shift;
    const Vec3 arm = arm_n + a.u - b.u;
    const Vec3 on_b = -0.5 * (pair.stored_n.moment + arm_n.cross(pair.stored_n.force) + pair.stored.moment +
                              arm.cross(pair.stored.force));
    const double work = force.dot(a.u - b.u) + 0.5 * (pair.stored_n.moment + pair.stored.moment).dot(a.turn) +
                        on_b.dot(b.turn);
    const double error = std::abs(pair.stored.energy - pair.stored_n.energy - work);
    const double size = force.norm();
    const double rate = size > 0 ? work / (size * step_.h) : 0.0;
    const double at_play =
        std::abs(pair.stored.energy) + std::abs(pair.stored_n.energy) +
        pair.m_star * (0.5 * rate * rate + floor * shape_of(bodies, pair.a).bounding_radius);
    worst.absolute = std::max(worst.absolute, error);
    if (at_play > 0) worst.relative = std::max(worst.relative, error / at_play);
  }
  return worst;
}

double Contacts::remembered_energy(const Bodies& bodies) const {
  double sum = 0;
  for (const BodyPair& pair : pairs_) {
    if (counted(bodies, pair)) sum += friction_energy(pair, laws_[pair.interface]);
  }
  return sum;
}

ContactTotals Contacts::totals(const Bodies& bodies) const {
  ContactTotals totals;
  totals.min_gap = std::numeric_limits<double>::infinity();
  for (const BodyPair& pair : pairs_) {
    if (!counted(bodies, pair) || pair.active.empty()) continue;
    totals.normal_energy += normal_energy(pair);
    totals.friction_energy += friction_energy(pair, laws_[pair.interface]);
    for (const Active& contact : pair.active) {
      if (!contact.normal_positive) continue;
      ++totals.contacts;
      totals.min_gap = std::min(totals.min_gap, pair.terms[contact.first].gap);
      totals.largest_force =
          std::max(totals.largest_force, contact.normal - contact.adhesion - contact.damping);
    }
  }
  return totals;
}

}  // namespace scree::contact

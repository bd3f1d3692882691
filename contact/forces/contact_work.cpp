#include "contact/forces/contact_work.hpp"

#include <algorithm>
#include <cmath>

#include "contact/pair/pair_evaluate.hpp"
#include "contact/pair/pair_friction.hpp"
#include "contact/pair/pair_rolling.hpp"
#include "contact/surface/deforming_surface.hpp"
#include "core/infinity.hpp"
#include "core/rotation.hpp"

namespace scree::contact {
namespace {

/// Displacement of B in the step where A touches it, of a boundary that deforms: weighted by normal forces
/// [m].
Vec3 motion_under(const BodyPair& pair, const DeformingSurface& surface, double phase) {
  Vec3 sum = Vec3::Zero();
  double weight = 0;
  for (const Active& contact : pair.active) {
    sum += contact.normal * surface.displacement_at(place_of_contact(pair, surface, contact, phase), phase);
    weight += contact.normal;
  }
  if (weight > 0) return sum / weight;
  for (const HistoryEntry& entry : pair.history) {
    if (entry.fresh) continue;
    sum += surface.displacement_at(place_of_contact(pair, surface, entry), phase);
    weight += 1;
  }
  return weight > 0 ? Vec3(sum / weight) : sum;
}

}  // namespace

StepLosses ContactWork::dissipative_work(const Bodies& bodies, double share) const {
  StepLosses work;
  for (std::size_t p = 0; p < list_->pairs().size(); ++p) {
    const BodyPair& pair = list_->pairs()[p];
    if (!counted(bodies, pair)) continue;
    if (bodies.is_boundary(pair.b) && geometry_->surface_of(bodies, pair.b) == nullptr &&
        !pair.active.empty()) {
      const BodyTrial& wall = *geometry_->view_of_b(bodies, pair).trial;
      const PairWrench on_wall = reaction(results_->wrenches[p], geometry_->arm_of(bodies, pair));
      work.boundaries -= (on_wall.force.dot(wall.u) + on_wall.moment.dot(wall.alpha)) / share;
    }
    const InterfaceLaw& pair_law = model_->law(pair);
    const BodyView a = geometry_->view(bodies, pair.a);
    const BodyView b = geometry_->view_of_b(bodies, pair);
    FacetView facet(b);
    for (const Active& contact : pair.active) {
      work.damping += contact.damping * contact.rate * forces_->step().h / share;
      if (contact.history < 0) continue;
      const BodyView& near_b = facet.at(pair, contact);
      work.friction +=
          contact.friction.dot(slip_increment(pair, contact, a, near_b, pair_law, forces_->step()).whole) /
          share;
      if (!pair_law.rolling_acts()) continue;
      work.friction +=
          contact.rolling.dot(roll_increment(pair, contact, a, near_b, pair_law, forces_->step()).whole) /
          share;
    }
  }
  return work;
}

ContactWork::EnergyError ContactWork::worst_energy_error(const Bodies& bodies,
                                                         const std::vector<BodyState>& start,
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
  for (const AwakePair& awake : list_->awake()) {
    const BodyPair& pair = list_->pairs()[awake.pair];
    if (!counted(bodies, pair) || (pair.stored.energy == 0 && pair.stored_n.energy == 0)) continue;
    const Motion a = motion(pair.a);
    const DeformingSurface* surface = geometry_->surface_of(bodies, pair.b);
    const Motion b = surface == nullptr
                         ? motion(pair.b)
                         : Motion{motion_under(pair, *surface, bodies.trial[pair.b].phase), Vec3::Zero()};
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
    const double rate = size > 0 ? work / (size * forces_->step().h) : 0.0;
    const double at_play =
        std::abs(pair.stored.energy) + std::abs(pair.stored_n.energy) +
        pair.m_star * (0.5 * rate * rate + floor * model_->shape_of(bodies, pair.a).bounding_radius);
    worst.absolute = std::max(worst.absolute, error);
    if (at_play > 0) worst.relative = std::max(worst.relative, error / at_play);
  }
  return worst;
}

double ContactWork::remembered_energy(const Bodies& bodies) const {
  double sum = 0;
  for (const BodyPair& pair : list_->pairs()) {
    if (counted(bodies, pair)) sum += friction_energy(pair, model_->law(pair));
  }
  return sum;
}

ContactTotals ContactWork::totals(const Bodies& bodies) const {
  ContactTotals totals;
  totals.min_gap = totals.gap_part = kInfinity;
  for (const BodyPair& pair : list_->pairs()) {
    if (!counted(bodies, pair) || pair.active.empty()) continue;
    const NormalLaw& law = model_->law(pair).normal;
    const double energy = normal_energy(pair);
    totals.normal_energy += energy;
    totals.friction_energy += friction_energy(pair, model_->law(pair));
    if (energy < 0 && law.threshold() <= law.onset()) {
      totals.attraction += energy;
      if (energy < totals.worst_attraction) {
        totals.worst_attraction = energy;
        totals.attracted = pair.id_a;
      }
    }
    double radius = model_->shape_of(bodies, pair.a).bounding_radius;
    if (!bodies.is_boundary(pair.b))
      radius = std::min(radius, model_->shape_of(bodies, pair.b).bounding_radius);
    for (const Active& contact : pair.active) {
      if (!contact.normal_positive) continue;
      ++totals.contacts;
      const double gap = pair.terms[contact.first].gap;
      totals.min_gap = std::min(totals.min_gap, gap);
      if (law.allows_overlap()) {
        totals.overlap_part = std::max(totals.overlap_part, -gap / radius);
      } else {
        totals.gap_part = std::min(totals.gap_part, gap / law.threshold());
      }
      const double update = pair.terms[contact.first].n.dot(contact.update_force);  // restitution's
      totals.largest_force =
          std::max(totals.largest_force, contact.normal - contact.adhesion - contact.damping + update);
    }
  }
  return totals;
}

}  // namespace scree::contact

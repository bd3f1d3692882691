#include "solvers/world/contact_output.hpp"

#include <algorithm>
#include <cmath>

#include "contact/neighbours/contact_model.hpp"
#include "contact/neighbours/pair_list.hpp"
#include "contact/neighbours/pair_results.hpp"
#include "contact/neighbours/trial_geometry.hpp"
#include "contact/pair/pair_terms.hpp"
#include "contact/pair/shared_corners.hpp"
#include "solvers/analysis.hpp"

namespace scree {
namespace {

/// What the impact update put on A in the contacts of a pair, about its pole at the end of the step.
contact::PairWrench update_of(const contact::BodyPair& pair) {
  contact::PairWrench on_a;
  for (const contact::Active& active : pair.active) {
    on_a.force += active.update_force;
    on_a.moment += active.update_moment;
  }
  return on_a;
}

void add(const contact::PairWrench& on_body, double sign, Wrench& sum) {
  sum.force += sign * on_body.force;
  sum.moment += sign * on_body.moment;
}

}  // namespace

void sum_pair_wrenches(const World& world, std::vector<Wrench>& wrench) {
  const Bodies& bodies = world.bodies();
  const contact::Contacts& contacts = world.contacts();
  const contact::PairResults& results = contacts.results();
  wrench.assign(static_cast<std::size_t>(bodies.owned), {});
  for (const contact::AwakePair& awake : contacts.list().awake()) {  // the others have no active contact
    const contact::BodyPair& pair = contacts.list().pairs()[awake.pair];
    if (pair.active.empty()) continue;
    const contact::PairWrench& w = results.wrenches[awake.pair];  // residual: the negative acts on A
    const contact::PairWrench update = update_of(pair);
    if (bodies.is_owned(pair.a)) {
      add(w, -1, wrench[pair.a]);
      add(update, 1, wrench[pair.a]);
    }
    if (bodies.is_owned(pair.b)) {
      const Vec3 arm = contacts.geometry().arm_of(bodies, pair);
      const Vec3 mean_arm = arm - results.half_way(pair.a) + results.half_way(pair.b);
      add(contact::reaction(w, mean_arm), -1, wrench[pair.b]);
      add(contact::reaction(update, arm), 1, wrench[pair.b]);
    }
  }
  for (const contact::CentralPair& bond : world.pair_forces().bonds()) {
    if (bodies.is_owned(bond.a)) wrench[bond.a].force += bond.on_a;
    if (bodies.is_owned(bond.b)) wrench[bond.b].force -= bond.on_a;
  }
}

void boundary_wrenches(const World& world, std::vector<Wrench>& wrench) {
  const Bodies& bodies = world.bodies();
  const contact::Contacts& contacts = world.contacts();
  const Model& model = world.model();
  wrench.assign(model.boundaries.size(), {});
  if (wrench.empty()) return;
  for (const contact::AwakePair& awake : contacts.list().awake()) {
    if (!bodies.is_boundary(awake.b)) continue;
    const contact::BodyPair& pair = contacts.list().pairs()[awake.pair];
    if (pair.active.empty()) continue;
    const contact::PairWrench& w = contacts.results().wrenches[awake.pair];
    const contact::PairWrench update = update_of(pair);
    Wrench& sum = wrench[model.boundary_parts[pair.b - bodies.moving()].boundary];
    sum.force += w.force - update.force;
    const Vec3 pole = bodies.periodic.wrap(bodies.trial[pair.a].x);
    const Vec3 mean_pole = pole - contacts.results().half_way(pair.a);
    sum.moment += w.moment + mean_pole.cross(w.force) - update.moment - pole.cross(update.force);
  }
  static_assert(sizeof(Wrench) == 6 * sizeof(double));
  MPI_Allreduce(MPI_IN_PLACE, wrench.data(), static_cast<int>(6 * wrench.size()), MPI_DOUBLE, MPI_SUM,
                world.comm());
}

namespace {

/// Part of the forces of the terms below which what they leave is a couple and round-off: a force on its line
/// of action would be far away.
constexpr double kCancelled = 1e-9;

/// @returns the sum of what the terms of a contact push [N].
double pushes_of(const contact::BodyPair& pair, const contact::Active& active) {
  double sum = 0;
  for (int t = active.first; t < active.first + active.terms; ++t)
    sum += std::abs(contact::window_of(pair, active) * pair.terms[t].law.force);
  return sum;
}

/// A pair whose duplicates are taken out acts at several points: one force stands for them, on its line of
/// action, so that the rows of a body add up to what acts on it (but for a couple about that line).
void resultant(const contact::BodyPair& pair, const contact::Active& active, ContactRecord& record) {
  const Vec3& n = record.normal;
  Vec3 force = -active.damping * contact::straight_normal(pair, active);
  Vec3 moment = Vec3::Zero();  // about record.point
  for (int t = active.first; t < active.first + active.terms; ++t) {
    const contact::Term& term = pair.terms[t];
    const Vec3 part = (contact::window_of(pair, active) * term.sign * term.law.force) * term.n;
    force += part;
    moment += (term.p - record.point).cross(part);
  }
  record.normal_force = n.dot(force);
  record.friction += force - record.normal_force * n;
  const Vec3 all = record.normal_force * n + record.friction;
  if (all.norm() > kCancelled * pushes_of(pair, active))
    record.point += all.cross(moment) / all.squaredNorm();
}

/// The force of a step whose forces are secants, on its line of action: its direction is not the normal at
/// the end of the step (theory 11 section 3). The rows of a body add up to what acts on it, but for couples.
void resultant_of_secants(const contact::BodyPair& pair, const contact::Active& active,
                          ContactRecord& record) {
  const double window = contact::window_of(pair, active);
  Vec3 force = Vec3::Zero();
  for (int t = active.first; t < active.first + active.terms; ++t) {
    const contact::Term& term = pair.terms[t];
    force += (window * term.sign * term.law.force) * pair.secants[t].dir;
  }
  record.normal_force = 0;
  if (!(force.squaredNorm() > 0)) return;
  const double sign = force.dot(record.normal) < 0 ? -1 : 1;
  record.normal_force = sign * force.norm();
  record.normal = force / record.normal_force;
  Vec3 moment = Vec3::Zero();  // about record.point
  for (int t = active.first; t < active.first + active.terms; ++t) {
    const contact::Term& term = pair.terms[t];
    const contact::SecantTerm& secant = pair.secants[t];
    moment += (secant.point - record.point).cross((window * term.sign * term.law.force) * secant.dir);
  }
  record.point += force.cross(moment) / force.squaredNorm();
}

/// Adds what the impact update did to a contact: along the normal and across it, on the line of action of
/// all. @param pole of A [m].
void add_update(const contact::Active& active, const Vec3& pole, ContactRecord& record) {
  const Vec3& force = active.update_force;
  if (force.isZero(0)) return;
  const Vec3 moment = active.update_moment - (record.point - pole).cross(force);
  const double along = record.normal.dot(force);
  record.normal_force += along;
  record.friction += force - along * record.normal;
  const Vec3 all = record.normal_force * record.normal + record.friction;
  if (all.squaredNorm() > 0) record.point += all.cross(moment) / all.squaredNorm();
}

ContactRecord record_of(const World& world, const contact::CentralPair& bond) {
  const Bodies& bodies = world.bodies();
  ContactRecord record;
  record.body_a = bond.id_a;
  record.body_b = bond.id_b;
  record.normal = bond.n;
  record.gap = bond.distance - bond.rest;
  record.normal_force = bond.on_a.dot(bond.n);
  record.friction =
      bond.on_a - record.normal_force * bond.n;  // the direction of the step is not that of its end
  // Spheres: the length of the body is its radius.
  record.point =
      bodies.trial[bond.b].x + (bodies.properties[bond.b].length + 0.5 * record.gap) * record.normal;
  return record;
}

}  // namespace

void contact_records(const World& world, std::vector<ContactRecord>& records) {
  const Bodies& bodies = world.bodies();
  const contact::Contacts& contacts = world.contacts();
  records.clear();
  const bool is_rigid = !traits_of(world.model().analysis).forces_follow_from_state;
  for (const contact::BodyPair& pair : contacts.list().pairs()) {
    if (!contact::counted(bodies, pair)) continue;
    for (const contact::Active& active : pair.active) {
      const contact::Term& main = pair.terms[active.first];
      ContactRecord record;
      record.body_a = pair.id_a;
      record.body_b = pair.id_b;
      if (bodies.is_boundary(pair.b)) {
        record.body_b = -1 - world.model().boundary_parts[pair.b - bodies.moving()].boundary;
      }
      const auto rounding = [&](int i) { return contacts.model().shape_of(bodies, i).radius; };
      // Where friction acts (pair_touch.hpp); rigid contacts act in the middle of an overlap too.
      const double share = main.gap < 0 && !is_rigid ? pair.share : 0.5;
      record.point = contact::contact_point(main, rounding(pair.a), rounding(pair.b), share);
      record.normal = main.n;
      record.gap = main.gap;
      record.normal_force = active.normal - active.adhesion - active.damping;
      record.friction = -active.friction;
      record.first_found = active.first_found;
      const Vec3 touch = record.point;
      // A duplicate that is taken out as a contact of its own pulls: its row has a negative force.
      if (!pair.secants.empty()) {
        resultant_of_secants(pair, active, record);
        add_update(active, bodies.trial[pair.a].x, record);
      } else if (active.terms > 1 || active.corner >= 0 || active.window < 1 || active.counts != 1 ||
                 main.sign != 1) {
        resultant(pair, active, record);
      }
      // Its duplicates have taken it out: ContactTotals::contacts has none there.
      const double size = std::hypot(record.normal_force, record.friction.norm());
      if (!active.normal_positive && size <= kCancelled * pushes_of(pair, active)) continue;
      // What is little more than a couple has its line of action far away.
      if ((record.point - touch).norm() > contacts.model().shape_of(bodies, pair.a).bounding_radius)
        record.point = touch;
      record.point = bodies.periodic.wrap(record.point);
      record.weight = active.window;
      record.share = main.law.energy > 0 ? active.window * active.energy / main.law.energy : 1;
      records.push_back(record);
    }
  }
  for (const contact::CentralPair& bond : world.pair_forces().bonds()) {
    if (!bodies.is_owned(bond.a)) continue;
    records.push_back(record_of(world, bond));
    records.back().point = bodies.periodic.wrap(records.back().point);
  }
}

LargestUnbalance largest_unbalance(World& world, const std::vector<Wrench>& by_contact, double least_scale) {
  LocalSystem& local = world.load_residual();
  const Bodies& bodies = world.bodies();
  double largest[4] = {0, 0, 0, 0};
  for (int i = 0; i < bodies.owned; ++i) {
    const BodyProperties& body = bodies.properties[i];
    Eigen::Map<Vec6> r(local.residual_of(i));
    r.head<3>() -= by_contact[i].force;
    r.tail<3>() -= by_contact[i].moment;
    for (int k = 0; k < kBodyUnknowns; ++k) {
      if (body.fixed[k]) r[k] = 0;  // held by its support
    }
    // Nothing hands the loads of others on to what nothing carries.
    constexpr double kCarried = 0.1;  // of its weight; without, of the least scale
    const double weight = body.mass * world.model().gravity.norm();
    const double own = weight > 0 ? weight : least_scale;
    const bool carried = by_contact[i].force.norm() > kCarried * own;
    const double reference = carried ? std::max(weight, least_scale) : own;
    const double scale = reference > 0 ? reference : 1;
    const double force = r.head<3>().norm() / scale;
    const double moment = r.tail<3>().norm() / (scale * (reference > 0 ? body.length : 1));
    largest[0] = std::max(largest[0], force);
    largest[1] = std::max(largest[1], moment);
    if (!carried) largest[2] = std::max({largest[2], force, moment});
    largest[3] = std::max({largest[3], r.head<3>().norm(), r.tail<3>().norm() / body.length});
  }
  MPI_Allreduce(MPI_IN_PLACE, largest, 4, MPI_DOUBLE, MPI_MAX, world.comm());
  return {largest[0], largest[1], largest[2], largest[3]};
}

}  // namespace scree

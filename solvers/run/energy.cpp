#include "solvers/run/energy.hpp"

#include <algorithm>
#include <cmath>

#include "contact/forces/contact_totals.hpp"
#include "contact/forces/contact_work.hpp"
#include "contact/neighbours/pair_list.hpp"
#include "contact/neighbours/pair_results.hpp"
#include "contact/neighbours/trial_geometry.hpp"
#include "solvers/analysis.hpp"
#include "solvers/world/boundary_motion.hpp"

namespace scree {
namespace {

/// Whether the work of rigid boundaries comes with the losses of a step: where bodies answer to forces that
/// are not the mean of those at its ends (theory 02 section 8, theory 11).
bool books_with_losses(const Model& model) {
  if (!traits_of(model.analysis).forces_follow_from_state) return true;
  return traits_of(model.analysis).uses_integrator &&
         (model.integrator->secant_forces() || model.integrator->stage() == elements::ForceStage::middle);
}

}  // namespace

EnergyAccount::EnergyAccount(const World& world, double time) : domain_(world) {
  measure(world, time, 0, {});
  ledger_.initial_total = ledger_.total();
  first_bonds_ = bonds_;
  refer(time);
}

void EnergyAccount::book(const World& world, double time, double h, const contact::StepLosses& losses,
                         const std::optional<elements::LoadWork>& work) {
  measure(world, time, h, losses, work);
  refer(time);
}

void EnergyAccount::refer(double time) {
  // A fluid that moves gives energy, as loads do: without its work the reference of bodies that wind drives
  // from rest would be near zero. The sign of the work decides, not the velocity of the fluid: what fluid
  // forces did has no part in the balance error, and a step has to keep them from work that they cannot do.
  const double at_play = ledger_.initial_total + ledger_.work_of_loads + ledger_.work_of_boundaries +
                         std::max(0.0, -ledger_.fluid_loss) + ledger_.inflow - ledger_.outflow -
                         ledger_.potential - ledger_.near_field - outside_;
  ledger_.reference = std::max(ledger_.reference, at_play);
  const double error = ledger_.settled_error();
  if (error > ledger_.largest_error) {
    ledger_.largest_error = error;
    ledger_.largest_error_at = time;
  }
  if (error < ledger_.smallest_error) {
    ledger_.smallest_error = error;
    ledger_.smallest_error_at = time;
  }
}

void EnergyAccount::book_load_step(const World& world, double time, const contact::StepLosses& losses,
                                   double work, double fluid_work) {
  measure(world, time, 0, losses);
  double sums[2] = {work, -fluid_work};
  MPI_Allreduce(MPI_IN_PLACE, sums, 2, MPI_DOUBLE, MPI_SUM, world.comm());
  ledger_.work_of_loads += sums[0];
  ledger_.fluid_loss += sums[1];
  ledger_.let_go -= ledger_.closure_error();
  refer(time);
}

void EnergyAccount::book_exchange(const World& world, double time, double brought, bool settled, bool left) {
  // Forces and contacts of the accepted state stay booked: they are found again with the next step. What
  // bodies that left pushed at is pushed no more.
  const EnergyAccount before = *this;
  measure(world, time, 0, {});
  const double change = ledger_.total() - before.ledger_.total();
  // The round-off between what bodies bring and the change of the sums over all of them is no outflow.
  ledger_.inflow += left ? brought : change;
  if (left) ledger_.outflow += brought - change;
  if (!settled) boundaries_ = before.boundaries_;
  totals_ = before.totals_;
  max_velocity_ = before.max_velocity_;
  refer(time);
}

double EnergyAccount::book_switch(const World& world, double time) {
  const EnergyAccount before = *this;
  measure(world, time, 0, {});
  const double change = ledger_.total() - before.ledger_.total();
  (change > 0 ? ledger_.inflow : ledger_.outflow) += std::abs(change);
  // Forces that are unknowns of a step are found again with the next one.
  if (!traits_of(world.model().analysis).forces_follow_from_state) {
    totals_ = before.totals_;
    boundaries_ = before.boundaries_;
  }
  refer(time);
  return change;
}

std::vector<BoundaryLoad> EnergyAccount::boundary_loads(const World& world) {
  const Model& model = world.model();
  const Bodies& bodies = world.bodies();
  const contact::Contacts& contacts = world.contacts();
  const bool with_losses = books_with_losses(model);
  const auto is_asked = [&](const BoundaryDescription& boundary) {
    return boundary.motion.coupled || (!with_losses && moves(boundary.motion));
  };
  if (std::none_of(model.boundaries.begin(), model.boundaries.end(), is_asked)) return {};
  const auto parts = static_cast<std::size_t>(bodies.boundaries);
  std::vector<double> sums(6 * parts, 0.0);
  for (std::size_t p = 0; p < contacts.list().pairs().size(); ++p) {
    const contact::BodyPair& pair = contacts.list().pairs()[p];
    if (pair.active.empty() || !bodies.is_boundary(pair.b)) continue;
    const contact::PairWrench& on_wall =
        contacts.results().wrenches[p];  // the residual of A: what A does to it
    const Vec3 arm = contacts.geometry().arm_of(bodies, pair);
    double* sum = &sums[6 * static_cast<std::size_t>(pair.b - bodies.moving())];
    Eigen::Map<Vec3>(sum) += on_wall.force;
    Eigen::Map<Vec3>(sum + 3) += on_wall.moment + arm.cross(on_wall.force);
  }
  MPI_Allreduce(MPI_IN_PLACE, sums.data(), static_cast<int>(sums.size()), MPI_DOUBLE, MPI_SUM, world.comm());
  std::vector<BoundaryLoad> loads;
  for (std::size_t part = 0; part < parts; ++part) {
    const BodyState& state = bodies.state[static_cast<std::size_t>(bodies.moving()) + part];
    loads.push_back({Vec3(&sums[6 * part]), Vec3(&sums[6 * part + 3]), state.x, state.q, {}, {}});
    if (!model.boundaries[model.boundary_parts[part].boundary].motion.coupled) continue;
    const SurfaceState& surface = world.surfaces().state(static_cast<int>(part));
    loads.back().vertices = surface.x;
    loads.back().forces = surface.forces;
  }
  return loads;
}

void EnergyAccount::book_impacts(double loss, double lag, double overlap, double rising) {
  // Bodies began to lift out of overlap before anything was lost: what lifts them was in it.
  if (overlap_ < 0) overlap_ = overlap;
  lag_ += lag;
  const double more = std::clamp(lag_ - std::max(rising, 0.0), 0.0, std::max(loss, 0.0));
  lag_ -= more;
  ledger_.lag = std::min(lag_, std::max(rising, 0.0));
  const double given = std::min(loss - more, 0.0) + std::max(ledger_.damping_loss, 0.0);
  if (given < 0) {
    const double released = std::min(-given, overlap_);
    ledger_.inflow += released;
    overlap_ -= released;
  }
  // Corrections of positions give back at most what impacts took: more is created energy.
  ledger_.damping_loss += std::max(loss - more, -std::max(ledger_.damping_loss, 0.0));
}

void EnergyAccount::measure(const World& world, double time, double h, const contact::StepLosses& losses,
                            const std::optional<elements::LoadWork>& work) {
  const Bodies& bodies = world.bodies();
  const contact::ContactTotals own = world.contacts().work().totals(bodies);
  const contact::PairForceTotals pair_forces = world.pair_forces().totals(bodies);
  double translational = 0;
  double rotational = 0;
  double speed = 0;
  double weight_power = 0;
  for (int i = 0; i < bodies.owned; ++i) {
    const BodyProperties& properties = bodies.properties[i];
    const BodyState& state = bodies.state[i];
    translational += 0.5 * properties.mass * state.v.squaredNorm();
    const Vec3 spin = state.q.conjugate() * state.w;
    rotational += 0.5 * spin.dot(properties.inertia_B * spin);
    speed = std::max(speed, state.v.norm());
    for (int k = 0; k < 3; ++k)
      if (!properties.fixed[k]) weight_power += properties.mass * world.model().gravity[k] * state.v[k];
  }
  double sums[22] = {translational,
                     rotational,
                     world.loads().potential(bodies),
                     own.normal_energy,
                     own.friction_energy,
                     losses.damping,
                     losses.friction,
                     world.loads().power(bodies, time),
                     static_cast<double>(own.contacts),
                     pair_forces.bond_energy,
                     pair_forces.near_field_energy,
                     losses.bonds,
                     static_cast<double>(pair_forces.bonds),
                     -world.loads().fluid_power(bodies, time),
                     domain_.potential_lost_outside(world, time),
                     losses.boundaries,
                     work ? work->dead : 0,
                     work ? -work->fluid : 0,
                     losses.lag,
                     losses.overlap,
                     weight_power,
                     own.attraction};
  MPI_Allreduce(MPI_IN_PLACE, sums, 22, MPI_DOUBLE, MPI_SUM, world.comm());
  double largest[5] = {-own.min_gap, own.largest_force, speed, own.overlap_part, -own.gap_part};
  MPI_Allreduce(MPI_IN_PLACE, largest, 5, MPI_DOUBLE, MPI_MAX, world.comm());
  ledger_.translational = sums[0];
  ledger_.rotational = sums[1];
  ledger_.potential = sums[2];
  ledger_.contact = sums[3];
  ledger_.friction_elastic = sums[4];
  const bool rigid = !traits_of(world.model().analysis).forces_follow_from_state;
  const bool booked = !rigid && world.model().integrator->secant_forces();
  if (rigid && h > 0) {
    book_impacts(sums[5], sums[18], sums[19], -0.5 * h * sums[20]);
  } else {
    ledger_.damping_loss += std::max(sums[5], 0.0);
  }
  ledger_.friction_loss += sums[6];
  // Where friction stops a slip, the normal rows of the update may give what it takes, and no more.
  if (booked) ledger_.friction_loss += std::max(std::min(sums[5], 0.0), -std::max(sums[6], 0.0));
  ledger_.work_of_loads += work ? sums[16] : 0.5 * h * (power_n_ + sums[7]);
  power_n_ = sums[7];
  ledger_.work_of_boundaries -= sums[15];
  const bool with_losses = books_with_losses(world.model());
  const std::vector<BoundaryLoad> boundaries = boundary_loads(world);
  for (std::size_t part = 0; part < std::min(boundaries.size(), boundaries_.size()); ++part) {
    // Mean force of the ends times displacement, like the losses of contacts. The forces of contact
    // dynamics and of energy steps are those of the step.
    const BoundaryLoad& now = boundaries[part];
    const BoundaryLoad& before = boundaries_[part];
    const BoundaryLoad& first = rigid || booked ? now : before;
    if (!now.vertices.empty()) {
      for (std::size_t k = 0; k < now.vertices.size(); ++k)
        ledger_.work_of_boundaries -=
            0.5 * (first.forces[k] + now.forces[k]).dot(now.vertices[k] - before.vertices[k]);
      continue;
    }
    if (with_losses) continue;
    const Eigen::AngleAxisd turn(now.q * before.q.conjugate());
    ledger_.work_of_boundaries -= 0.5 * (first.force + now.force).dot(now.x - before.x) +
                                  0.5 * (first.moment + now.moment).dot(turn.angle() * turn.axis());
  }
  boundaries_ = boundaries;
  totals_.contacts = std::lround(sums[8]);
  ledger_.bonds = sums[9];
  ledger_.near_field = sums[10];
  ledger_.bond_loss += sums[11];
  bonds_ = std::lround(sums[12]);
  ledger_.fluid_loss += work ? sums[17] : 0.5 * h * (fluid_power_n_ + sums[13]);
  fluid_power_n_ = sums[13];
  outside_ = sums[14];
  totals_.min_gap = -largest[0];
  totals_.largest_force = largest[1];
  max_velocity_ = largest[2];
  totals_.overlap_part = largest[3];
  totals_.gap_part = -largest[4];
  note_attraction(world, time, own, sums[21]);
}

void EnergyAccount::note_attraction(const World& world, double time, const contact::ContactTotals& own,
                                    double all) {
  if (!(all < ledger_.attraction)) return;
  struct {
    double energy;
    int rank;
  } worst{own.worst_attraction, 0};
  MPI_Comm_rank(world.comm(), &worst.rank);
  MPI_Allreduce(MPI_IN_PLACE, &worst, 1, MPI_DOUBLE_INT, MPI_MINLOC, world.comm());
  ledger_.attraction = all;
  ledger_.attraction_at = time;
  attracted_ = own.attracted;
  MPI_Bcast(&attracted_, sizeof(BodyId), MPI_BYTE, worst.rank, world.comm());
}

}  // namespace scree

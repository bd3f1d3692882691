/// What quasi-static analysis needs of the system: load steps that can be taken back, and what drives them.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

#include "solvers/contact_output.hpp"
#include "solvers/system.hpp"

namespace scree {
namespace {

/// Longer than anything that a dashpot could resist, and still finite: c / h and rates times h are 0.
constexpr double kForEver = 1e100;  // s

}  // namespace

void System::begin_contacts(double time, double h) {
  if (model_->analysis != Analysis::quasi_static) {
    contacts_.begin_step(time, h);
  } else {
    // How far a proximal step goes before a contact is made is chosen by tau, not by the loads.
    contacts_.begin_step(load_step_ ? 0.5 * (load_step_->from + load_step_->to) : time, kForEver, false,
                         false, contact::FirstTouch::whole);
  }
}

void System::begin_load_step(double from, double to) {
  load_step_ = LoadStep{from, to, {}, {}, ghost_reach(travel_after_restore())};
  for (int i = 0; i < bodies_.owned; ++i) {
    const BodyId id = bodies_.properties[i].id;
    load_step_->start[id] = {bodies_.state[i], memory(id)};
  }
  load_step_->boundaries.assign(bodies_.state.end() - bodies_.boundaries, bodies_.state.end());
}

void System::end_load_step() { load_step_.reset(); }

void System::restore() {
  contacts_.forget();
  pair_forces_.forget();
  for (int i = 0; i < bodies_.owned; ++i) {
    const StartOfBody& start = load_step_->start.at(bodies_.properties[i].id);
    bodies_.state[i] = start.state;
    remember(start.memory);
  }
  std::copy(load_step_->boundaries.begin(), load_step_->boundaries.end(),
            bodies_.state.end() - bodies_.boundaries);
  const double from = load_step_->from;
  const double reach = load_step_->reach;
  load_step_.reset();
  find_neighbours(travel_after_restore(), reach);
  contacts_.update_gaps(bodies_);
  pattern(0);
  layout_changed_ = true;
  initialise_accelerations(from);
}

std::vector<std::byte> System::pack_body(BodyId id) {
  Luggage luggage{memory(id), {}};
  if (load_step_) luggage.start = std::move(load_step_->start.extract(id).mapped());
  return to_bytes(luggage);
}

void System::unpack_body(BodyId id, const std::vector<std::byte>& bytes) {
  auto luggage = from_bytes<Luggage>(bytes);
  remember(luggage.memory);
  if (luggage.start) load_step_->start[id] = std::move(*luggage.start);
}

Unbalance System::unbalance() {
  initialise_accelerations(load_step_->to);
  const LocalSystem& loads = load_residual();
  double largest[3] = {0, 0, 0};
  for (int i = 0; i < bodies_.owned; ++i) {
    largest[0] = std::max(largest[0], bodies_.state[i].a.norm());
    largest[1] = std::max(largest[1], bodies_.state[i].dw.norm());
    const Eigen::Map<const Vec3> load(&loads.residual[loads.offset[i]]);
    largest[2] = std::max(largest[2], load.norm() / bodies_.properties[i].mass);
  }
  MPI_Allreduce(MPI_IN_PLACE, largest, 3, MPI_DOUBLE, MPI_MAX, comm_);
  return {largest[0], largest[1], largest[2]};
}

double System::load_work() const { return loads_.work(bodies_, load_step_->from, load_step_->to); }

double System::fluid_work() const { return loads_.fluid_work(bodies_, load_step_->from, load_step_->to); }

double System::mean_length() const {
  double sums[2] = {0, static_cast<double>(bodies_.owned)};
  for (int i = 0; i < bodies_.owned; ++i) sums[0] += bodies_.properties[i].length;
  MPI_Allreduce(MPI_IN_PLACE, sums, 2, MPI_DOUBLE, MPI_SUM, comm_);
  return sums[1] > 0 ? sums[0] / sums[1] : 0;
}

double System::extent() const {
  // Poles with bounding radii; boundaries, which may be unbounded, by their poles.
  constexpr double kFar = std::numeric_limits<double>::max();
  double corner[6] = {-kFar, -kFar, -kFar, -kFar, -kFar, -kFar};  // largest of -x and of x
  for (int i = 0; i < bodies_.all(); ++i) {
    const double length = bodies_.is_boundary(i) ? 0 : bodies_.properties[i].length;
    for (int k = 0; k < 3; ++k) {
      corner[k] = std::max(corner[k], length - bodies_.state[i].x[k]);
      corner[k + 3] = std::max(corner[k + 3], length + bodies_.state[i].x[k]);
    }
  }
  MPI_Allreduce(MPI_IN_PLACE, corner, 6, MPI_DOUBLE, MPI_MAX, comm_);
  Vec3 size(corner[0] + corner[3], corner[1] + corner[4], corner[2] + corner[5]);
  for (int k = 0; k < 3; ++k) {
    // Where a cell begins is no matter of the packing.
    if (bodies_.periodic.length[k] > 0) size[k] = bodies_.periodic.length[k];
  }
  return size.norm();
}

double System::moved() const {
  double largest = 0;
  for (int i = 0; i < bodies_.owned; ++i) {
    const StartOfBody& start = load_step_->start.at(bodies_.properties[i].id);
    largest =
        std::max(largest, (bodies_.unwrapped(bodies_.state[i]) - bodies_.unwrapped(start.state)).norm());
  }
  return max_over_ranks(largest);
}

std::string System::restless_body() {
  std::vector<Wrench> by_contact;
  initialise_accelerations(load_step_->to);
  body_wrenches(*this, by_contact);
  const LocalSystem& loads = load_residual();
  struct {
    double force;
    int body;
  } worst = {-1, 0};
  static_assert(sizeof worst == 16, "a pair as MPI_DOUBLE_INT has it");
  int local = -1;
  for (int i = 0; i < bodies_.owned; ++i) {
    Vec3 force = by_contact[i].force - Eigen::Map<const Vec3>(&loads.residual[loads.offset[i]]);
    for (int k = 0; k < 3; ++k) {
      if (bodies_.properties[i].fixed[k]) force[k] = 0;
    }
    if (force.norm() <= worst.force) continue;
    local = i;
    worst = {force.norm(), static_cast<int>(bodies_.properties[i].id)};
  }
  const int found = worst.body;
  MPI_Allreduce(MPI_IN_PLACE, &worst, 1, MPI_DOUBLE_INT, MPI_MAXLOC, comm_);
  double moved = 0, touches = 0;
  if (local >= 0 && found == worst.body) {
    const BodyState& start = load_step_->start.at(bodies_.properties[local].id).state;
    moved = (bodies_.unwrapped(bodies_.state[local]) - bodies_.unwrapped(start)).norm();
    touches = by_contact[local].force.norm() > 0 ? 1 : 0;
  }
  moved = max_over_ranks(moved);
  touches = max_over_ranks(touches);
  char text[160];
  std::snprintf(text, sizeof text,
                "moved by %.3g m in this load step, and %.3g N on it are not balanced: it %s", moved,
                worst.force, touches > 0 ? "slides, turns or sinks" : "falls, touching nothing");
  return model_->body_in_words(worst.body) + ' ' + text;
}

}  // namespace scree

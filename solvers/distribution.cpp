/// Bodies of the model on the ranks: start, ghosts, migration, and the search that goes with them.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <stdexcept>
#include <string>

#include "assembly/interrupt.hpp"
#include "assembly/migration.hpp"
#include "assembly/partition.hpp"
#include "core/error.hpp"
#include "solvers/boundary_motion.hpp"
#include "solvers/system.hpp"

namespace scree {
namespace {

/// Bodies are dealt out anew when the busiest rank has this much more than the mean.
constexpr double kWorstBalance = 1.25;
/// Work of one near pair and of each of its contacts, in units of a body's own.
constexpr double kPairWeight = 0.5;

BodyProperties properties_of(const Model& model, BodyId id, const BodyDescription& body) {
  BodyProperties properties;
  properties.id = id;
  properties.shape = body.shape;
  properties.material = body.material;
  properties.mass = body.mass;
  properties.inertia_B = body.inertia_B;
  properties.length = model.shapes[body.shape].bounding_radius;
  properties.fixed = body.fixed;
  properties.start = body.position;
  return properties;
}

BodyState state_of(const Model& model, const BodyDescription& body) {
  BodyState state;
  state.x = body.position;
  state.q = body.orientation.normalized();
  if (model.analysis == Analysis::quasi_static) return state;  // nothing has a velocity
  state.v = body.velocity;
  state.w = body.angular_velocity;
  return state;
}

std::string name_of(const Model& model, const BodyProperties& body) {
  if (body.id >= contact::kFirstBoundaryId) {
    const auto part = static_cast<std::size_t>(body.id - contact::kFirstBoundaryId);
    return "boundary \"" + model.boundaries[model.boundary_parts[part].boundary].name + "\"";
  }
  return model.body_in_words(body.id);
}

/// @returns the lowest rank that has something to say; the number of ranks if none has. Collective.
int lowest_rank(MPI_Comm comm, bool speaks) {
  int rank = 0, ranks = 1;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &ranks);
  int speaker = speaks ? rank : ranks;
  MPI_Allreduce(MPI_IN_PLACE, &speaker, 1, MPI_INT, MPI_MIN, comm);
  return speaker;
}

void broadcast(MPI_Comm comm, int speaker, std::string& text) {
  int size = static_cast<int>(text.size());
  MPI_Bcast(&size, 1, MPI_INT, speaker, comm);
  text.resize(static_cast<std::size_t>(size));
  MPI_Bcast(text.data(), size, MPI_CHAR, speaker, comm);
}

}  // namespace

void System::distribute() {
  const Model& model = *model_;
  int rank = 0;
  int ranks = 1;
  MPI_Comm_rank(comm_, &rank);
  MPI_Comm_size(comm_, &ranks);
  bodies_.periodic = model.periodic;
  const BodyId count = model.body_count();
  for (BodyId id = first_body(count, rank, ranks); id < first_body(count, rank + 1, ranks); ++id) {
    const BodyDescription* body = model.description_of(id);
    if (body == nullptr) throw std::logic_error("distribute: the model was cut for other ranks");
    bodies_.properties.push_back(properties_of(model, id, *body));
    bodies_.state.push_back(state_of(model, *body));
  }
  bodies_.owned = static_cast<int>(bodies_.properties.size());
  append_boundaries();
  check_interrupt(comm_);
  boundaries_active_.assign(model.boundary_parts.size(), 1);
  if (ranks > 1) rebalance();
  check_interrupt(comm_);
  redistribute(travel_for(way_ahead()));  // limits see what is in the lists
  check_interrupt(comm_);
  make_bonds();
  set_boundaries(0);
  check_interrupt(comm_);
  refuse_overlap();
  check_interrupt(comm_);
}

BodiesState System::state() const {
  BodiesState state;
  const auto owned = bodies_.owned;
  state.properties.assign(bodies_.properties.begin(), bodies_.properties.begin() + owned);
  state.bodies.assign(bodies_.state.begin(), bodies_.state.begin() + owned);
  state.boundaries.assign(bodies_.state.begin() + bodies_.moving(), bodies_.state.end());
  state.active = boundaries_active_;
  state.memory = memory();
  state.rigid_wrenches = rigid_wrenches_;
  state.bonds_broke = bonds_broke_;
  state.travel = travel_for(largest_speed() * model_->time.step);
  state.reach = ghost_reach(state.travel);
  return state;
}

void System::take_state(const BodiesState& state, double time) {
  bodies_.periodic = model_->periodic;
  bodies_.properties = state.properties;
  bodies_.state = state.bodies;
  bodies_.owned = static_cast<int>(bodies_.properties.size());
  append_boundaries();
  std::copy(state.boundaries.begin(), state.boundaries.end(), bodies_.state.begin() + bodies_.owned);
  boundaries_active_ = state.active;
  rigid_wrenches_ = state.rigid_wrenches;
  bonds_broke_ = state.bonds_broke;
  contacts_.remember(state.memory.contacts);
  if (model_->bonds) pair_forces_.restore(state.memory.bonds);
  find_neighbours(state.travel, state.reach);
  contacts_.update_gaps(bodies_);
  pattern(0);
  evaluate_accepted(time);
}

void System::make_bonds() {
  if (!model_->bonds) return;
  pair_forces_.make_bonds(bodies_);
  if (max_over_ranks(pair_forces_.bonds().empty() ? 0.0 : 1.0) == 0) {
    char part[32];
    std::snprintf(part, sizeof part, "%g", model_->bonds->within);
    throw InputError("/bonds/within", "got " + std::string(part) +
                                          "; no two spheres are as near as that part of their mean diameter "
                                          "at the start: there is nothing to bond.");
  }
  contacts_.set_bonds(bodies_, pair_forces_.bonds());
}

std::string System::describe_overlap(const char* when, const std::vector<char>* boundaries, BodyId& first) {
  std::string message;
  const std::string at = std::string(" overlap ") + when;
  if (const auto overlap = contacts_.find_overlap(bodies_, boundaries)) {
    const BodyProperties& body = bodies_.properties[overlap->a];
    const double depth = overlap->depth;
    first = body.id;
    char size[32];
    std::snprintf(size, sizeof size, "%.3g", depth);
    message =
        name_of(*model_, body) + " and " + name_of(*model_, bodies_.properties[overlap->b]) +
        (overlap->behind ? ": the body's centre of mass is " + std::string(size) + " m behind it " + when +
                               ", where nothing should be; move the body, or turn "
                               "the boundary around"
         : overlap->rigid ? at + ", " +
                                (std::isfinite(depth) ? std::string(size) + " m deep"
                                                      : std::string("with centres or axes at one place")) +
                                "; rigid bodies may touch, but not overlap by more than 1e-9 of "
                                "their size"
         : overlap->barrier
             ? (depth > 0 ? at + ", " + std::string(size) + " m deep" : std::string(" touch ") + when) +
                   "; a barrier law needs a gap > 0 between all bodies and boundaries"
             : at + " by " + std::string(size) +
                   " m more than their rounding radii (0 without rounding); the law has no force for "
                   "that");
    if (overlap->through_face) message += ". They meet through a face of the periodic cell, /periodic";
  }
  int ranks = 1;
  MPI_Comm_size(comm_, &ranks);
  const int finder = lowest_rank(comm_, !message.empty());
  if (finder == ranks) return "";
  broadcast(comm_, finder, message);
  MPI_Bcast(&first, 1, MPI_INT64_T, finder, comm_);
  return message;
}

void System::refuse_overlap() {
  BodyId first = 0;
  const std::string message = describe_overlap("at the start", nullptr, first);
  if (message.empty()) return;
  // Bodies have been dealt out by place since: where in the deck it stands, another rank may have kept.
  const BodyDescription* described = model_->description_of(first);
  std::string where = described != nullptr ? described->where : "";
  const int keeper = lowest_rank(comm_, described != nullptr);
  int ranks = 1;
  MPI_Comm_size(comm_, &ranks);
  if (keeper < ranks) broadcast(comm_, keeper, where);
  throw InputError(where, message);
}

void System::append_boundaries() {
  for (std::size_t part = 0; part < model_->boundary_parts.size(); ++part) {
    const BoundaryPart& wall = model_->boundary_parts[part];
    BodyProperties properties;
    properties.id = contact::kFirstBoundaryId + static_cast<BodyId>(part);
    properties.shape = plane_shape_ + 1 + wall.wall;  // planes have -1, and the shape before the walls
    properties.material = model_->boundaries[wall.boundary].material;
    properties.length = 0;
    bodies_.properties.push_back(properties);
    bodies_.state.push_back(boundary_state(*model_, wall, 0, 0));
  }
  bodies_.boundaries = static_cast<int>(model_->boundary_parts.size());
  bodies_.trial.resize(bodies_.state.size());
}

void System::rebalance() {
  std::vector<double> weight(static_cast<std::size_t>(bodies_.owned), 1.0);
  std::vector<std::pair<int, int>> touching;
  for (const contact::BodyPair& pair : contacts_.pairs()) {
    if (pair.items.empty()) continue;
    const double share = kPairWeight * (1.0 + static_cast<double>(pair.active.size()));
    if (bodies_.is_owned(pair.a)) weight[pair.a] += share;
    if (bodies_.is_boundary(pair.b)) continue;
    if (bodies_.is_owned(pair.b)) weight[pair.b] += share;
    // The owned one stands first.
    touching.emplace_back(bodies_.is_owned(pair.a) ? std::pair(pair.a, pair.b) : std::pair(pair.b, pair.a));
  }
  for (const contact::CentralPair& bond : pair_forces_.bonds()) {
    touching.emplace_back(bodies_.is_owned(bond.a) ? std::pair(bond.a, bond.b) : std::pair(bond.b, bond.a));
  }
  const bool first = contacts_.pairs().empty();
  double sum = 0;
  for (const double w : weight) sum += w;
  double pairs = first ? 0 : 1;
  MPI_Allreduce(MPI_IN_PLACE, &pairs, 1, MPI_DOUBLE, MPI_MAX, comm_);
  if (pairs > 0 && imbalance(comm_, sum) < kWorstBalance) return;
  const std::vector<int> owner = partition(comm_, bodies_, weight, touching);
  migrate(comm_, bodies_, owner,
          {[this](BodyId id) { return pack_body(id); },
           [this](BodyId id, const std::vector<std::byte>& blob) { unpack_body(id, blob); }});
}

PairMemories System::memory(std::optional<BodyId> body) const {
  return {contacts_.memory(body), pair_forces_.memory(body)};
}

void System::remember(const PairMemories& memory) {
  contacts_.remember(memory.contacts);
  pair_forces_.remember(memory.bonds);
}

double System::travel_for(double way) const {
  // A fifth of the threshold's skin costs few pairs and lasts some steps.
  return std::max(9 * way, 5 * contacts_.scale());
}

double System::largest_speed() const {
  double speed = 0;
  for (int i = 0; i < bodies_.owned; ++i) speed = std::max(speed, bodies_.state[i].v.norm());
  return max_over_ranks(speed);
}

double System::way_ahead() const { return largest_speed() * std::max(h_, model_->time.step); }

void System::renew_lists(double travel, double step_travel) {
  redistribute(travel);
  contacts_.update_gaps(bodies_);
  pattern(step_travel);
}

void System::redistribute(double travel) {
  int ranks = 1;
  MPI_Comm_size(comm_, &ranks);
  const double reach = ghost_reach(travel);  // asked before bonded bodies part ways
  if (ranks > 1 && dofs_) rebalance();
  find_neighbours(travel, reach);
}

double System::ghost_reach(double travel) const {
  const double reach = contacts_.largest_threshold() + 2 * travel;
  if (pair_forces_.empty()) return reach;
  // A sphere of this radius is added to each of two bodies.
  return std::max(reach, 0.51 * max_over_ranks(pair_forces_.reach(bodies_, travel)));
}

void System::find_neighbours(double travel, double reach) {
  int ranks = 1;
  MPI_Comm_size(comm_, &ranks);
  wrap_bodies();
  if (ranks > 1) {
    ghosts_.find(bodies_, reach);
  }
  reset_trial();
  contacts_.search(bodies_, travel);
  contacts_.set_boundaries(bodies_, boundaries_active_);
  pair_forces_.search(bodies_, travel);
  if (model_->bonds) contacts_.set_bonds(bodies_, pair_forces_.bonds());
  if (ranks > 1 || !dofs_) {
    layout();
    dofs_.emplace(comm_, bodies_.owned, local_.size, ghosts_.owners());
  }
}

void System::populate(double time, const std::vector<char>& leaves, const std::vector<NewBody>& arrivals) {
  replace_bodies(bodies_, leaves, arrivals);
  dofs_.reset();  // the numbers of unknowns are others
  const double way = way_ahead();
  renew_lists(std::max(contacts_.covered_travel(), travel_for(way)), way);
  if (model_->analysis == Analysis::contact_dynamics) return;
  const bool left =
      std::any_of(leaves.begin(), leaves.end(), [](char leaves_now) { return leaves_now != 0; });
  if (max_over_ranks(left ? 1.0 : 0.0) > 0) {
    // What a body that left pushed at is not pushed any more.
    initialise_accelerations(time);
    return;
  }
  load_residual();
  take_accelerations(bodies_.owned - static_cast<int>(arrivals.size()));
  forget_evaluation();
}

void System::wrap_bodies() {
  for (int i = 0; i < bodies_.owned; ++i) {
    BodyState& body = bodies_.state[i];
    const CellNumber cell = bodies_.periodic.number_of(body.x);
    body.x -= bodies_.periodic.way_to(cell);
    body.cell = body.cell + cell;
  }
}

void System::update_ghost_states() { ghosts_.update_states(bodies_); }

}  // namespace scree

#include "solvers/world/world.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <stdexcept>
#include <utility>

#include "assembly/interrupt.hpp"
#include "assembly/partition.hpp"
#include "contact/neighbours/contact_model.hpp"
#include "contact/neighbours/pair_gaps.hpp"
#include "contact/neighbours/pair_list.hpp"
#include "contact/neighbours/pair_switches.hpp"
#include "contact/neighbours/trial_geometry.hpp"
#include "core/archive.hpp"
#include "core/error.hpp"
#include "core/text.hpp"
#include "solvers/analysis.hpp"
#include "solvers/world/balance.hpp"
#include "solvers/world/boundary_motion.hpp"
#include "solvers/world/list_reach.hpp"
#include "solvers/world/overlap.hpp"

namespace scree {
namespace {

BodyProperties properties_of(const Model& model, BodyId id, const BodyDescription& body) {
  return {.id = id,
          .shape = body.shape,
          .material = body.material,
          .mass = body.mass,
          .inertia_B = body.inertia_B,
          .length = model.shapes[body.shape].bounding_radius,
          .fixed = body.fixed,
          .start = body.position};
}

BodyState state_of(const Model& model, const BodyDescription& body) {
  BodyState state;
  state.x = body.position;
  state.q = body.orientation.normalized();
  if (!traits_of(model.analysis).has_velocities) return state;
  state.v = body.velocity;
  state.w = body.angular_velocity;
  return state;
}

std::vector<contact::InterfaceLaw> laws_of(const Model& model) {
  std::vector<contact::InterfaceLaw> laws;
  for (const contact::Interface& interface : model.interfaces) laws.emplace_back(interface);
  return laws;
}

std::vector<contact::Elasticity> elasticity_of(const Model& model) {
  std::vector<contact::Elasticity> moduli;
  for (const Material& material : model.materials) moduli.push_back({material.young, material.poisson});
  return moduli;
}

std::vector<Shape> shapes_of(const Model& model) {
  std::vector<Shape> shapes = model.shapes;
  shapes.push_back(make_plane("plane"));
  shapes.insert(shapes.end(), model.walls.begin(), model.walls.end());
  return shapes;
}

/// Index of the plane among the shapes of a world.
int plane_of(const Model& model) { return static_cast<int>(model.shapes.size()); }

/// What travels with a body that changes its rank.
struct Luggage {
  PairMemories memory;
  std::vector<std::byte> more;  ///< of World::set_luggage

  template <class Self, class Archive>
  static void visit(Self& self, Archive& archive) {
    archive("memory", self.memory, "");
    archive("more", self.more, "");
  }
};

/// @returns what outlives a step, without the sizes of lists.
BodiesState collect(const Bodies& bodies, const std::vector<char>& active, PairMemories memory,
                    bool bonds_broke, bool uneven) {
  BodiesState state;
  state.properties.assign(bodies.properties.begin(), bodies.properties.begin() + bodies.owned);
  state.bodies.assign(bodies.state.begin(), bodies.state.begin() + bodies.owned);
  state.boundaries.assign(bodies.state.begin() + bodies.moving(), bodies.state.end());
  state.active = active;
  state.memory = std::move(memory);
  state.bonds_broke = bonds_broke;
  state.uneven = uneven;
  return state;
}

template <class T>
std::size_t bytes_of(const std::vector<T>& list) {
  return list.size() * sizeof(T);
}

/// @returns the length of the longest bond [m]. @param bonds the same list on all ranks, before their ends
/// are known to those that need them. Collective.
double longest_of(const std::vector<contact::BondMemory>& bonds, const Bodies& bodies, MPI_Comm comm) {
  std::map<BodyId, std::size_t> places;
  for (const contact::BondMemory& bond : bonds)
    for (const BodyId id : {bond.id_a, bond.id_b}) places.emplace(id, places.size());
  std::vector<double> x(3 * places.size(), 0.0);
  for (int i = 0; i < bodies.owned; ++i) {
    const auto found = places.find(bodies.properties[i].id);
    if (found == places.end()) continue;
    for (int k = 0; k < 3; ++k) x[3 * found->second + k] = bodies.unwrapped(bodies.state[i])[k];
  }
  MPI_Allreduce(MPI_IN_PLACE, x.data(), static_cast<int>(x.size()), MPI_DOUBLE, MPI_SUM, comm);
  const auto at = [&](BodyId id) { return Vec3(&x[3 * places.at(id)]); };
  double longest = 0;
  for (const contact::BondMemory& bond : bonds)
    longest = std::max(longest, (at(bond.id_a) - at(bond.id_b) - bodies.periodic.way_to(bond.image)).norm());
  return longest;
}

}  // namespace

World::World(const Model& model, MPI_Comm comm, std::string options_prefix)
    : model_(&model),
      comm_(comm),
      options_prefix_(std::move(options_prefix)),
      shapes_(shapes_of(model)),
      boundaries_(model),
      surfaces_(model, shapes_, plane_of(model) + 1),
      ghosts_(comm),
      contacts_(shapes_, laws_of(model), model.interface_of, elasticity_of(model)),
      pair_forces_(shapes_, model.bonds, model.near_fields),
      loads_(model.gravity, model.loads) {
  bodies_.periodic = model.periodic;
  contacts_.geometry().set_surfaces(surfaces_.by_part());
  distribute();
}

World::World(const Model& model, const BodiesState& state, MPI_Comm comm, std::string options_prefix)
    : model_(&model),
      comm_(comm),
      options_prefix_(std::move(options_prefix)),
      shapes_(shapes_of(model)),
      boundaries_(model),
      surfaces_(model, shapes_, plane_of(model) + 1),
      ghosts_(comm),
      contacts_(shapes_, laws_of(model), model.interface_of, elasticity_of(model)),
      pair_forces_(shapes_, model.bonds, model.near_fields),
      loads_(model.gravity, model.loads),
      bonds_broke_(state.bonds_broke),
      uneven_(state.uneven) {
  bodies_.periodic = model.periodic;
  bodies_.properties = state.properties;
  bodies_.state = state.bodies;
  bodies_.owned = static_cast<int>(bodies_.properties.size());
  boundaries_.append_to(bodies_, plane_of(model));
  surfaces_.restore(state.surfaces);
  contacts_.geometry().set_surfaces(surfaces_.by_part());
  boundaries_.restore(bodies_, state.boundaries);
  boundaries_.set_active(state.active);
  contacts_.list().remember(state.memory.contacts);
  if (model.bonds) pair_forces_.restore(state.memory.bonds);
  find_neighbours(state.travel, state.reach);
  contacts_.gaps().update(bodies_);
}

BodiesState World::redistributed(const Model& model, const BodiesState& state, MPI_Comm comm) {
  World world(model, state, comm);
  std::map<BodyId, Vec6> wrenches;
  for (std::size_t i = 0; i < state.rigid_wrenches.size(); ++i)
    wrenches[state.properties[i].id] = state.rigid_wrenches[i];
  world.set_luggage({[&](BodyId id) {
                       const auto found = wrenches.find(id);
                       return found == wrenches.end() ? std::vector<std::byte>{} : to_bytes(found->second);
                     },
                     [&](BodyId id, const std::vector<std::byte>& bytes) {
                       if (!bytes.empty()) wrenches[id] = from_bytes<Vec6>(bytes);
                     }});
  world.renew_lists(state.travel);
  BodiesState mine = world.state(0);
  const bool rigid = world.on_any_rank(!state.rigid_wrenches.empty());
  for (const BodyProperties& body : mine.properties)
    if (rigid) mine.rigid_wrenches.push_back(wrenches.at(body.id));
  return mine;
}

void World::distribute() {
  const Model& model = *model_;
  int rank = 0;
  int ranks = 1;
  MPI_Comm_rank(comm_, &rank);
  MPI_Comm_size(comm_, &ranks);
  const BodyId count = model.body_count();
  for (BodyId id = first_body(count, rank, ranks); id < first_body(count, rank + 1, ranks); ++id) {
    const BodyDescription* body = model.description_of(id);
    if (body == nullptr) throw std::logic_error("distribute: keep_own_block was called for other ranks");
    bodies_.properties.push_back(properties_of(model, id, *body));
    bodies_.state.push_back(state_of(model, *body));
  }
  bodies_.owned = static_cast<int>(bodies_.properties.size());
  boundaries_.append_to(bodies_, plane_of(model));
  check_interrupt(comm_);
  if (ranks > 1) rebalance();
  check_interrupt(comm_);
  if (model.memory) contacts_.list().take_over(model.memory->contacts, bodies_);
  redistribute(travel_for(way_ahead(0)));  // limits see what is in the lists
  check_interrupt(comm_);
  make_bonds();
  boundaries_.switch_at(0);
  contacts_.switches().set_boundaries(bodies_, boundaries_.active());
  check_interrupt(comm_);
  refuse_overlap(model, bodies_, contacts_, comm_);
  check_interrupt(comm_);
}

void World::make_bonds() {
  if (!model_->bonds) return;
  if (model_->memory && model_->memory->bonded) {
    const double travel = contacts_.list().covered_travel();
    // A sphere of half the length around each pole reaches the other one.
    const double reach =
        std::max(ghost_reach(travel), 0.51 * longest_of(model_->memory->bonds, bodies_, comm_));
    pair_forces_.restore(model_->memory->bonds);
    find_neighbours(travel, reach);
    return;
  }
  pair_forces_.make_bonds(bodies_);
  if (max_over_ranks(pair_forces_.bonds().empty() ? 0.0 : 1.0) == 0) {
    throw InputError("/bonds/within", "got " + text::number(model_->bonds->within, 6) +
                                          "; no two spheres have an initial gap below this part of their "
                                          "mean diameter, so no bond is created; increase it.");
  }
  contacts_.switches().set_bonds(bodies_, pair_forces_.bonds());
}

std::vector<BodyState> World::release_states() {
  return std::exchange(bodies_.state, std::vector<BodyState>(bodies_.state));
}

BodiesState World::state(double h) const {
  BodiesState state = collect(bodies_, boundaries_.active(), memory(), bonds_broke_, uneven_);
  state.surfaces = surfaces_.states();
  state.travel = travel_for(way_ahead(h));
  state.reach = ghost_reach(state.travel);
  return state;
}

BodiesState WorldCopy::state() const {
  BodiesState state =
      collect(bodies, active, {contacts.list().memory(), pair_forces.memory({})}, bonds_broke, uneven);
  for (const Surfaces::Kept& one : surfaces) state.surfaces.push_back(one.state);
  return state;
}

std::size_t WorldCopy::size() const {
  std::size_t sum = bytes_of(bodies.properties) + bytes_of(bodies.state) + bytes_of(bodies.trial);
  for (const Surfaces::Kept& one : surfaces)
    sum += 5 * bytes_of(one.state.x) + bytes_of(one.state.motion.x0) + bytes_of(one.state.motion.x1);
  for (const contact::BodyPair& pair : contacts.list().pairs()) {
    for (const auto& far : pair.bounds) sum += sizeof far + bytes_of(far.gaps) + bytes_of(far.gaps_n);
    sum += sizeof pair + bytes_of(pair.items) + bytes_of(pair.also_at) + bytes_of(pair.closed) +
           bytes_of(pair.hints) + bytes_of(pair.meeting) + bytes_of(pair.search_n.hints) +
           bytes_of(pair.search_n.meeting) + bytes_of(pair.history) + bytes_of(pair.terms) +
           bytes_of(pair.secants) + bytes_of(pair.active) + bytes_of(pair.iterates);
  }
  return sum;
}

WorldCopy World::keep() {
  WorldCopy copy{bodies_,      boundaries_.active(), surfaces_.keep(), ghosts_, contacts_.copy(),
                 pair_forces_, load_time_,           bonds_broke_,     uneven_};
  lay_out();
  return copy;
}

void World::keep(WorldCopy& copy) {
  copy.bodies = bodies_;
  copy.active = boundaries_.active();
  copy.surfaces = surfaces_.keep();
  copy.ghosts = ghosts_;
  contacts_.copy_into(copy.contacts);
  copy.pair_forces = pair_forces_;
  copy.load_time = load_time_;
  copy.bonds_broke = bonds_broke_;
  copy.uneven = uneven_;
  lay_out();
}

void World::go_back(const WorldCopy& copy) {
  bodies_ = copy.bodies;
  boundaries_.set_active(copy.active);
  surfaces_.go_back(copy.surfaces);
  ghosts_ = copy.ghosts;
  contacts_.go_back(copy.contacts);
  pair_forces_ = copy.pair_forces;
  load_time_ = copy.load_time;
  bonds_broke_ = copy.bonds_broke;
  uneven_ = copy.uneven;
  lay_out();
}

double World::max_over_ranks(double value) const {
  MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_DOUBLE, MPI_MAX, comm_);
  return value;
}

double World::mean_length() const {
  double sums[2] = {0, 0};
  for (int i = 0; i < bodies_.owned; ++i) {
    if (all_fixed(bodies_.properties[i].fixed)) continue;
    sums[0] += bodies_.properties[i].length;
    ++sums[1];
  }
  MPI_Allreduce(MPI_IN_PLACE, sums, 2, MPI_DOUBLE, MPI_SUM, comm_);
  return sums[1] > 0 ? sums[0] / sums[1] : 0;
}

void World::set_accepted(int i) {
  const BodyState& state = bodies_.state[i];
  BodyTrial& trial = bodies_.trial[i];
  trial = BodyTrial{};
  trial.x = trial.x_n = state.x;
  trial.R = trial.R_n = state.q.toRotationMatrix();
  trial.v = state.v;
  trial.w = state.w;
}

void World::reset_trial() {
  for (int i = 0; i < bodies_.all(); ++i) set_accepted(i);
}

LocalSystem& World::load_residual() {
  rows_.clear_residual();
  loads_.residual(bodies_, load_time_, rows_);
  pair_forces_.near_field_residual(bodies_, contact::Configuration::accepted, rows_);
  return rows_;
}

World::Switched World::set_time(double time) {
  const std::vector<char> before = boundaries_.active();
  const std::vector<char> added = boundaries_.switch_at(time);
  contacts_.switches().set_boundaries(bodies_, boundaries_.active());
  // The velocities of what follows: halfway to the next time point.
  const double next = next_event(time * (1 + 1e-12));
  move_boundaries(time, std::isfinite(next) ? 0.5 * (time + next) : time + model_->time.end);
  for (int w = bodies_.moving(); w < bodies_.all(); ++w) set_accepted(w);
  Switched switched;  // a time point activates nothing: forces do not jump, friction's dashpots stay
  switched.any =
      before != boundaries_.active() || boundaries_.next_switch(time * (1 - 1e-12)) <= time * (1 + 1e-12);
  if (BodyId body = 0; std::find(added.begin(), added.end(), 1) != added.end()) {
    switched.blocked = describe_overlap(*model_, bodies_, contacts_, comm_, "at activation", &added, body);
    if (!switched.blocked.empty()) {  // the state stays one that can be saved
      boundaries_.set_active(before);
      contacts_.switches().set_boundaries(bodies_, boundaries_.active());
      return switched;
    }
    check_interrupt(comm_);  // the search may not have come to its end
  }
  switched.forces_jump = bonds_broke_ || time == 0 || switched.any;
  return switched;
}

void World::populate(const std::vector<char>& leaves, const std::vector<NewBody>& arrivals, double h,
                     double least_travel) {
  replace_bodies(bodies_, leaves, arrivals);
  dofs_.reset();  // the numbers of unknowns are others
  renew_lists(std::max(travel_for(way_ahead(h)), least_travel));
  uneven_ = is_uneven(comm_, bodies_.owned);
}

void World::rebalance() {
  const auto owners = balanced_owners(comm_, bodies_, contacts_.list().pairs(), pair_forces_.bonds());
  if (!owners) return;
  migrate(comm_, bodies_, *owners,
          {[this](BodyId id) { return pack_body(id); },
           [this](BodyId id, const std::vector<std::byte>& blob) { unpack_body(id, blob); }});
}

std::vector<std::byte> World::pack_body(BodyId id) const {
  return to_bytes(Luggage{memory(id), luggage_.pack ? luggage_.pack(id) : std::vector<std::byte>{}});
}

void World::unpack_body(BodyId id, const std::vector<std::byte>& bytes) {
  const auto luggage = from_bytes<Luggage>(bytes);
  remember(luggage.memory);
  if (luggage_.unpack) luggage_.unpack(id, luggage.more);
}

bool World::changes(double from, double to) const {
  if (next_event(from * (1 + 1e-12)) < to * (1 - 1e-12) || loads_.changes(from, to)) return true;
  if (!contacts_.model().same_switches(from, to)) return true;
  return std::any_of(model_->boundaries.begin(), model_->boundaries.end(), [&](const auto& boundary) {
    if (boundary.motion.coupled) return true;
    const RigidMotion one = motion_at(boundary.motion, from, to), other = motion_at(boundary.motion, to, to);
    return one.displacement != other.displacement || one.rotation != other.rotation;
  });
}

PairMemories World::memory(std::optional<BodyId> body) const {
  return {contacts_.list().memory(body), pair_forces_.memory(body)};
}

void World::remember(const PairMemories& memory) {
  contacts_.list().remember(memory.contacts);
  pair_forces_.remember(memory.bonds);
}

void World::forget_memory() {
  contacts_.list().forget();
  pair_forces_.forget();
}

contact::BondLosses World::commit_bonds(bool breaks) {
  const contact::BondLosses losses = pair_forces_.commit(bodies_, breaks);
  bonds_broke_ = pair_forces_.breakable() && on_any_rank(losses.broken > 0);
  return losses;
}

void World::unbond() {
  if (bonds_broke_) contacts_.switches().set_bonds(bodies_, pair_forces_.bonds());
}

double World::travel_for(double way) const {
  return list_travel(bodies_, way, contacts_.model().scale(), comm_);
}

double World::largest_speed() const {
  double speed = 0;
  for (int i = 0; i < bodies_.owned; ++i) speed = std::max(speed, bodies_.state[i].v.norm());
  return max_over_ranks(speed);
}

double World::way_ahead(double h) const { return largest_speed() * std::max(h, model_->time.step); }

void World::redistribute(double travel) {
  int ranks = 1;
  MPI_Comm_size(comm_, &ranks);
  const double reach = ghost_reach(travel);  // asked before bonded bodies part ways
  if (ranks > 1 && dofs_) {
    rebalance();
    uneven_ = false;
  }
  find_neighbours(travel, reach);
}

void World::renew_lists(double travel) {
  redistribute(travel);
  contacts_.gaps().update(bodies_);
}

double World::ghost_reach(double travel) const {
  double reach = contacts_.model().largest_threshold() + 2 * travel;
  if (!pair_forces_.empty()) reach = std::max(reach, max_over_ranks(pair_forces_.reach(bodies_, travel)));
  // Half of it is added to the sphere of each of two bodies, and a little more: round-off loses no pair.
  return 0.51 * reach;
}

void World::find_neighbours(double travel, double reach) {
  int ranks = 1;
  MPI_Comm_size(comm_, &ranks);
  wrap_bodies();
  if (ranks > 1) {
    ghosts_.find(bodies_, reach);
  }
  reset_trial();
  contacts_.list().search(bodies_, travel);
  contacts_.switches().set_boundaries(bodies_, boundaries_.active());
  pair_forces_.search(bodies_, travel);
  if (model_->bonds) contacts_.switches().set_bonds(bodies_, pair_forces_.bonds());
  if (ranks > 1 || !dofs_) lay_out();
}

void World::lay_out() {
  rows_.set_entities(bodies_.owned,
                     std::vector<int>(static_cast<std::size_t>(bodies_.moving()), kBodyUnknowns));
  for (int i = 0; i < bodies_.moving(); ++i) {
    for (int k = 0; k < rows_.size[i]; ++k) {
      rows_.scale[rows_.offset[i] + k] = k < 3 ? 1.0 : 1.0 / bodies_.properties[i].length;
    }
  }
  loads_.locate(bodies_);
  dofs_.emplace(comm_, bodies_.owned, rows_.size, ghosts_.owners());
  ++layout_;
}

void World::wrap_bodies() {
  for (int i = 0; i < bodies_.owned; ++i) {
    BodyState& body = bodies_.state[i];
    const CellNumber cell = bodies_.periodic.number_of(body.x);
    body.x -= bodies_.periodic.way_to(cell);
    body.cell = body.cell + cell;
  }
}

}  // namespace scree

#include "solvers/world/surfaces.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>

#include "core/error.hpp"
#include "solvers/analysis.hpp"

namespace scree {
namespace {

/// @throws InputError where a coupled boundary cannot be followed.
void check(const Model& model, const BoundaryDescription& boundary, const BoundaryPart& wall) {
  const std::string where = boundary.where + "/motion";
  if (wall.wall < 0 || !model.walls[static_cast<std::size_t>(wall.wall)].open)
    throw InputError(where, "\"coupled\" requires a boundary of type \"surface\".");
  const AnalysisTraits& traits = traits_of(model.analysis);
  if (!traits.forces_follow_from_state)
    throw InputError(where,
                     "\"coupled\" cannot be combined with \"analysis\": \"contact-dynamics\"; use "
                     "\"dynamic\" or \"quasi-static\".");
}

}  // namespace

Surfaces::Surfaces(const Model& model, std::vector<Shape>& shapes, int first_wall) : model_(&model) {
  for (std::size_t part = 0; part < model.boundary_parts.size(); ++part) {
    const BoundaryPart& wall = model.boundary_parts[part];
    const BoundaryDescription& boundary = model.boundaries[wall.boundary];
    if (!boundary.motion.coupled) continue;
    check(model, boundary, wall);
    One& one = surfaces_.emplace_back();
    one.part = static_cast<int>(part);
    const int shape = first_wall + wall.wall;
    one.surface = std::make_unique<contact::DeformingSurface>(shapes[static_cast<std::size_t>(shape)]);
    one.state.x = model.walls[static_cast<std::size_t>(wall.wall)].vertices;
    one.state.v.assign(one.state.x.size(), Vec3::Zero());
    one.state.forces = one.state.v;
    one.state.motion.x0 = one.state.motion.x1 = one.state.x;
  }
}

std::vector<const contact::DeformingSurface*> Surfaces::by_part() const {
  if (surfaces_.empty()) return {};
  std::vector<const contact::DeformingSurface*> all(model_->boundary_parts.size(), nullptr);
  for (const One& one : surfaces_) all[static_cast<std::size_t>(one.part)] = one.surface.get();
  return all;
}

const Surfaces::One& Surfaces::of(int part) const {
  const auto found =
      std::find_if(surfaces_.begin(), surfaces_.end(), [part](const One& one) { return one.part == part; });
  if (found == surfaces_.end())
    throw std::invalid_argument("Surfaces: boundary part " + std::to_string(part) + " is not coupled");
  return *found;
}

void Surfaces::set_motion(int part, SurfaceMotion motion) {
  const std::ptrdiff_t at = &of(part) - surfaces_.data();
  surfaces_[static_cast<std::size_t>(at)].state.motion = std::move(motion);
}

std::vector<SurfaceState> Surfaces::states() const {
  std::vector<SurfaceState> states;
  for (const One& one : surfaces_) states.push_back(one.state);
  return states;
}

void Surfaces::restore(const std::vector<SurfaceState>& states) {
  if (states.size() != surfaces_.size())
    throw std::invalid_argument("restore: the state has " + std::to_string(states.size()) +
                                " coupled boundaries; expected " + std::to_string(surfaces_.size()));
  for (std::size_t k = 0; k < states.size(); ++k) {
    const std::size_t got = states[k].x.size(), expected = surfaces_[k].state.x.size();
    if (got == expected) continue;
    const int boundary = model_->boundary_parts[static_cast<std::size_t>(surfaces_[k].part)].boundary;
    throw std::invalid_argument("restore: in the state, coupled boundary \"" +
                                model_->boundaries[static_cast<std::size_t>(boundary)].name + "\" has " +
                                std::to_string(got) + " vertices; expected " + std::to_string(expected));
  }
  for (std::size_t k = 0; k < states.size(); ++k) {
    surfaces_[k].state = states[k];
    surfaces_[k].surface->accept(states[k].x, states[k].v);
  }
}

std::vector<Surfaces::Kept> Surfaces::keep() const {
  std::vector<Kept> kept;
  for (const One& one : surfaces_) kept.push_back({one.state, *one.surface});
  return kept;
}

void Surfaces::go_back(const std::vector<Kept>& kept) {
  for (std::size_t k = 0; k < surfaces_.size(); ++k) {
    surfaces_[k].state = kept[k].state;
    surfaces_[k].surface->accept(kept[k].state.x, kept[k].state.v);  // the shape of the world
    *surfaces_[k].surface = kept[k].surface;
  }
}

double Surfaces::next_knot(double time) const {
  double next = std::numeric_limits<double>::infinity();
  for (const One& one : surfaces_)
    if (one.state.motion.to > time) next = std::min(next, one.state.motion.to);
  return next;
}

void Surfaces::move(double time, double during) {
  const bool has_velocities = traits_of(model_->analysis).has_velocities;
  for (One& one : surfaces_) {
    SurfaceState& state = one.state;
    for (std::size_t k = 0; k < state.x.size(); ++k) {
      state.x[k] = state.motion.position(k, time);
      if (has_velocities) state.v[k] = state.motion.velocity(k, time, during);
    }
    one.surface->accept(state.x, state.v);
  }
}

void Surfaces::move_trial(Bodies& bodies, double from, double time, double h) {
  const bool has_velocities = traits_of(model_->analysis).has_velocities;
  const double end = has_velocities ? std::max(time, from + h) : time;
  std::vector<Vec3> x, v;
  for (One& one : surfaces_) {
    const SurfaceState& state = one.state;
    x.resize(state.x.size());
    v.assign(state.x.size(), Vec3::Zero());
    for (std::size_t k = 0; k < x.size(); ++k) {
      x[k] = state.motion.position(k, end);
      if (has_velocities) v[k] = state.motion.velocity(k, end, 0.5 * (from + end));
    }
    one.surface->set_end(x, v);
    const int w = bodies.moving() + one.part;
    bodies.trial[w] = BodyTrial{};
    bodies.trial[w].phase = end > from ? (time - from) / (end - from) : 0.0;
    if (time == end && end > from) bodies.trial[w].phase = 1;
  }
}

void Surfaces::update_forces(const std::function<void(int part, std::vector<Vec3>& forces)>& add,
                             MPI_Comm comm) {
  for (One& one : surfaces_) {
    std::vector<Vec3>& forces = one.state.forces;
    std::fill(forces.begin(), forces.end(), Vec3::Zero());
    add(one.part, forces);
    static_assert(sizeof(Vec3) == 3 * sizeof(double));
    MPI_Allreduce(MPI_IN_PLACE, forces.data(), static_cast<int>(3 * forces.size()), MPI_DOUBLE, MPI_SUM,
                  comm);
  }
}

}  // namespace scree

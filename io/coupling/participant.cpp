#include "io/coupling/participant.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <stdexcept>
#include <utility>

#include "assembly/petsc.hpp"
#include "core/error.hpp"
#include "core/interrupt.hpp"
#include "core/mesh/crossing_faces.hpp"
#include "core/shapes/coupled_surface.hpp"
#include "core/shapes/mesh_parameters.hpp"
#include "core/text.hpp"
#include "io/checkpoint/restart.hpp"
#include "io/collective.hpp"
#include "io/coupling/coupled_steps.hpp"
#include "io/deck/deck.hpp"
#include "io/preflight.hpp"
#include "solvers/time_loop.hpp"

namespace scree::coupling {

Participant::Participant(Deck deck, MPI_Comm comm, Options options) {
  deck.model.warnings = deck.warnings;
  if (deck.model.time.stop.wanted)
    deck.model.notes.emplace_back(
        "/time/stop: has no effect in a coupled run: the partner decides when it ends.");
  parts_ = std::make_unique<CoupledSteps>(std::make_shared<Model>(std::move(deck.model)), comm,
                                          std::move(options), true);
}

Participant::Participant(const std::filesystem::path& deck, MPI_Comm comm, Options options)
    : Participant(read_deck(deck), comm, std::move(options)) {}

Participant Participant::from_text(const std::string& deck, const std::filesystem::path& name, MPI_Comm comm,
                                   Options options) {
  return {read_deck_text(deck, name), comm, std::move(options)};
}

Participant::Participant(std::shared_ptr<Model> model, MPI_Comm comm, Options options)
    : parts_(std::make_unique<CoupledSteps>(std::move(model), comm, std::move(options), false)) {}

Participant::Participant(Participant&&) noexcept = default;

Participant& Participant::operator=(Participant&& other) noexcept {
  if (this == &other) return *this;
  { const Participant ended(std::move(*this)); }  // with its outputs
  parts_ = std::move(other.parts_);
  return *this;
}

Participant::~Participant() {
  if (!parts_ || !parts_->simulation) return;
  const petsc::ErrorScope errors;
  try {
    if (std::uncaught_exceptions() > parts_->exceptions) note_failure();
    if (!parts_->observers.empty()) finish();  // nobody would see the warnings of the end
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
  }
  parts_->clear_options();
}

Surface Participant::add_surface(std::string_view boundary) { return add_given(boundary, nullptr); }

Surface Participant::add_surface(std::string_view boundary, const SurfaceMesh& mesh) {
  return add_given(boundary, &mesh);
}

Surface Participant::add_given(std::string_view boundary, const SurfaceMesh* given) {
  CoupledSteps& p = *parts_;
  if (p.simulation) throw std::logic_error("add_surface: got a call after initialize(); expected it before");
  Model& model = *p.model;
  const auto found = std::find_if(model.boundaries.begin(), model.boundaries.end(),
                                  [&](const BoundaryDescription& one) { return one.name == boundary; });
  if (found == model.boundaries.end() || !found->motion.coupled) {
    std::vector<std::string> names;
    for (const BoundaryDescription& one : model.boundaries)
      if (one.motion.coupled) names.push_back('"' + one.name + '"');
    throw InputError(
        "/boundaries",
        fmt::format("got \"{}\"; expected a boundary with \"motion\": \"coupled\"{}.", boundary,
                    names.empty() ? ", the deck has none" : fmt::format(": {}", fmt::join(names, ", "))));
  }
  CoupledSteps::Coupled surface;
  surface.boundary = static_cast<int>(found - model.boundaries.begin());
  surface.name = found->name;
  for (const CoupledSteps::Coupled& other : p.surfaces)
    if (other.boundary == surface.boundary)
      throw InputError(found->where, fmt::format("surface \"{}\" was added twice.", surface.name));
  for (const BoundaryPart& part : model.boundary_parts)
    if (part.boundary == surface.boundary) surface.mesh.wall = part.wall;
  Shape& shape = model.walls[static_cast<std::size_t>(surface.mesh.wall)];
  if (!any_rank(given != nullptr, p.comm())) {
    surface.mesh.take_whole(shape, p.comm());
  } else {
    surface.mesh.gather_from(given != nullptr ? *given : SurfaceMesh{}, surface.name, p.comm());
    shape =
        make_coupled_surface(surface.name, surface.mesh.reference, surface.mesh.loops, surface.mesh.names());
  }
  PolyhedronSurface at_rest;
  at_rest.vertices = surface.mesh.reference;
  at_rest.loops = surface.mesh.loops;
  if (const auto crossings = crossing_faces(at_rest, 1); !crossings.empty())
    throw InputError(found->where,
                     fmt::format("surface \"{}\": triangles {} and {} pass through each other at {} m.",
                                 surface.name, surface.mesh.triangle_name(crossings[0].a),
                                 surface.mesh.triangle_name(crossings[0].b), text::vector(crossings[0].at)));
  if (const double size = at_rest.size(); !surface.mesh.given.empty() && size > kLooksLikeMillimetres)
    model.warnings.push_back(
        {"large_mesh", found->where,
         fmt::format("the mesh given for surface \"{}\" measures {} m across. If it is in "
                     "millimetres, give its vertices in metres.",
                     surface.name, text::number(size, 4)),
         0});
  surface.forces.assign(surface.mesh.reference.size(), Vec3::Zero());
  surface.crossings = std::make_shared<contact::CrossingWatch>(shape);
  p.surfaces.push_back(std::move(surface));
  return {static_cast<int>(p.surfaces.size()) - 1, &p};
}

void Participant::make_simulation() {
  CoupledSteps& p = *parts_;
  if (p.simulation) throw std::logic_error("initialize: got a second call; expected one");
  const std::filesystem::path file = p.model->deck_file;
  try {
    of_deck(file, [&] {
      int rank = 0, ranks = 1;
      MPI_Comm_rank(p.comm(), &rank);
      MPI_Comm_size(p.comm(), &ranks);
      if (p.is_deck) rehearse_deck(*p.model, {}, false, p.comm(), p.options.options_prefix);
      p.make_outputs();
      if (!p.model->block) p.model->keep_own_block(rank, ranks);
      p.simulation = std::make_unique<Simulation>(p.model, p.comm(), p.options.options_prefix);
      return true;
    });
  } catch (...) {
    p.clear_options();
    throw;
  }
}

void Participant::initialize() {
  const petsc::ErrorScope errors;
  make_simulation();
  CoupledSteps& p = *parts_;
  p.take_forces();
  p.show(true, false);
}

void Participant::resume(checkpoint::SavedRun& saved) {
  const petsc::ErrorScope errors;
  CoupledSteps& p = *parts_;
  checkpoint::CoupledMeshes meshes;
  together(p.comm(), [&] {
    checkpoint::require_same_deck(saved, *p.model);
    meshes = checkpoint::require_same_meshes(saved, *p.model);
  });
  make_simulation();
  try {
    const OutputCursors cursors = checkpoint::continue_simulation(*p.simulation, saved, p.comm());
    if (p.keeper) p.keeper->continue_from(cursors, p.simulation->steps());
  } catch (...) {  // what is in the simulation is no state that outputs could end with
    p.simulation.reset();
    p.clear_options();
    throw;
  }
  p.take_forces();
  if (meshes.surfaces.empty() && !p.surfaces.empty()) {
    p.simulation->warnings().raise(
        {"meshes_not_compared", "/boundaries",
         fmt::format("{}: written by a version that kept no meshes of coupled boundaries. The meshes of this "
                     "run were not compared; the first forces are those of the last time step.",
                     saved.file.string()),
         p.simulation->time()});
  }
  // Those that the partner had, as of the last coupled step.
  for (CoupledSteps::Coupled& surface : p.surfaces)
    for (const checkpoint::CoupledMesh& mesh : meshes.surfaces)
      if (mesh.boundary == surface.boundary && mesh.forces.size() == surface.forces.size())
        surface.forces = mesh.forces;
}

const std::vector<Warning>& Participant::warnings() const {
  return parts_->simulation ? parts_->simulation->warnings().all() : parts_->model->warnings;
}

const SurfaceCopy& Participant::mesh(Surface surface) const { return parts_->of(surface).mesh.own; }

std::vector<double> Participant::positions(Surface surface) const {
  const CoupledSteps::Coupled& one = parts_->of(surface);
  std::vector<double> x(one.mesh.own.reference.size());
  one.mesh.scatter(parts_->positions(one), x);
  return x;
}

double Participant::time() const { return parts_->time(); }
double Participant::end_time() const { return parts_->model->time.end; }
double Participant::max_step() const { return parts_->max_step(); }

void Participant::set_motion(Surface surface, std::span<const double> u, std::span<const double> v) {
  CoupledSteps::Coupled& one = parts_->of(surface);
  const std::size_t expected = one.mesh.own.reference.size();
  if (u.size() != expected || (!v.empty() && v.size() != expected))
    throw std::invalid_argument(fmt::format(
        "set_motion: surface \"{}\": got {} displacements and {} velocities; expected {}, 3 per vertex of "
        "this rank (velocities: or none)",
        one.name, u.size(), v.size(), expected));
  one.u.assign(u.begin(), u.end());
  one.v.assign(v.begin(), v.end());
  one.is_new = true;
  one.fault.clear();
  const auto look = [&](std::span<const double> values, const char* what) {
    const auto bad = std::find_if(values.begin(), values.end(), [](double x) { return !std::isfinite(x); });
    if (bad == values.end() || !one.fault.empty()) return;
    const auto at = static_cast<std::size_t>(bad - values.begin());
    one.fault = fmt::format("surface \"{}\": got {} {} of vertex {}; expected finite numbers.", one.name,
                            *bad, what, one.mesh.own.id[at / 3]);
  };
  look(u, "as displacement [m]");
  look(v, "as velocity [m/s]");
}

StepReport Participant::solve_step(double dt) {
  const petsc::ErrorScope errors;
  return parts_->solve_step(dt);
}

void Participant::accept() {
  const petsc::ErrorScope errors;
  CoupledSteps& p = *parts_;
  if (!p.solved) throw std::logic_error("accept: no converged step");
  p.left = p.solved = false;
  p.accepted.reset();
  p.forget_motions();
  p.show(false, false);
}

void Participant::forces(Surface surface, std::span<double> f) const {
  const CoupledSteps::Coupled& one = parts_->with_forces(surface);
  one.mesh.scatter(one.forces, f);
}

void Participant::apply_tangent(Surface surface, std::span<const double> du, std::span<double> df,
                                double difference) {
  const petsc::ErrorScope errors;
  CoupledSteps& p = *parts_;
  CoupledSteps::Coupled& one = p.of(surface);
  if (!p.solved) throw std::logic_error("apply_tangent: no converged step");
  // On all ranks together, and before anything changes.
  const std::size_t expected = one.mesh.own.reference.size();
  const bool fits = du.size() == expected && df.size() == expected;
  if (any_rank(!fits, p.comm()))
    throw std::invalid_argument(
        fits ? "apply_tangent: got a wrong number of displacements or forces on another rank; expected 3 per "
               "vertex of that rank"
             : fmt::format(
                   "apply_tangent: got {} displacements and room for {} forces; expected {} of each, 3 "
                   "per vertex of this rank",
                   du.size(), df.size(), expected));
  const bool is_new = std::any_of(p.surfaces.begin(), p.surfaces.end(),
                                  [](const CoupledSteps::Coupled& other) { return other.is_new; });
  if (any_rank(is_new, p.comm()))
    throw std::logic_error("apply_tangent: a motion was set after the last step; call solve_step() first");
  double largest[2] = {0, 0};  // and whether one is not finite, which no maximum shows
  for (const double value : du) {
    largest[0] = std::max(largest[0], std::abs(value));
    if (!std::isfinite(value)) largest[1] = 1;
  }
  MPI_Allreduce(MPI_IN_PLACE, largest, 2, MPI_DOUBLE, MPI_MAX, p.comm());
  if (largest[1] != 0)
    throw std::domain_error("apply_tangent: got a displacement that is not finite (NaN or infinite)");
  std::fill(df.begin(), df.end(), 0.0);
  if (largest[0] == 0) return;
  constexpr double kPart = 1e-7;
  if (difference <= 0)
    difference = kPart * p.model->walls[static_cast<std::size_t>(one.mesh.wall)].smallest_feature;
  const double scale = difference / largest[0];
  // The state at the end of the step waits; what was given for it stays.
  const CoupledSteps::Solved kept = p.keep_solved();
  const std::vector<double> u = one.u;
  std::vector<Vec3> now = one.forces;
  std::vector<double> other = u;
  if (other.empty()) {
    const std::vector<Vec3>& x = p.positions(one);
    other.resize(du.size());
    std::vector<Vec3> way = x;
    for (std::size_t k = 0; k < way.size(); ++k) way[k] -= one.mesh.reference[k];
    one.mesh.scatter(way, other);
  }
  for (std::size_t k = 0; k < other.size(); ++k) other[k] += scale * du[k];
  one.u = other;
  const auto return_to_step = [&] {
    const InterruptShield shield;  // the step that waits has to be whole again
    one.u = u;
    p.return_to(kept);
  };
  StepReport report;
  try {
    report = solve_step(p.last_dt);
  } catch (const Interrupted&) {
    return_to_step();
    p.failed = true;  // as after an interrupted step: the run is not complete
    throw;
  } catch (...) {
    return_to_step();
    throw;
  }
  for (std::size_t k = 0; k < now.size(); ++k) now[k] = (one.forces[k] - now[k]) / scale;
  one.mesh.scatter(now, df);
  return_to_step();
  if (!report.converged()) throw RunError("apply_tangent: " + report.message);
}

void Participant::tractions(Surface surface, std::span<double> t) const {
  const CoupledSteps::Coupled& one = parts_->with_forces(surface);
  const std::vector<Vec3>& x = parts_->positions(one);
  std::vector<double> area(x.size(), 0.0);
  for (const std::vector<int>& loop : one.mesh.loops) {
    const double third = (x[loop[1]] - x[loop[0]]).cross(x[loop[2]] - x[loop[0]]).norm() / 6;
    for (const int k : loop) area[static_cast<std::size_t>(k)] += third;
  }
  std::vector<Vec3> traction = one.forces;
  for (std::size_t k = 0; k < traction.size(); ++k)
    if (area[k] > 0) traction[k] /= area[k];
  one.mesh.scatter(traction, t);
}

Wrench Participant::resultant(Surface surface) const {
  const CoupledSteps::Coupled& one = parts_->with_forces(surface);
  const std::vector<Vec3> x = parts_->places_of_forces(one);
  Wrench sum;
  for (std::size_t k = 0; k < x.size(); ++k) {
    sum.force += one.forces[k];
    sum.moment += x[k].cross(one.forces[k]);
  }
  return sum;
}

Snapshot Participant::save() {
  const petsc::ErrorScope errors;
  CoupledSteps& p = *parts_;
  (void)p.running();
  p.go_back();
  p.keep_accepted();
  return *p.accepted;
}

void Participant::restore(const Snapshot& snapshot) {
  const petsc::ErrorScope errors;
  CoupledSteps& p = *parts_;
  Simulation& simulation = p.running();
  if (!snapshot.simulation_ || !simulation.has_kept(*snapshot.simulation_))
    throw std::invalid_argument("restore: the snapshot is that of another participant");
  if (p.left || !p.accepted || !(*p.accepted == snapshot)) simulation.go_back(*snapshot.simulation_);
  p.accepted = snapshot;
  p.accepted_time = simulation.time();
  p.left = p.solved = p.failed = false;
  p.forget_motions();
  p.restore_forces();
}

std::optional<RunReport> Participant::finish(bool interrupted) {
  const petsc::ErrorScope errors;
  const InterruptShield shield;  // what the run has come to is written, whether or not it is to stop
  CoupledSteps& p = *parts_;
  if (!p.simulation || std::exchange(p.finished, true)) return std::nullopt;
  bool complete = !interrupted && !p.failed;
  p.go_back();
  if (p.observers.empty()) {  // nothing is written, but `warnings` has those of the end
    (void)finish_run(*p.simulation, {}, "", interrupted, complete);
    return std::nullopt;
  }
  std::string failure;
  try {
    p.show(false, true, interrupted, complete);
  } catch (const RunError& error) {  // the report and the summary are written all the same
    failure = error.what();
    complete = false;
  }
  return finish_run(*p.simulation, p.observers, std::move(failure), interrupted, complete);
}

void Participant::note_failure() { parts_->failed = true; }

std::string Participant::write_checkpoint() {
  const petsc::ErrorScope errors;
  CoupledSteps& p = *parts_;
  (void)p.running();
  return p.rescue();
}

Simulation& Participant::simulation() { return parts_->running(); }
const Simulation& Participant::simulation() const { return parts_->running(); }

}  // namespace scree::coupling

#include "io/coupling/participant.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <stdexcept>
#include <utility>

#include "assembly/petsc.hpp"
#include "contact/surface/deforming_surface.hpp"
#include "core/error.hpp"
#include "core/shapes/coupled_surface.hpp"
#include "core/text.hpp"
#include "io/checkpoint/checkpoint_writer.hpp"
#include "io/collective.hpp"
#include "io/coupling/gathered_mesh.hpp"
#include "io/deck/deck.hpp"
#include "io/output/observers.hpp"
#include "io/output/progress.hpp"
#include "io/output/run_log.hpp"
#include "io/preflight.hpp"
#include "solvers/time_loop.hpp"

namespace scree::coupling {
namespace {

/// Times are sums of steps: what is due a round-off later is due.
constexpr double kRoundOff = 1e-12;

/// Steps with a fixed size are cut to this part of it at most, where a surface moves fast.
constexpr double kSmallestPart = 1e-3;

/// PETSc from the first participant to the last, unless somebody else has started it.
std::shared_ptr<petsc::Session> petsc_session() {
  static std::weak_ptr<petsc::Session> the_one;
  std::shared_ptr<petsc::Session> session = the_one.lock();
  if (!session && !petsc::running()) the_one = session = std::make_shared<petsc::Session>(nullptr, nullptr);
  return session;
}

double shortest_edge(const Shape& shape) {
  double shortest = std::numeric_limits<double>::infinity();
  for (const Edge& edge : shape.edges) shortest = std::min(shortest, edge.length);
  return shortest;
}

/// What PETSc and MPI need for as long as a participant lives.
class Frame {
 public:
  explicit Frame(MPI_Comm comm) : session_(petsc_session()) { MPI_Comm_dup(comm, &comm_); }
  Frame(const Frame&) = delete;
  Frame& operator=(const Frame&) = delete;
  Frame(Frame&&) = delete;
  Frame& operator=(Frame&&) = delete;
  ~Frame() {
    int finished = 0;
    MPI_Finalized(&finished);
    if (finished == 0) MPI_Comm_free(&comm_);
  }
  [[nodiscard]] MPI_Comm comm() const { return comm_; }

 private:
  std::shared_ptr<petsc::Session> session_;
  MPI_Comm comm_ = MPI_COMM_NULL;
};

}  // namespace

struct Participant::Parts {
  /// A coupled boundary.
  struct Coupled {
    int boundary = 0;
    std::string name;
    GatheredMesh mesh;
    std::vector<double> u, v;  ///< of this rank's vertices, of the step to come; u empty: it stays
    std::string fault;         ///< of what the partner gave last
    std::vector<Vec3> forces;  ///< of the whole surface, as Options::force has it [N]
  };

  Parts(std::shared_ptr<Model> of, MPI_Comm comm, Options chosen, bool from_deck)
      : frame(comm), options(std::move(chosen)), model(std::move(of)), is_deck(from_deck) {
    model->time.stop = {};  // the partner decides when it is over
    if (options.options_prefix.empty()) options.options_prefix = petsc::kOptionsPrefix;
  }

  [[nodiscard]] MPI_Comm comm() const { return frame.comm(); }
  [[nodiscard]] Coupled& of(Surface surface) {
    if (surface.number < 0 || surface.number >= static_cast<int>(surfaces.size()))
      throw std::invalid_argument("surface " + std::to_string(surface.number) + " was not added");
    return surfaces[static_cast<std::size_t>(surface.number)];
  }
  [[nodiscard]] Simulation& running() {
    if (!simulation) throw std::logic_error("the participant is not initialised: call initialize() first");
    return *simulation;
  }
  [[nodiscard]] const std::vector<Vec3>& positions(const Coupled& surface) const {
    return simulation ? simulation->surface(surface.boundary).x : surface.mesh.reference;
  }

  void make_outputs();
  void show(bool first, bool last);
  void go_back();
  void set_motions(double dt);
  [[nodiscard]] std::string saved();
  [[nodiscard]] double longest_part(double dt) const;
  /// Makes the accepted state that steps start from, if the simulation has it.
  void keep_accepted();
  void restore_forces();
  void book_forces(const std::vector<std::vector<Vec3>>& before, double h, double dt);

  /// A solved step that waits.
  struct Solved {
    scree::Snapshot simulation;
    std::vector<std::vector<Vec3>> forces;
  };
  [[nodiscard]] Solved keep_solved();
  void return_to(const Solved& solved_step);

  Frame frame;
  Options options;
  std::shared_ptr<Model> model;
  bool is_deck = false;
  std::vector<Coupled> surfaces;
  std::vector<std::unique_ptr<Observer>> owned;
  std::vector<Observer*> observers;
  std::unique_ptr<CheckpointWriter> keeper;
  std::unique_ptr<Simulation> simulation;
  /// Accepted state; none: that of the simulation, which no step has left.
  std::optional<Snapshot> accepted;
  double accepted_time = 0;  ///< [s]
  double last_dt = 0;        ///< of the last step [s]
  bool left = false;    ///< the simulation is in a step that was not accepted
  bool solved = false;  ///< ... which converged
  bool finished = false;
};

void Participant::Parts::make_outputs() {
  if (!options.write_outputs) return;
  owned = make_observers(*model, comm());
  for (const auto& observer : owned) {
    const bool log = dynamic_cast<RunLog*>(observer.get()) != nullptr ||
                     dynamic_cast<Progress*>(observer.get()) != nullptr;
    if (options.write_log || !log) observers.push_back(observer.get());
  }
  keeper = std::make_unique<CheckpointWriter>(*model, comm(), std::vector<std::string>{}, owned);
}

void Participant::Parts::show(bool first, bool last) {
  if (observers.empty()) return;
  show_state(*simulation, observers, model->output.checkpoint.wanted ? keeper.get() : nullptr, first, last);
}

void Participant::Parts::go_back() {
  if (left) simulation->restore(accepted->simulation_);
  left = solved = false;
}

void Participant::Parts::keep_accepted() {
  if (accepted) return;
  accepted.emplace();
  accepted->simulation_ = simulation->save();
  accepted_time = simulation->time();
  for (const Coupled& surface : surfaces)
    accepted->forces_.insert(accepted->forces_.end(), surface.forces.begin(), surface.forces.end());
}

void Participant::Parts::restore_forces() {
  auto from = accepted->forces_.begin();
  for (Coupled& surface : surfaces) {
    const auto last = from + std::ssize(surface.forces);
    surface.forces.assign(from, last);
    from = last;
  }
}

Participant::Parts::Solved Participant::Parts::keep_solved() {
  Solved made{simulation->save(), {}};
  for (const Coupled& surface : surfaces) made.forces.push_back(surface.forces);
  return made;
}

void Participant::Parts::return_to(const Solved& solved_step) {
  simulation->restore(solved_step.simulation);
  for (std::size_t s = 0; s < surfaces.size(); ++s) surfaces[s].forces = solved_step.forces[s];
  left = solved = true;
}

std::string Participant::Parts::saved() {
  if (!keeper) return " The state is the last accepted one.";
  go_back();
  const std::string file = keeper->rescue(*simulation);
  return file.empty() ? "" : " The last accepted state has been saved in " + file + ".";
}

void Participant::Parts::set_motions(double dt) {
  std::string faults;
  together(comm(), [&] {
    for (const Coupled& surface : surfaces) faults += text::join(faults.empty() ? "" : " ", surface.fault);
    if (!faults.empty()) throw RunError(faults);
  });
  for (Coupled& surface : surfaces) {
    const std::vector<Vec3>& now = positions(surface);
    const std::optional<std::vector<Vec3>> u = surface.mesh.gather(surface.u, comm());
    const std::optional<std::vector<Vec3>> v = surface.mesh.gather(surface.v, comm());
    if (!u) continue;
    std::vector<Vec3> x = surface.mesh.reference;
    for (std::size_t k = 0; k < x.size(); ++k) x[k] += (*u)[k];
    const Shape& shape = model->walls[static_cast<std::size_t>(surface.mesh.wall)];
    const contact::SurfaceFault fault = contact::find_fault(shape, now, x);
    if (fault.face >= 0) {
      const std::string what =
          fault.other < 0
              ? fmt::format("triangle {} degenerates, its area becomes {} m^2", fault.face,
                            text::number(fault.area))
              : fmt::format("triangles {} and {} fold onto each other", fault.face, fault.other);
      throw InputError("", fmt::format("surface \"{}\", step from t = {} s by {} s: {}. Check the partner's "
                                       "displacements, or use a smaller step.",
                                       surface.name, text::number(simulation->time()), text::number(dt), what));
    }
    simulation->set_surface_motion(surface.boundary, x, v ? *v : std::vector<Vec3>{},
                                   simulation->time() + dt);
  }
}

double Participant::Parts::longest_part(double dt) const {
  // No vertex goes past a triangle in a step.
  double longest = dt;
  const TimeDescription& time = model->time;
  const double least = time.adaptive ? time.min : kSmallestPart * time.step;
  for (const Coupled& surface : surfaces) {
    const SurfaceMotion& motion = simulation->surface(surface.boundary).motion;
    double way = 0;
    for (std::size_t k = 0; k < motion.x0.size(); ++k) {
      double own = (motion.x1[k] - motion.x0[k]).norm();
      // A cubic is no longer than its control polygon.
      if (!motion.v0.empty()) own = std::max(own, dt / 3 * (motion.v0[k].norm() + motion.v1[k].norm()) + own);
      way = std::max(way, own);
    }
    const double edge = shortest_edge(model->walls[static_cast<std::size_t>(surface.mesh.wall)]);
    if (way * longest > edge * dt) longest = edge * dt / way;
    if (longest >= least) continue;
    throw InputError(
        "", fmt::format("surface \"{}\", step from t = {} s by {} s: a vertex moves by {} m, {} times the "
                        "shortest edge ({} m), which would take steps below {} s. Check the partner's "
                        "displacements, or use a smaller step.",
                        surface.name, text::number(simulation->time()), text::number(dt), text::number(way),
                        text::number(way / edge), text::number(edge), text::number(least)));
  }
  return longest;
}

void Participant::Parts::book_forces(const std::vector<std::vector<Vec3>>& before, double h, double dt) {
  for (std::size_t s = 0; s < surfaces.size(); ++s) {
    Coupled& surface = surfaces[s];
    const std::vector<Vec3>& now = simulation->surface(surface.boundary).forces;
    if (options.force == ForceOf::end) {
      surface.forces = now;
      continue;
    }
    for (std::size_t k = 0; k < now.size(); ++k)
      surface.forces[k] += 0.5 * (h / dt) * (before[s][k] + now[k]);
  }
}

Participant::Participant(const std::filesystem::path& deck, MPI_Comm comm, Options options) {
  Deck read = read_deck(deck);
  read.model.warnings = read.warnings;
  parts_ = std::make_unique<Parts>(std::make_shared<Model>(std::move(read.model)), comm, std::move(options),
                                   true);
}

Participant Participant::from_text(const std::string& deck, const std::filesystem::path& name, MPI_Comm comm,
                                   Options options) {
  Deck read = read_deck_text(deck, name);
  read.model.warnings = read.warnings;
  Participant made(std::make_shared<Model>(std::move(read.model)), comm, std::move(options));
  made.parts_->is_deck = true;
  return made;
}

Participant::Participant(std::shared_ptr<Model> model, MPI_Comm comm, Options options)
    : parts_(std::make_unique<Parts>(std::move(model), comm, std::move(options), false)) {}

Participant::Participant(Participant&&) noexcept = default;
Participant& Participant::operator=(Participant&&) noexcept = default;

Participant::~Participant() {
  if (!parts_ || !parts_->simulation) return;
  try {
    finish();
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
  }
  if (parts_->is_deck) clear_deck_options(*parts_->model, parts_->options.options_prefix);
}

Surface Participant::add_surface(std::string_view boundary) { return add_surface(boundary, {}); }

Surface Participant::add_surface(std::string_view boundary, const SurfaceMesh& given) {
  Parts& p = *parts_;
  if (p.simulation) throw std::logic_error("add_surface: got a call after initialize(); expected it before");
  Model& model = *p.model;
  const auto found = std::find_if(model.boundaries.begin(), model.boundaries.end(),
                                  [&](const BoundaryDescription& one) { return one.name == boundary; });
  if (found == model.boundaries.end() || !found->motion.coupled) {
    std::vector<std::string> names;
    for (const BoundaryDescription& one : model.boundaries)
      if (one.motion.coupled) names.push_back('"' + one.name + '"');
    throw InputError("/boundaries",
                     fmt::format("got \"{}\"; expected a boundary with \"motion\": \"coupled\"{}.", boundary,
                                 names.empty() ? ", the deck has none"
                                               : fmt::format(": {}", fmt::join(names, ", "))));
  }
  Parts::Coupled surface;
  surface.boundary = static_cast<int>(found - model.boundaries.begin());
  surface.name = found->name;
  for (const Parts::Coupled& other : p.surfaces)
    if (other.boundary == surface.boundary)
      throw InputError(found->where, fmt::format("surface \"{}\" was added twice.", surface.name));
  for (const BoundaryPart& part : model.boundary_parts)
    if (part.boundary == surface.boundary) surface.mesh.wall = part.wall;
  Shape& shape = model.walls[static_cast<std::size_t>(surface.mesh.wall)];
  if (!any_rank(!given.reference.empty() || !given.triangles.empty(), p.comm())) {
    surface.mesh.take_whole(shape, p.comm());
  } else {
    surface.mesh.gather_from(given, surface.name, p.comm());
    shape = make_coupled_surface(surface.name, surface.mesh.reference, surface.mesh.loops);
  }
  surface.forces.assign(surface.mesh.reference.size(), Vec3::Zero());
  p.surfaces.push_back(std::move(surface));
  return {static_cast<int>(p.surfaces.size()) - 1};
}

void Participant::initialize() {
  Parts& p = *parts_;
  if (p.simulation) throw std::logic_error("initialize: got a second call; expected one");
  const std::filesystem::path file = p.model->deck_file;
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
  for (Parts::Coupled& surface : p.surfaces) surface.forces = p.simulation->surface(surface.boundary).forces;
  p.show(true, false);
}

const SurfaceCopy& Participant::mesh(Surface surface) const { return parts_->of(surface).mesh.own; }

std::vector<double> Participant::positions(Surface surface) const {
  const Parts::Coupled& one = parts_->of(surface);
  std::vector<double> x(one.mesh.own.reference.size());
  one.mesh.scatter(parts_->positions(one), x);
  return x;
}

double Participant::time() const {
  const Parts& p = *parts_;
  if (!p.simulation) return 0;
  return p.left ? p.accepted_time : p.simulation->time();
}

double Participant::end_time() const { return parts_->model->time.end; }
double Participant::max_step() const { return end_time() - time(); }

void Participant::set_motion(Surface surface, std::span<const double> u, std::span<const double> v) {
  Parts::Coupled& one = parts_->of(surface);
  const std::size_t expected = one.mesh.own.reference.size();
  if (u.size() != expected || (!v.empty() && v.size() != expected))
    throw std::invalid_argument(fmt::format(
        "set_motion: surface \"{}\": got {} displacements and {} velocities; expected {}, 3 per vertex of "
        "this rank (velocities: or none)",
        one.name, u.size(), v.size(), expected));
  one.u.assign(u.begin(), u.end());
  one.v.assign(v.begin(), v.end());
  one.fault.clear();
  const auto look = [&](std::span<const double> values, const char* what) {
    const auto bad = std::find_if(values.begin(), values.end(), [](double x) { return !std::isfinite(x); });
    if (bad == values.end() || !one.fault.empty()) return;
    const auto at = static_cast<std::size_t>(bad - values.begin());
    one.fault = fmt::format("surface \"{}\": got {} {} of vertex {}; expected finite numbers.", one.name, *bad,
                            what, one.mesh.own.id[at / 3]);
  };
  look(u, "as displacement [m]");
  look(v, "as velocity [m/s]");
}

StepReport Participant::solve_step(double dt) {
  Parts& p = *parts_;
  Simulation& simulation = p.running();
  if (!(dt > 0) || dt > max_step() * (1 + kRoundOff) + kRoundOff * end_time())
    throw std::invalid_argument(fmt::format("solve_step: got a step of {} s; expected a size in (0, {}] s",
                                            text::number(dt), text::number(max_step())));
  p.keep_accepted();
  p.go_back();
  StepReport report;
  double longest = dt;
  p.left = true;  // motions are part of the state
  try {
    p.set_motions(dt);
    longest = p.longest_part(dt);
  } catch (const InputError& error) {
    throw InputError("", error.what() + p.saved());
  } catch (const RunError& error) {
    throw InputError("", error.what() + p.saved());
  }
  const double start = simulation.time();
  const double end = start + dt;
  const long newton = simulation.newton_iterations();
  for (Parts::Coupled& surface : p.surfaces) std::fill(surface.forces.begin(), surface.forces.end(), Vec3::Zero());
  std::vector<std::vector<Vec3>> before(p.surfaces.size());
  report.status = Status::converged;
  while (simulation.time() < end - kRoundOff * std::max(end, dt)) {
    const double from = simulation.time();
    for (std::size_t s = 0; s < before.size(); ++s)
      before[s] = simulation.surface(p.surfaces[s].boundary).forces;
    const double left = end - from;
    const double until = left > longest ? from + left / std::ceil(left / longest * (1 - kRoundOff)) : end;
    const scree::StepReport step = simulation.try_step(until);
    if (step.outcome != StepOutcome::converged) {
      report.status = step.blocked ? Status::infeasible : Status::failed;
      report.message = simulation.failure(step);
      break;
    }
    ++report.substeps;
    p.book_forces(before, simulation.time() - from, dt);
  }
  p.solved = report.converged();
  p.last_dt = dt;
  report.reached = simulation.time();
  report.newton = static_cast<int>(simulation.newton_iterations() - newton);
  report.min_gap = simulation.contact_totals().min_gap;
  return report;
}

void Participant::accept() {
  Parts& p = *parts_;
  if (!p.solved) throw std::logic_error("accept: no converged step");
  p.left = p.solved = false;
  p.accepted.reset();
  for (Parts::Coupled& surface : p.surfaces) {
    surface.u.clear();
    surface.v.clear();
  }
  p.show(false, false);
}

void Participant::forces(Surface surface, std::span<double> f) const {
  const Parts::Coupled& one = parts_->of(surface);
  one.mesh.scatter(one.forces, f);
}

void Participant::apply_tangent(Surface surface, std::span<const double> du, std::span<double> df,
                                double difference) {
  Parts& p = *parts_;
  Parts::Coupled& one = p.of(surface);
  if (!p.solved) throw std::logic_error("apply_tangent: no converged step");
  if (du.size() != one.mesh.own.reference.size())
    throw std::invalid_argument(fmt::format("apply_tangent: got {} displacements; expected {}, 3 per vertex of "
                                            "this rank",
                                            du.size(), one.mesh.own.reference.size()));
  double largest = 0;
  for (const double value : du) largest = std::max(largest, std::abs(value));
  MPI_Allreduce(MPI_IN_PLACE, &largest, 1, MPI_DOUBLE, MPI_MAX, p.comm());
  std::fill(df.begin(), df.end(), 0.0);
  if (largest == 0) return;
  constexpr double kPart = 1e-7;
  if (difference <= 0)
    difference = kPart * shortest_edge(p.model->walls[static_cast<std::size_t>(one.mesh.wall)]);
  const double scale = difference / largest;
  // The state at the end of the step waits; what was given for it stays.
  const Parts::Solved kept = p.keep_solved();
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
  const StepReport report = solve_step(p.last_dt);
  for (std::size_t k = 0; k < now.size(); ++k) now[k] = (one.forces[k] - now[k]) / scale;
  one.mesh.scatter(now, df);
  one.u = u;
  p.return_to(kept);
  if (!report.converged()) throw RunError("apply_tangent: " + report.message);
}

void Participant::tractions(Surface surface, std::span<double> t) const {
  const Parts::Coupled& one = parts_->of(surface);
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
  const Parts::Coupled& one = parts_->of(surface);
  const std::vector<Vec3>& x = parts_->positions(one);
  Wrench sum;
  for (std::size_t k = 0; k < x.size(); ++k) {
    sum.force += one.forces[k];
    sum.moment += x[k].cross(one.forces[k]);
  }
  return sum;
}

Snapshot Participant::save() {
  Parts& p = *parts_;
  (void)p.running();
  if (p.left) {
    p.go_back();
    p.restore_forces();
  }
  p.keep_accepted();
  return *p.accepted;
}

void Participant::restore(const Snapshot& snapshot) {
  Parts& p = *parts_;
  Simulation& simulation = p.running();
  if (p.left || !p.accepted || !(*p.accepted == snapshot)) simulation.restore(snapshot.simulation_);
  p.accepted = snapshot;
  p.accepted_time = simulation.time();
  p.left = p.solved = false;
  p.restore_forces();
}

void Participant::finish() {
  Parts& p = *parts_;
  if (!p.simulation || std::exchange(p.finished, true)) return;
  p.go_back();
  if (p.observers.empty()) return;
  p.show(false, true);
  finish_run(*p.simulation, p.observers, "", false);
}

std::string Participant::write_checkpoint() {
  Parts& p = *parts_;
  (void)p.running();
  p.go_back();
  return p.keeper ? p.keeper->rescue(*p.simulation) : "";
}

Simulation& Participant::simulation() { return parts_->running(); }
const Simulation& Participant::simulation() const { return parts_->running(); }

}  // namespace scree::coupling

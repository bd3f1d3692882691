#include "io/coupling/coupled_steps.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "assembly/agreement.hpp"
#include "contact/surface/deforming_surface.hpp"
#include "core/error.hpp"
#include "core/text.hpp"
#include "io/collective.hpp"
#include "io/output/observers.hpp"
#include "io/output/progress.hpp"
#include "io/output/run_log.hpp"
#include "io/preflight.hpp"
#include "solvers/model.hpp"
#include "solvers/time_loop.hpp"

namespace scree::coupling {
namespace {

/// Times are sums of steps: what is due a round-off later is due.
constexpr double kRoundOff = 1e-12;

/// Steps with a fixed size are reduced to this part of it at most, where a surface moves fast.
constexpr double kSmallestPart = 1e-3;

/// From the first participant to the last: PETSc, unless the program has started it. Then nothing is held: a
/// handler of errors that lived as long as the participants could be removed in the wrong order with those of
/// the program.
std::shared_ptr<petsc::Session> petsc_session() {
  static std::weak_ptr<petsc::Session> the_one;
  std::shared_ptr<petsc::Session> session = the_one.lock();
  if (!session && !petsc::running()) the_one = session = std::make_shared<petsc::Session>(nullptr, nullptr);
  return session;
}

/// Whether the law of some contacts does not allow overlap: then another law may be a way out.
bool forbids_overlap(const Model& model) {
  return std::any_of(model.interface_of.begin(), model.interface_of.end(), [&](const std::vector<int>& with) {
    return std::any_of(with.begin(), with.end(), [&](int law) {  // -1: no contact
      return law >= 0 && !model.interfaces[static_cast<std::size_t>(law)].traits().overlap;
    });
  });
}

}  // namespace

Frame::Frame(MPI_Comm comm) : session_(petsc_session()) { MPI_Comm_dup(comm, &comm_); }

void CoupledSteps::make_outputs() {
  // Those of a start that was interrupted have seen nothing yet, and know all bodies of the deck.
  if (!options.write_outputs || keeper) return;
  observers.clear();
  owned = make_observers(*model, comm());
  for (std::unique_ptr<Observer>& observer : owned) {
    if (!options.write_log) {
      if (dynamic_cast<Progress*>(observer.get()) != nullptr) continue;
      // Without a screen it writes report.json only.
      if (dynamic_cast<RunLog*>(observer.get()) != nullptr)
        observer = std::make_unique<RunLog>(*model, comm(), Screen{});
    }
    observers.push_back(observer.get());
  }
  keeper = std::make_unique<CheckpointWriter>(*model, comm(), options.petsc_options, owned);
  keeper->set_coupled_forces([this](int boundary) {
    const auto found = std::find_if(surfaces.begin(), surfaces.end(),
                                    [boundary](const Coupled& one) { return one.boundary == boundary; });
    return found == surfaces.end() ? std::vector<Vec3>{} : found->forces;
  });
}

void CoupledSteps::show(bool first, bool last, bool interrupted, bool complete) {
  if (observers.empty()) return;
  try {
    show_state(*simulation, observers, model->output.checkpoint.wanted ? keeper.get() : nullptr, first, last,
               interrupted, complete);
  } catch (...) {  // outputs that lack a state are not those of a complete run
    failed = true;
    throw;
  }
}

void CoupledSteps::clear_options() {
  if (!is_deck) return;
  clear_deck_options(*model, options.options_prefix);
  model->solver.petsc_option_names.clear();
}

double CoupledSteps::max_step() const {
  const double end = model->time.end, rest = end - time();
  return rest > kRoundOff * end ? rest : 0;
}

double CoupledSteps::end_of_step(double dt) const {
  const double end = model->time.end, sum = time() + dt;
  return std::abs(end - sum) <= kRoundOff * end ? end : sum;
}

void CoupledSteps::go_back() {
  if (left) {
    simulation->go_back(*accepted->simulation_);
    restore_forces();
  }
  left = solved = false;
}

void CoupledSteps::keep_accepted() {
  if (accepted) return;
  accepted.emplace();
  accepted->simulation_ = simulation->keep();
  accepted_time = simulation->time();
  for (const Coupled& surface : surfaces)
    accepted->forces_.insert(accepted->forces_.end(), surface.forces.begin(), surface.forces.end());
}

void CoupledSteps::restore_forces() {
  auto from = accepted->forces_.begin();
  for (Coupled& surface : surfaces) {
    const auto last = from + std::ssize(surface.forces);
    surface.forces.assign(from, last);
    from = last;
  }
}

void CoupledSteps::forget_motions() {
  for (Coupled& surface : surfaces) {
    surface.u.clear();
    surface.v.clear();
    surface.is_new = false;
    surface.fault.clear();
  }
}

void CoupledSteps::take_forces() {
  for (Coupled& surface : surfaces) surface.forces = simulation->surface(surface.boundary).forces;
}

CoupledSteps::Solved CoupledSteps::keep_solved() {
  Solved made{simulation->keep(), {}};
  for (const Coupled& surface : surfaces) made.forces.push_back(surface.forces);
  return made;
}

void CoupledSteps::return_to(const Solved& solved_step) {
  simulation->go_back(*solved_step.simulation);
  for (std::size_t s = 0; s < surfaces.size(); ++s) surfaces[s].forces = solved_step.forces[s];
  left = solved = true;
  failed = false;
}

std::string CoupledSteps::rescue() {
  go_back();
  if (!keeper) return "";
  // Steps that follow start from what is in the file, not from the lists of before.
  const bool kept = accepted.has_value();
  const auto keep_anew = [&] {
    accepted.reset();
    if (kept) keep_accepted();
  };
  std::string file;
  try {
    file = keeper->rescue(*simulation);
  } catch (const RunError&) {
    keep_anew();
    throw;
  }
  keep_anew();
  return file;
}

std::string CoupledSteps::saved() {
  go_back();
  constexpr const char* kState = " The state is the last accepted one.";
  if (!keeper) return kState;
  try {
    const std::string file = rescue();
    return file.empty() ? "" : " The last accepted state has been saved in " + file + ".";
  } catch (const RunError& error) {  // the fault of the motion has to be known first
    return std::string(kState) + " No checkpoint could be written: " + error.what();
  }
}

std::vector<std::vector<Vec3>> CoupledSteps::way_of(const Coupled& surface, const std::vector<Vec3>& x,
                                                    const std::optional<std::vector<Vec3>>& v,
                                                    double h) const {
  std::vector<std::vector<Vec3>> way{positions(surface), x};
  if (!v) return way;
  const std::vector<Vec3>& before = simulation->surface(surface.boundary).v;
  way.insert(way.begin() + 1, {way.front(), x});
  for (std::size_t k = 0; k < x.size(); ++k) {
    way[1][k] += h / 3 * before[k];
    way[2][k] -= h / 3 * (*v)[k];
  }
  return way;
}

void CoupledSteps::set_motions(double dt) {
  std::string faults;
  together(comm(), [&] {
    for (const Coupled& surface : surfaces) faults += text::join(faults.empty() ? "" : " ", surface.fault);
    if (!faults.empty()) throw RunError(faults);
  });
  for (Coupled& surface : surfaces) {
    surface.is_new = false;
    const std::vector<Vec3>& now = positions(surface);
    const std::optional<std::vector<Vec3>> u = surface.mesh.gather(surface.u, comm());
    const std::optional<std::vector<Vec3>> v = surface.mesh.gather(surface.v, comm());
    if (!u) continue;
    std::vector<Vec3> x = surface.mesh.reference;
    for (std::size_t k = 0; k < x.size(); ++k) x[k] += (*u)[k];
    const Shape& shape = model->walls[static_cast<std::size_t>(surface.mesh.wall)];
    const contact::SurfaceFault fault = contact::find_fault(shape, now, x);
    std::optional<std::pair<int, int>> crossing;
    if (fault.face < 0) together(comm(), [&] { crossing = surface.crossings->find(x); });
    const auto name = [&surface](int triangle) { return surface.mesh.triangle_name(triangle); };
    std::string what;
    if (fault.face >= 0) {
      what = fault.other < 0 ? fmt::format("triangle {} degenerates, its area becomes {} m^2",
                                           name(fault.face), text::number(fault.area))
                             : fmt::format("triangles {} and {} fold onto each other", name(fault.face),
                                           name(fault.other));
    } else if (crossing) {
      what = fmt::format("triangles {} and {} pass through each other", name(crossing->first),
                         name(crossing->second));
    } else if (const contact::SurfaceFault shrunk =
                   contact::find_fault_on_the_way(shape, way_of(surface, x, v, end_of_step(dt) - time()));
               shrunk.face >= 0) {
      what = fmt::format("triangle {} degenerates on the way, its area becomes {} m^2", name(shrunk.face),
                         text::number(shrunk.area, 3));
    }
    if (!what.empty())
      throw InputError("",
                       fmt::format("surface \"{}\", step from t = {} s by {} s: {}. Check the partner's "
                                   "displacements, or use a smaller step.",
                                   surface.name, text::number(simulation->time()), text::number(dt), what));
    simulation->set_surface_motion(surface.boundary, x, v ? *v : std::vector<Vec3>{}, end_of_step(dt));
  }
}

double CoupledSteps::longest_part(double dt) const {
  // No vertex goes past a triangle in a step.
  double longest = dt;
  const TimeDescription& time = model->time;
  const double least = time.adaptive ? time.min : kSmallestPart * time.step;
  for (const Coupled& surface : surfaces) {
    const SurfaceMotion& motion = simulation->surface(surface.boundary).motion;
    if (motion.to <= simulation->time()) continue;
    double speed = 0;
    for (std::size_t k = 0; k < motion.x0.size(); ++k) speed = std::max(speed, motion.largest_speed(k));
    const double edge = model->walls[static_cast<std::size_t>(surface.mesh.wall)].smallest_feature;
    if (speed * longest > edge) longest = edge / speed;
    // A short step by itself is the partner's choice.
    if (longest >= std::min(least, dt)) continue;
    throw InputError(
        "", fmt::format("surface \"{}\", step from t = {} s by {} s: a vertex moves at up to {} m/s, in the "
                        "step {} times the shortest edge ({} m), which would take steps below {} s. Check "
                        "the partner's displacements, or use a smaller step.",
                        surface.name, text::number(simulation->time()), text::number(dt), text::number(speed),
                        text::number(speed * dt / edge), text::number(edge), text::number(least)));
  }
  return longest;
}

bool CoupledSteps::forces_are_means() const {
  // Forces that are secants are those of whole steps: that of the last one alone leaves out impulses.
  const bool of_steps = traits_of(model->analysis).uses_integrator && model->integrator->secant_forces();
  return of_steps || options.force == ForceOf::mean;
}

std::vector<Vec3> CoupledSteps::places_of_forces(const Coupled& surface) const {
  std::vector<Vec3> places = positions(surface);
  if (!simulation || !forces_are_means()) return places;
  const SurfaceMotion& motion = simulation->surface(surface.boundary).motion;
  // One that ended before: the surface stood still in the last step.
  if (motion.to < simulation->time() * (1 - kRoundOff)) return places;
  for (std::size_t k = 0; k < places.size(); ++k) places[k] = 0.5 * (motion.x0[k] + places[k]);
  return places;
}

void CoupledSteps::book_forces(const std::vector<std::vector<Vec3>>& before, double h, double dt) {
  for (std::size_t s = 0; s < surfaces.size(); ++s) {
    Coupled& surface = surfaces[s];
    const std::vector<Vec3>& now = simulation->surface(surface.boundary).forces;
    if (!forces_are_means()) {
      surface.forces = now;
      continue;
    }
    const double end = model->integrator ? model->integrator->end_weight() : 0.5;
    for (std::size_t k = 0; k < now.size(); ++k)
      surface.forces[k] += (h / dt) * ((1 - end) * before[s][k] + end * now[k]);
  }
}

StepReport CoupledSteps::solve_step(double dt) {
  Simulation& now = running();
  if (finished) throw std::logic_error("solve_step: got a call after finish(); expected it before");
  require_same(dt, "solve_step: got a step of", "s", comm());
  const double largest = max_step();
  if (!(dt > 0) || largest == 0 || dt > largest * (1 + kRoundOff) + kRoundOff * model->time.end)
    throw std::invalid_argument(fmt::format(
        "solve_step: got a step of {} s; expected a size in (0, {}] s{}", text::number(dt),
        text::number(largest),
        largest > 0 ? ""
                    : ": the end time of the deck, " + text::number(model->time.end) + " s, is reached"));
  if (!(dt > kRoundOff * (time() + dt)))
    throw std::invalid_argument(fmt::format(
        "solve_step: got a step of {} s at t = {} s, which is round-off of the time; expected a larger one",
        text::number(dt), text::number(time())));
  keep_accepted();
  go_back();
  StepReport report;
  double longest = dt;
  left = true;  // motions are part of the state
  failed = true;
  try {
    set_motions(dt);
    longest = longest_part(dt);
  } catch (const InputError& error) {
    throw InputError("", error.what() + saved());
  } catch (const RunError& error) {
    throw InputError("", error.what() + saved());
  }
  const double end = end_of_step(dt);
  const long newton = now.newton_iterations();
  for (Coupled& surface : surfaces) std::fill(surface.forces.begin(), surface.forces.end(), Vec3::Zero());
  std::vector<std::vector<Vec3>> before(surfaces.size());
  report.status = Status::converged;
  while (now.time() < end - kRoundOff * std::max(end, dt)) {
    const double rest = end - now.time();
    const double until =
        rest > longest ? now.time() + rest / std::ceil(rest / longest * (1 - kRoundOff)) : end;
    // Without bodies: no step, also to the end time of the deck, which is no pause for `begin`.
    const bool passed = now.begin(until) || now.time() >= model->time.end;
    // What is switched, enters or leaves has changed them.
    for (std::size_t s = 0; s < before.size(); ++s) before[s] = now.surface(surfaces[s].boundary).forces;
    const double from = now.time();
    if (!passed) {
      const scree::StepReport step = now.try_step(until);
      if (step.outcome != StepOutcome::converged) {
        report.status = step.blocked ? Status::infeasible : Status::failed;
        report.message = now.failure(step);
        if (step.blocked)
          report.message +=
              forbids_overlap(*model)
                  ? " In a coupling: a shorter coupled step, a smaller relaxation factor, or an "
                    "overlap-based contact law."
                  : " In a coupling: a shorter coupled step or a smaller relaxation factor.";
        break;
      }
    }
    ++report.substeps;
    book_forces(before, now.time() - from, dt);
  }
  solved = report.converged();
  failed = !solved;
  last_dt = dt;
  report.reached = now.time();
  report.newton = static_cast<int>(now.newton_iterations() - newton);
  report.min_gap = now.contact_totals().min_gap;
  return report;
}

}  // namespace scree::coupling

#include "solvers/simulation.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <stdexcept>
#include <tuple>

#include "assembly/agreement.hpp"
#include "assembly/interrupt.hpp"
#include "contact/bounds/step_limits.hpp"
#include "core/archive.hpp"
#include "core/error.hpp"
#include "core/text.hpp"
#include "solvers/analysis.hpp"
#include "solvers/model_check.hpp"
#include "solvers/procedures.hpp"
#include "solvers/run/run_warnings.hpp"
#include "solvers/world/contact_output.hpp"

namespace scree {
namespace {

/// So many steps pass between two looks for bodies that left the domain.
constexpr long kStepsBetweenLooks = 100;

long next_number() {
  static std::atomic<long> count = 0;
  return count++;
}

}  // namespace

Simulation::Simulation(std::shared_ptr<const Model> model, MPI_Comm comm, std::string options_prefix)
    : model_(std::move(model)),
      comm_(comm),
      options_prefix_(std::move(options_prefix)),
      number_(next_number()),
      started_(MPI_Wtime()),
      world_(std::make_shared<World>(checked(*model_), comm, options_prefix_)),
      procedure_(make_procedure(*world_, clock_, report_)),
      population_(*model_, comm),
      control_(model_->time, procedure_->closing_name()),
      at_rest_(model_->time.stop),
      warnings_(model_->warnings) {
  petsc::check(PetscLogDefaultBegin(), "starting the log");  // the summary reads the phases from it
  check_interrupt(comm_);
  procedure_->set_time(0);
  check_interrupt(comm_);
  energy_ = std::make_unique<EnergyAccount>(*world_, 0);
  report_.note(energy_->contacts());
  warn_at_start(*world_, *energy_, warnings_);
  look_for_left();
  event_ = world_->next_event(0);
  check_interrupt(comm_);
}

const BodiesOfDeck& Simulation::bodies_of_deck() {
  if (!bodies_of_deck_) bodies_of_deck_.emplace(*model_);
  return *bodies_of_deck_;
}

Snapshot Simulation::save() {
  const InterruptShield shield;  // on the way the state is in the snapshot alone
  reject();
  keep_shown();
  Snapshot snapshot;
  const auto write = [&] {
    snapshot.bytes_.clear();
    ByteWriter writer(snapshot.bytes_);
    writer.put(StateKind(*model_));
    writer.put(bodies_of_deck());
    writer.put(bodies_state());
    writer.put(procedure_->state());
    visit(std::as_const(*this), writer);
  };
  // Poles are brought back into the periodic cell when lists are made: the state that is saved is that after
  // it.
  write();
  const std::vector<BodyId> ids = world_->bodies().owned_ids();
  ShownStep shown = std::move(shown_);
  procedure_.reset();  // their memory may be needed
  world_.reset();
  restore(snapshot);
  shown.has_forces = !world_->on_any_rank(ids != world_->bodies().owned_ids());
  shown_ = std::move(shown);
  write();
  return snapshot;
}

void Simulation::restore(const Snapshot& snapshot) {
  ByteReader reader(snapshot.bytes_);
  check_kind(reader.next<StateKind>());
  const auto saved_in = reader.next<BodiesOfDeck>();
  bodies_of_deck().require_same(saved_in, comm_);
  auto bodies = reader.next<BodiesState>();
  const auto solvers = reader.next<SolverState>();
  std::vector<std::byte> before;
  ByteWriter writer(before);
  visit(std::as_const(*this), writer);
  try {
    visit(*this, reader);
    const auto moved = bodies_of_deck().take_boundaries(saved_in, *model_, time_, bodies.boundaries, comm_);
    continue_from(std::move(bodies), solvers, false, moved);
  } catch (...) {
    ByteReader way_back(before);
    visit(*this, way_back);
    throw;
  }
  follow_deck();
  if (saved_in.deck == bodies_of_deck().deck) return;
  book_another_deck(*procedure_, *world_, *energy_, time_, warnings_);
  judge_rest_anew();
}

void Simulation::follow_deck() {
  // Time points are those of this deck, which may be another one of the model.
  if (event_ > time_ * (1 + kRoundOff)) event_ = world_->next_event(time_ * (1 + kRoundOff));
  if (!world_->switched_as_at(time_)) {
    event_ = std::min(event_, time_);
    begun_ = false;
  }
  // Where the run had ended without bodies, time passes without them.
  if (population_.report().bodies == 0 && time_ < model_->time.end) begun_ = false;
}

void Simulation::judge_rest_anew() {
  rest_ = false;
  at_rest_ = AtRest(model_->time.stop);
  if (shown_.known) shown_.rest = at_rest_.report(*procedure_, *world_, time_, energy_->ledger().kinetic());
}

std::shared_ptr<const KeptState> Simulation::keep() {
  const PhaseClock::Scope scope(clock_, PhaseClock::keeping);
  reject();
  if (kept_ && kept_.use_count() == 1 && kept_->world_ == world_) {
    kept_->time_ = time_;
    world_->keep(kept_->copy_);
    kept_->more_ = {};
    kept_->run_.clear();
  } else {
    kept_.reset(new KeptState(number_, time_, world_));
  }
  procedure_->save(kept_->more_);
  kept_->solvers_ = procedure_->state();
  ByteWriter writer(kept_->run_);
  visit(std::as_const(*this), writer);
  continue_with_lists(*kept_);
  return kept_;
}

void Simulation::go_back(const KeptState& kept) {
  if (!has_kept(kept)) throw std::invalid_argument("go_back: the state is that of another simulation");
  const PhaseClock::Scope scope(clock_, PhaseClock::keeping);
  ByteReader reader(kept.run_);
  visit(*this, reader);
  procedure_.reset();
  world_ = kept.world_;
  world_->go_back(kept.copy_);
  continue_with_lists(kept);
}

void Simulation::continue_with_lists(const KeptState& kept) {
  solved_ = false;
  shown_.has_forces = false;
  procedure_.reset();
  procedure_ = make_procedure(*world_, clock_, report_);
  procedure_->resume_with_lists(kept.more_, time_);
  procedure_->set_state(kept.solvers_);
}

void Simulation::check_kind(const StateKind& kind) const {
  const std::string other = StateKind(*model_).difference_from(kind);
  if (!other.empty()) throw std::invalid_argument("restore: the snapshot is that of another model: " + other);
}

BodiesState Simulation::bodies_state() const {
  BodiesState bodies = world_->state(last_h_);
  procedure_->save(bodies);
  return bodies;
}

void Simulation::continue_from(BodiesState bodies, const SolverState& solvers, bool redistribute,
                               const std::vector<char>& moved) {
  if (redistribute) bodies = World::redistributed(*model_, bodies, comm_);
  Resumed resumed = resume_world(*model_, bodies, time_, comm_, options_prefix_, clock_, report_, moved);
  resumed.procedure->set_state(solvers);
  solved_ = false;
  shown_.has_forces = false;
  procedure_ = std::move(resumed.procedure);
  world_ = std::move(resumed.world);
}

void Simulation::keep_shown() {
  shown_.keep_forces(*procedure_, true);
  if (shown_.known) return;
  std::tie(shown_.unbalanced_force, shown_.unbalanced_moment) = procedure_->unbalanced();
  shown_.rest = at_rest_.report(*procedure_, *world_, time_, energy_->ledger().kinetic());
  if (finished()) procedure_->find_indeterminacy();  // the last state's is reported
  shown_.is_rigid = procedure_->figures() != nullptr;
  if (shown_.is_rigid) shown_.figures = *procedure_->figures();
  shown_.known = true;
}

void Simulation::exchange() {
  const PhaseClock::Scope scope(clock_, PhaseClock::search);
  const bool are_unknowns = !traits_of(model_->analysis).forces_follow_from_state;
  const bool due = population_.next_due() <= time_ * (1 + kRoundOff);
  // The forces of the last step go with the old lists. Those that follow from the state are found anew where
  // bodies leave.
  if (!shown_.has_forces && population_.changes() && (are_unknowns || due)) shown_.keep_wrenches(*procedure_);
  if (!population_.exchange(*procedure_, time_)) return;
  const ShownStep before = std::exchange(shown_, {});
  energy_->book_exchange(*world_, time_, population_.brought(), population_.settled(), population_.left());
  if (population_.report().bodies > 0 && (are_unknowns || !population_.settled()))
    shown_.take_forces(before, *world_);
}

bool Simulation::begin(double until) {
  if (begun_) return false;
  if (event_ <= time_ * (1 + kRoundOff) || world_->bonds_broke()) {
    const World::Switched now = procedure_->set_time(time_);
    if (!now.blocked.empty()) {
      throw RunError("at t = " + text::number(time_, 3) + " s: " + now.blocked +
                     ". Move the body or the boundary, or activate it at another time.");
    }
    if (now.any) warn_of_switch(*world_, *energy_, energy_->book_switch(*world_, time_), time_, warnings_);
    event_ = world_->next_event(time_ * (1 + kRoundOff));
  }
  const bool inhabited = population_.report().bodies > 0;
  exchange();
  const bool emptied = inhabited && population_.report().bodies == 0;
  const double end = model_->time.end;
  const double goal = until < end * (1 - kRoundOff) ? until : end;
  while (time_ < goal && population_.report().bodies == 0) {
    const double from = time_;
    double due = population_.next_due();
    // What found no room is tried again as often as with other bodies there.
    if (due <= from * (1 + kRoundOff))
      due = std::min(event_, from + (model_->time.adaptive ? model_->time.max : model_->time.step));
    time_ = due < goal * (1 - kRoundOff) ? due : goal;
    // Outputs show that the last body has left a step later, as they do of those before it, and what holds at
    // the end: these are states of their own.
    const double pause = last_h_ > 0 ? last_h_ : model_->time.step;
    const bool stays = emptied && from + pause < time_;
    if (stays) time_ = from + pause;
    if (stays || time_ >= goal) {
      last_h_ = time_ - from;
      ++report_.steps;
      last_step_ = {};
      last_step_.outcome = StepOutcome::converged;
      // As after a step: what is switched now is so from the next one on.
      world_->move_boundaries(time_, 0.5 * (from + time_));
      if (time_ < end) return true;
      break;
    }
    procedure_->set_time(time_);
    event_ = world_->next_event(time_ * (1 + kRoundOff));
    exchange();
    check_interrupt(comm_);
  }
  begun_ = true;
  return false;
}

double Simulation::end_of_step(double h) const {
  for (const double point : {event_, model_->time.end})
    if (std::abs(point - (time_ + h)) < kRoundOff * point) return point;
  return time_ + h;
}

StepReport Simulation::attempt(double h) {
  attempted_ = {time_, end_of_step(h), h};
  attempt_ = procedure_->solve(attempted_);
  solved_ = attempt_.outcome == StepOutcome::converged;
  return attempt_;
}

void Simulation::reject() {
  if (solved_) procedure_->reject();
  solved_ = false;
}

void Simulation::set_surface_motion(int boundary, const std::vector<Vec3>& x, const std::vector<Vec3>& v,
                                    double to) {
  if (!(to > time_))
    throw std::invalid_argument("set_surface_motion: got an end of " + text::number(to) +
                                " s; expected a time later than the state, " + text::number(time_) + " s");
  reject();
  const int part = model_->part_of(boundary);
  const SurfaceState& now = world_->surfaces().state(part);
  if (x.size() != now.x.size() || (!v.empty() && v.size() != x.size()))
    throw std::invalid_argument("set_surface_motion: got " + std::to_string(x.size()) + " positions and " +
                                std::to_string(v.size()) + " velocities; expected " +
                                std::to_string(now.x.size()) + " vertices");
  SurfaceMotion motion{.from = time_, .to = to, .x0 = now.x, .x1 = x, .v0 = v.empty() ? v : now.v, .v1 = v};
  world_->set_surface_motion(part, std::move(motion));
  // The velocities of what follows are other ones, from now on.
  event_ = std::min(event_, time_);
  begun_ = false;
}

const SurfaceState& Simulation::surface(int boundary) const {
  return world_->surfaces().state(model_->part_of(boundary));
}

StepReport Simulation::step(double until) {
  StepReport report = try_step(until);
  if (report.outcome != StepOutcome::converged) throw RunError(failure(report));
  return report;
}

StepReport Simulation::try_step(double until) {
  if (finished()) throw std::logic_error("step: the run is over");
  require_same(until, "step: got an end of", "s", comm_);
  if (!(until > time_ * (1 + kRoundOff)))
    throw std::invalid_argument("step: got an end of " + text::number(until) +
                                " s; expected a time later than the state, " + text::number(time_) + " s");
  reject();
  if (begin(until)) return last_step_;
  // Forces that are unknowns leave no trace in an attempt. Their bounds take too long to keep.
  if (!traits_of(model_->analysis).forces_follow_from_state) shown_.keep_forces(*procedure_, false);
  while (time_ < std::min(until, model_->time.end)) {
    check_interrupt(comm_);
    double h = 0;
    {
      const PhaseClock::Scope scope(clock_, PhaseClock::control);
      const bool adaptive = model_->time.adaptive;
      h = control_.next(time_, std::min(event_, until),
                        adaptive ? procedure_->limits(control_.longest()) : contact::StepLimits{});
    }
    if (until < event_ || !world_->surfaces().empty()) control_.grow_from_taken();
    StepReport step = attempt(h);
    if (traits_of(model_->analysis).uses_integrator) control_.spent(step.newton + step.backtracks);
    const double reference = energy_->ledger().reference;
    const StepControl::Coarseness coarse = control_.coarseness(step, reference);
    const bool as_good = coarse.excess <= 1 || (coarse.beside_energy <= 1 &&
                                                control_.is_jump(time_, h, step.energy_errors, reference));
    if (solved_ && (as_good || !control_.cut(time_, h, coarse.excess))) {
      accept();
      break;
    }
    ++report_.cuts;
    if (solved_) {
      ++cut_causes_[coarse.cause];
      reject();
      continue;
    }
    ++cut_causes_[step.cause];
    if (step.no_memory || step.any_size || !control_.cut(time_, h)) return step;
  }
  return last_step_;
}

double Simulation::largest_step() {
  while (begin()) {
  }
  return std::max(0.0, std::min(event_, model_->time.end) - time_);
}

StepReport Simulation::solve(double h) {
  require_same(h, "solve: got a step of", "s", comm_);
  reject();
  const double largest = largest_step();
  if (!(h > 0) || time_ + h > std::min(event_, model_->time.end) * (1 + kRoundOff))
    throw std::invalid_argument(
        "solve: got a step of " + text::number(h) + " s; expected a size in (0, " + text::number(largest) +
        "] s, up to the next event" +
        (largest > 0 ? ""
                     : ": the end time of the deck, " + text::number(model_->time.end) + " s, is reached"));
  keep_shown();
  control_.set_cause("caller");
  return attempt(h);
}

void Simulation::accept() {
  if (!solved_) throw std::logic_error("accept: no converged step");
  solved_ = false;
  shown_ = {};
  procedure_->accept(attempted_, *energy_);
  last_step_ = attempt_;
  last_h_ = attempted_.to - attempted_.from;
  time_ = attempted_.to;
  begun_ = false;
  ++report_.steps;
  const double excess = control_.excess(attempt_.energy_errors, energy_->ledger().reference);
  if (control_.accepted(time_, attempted_.h, excess)) report_.unresolved.note(excess);
  report_.turned.note(std::cbrt(control_.excess_of_turn(attempt_.impact_turn)));
  {
    const PhaseClock::Scope scope(clock_, PhaseClock::output);
    report_.note(energy_->contacts());
  }
  if (attempt_.bond_load > 1) report_.bond_load = std::max(report_.bond_load, attempt_.bond_load);
  if (model_->time.adaptive && attempted_.h <= model_->time.min * (1 + 1e-9)) ++report_.min_steps;
  // What is still to happen may end the rest.
  const double end = model_->time.end;
  const bool pending = population_.next_due() <= end ||
                       world_->next_scheduled(time_ * (1 + kRoundOff)) < end * (1 - kRoundOff);
  rest_ = at_rest_.reached(*procedure_, *world_, time_, energy_->ledger().kinetic(), pending);
  if (report_.steps % kStepsBetweenLooks == 0 && !finished()) look_for_left();
}

void Simulation::look_for_left() {
  procedure_->body_wrenches(body_wrench_);
  warn_of_left(*model_, energy_->domain().left(*world_, body_wrench_, time_), time_, warnings_);
}

std::string Simulation::failure(const StepReport& step) const {
  const std::string smaller = model_->time.adaptive ? "/min" : "";
  const std::string time = text::number(time_, 3);
  if (step.no_memory)
    return "time step at t = " + time + " s failed (" + step.cause +
           "). Use solver/linear \"iterative\", fewer bodies, or more machines.";
  if (step.blocked) {
    return step.cause + (step.detail.empty() ? "" : " (" + step.detail + ")") + " after t = " + time +
           " s, even with a step of " + text::number(attempted_.h, 3) + " s. Try a smaller time/step" +
           smaller + ", stiffer contacts, slower boundaries and bodies, or more space for what walls push.";
  }
  return procedure_->failure(attempted_, step);
}

AcceptedState Simulation::view(bool first, bool last) {
  AcceptedState state;
  state.time = time_;
  state.step = last_h_;
  state.step_number = report_.steps;
  state.first = first;
  state.last = last;
  state.at_rest = last && rest_;
  state.newton_iterations = last_step_.newton;
  state.krylov_iterations = last_step_.krylov;
  state.proximal_steps = last_step_.proximal_steps;
  state.contacts = energy_->contacts().contacts;
  state.min_gap = energy_->contacts().min_gap;
  state.bonds = energy_->bonds();
  state.broken_bonds = energy_->broken_bonds();
  state.max_velocity = energy_->max_velocity();
  state.energy = energy_->ledger();
  state.population = &population_.report();
  state.warnings = &warnings_.all();
  state.model = model_.get();
  state.bodies = &world_->bodies();
  // Bodies may have changed their ranks since, in a step that failed.
  const bool kept = shown_.has_forces && !world_->on_any_rank(shown_.of != world_->bodies().owned_ids());
  if (!kept) procedure_->body_wrenches(body_wrench_);
  if (!shown_.has_forces) boundary_wrenches(*world_, boundary_wrench_);
  state.body_wrench = kept ? &shown_.body : &body_wrench_;
  state.boundary_wrench = shown_.has_forces ? &shown_.boundary : &boundary_wrench_;
  state.surfaces = &world_->surfaces();
  state.queries = this;
  state.rigid = shown_.known && shown_.is_rigid ? &shown_.figures : procedure_->figures();
  return state;
}

const std::vector<ContactRecord>& Simulation::contacts() {
  if (shown_.has_forces) return shown_.contacts;
  contact_records(*world_, records_);
  procedure_->add_intervals(records_);
  return records_;
}

RunReport Simulation::report() {
  RunReport report = report_;
  report.rest =
      shown_.known ? shown_.rest : at_rest_.report(*procedure_, *world_, time_, energy_->ledger().kinetic());
  report.time = time_;
  report.energy = energy_->ledger();
  report.attracted = energy_->attracted();
  report.population = population_.report();
  report.bonds = energy_->bonds();
  report.broken_bonds = energy_->broken_bonds();
  if (shown_.known && shown_.is_rigid) {
    report.rigid = shown_.figures;
  } else if (const RigidFigures* figures = procedure_->figures()) {
    procedure_->find_indeterminacy();
    report.rigid = *figures;
  }
  std::tie(report.unbalanced_force, report.unbalanced_moment) =
      shown_.known ? std::pair(shown_.unbalanced_force, shown_.unbalanced_moment) : procedure_->unbalanced();
  report.cut_causes.assign(cut_causes_.begin(), cut_causes_.end());
  report.limit_causes.assign(control_.limit_causes().begin(), control_.limit_causes().end());
  report.newton = procedure_->state().notes;
  report.overrules = control_.overrules();
  procedure_->body_wrenches(body_wrench_);
  report.left = energy_->domain().left(*world_, body_wrench_, time_);
  report.rest_energy = std::max(AtRest::kRestEnergy * energy_scale(*world_, time_), still_energy(*world_));
  // Those of the end as if it were now: a run that is stepped from outside has no other.
  Warnings all = warnings_;
  warn_at_end(*model_, report, all);
  report.warnings = all.all();
  report.wall_seconds = MPI_Wtime() - started_;
  report.phase_seconds = clock_.seconds(report.wall_seconds);
  return report;
}

}  // namespace scree

/// Observers of accepted states. Solvers own the interface, io implements it.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "contact/forces/contact_totals.hpp"
#include "core/body.hpp"
#include "solvers/model.hpp"
#include "solvers/run/step_report.hpp"

namespace scree {

class Surfaces;

/// One active contact, or bond in its place, at the accepted state, for output. Normal from body_b to body_a.
struct ContactRecord {
  BodyId body_a = -1;
  BodyId body_b = -1;       ///< -1 - (index into Model::boundaries) for a boundary
  Vec3 point, normal;       ///< [m], [-]
  double gap = 0;           ///< [m]
  double normal_force = 0;  ///< on body_a along the normal, net of the terms it is counted with [N]
  /// On body_a across the normal: friction, and where duplicates are taken out of a pair (share < 1) the part
  /// of their resultant across it [N].
  Vec3 friction;
  double weight = 1;       ///< window weight: 1 but for nearly parallel edges (docs/contact.md) [-]
  double share = 1;        ///< energy of the pair, duplicates taken out, over the law's at its gap [-]
  double first_found = 0;  ///< contact dynamics: normal force of the LCP [N]
  double force_min = 0, force_max = -1;  ///< contact dynamics: its interval, if requested; else min > max
};

/// Force and moment (about the body's pole; about the origin for a boundary) by contact and bonds [N], [N m].
/// Of the accepted state, or the mean over the step, impacts included, where forces are secants.
struct Wrench {
  Vec3 force = Vec3::Zero();
  Vec3 moment = Vec3::Zero();
};

/// Energies [J]; the same on all ranks.
struct EnergyLedger {
  double translational = 0, rotational = 0, potential = 0, contact = 0, friction_elastic = 0;
  double bonds = 0, near_field = 0;  ///< stored in bonds, potential of near-field forces
  double work_of_loads = 0;          ///< put in by loads since the start
  double work_of_boundaries = 0;     ///< put in by boundaries that move
  double damping_loss = 0;           ///< taken out by normal damping since the start
  double friction_loss = 0;          ///< taken out by friction (slip and tangential damping)
  double fluid_loss = 0;  ///< taken out by drag and Magnus forces; negative where a fluid that moves drives
  double bond_loss = 0;   ///< stored in bonds when they broke
  /// Quasi-static: what falls and snaps on the way to equilibrium took out; the remainder.
  double let_go = 0;
  /// Brought by bodies that entered (kinetic and potential), stored by contacts when they were switched on,
  /// added by another deck that continued a state.
  double inflow = 0;
  /// Taken along by bodies that left, with what their contacts stored; stored in contacts switched off;
  /// removed by another deck.
  double outflow = 0;
  double initial_total = 0;  ///< total() at the start
  /// Contact dynamics: part of the balance error that comes of weight, which does its work along the
  /// velocities of the ends of steps (theory 07 section 6): negative in a fall, and given back at its end.
  double lag = 0;
  /// Reference energy: the largest so far of what could have become kinetic, stored or dissipated by the
  /// books, initial_total + works (of a fluid where it drives) + inflow - outflow - potential - near_field,
  /// where bodies that fall for ever outside of the domain (domain.hpp) lose no more potential. Neither the
  /// recorded losses nor the balance error are in it: kinetic + stored + dissipated less the error is the
  /// same.
  double reference = 0;
  /// Largest and smallest settled_error() of the run so far, and when [J], [s].
  double largest_error = 0, largest_error_at = 0, smallest_error = 0, smallest_error_at = 0;
  /// Largest amount below zero, so far, of what pairs of bodies store whose contact laws only repel
  /// (ContactTotals::attraction), and when [J], [s].
  double attraction = 0, attraction_at = 0;
  [[nodiscard]] double kinetic() const { return translational + rotational; }
  [[nodiscard]] double total() const {
    return kinetic() + potential + contact + friction_elastic + bonds + near_field;
  }
  [[nodiscard]] double dissipated() const {
    return damping_loss + friction_loss + fluid_loss + bond_loss + let_go;
  }
  /// What the time integrator made or lost: total - initial - work + dissipated. Zero in quasi-static runs,
  /// where let_go is defined by it.
  [[nodiscard]] double closure_error() const {
    return total() - initial_total - work_of_loads - work_of_boundaries - inflow + outflow + dissipated();
  }
  /// The same without `lag`: the error to judge a run by.
  [[nodiscard]] double settled_error() const { return closure_error() - lag; }

  template <class Self, class Archive>
  static void visit(Self& self, Archive& archive) {
    archive("translational", self.translational, "J");
    archive("rotational", self.rotational, "J");
    archive("potential", self.potential, "J");
    archive("contact", self.contact, "J");
    archive("friction_elastic", self.friction_elastic, "J");
    archive("bonds", self.bonds, "J");
    archive("near_field", self.near_field, "J");
    archive("work_of_loads", self.work_of_loads, "J");
    archive("work_of_boundaries", self.work_of_boundaries, "J");
    archive("damping_loss", self.damping_loss, "J");
    archive("friction_loss", self.friction_loss, "J");
    archive("fluid_loss", self.fluid_loss, "J");
    archive("bond_loss", self.bond_loss, "J");
    archive("let_go", self.let_go, "J");
    archive("inflow", self.inflow, "J");
    archive("outflow", self.outflow, "J");
    archive("initial_total", self.initial_total, "J");
    archive("lag", self.lag, "J");
    archive("reference", self.reference, "J");
    archive("largest_error", self.largest_error, "J");
    archive("largest_error_at", self.largest_error_at, "s");
    archive("smallest_error", self.smallest_error, "J");
    archive("smallest_error_at", self.smallest_error_at, "s");
    archive("attraction", self.attraction, "J");
    archive("attraction_at", self.attraction_at, "s");
  }
};

/// Contact dynamics: how well a step was solved, and how unique its forces are (theory 07).
struct RigidFigures {
  bool known = false;          ///< there was a step
  std::string lcp;             ///< method of the complementarity problem; of the one-step method its name
  double complementarity = 0;  ///< r = max |min(f, N f + p)| of theory 07 section 1, scaled
  long lcp_iterations = 0;
  int lcp_short = 0;          ///< 1 where the residual missed its tolerance
  int by_newton = 0;          ///< 1 where "auto" used "newton"
  long between_held = 0;      ///< contacts between what is fixed, all ranks: they are left out
  std::string compatibility;  ///< method of compatible forces; "" without one
  bool unique = false;        ///< forces are the compatible ones, to the tolerance
  double balance = 0;         ///< force balance of the compatible forces, relative
  double opening = 0;         ///< violation of their compatibility, relative to the largest compression
  long loaded = 0;            ///< contacts that carry force, all ranks
  int less_rebound = 0;  ///< 1 where impacts had less than their restitution, for they would create energy
  bool recovery_short = false;  ///< taking out overlap of earlier steps stopped before its tolerance
  double length = 0;            ///< mean bounding radius [m]
  double lcp_distance = 0;      ///< |f - f_lcp| / |f|: how far the LCP's forces were from the compatible ones
  long indeterminacy = -1;      ///< degree of static indeterminacy; -1: not requested
  bool estimated = false;       ///< the degree is an estimate
  double gap_at_start = 0;      ///< smallest gap of all pairs [m]; negative: they overlap
  double gap_at_end = 0;        ///< smallest gap of what took part [m]

  template <class Self, class Archive>
  static void visit(Self& self, Archive& archive) {
    archive("known", self.known, "");
    archive("lcp", self.lcp, "");
    archive("complementarity", self.complementarity, "");
    archive("lcp_iterations", self.lcp_iterations, "");
    archive("lcp_short", self.lcp_short, "");
    archive("by_newton", self.by_newton, "");
    archive("between_held", self.between_held, "");
    archive("compatibility", self.compatibility, "");
    archive("unique", self.unique, "");
    archive("balance", self.balance, "");
    archive("opening", self.opening, "");
    archive("loaded", self.loaded, "");
    archive("less_rebound", self.less_rebound, "");
    archive("recovery_short", self.recovery_short, "");
    archive("length", self.length, "m");
    archive("lcp_distance", self.lcp_distance, "");
    archive("indeterminacy", self.indeterminacy, "");
    archive("estimated", self.estimated, "");
    archive("gap_at_start", self.gap_at_start, "m");
    archive("gap_at_end", self.gap_at_end, "m");
  }
};

/// What went through an inlet or outlet.
struct Flow {
  std::string name;
  long bodies = 0;   ///< that went through
  double mass = 0;   ///< of these [kg]
  long waiting = 0;  ///< inlets: that are due and found no room

  template <class Self, class Archive>
  static void visit(Self& self, Archive& archive) {
    archive("name", self.name, "");
    archive("bodies", self.bodies, "");
    archive("mass", self.mass, "kg");
    archive("waiting", self.waiting, "");
  }
};

/// Inserted and removed bodies, all ranks.
struct PopulationReport {
  long bodies = 0;     ///< that are there
  BodyId numbers = 0;  ///< numbers that were given so far, to bodies that left too
  std::vector<Flow> inlets, outlets;

  template <class Self, class Archive>
  static void visit(Self& self, Archive& archive) {
    archive("bodies", self.bodies, "");
    archive("numbers", self.numbers, "");
    archive("inlets", self.inlets, "");
    archive("outlets", self.outlets, "");
  }
};

/// What is found out about an accepted state when somebody asks.
class StateQueries {
 public:
  StateQueries() = default;
  StateQueries(const StateQueries&) = delete;
  StateQueries& operator=(const StateQueries&) = delete;
  StateQueries(StateQueries&&) = delete;
  StateQueries& operator=(StateQueries&&) = delete;
  virtual ~StateQueries() = default;
  /// @returns active contacts and bonds of this rank, each on exactly one rank. Collective.
  virtual const std::vector<ContactRecord>& contacts() = 0;
  /// Contact dynamics: finds the degree of indeterminacy of the last step's forces. Collective.
  virtual void find_indeterminacy() {}
};

/// An accepted state. Bodies are those of this rank (owned first); sums are the same on all ranks.
struct AcceptedState {
  double time = 0;       ///< [s]
  double step = 0;       ///< size of the step that led here [s]
  long step_number = 0;  ///< 0 at the start
  bool first = false, last = false;
  bool at_rest = false;      ///< the last one because rest was reached (deck: time/stop)
  bool interrupted = false;  ///< the last one because the user asked to stop: no time for large files
  bool complete = false;     ///< the last one because the driver of a coupled run ended it without failure
  int newton_iterations = 0;
  long krylov_iterations = 0;
  long proximal_steps = 0;  ///< quasi-static: that this load step took
  long contacts = 0;        ///< active point contacts, all ranks
  double min_gap = 0;       ///< smallest gap of an active contact, all ranks [m]; +inf without contacts
  long bonds = 0;           ///< that live, all ranks
  long broken_bonds = 0;    ///< since the start
  double max_velocity = 0;  ///< [m/s]
  EnergyLedger energy;
  const PopulationReport* population = nullptr;
  const std::vector<Warning>* warnings = nullptr;  ///< so far, those of the deck first
  const Model* model = nullptr;
  const Bodies* bodies = nullptr;
  const std::vector<Wrench>* body_wrench = nullptr;      ///< by contact and bonds, size bodies->owned
  const std::vector<Wrench>* boundary_wrench = nullptr;  ///< size model->boundaries, reduced over ranks
  const Surfaces* surfaces = nullptr;                    ///< vertices of coupled boundaries
  StateQueries* queries = nullptr;                       ///< what costs something to find out
  /// Contact dynamics: figures of the last step; null otherwise. StateQueries::find_indeterminacy fills in
  /// the degree of indeterminacy.
  const RigidFigures* rigid = nullptr;
};

/// Bodies that left the domain (domain.hpp), of all ranks.
struct LeftBodies {
  long count = 0;
  BodyId first = -1;          ///< the one with the lowest number
  Vec3 place = Vec3::Zero();  ///< where it is [m]
};

/// Whether the run ended at rest (deck: time/stop), and how near it was, see AtRest.
struct RestReport {
  bool wanted = false, reached = false;
  double kinetic_energy = 0;    ///< at the end [J]
  double unbalanced_force = 0;  ///< at the end, of weight or the largest load [-]
  double slow = 0;              ///< limit of the kinetic energy at the end [J]
  double balanced = 0;          ///< limit of the unbalanced force [-]

  template <class Self, class Archive>
  static void visit(Self& self, Archive& archive) {
    archive("wanted", self.wanted, "");
    archive("reached", self.reached, "");
    archive("kinetic_energy", self.kinetic_energy, "J");
    archive("unbalanced_force", self.unbalanced_force, "");
    archive("slow", self.slow, "J");
    archive("balanced", self.balanced, "");
  }
};

/// What the whole run came to.
struct RunReport {
  bool ended = false;   ///< nothing follows (finish_run); false of a simulation that is stepped from outside
  std::string failure;  ///< the error that ended the run; "" for none
  bool interrupted = false;
  bool complete = false;  ///< as AcceptedState::complete
  RestReport rest;
  PopulationReport population;
  double time = 0;
  long steps = 0, cuts = 0, repeats = 0;  ///< repeats: steps solved again with contacts not foreseen
  std::vector<std::pair<std::string, long>> cut_causes, limit_causes;  ///< "line search" -> 3, ...
  long newton_iterations = 0, krylov_iterations = 0;
  SolverNotes newton;       ///< of Newton's solves: what was not as the deck has it
  long proximal_steps = 0;  ///< quasi-static: of all load steps
  long max_contacts = 0;
  double min_gap = std::numeric_limits<double>::infinity();
  double largest_force = 0;  ///< largest normal force of a point contact over the run [N]
  double overlap_part = 0;   ///< ContactTotals, over the run
  double gap_part = std::numeric_limits<double>::infinity();  ///< the same
  long bonds = 0, broken_bonds = 0;                           ///< bonds that live at the end, that broke
  /// Largest sum of contact forces, weight and loads on a body at the end, by its weight; the same for
  /// moments about the pole, by weight times bounding radius. In N where there is no gravity.
  double unbalanced_force = 0, unbalanced_moment = 0;
  RigidFigures rigid;                ///< contact dynamics: of the last step
  long steps_short = 0;              ///< contact dynamics: whose complementarity missed its tolerance
  long steps_by_newton = 0;          ///< contact dynamics: where "auto" used "newton"
  long steps_not_unique = 0;         ///< contact dynamics: whose forces are not the compatible ones
  double worst_complementarity = 0;  ///< contact dynamics: over all steps
  double worst_balance = 0;          ///< contact dynamics: RigidFigures::balance, over all steps
  double worst_opening = 0;          ///< contact dynamics: RigidFigures::opening, over all steps
  long steps_less_rebound = 0;       ///< contact dynamics: RigidFigures::less_rebound
  long steps_recovery_short = 0;     ///< contact dynamics: where taking out overlap stopped early
  double deepest_overlap = 0;        ///< contact dynamics: most negative gap at the end of a step [m]
  double largest_lcp_distance = 0;   ///< contact dynamics: over all steps
  Overrules overrules;               ///< adaptive steps: the deck's smallest step over limits
  Overrules turned;                  ///< accepted above StepControl's tolerance of rotation by an impact
  Overrules unresolved;              ///< accepted above StepControl's tolerance of energy errors, over it
  double bond_load = 0;              ///< largest tension at which a bond broke, over the breaking force
  long min_steps = 0;                ///< adaptive steps: accepted at the deck's smallest step
  LeftBodies left;                   ///< the domain for good, at the end
  double rest_energy = 0;            ///< energies below this count as none, see AtRest::kRestEnergy [J]
  EnergyLedger energy;
  BodyId attracted = -1;          ///< a body of the worst pair at EnergyLedger::attraction; -1: none
  std::vector<Warning> warnings;  ///< all, those of the deck first
  std::vector<std::pair<std::string, double>> phase_seconds;  ///< wall seconds on rank 0 by phase
  double wall_seconds = 0;

  /// Extremes over the run, of an accepted state.
  void note(const contact::ContactTotals& totals) {
    max_contacts = std::max(max_contacts, totals.contacts);
    min_gap = std::min(min_gap, totals.min_gap);
    largest_force = std::max(largest_force, totals.largest_force);
    overlap_part = std::max(overlap_part, totals.overlap_part);
    gap_part = std::min(gap_part, totals.gap_part);
  }

  /// What is counted from step to step; the rest is found out at the end.
  template <class Self, class Archive>
  static void visit(Self& self, Archive& archive) {
    archive("steps", self.steps, "");
    archive("cuts", self.cuts, "");
    archive("repeats", self.repeats, "");
    archive("newton_iterations", self.newton_iterations, "");
    archive("krylov_iterations", self.krylov_iterations, "");
    archive("proximal_steps", self.proximal_steps, "");
    archive("turned", self.turned, "");
    archive("unresolved", self.unresolved, "");
    archive("bond_load", self.bond_load, "");
    archive("max_contacts", self.max_contacts, "");
    archive("min_gap", self.min_gap, "m");
    archive("largest_force", self.largest_force, "N");
    archive("overlap_part", self.overlap_part, "");
    archive("gap_part", self.gap_part, "");
    archive("steps_short", self.steps_short, "");
    archive("steps_by_newton", self.steps_by_newton, "");
    archive("steps_not_unique", self.steps_not_unique, "");
    archive("worst_complementarity", self.worst_complementarity, "");
    archive("worst_balance", self.worst_balance, "");
    archive("worst_opening", self.worst_opening, "");
    archive("steps_less_rebound", self.steps_less_rebound, "");
    archive("steps_recovery_short", self.steps_recovery_short, "");
    archive("deepest_overlap", self.deepest_overlap, "m");
    archive("largest_lcp_distance", self.largest_lcp_distance, "");
    archive("min_steps", self.min_steps, "");
  }
};

/// Called at the start, at each accepted step and at the end, on all ranks (collective).
class Observer {
 public:
  Observer() = default;
  Observer(const Observer&) = delete;
  Observer& operator=(const Observer&) = delete;
  Observer(Observer&&) = delete;
  Observer& operator=(Observer&&) = delete;
  virtual ~Observer() = default;
  virtual void accepted(const AcceptedState& state) = 0;
  virtual void finished(const RunReport& /*report*/) {}
  /// Called when an observer could not take a state (the disk is full): saves it if that is what this one is
  /// for. @returns the file in which the state is, "" if none. May throw RunError, on all ranks. Collective.
  virtual std::string rescue(const AcceptedState& /*state*/) { return ""; }
};

}  // namespace scree

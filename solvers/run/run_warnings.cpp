#include "solvers/run/run_warnings.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "core/text.hpp"
#include "solvers/analysis.hpp"
#include "solvers/run/at_rest.hpp"
#include "solvers/run/attraction.hpp"
#include "solvers/run/remedies.hpp"
#include "solvers/run/step_control.hpp"
#include "solvers/world/contact_output.hpp"
#include "solvers/world/passage.hpp"

namespace scree {
namespace {

using Bound = WarningBounds;

std::string figure(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g", value);
  return text;
}

std::string signed_figure(double value) { return text::join(value > 0 ? "+" : "", figure(value)); }

std::string percent(double part) { return figure(100 * part) + " %"; }

std::string of_steps(long number, long all) {
  return text::join(std::to_string(number), " of ", std::to_string(all), " steps");
}

constexpr double kSameTime = 1e-9;  // relative: steps meet the times of switches within round-off

constexpr const char* kEnergySteps = "\"integrator\": {\"type\": \"energy\"}";

bool runs_dynamic(const Model& model) { return traits_of(model.analysis).resolves_impacts; }

/// Whether steps have to resolve contacts: energy steps keep the balance of those that they do not, and
/// contact dynamics has no stiffness.
bool has_to_resolve(const Model& model) { return runs_dynamic(model) && !model.integrator->secant_forces(); }

/// What makes steps smaller.
std::string finer_steps(const Model& model) {
  if (model.time.adaptive && traits_of(model.analysis).resolves_impacts) {
    return text::join("time/step/resolution ", figure(0.25 * model.time.resolution), " (now ",
                      figure(model.time.resolution), ")");
  }
  return text::join("a smaller time/step", model.time.adaptive ? "/max" : "", " (now ",
                    figure(model.time.adaptive ? model.time.max : model.time.step), " s)");
}

/// What else keeps the energy balance.
std::string softer(const Model& model, const RunReport& report) {
  if (!has_to_resolve(model)) return "";
  return text::join(too_soft(model, report) ? "" : text::join(", ", lower_stiffness(model)), ", or ",
                    kEnergySteps);
}

/// Advice on contacts that steps do not resolve, or cannot be solved.
std::string easier_contacts(const Model& model) {
  const std::string friction = model.has_friction() ? kFrictionStiffness : "";
  if (!has_to_resolve(model)) return friction.empty() ? finer_steps(model) : friction;
  return text::join("a larger damping_ratio", friction.empty() ? "" : ", or ", friction);
}

/// Whether energy [J] can move a body by a part of its size that counts within a duration [s]. Collective.
bool can_move_a_body(const World& world, double stored, double duration) {
  constexpr double kWay = 1e-6;  // of the bounding radius
  const Bodies& bodies = world.bodies();
  double largest = 0;  // of the speed in bounding radii per second that 1/2 J gives
  for (int i = 0; i < bodies.owned; ++i) {
    const BodyProperties& body = bodies.properties[i];
    if (!all_fixed(body.fixed)) largest = std::max(largest, 1 / (std::sqrt(body.mass) * body.length));
  }
  return std::sqrt(2 * stored) * world.max_over_ranks(largest) * duration > kWay;
}

/// Largest force on a body that is free to move, by its acceleration [N]. Collective.
double largest_resultant(const World& world) {
  const Bodies& bodies = world.bodies();
  double largest = 0;
  for (int i = 0; i < bodies.owned; ++i) {
    const BodyProperties& body = bodies.properties[i];
    Vec3 force = body.mass * bodies.state[i].a;
    Vec3 moment = body.inertia_B * (bodies.state[i].q.conjugate() * bodies.state[i].dw);
    for (int k = 0; k < 3; ++k) {
      if (body.fixed[k]) force[k] = 0;
      if (body.fixed[k + 3]) moment[k] = 0;
    }
    largest = std::max({largest, force.norm(), moment.norm() / body.length});
  }
  return world.max_over_ranks(largest);
}

constexpr const char* kStoredEnergy = "stored_energy";
constexpr const char* kBonds = "initial bonds";
constexpr const char* kStartOverlap = "overlap_at_start";

/// Energy that contacts or bonds store from a time [s] on.
struct StoredFrom {
  double energy;  ///< [J]
  double time;
  std::string where;
  std::string when;      ///< behind the energy, "" at the start
  std::string remedies;  ///< what happens, and what to try
};

double energy_in_contacts(const EnergyLedger& ledger) {
  return ledger.contact + ledger.friction_elastic + ledger.bonds;
}

/// Warns of it where it drives bodies apart. @param energy of that time. @param resultant largest force on a
/// body that is free to move [N]. Collective.
void warn_of_stored(const World& world, const EnergyAccount& energy, const StoredFrom& stored,
                    double resultant, Warnings& warnings) {
  const double kinetic = energy.ledger().kinetic();
  const double scale = energy_scale(world);
  const double duration = world.model().time.end - stored.time;
  if (!(stored.energy > kinetic + scale) || !can_move_a_body(world, stored.energy, duration)) return;
  if (resultant <= Bound::kBalanced * energy.contacts().largest_force) return;
  warnings.raise(
      {kStoredEnergy, stored.where,
       text::join("stored energy ", figure(stored.energy), " J", stored.when, " (kinetic energy ",
                  figure(kinetic), " J, weight and loads times bounding radii ", figure(scale),
                  " J), unbalanced force on a body up to ", figure(resultant), " N: ", stored.remedies),
       stored.time});
}

void warn_of_energy(const Model& model, const RunReport& report, Warnings& warnings) {
  if (!traits_of(model.analysis).has_velocities) return;  // what is released closes the balance
  const EnergyLedger& energy = report.energy;
  const double error = energy.settled_error();
  const bool counts = std::abs(error) > report.rest_energy;
  const bool created = counts && error > Bound::kCreated * energy.reference;
  const bool lost = counts && error < -Bound::kLost * energy.reference;
  const auto swing = [&](const char* code, double worst, double when) {
    if (!(std::abs(worst) > std::max(Bound::kSwing * energy.reference, report.rest_energy))) return;
    warnings.raise(
        {code, "energy balance",
         text::join("error ", signed_figure(worst), " J (", signed_figure(100 * worst / energy.reference),
                    " % of the reference energy, ", figure(energy.reference), " J) at t = ", figure(when),
                    " s, ", signed_figure(100 * error / energy.reference),
                    " % at the end: impacts are not resolved by the time step; try ", finer_steps(model),
                    softer(model, report), "."),
         when});
  };
  if (!created && energy.reference > 0)
    swing("energy_created", energy.largest_error, energy.largest_error_at);
  if (!lost && energy.reference > 0) swing("energy_lost", energy.smallest_error, energy.smallest_error_at);
  if (!created && !lost) return;
  const std::string share = energy.reference > 0
                                ? text::join(" (", signed_figure(100 * error / energy.reference),
                                             " % of the reference energy, ", figure(energy.reference), " J)")
                                : "";
  const char* why = created ? "the time integration created energy, results are not reliable"
                            : "impacts are not resolved by the time step";
  warnings.raise({created ? "energy_created" : "energy_lost", "energy balance",
                  text::join("error ", signed_figure(error), " J", share, ": ", why, "; try ",
                             finer_steps(model), softer(model, report), "."),
                  report.time});
}

void warn_of_steps(const Model& model, const RunReport& report, Warnings& warnings) {
  if (!model.time.adaptive || !traits_of(model.analysis).resolves_impacts) return;
  const auto steps = static_cast<double>(report.steps);
  const Overrules& over = report.overrules;
  const double at_minimum = static_cast<double>(report.min_steps);
  const bool may_vary = model.time.min < 0.999 * model.time.max;
  if (over.worst > Bound::kOverruled || (may_vary && at_minimum > Bound::kAtMinimum * steps)) {
    const std::string longer = over.steps > 0 ? text::join("; ", of_steps(over.steps, report.steps),
                                                           " above the limit by gap closure or "
                                                           "oscillation, by a factor of up to ",
                                                           figure(over.worst))
                                              : "";
    warnings.raise({"smallest_step", "/time/step/min",
                    text::join(of_steps(report.min_steps, report.steps), " ran at the minimum size, ",
                               figure(model.time.min), " s", longer, ": ",
                               has_to_resolve(model) ? "contacts are not resolved and may be unstable; " : "",
                               "try a smaller value, or ", easier_contacts(model), "."),
                    report.time});
  }
}

void warn_of_unresolved(const Model& model, const RunReport& report, Warnings& warnings) {
  if (report.turned.steps > 0) {
    warnings.raise({"unresolved_rotation", model.time.adaptive ? "/time/step/min" : "/time/step",
                    text::join(of_steps(report.turned.steps, report.steps),
                               " turned a body by an impact by more than the limit, by a factor of up to ",
                               figure(report.turned.worst),
                               ", and could not be made smaller: the impulse of these impacts is in error; "
                               "try a smaller value."),
                    report.time});
  }
  if (report.unresolved.steps == 0) return;
  warnings.raise(
      {"unresolved_contacts", model.time.adaptive ? "/time/step/min" : "/time/step",
       text::join(of_steps(report.unresolved.steps, report.steps),
                  " have an energy error of a contact above the limit, by a factor of up to ",
                  figure(report.unresolved.worst), ", and could not be made smaller; try a smaller value",
                  has_to_resolve(model) ? text::join(", or ", kEnergySteps) : "", "."),
       report.time});
}

void warn_of_bonds(const Model& model, const RunReport& report, Warnings& warnings) {
  if (report.bond_load <= Bound::kBondLoad || !runs_dynamic(model)) return;
  warnings.raise({"bonds_overshoot", "/bonds/break_force",
                  text::join("bonds broke at up to ", figure(report.bond_load),
                             " times this force: the time step does not resolve their elongation, and they "
                             "take more energy than they should; try a smaller time/step",
                             model.time.adaptive ? "/min" : "", " (now ",
                             figure(model.time.adaptive ? model.time.min : model.time.step), " s)."),
                  report.time});
}

/// What to try against the main reason why steps were rejected.
std::string remedy_of(const Model& model, const std::string& cause) {
  const bool solved_badly = newton_failed(cause);
  if (cause == Passage::kPathTooLong) return kCheckUnits;
  if (traits_of(model.analysis).has_load_steps) {
    return text::join(
        "; there may be no equilibrium under these loads",
        solved_badly && model.has_friction() ? text::join("; try ", kFrictionStiffness, ".") : ".");
  }
  return text::join("; try ",
                    runs_dynamic(model) && solved_badly ? easier_contacts(model) : finer_steps(model), ".");
}

/// Steps that were rejected, all of a kind.
struct Rejections {
  long number = 0;
  std::string main = "";  ///< cause of most of them
  long of_main = 0;

  void add(const std::string& cause, long times) {
    number += times;
    if (times <= of_main) return;
    main = cause;
    of_main = times;
  }
  [[nodiscard]] bool exceed(double part, double attempts) const {
    constexpr long kFew = 10;  // are not representative
    return number >= kFew && static_cast<double>(number) > part * attempts;
  }
  [[nodiscard]] std::string in_words(double attempts) const {
    return text::join(percent(static_cast<double>(number) / attempts), " of the attempted steps (",
                      std::to_string(number), ") were rejected",
                      main.empty() ? "" : text::join(" (mainly: ", main, ")"));
  }
};

void warn_of_rejected(const Model& model, const RunReport& report, Warnings& warnings) {
  // A boundary that moves into bodies has to come nearer in small steps, whatever the step control is: its
  // rejections, and those that are a part of the method, are no reason to change that.
  Rejections blocked, others;
  long of_method = 0;
  for (const auto& [cause, times] : report.cut_causes) {
    if (cause.ends_with(Passage::kBoundaryMeetsBody)) {
      blocked.add(cause, times);
    } else if (cause == StepControl::kTurned) {
      of_method += times;
    } else {
      others.add(cause, times);
    }
  }
  others.number = report.cuts - of_method - blocked.number;
  const auto judged = static_cast<double>(report.steps + others.number);
  if (others.exceed(Bound::kRejected, judged)) {
    warnings.raise(
        {"steps_cut", "/time/step", others.in_words(judged) + remedy_of(model, others.main), report.time});
  }
  const auto all = static_cast<double>(report.steps + report.cuts);
  if (blocked.exceed(Bound::kBlocked, all)) {
    warnings.raise(
        {"steps_cut", "moving boundaries", blocked.in_words(all) + "; this costs time only.", report.time});
  }
}

void warn_of_solver(const Model& model, const RunReport& report, Warnings& warnings) {
  if (report.newton.worst > Bound::kResidual && report.newton.worst > model.solver.newton_relative) {
    warnings.raise(
        {"round_off", "/solver/newton/relative",
         text::join(
             "residuals of up to ", figure(report.newton.worst),
             " of the reference force (tolerance: ", figure(model.solver.newton_relative),
             ") were accepted, because they are within the bound of round-off of the contact forces: forces "
             "are not accurate; try coordinates closer to the origin",
             too_soft(model, report) ? "" : text::join(", or ", lower_stiffness(model)), "."),
         report.time});
  }
}

void warn_of_rigid(const Model& model, const RunReport& report, Warnings& warnings) {
  if (!report.rigid.known) return;
  const bool one_step = model.solver.method == RigidMethod::one_step;
  if (report.steps_short > 0) {
    warnings.raise({"complementarity", "/solver/lcp_tolerance",
                    text::join("tolerance not reached in ", of_steps(report.steps_short, report.steps),
                               ": max. residual ", figure(report.worst_complementarity), " (tolerance: ",
                               figure(model.solver.lcp_tolerance), "); try another solver/lcp."),
                    report.time});
  }
  const bool wanted = one_step || model.solver.compatibility != contact_dynamics::CompatibilityMethod::none;
  // The two-step method aims at 1e-12: the summary reports small deviations from that.
  const bool far_off = one_step || std::max(report.worst_balance, report.worst_opening) > Bound::kForces;
  if (wanted && report.steps_not_unique > 0 && far_off) {
    warnings.raise(
        {"forces_not_unique", "contact forces",
         text::join("not unique in ", of_steps(report.steps_not_unique, report.steps), ": ",
                    one_step ? text::join("relative change between the last two stiffness levels up to ",
                                          figure(report.worst_opening))
                             : text::join("error of force balance up to ", figure(report.worst_balance),
                                          ", of compatibility up to ", figure(report.worst_opening)),
                    ". Velocities are not affected unless contacts slide; try ", finer_steps(model),
                    one_step ? "." : ", or another solver/compatibility."),
         report.time});
  }
  const double overlap = report.rigid.length > 0 ? -report.deepest_overlap / report.rigid.length : 0;
  if (overlap > Bound::kOverlap) {
    warnings.raise({"overlap", "contacts",
                    text::join("max. overlap ", figure(-report.deepest_overlap), " m = ", percent(overlap),
                               " of the mean bounding radius",
                               report.steps_recovery_short > 0
                                   ? text::join("; position correction stopped early in ",
                                                of_steps(report.steps_recovery_short, report.steps))
                                   : "",
                               ": bodies intersect; try ", finer_steps(model), "."),
                    report.time});
  }
}

void warn_of_stiffness(const Model& model, const RunReport& report, Warnings& warnings) {
  if (!too_soft(model, report)) return;
  // It may be the reason, and a higher stiffness would store more.
  const bool stored = std::any_of(warnings.all().begin(), warnings.all().end(), [](const Warning& other) {
    return other.code == kStartOverlap || (other.code == kStoredEnergy && other.where != kBonds);
  });
  const char* under = traits_of(model.analysis).resolves_impacts ? "impacts" : "loads";
  const auto raise = [&](const char* code, const std::string& text, const std::string& keys) {
    warnings.raise(
        {code, "contacts",
         stored ? text::join(
                      text, ": contacts began with much overlap or stored energy, see its warning; increase ",
                      keys, " only if this one remains without it.")
                : text::join(text, ": contacts too soft for the ", under, "; increase ", keys, "."),
         report.time});
  };
  if (report.overlap_part > Bound::kSoftOverlap) {
    raise("overlap",
          text::join("max. overlap ", percent(report.overlap_part),
                     " of the bounding radius of the smaller body"),
          stiffness_keys(model, [](const contact::LawTraits& law) { return law.overlap; }));
  }
  if (report.gap_part < Bound::kSmallGap) {
    raise("small_gap", text::join("min. gap ", percent(report.gap_part), " of the activation distance"),
          stiffness_keys(model, [](const contact::LawTraits& law) { return !law.overlap; }));
  }
}

}  // namespace

bool too_soft(const Model& model, const RunReport& report) {
  return traits_of(model.analysis).forces_follow_from_state &&
         (report.overlap_part > Bound::kSoftOverlap || report.gap_part < Bound::kSmallGap);
}

void warn_at_start(const World& world, const EnergyAccount& energy, Warnings& warnings) {
  const Model& model = world.model();
  if (!traits_of(model.analysis).resolves_impacts) return;
  const bool secant = model.integrator->secant_forces();
  if (model.time.adaptive && !secant && model.time.resolution > Bound::kResolution) {
    warnings.raise(
        {"coarse_resolution", "/time/step/resolution",
         text::join(figure(model.time.resolution),
                    ": single impacts are not resolved and restitution is not reproduced; use at most 1 "
                    "unless only the settled bed matters."),
         0});
  }
  if (const double part = energy.contacts().overlap_part; part > Bound::kStartOverlap)
    warnings.raise({kStartOverlap, "initial contacts",
                    text::join("overlap ", percent(part),
                               " of the bounding radius of the smaller body at t = 0; "
                               "check positions, sizes and units."),
                    0});
  const EnergyLedger& ledger = energy.ledger();
  const double stored = energy_in_contacts(ledger);
  const bool of_bonds = ledger.bonds > 0.5 * stored;
  warn_of_stored(world, energy,
                 {stored, 0, of_bonds ? kBonds : "initial contacts", "",
                  of_bonds ? "bonds drive the bodies; start with their lengths at rest."
                           : "contacts drive the bodies apart; start with larger gaps, less overlap, or a "
                             "state in equilibrium."},
                 largest_resultant(world), warnings);
}

void warn_of_switch(const World& world, const EnergyAccount& energy, double brought, double time,
                    Warnings& warnings) {
  const Model& model = world.model();
  if (!traits_of(model.analysis).resolves_impacts) return;
  std::vector<std::string> names;
  for (const BoundaryDescription& boundary : model.boundaries)
    if (std::abs(boundary.active_from - time) <= kSameTime * time) names.push_back(boundary.name);
  if (names.empty()) return;
  const bool one = names.size() == 1;
  warn_of_stored(
      world, energy,
      {brought, time, text::join(one ? "boundary " : "boundaries ", text::list(names)),
       text::join(" at activation, t = ", figure(time), " s"),
       text::join("contacts drive the bodies apart; move the bodies or the ", one ? "boundary" : "boundaries",
                  ", or activate ", one ? "it" : "them", " at another time.")},
      largest_resultant(world), warnings);
}

void book_another_deck(Procedure& procedure, World& world, EnergyAccount& energy, double time,
                       Warnings& warnings) {
  const double before = energy_in_contacts(energy.ledger());
  energy.book_switch(world, time);  // other weights and laws: no energy of the time integration
  if (!traits_of(world.model().analysis).resolves_impacts) return;
  // Accelerations are still those of the step that led to the state.
  std::vector<Wrench> by_contact;
  procedure.body_wrenches(by_contact);
  warn_of_stored(world, energy,
                 {energy_in_contacts(energy.ledger()) - before, time, "restored state",
                  text::join(" more than in the deck that saved the state, t = ", figure(time), " s"),
                  "contacts drive the bodies apart; continue with motions and laws that fit the state."},
                 largest_unbalance(world, by_contact, 0).resultant, warnings);
}

void warn_of_left(const Model& model, const LeftBodies& left, double time, Warnings& warnings) {
  if (left.count == 0) return;
  const char* them = left.count == 1 ? " left the domain: " : " left the domain, first ";
  warnings.raise(
      {"bodies_left", "bodies",
       text::join(left.count == 1 ? std::string("1 body") : text::join(std::to_string(left.count), " bodies"),
                  them, model.body_in_words(left.first), " at (", figure(left.place.x()), ", ",
                  figure(left.place.y()), ", ", figure(left.place.z()),
                  ") m, without a boundary ahead; try larger boundaries, or an outlet there."),
       time});
}

std::string created_too_much_text(const Model& model, const RunReport& report) {
  const EnergyLedger& energy = report.energy;
  if (attracts(report))
    return text::join("bodies attracted each other by contact energy of ", figure(energy.attraction),
                      " J. The results are complete, but not reliable: exit status 1.");
  const std::string share =
      energy.reference > 0
          ? text::join(figure(100 * energy.settled_error() / energy.reference), " % of the reference energy")
          : text::join(figure(energy.settled_error()), " J");
  return text::join("the time integration created energy, ", share,
                    ". The results are complete, but not reliable: exit status 1. Try ",
                    has_to_resolve(model) ? text::join(kEnergySteps, ", or ") : "", finer_steps(model), ".");
}

bool created_too_much(const Model& model, const RunReport& report) {
  if (attracts(report)) return true;
  if (!traits_of(model.analysis).has_velocities) return false;
  const double error = report.energy.settled_error();
  // A method that promises to make none has failed where it makes some.
  const bool promises = runs_dynamic(model) && model.integrator->secant_forces();
  const double part = promises ? Bound::kCreated : Bound::kKept;
  return error > report.rest_energy && error > part * report.energy.reference;
}

void warn_at_end(const Model& model, const RunReport& report, Warnings& warnings) {
  warn_of_energy(model, report, warnings);
  warn_of_attraction(model, report, warnings);
  warn_of_steps(model, report, warnings);
  warn_of_unresolved(model, report, warnings);
  warn_of_bonds(model, report, warnings);
  warn_of_rejected(model, report, warnings);
  warn_of_solver(model, report, warnings);
  warn_of_rigid(model, report, warnings);
  warn_of_stiffness(model, report, warnings);
  warn_of_left(model, report.left, report.time, warnings);
  for (const Flow& inlet : report.population.inlets) {
    if (inlet.waiting == 0) continue;
    warnings.raise({"bodies_waiting", text::join("inlet \"", inlet.name, "\""),
                    text::join(std::to_string(inlet.waiting),
                               " bodies pending (no free position); try a larger region or a lower rate."),
                    report.time});
  }
  const bool over = report.time >= model.time.end * (1 - 1e-12);
  if (report.rest.wanted && !report.rest.reached && over && !report.interrupted) {
    warnings.raise({"not_at_rest", "/time/stop",
                    text::join("stop criterion not met at time/end; try a later time/end",
                               runs_dynamic(model) ? ", or a larger damping_ratio" : "", "."),
                    report.time});
  }
}

}  // namespace scree

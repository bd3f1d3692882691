#include "io/output/run_log.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <ostream>
#include <utility>
#include <variant>

#include "core/text.hpp"
#include "io/collective.hpp"
#include "io/deck/diagnostics.hpp"
#include "io/output/checked_file.hpp"
#include "io/output/number_format.hpp"
#include "io/output/output_names.hpp"
#include "io/output/progress.hpp"
#include "io/output/run_end.hpp"
#include "solvers/analysis.hpp"
#include "solvers/world/boundary_motion.hpp"

namespace scree {
namespace {

/// "line search 3, impact 1", the most frequent first.
std::string causes_text(std::vector<std::pair<std::string, long>> causes) {
  std::stable_sort(causes.begin(), causes.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  std::string text;
  for (const auto& [cause, count] : causes) {
    if (count > 0) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", cause, count);
  }
  return text;
}

std::string line(const char* subject, const std::string& text) {
  return fmt::format("  {:<16}{}\n", subject, text);
}

std::string bodies_text(const Model& model) {
  const auto numbers = bodies_by_family(model);
  double mass = 0;
  for (const auto& body : model.bodies) mass += body.mass;
  // Bodies of a file may have a radius each: after a few, the rest is a number.
  constexpr std::size_t kShapesShown = 6;
  std::string text = fmt::format("{}", model.body_count());
  std::size_t shown = 0;
  for (const auto& [shape, number] : numbers) {
    if (shown == kShapesShown && numbers.size() > kShapesShown) {
      text += ", " + counted(static_cast<long>(numbers.size() - shown), "other shape", "other shapes");
      break;
    }
    text += fmt::format("{}{} x {}", shown++ == 0 ? " (" : ", ", number, shape);
  }
  return text + fmt::format("{}; total mass {:.6g} kg", numbers.empty() ? "" : ")", mass);
}

std::string boundaries_text(const Model& model) {
  std::string text;
  for (int b = 0; b < static_cast<int>(model.boundaries.size()); ++b) {
    const BoundaryDescription& boundary = model.boundaries[b];
    const auto walls = std::count_if(model.boundary_parts.begin(), model.boundary_parts.end(),
                                     [b](const BoundaryPart& part) { return part.boundary == b; });
    text += (text.empty() ? "" : ", ") + boundary_label(model, b);
    if (walls != 1) text += " (" + counted(walls, "wall", "walls") + ")";
    if (moves(boundary.motion)) text += " (prescribed motion)";
    if (boundary.active_from > 0) text += fmt::format(" active from {:g} s", boundary.active_from);
    if (std::isfinite(boundary.active_until))
      text +=
          fmt::format("{} until {:g} s", boundary.active_from > 0 ? "" : " active", boundary.active_until);
  }
  return text.empty() ? "none" : text;
}

/// A line for each pair of materials that has a contact law of its own; after a few, their number.
std::string contact_laws_text(const Model& model) {
  constexpr int kPairsShown = 5;
  std::string text;
  int shown = 0, more = 0;
  for (std::size_t a = 0; a < model.interface_of.size(); ++a) {
    for (std::size_t b = a; b < model.interface_of.size(); ++b) {
      const int index = model.interface_of[a][b];
      if (index < 0) continue;
      if (shown == kPairsShown) {
        ++more;
        continue;
      }
      const contact::Interface& interface = model.interfaces[index];
      std::string law = fmt::format("{} - {}: {}", text::printable(model.materials[a].name),
                                    text::printable(model.materials[b].name), interface.traits().name);
      if (interface.threshold() > 0)
        law += fmt::format(", activation distance {:g} m", interface.threshold());
      if (interface.friction.static_coefficient > 0)
        law += fmt::format("; friction {:g}", interface.friction.static_coefficient);
      text += line(shown++ == 0 ? "contact laws" : "", law);
    }
  }
  if (more > 0) text += line("", counted(more, "more pair of materials", "more pairs of materials"));
  return text;
}

std::string time_text(const TimeDescription& time) {
  if (!time.adaptive) return fmt::format("0 to {:g} s; fixed step {:g} s", time.end, time.step);
  return fmt::format("0 to {:g} s; adaptive step {:g} to {:g} s, initial at most {:g} s", time.end, time.min,
                     time.max, time.step);
}

std::string ledger_text(const EnergyLedger& e, bool load_steps) {
  std::string text = "  energy balance [J]\n";
  const auto row = [&](const char* what, double value) {
    text += fmt::format("    {:<34}{:>15.6g}\n", what, value);
  };
  row("initial total energy", e.initial_total);
  row("work of loads", e.work_of_loads);
  if (e.work_of_boundaries != 0) row("work of moving boundaries", e.work_of_boundaries);
  if (e.inflow != 0) row("added by insertion, activation", e.inflow);
  if (e.outflow != 0) row("taken by removal, deactivation", 0 - e.outflow);
  row("dissipated by normal damping", 0 - e.damping_loss);
  row("dissipated by friction", 0 - e.friction_loss);
  if (load_steps) row("released during relaxation", 0 - e.let_go);
  if (e.fluid_loss != 0) row("dissipated by fluid drag", 0 - e.fluid_loss);
  if (e.bond_loss != 0) row("dissipated by broken bonds", 0 - e.bond_loss);
  row("expected total energy",
      e.initial_total + e.work_of_loads + e.work_of_boundaries + e.inflow - e.outflow - e.dissipated());
  row("actual total energy", e.total());
  row("  kinetic, translational", e.translational);
  row("  kinetic, rotational", e.rotational);
  row("  potential", e.potential);
  row("  elastic, normal contacts", e.contact);
  row("  elastic, friction springs", e.friction_elastic);
  if (e.bonds != 0 || e.bond_loss != 0) row("  elastic, bonds", e.bonds);
  if (e.near_field != 0) row("  near-field forces", e.near_field);
  if (load_steps) return text;  // the released energy is the remainder of the balance
  row("energy balance error", e.closure_error());
  if (e.reference > 0) {
    text.pop_back();
    text += fmt::format("  = {:.2g} % of the reference energy, {:.3g} J\n",
                        100 * e.closure_error() / e.reference, e.reference);
  }
  return text;
}

/// Inserted and removed bodies, by inlet and outlet.
std::string population_text(const PopulationReport& population) {
  if (population.inlets.empty() && population.outlets.empty()) return "";
  std::string text = line("bodies", fmt::format("{} at the end", population.bodies));
  for (const Flow& inlet : population.inlets) {
    text += line(("  " + inlet.name).c_str(),
                 fmt::format("{} inserted, {:.6g} kg{}", inlet.bodies, inlet.mass,
                             inlet.waiting > 0 ? fmt::format("; {} pending (no free position)", inlet.waiting)
                                               : std::string()));
  }
  for (const Flow& outlet : population.outlets)
    text +=
        line(("  " + outlet.name).c_str(), fmt::format("{} removed, {:.6g} kg", outlet.bodies, outlet.mass));
  return text;
}

std::string analysis_text(const Model& model) {
  const AnalysisTraits& traits = traits_of(model.analysis);
  if (traits.forces_follow_from_state) return traits.name;
  if (model.solver.method == RigidMethod::one_step) return fmt::format("{}, one-step", traits.name);
  return fmt::format("{}, two-step: \"{}\", compatibility \"{}\"", traits.name,
                     contact_dynamics::name_of(model.solver.lcp),
                     contact_dynamics::name_of(model.solver.compatibility));
}

/// Contact dynamics: overlap, convergence of the LCP, uniqueness of the forces.
std::string rigid_text(const Model& model, const RunReport& report) {
  const RigidFigures& last = report.rigid;
  if (!last.known) return "";
  std::string text = line("overlap", report.deepest_overlap < 0
                                         ? fmt::format("max. {:.3g} m at step end", -report.deepest_overlap)
                                         : "none");
  if (report.steps_recovery_short > 0)
    text += line("", fmt::format("position correction: tolerance not reached in {} of {} steps",
                                 report.steps_recovery_short, report.steps));
  if (report.steps_less_rebound > 0)
    text += line("restitution", fmt::format("reduced in {} of {} steps, in which impacts would create energy",
                                            report.steps_less_rebound, report.steps));
  const bool one_step = last.lcp == "one-step";
  if (!one_step) {
    text += line("LCP", fmt::format("max. residual {:.2g}; {} iterations in the last step (\"{}\")",
                                    report.worst_complementarity, last.lcp_iterations, last.lcp));
    if (report.steps_by_newton > 0)
      text += line("", fmt::format("\"auto\": \"apgd\" not converged, \"newton\" used in {} of {} steps",
                                   report.steps_by_newton, report.steps));
    if (report.steps_short > 0)
      text += line("", fmt::format("tolerance {:g} not reached in {} of {} steps", model.solver.lcp_tolerance,
                                   report.steps_short, report.steps));
  }
  // A failed last step, or one without contacts, is not representative of the others.
  if (!one_step && model.solver.compatibility == contact_dynamics::CompatibilityMethod::none) {
    text += line("forces", "not unique (\"compatibility\": \"none\"): one of many LCP solutions");
  } else {
    const std::string unique =
        report.steps_not_unique == 0
            ? "unique"
            : fmt::format("unique in {} of {} steps", report.steps - report.steps_not_unique, report.steps);
    if (one_step) {
      text += line("forces", fmt::format("{} ({})", unique, last.compatibility));
      text += line("", fmt::format("relative change between the last two stiffness levels: last step {:.2g}, "
                                   "max. {:.2g}",
                                   last.opening, report.worst_opening));
    } else {
      const std::string method = last.compatibility.empty() ? "" : " (" + last.compatibility + ")";
      text += line("forces", fmt::format("{}{}; max. error: force balance {:.2g}, compatibility {:.2g}",
                                         unique, method, report.worst_balance, report.worst_opening));
      text += line("", fmt::format("relative change from the LCP solution: last step {:.3g}, max. {:.3g}",
                                   last.lcp_distance, report.largest_lcp_distance));
    }
  }
  if (last.between_held > 0) {
    text +=
        line("fixed bodies", fmt::format("{} contacts among fixed bodies and boundaries: force undefined, "
                                         "omitted",
                                         last.between_held));
  }
  if (last.indeterminacy >= 0) {
    text +=
        line("indeterminacy", fmt::format("degree of static indeterminacy {}{} ({} force-carrying contacts)",
                                          last.estimated ? "about " : "", last.indeterminacy, last.loaded));
  }
  return text;
}

/// Smallest gap of all contacts, and that of a barrier over its activation distance. They are of the same
/// contact if the deck has barriers of one activation distance alone.
std::string gaps_text(const Model& model, const RunReport& report) {
  const std::string gap =
      fmt::format("{} {:.4g} m", report.min_gap < 0 ? "max. overlap" : "min. gap", std::abs(report.min_gap));
  if (!std::isfinite(report.gap_part)) return gap;
  bool same_contact = true;
  const contact::BarrierParameters* first = nullptr;
  double low = 0, high = 0;  // barrier_fraction
  for (const contact::Interface& law : model.interfaces) {
    const auto* barrier = std::get_if<contact::BarrierParameters>(&law.normal);
    if (barrier == nullptr) {
      same_contact = false;
      continue;
    }
    if (first == nullptr) {
      first = barrier;
      low = high = barrier->barrier_fraction;
    }
    same_contact = same_contact && barrier->threshold == first->threshold;
    low = std::min(low, barrier->barrier_fraction);
    high = std::max(high, barrier->barrier_fraction);
  }
  // Whose fraction counts is known only where it makes no difference.
  std::string diverges;
  if (report.gap_part < high) {
    diverges = low == high             ? fmt::format(" (below barrier_fraction, {:g})", high)
               : report.gap_part < low ? fmt::format(" (below barrier_fraction, {:g} to {:g})", low, high)
                                       : fmt::format(" (barrier_fraction: {:g} to {:g})", low, high);
  }
  return gap + fmt::format("{} {:.2g} of {} activation distance{}",
                           same_contact ? "," : "; smallest gap of a barrier", report.gap_part,
                           same_contact ? "the" : "its", diverges);
}

/// Deviations from the deck: smallest step above the step-size limits, tolerances, linear solver.
std::string newton_text(const Model& model, const RunReport& report) {
  std::string text;
  if (report.overrules.steps > 0) {
    text += line(
        "  at minimum",
        fmt::format("{} of {} steps at time/step/min exceeded a step-size limit, by a factor of up to {:.3g}",
                    report.overrules.steps, report.steps, report.overrules.worst));
  }
  const SolverNotes& notes = report.newton;
  if (notes.raised > 0 || notes.at_floor > 0) {
    text += line(
        "tolerance",
        fmt::format(
            "of {} solves, {} ended within the round-off of inertia, {} within that of forces; max. residual "
            "{:.2g} of the reference force (deck: {:g})",
            notes.solves, notes.raised, notes.at_floor, notes.worst, model.solver.newton_relative));
  }
  if (notes.factored > 0) {
    text +=
        line("linear solver", fmt::format("iterative solver failed, direct solver used in {} of {} solves",
                                          notes.factored, notes.solves));
  }
  return text;
}

/// Whether the stop criterion was met, with its quantities and limits.
std::string rest_text(const StopDescription& stop, const RunReport& report) {
  const auto figure = [](double value, double most, bool given, const char* unit) {
    return fmt::format("{:.3g}{} (limit {:.3g}{}{})", value, unit, most, unit, given ? "" : ", default");
  };
  const std::string why = report.rest.reached ? fmt::format("met at t = {:g} s", report.time)
                          : report.time < stop.after
                              ? fmt::format("not checked before t = {:g} s", stop.after)
                              : "not met";
  return why + ": kinetic energy " +
         figure(report.rest.kinetic_energy, report.rest.slow, stop.kinetic_energy >= 0, " J") +
         ", unbalanced force ratio " +
         figure(report.rest.unbalanced_force, report.rest.balanced, stop.unbalanced_force >= 0, "");
}

std::string phases_text(const RunReport& report) {
  std::string text = "  wall-clock time, rank 0\n";
  double told = 0;
  const auto row = [&](const std::string& phase, double seconds) {
    const double share = report.wall_seconds > 0 ? 100 * seconds / report.wall_seconds : 0;
    text += fmt::format("    {:<34}{:>11.3f} s {:>6.1f} %\n", phase, seconds, share);
  };
  for (const auto& [phase, seconds] : report.phase_seconds) {
    row(phase, seconds);
    told += seconds;
  }
  const double rest = report.wall_seconds - told;
  if (rest > 1e-3 * report.wall_seconds) row("not assigned", rest);
  row("total", report.wall_seconds);
  return text;
}

/// Names of the files of a run. @param whole whether it reached its end.
std::vector<std::string> results_of(const OutputDescription& output, bool whole) {
  std::vector<std::string> files;
  for (const auto& history : output.histories) files.push_back(history.file);
  if (output.vtk_every >= 0) files.insert(files.end(), {"bodies.pvd", "contacts.pvd", "boundaries.pvd"});
  if (output.contacts_every >= 0) files.emplace_back(kContactsIndex);
  if (!whole) files.emplace_back(kLastStateFile);
  if (whole && !output.final_state.empty()) files.push_back(output.final_state);
  files.emplace_back(kReportFile);
  return files;
}

}  // namespace

std::string header_text(const Model& model, int ranks) {
  std::string text = "Scree" + (model.title.empty() ? "" : ": " + text::printable(model.title)) + '\n';
  text += line("input deck", text::printable(model.deck_file)) + report_notes(model.notes);
  text += line("bodies", bodies_text(model));
  text += line("boundaries", boundaries_text(model));
  text += contact_laws_text(model);
  if (!model.loads.empty()) text += line("loads", fmt::format("{}", model.loads.size()));
  if (model.bonds) {
    text += line("bonds", fmt::format("{:g} N/m", model.bonds->stiffness) +
                              (model.bonds->breakable()
                                   ? fmt::format(", breaking force {:g} N", model.bonds->break_force)
                                   : std::string()));
  }
  for (const auto& field : model.near_fields)
    text += line("near field", fmt::format("cut-off {:g} m", field.cutoff));
  text += line("gravity", fmt::format("({:g}, {:g}, {:g}) m/s^2", model.gravity.x(), model.gravity.y(),
                                      model.gravity.z()));
  text += line("analysis", analysis_text(model));
  text += line("time", time_text(model.time));
  text += line("output", model.output.directory);
  return text + line("MPI ranks", fmt::format("{}", ranks));
}

std::string summary_text(const Model& model, const RunReport& report) {
  const RunEnd end = find_run_end(model, report);
  const std::string at = fmt::format("t = {:g} s", report.time);
  const std::string of_end = fmt::format("{} of {:g} s", at, model.time.end);
  const std::string how = end == RunEnd::interrupt ? "INTERRUPTED at " + of_end
                          : end == RunEnd::static_equilibrium
                              ? "Completed: static equilibrium (time/stop) at " + at
                          : end == RunEnd::end_time ? "Completed: end time reached at " + at
                          : end == RunEnd::coupled  ? "Completed: coupled run ended at " + of_end
                                                    : "FAILED at " + of_end;
  std::string text = how + "; wall-clock time " + duration_text(report.wall_seconds) + '\n';
  const bool load_steps = traits_of(model.analysis).has_load_steps;
  if (load_steps)
    text += line("load steps", fmt::format("{} proximal iterations in total", report.proximal_steps));
  if (report.rest.wanted) text += line("stop criterion", rest_text(model.time.stop, report));
  text += line("time steps", fmt::format("{} accepted, {} rejected, {} repeated (neighbour list exceeded)",
                                         report.steps, report.cuts, report.repeats));
  const std::string cuts = causes_text(report.cut_causes), limits = causes_text(report.limit_causes);
  if (!cuts.empty()) text += line("  rejected", cuts);
  if (!limits.empty()) text += line("  limited by", limits);
  const auto per = [](long number, long base) {
    return base > 0 ? static_cast<double>(number) / static_cast<double>(base) : 0.0;
  };
  text += line("iterations", fmt::format("{} {} ({:.2f} per step)", report.newton_iterations,
                                         iterations_are(model), per(report.newton_iterations, report.steps)));
  if (traits_of(model.analysis).forces_follow_from_state && report.newton.solves > 0) {
    text.pop_back();
    text += fmt::format(", {} Krylov ({:.2f} per Newton iteration)\n", report.krylov_iterations,
                        per(report.krylov_iterations, report.newton_iterations));
  }
  text += newton_text(model, report);
  const bool weight = model.gravity.squaredNorm() > 0;
  std::string contacts = fmt::format("max. {} at one time", report.max_contacts);
  if (std::isfinite(report.min_gap)) {
    // Gaps of rigid contacts are those at the start of a step; the line "overlap" has those at its end.
    if (!report.rigid.known) contacts += "; " + gaps_text(model, report);
    contacts += fmt::format("; max. normal force {:.4g} N", report.largest_force);
  }
  text += line("contacts", contacts);
  if (model.bonds)
    text += line("bonds", fmt::format("{} intact, {} broken", report.bonds, report.broken_bonds));
  text += population_text(report.population);
  text +=
      line("equilibrium",
           weight ? fmt::format("unbalanced force ratio {:.2g}, moment ratio {:.2g} (largest of all bodies)",
                                report.unbalanced_force, report.unbalanced_moment)
                  : fmt::format("unbalanced force {:.2g} N, moment {:.2g} N m (largest of all bodies)",
                                report.unbalanced_force, report.unbalanced_moment));
  text += rigid_text(model, report);
  text += ledger_text(report.energy, load_steps);
  text += phases_text(report);
  std::string files;
  for (const auto& file : results_of(model.output, is_complete(end)))
    files += (files.empty() ? "" : ", ") + file;
  text += line("output files", model.output.directory + ": " + files);
  if (report.warnings.empty()) return text + line("warnings", "none");
  // Not indented: programs that read a log find warnings by their first word.
  return text + line("warnings", fmt::format("{}", report.warnings.size())) +
         report_warnings(report.warnings);
}

RunLog::RunLog(const Model& model, MPI_Comm comm, Screen screen)
    : model_(model), comm_(comm), screen_(std::move(screen)) {
  MPI_Comm_rank(comm_, &rank_);
  MPI_Comm_size(comm_, &ranks_);
  header_ = header_text(model_, ranks_);
  warned_ = model_.warnings.size();
}

void RunLog::accepted(const AcceptedState& state) {
  began_ = true;
  if (state.first && screen_.out != nullptr) *screen_.out << header_ << std::flush;
  // Warnings raised at the end are part of the summary.
  if (state.warnings != nullptr && !state.last) warn(*state.warnings);
}

void RunLog::warn(const std::vector<Warning>& warnings) {
  const std::string text = report_warnings(warnings, warned_);
  warned_ = warnings.size();
  if (screen_.err == nullptr || text.empty()) return;
  // A progress line may be open on the terminal: it is written again below the warning.
  if (screen_.terminal_width > 0) *screen_.out << "\r\x1b[K" << std::flush;
  *screen_.err << text << std::flush;
}

void RunLog::finished(const RunReport& report) {
  together(comm_, [&] {
    // A folder that was refused holds a report of another run.
    if (rank_ != 0 || !began_) return;
    write_whole_file((std::filesystem::path(model_.output.directory) / kReportFile).string(),
                     report_json(model_, report, ranks_));
  });
  // On a terminal the summary below shows them.
  if (screen_.terminal_width == 0) warn(report.warnings);
  if (screen_.out != nullptr) *screen_.out << summary_text(model_, report) << std::flush;
}

}  // namespace scree

#include "io/output/run_log.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <ostream>
#include <utility>

#include "core/text.hpp"
#include "io/collective.hpp"
#include "io/deck/diagnostics.hpp"
#include "io/output/checked_file.hpp"
#include "io/output/number_format.hpp"
#include "io/output/progress.hpp"
#include "io/output/state_writer.hpp"
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
  return fmt::format("  {:<14}{}\n", subject, text);
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
    text += fmt::format("{}{} {}", shown++ == 0 ? ": " : ", ", number, shape);
  }
  return text + fmt::format("; {:.6g} kg in all", mass);
}

std::string boundaries_text(const Model& model) {
  std::string text;
  for (int b = 0; b < static_cast<int>(model.boundaries.size()); ++b) {
    const BoundaryDescription& boundary = model.boundaries[b];
    const auto walls = std::count_if(model.boundary_parts.begin(), model.boundary_parts.end(),
                                     [b](const BoundaryPart& part) { return part.boundary == b; });
    text += (text.empty() ? "" : ", ") + boundary_label(model, b);
    if (walls != 1) text += " (" + counted(walls, "wall", "walls") + ")";
    if (moves(boundary.motion)) text += " (moves)";
    if (boundary.active_from > 0) text += fmt::format(" from {:g} s", boundary.active_from);
    if (std::isfinite(boundary.active_until)) text += fmt::format(" until {:g} s", boundary.active_until);
  }
  return text.empty() ? "none" : text;
}

std::string time_text(const TimeDescription& time) {
  if (!time.adaptive) return fmt::format("{:g} s in steps of {:g} s", time.end, time.step);
  return fmt::format("{:g} s, first step at most {:g} s, then between {:g} and {:g} s", time.end, time.step,
                     time.min, time.max);
}

std::string ledger_text(const EnergyLedger& e, bool quasi_static) {
  std::string text = "  energy [J]\n";
  const auto row = [&](const char* what, double value) {
    text += fmt::format("    {:<34}{:>15.6g}\n", what, value);
  };
  row("at the start", e.initial_total);
  row("put in by loads", e.work_of_loads);
  if (e.work_of_boundaries != 0) row("put in by moving boundaries", e.work_of_boundaries);
  if (e.inflow != 0) row("of bodies that entered, switched on", e.inflow);
  if (e.outflow != 0) row("of bodies that left, switched off", 0 - e.outflow);
  row("taken out by normal damping", 0 - e.damping_loss);
  row("taken out by friction", 0 - e.friction_loss);
  if (quasi_static) row("let go on the way to equilibrium", 0 - e.let_go);
  if (e.fluid_loss != 0) row("taken out by the fluid", 0 - e.fluid_loss);
  if (e.bond_loss != 0) row("taken out by bonds that broke", 0 - e.bond_loss);
  row("so there should be",
      e.initial_total + e.work_of_loads + e.work_of_boundaries + e.inflow - e.outflow - e.dissipated());
  row("there is", e.total());
  row("  kinetic, translation", e.translational);
  row("  kinetic, rotation", e.rotational);
  row("  potential", e.potential);
  row("  stored in normal contact", e.contact);
  row("  stored in friction", e.friction_elastic);
  if (e.bonds != 0 || e.bond_loss != 0) row("  stored in bonds", e.bonds);
  if (e.near_field != 0) row("  near-field forces", e.near_field);
  if (quasi_static) return text;  // what is let go is what closes the balance
  row("closure error", e.closure_error());
  if (e.reference > 0) {
    text.pop_back();
    text += fmt::format("  ({:.2g} % of the reference energy, {:.3g} J)\n",
                        100 * e.closure_error() / e.reference, e.reference);
  }
  return text;
}

/// What came and went, by inlet and outlet.
std::string population_text(const PopulationReport& population) {
  if (population.inlets.empty() && population.outlets.empty()) return "";
  std::string text = line("bodies", fmt::format("{} at the end", population.bodies));
  for (const Flow& inlet : population.inlets) {
    text += line(("  " + inlet.name).c_str(),
                 fmt::format("{} entered, {:.6g} kg{}", inlet.bodies, inlet.mass,
                             inlet.waiting > 0 ? fmt::format("; {} were due and found no room", inlet.waiting)
                                               : std::string()));
  }
  for (const Flow& outlet : population.outlets)
    text += line(("  " + outlet.name).c_str(), fmt::format("{} left, {:.6g} kg", outlet.bodies, outlet.mass));
  return text;
}

std::string analysis_text(const Model& model) {
  if (model.analysis == Analysis::quasi_static) return "quasi-static";
  if (model.analysis == Analysis::dynamic) return "dynamic";
  if (model.solver.method == RigidMethod::one_step) return "contact dynamics, one-step";
  return fmt::format("contact dynamics, two-step: \"{}\", compatibility \"{}\"",
                     contact_dynamics::name_of(model.solver.lcp),
                     contact_dynamics::name_of(model.solver.compatibility));
}

/// Contact dynamics: how unique the forces were.
std::string rigid_text(const Model& model, const RunReport& report) {
  const RigidFigures& last = report.rigid;
  if (!last.known) return "";
  std::string text =
      line("overlap", report.deepest_overlap < 0
                          ? fmt::format("at most {:.3g} m at the end of a step", -report.deepest_overlap)
                          : "none");
  if (report.steps_recovery_short > 0)
    text += line("", fmt::format("taking it out stopped before its tolerance in {} of {} steps",
                                 report.steps_recovery_short, report.steps));
  const bool one_step = last.lcp == "one-step";
  if (!one_step) {
    text +=
        line("complementary", fmt::format("residual at most {:.2g}; {} iterations in the last step (\"{}\")",
                                          report.worst_complementarity, last.lcp_iterations, last.lcp));
    if (report.steps_by_newton > 0)
      text += line("", fmt::format("\"auto\" took \"apgd\", and went on with \"newton\" in {} of {} steps",
                                   report.steps_by_newton, report.steps));
    if (report.steps_short > 0)
      text += line("", fmt::format("above the tolerance, {:g}, in {} of {} steps", model.solver.lcp_tolerance,
                                   report.steps_short, report.steps));
  }
  // A last step that failed, or in which nothing touched, says nothing of the others.
  if (!one_step && model.solver.compatibility == contact_dynamics::CompatibilityMethod::none) {
    text += line("forces", "not made unique: one solution of many where contacts are redundant");
  } else {
    const std::string unique = report.steps_not_unique == 0
                                   ? "unique"
                                   : fmt::format("unique to the tolerance in {} of {} steps",
                                                 report.steps - report.steps_not_unique, report.steps);
    if (one_step) {
      text += line("forces", fmt::format("{} ({})", unique, last.compatibility));
      text +=
          line("", fmt::format("between the last two stiffnesses they changed by {:.2g} in the last step, "
                               "{:.2g} at most",
                               last.opening, report.worst_opening));
    } else {
      text +=
          line("forces", fmt::format("{} ({}); force balance {:.2g}, compatibility {:.2g} at most", unique,
                                     last.compatibility, report.worst_balance, report.worst_opening));
      text += line("", fmt::format("before that {:.3g} of their size away in the last step, {:.3g} at most",
                                   last.lcp_distance, report.largest_lcp_distance));
    }
  }
  if (last.between_held > 0) {
    text +=
        line("fixed bodies", fmt::format("{} contacts between two of them, or one and a boundary, have no "
                                         "force: nothing tells it",
                                         last.between_held));
  }
  if (last.indeterminacy >= 0) {
    text +=
        line("indeterminacy", fmt::format("forces of the {} loaded contacts could vary in {}{} dimensions",
                                          last.loaded, last.estimated ? "about " : "", last.indeterminacy));
  }
  return text;
}

/// What was not as the deck has it: the smallest step over limits, tolerances, linear solvers.
std::string newton_text(const Model& model, const RunReport& report) {
  std::string text;
  if (report.overrules.steps > 0) {
    text +=
        line("  overruled",
             fmt::format("{} of {} steps at time/step/min were longer than a limit, by up to {:.3g} times",
                         report.overrules.steps, report.steps, report.overrules.worst));
  }
  const SolverNotes& notes = report.newton;
  if (notes.raised > 0 || notes.at_floor > 0) {
    text += line(
        "tolerance",
        fmt::format("of {} solves round-off raised it in {}, and ended {} above it; residual at most "
                    "{:.2g} of the force scale (deck: {:g})",
                    notes.solves, notes.raised, notes.at_floor, notes.worst, model.solver.newton_relative));
  }
  if (notes.factored > 0) {
    text += line("linear solver", fmt::format("direct in {} of {} solves, where the iterative one failed",
                                              notes.factored, notes.solves));
  }
  return text;
}

/// Why the run ended, and the figures that decided.
std::string rest_text(const StopDescription& stop, const RunReport& report) {
  const auto figure = [](double value, double most, const char* unit) {
    return fmt::format("{:.3g}{}", value, unit) +
           (most >= 0 ? fmt::format(" (to be at most {:g})", most) : "");
  };
  const std::string why = report.rest.reached        ? fmt::format("reached at {:g} s", report.time)
                          : report.time < stop.after ? fmt::format("not looked for before {:g} s", stop.after)
                                                     : "not reached";
  return why + ": kinetic energy " + figure(report.rest.kinetic_energy, stop.kinetic_energy, " J") +
         ", unbalanced force " +
         figure(report.rest.unbalanced_force, stop.unbalanced_force,
                report.rest.relative ? " of weight or load" : " N");
}

std::string phases_text(const RunReport& report) {
  std::string text = "  wall time of rank 0\n";
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
  if (rest > 1e-3 * report.wall_seconds) row("rest", rest);
  row("all", report.wall_seconds);
  return text;
}

/// Names of the files of a run. @param whole whether it reached its end.
std::vector<std::string> results_of(const OutputDescription& output, bool whole) {
  std::vector<std::string> files;
  for (const auto& history : output.histories) files.push_back(history.file);
  if (output.vtk_every >= 0) files.insert(files.end(), {"bodies.pvd", "contacts.pvd", "boundaries.pvd"});
  if (output.contacts_every >= 0) files.emplace_back("contacts_index.csv");
  if (!whole) files.emplace_back(kLastStateFile);
  if (whole && !output.final_state.empty()) files.push_back(output.final_state);
  files.emplace_back(kReportFile);
  return files;
}

}  // namespace

std::string header_text(const Model& model, int ranks) {
  std::string text = "Scree" + (model.title.empty() ? "" : ": " + text::printable(model.title)) + '\n';
  text += line("deck", text::printable(model.deck_file)) + report_notes(model.notes);
  text += line("bodies", bodies_text(model));
  text += line("boundaries", boundaries_text(model));
  text += line("contact", counted(static_cast<long>(model.materials.size()), "material", "materials") + ", " +
                              counted(static_cast<long>(model.interfaces.size()), "interface", "interfaces"));
  if (!model.loads.empty()) text += line("loads", fmt::format("{}", model.loads.size()));
  if (model.bonds) {
    text += line("bonds",
                 fmt::format("{:g} N/m", model.bonds->stiffness) +
                     (model.bonds->breakable() ? fmt::format(", break at {:g} N", model.bonds->break_force)
                                               : std::string()));
  }
  for (const auto& field : model.near_fields)
    text += line("near field", fmt::format("up to {:g} m", field.cutoff));
  text += line("gravity", fmt::format("({:g}, {:g}, {:g}) m/s^2", model.gravity.x(), model.gravity.y(),
                                      model.gravity.z()));
  text += line("analysis", analysis_text(model));
  text += line("time", time_text(model.time));
  text += line("results", model.output.directory);
  return text + line("ranks", fmt::format("{}", ranks));
}

std::string summary_text(const Model& model, const RunReport& report) {
  const bool whole = report.rest.reached || reaches_end(model, report.time);
  const char* how = report.interrupted    ? "Interrupted"
                    : report.rest.reached ? "At rest"
                    : whole               ? "Done"
                                          : "Stopped before the end";
  std::string text = fmt::format("{} at t = {:g} s, {} after the start\n", how, report.time,
                                 duration_text(report.wall_seconds));
  const bool quasi_static = model.analysis == Analysis::quasi_static;
  if (quasi_static)
    text += line("load steps", fmt::format("{} proximal steps in all", report.proximal_steps));
  if (report.rest.wanted) text += line("rest", rest_text(model.time.stop, report));
  text += line("steps", fmt::format("{}; {} cut, {} repeated for contacts not foreseen", report.steps,
                                    report.cuts, report.repeats));
  const std::string cuts = causes_text(report.cut_causes), limits = causes_text(report.limit_causes);
  if (!cuts.empty()) text += line("  cut by", cuts);
  if (!limits.empty()) text += line("  limited by", limits);
  const auto per = [](long number, long base) {
    return base > 0 ? static_cast<double>(number) / static_cast<double>(base) : 0.0;
  };
  text += line("iterations", fmt::format("{} {} ({:.2f} per step)", report.newton_iterations,
                                         iterations_are(model), per(report.newton_iterations, report.steps)));
  if (model.analysis != Analysis::contact_dynamics && report.newton.solves > 0) {
    text.pop_back();
    text += fmt::format(", {} Krylov ({:.2f} per Newton iteration)\n", report.krylov_iterations,
                        per(report.krylov_iterations, report.newton_iterations));
  }
  text += newton_text(model, report);
  const bool weight = model.gravity.squaredNorm() > 0;
  std::string contacts = fmt::format("at most {} at a time", report.max_contacts);
  if (std::isfinite(report.min_gap)) {
    // Gaps of rigid contacts are those at the start of a step: the line on overlap has those at its end.
    if (!report.rigid.known) contacts += fmt::format(", smallest gap {:.4g} m", report.min_gap);
    contacts += fmt::format(", largest force {:.4g} N", report.largest_force);
  }
  text += line("contacts", contacts);
  if (model.bonds)
    text += line("bonds", fmt::format("{} at the end, {} broke", report.bonds, report.broken_bonds));
  text += population_text(report.population);
  text += line("at the end",
               fmt::format("unbalanced on a body at most: force {:.2g} {}, moment {:.2g} {}",
                           report.unbalanced_force, weight ? "of its weight" : "N", report.unbalanced_moment,
                           weight ? "of weight times bounding radius" : "N m"));
  text += rigid_text(model, report);
  text += ledger_text(report.energy, quasi_static);
  text += phases_text(report);
  std::string files;
  for (const auto& file : results_of(model.output, whole)) files += (files.empty() ? "" : ", ") + file;
  text += line("results", "in " + model.output.directory + ": " + files);
  if (report.warnings.empty()) return text + line("warnings", "none");
  // Not indented: what reads a log finds them by their first word.
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
  if (state.first && screen_.out != nullptr) *screen_.out << header_ << std::flush;
  // Those that the end raises stand in the summary.
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
    if (rank_ != 0) return;
    write_whole_file((std::filesystem::path(model_.output.directory) / kReportFile).string(),
                     report_json(model_, report, ranks_));
  });
  // On a terminal the summary below shows them.
  if (screen_.terminal_width == 0) warn(report.warnings);
  if (screen_.out != nullptr) *screen_.out << summary_text(model_, report) << std::flush;
}

}  // namespace scree

#include "solvers/run/rehearsal.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <string_view>
#include <utility>

#include "assembly/petsc.hpp"
#include "core/error.hpp"
#include "core/text.hpp"
#include "solvers/contact_dynamics/step_problem.hpp"
#include "solvers/procedures.hpp"

namespace scree {
namespace {

/// Options that PETSc reads when it ends.
bool is_for_the_end(std::string_view name) {
  constexpr std::array<std::string_view, 12> kNames = {
      "log_view",     "log_view_memory", "log_view_gpu_time", "options_view",
      "options_left", "malloc_dump",     "malloc_view",       "malloc_view_threshold",
      "memory_view",  "objects_dump",    "mpidump",           "get_total_flops"};
  return std::find(kNames.begin(), kNames.end(), name) != kNames.end();
}

template <class Parts>
bool has_any(std::string_view name, const Parts& parts) {
  return std::any_of(parts.begin(), parts.end(),
                     [name](std::string_view part) { return name.find(part) != std::string_view::npos; });
}

/// Views and monitors are read when there is something to show.
bool is_for_later(std::string_view name) {
  constexpr std::array<std::string_view, 4> kParts = {"view", "monitor", "converged_reason", "_draw"};
  return has_any(name, kParts);
}

/// @param end of a name of the linear solver of impacts, behind the prefix. That solver is set up without
/// impacts: what is left to read is what shows how a solution ended, and what belongs to MUMPS, which factors
/// systems that are large (choose_linear_solver), perhaps after bodies are inserted.
bool is_for_impacts(std::string_view end, const World& world) {
  constexpr std::array<std::string_view, 2> kParts = {"converged_reason", "converged_rate"};
  return has_any(end, kParts) || (end.starts_with("mat_mumps_") && !world.model().inlets.empty());
}

/// @param end of a name of a Newton solver of contact dynamics, behind the prefix. These are made, but no
/// system is set up: its preconditioner may come with solvers of its own, and tests of derivatives have their
/// options read where they are made.
bool is_for_contacts(std::string_view end) {
  constexpr std::array<std::string_view, 3> kSolvers = {"snes_", "ksp_", "pc_"};
  constexpr std::array<std::string_view, 5> kParts = {"snes_test_", "snes_compare_", "snes_fd_", "snes_mf_",
                                                      "pc_fieldsplit_"};
  const bool of_solver = std::any_of(kSolvers.begin(), kSolvers.end(),
                                     [end](std::string_view solver) { return end.starts_with(solver); });
  return !of_solver || is_for_later(end) || has_any(end, kParts);
}

std::string prefix_for_lcp(const World& world) {
  contact_dynamics::StepProblem problem;
  problem.options_prefix = world.options_prefix();
  return lcp_prefix(problem);
}

/// The solver of the LCP of contact dynamics has a prefix beside.
bool has_prefix(std::string_view name, const World& world) {
  if (name.starts_with(world.options_prefix())) return true;
  return traits_of(world.model().analysis).solves_lcp && name.starts_with(prefix_for_lcp(world));
}

/// @returns the prefix of the solver that an option belongs to, "" if none is known.
std::string solver_prefix(const std::string& name, const World& world) {
  const std::string& common = world.options_prefix();
  std::vector<std::string> all;
  if (traits_of(world.model().analysis).solves_lcp) {
    all = {prefix_for_lcp(world) + "newton_", common + "compatibility_", common + "one_step_"};
  } else {
    all = {common + "impact_", common};
  }
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const std::string& one) { return name.starts_with(one); });
  return found == all.end() ? "" : *found;
}

/// Options for PETSc of a model, by their prefix and in lower case: PETSc makes no difference.
class GivenOptions {
 public:
  explicit GivenOptions(const std::vector<std::string>& names) {
    for (const std::string& name : names) names_.push_back(text::lower_case(name));
  }
  [[nodiscard]] bool has(const std::string& name) const {
    return std::find(names_.begin(), names_.end(), text::lower_case(name)) != names_.end();
  }

 private:
  std::vector<std::string> names_;
};

/// @returns why an option of a solver of Newton is idle, "" if it is not. PETSc reads the limits of its own
/// convergence test and of its own line searches, so that they count as used, and looks at them only where
/// one of these has been chosen. @param end of the name, behind the prefix. @param obeys what ends the
/// iteration. @param sets_ksp whether each iteration sets the limits of its linear solver.
std::string idle_in_newton(std::string_view end, const std::string& prefix, const GivenOptions& given,
                           const std::string& obeys, bool sets_ksp) {
  constexpr std::array<std::string_view, 6> kOfTest = {
      "snes_rtol",     "snes_atol", "snes_stol", "snes_divergence_tolerance", "snes_force_iteration",
      "snes_max_funcs"};
  constexpr std::array<std::string_view, 4> kOfKsp = {"ksp_rtol", "ksp_atol", "ksp_divtol", "ksp_max_it"};
  if (sets_ksp && std::find(kOfKsp.begin(), kOfKsp.end(), end) != kOfKsp.end())
    return "each Newton iteration sets the limits of its linear solver.";
  if (given.has(prefix + "snes_type")) return "";
  // Line searches of PETSc count evaluations and judge small steps by themselves.
  const bool of_search = end == "snes_stol" || end == "snes_max_funcs";
  if (std::find(kOfTest.begin(), kOfTest.end(), end) != kOfTest.end() &&
      !given.has(prefix + "snes_convergence_test") &&
      !(of_search && given.has(prefix + "snes_linesearch_type")))
    return "Newton's method obeys " + obeys + ".";
  const bool search = end.starts_with("snes_linesearch_") && end != "snes_linesearch_type";
  if (search && !is_for_later(end) && !given.has(prefix + "snes_linesearch_type"))
    return text::join("it requires a line search of PETSc as well, as in \"-", prefix,
                      "snes_linesearch_type bt\".");
  return "";
}

/// @returns what is wrong with an option that a solver of this run reads and does not obey, "" if nothing.
std::string fault_of_idle(const std::string& name, const GivenOptions& given, const World& world) {
  const Model& model = world.model();
  const std::string lower = text::lower_case(name);
  std::string why;
  const auto judge = [&](const std::string& prefix, const std::string& obeys, bool sets_ksp) {
    if (why.empty() && lower.starts_with(text::lower_case(prefix)))
      why = idle_in_newton(std::string_view(lower).substr(prefix.size()), prefix, given, obeys, sets_ksp);
  };
  if (traits_of(model.analysis).solves_lcp) {
    constexpr std::array<std::string_view, 5> kOfTao = {"tao_gatol", "tao_grtol", "tao_gttol", "tao_max_it",
                                                        "tao_max_funcs"};
    const std::string lcp = prefix_for_lcp(world);
    judge(world.options_prefix() + "one_step_", "a tolerance that is fixed", true);
    judge(world.options_prefix() + "compatibility_", "a tolerance that is fixed", true);
    judge(lcp + "newton_", "/solver/lcp_tolerance", true);
    const auto is_of_tao = [&](std::string_view end) {
      return lower == text::lower_case(lcp) + std::string(end);
    };
    if (std::any_of(kOfTao.begin(), kOfTao.end(), is_of_tao))
      why = text::join("TAO obeys /solver/lcp_tolerance and \"-", lcp, "max_it\".");
  } else if (model.solver.nonlinear == NonlinearChoice::newton) {
    judge(world.options_prefix(), "/solver/newton/relative, absolute and max_iterations", false);
  }
  return why.empty() ? "" : text::join("\"-", name, "\" has no effect: ", why);
}

/// @returns a question for the option that is most like the one given, with a blank before it; "" without
/// one. Only names that people give often are known here: PETSc has no list.
std::string likely_name(const std::string& name, const World& world) {
  static const std::vector<std::string> kOften = {"snes_type",
                                                  "snes_max_it",
                                                  "snes_monitor",
                                                  "snes_converged_reason",
                                                  "snes_view",
                                                  "snes_lag_jacobian",
                                                  "snes_linesearch_type",
                                                  "snes_linesearch_monitor",
                                                  "ksp_type",
                                                  "ksp_rtol",
                                                  "ksp_atol",
                                                  "ksp_max_it",
                                                  "ksp_monitor",
                                                  "ksp_view",
                                                  "ksp_converged_reason",
                                                  "ksp_norm_type",
                                                  "ksp_pc_side",
                                                  "ksp_gmres_restart",
                                                  "pc_type",
                                                  "pc_factor_levels",
                                                  "pc_factor_shift_type",
                                                  "pc_factor_mat_solver_type",
                                                  "pc_factor_mat_ordering_type",
                                                  "sub_pc_type",
                                                  "sub_ksp_type"};
  const std::string prefix = solver_prefix(name, world);
  if (prefix.empty()) return "";
  const std::string end = name.substr(prefix.size());
  const std::string near = text::nearest(end, kOften);
  return near.empty() || near == end ? "" : text::join(" Did you mean \"-", prefix, near, "\"?");
}

std::string fault_of(const std::string& name, const World& world) {
  const Model& model = world.model();
  if (!has_prefix(name, world)) {
    constexpr std::string_view kLcp = "lcp_";
    if (traits_of(model.analysis).solves_lcp && name.starts_with(kLcp)) {
      const std::string prefix = prefix_for_lcp(world);
      return text::join("no solver of this run uses the option \"-", name,
                        "\"; options of the solver of the LCP have the prefix ", prefix, ", as in \"-",
                        prefix, name.substr(kLcp.size()), "\".");
    }
    if (name.starts_with(prefix_for_lcp(world)))
      return text::join("\"-", name,
                        "\" has no effect in this analysis: it is an option of \"contact-dynamics\".");
    return text::join("no solver of this run uses the option \"-", name,
                      "\"; options of the solvers of a step have the prefix ", world.options_prefix(),
                      ", as in \"-", world.options_prefix(), name, "\".");
  }
  if (model.solver.nonlinear == NonlinearChoice::fixed_point)
    return text::join("\"-", name,
                      "\" has no effect with \"nonlinear\": \"fixed-point\", which uses no solver of "
                      "PETSc.");
  return text::join("no solver of this run uses the option \"-", name,
                    "\"; it is misspelt, or belongs to a solver that was not chosen.",
                    likely_name(name, world));
}

/// @returns whether a solver may still read an option that is unread. @param is_set_up whether the solver of
/// the first step is.
bool may_be_read(const std::string& name, const World& world, bool is_set_up) {
  const Model& model = world.model();
  if (!has_prefix(name, world) || model.solver.nonlinear != NonlinearChoice::newton) return false;
  if (model.body_count() == 0) return true;  // no solver could be made
  const std::string prefix = solver_prefix(name, world);
  const std::string_view end = std::string_view(name).substr(prefix.size());
  if (traits_of(model.analysis).solves_lcp) return prefix.empty() || is_for_contacts(end);
  if (!is_set_up) return true;
  return prefix == world.options_prefix() ? is_for_later(name) : is_for_impacts(end, world);
}

/// Makes the solver of the first step. @returns whether it could be set up to the end, so that it has asked
/// for all of its options.
bool set_up_solver(const Model& model, World& world) {
  if (model.body_count() == 0) return false;
  PhaseClock clock;
  RunReport report;
  const std::unique_ptr<Procedure> procedure = make_procedure(world, clock, report);
  procedure->set_time(0);
  // "auto" may change its choice during the run: when bodies are inserted, or if the iterative solver
  // fails.
  std::vector<LinearChoice> choices = {model.solver.linear};
  if (choices.front() == LinearChoice::automatic) choices = {LinearChoice::iterative, LinearChoice::direct};
  return procedure->rehearse(choices, [&] { return unused_petsc_options(model).empty(); });
}

/// @throws InputError with all options that a solver of this run reads and does not obey.
void refuse_idle(const World& world) {
  const Model& model = world.model();
  const GivenOptions given(model.solver.petsc_option_names);
  std::vector<Diagnostic> faults;
  for (const std::string& name : model.solver.petsc_option_names) {
    std::string fault = fault_of_idle(name, given, world);
    if (!fault.empty()) faults.push_back({petsc_option_place(name, model), std::move(fault)});
  }
  if (!faults.empty()) throw InputError(std::move(faults));
}

}  // namespace

std::string petsc_option_place(const std::string& name, const Model& model) {
  const std::string& deck = model.solver.petsc_options;
  const bool in_deck = name.empty() ? !deck.empty() : deck.find('-' + name) != std::string::npos;
  return in_deck ? "/solver/petsc_options" : "command line";
}

std::vector<std::string> unused_petsc_options(const Model& model) {
  const std::vector<std::string> unused = petsc::unused_options();
  std::vector<std::string> names;
  for (const std::string& name : model.solver.petsc_option_names) {
    if (!is_for_the_end(name) && std::find(unused.begin(), unused.end(), name) != unused.end())
      names.push_back(name);
  }
  return names;
}

void rehearse(const Model& model, MPI_Comm comm, const std::string& options_prefix) {
  World world(model, comm, options_prefix);
  if (model.solver.petsc_option_names.empty()) return;
  refuse_idle(world);
  bool is_set_up = false;
  try {
    is_set_up = set_up_solver(model, world);
  } catch (const RunError& error) {
    throw InputError(petsc_option_place("", model), error.what());
  }
  std::vector<Diagnostic> faults;
  for (const std::string& name : unused_petsc_options(model)) {
    if (may_be_read(name, world, is_set_up)) continue;  // a run reports at its end if it was not used
    faults.push_back({petsc_option_place(name, model), fault_of(name, world)});
  }
  if (!faults.empty()) throw InputError(std::move(faults));
}

}  // namespace scree

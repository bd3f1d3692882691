#include "io/preflight.hpp"

#include <string_view>

#include "assembly/interrupt.hpp"
#include "core/activity.hpp"
#include "core/memory.hpp"
#include "io/coupling/precice_library.hpp"
#include "io/deck/petsc_options.hpp"
#include "io/output/output_volume.hpp"
#include "io/output/results_folder.hpp"
#include "solvers/contact_dynamics/step_problem.hpp"
#include "solvers/run/rehearsal.hpp"
#include "solvers/simulation.hpp"

namespace scree {
namespace {

/// An option's name as the solvers of a simulation with that prefix read it.
std::string own_name(const std::string& name, const std::string& options_prefix) {
  contact_dynamics::StepProblem common, own;
  own.options_prefix = options_prefix;
  for (const auto& [from, to] : {std::pair(common.options_prefix, own.options_prefix),
                                 std::pair(lcp_prefix(common), lcp_prefix(own))}) {
    if (name.starts_with(from)) return to + name.substr(from.size());
  }
  return name;
}

/// The deck's options for PETSc, which have been judged.
std::vector<PetscOption> deck_options(const Model& model, const std::string& options_prefix) {
  constexpr const char* kWhere = "/solver/petsc_options";
  std::vector<PetscOption> options = petsc_options(petsc_words(model.solver.petsc_options, kWhere), kWhere);
  for (PetscOption& option : options) option.name = own_name(option.name, options_prefix);
  return options;
}

}  // namespace

void check_deck_output(Deck& deck, const std::filesystem::path& file, int ranks) {
  of_deck(file, [&] {
    const OutputCheck found = check_output(deck.model, ranks);
    deck.model.notes.insert(deck.model.notes.end(), found.notes.begin(), found.notes.end());
    for (const Diagnostic& one : found.warnings)
      deck.warnings.push_back(
          {Warnings::kDeckWarning, fmt::format("{}: {}", file.string(), one.where), one.message});
  });
}

void set_petsc_options(Model& model, const std::vector<std::string>& words,
                       const std::string& options_prefix) {
  std::vector<PetscOption> options = deck_options(model, options_prefix);
  for (PetscOption& option : petsc_options(words, "command line")) options.push_back(std::move(option));
  for (const PetscOption& option : options) {
    model.solver.petsc_option_names.push_back(option.name);
    petsc::check(PetscOptionsSetValue(nullptr, ('-' + option.name).c_str(),
                                      option.value.empty() ? nullptr : option.value.c_str()),
                 "setting options for PETSc");
  }
}

void clear_deck_options(const Model& model, const std::string& options_prefix) {
  for (const PetscOption& option : deck_options(model, options_prefix))
    (void)PetscOptionsClearValue(nullptr, ('-' + option.name).c_str());
}

void share_memory_of_machine(MPI_Comm comm) {
  MPI_Comm machine = MPI_COMM_NULL;
  MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &machine);
  int ranks = 1;
  MPI_Comm_size(machine, &ranks);
  MPI_Comm_free(&machine);
  share_memory_among(ranks);
}

double least_memory(const Model& model, int ranks) {
  // Spheres that touch nothing take 3.3 kB.
  constexpr double kPerBody = 2500;
  return kPerBody * static_cast<double>(model.bodies.size()) / ranks + frame_memory(model, ranks);
}

void check_memory(const Model& model, MPI_Comm comm) {
  int ranks = 1;
  MPI_Comm_size(comm, &ranks);
  std::string shortage = memory_shortage(least_memory(model, ranks),
                                         fmt::format("a run of {} bodies{}", model.bodies.size(),
                                                     model.output.vtk_every < 0 ? "" : " with VTK output"));
  int lacks = shortage.empty() ? 0 : 1;
  MPI_Allreduce(MPI_IN_PLACE, &lacks, 1, MPI_INT, MPI_MAX, comm);
  if (lacks == 0) return;
  if (shortage.empty())
    shortage = "the run requires more memory than is available on the machine of another rank.";
  throw InputError("/bodies", shortage);
}

std::vector<Warning> warnings_at_start(const Model& model, MPI_Comm comm) {
  const Activity activity("checking the start of " + model.deck_file);
  Simulation simulation(std::shared_ptr<const Model>(std::shared_ptr<const Model>(), &model), comm);
  std::vector<Warning> all = simulation.warnings().all();
  all.erase(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(model.warnings.size()));
  return all;
}

void rehearse_deck(Model& model, const std::vector<std::string>& words, bool ends, MPI_Comm comm,
                   const std::string& options_prefix) {
  const Activity activity((ends ? "checking " : "starting ") + model.deck_file);
  try {
    set_petsc_options(model, words, options_prefix);
    // A run finds the rest when it begins.
    if (ends || !model.solver.petsc_option_names.empty()) rehearse(model, comm, options_prefix);
    check_interrupt(comm);
  } catch (...) {
    clear_deck_options(model, options_prefix);
    throw;
  }
  if (ends) clear_deck_options(model, options_prefix);
}

std::vector<Warning> check_start(Deck& deck, const std::vector<std::string>& words, MPI_Comm comm) {
  check_memory(deck.model, comm);
  rehearse_deck(deck.model, words, true, comm);
  if (!deck.precice) return warnings_at_start(deck.model, comm);
  coupling::require_precice();
  return {};
}

}  // namespace scree

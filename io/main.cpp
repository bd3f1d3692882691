/// Wiring: command line, deck, observers and the run; one message and one exit status for all ranks.
#include <fmt/format.h>
#include <mpi.h>

#include <atomic>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "assembly/petsc.hpp"
#include "core/error.hpp"
#include "io/command_line.hpp"
#include "io/deck.hpp"
#include "io/diagnostics.hpp"
#include "io/number_format.hpp"
#include "io/observers.hpp"
#include "solvers/time_loop.hpp"

namespace scree {
namespace {

constexpr int kDone = 0, kNotFinished = 1, kWrongInput = 2, kInterrupted = 130;

std::atomic<bool> stop_requested{false};
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler sets it");

extern "C" void request_stop(int /*signal*/) { stop_requested = true; }

/// The first Ctrl-C ends the run in order, the second one kills.
void catch_signals() {
  struct sigaction action = {};
  action.sa_handler = request_stop;
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

/// How something ended on this rank.
struct Outcome {
  int status = kDone;
  std::string message;  ///< to standard error
};

/// Calls `work`, and turns what it throws into an outcome.
template <class Work>
Outcome outcome_of(Work&& work) {
  try {
    return {work(), ""};
  } catch (const InputError& error) {
    return {kWrongInput, report(error)};
  } catch (const std::exception& error) {
    return {kNotFinished, fmt::format("{}\n", error.what())};
  }
}

/// The worst outcome of all ranks, told once by the first rank that has it. Collective.
int agreed(const Outcome& outcome) {
  int rank = 0, worst = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Allreduce(&outcome.status, &worst, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  int ranks = 0, speaker = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const int mine = outcome.status == worst ? rank : ranks;
  MPI_Allreduce(&mine, &speaker, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  if (rank == speaker) fmt::print(stderr, "{}", outcome.message);
  return worst;
}

/// The deck's options for PETSc, then those of the command line, which win.
void set_petsc_options(const Model& model, int argc, char** argv) {
  petsc::check(PetscOptionsInsertString(nullptr, model.solver.petsc_options.c_str()),
               "reading petsc_options");
  petsc::check(PetscOptionsInsertArgs(nullptr, argc - 1, argv + 1),
               "reading the options of the command line");
}

/// @param strict warnings are a reason for status 1.
int run_deck(Model& model, bool strict) {
  int rank = 0, ranks = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  check_results_folder(model, MPI_COMM_WORLD);
  const auto owned = make_observers(model, MPI_COMM_WORLD);
  std::vector<Observer*> observers;
  observers.reserve(owned.size());
  for (const auto& observer : owned) observers.push_back(observer.get());
  model.keep_own_block(rank, ranks);  // the observers know what they tell of all bodies
  catch_signals();
  const RunReport report = run(model, observers, stop_requested);
  if (report.interrupted) return kInterrupted;
  if (!strict || report.warnings.empty()) return kDone;
  if (rank == 0) {
    fmt::print(stderr, "{} and --strict: exit status 1. The results are complete.\n",
               counted(static_cast<long>(report.warnings.size()), "warning", "warnings"));
  }
  return kNotFinished;
}

/// Calls `work`. What it finds wrong with the deck names the deck, as what reading it finds does.
template <class Work>
int of_deck(const std::filesystem::path& deck, Work&& work) {
  try {
    return work();
  } catch (const InputError& error) {
    std::vector<Diagnostic> found = error.diagnostics();
    for (Diagnostic& one : found) {
      if (one.where.starts_with('/')) one.where = fmt::format("{}: {}", deck.string(), one.where);
    }
    throw InputError(std::move(found));
  }
}

int execute(const Command& command, int argc, char** argv) {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (command.kind == Command::Kind::print) {
    if (rank == 0) fmt::print("{}", command.text);
    return kDone;
  }
  Deck deck;
  const int status = agreed(outcome_of([&] {
    deck = read_deck(command.deck);
    return kDone;
  }));
  if (status != kDone) return status;
  if (rank == 0) fmt::print(stderr, "{}", report_warnings(deck.warnings));
  deck.model.warnings = deck.warnings;
  if (command.kind == Command::Kind::check) {
    if (rank == 0) {
      fmt::print("{}: good. {}.\n", command.deck.string(), describe(deck.model));
      for (const std::string& note : deck.model.notes) fmt::print("  {}\n", note);
    }
    return kDone;
  }
  if (!command.output.empty()) deck.model.output.directory = command.output;
  return agreed(outcome_of([&] {
    return of_deck(command.deck, [&] {
      set_petsc_options(deck.model, argc, argv);
      return run_deck(deck.model, command.strict);
    });
  }));
}

}  // namespace
}  // namespace scree

int main(int argc, char** argv) {
  using namespace scree;
  Command command;
  const Outcome understood = outcome_of([&] {
    command = parse_command_line({argv + 1, argv + argc});
    return kDone;
  });
  // PETSc sees its own options only: ours would be unknown to it.
  std::vector<char*> petsc_arguments{argv[0]};
  for (auto& option : command.petsc_options) petsc_arguments.push_back(option.data());
  int count = static_cast<int>(petsc_arguments.size());
  petsc_arguments.push_back(nullptr);
  char** arguments = petsc_arguments.data();
  try {
    const petsc::Session session(&count, &arguments);
    const int status = agreed(understood);
    return status == kDone ? execute(command, count, arguments) : status;
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return kNotFinished;
  }
}

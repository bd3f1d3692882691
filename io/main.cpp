/// Wiring: command line, deck, observers and the run; one message and one exit status for all ranks.
#include <fmt/format.h>
#include <mpi.h>
#include <poll.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "assembly/interrupt.hpp"
#include "assembly/petsc.hpp"
#include "core/activity.hpp"
#include "core/error.hpp"
#include "core/text.hpp"
#include "io/checkpoint/checkpoint_writer.hpp"
#include "io/checkpoint/restart.hpp"
#include "io/command_line.hpp"
#include "io/coupling/precice_adapter.hpp"
#include "io/deck/deck.hpp"
#include "io/deck/diagnostics.hpp"
#include "io/output/checked_file.hpp"
#include "io/output/mesh_fault_writer.hpp"
#include "io/output/observers.hpp"
#include "io/output/results_folder.hpp"
#include "io/output/run_end.hpp"
#include "io/preflight.hpp"
#include "solvers/time_loop.hpp"

namespace scree {
namespace {

constexpr int kDone = ExitStatus::kDone, kNotFinished = ExitStatus::kNotFinished;

extern "C" void request_stop(int /*signal*/) { request_interrupt(); }

/// The first Ctrl-C ends the run in order, the second one kills; so does SIGTERM. A terminal that is closed
/// ends the run in order, unless nohup has it ignored. A limit on file sizes (ulimit -f) is an error of the
/// write, as a full disk is, and does not kill; nor does a reader of the log that goes away.
void catch_signals() {
  std::signal(SIGXFSZ, SIG_IGN);
  std::signal(SIGPIPE, SIG_IGN);
  struct sigaction action = {};
  action.sa_handler = request_stop;
  struct sigaction inherited = {};
  sigaction(SIGHUP, nullptr, &inherited);
  // Kept at the second one: the shell and the kernel may both send it.
  if (inherited.sa_handler != SIG_IGN) sigaction(SIGHUP, &action, nullptr);
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

/// Prints text for the user. A stream that cannot be written, such as a pipe without a reader, ends no work:
/// `log_is_written` finds out at the end.
void print_text(std::FILE* stream, const std::string& text) { (void)std::fputs(text.c_str(), stream); }

/// How something ended on this rank.
struct Outcome {
  int status = kDone;
  std::string message;  ///< to standard error
};

/// @returns " while ..." of the activity that an exception ended; "" if there was none.
std::string failed_activity() {
  const std::string name = take_failed_activity();
  return name.empty() ? "" : " while " + text::one_line(name);
}

/// Calls `work`, and turns what it throws into an outcome.
template <class Work>
Outcome outcome_of(Work&& work) {
  try {
    return {work(), ""};
  } catch (const Interrupted&) {
    return {ExitStatus::kInterrupted, fmt::format("interrupted{}.\n", failed_activity())};
  } catch (const std::bad_alloc&) {
    return {kNotFinished,
            fmt::format("out of memory{}; use fewer bodies, coarser meshes, or a machine with more "
                        "memory.\n",
                        failed_activity())};
  } catch (const InputError& error) {
    return {ExitStatus::kWrongInput, report(error)};
  } catch (const std::exception& error) {
    return {kNotFinished, text::one_line(error.what()) + '\n'};
  }
}

/// The worst outcome of all ranks, printed once by the first rank that has it. Collective.
int agreed(const Outcome& outcome) {
  int rank = 0, worst = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Allreduce(&outcome.status, &worst, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  int ranks = 0, speaker = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const int mine = outcome.status == worst ? rank : ranks;
  MPI_Allreduce(&mine, &speaker, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  if (rank == speaker) print_text(stderr, outcome.message);
  return worst;
}

/// Waits until all ranks have ended the run. A rank that failed alone (memory, a device) leaves the others in
/// a reduction for ever: after a while it ends them all, with its own message. Collective.
class EndOfRun {
 public:
  EndOfRun() { MPI_Comm_dup(MPI_COMM_WORLD, &comm_); }
  ~EndOfRun() { MPI_Comm_free(&comm_); }
  EndOfRun(const EndOfRun&) = delete;
  EndOfRun& operator=(const EndOfRun&) = delete;

  void wait(const Outcome& mine) {
    using Clock = std::chrono::steady_clock;
    constexpr std::chrono::seconds kPatience(10);
    const Clock::time_point start = Clock::now();
    MPI_Request arrived = MPI_REQUEST_NULL;
    MPI_Ibarrier(comm_, &arrived);
    for (int all = 0;;) {
      MPI_Test(&arrived, &all, MPI_STATUS_IGNORE);
      if (all != 0) return;
      if (mine.status != kDone && Clock::now() - start > kPatience) {
        int rank = 0;
        MPI_Comm_rank(comm_, &rank);
        print_text(stderr, fmt::format("rank {}: {}the other ranks do not respond; all are terminated.\n",
                                       rank, mine.message));
        MPI_Abort(comm_, mine.status);
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }

 private:
  MPI_Comm comm_ = MPI_COMM_NULL;
};

/// What a run begins with. Collective.
void prepare(Model& model, const Command& command) {
  check_memory(model, MPI_COMM_WORLD);
  rehearse_deck(model, command.petsc_options, false, MPI_COMM_WORLD);
}

/// @param saved where the run continues; null: from its start. @param finished whether nothing is left to do.
RunReport run_model(Model& model, const Command& command, checkpoint::SavedRun* saved, bool& finished) {
  int rank = 0, ranks = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (saved == nullptr) probe_results_folder(model, MPI_COMM_WORLD);
  const auto owned = make_observers(model, MPI_COMM_WORLD);
  std::vector<Observer*> observers;
  observers.reserve(owned.size());
  for (const auto& observer : owned) observers.push_back(observer.get());
  std::unique_ptr<CheckpointWriter> keeper;
  if (model.output.checkpoint.wanted)
    keeper = std::make_unique<CheckpointWriter>(model, MPI_COMM_WORLD, command.petsc_options, owned);
  model.keep_own_block(rank, ranks);  // the observers have read the data of all bodies
  Simulation simulation(std::shared_ptr<const Model>(std::shared_ptr<const Model>(), &model), MPI_COMM_WORLD);
  if (saved != nullptr) {
    const OutputCursors cursors = checkpoint::continue_simulation(simulation, *saved, MPI_COMM_WORLD);
    if (command.end) simulation.judge_rest_anew();
    // One that was killed as it wrote its last outputs ends once more.
    finished = simulation.finished() && checkpoint::has_report(model.output.directory, MPI_COMM_WORLD);
    if (finished) return simulation.report();
    keeper->continue_from(cursors, simulation.steps());
  }
  return run(simulation, observers, keeper.get());
}

/// @returns the exit status of a run that came to this report; says on standard error why it is 1.
int status_of(const Model& model, const RunReport& report) {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const std::string why = failure_text(model, report);
  if (rank == 0 && !why.empty()) print_text(stderr, fmt::format("{}: {}\n", model.deck_file, why));
  return find_exit_status(model, report);
}

int run_deck(Model& model, const Command& command, checkpoint::SavedRun* saved = nullptr) {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const Activity activity("running " + model.deck_file);
  bool finished = false;
  const RunReport report = run_model(model, command, saved, finished);
  if (finished && rank == 0) {
    print_text(stdout, fmt::format("{}: the run is complete, t = {} s{}. To continue it: --end T.\n",
                                   model.output.directory, text::number(report.time),
                                   report.rest.reached ? ", at rest" : ""));
  }
  return status_of(model, report);
}

/// @param saved where the bodies continue; null: from the start.
int run_coupled(Deck& deck, const Command& command, checkpoint::SavedRun* saved = nullptr) {
  const auto model = std::make_shared<Model>(std::move(deck.model));
  const coupling::PreciceRun run =
      coupling::run_precice(model, *deck.precice, MPI_COMM_WORLD, true, saved, command.petsc_options);
  return run.report ? status_of(*model, *run.report) : kDone;
}

/// Progress of lengthy work, to standard error of rank 0.
void print_progress(const std::string& what, double done, const std::string& detail, double seconds) {
  const std::string part = done >= 0 ? fmt::format("{:.0f} %{}", 100 * done, detail.empty() ? "" : ", ") : "";
  print_text(stderr,
             fmt::format("{}: {}{}, {:.0f} s elapsed\n", text::one_line(what), part, detail, seconds));
}

/// Continues a run from the newest whole checkpoint of its results folder.
int resume(Command command) {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  checkpoint::SavedRun saved;
  Deck deck;
  const int status = agreed(outcome_of([&] {
    std::vector<std::string> skipped;
    saved = checkpoint::read_newest(command.deck, MPI_COMM_WORLD, skipped);
    for (const std::string& what : skipped)
      if (rank == 0) print_text(stderr, fmt::format("warning: {} The one before it is taken.\n", what));
    deck = checkpoint::deck_of(saved, command.deck, command.end);
    return kDone;
  }));
  if (status != kDone) return status;
  if (rank == 0) {
    print_text(stdout, fmt::format("{} continues from {}, t = {} s\n", text::printable(deck.model.deck_file),
                                   saved.file.string(), text::number(saved.head.time)));
  }
  // The options of the run, then those that are given now, which win.
  std::vector<std::string> words = checkpoint::lines_of(saved.head.options);
  words.insert(words.end(), command.petsc_options.begin(), command.petsc_options.end());
  command.petsc_options = words;
  deck.model.strict = command.strict;
  EndOfRun end;
  const Outcome outcome = outcome_of([&] {
    return of_deck(deck.model.deck_file, [&] {
      prepare(deck.model, command);
      if (deck.precice) return run_coupled(deck, command, &saved);
      return run_deck(deck.model, command, &saved);
    });
  });
  end.wait(outcome);
  return agreed(outcome);
}

/// @returns what shows the faults of rejected meshes: nothing of a check, unless its command line names a
/// directory.
MeshFaultReport mesh_fault_report(const Command& command, int rank) {
  if (rank != 0 || (command.kind == Command::Kind::check && command.mesh_faults.empty())) return {};
  return [command](const std::vector<MeshFaults>& meshes, const std::string& directory) {
    std::string folder = command.mesh_faults;
    if (folder.empty()) folder = command.output.empty() ? directory : command.output;
    try {
      for (const std::string& file : write_mesh_faults(meshes, folder, command.deck))
        print_text(stderr,
                   fmt::format("{}: the faults of this mesh, for ParaView.\n", text::printable(file)));
    } catch (const std::runtime_error& error) {  // the errors of the deck follow
      const std::string message = fmt::format(
          "the faults of rejected meshes are not written: {} Or write them to another directory: scree check "
          "{} --mesh-faults DIR.",
          error.what(), command.deck.string());
      print_text(stderr, fmt::format("warning: {}\n", text::one_line(message)));
    }
  };
}

int execute(const Command& command) {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (command.kind == Command::Kind::print) {
    if (rank == 0) print_text(stdout, command.text);
    return kDone;
  }
  int ranks = 1;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (rank == 0) listen_to_activities(print_progress);
  share_memory_of_machine(MPI_COMM_WORLD);
  if (command.kind == Command::Kind::resume) return resume(command);
  std::error_code unseen;  // reading reports what cannot be looked at
  if (command.kind == Command::Kind::check && std::filesystem::is_directory(command.deck, unseen)) {
    return agreed(outcome_of([&] {
      if (rank == 0)
        print_text(stdout,
                   fmt::format("{}:\n{}", command.deck.string(), checkpoint::describe_folder(command.deck)));
      return kDone;
    }));
  }
  Deck deck;
  const int status = agreed(outcome_of([&] {
    deck = read_deck(command.deck, mesh_fault_report(command, rank));
    if (command.end) shorten(deck.model, *command.end);
    if (!command.output.empty()) deck.model.output.directory = command.output;
    if (rank != 0) return kDone;  // one rank looks at the disk
    check_deck_output(deck, command.deck, ranks);
    return kDone;
  }));
  if (status != kDone) return status;
  if (rank == 0) print_text(stderr, report_warnings(deck.warnings));
  deck.model.warnings = deck.warnings;
  deck.model.strict = command.strict;
  if (command.kind == Command::Kind::check) {
    std::vector<Warning> at_start;
    const int start = agreed(outcome_of([&] {
      return of_deck(command.deck, [&] {
        at_start = check_start(deck, command.petsc_options, MPI_COMM_WORLD);
        return kDone;
      });
    }));
    if (start != kDone) return start;
    if (rank == 0) {
      print_text(stderr, report_warnings(at_start));
      print_text(stdout, fmt::format("{}\n{}",
                                     text::one_line(fmt::format("{}: valid. {}.", command.deck.string(),
                                                                describe(deck.model))),
                                     report_notes(deck.model.notes)));
    }
    return kDone;
  }
  EndOfRun end;
  const Outcome outcome = outcome_of([&] {
    return of_deck(command.deck, [&] {
      prepare(deck.model, command);
      if (deck.precice) return run_coupled(deck, command);
      return run_deck(deck.model, command);
    });
  });
  end.wait(outcome);
  return agreed(outcome);
}

/// @returns whether standard output is a pipe whose reader has gone (`scree run DECK | head`), or a terminal
/// that was closed.
bool reader_has_gone() {
  pollfd out = {STDOUT_FILENO, 0, 0};
  return ::poll(&out, 1, 0) > 0 && (out.revents & (POLLERR | POLLHUP)) != 0;
}

/// @returns whether all that was printed has arrived, or nobody reads it: a full disk, or /dev/full, may be
/// what the log goes to.
bool log_is_written() {
  errno = 0;
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return true;
  const int reason = errno;
  if (reader_has_gone()) return true;
  print_text(stderr, fmt::format("standard output: cannot be written{}.\n",
                                 reason != 0 ? ": " + std::generic_category().message(reason) : ""));
  return false;
}

/// Open MPI starts a daemon for a program without a launcher, and searches for networks: 0.4 s at each start
/// that one process does not need. What the user's environment says about it stays.
void set_up_mpi_of_one() {
  static constexpr std::array kOfLaunchers{"OMPI_COMM_", "PMIX_", "PMI_"};
  for (char** variable = environ; *variable != nullptr; ++variable)
    for (const std::string_view launcher : kOfLaunchers)
      if (std::string_view(*variable).starts_with(launcher)) return;
  ::setenv("OMPI_MCA_ess_singleton_isolated", "1", 0);
  // All such processes would have the same directory for one another's files: one that ends removes it while
  // another begins.
  ::setenv("OMPI_MCA_orte_create_session_dirs", "0", 0);
  if (std::getenv("OMPI_MCA_pml") != nullptr || std::getenv("OMPI_MCA_btl") != nullptr) return;
  ::setenv("OMPI_MCA_pml", "ob1", 0);
  ::setenv("OMPI_MCA_btl", "self", 0);
}

}  // namespace
}  // namespace scree

int main(int argc, char** argv) {
  using namespace scree;
  catch_signals();
  raise_open_file_limit();
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
  set_up_mpi_of_one();
  try {
    const petsc::Session session(&count, &arguments);
    int status = agreed(understood);
    if (status == kDone) status = execute(command);
    return log_is_written() || status != kDone ? status : kNotFinished;
  } catch (const std::exception& error) {
    print_text(stderr, fmt::format("{}\n", error.what()));
    return kNotFinished;
  }
}

#include "solvers/time_loop.hpp"

#include "assembly/interrupt.hpp"
#include "core/error.hpp"
#include "core/text.hpp"
#include "solvers/run/rehearsal.hpp"
#include "solvers/run/run_warnings.hpp"
#include "solvers/run/warnings.hpp"

namespace scree {
namespace {

/// An observer could not take a state (the disk is full); the state is that of the simulation.
class OutputFailed : public RunError {
 public:
  using RunError::RunError;
};

/// After a failure of output, on all ranks. @returns where the state is saved, for the message.
std::string rescued(const AcceptedState& state, const std::vector<Observer*>& observers) {
  std::string text;
  for (Observer* observer : observers) {
    try {
      if (const std::string file = observer->rescue(state); !file.empty())
        text += " The state of t = " + text::number(state.time, 3) + " s has been saved in " + file + ".";
    } catch (const RunError& error) {
      text += std::string(" The state could not be saved either: ") + error.what();
    }
  }
  return text;
}

/// The same, in a file from which the run can be continued.
std::string kept(Simulation& simulation, StateKeeper* keeper) {
  if (keeper == nullptr) return "";
  try {
    const std::string file = keeper->rescue(simulation);
    return file.empty() ? "" : " The run can be continued from " + file + ".";
  } catch (const RunError& error) {
    return std::string(" Nor could a checkpoint be written: ") + error.what();
  }
}

}  // namespace

void show_state(Simulation& simulation, const std::vector<Observer*>& observers, StateKeeper* keeper,
                bool first, bool last, bool interrupted, bool complete) {
  const PhaseClock::Scope scope(simulation.clock(), PhaseClock::output);
  AcceptedState state = simulation.view(first, last);
  state.interrupted = interrupted;
  state.complete = complete;
  try {
    for (Observer* observer : observers) observer->accepted(state);
  } catch (const RunError& error) {
    const std::string states = rescued(state, observers);
    throw OutputFailed(error.what() + states + kept(simulation, keeper));
  }
  if (keeper == nullptr) return;
  try {
    keeper->accepted(simulation, state);
  } catch (const RunError& error) {
    // What the observers had in reserve may be enough for what could not be kept.
    const std::string states = rescued(simulation.view(first, last), observers);
    throw OutputFailed(error.what() + states + kept(simulation, keeper));
  }
}

namespace {

/// From the state of the simulation to its end, or to a step that cannot be solved.
/// @returns what failed; "" if nothing did. @throws Interrupted on all ranks. @throws OutputFailed.
std::string steps(Simulation& simulation, const std::vector<Observer*>& observers, StateKeeper* keeper) {
  std::string failure;
  show_state(simulation, observers, keeper, true, false);
  try {
    while (!simulation.finished()) {
      simulation.step();
      // The last state is shown once, as the last.
      if (!simulation.finished()) show_state(simulation, observers, keeper, false, false);
    }
  } catch (const OutputFailed&) {
    throw;
  } catch (const RunError& error) {
    failure = error.what();
    if (!observers.empty()) failure += " The last accepted state has been saved.";
  }
  try {
    show_state(simulation, observers, keeper, false, true);
  } catch (const RecoverableError& error) {
    // What stopped the run is what the user has to know first.
    if (failure.empty()) throw;
    failure += std::string(" No checkpoint of it could be written: ") + error.what() + ".";
  }
  return failure;
}

}  // namespace

RunReport finish_run(Simulation& simulation, const std::vector<Observer*>& observers, std::string failure,
                     bool interrupted, bool complete) {
  const Model& model = simulation.model();
  for (const std::string& option : unused_petsc_options(model)) {
    simulation.warnings().raise({"unused_option", petsc_option_place(option, model),
                                 "unused PETSc option \"-" + option + "\": it had no effect.",
                                 simulation.time()});
  }
  RunReport report = simulation.report();
  report.ended = true;
  report.failure = failure;
  report.interrupted = interrupted;
  report.complete = complete;
  warn_at_end(model, report, simulation.warnings());
  report.warnings = simulation.warnings().all();
  for (Observer* observer : observers) {
    try {
      observer->finished(report);
    } catch (const RunError& error) {
      failure += text::join(failure.empty() ? "" : " ", error.what());
      report.failure = failure;
    }
  }
  if (!failure.empty()) throw RunError(failure);
  return report;
}

RunReport run(Simulation& simulation, const std::vector<Observer*>& observers, StateKeeper* keeper) {
  std::string failure;
  bool interrupted = false;
  // Until here there is nothing to save. From the first state on, which creates the folder, there is.
  check_interrupt(simulation.comm());
  try {
    failure = steps(simulation, observers, keeper);
  } catch (const Interrupted&) {  // on all ranks; the attempted step has been rejected
    interrupted = true;
  } catch (const OutputFailed& error) {
    failure = error.what();
  }
  // What the run has come to is kept, whether or not somebody wants it to stop.
  const InterruptShield shield;
  try {
    if (interrupted) show_state(simulation, observers, keeper, false, true, true);
  } catch (const OutputFailed& error) {
    failure = error.what();
  }
  return finish_run(simulation, observers, failure, interrupted);
}

RunReport run(const Model& model, const std::vector<Observer*>& observers, MPI_Comm comm) {
  Simulation simulation(std::shared_ptr<const Model>(std::shared_ptr<const Model>(), &model), comm);
  return run(simulation, observers);
}

}  // namespace scree

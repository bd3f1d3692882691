/// The run, readable top to bottom: find contacts, solve the step, accept or cut, tell the observers.
#pragma once

#include <mpi.h>

#include <string>
#include <vector>

#include "solvers/model.hpp"
#include "solvers/observer.hpp"
#include "solvers/simulation.hpp"

namespace scree {

/// Keeps states of a run, from which it can be continued.
class StateKeeper {
 public:
  StateKeeper() = default;
  StateKeeper(const StateKeeper&) = delete;
  StateKeeper& operator=(const StateKeeper&) = delete;
  StateKeeper(StateKeeper&&) = delete;
  StateKeeper& operator=(StateKeeper&&) = delete;
  virtual ~StateKeeper() = default;
  /// Called with each accepted state after the observers. @param state of the simulation; what it points to
  /// is gone once the simulation has been saved. Collective. @throws RunError on all ranks.
  virtual void accepted(Simulation& simulation, const AcceptedState& state) = 0;
  /// Keeps the accepted state of a run that an observer ends. @returns the file; "" for none. Collective.
  /// @throws RunError on all ranks.
  virtual std::string rescue(Simulation& simulation) = 0;
};

/// Runs a simulation to its end time, to a step that cannot be solved, or until a rank is asked to stop
/// (core/interrupt.hpp): the step under way is then abandoned, and the last accepted state is the result.
/// Observers are shown the start (first), each accepted step, and the last one (last), also on failure.
/// @param observers called in order. @param keeper may be null. @returns what the run came to. Collective
/// over comm; PETSc must be initialised.
/// @throws InputError on initial overlap or contact (names both bodies and the depth), or a law is
/// missing.
/// @throws RunError if a step fails: the message has time, reason and remedies.
/// @throws Interrupted, on all ranks, if one was asked to stop before there was an accepted state.
RunReport run(Simulation& simulation, const std::vector<Observer*>& observers, StateKeeper* keeper = nullptr);

/// Parts of it, for those who call the steps themselves.
/// Shows the accepted state to the observers and the keeper. Collective. @throws RunError where one of them
/// cannot take it, after the others have saved what they can.
void show_state(Simulation& simulation, const std::vector<Observer*>& observers, StateKeeper* keeper,
                bool first, bool last, bool interrupted = false, bool complete = false);
/// Warns of what concerns the whole run, and lets the observers finish. @param failure of the run, "" for
/// none. @param complete as AcceptedState::complete. @returns what the run came to. Collective. @throws
/// RunError with the failure.
RunReport finish_run(Simulation& simulation, const std::vector<Observer*>& observers, std::string failure,
                     bool interrupted, bool complete = false);

/// The same from the start of a model, which has to outlive the call.
RunReport run(const Model& model, const std::vector<Observer*>& observers, MPI_Comm comm);

}  // namespace scree

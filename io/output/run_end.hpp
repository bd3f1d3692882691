/// How a run ended: for the log, the report and the exit status of the program.
#pragma once

#include <string>

#include "solvers/model.hpp"
#include "solvers/observer.hpp"

namespace scree {

/// Exit statuses of the program (docs/reference/messages.md).
struct ExitStatus {
  static constexpr int kDone = 0, kNotFinished = 1, kWrongInput = 2, kInterrupted = 130;
};

/// The state in which a run ended. `coupled`: a partner ended it before its end time. `failure`: none of the
/// others, with or without an error.
enum class RunEnd { end_time, static_equilibrium, coupled, interrupt, failure };

/// @returns how the run of this report ended; RunEnd::failure also of a simulation that has not ended yet.
[[nodiscard]] RunEnd find_run_end(const Model& model, const RunReport& report);

/// Whether a run reached the state that it was to reach: final_state is written.
[[nodiscard]] constexpr bool is_complete(RunEnd end) {
  return end != RunEnd::interrupt && end != RunEnd::failure;
}

/// @returns the exit status of `scree run` for a run that ended with this report.
[[nodiscard]] int find_exit_status(const Model& model, const RunReport& report);

/// @returns the reason of an exit status of 1, as one text: the error that ended the run, created energy,
/// warnings with --strict; "" with other statuses, and if nothing is known.
[[nodiscard]] std::string failure_text(const Model& model, const RunReport& report);

}  // namespace scree

/// The progress line of a run.
#pragma once

#include <functional>
#include <iosfwd>

#include "solvers/model.hpp"
#include "solvers/observer.hpp"

namespace scree {

/// Where text for the user goes. Rank 0 has one with a stream, the others have none.
struct Screen {
  std::ostream* out = nullptr;    ///< null: this rank says nothing
  int terminal_width = 0;         ///< columns of the terminal; 0: a file or a pipe
  std::function<double()> clock;  ///< wall time [s], any origin
  std::ostream* err = nullptr;    ///< for warnings; null where `out` is
};

/// @returns standard output for rank 0 of the run, silence for the others.
Screen standard_screen(int rank);

/// @returns what the iterations of a step are, for texts: "Newton", or those of the complementarity problem.
[[nodiscard]] const char* iterations_are(const Model& model);

/// Time, step, iterations, contacts, energies, wall time and time left: one line that is rewritten on
/// a terminal, otherwise a line every kSecondsBetweenLines. Not collective.
class Progress : public Observer {
 public:
  static constexpr double kSecondsBetweenLines = 5;       ///< wall seconds, in files and pipes
  static constexpr double kSecondsBetweenRewrites = 0.1;  ///< wall seconds, on terminals

  /// @param model must outlive the observer.
  Progress(const Model& model, Screen screen);

  /// Says the state if the time has come; the first and the last always.
  void accepted(const AcceptedState& state) override;

 private:
  double seconds_remaining(double time, double wall);

  const Model& model_;
  Screen screen_;
  double start_ = 0;             ///< wall time of the first state [s]
  double last_report_wall_ = 0;  ///< wall time of the last line [s]
  double last_report_time_ = 0;  ///< simulated time of the last line [s]
  double rate_ = 0;              ///< simulated seconds per wall second, recent average; 0: not known
  bool line_open_ = false;       ///< a line on a terminal that may be rewritten
  long last_step_ = -1;
};

}  // namespace scree

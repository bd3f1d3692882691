#include "io/output/progress.hpp"

#include <fmt/core.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <iostream>
#include <string>
#include <utility>

#include "io/output/number_format.hpp"
#include "solvers/analysis.hpp"

namespace scree {

Screen standard_screen(int rank) {
  Screen screen;
  screen.clock = [] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
  };
  if (rank != 0) return screen;
  screen.out = &std::cout;
  screen.err = &std::cerr;
  winsize window{};
  // mpirun connects a terminal of width 0 even if the output is a file: it is treated as a file.
  if (::isatty(STDOUT_FILENO) != 0 && ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &window) == 0) {
    screen.terminal_width = window.ws_col;
  }
  return screen;
}

const char* iterations_are(const Model& model) {
  const bool complementarity =
      !traits_of(model.analysis).forces_follow_from_state && model.solver.method == RigidMethod::two_step;
  const bool sweeps =
      traits_of(model.analysis).uses_integrator && model.solver.nonlinear == NonlinearChoice::fixed_point;
  return complementarity ? "LCP iterations" : sweeps ? "sweeps" : "Newton";
}

Progress::Progress(const Model& model, Screen screen) : model_(model), screen_(std::move(screen)) {
  // A run that is interrupted before its first state has a last one all the same.
  start_ = last_report_wall_ = screen_.clock();
}

void Progress::accepted(const AcceptedState& state) {
  if (screen_.out == nullptr) return;
  const double now = screen_.clock();
  if (state.first) start_ = last_report_wall_ = now;
  const bool terminal = screen_.terminal_width > 0;
  const double pause = terminal ? kSecondsBetweenRewrites : kSecondsBetweenLines;
  const bool reported_already = state.step_number == last_step_;
  if (!state.first && !state.last && now - last_report_wall_ < pause) return;
  if (!reported_already) {
    const double left = seconds_remaining(state.time, now);
    const double done = model_.time.end > 0 ? 100 * state.time / model_.time.end : 100;
    // A narrow terminal shows the beginning of the line only: the most important figures come first.
    std::string line =
        fmt::format("t = {:.6g} s ({:.1f} %), elapsed {}", state.time, done, duration_text(now - start_));
    if (state.broken_bonds > 0) line += fmt::format(", {} bonds broken", state.broken_bonds);
    if (left > 0) line += ", remaining " + duration_text(left);
    if (traits_of(model_.analysis).has_load_steps && !state.first)
      line += fmt::format("; load step {}: {} proximal iterations", state.step_number, state.proximal_steps);
    line += fmt::format(
        "; dt {:.2g} s, {} {}, {} contacts; energy [J]: kinetic {:.3g}, potential {:.3g}, elastic "
        "{:.3g}",
        state.step, state.newton_iterations, iterations_are(model_), state.contacts, state.energy.kinetic(),
        state.energy.potential, state.energy.contact + state.energy.friction_elastic);
    if (terminal) {
      // One column stays free: a full line would wrap, and could not be rewritten.
      line.resize(std::min(line.size(), static_cast<std::size_t>(screen_.terminal_width - 1)));
      *screen_.out << '\r' << line << "\x1b[K";
    } else {
      *screen_.out << line << '\n';
    }
    line_open_ = terminal;
  }
  if (state.last && std::exchange(line_open_, false)) *screen_.out << '\n';
  screen_.out->flush();
  last_step_ = state.step_number;
}

double Progress::seconds_remaining(double time, double wall) {
  constexpr double kMemory = 30;  // wall seconds over which the speed is averaged: impacts slow a run down
  const double passed = wall - last_report_wall_;
  if (passed > 0) {
    const double rate = (time - last_report_time_) / passed;
    rate_ = rate_ == 0 ? rate : rate_ + (1 - std::exp(-passed / kMemory)) * (rate - rate_);
  }
  last_report_wall_ = wall;
  last_report_time_ = time;
  return rate_ > 0 ? (model_.time.end - time) / rate_ : 0;
}

}  // namespace scree

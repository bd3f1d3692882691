/// Wall seconds by phase for the summary of a run; PETSc's own log has the details.
#pragma once

#include <mpi.h>

#include <array>
#include <string>
#include <utility>
#include <vector>

namespace scree {

class PhaseClock {
 public:
  enum Phase { search, newton, control, output, rigid, keeping, kPhases };

  class Scope {
   public:
    Scope(PhaseClock& clock, Phase phase) : clock_(clock), phase_(phase), start_(MPI_Wtime()) {
      clock_.count_parts(phase_, -1);
    }
    ~Scope() {
      clock_.count_parts(phase_, 1);
      clock_.seconds_[phase_] += MPI_Wtime() - start_;
    }
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;
    Scope(Scope&&) = delete;
    Scope& operator=(Scope&&) = delete;

   private:
    PhaseClock& clock_;
    Phase phase_;
    double start_;
  };

  PhaseClock() { events_.fill(-1); }

  /// @returns (phase, seconds), the parts of Newton from PETSc's events within its scopes, the rest of
  /// `total` last. Not collective.
  [[nodiscard]] std::vector<std::pair<std::string, double>> seconds(double total) const;

  /// @returns the seconds that states took which are kept in memory, and the ways back to them. Not
  /// collective.
  [[nodiscard]] double kept_states() const { return seconds_[keeping]; }

 private:
  /// Parts of `newton`, then of `rigid`: each an event of PETSc.
  enum Part {
    residual,
    tangent,
    clip,
    set_up,
    krylov,
    impacts,
    impact_solve,  ///< of linear systems, within the one before
    lcp,
    compatible,
    one_step,
    kParts
  };

  /// Adds what PETSc has counted so far for the parts of a phase, times sign: PETSc counts for all runs of
  /// the process, and for the program around them. At the start of a scope with -1, at its end with 1.
  void count_parts(Phase phase, double sign) noexcept;

  std::array<double, kPhases> seconds_{};
  std::array<double, kParts> parts_{};
  std::array<int, kParts> events_{};  ///< PETSc's numbers; negative: not known yet
};

}  // namespace scree

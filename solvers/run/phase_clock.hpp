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
  enum Phase { search, newton, control, output, rigid, kPhases };

  class Scope {
   public:
    Scope(PhaseClock& clock, Phase phase) : clock_(clock), phase_(phase), start_(MPI_Wtime()) {}
    ~Scope() { clock_.seconds_[phase_] += MPI_Wtime() - start_; }
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;
    Scope(Scope&&) = delete;
    Scope& operator=(Scope&&) = delete;

   private:
    PhaseClock& clock_;
    Phase phase_;
    double start_;
  };

  /// @returns (phase, seconds), the parts of Newton from PETSc's events, the rest of `total` last.
  [[nodiscard]] std::vector<std::pair<std::string, double>> seconds(double total) const;

 private:
  std::array<double, kPhases> seconds_{};
};

}  // namespace scree

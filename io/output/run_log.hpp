/// Start block and summary of the log of a run.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <string>
#include <vector>

#include "io/output/progress.hpp"
#include "solvers/model.hpp"
#include "solvers/observer.hpp"

namespace scree {

/// @returns what was read, in lines: bodies by shape, boundaries, materials, loads, steps, output, ranks.
/// @throws std::logic_error after Model::keep_own_block.
std::string header_text(const Model& model, int ranks);

/// @returns the summary of a run, in lines: steps, cuts and limits with their causes, iterations, contacts,
/// energy balance with its error, time by phase, output files.
std::string summary_text(const Model& model, const RunReport& report);

/// @returns (run_report.cpp) the same figures as JSON, for programs. Numbers that are not finite are null.
std::string report_json(const Model& model, const RunReport& report, int ranks);

/// Says the header at the first state and the summary at the end, and leaves the figures in `report.json`.
class RunLog : public Observer {
 public:
  /// @param model must outlive the observer; keep_own_block only after this.
  /// @throws std::logic_error if bodies were released already.
  RunLog(const Model& model, MPI_Comm comm, Screen screen);

  void accepted(const AcceptedState& state) override;
  /// @throws RunError on all ranks if report.json cannot be written. Collective.
  void finished(const RunReport& report) override;

 private:
  /// Prints those that were not printed yet to standard error.
  void warn(const std::vector<Warning>& warnings);

  const Model& model_;
  MPI_Comm comm_;
  Screen screen_;
  int rank_ = 0, ranks_ = 1;
  std::string header_;      ///< made while the model knows all bodies
  std::size_t warned_ = 0;  ///< warnings that were printed
  bool began_ = false;      ///< a state was shown: the folder of results is that of this run
};

}  // namespace scree

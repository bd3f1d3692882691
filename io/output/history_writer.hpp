/// Histories: one CSV row per sampled state, of the system, of a body, a boundary or an outlet.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "io/output/checked_file.hpp"
#include "io/output/cursors.hpp"
#include "io/output/sampling.hpp"
#include "solvers/model.hpp"
#include "solvers/observer.hpp"

namespace scree {

/// Names of the columns that a history of the whole system may have, in the order of the documentation.
/// "step" is the size of the step [s]; total = kinetic + potential + contact + friction_elastic + bond +
/// near_field.
const std::vector<std::string>& system_columns();

/// @returns whether a column is of contact dynamics: it has no meaning in another analysis.
bool is_rigid_column(const std::string& system_column);

/// Those that a history has that names none: without the columns of contact dynamics in other analyses,
/// without those of inlets and outlets in a deck without them, and without the degree of indeterminacy, which
/// costs more than the others.
std::vector<std::string> usual_system_columns(const Model& model);

/// Columns of a body: state of the pole, and force and moment (about the pole) by contact and bonds, global
/// axes.
const std::vector<std::string>& body_columns();

/// Columns of a boundary: force by contact, moment about the origin, and its reference point; of
/// a coupled boundary the mean of its surface.
const std::vector<std::string>& boundary_columns();

/// Columns of an outlet: number and mass of the bodies that have left through it.
const std::vector<std::string>& outlet_columns();

/// @returns the columns that there are for a subject.
const std::vector<std::string>& columns_of(HistoryDescription::Subject subject);

/// Finds more histories than a process may have open files: each history has one to the end of the run.
/// @param most files that it may have open. @param faults gets the error.
void check_open_files(const Model& model, double most, std::vector<Diagnostic>& faults);

/// @returns the mean place [m] and velocity [m/s] of a coupled boundary, over its area.
std::pair<Vec3, Vec3> mean_of_surface(const AcceptedState& state, int boundary);

/// Writes the histories of `model.output`. Rank 0 writes; the owners of bodies send their rows in one
/// reduction.
class HistoryWriter : public Observer, public ContinuedOutput {
 public:
  /// @param model must outlive the writer; its columns have been validated.
  /// @throws InputError if a column is unknown for its subject (where = JSON pointer).
  HistoryWriter(const Model& model, MPI_Comm comm);

  /// Writes a row to each history that is due. The files are opened, and emptied, at the first call.
  /// @throws RunError on all ranks if a row cannot be written. Collective.
  void accepted(const AcceptedState& state) override;
  void add_cursors(OutputCursors& cursors) const override;
  void continue_from(const OutputCursors& cursors) override;

 private:
  struct History {
    const HistoryDescription* description;
    std::vector<std::size_t> columns;  ///< positions in the list of the subject's columns
    Sampling sampling;
    std::unique_ptr<GrowingFile> file;  ///< rank 0 only
    OutputCursor kept;
  };

  void append_row(const History& history, const std::vector<double>& values) const;

  const Model& model_;
  MPI_Comm comm_;
  int rank_ = 0;
  std::vector<History> histories_;
};

}  // namespace scree

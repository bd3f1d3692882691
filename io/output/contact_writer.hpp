/// Contacts of sampled states as CSV: contacts.000000.csv, ... and contacts_index.csv (file, time).
#pragma once

#include <mpi.h>

#include <memory>
#include <string>

#include "io/output/checked_file.hpp"
#include "io/output/cursors.hpp"
#include "io/output/results_folder.hpp"
#include "io/output/sampling.hpp"
#include "solvers/model.hpp"
#include "solvers/observer.hpp"

namespace scree {

/// Rows are sorted by (body_a, body_b, x, y, z), so that the order does not depend on the number of ranks.
/// Contacts go to rank 0 by runs of body ids; no rank holds all of them.
class ContactWriter : public Observer, public ContinuedOutput {
 public:
  /// @param model must outlive the writer.
  /// @param results must outlive the writer.
  ContactWriter(const Model& model, MPI_Comm comm, ResultsFolder& results);

  /// Writes the contacts if a state is due. A file that is not complete and in the index is removed; the
  /// state is then still due.
  /// @throws RunError on all ranks if a file cannot be written. @throws Interrupted on all ranks. Collective.
  void accepted(const AcceptedState& state) override;
  void add_cursors(OutputCursors& cursors) const override { cursors.series[kContactFiles] = kept_; }
  void continue_from(const OutputCursors& cursors) override;

 private:
  void write(const AcceptedState& state, const std::string& path);
  /// Removes what was written of a state; it is due again. @param sampling, index_size before it [bytes]; -1:
  /// there was no index.
  void take_back(const std::string& path, const Sampling& sampling, long index_size);

  const Model& model_;
  MPI_Comm comm_;
  ResultsFolder& results_;
  int rank_ = 0;
  Sampling sampling_;
  long files_ = 0;
  std::unique_ptr<GrowingFile> index_;  ///< rank 0 only
  bool is_whole_ = false;               ///< the file of this state; rank 0 only
  OutputCursor kept_;
};

}  // namespace scree

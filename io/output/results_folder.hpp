/// The output directory: what a run may do to it, which files of earlier runs it replaces, and the list of
/// those that it writes itself.
#pragma once

#include <mpi.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "io/output/cursors.hpp"
#include "io/output/output_volume.hpp"
#include "io/output/results_list.hpp"
#include "solvers/model.hpp"
#include "solvers/observer.hpp"

namespace scree {

/// What stands in the output directory before a run. Names are relative to it.
struct FolderContent {
  std::vector<Diagnostic> faults;      ///< why the run is refused; where = JSON pointer
  std::vector<std::string> replaced;   ///< files of earlier runs that this run removes
  std::vector<std::string> folders;    ///< folders of those runs, removed if they are empty then
  std::vector<ListedRun> kept;         ///< what the list keeps of earlier runs
  std::vector<std::string> untouched;  ///< what else is there, at the top and beside replaced files
  std::uintmax_t replaced_bytes = 0;   ///< that `replaced` takes
};

/// Looks at the output directory and changes nothing. A run replaces listed files: all of an earlier run of
/// the same deck, and those of other decks that it writes itself. Neither files that no run has listed, nor
/// what the deck reads, nor anything through a link are ever written.
FolderContent inspect_folder(const Model& model);

/// What the check of the output has to say.
struct OutputCheck {
  std::vector<std::string> notes;
  std::vector<Diagnostic> warnings;
};

/// Checks all that the run will write, changes nothing: names, output directory, trace, room on the disk.
/// Not collective, for one rank. @param ranks of the run.
/// @throws InputError with everything that is wrong (where = JSON pointer).
OutputCheck check_output(const Model& model, int ranks);

/// Proves that the files of the run can be written: creates folders and a file, and removes them again.
/// @throws InputError on all ranks (where = JSON pointer of the folder or file), with the system's reason.
/// Collective over comm.
void probe_results_folder(const Model& model, MPI_Comm comm);

/// The output directory of a run that writes: the first of its observers. Replaces files of earlier runs at
/// the first accepted state; until then nothing is touched. Keeps room on the disk for the last state and the
/// report, and ends the run when the next output would not fit beside it.
class ResultsFolder : public Observer, public ContinuedOutput {
 public:
  /// @param model must outlive the observer; it may be cut.
  ResultsFolder(const Model& model, MPI_Comm comm);
  ~ResultsFolder() override;

  /// @throws RunError on all ranks. Collective.
  void accepted(const AcceptedState& state) override;
  /// Gives the room of the last state free; that of the report with finished().
  std::string rescue(const AcceptedState& state) override;
  void finished(const RunReport& report) override;

  void add_cursors(OutputCursors& /*cursors*/) const override {}
  /// Takes over the folder of a run that ended or was killed: removes what it wrote later, and what it left
  /// when it ended.
  void continue_from(const OutputCursors& cursors) override;

  /// Keeps more room than it did [bytes]: for a checkpoint.
  void note_checkpoint(double bytes) { checkpoint_bytes_ = std::max(checkpoint_bytes_, bytes); }

  /// Lists files that the run is about to create, beside those whose names are known beforehand. For rank 0.
  /// @throws RunError (file and reason).
  void add(const std::vector<std::string>& files);

 private:
  void begin();
  /// @param reserve that has to be free [bytes].
  void check_room(double reserve);
  [[noreturn]] void throw_full(double reserve) const;
  /// Keeps so much room, or at least tries to: what the file system cannot do is left. @throws RunError if
  /// the disk is full.
  void reserve(double bytes);
  /// Gives back what is kept beyond so much.
  void release(double bytes);

  const Model& model_;
  MPI_Comm comm_;
  int rank_ = 0;
  StateBytes bytes_per_state_;
  double checkpoint_bytes_ = 0;  ///< of a checkpoint, about
  double reserved_ = 0;          ///< that the reserve file holds [bytes]
  std::unique_ptr<ResultsList> list_;
};

}  // namespace scree

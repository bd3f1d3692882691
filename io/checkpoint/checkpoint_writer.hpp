/// Checkpoints of a run: when they are due, and what they hold.
#pragma once

#include <mpi.h>

#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/types.hpp"
#include "io/output/cursors.hpp"
#include "io/output/results_folder.hpp"
#include "io/output/sampling.hpp"
#include "solvers/model.hpp"
#include "solvers/time_loop.hpp"

namespace scree {

/// Writes checkpoint.000000.h5, ... into the output directory, each whole or not at all, and removes all but
/// the last `keep`. The running simulation continues from a state that it has saved (Simulation::save), so
/// that one that is continued from the file takes the same steps, to the bit.
class CheckpointWriter : public StateKeeper {
 public:
  /// @param model, observers outlive the writer. @param petsc_options of the command line.
  CheckpointWriter(const Model& model, MPI_Comm comm, std::vector<std::string> petsc_options,
                   const std::vector<std::unique_ptr<Observer>>& observers);

  /// @param of @returns the forces on the vertices of a coupled boundary that the partner has got for the
  /// accepted state [N], by index into Model::boundaries; nothing: there is no partner.
  void set_coupled_forces(std::function<std::vector<Vec3>(int boundary)> of) {
    coupled_forces_ = std::move(of);
  }

  void accepted(Simulation& simulation, const AcceptedState& state) override;
  std::string rescue(Simulation& simulation) override;

  /// Continues all outputs where a checkpoint left them, and cuts off what was written later. @param step of
  /// that checkpoint. Collective. @throws RunError on all ranks.
  void continue_from(const OutputCursors& cursors, long step);

 private:
  void note_size(double bytes);
  void remove_old_files();
  [[nodiscard]] bool is_due(const AcceptedState& state);
  [[nodiscard]] OutputCursors where_outputs_stand() const;
  /// @returns the file. @throws RunError on all ranks.
  std::string write(Simulation& simulation, OutputCursors cursors);

  const Model& model_;
  MPI_Comm comm_;
  int rank_ = 0, ranks_ = 1;
  std::vector<std::string> petsc_options_;
  std::string deck_path_, files_;  ///< as in checkpoint::Head
  std::function<std::vector<Vec3>(int boundary)> coupled_forces_;
  std::vector<ContinuedOutput*> outputs_;
  ResultsFolder* folder_ = nullptr;
  Sampling sampling_;
  double last_wall_;        ///< wall-clock time of the last one [s]
  long last_step_ = -1;     ///< of the last one
  OutputCursors cursors_;   ///< after the last state that all outputs took
  bool has_state_ = false;  ///< there was one
  OutputCursor regular_;    ///< of the checkpoints themselves
  long files_so_far_ = 0;
  std::deque<long> written_;  ///< numbers of the files that are there
};

}  // namespace scree

#include "io/checkpoint/checkpoint_writer.hpp"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include "core/error.hpp"
#include "core/interrupt.hpp"
#include "io/checkpoint/columns.hpp"
#include "io/checkpoint/hdf5_file.hpp"
#include "io/checkpoint/restart.hpp"
#include "io/collective.hpp"
#include "io/command_line.hpp"
#include "io/output/output_names.hpp"
#include "io/output/output_volume.hpp"

namespace scree {

namespace fs = std::filesystem;

CheckpointWriter::CheckpointWriter(const Model& model, MPI_Comm comm, std::vector<std::string> petsc_options,
                                   const std::vector<std::unique_ptr<Observer>>& observers)
    : model_(model),
      comm_(comm),
      petsc_options_(std::move(petsc_options)),
      sampling_(model.output.checkpoint.every),
      last_wall_(MPI_Wtime()) {
  MPI_Comm_rank(comm_, &rank_);
  MPI_Comm_size(comm_, &ranks_);
  std::error_code error;
  // Not that of deck_file: a continued run may have been started in another folder.
  deck_path_ = fs::absolute(model.files_read.front(), error).string();
  together(comm_, [&] {
    if (rank_ == 0) files_ = checkpoint::hashes_of_files(model);
  });
  for (const auto& observer : observers) {
    if (auto* output = dynamic_cast<ContinuedOutput*>(observer.get())) outputs_.push_back(output);
    if (auto* folder = dynamic_cast<ResultsFolder*>(observer.get())) folder_ = folder;
  }
  if (folder_ == nullptr) throw std::logic_error("CheckpointWriter: there is no results folder");
  note_size(checkpoint_bytes(model.body_count()));
}

void CheckpointWriter::note_size(double bytes) {
  // Where a missing checkpoint does not end the run, neither does a disk that has no room for one.
  if (!model_.output.checkpoint.continue_on_failure) folder_->note_checkpoint(bytes);
}

OutputCursors CheckpointWriter::where_outputs_stand() const {
  OutputCursors cursors;
  for (const ContinuedOutput* output : outputs_) output->add_cursors(cursors);
  return cursors;
}

bool CheckpointWriter::is_due(const AcceptedState& state) {
  const bool by_time = sampling_.due(state) && sampling_.reached();
  int by_clock = 0;
  if (const double pause = model_.output.checkpoint.wall_clock; pause > 0) {
    by_clock = MPI_Wtime() - last_wall_ >= pause ? 1 : 0;
    MPI_Bcast(&by_clock, 1, MPI_INT, 0, comm_);
  }
  if (state.step_number == last_step_) return false;
  // At the start the deck is all that is needed.
  return state.last || ((by_time || by_clock != 0) && state.step_number > 0);
}

void CheckpointWriter::accepted(Simulation& simulation, const AcceptedState& state) {
  const bool due = is_due(state);
  if (sampling_.reached()) regular_ = {sampling_.next(), sampling_.last_step(), 0, -1};
  cursors_ = where_outputs_stand();
  has_state_ = true;
  if (!due) return;
  last_step_ = state.step_number;
  try {
    write(simulation, cursors_);
  } catch (const RunError& error) {
    if (!model_.output.checkpoint.continue_on_failure) throw;
    simulation.warnings().raise(
        {"checkpoint_failed", "/output/checkpoint", std::string(error.what()), simulation.time()});
  }
  last_wall_ = MPI_Wtime();
}

std::string CheckpointWriter::rescue(Simulation& simulation) {
  if (!has_state_) return "";  // nothing was written yet
  return write(simulation, cursors_);
}

std::string CheckpointWriter::write(Simulation& simulation, OutputCursors cursors) {
  const InterruptShield shield;  // a simulation that is being rebuilt cannot be left
  const long number = files_so_far_++;
  const fs::path file = fs::path(model_.output.directory) / checkpoint_name(number);
  together(comm_, [&] {
    if (rank_ == 0) folder_->add({checkpoint_name(number)});
  });
  simulation.save();
  checkpoint::ColumnWriter common, own;
  simulation.write(common, own);
  regular_.files = files_so_far_;
  cursors.series[kCheckpoints] = regular_;
  common("output", cursors, "");
  common("names", checkpoint::StateNames(model_), "");
  checkpoint::CoupledMeshes meshes(model_);
  if (!meshes.surfaces.empty()) {
    if (coupled_forces_)
      for (checkpoint::CoupledMesh& mesh : meshes.surfaces) mesh.forces = coupled_forces_(mesh.boundary);
    common("coupling", meshes, "");
  }
  if (rank_ != 0) common.clear_rows();
  checkpoint::Head head;
  head.program = kVersion;
  head.ranks = ranks_;
  head.time = simulation.time();
  head.step = simulation.steps();
  head.at_end = simulation.finished();
  head.deck_file = model_.deck_file;
  head.deck_path = deck_path_;
  head.deck = model_.deck_text;
  head.files = files_;
  for (const std::string& word : petsc_options_) head.options += word + '\n';
  checkpoint::write_file(file, head, common.columns(), own.columns(), comm_);
  together(comm_, [&] {
    if (rank_ != 0) return;
    std::error_code ignored;
    constexpr double kLarger = 1.2;  // the next one, with more contacts
    note_size(kLarger * static_cast<double>(fs::file_size(file, ignored)));
    written_.push_back(number);
    remove_old_files();
  });
  return file.string();
}

void CheckpointWriter::remove_old_files() {
  std::error_code ignored;  // one that stays is no harm
  while (std::ssize(written_) > model_.output.checkpoint.keep) {
    fs::remove(fs::path(model_.output.directory) / checkpoint_name(written_.front()), ignored);
    written_.pop_front();
  }
}

void CheckpointWriter::continue_from(const OutputCursors& cursors, long step) {
  cursors_ = cursors;
  has_state_ = true;
  last_step_ = step;
  regular_ = cursors.of(kCheckpoints);
  files_so_far_ = regular_.files;
  sampling_.continue_from(regular_.next, regular_.last_step);
  for (ContinuedOutput* output : outputs_) output->continue_from(cursors);
  if (rank_ != 0) return;
  for (const checkpoint::NumberedPath& file : checkpoint::files_in(model_.output.directory))
    written_.push_front(file.number);  // newest first there
  remove_old_files();
}

}  // namespace scree

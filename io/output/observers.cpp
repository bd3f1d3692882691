#include "io/output/observers.hpp"

#include <utility>

#include "io/output/contact_writer.hpp"
#include "io/output/history_writer.hpp"
#include "io/output/progress.hpp"
#include "io/output/results_folder.hpp"
#include "io/output/run_log.hpp"
#include "io/output/state_writer.hpp"
#include "io/output/trace_writer.hpp"
#include "io/output/vtk_writer.hpp"

namespace scree {

std::vector<std::unique_ptr<Observer>> make_observers(const Model& model, MPI_Comm comm) {
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  const Screen screen = standard_screen(rank);
  std::vector<std::unique_ptr<Observer>> observers;
  auto owned_folder = std::make_unique<ResultsFolder>(model, comm);
  ResultsFolder& results = *owned_folder;
  observers.push_back(std::move(owned_folder));
  observers.push_back(std::make_unique<RunLog>(model, comm, screen));
  // The state first: when the disk is nearly full, it is what the run can be continued from.
  observers.push_back(std::make_unique<StateWriter>(model, comm));
  observers.push_back(std::make_unique<HistoryWriter>(model, comm));
  if (model.output.contacts_every >= 0)
    observers.push_back(std::make_unique<ContactWriter>(model, comm, results));
  if (model.output.vtk_every >= 0) observers.push_back(std::make_unique<VtkWriter>(model, comm, results));
  if (auto trace = TraceWriter::from_environment(comm)) observers.push_back(std::move(trace));
  observers.push_back(std::make_unique<Progress>(model, screen));
  return observers;
}

}  // namespace scree

#include "io/collective.hpp"

#include <cstdint>
#include <exception>

#include "assembly/gather.hpp"
#include "core/interrupt.hpp"

namespace scree {

void together(MPI_Comm comm, const std::function<void()>& work) {
  std::string failure;
  int of_input = 0;
  try {
    work();
  } catch (const Interrupted&) {  // known to interrupt_requested()
  } catch (const std::exception& error) {
    failure = error.what();
    if (dynamic_cast<const InputError*>(&error) != nullptr) of_input = 1;
    if (failure.empty()) failure = "unknown output failure";
  }
  int rank = 0, ranks = 1;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &ranks);
  int failed = failure.empty() ? ranks : rank;
  int least[2] = {failed, interrupt_requested() ? 0 : 1};
  MPI_Allreduce(MPI_IN_PLACE, least, 2, MPI_INT, MPI_MIN, comm);
  failed = least[0];
  if (failed == ranks && least[1] == 0) throw Interrupted();
  if (failed == ranks) return;
  broadcast(comm, failed, failure);
  MPI_Bcast(&of_input, 1, MPI_INT, failed, comm);
  if (of_input != 0) throw InputError("", failure);
  throw RunError(failure);
}

BodyId next_run(BodyId mine, MPI_Comm comm) {
  static_assert(sizeof(BodyId) == sizeof(std::int64_t));
  MPI_Allreduce(MPI_IN_PLACE, &mine, 1, MPI_INT64_T, MPI_MIN, comm);
  return mine;
}

}  // namespace scree

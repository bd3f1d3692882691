#include "io/collective.hpp"

#include <cstdint>
#include <exception>

namespace scree {

void together(MPI_Comm comm, const std::function<void()>& work) {
  std::string failure;
  try {
    work();
  } catch (const std::exception& error) {
    failure = error.what();
    if (failure.empty()) failure = "unknown failure of output";
  }
  int rank = 0, ranks = 1;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &ranks);
  int failed = failure.empty() ? ranks : rank;
  MPI_Allreduce(MPI_IN_PLACE, &failed, 1, MPI_INT, MPI_MIN, comm);
  if (failed == ranks) return;
  auto length = static_cast<unsigned long>(failure.size());
  MPI_Bcast(&length, 1, MPI_UNSIGNED_LONG, failed, comm);
  failure.resize(length);
  MPI_Bcast(failure.data(), static_cast<int>(length), MPI_CHAR, failed, comm);
  throw RunError(failure);
}

BodyId next_run(BodyId mine, MPI_Comm comm) {
  static_assert(sizeof(BodyId) == sizeof(std::int64_t));
  MPI_Allreduce(MPI_IN_PLACE, &mine, 1, MPI_INT64_T, MPI_MIN, comm);
  return mine;
}

}  // namespace scree

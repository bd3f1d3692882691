#include "assembly/gather.hpp"

#include <cstdint>
#include <limits>
#include <string>

#include "core/error.hpp"

namespace scree {

GatherLayout gather_layout(std::size_t mine, MPI_Comm comm) {
  int ranks = 1;
  MPI_Comm_size(comm, &ranks);
  std::vector<std::int64_t> counts(static_cast<std::size_t>(ranks));
  const auto own = static_cast<std::int64_t>(mine);
  MPI_Allgather(&own, 1, MPI_INT64_T, counts.data(), 1, MPI_INT64_T, comm);
  std::int64_t total = 0;
  for (const std::int64_t count : counts) total += count;
  constexpr std::int64_t kMost = std::numeric_limits<int>::max();
  if (total > kMost)
    throw RunError("gathering " + std::to_string(total) + " items of all ranks in one message: MPI takes " +
                   std::to_string(kMost) + " at most.");
  GatherLayout layout;
  layout.total = static_cast<std::size_t>(total);
  int offset = 0;
  for (const std::int64_t count : counts) {
    layout.offsets.push_back(offset);
    layout.counts.push_back(static_cast<int>(count));
    offset += static_cast<int>(count);
  }
  return layout;
}

void broadcast(MPI_Comm comm, int from, std::string& text) {
  auto length = static_cast<unsigned long>(text.size());
  MPI_Bcast(&length, 1, MPI_UNSIGNED_LONG, from, comm);
  text.resize(length);
  MPI_Bcast(text.data(), static_cast<int>(length), MPI_CHAR, from, comm);
}

}  // namespace scree

/// Items of all ranks in one list, with counts that MPI can hold.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <string>
#include <type_traits>
#include <vector>

namespace scree {

/// Where the items of each rank stand in a list of all: MPI counts them with `int`.
struct GatherLayout {
  std::vector<int> counts, offsets;
  std::size_t total = 0;
};

/// @param mine number of items of this rank. @throws RunError on all ranks if there are 2^31 or more.
/// Collective.
GatherLayout gather_layout(std::size_t mine, MPI_Comm comm);

/// An MPI type for one item; freed with it.
class ItemType {
 public:
  explicit ItemType(std::size_t bytes) {
    MPI_Type_contiguous(static_cast<int>(bytes), MPI_BYTE, &type_);
    MPI_Type_commit(&type_);
  }
  ~ItemType() { MPI_Type_free(&type_); }
  ItemType(const ItemType&) = delete;
  ItemType& operator=(const ItemType&) = delete;
  [[nodiscard]] MPI_Datatype get() const { return type_; }

 private:
  MPI_Datatype type_ = MPI_DATATYPE_NULL;
};

/// @returns on rank 0 the items of all ranks in order of rank, elsewhere nothing. @throws RunError on all
/// ranks if there are 2^31 or more. Collective.
template <class T>
std::vector<T> gather_to_root(const std::vector<T>& mine, MPI_Comm comm) {
  static_assert(std::is_trivially_copyable_v<T>);
  const GatherLayout layout = gather_layout(mine.size(), comm);
  if (layout.counts.size() == 1) return mine;
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  std::vector<T> all(rank == 0 ? layout.total : 0);
  const ItemType item(sizeof(T));
  MPI_Gatherv(mine.data(), layout.counts[rank], item.get(), all.data(), layout.counts.data(),
              layout.offsets.data(), item.get(), 0, comm);
  return all;
}

/// The same, on all ranks.
template <class T>
std::vector<T> gather_to_all(const std::vector<T>& mine, MPI_Comm comm) {
  static_assert(std::is_trivially_copyable_v<T>);
  const GatherLayout layout = gather_layout(mine.size(), comm);
  if (layout.counts.size() == 1) return mine;
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  std::vector<T> all(layout.total);
  const ItemType item(sizeof(T));
  MPI_Allgatherv(mine.data(), layout.counts[rank], item.get(), all.data(), layout.counts.data(),
                 layout.offsets.data(), item.get(), comm);
  return all;
}

/// Gives all ranks the text of one. @param[in,out] text of the rank `from`. Collective.
void broadcast(MPI_Comm comm, int from, std::string& text);

}  // namespace scree

#include "assembly/exchange.hpp"

#include <algorithm>
#include <cstdint>

#include "assembly/petsc.hpp"

namespace scree {
namespace {

/// MPI counts bytes with `int`: larger messages go in pieces.
constexpr std::size_t kLargestPiece = std::size_t{1} << 30;

/// Calls `transfer(begin, count)` for each piece of a message; an empty one is one piece.
template <class Bytes, class Transfer>
void in_pieces(Bytes& bytes, Transfer&& transfer) {
  for (std::size_t at = 0;; at += kLargestPiece) {
    const std::size_t left = bytes.size() - at;
    transfer(bytes.data() + at, static_cast<int>(std::min(left, kLargestPiece)));
    if (left <= kLargestPiece) return;
  }
}

}  // namespace

void exchange_known_parcels(MPI_Comm comm, const std::vector<Parcel>& outgoing,
                            std::vector<Parcel>& incoming) {
  // A tag of PETSc's own for each round: messages of consecutive rounds cannot be taken for each other.
  MPI_Comm inner = MPI_COMM_NULL;
  PetscMPIInt tag = 0;
  petsc::check(PetscCommDuplicate(comm, &inner, &tag), "preparing messages between ranks");
  std::vector<MPI_Request> requests;
  requests.reserve(incoming.size() + outgoing.size());
  for (Parcel& parcel : incoming)
    in_pieces(parcel.bytes, [&](std::byte* begin, int count) {
      MPI_Irecv(begin, count, MPI_BYTE, parcel.rank, tag, inner, &requests.emplace_back());
    });
  for (const Parcel& parcel : outgoing)
    in_pieces(parcel.bytes, [&](const std::byte* begin, int count) {
      MPI_Isend(begin, count, MPI_BYTE, parcel.rank, tag, inner, &requests.emplace_back());
    });
  MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
  petsc::check(PetscCommDestroy(&inner), "ending messages between ranks");
}

std::vector<Parcel> exchange_parcels(MPI_Comm comm, const std::vector<Parcel>& parcels) {
  int ranks = 1;
  MPI_Comm_size(comm, &ranks);
  if (ranks == 1) return parcels;

  std::vector<PetscMPIInt> receivers;
  std::vector<std::int64_t> counts;
  for (const Parcel& parcel : parcels) {
    receivers.push_back(parcel.rank);
    counts.push_back(static_cast<std::int64_t>(parcel.bytes.size()));
  }
  PetscMPIInt senders = 0;
  PetscMPIInt* sender = nullptr;
  void* announced = nullptr;
  petsc::check(PetscCommBuildTwoSided(comm, 1, MPI_INT64_T, static_cast<PetscMPIInt>(receivers.size()),
                                      receivers.data(), counts.data(), &senders, &sender,
                                      static_cast<void*>(&announced)),
               "announcing messages between ranks");
  std::vector<Parcel> incoming(senders);
  for (int k = 0; k < senders; ++k) {
    incoming[k].rank = sender[k];
    incoming[k].bytes.resize(static_cast<std::size_t>(static_cast<const std::int64_t*>(announced)[k]));
  }
  petsc::check(PetscFree(sender), "announcing messages between ranks");
  petsc::check(PetscFree(announced), "announcing messages between ranks");
  // They are announced as they come; sorted, the same run gives the same bits.
  std::ranges::sort(incoming, {}, &Parcel::rank);
  exchange_known_parcels(comm, parcels, incoming);
  return incoming;
}

}  // namespace scree

#include "assembly/exchange.hpp"

#include <algorithm>
#include <limits>
#include <string>

#include "assembly/petsc.hpp"
#include "core/error.hpp"

namespace scree {
namespace {

int byte_count(const Parcel& parcel) {
  if (parcel.bytes.size() > static_cast<std::size_t>(std::numeric_limits<int>::max()))
    throw RunError("a message to rank " + std::to_string(parcel.rank) + " exceeds 2 GB; use more ranks");
  return static_cast<int>(parcel.bytes.size());
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
    MPI_Irecv(parcel.bytes.data(), byte_count(parcel), MPI_BYTE, parcel.rank, tag, inner,
              &requests.emplace_back());
  for (const Parcel& parcel : outgoing)
    MPI_Isend(parcel.bytes.data(), byte_count(parcel), MPI_BYTE, parcel.rank, tag, inner,
              &requests.emplace_back());
  MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
  petsc::check(PetscCommDestroy(&inner), "ending messages between ranks");
}

std::vector<Parcel> exchange_parcels(MPI_Comm comm, const std::vector<Parcel>& parcels) {
  int ranks = 1;
  MPI_Comm_size(comm, &ranks);
  if (ranks == 1) return parcels;

  std::vector<PetscMPIInt> receivers;
  std::vector<int> counts;
  for (const Parcel& parcel : parcels) {
    receivers.push_back(parcel.rank);
    counts.push_back(byte_count(parcel));
  }
  PetscMPIInt senders = 0;
  PetscMPIInt* sender = nullptr;
  void* announced = nullptr;
  petsc::check(
      PetscCommBuildTwoSided(comm, 1, MPI_INT, static_cast<PetscMPIInt>(receivers.size()), receivers.data(),
                             counts.data(), &senders, &sender, static_cast<void*>(&announced)),
      "announcing messages between ranks");
  std::vector<Parcel> incoming(senders);
  for (int k = 0; k < senders; ++k) {
    incoming[k].rank = sender[k];
    incoming[k].bytes.resize(static_cast<const int*>(announced)[k]);
  }
  petsc::check(PetscFree(sender), "announcing messages between ranks");
  petsc::check(PetscFree(announced), "announcing messages between ranks");
  // They are announced as they come; sorted, the same run gives the same bits.
  std::ranges::sort(incoming, {}, &Parcel::rank);
  exchange_known_parcels(comm, parcels, incoming);
  return incoming;
}

}  // namespace scree

#include "assembly/dof_map.hpp"

#include <algorithm>
#include <array>
#include <climits>
#include <map>
#include <stdexcept>
#include <string>

#include "assembly/exchange.hpp"
#include "assembly/ghosted_vec.hpp"
#include "core/error.hpp"

namespace scree {
namespace {

/// Smallest and largest size over all entities of all ranks as a common size, 0 if they differ or there are
/// none.
int common_size(MPI_Comm comm, const std::vector<int>& sizes) {
  std::array<int, 2> bounds{-INT_MAX, -INT_MAX};  // largest of -size and of size
  for (const int n : sizes) bounds = {std::max(bounds[0], -n), std::max(bounds[1], n)};
  MPI_Allreduce(MPI_IN_PLACE, bounds.data(), 2, MPI_INT, MPI_MAX, comm);
  return bounds[1] == -bounds[0] && bounds[1] > 0 ? bounds[1] : 0;
}

struct GhostAnswer {
  PetscInt first_unknown = 0;
  int size = 0;
};

}  // namespace

DofMap::DofMap(MPI_Comm comm, int owned, const std::vector<int>& sizes,
               const std::vector<RemoteEntity>& ghosts)
    : comm_(comm), owned_(owned), offset_(sizes.size() + 1, 0), first_unknown_(sizes.size(), 0) {
  if (owned < 0 || static_cast<std::size_t>(owned) + ghosts.size() != sizes.size())
    throw std::invalid_argument("DofMap: owned entities and ghosts do not add up to the sizes given");
  static const petsc::LogEvent event("ScreeDofMap");
  const petsc::LogScope scope(event);
  for (std::size_t i = 0; i < sizes.size(); ++i) offset_[i + 1] = offset_[i] + sizes[i];
  uniform_block_ = common_size(comm, sizes);

  owned_unknowns_ = offset_[owned];
  long long before = 0;
  long long mine = owned_unknowns_;
  long long total = 0;
  MPI_Exscan(&mine, &before, 1, MPI_LONG_LONG, MPI_SUM, comm);
  MPI_Allreduce(&mine, &total, 1, MPI_LONG_LONG, MPI_SUM, comm);
  if (total > static_cast<long long>(PETSC_MAX_INT))
    throw RunError(std::to_string(total) + " unknowns exceed PETSc's integers; build it with 64-bit indices");
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  first_owned_ = rank == 0 ? 0 : static_cast<PetscInt>(before);
  global_unknowns_ = static_cast<PetscInt>(total);
  for (int i = 0; i < owned; ++i) first_unknown_[i] = first_owned_ + offset_[i];

  int any_ghosts = ghosts.empty() ? 0 : 1;
  MPI_Allreduce(MPI_IN_PLACE, &any_ghosts, 1, MPI_INT, MPI_MAX, comm);
  has_ghosts_ = any_ghosts != 0;
  if (has_ghosts_) {
    number_ghosts(ghosts);
    create_ghosted();
  }
}

void DofMap::number_ghosts(const std::vector<RemoteEntity>& ghosts) {
  std::map<int, std::vector<int>> ghosts_of;  // owner -> positions in ghosts
  for (std::size_t k = 0; k < ghosts.size(); ++k) ghosts_of[ghosts[k].rank].push_back(static_cast<int>(k));
  std::vector<Parcel> questions;
  for (const auto& [rank, positions] : ghosts_of) {
    Parcel& parcel = questions.emplace_back(Parcel{rank, {}});
    for (const int k : positions) ByteWriter(parcel.bytes).put(ghosts[k].index);
  }

  std::vector<Parcel> answers;
  for (const Parcel& question : exchange_parcels(comm_, questions)) {
    Parcel& answer = answers.emplace_back(Parcel{question.rank, {}});
    for (ByteReader reader(question.bytes); !reader.done();) {
      const int index = reader.next<int>();
      const bool known = index >= 0 && index < owned_;  // size -1: the receiver throws
      ByteWriter(answer.bytes)
          .put(known ? GhostAnswer{first_unknown_[index], size_of(index)} : GhostAnswer{0, -1});
    }
  }

  std::vector<Parcel> replies;
  replies.reserve(ghosts_of.size());
  for (const auto& [rank, positions] : ghosts_of)
    replies.push_back({rank, std::vector<std::byte>(positions.size() * sizeof(GhostAnswer))});
  exchange_known_parcels(comm_, answers, replies);
  auto reply = replies.begin();
  std::string wrong;
  for (const auto& [rank, positions] : ghosts_of) {
    ByteReader reader((reply++)->bytes);
    for (const int k : positions) {
      const auto answer = reader.next<GhostAnswer>();
      first_unknown_[owned_ + k] = answer.first_unknown;
      if (answer.size != size_of(owned_ + k))
        wrong = "ghost " + std::to_string(k) + " has " + std::to_string(size_of(owned_ + k)) +
                " unknowns here and " + std::to_string(answer.size) + " on rank " + std::to_string(rank);
    }
  }
  int any_wrong = wrong.empty() ? 0 : 1;
  MPI_Allreduce(MPI_IN_PLACE, &any_wrong, 1, MPI_INT, MPI_MAX, comm_);
  if (any_wrong != 0)
    throw RunError(wrong.empty() ? "ghosts do not fit their owners on another rank" : wrong);
}

void DofMap::create_ghosted() {
  std::vector<PetscInt> numbers;
  if (uniform_block_ > 0) {
    for (int i = owned_; i < entities(); ++i) numbers.push_back(first_unknown_[i] / uniform_block_);
    petsc::check(VecCreateGhostBlock(comm_, uniform_block_, owned_unknowns_, global_unknowns_,
                                     static_cast<PetscInt>(numbers.size()), numbers.data(), ghosted_.put()),
                 "creating a vector with ghosts");
    return;
  }
  for (int i = owned_; i < entities(); ++i)
    for (int k = 0; k < size_of(i); ++k) numbers.push_back(first_unknown_[i] + k);
  petsc::check(VecCreateGhost(comm_, owned_unknowns_, global_unknowns_, static_cast<PetscInt>(numbers.size()),
                              numbers.data(), ghosted_.put()),
               "creating a vector with ghosts");
}

petsc::VecHandle DofMap::create_vector() const {
  constexpr const char* kDoing = "creating a vector";
  petsc::VecHandle vec;
  petsc::check(VecCreate(comm_, vec.put()), kDoing);
  petsc::check(VecSetSizes(vec, owned_unknowns_, global_unknowns_), kDoing);
  if (uniform_block_ > 0) petsc::check(VecSetBlockSize(vec, uniform_block_), kDoing);
  petsc::check(VecSetType(vec, VECSTANDARD), kDoing);
  return vec;
}

void DofMap::to_local(Vec y, std::span<const double> scale, std::span<double> d) const {
  const auto all = static_cast<std::size_t>(offset_.back());
  if (scale.size() != all || d.size() != all)
    throw std::invalid_argument("DofMap: scale and increment need one entry per unknown, ghosts included");
  static const petsc::LogEvent event("ScreeToLocal");
  const petsc::LogScope scope(event);
  if (!has_ghosts_) {
    const petsc::ConstVecValues values(y);
    for (std::size_t i = 0; i < all; ++i) d[i] = scale[i] * values.data()[i];
    return;
  }
  constexpr const char* kDoing = "updating ghosts of the increment";
  petsc::check(VecCopy(y, ghosted_), kDoing);
  petsc::copy_owners_to_ghosts(ghosted_, kDoing);
  const petsc::LocalForm local(ghosted_);
  const petsc::ConstVecValues values(local);
  for (std::size_t i = 0; i < all; ++i) d[i] = scale[i] * values.data()[i];
}

}  // namespace scree

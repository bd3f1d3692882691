/// ContactEnergy's Hessian: a block per body and per pair in contact, written straight into the matrix where
/// both bodies are this rank's.
#include <algorithm>
#include <array>
#include <cmath>
#include <deque>

#include "assembly/ghosted_vec.hpp"
#include "solvers/contact_dynamics/contact_energy.hpp"
#include "solvers/contact_dynamics/own_blocks.hpp"

namespace scree::contact_dynamics {
namespace {

using petsc::check;

constexpr const char* kBuilding = "building the stiffness of contacts";

}  // namespace

void ContactEnergy::build_matrix() {
  const StepProblem& problem = *problem_;
  const auto owned = static_cast<std::size_t>(problem.owned);
  // How many contacts touch a body; those that other ranks hold come by the ghosts.
  std::vector<PetscInt> here(owned, 1), elsewhere(owned, 0);
  std::vector<char> moves(problem.bodies.size(), 0);
  for (std::size_t b = 0; b < problem.bodies.size(); ++b)
    for (int k = 0; k < block_; ++k) moves[b] = moves[b] != 0 || free(static_cast<int>(b), k);
  {
    const petsc::LocalForm local(ghosted_);
    check(VecSet(local, 0), kBuilding);
    const petsc::VecValues values(local);
    for (std::size_t i = 0; i < contacts_.size(); ++i) {
      const int a = a_[i], b = b_[i];
      if (b < 0 || moves[a] == 0 || moves[b] == 0) continue;
      if (b < problem.owned) {
        ++here[a];
        ++here[b];
      } else {
        ++elsewhere[a];
        values.data()[static_cast<std::ptrdiff_t>(block_) * b] += 1;
      }
    }
  }
  petsc::add_ghosts_to_owners(ghosted_, kBuilding);
  {
    const petsc::ConstVecValues values(ghosted_);
    for (std::size_t b = 0; b < owned; ++b)
      elsewhere[b] += static_cast<PetscInt>(std::lround(values.data()[block_ * b]));
  }
  // Pairs that touch at several points were counted at each: a row has no more blocks than there are bodies.
  PetscInt bodies = problem.owned;
  MPI_Allreduce(MPI_IN_PLACE, &bodies, 1, MPIU_INT, MPI_SUM, problem.comm);
  for (PetscInt& blocks : here) blocks = std::min<PetscInt>(blocks, problem.owned);
  for (PetscInt& blocks : elsewhere) blocks = std::min<PetscInt>(blocks, bodies - problem.owned);
  int ranks = 1;
  MPI_Comm_size(problem.comm, &ranks);
  check(MatCreate(problem.comm, hessian_.put()), kBuilding);
  const PetscInt unknowns = block_ * problem.owned;
  check(MatSetSizes(hessian_, unknowns, unknowns, PETSC_DETERMINE, PETSC_DETERMINE), kBuilding);
  check(MatSetType(hessian_, ranks > 1 ? MATMPIBAIJ : MATSEQBAIJ), kBuilding);
  check(MatSetBlockSize(hessian_, block_), kBuilding);
  check(MatSeqBAIJSetPreallocation(hessian_, block_, 0, here.data()), kBuilding);
  check(MatMPIBAIJSetPreallocation(hessian_, block_, 0, here.data(), 0, elsewhere.data()), kBuilding);
  check(MatSetOption(hessian_, MAT_SYMMETRIC, PETSC_TRUE), kBuilding);
  check(MatSetOption(hessian_, MAT_SYMMETRY_ETERNAL, PETSC_TRUE), kBuilding);

  const std::vector<double> zeros(static_cast<std::size_t>(block_) * block_, 0);
  const auto reserve = [&](int row, int column) {
    check(MatSetValuesBlocked(hessian_, 1, &problem.bodies[row].number, 1, &problem.bodies[column].number,
                              zeros.data(), ADD_VALUES),
          kBuilding);
  };
  for (int b = 0; b < problem.owned; ++b) reserve(b, b);
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    if (b_[i] < 0 || moves[a_[i]] == 0 || moves[b_[i]] == 0) continue;
    reserve(a_[i], b_[i]);
    reserve(b_[i], a_[i]);
  }
  check(MatAssemblyBegin(hessian_, MAT_FINAL_ASSEMBLY), kBuilding);
  check(MatAssemblyEnd(hessian_, MAT_FINAL_ASSEMBLY), kBuilding);

  const OwnBlocks blocks(hessian_);
  diagonal_.clear();
  for (int b = 0; b < problem.owned; ++b) diagonal_.push_back(blocks.place(b, b));
  slots_.assign(4 * contacts_.size(), -1);
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    int* slot = slots_.data() + 4 * i;
    if (moves[a_[i]] != 0) slot[0] = diagonal_[a_[i]];
    if (b_[i] < 0 || b_[i] >= problem.owned || moves[b_[i]] == 0) continue;
    slot[1] = diagonal_[b_[i]];
    if (moves[a_[i]] == 0) continue;
    slot[2] = blocks.place(a_[i], b_[i]);
    slot[3] = blocks.place(b_[i], a_[i]);
  }
}

/// @returns whether the stiffness of any contact is another than before.
template <int Rows>
bool ContactEnergy::stiffen(const std::vector<double>& x, double bonded) {
  using Column = Eigen::Matrix<double, Rows, 1>;
  using Square = Eigen::Map<Eigen::Matrix<double, Rows, Rows>>;
  stiffness_.resize(contacts_.size() * Rows * Rows, 0);
  stiff_.clear();
  bool changed = false;
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    Column compression = Eigen::Map<const Column>(x.data() + Rows * i);
    if (bonded > 0) {
      compression.setZero();
      compression[0] = bonded;
    }
    const auto answer = respond<Rows>(laws_[i], compression);
    Square kept(stiffness_.data() + std::size_t{Rows} * Rows * i);
    changed = changed || answer.stiffness != kept;
    kept = answer.stiffness;
    if (kept(0, 0) != 0) stiff_.push_back(static_cast<int>(i));
  }
  return changed;
}

template <int Block, int Rows>
void ContactEnergy::add_contacts(bool within, double* values) {
  using Square = Eigen::Matrix<double, Block, Block>;
  using Strip = Eigen::Matrix<double, Rows, Block>;
  using Place = Eigen::Map<Square>;  // blocks are stored by columns
  const StepProblem& problem = *problem_;
  constexpr std::size_t kEntries = static_cast<std::size_t>(Block) * Block;
  for (const int i : stiff_) {
    const bool mine = b_[i] < problem.owned;
    if (mine != within) continue;
    const Eigen::Map<const Eigen::Matrix<double, Rows, Rows>> stiffness(stiffness_.data() +
                                                                        std::size_t{Rows} * Rows * i);
    Strip a, b;
    for (int r = 0; r < Rows; ++r) {
      a.row(r) = Eigen::Map<const Eigen::Matrix<double, 1, Block>>(row(i, r));
      b.row(r) = Eigen::Map<const Eigen::Matrix<double, 1, Block>>(row(i, r) + Block);
    }
    const Strip ka = stiffness * a, kb = stiffness * b;
    if (within) {
      const int* slot = slots_.data() + std::ptrdiff_t{4} * i;
      if (slot[0] >= 0) Place(values + kEntries * slot[0]).noalias() += a.transpose() * ka;
      if (slot[1] >= 0) Place(values + kEntries * slot[1]).noalias() += b.transpose() * kb;
      if (slot[2] >= 0) Place(values + kEntries * slot[2]).noalias() += a.transpose() * kb;
      if (slot[3] >= 0) Place(values + kEntries * slot[3]).noalias() += b.transpose() * ka;
      continue;
    }
    // The other body is another rank's: PETSc sends its rows there. A row of B is zero where it is fixed.
    const std::array<PetscInt, 2> at{problem.bodies[a_[i]].number, problem.bodies[b_[i]].number};
    const auto add = [&](int row_index, int column_index, const Square& block) {
      const Eigen::Matrix<double, Block, Block, Eigen::RowMajor> by_rows = block;
      if (by_rows.isZero(0)) return;
      check(
          MatSetValuesBlocked(hessian_, 1, &at[row_index], 1, &at[column_index], by_rows.data(), ADD_VALUES),
          kBuilding);
    };
    add(0, 0, a.transpose() * ka);
    add(1, 1, b.transpose() * kb);
    add(0, 1, a.transpose() * kb);
    add(1, 0, b.transpose() * ka);
  }
}

Mat ContactEnergy::hessian(Vec z, double bonded) {
  static const petsc::LogEvent event("ScreeContactHessian");
  const petsc::LogScope scope(event);
  if (!hessian_) build_matrix();
  std::vector<double> x;
  compressions(z, x);
  int differs = metric_changed_ ? 1 : 0;
  dispatch([&](auto /*block*/, auto rows) { differs |= stiffen<rows()>(x, bonded) ? 1 : 0; });
  MPI_Allreduce(MPI_IN_PLACE, &differs, 1, MPI_INT, MPI_MAX, problem_->comm);
  changed_ = differs != 0;
  metric_changed_ = false;
  if (!changed_) return hessian_;
  check(MatZeroEntries(hessian_), kBuilding);
  dispatch([&](auto block, auto rows) { add_contacts<block(), rows()>(false, nullptr); });
  check(MatAssemblyBegin(hessian_, MAT_FINAL_ASSEMBLY), kBuilding);
  check(MatAssemblyEnd(hessian_, MAT_FINAL_ASSEMBLY), kBuilding);
  const OwnBlocks blocks(hessian_);
  double* values = nullptr;
  check(MatSeqBAIJGetArray(blocks.matrix(), &values), kBuilding);
  const std::size_t entries = static_cast<std::size_t>(block_) * block_;
  for (std::size_t b = 0; b < diagonal_.size(); ++b)
    for (std::size_t k = 0; k < entries; ++k) values[entries * diagonal_[b] + k] += metric_[entries * b + k];
  dispatch([&](auto block, auto rows) { add_contacts<block(), rows()>(true, values); });
  check(MatSeqBAIJRestoreArray(blocks.matrix(), &values), kBuilding);
  // Nothing to assemble; but PETSc learns that there are new values.
  check(MatAssemblyBegin(hessian_, MAT_FINAL_ASSEMBLY), kBuilding);
  check(MatAssemblyEnd(hessian_, MAT_FINAL_ASSEMBLY), kBuilding);
  return hessian_;
}

std::vector<double> ContactEnergy::heights(const Vec3& up) const {
  const StepProblem& problem = *problem_;
  const auto owned = static_cast<std::size_t>(problem.owned);
  // Contacts of each body, as a compressed list: the contact point is the same seen from both (but the gap).
  std::vector<int> first(owned + 1, 0), of;
  const auto inner = [&](std::size_t i) { return b_[i] >= 0 && b_[i] < problem.owned; };
  for (std::size_t i = 0; i < contacts_.size(); ++i)
    if (inner(i)) ++first[a_[i] + 1], ++first[b_[i] + 1];
  for (std::size_t b = 0; b < owned; ++b) first[b + 1] += first[b];
  of.resize(first[owned]);
  std::vector<int> next(first.begin(), first.end() - 1);
  for (std::size_t i = 0; i < contacts_.size(); ++i)
    if (inner(i)) of[next[a_[i]]++] = of[next[b_[i]]++] = static_cast<int>(i);
  std::vector<double> height(owned, 0);
  std::vector<char> known(owned, 0);
  std::deque<int> front;
  for (std::size_t start = 0; start < owned; ++start) {
    if (known[start] != 0) continue;
    known[start] = 1;
    front.push_back(static_cast<int>(start));
    while (!front.empty()) {
      const int body = front.front();
      front.pop_front();
      for (int k = first[body]; k < first[body + 1]; ++k) {
        const int i = of[k];
        const Constraint& contact = problem.constraints[contacts_[i]];
        const int other = a_[i] == body ? b_[i] : a_[i];
        if (known[other] != 0) continue;
        known[other] = 1;
        const double step = up.dot(contact.arm_b - contact.arm_a);
        height[other] = height[body] + (a_[i] == body ? -step : step);
        front.push_back(other);
      }
    }
  }
  return height;
}

}  // namespace scree::contact_dynamics

#include "solvers/contact_dynamics/contact_hessian.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "assembly/ghosted_vec.hpp"
#include "solvers/contact_dynamics/own_blocks.hpp"

namespace scree::contact_dynamics {
namespace {

using petsc::check;

constexpr const char* kBuilding = "building the stiffness of contacts";

}  // namespace

ContactHessian::ContactHessian(const ContactEnergy& energy)
    : energy_(&energy), moved_(energy.displacements()), carried_(energy.displacements()) {
  build_matrix();
}

void ContactHessian::build_matrix() {
  const StepProblem& problem = energy_->problem();
  const int block = energy_->block();
  const auto owned = static_cast<std::size_t>(problem.owned);
  // How many contacts touch a body; those that other ranks hold come by the ghosts.
  std::vector<PetscInt> here(owned, 1), elsewhere(owned, 0);
  std::vector<char> moves(problem.bodies.size(), 0);
  for (std::size_t b = 0; b < problem.bodies.size(); ++b)
    for (int k = 0; k < block; ++k) moves[b] = moves[b] != 0 || energy_->free(static_cast<int>(b), k);
  {
    const petsc::LocalForm local(carried_);
    check(VecSet(local, 0), kBuilding);
    const petsc::VecValues values(local);
    for (std::size_t i = 0; i < energy_->contacts().size(); ++i) {
      const int a = energy_->a(i), b = energy_->b(i);
      if (b < 0 || moves[a] == 0 || moves[b] == 0) continue;
      if (b < problem.owned) {
        ++here[a];
        ++here[b];
      } else {
        ++elsewhere[a];
        values.data()[static_cast<std::ptrdiff_t>(block) * b] += 1;
      }
    }
  }
  petsc::add_ghosts_to_owners(carried_, kBuilding);
  {
    const petsc::ConstVecValues values(carried_);
    for (std::size_t b = 0; b < owned; ++b)
      elsewhere[b] += static_cast<PetscInt>(std::lround(values.data()[block * b]));
  }
  // Pairs that touch at several points were counted at each: a row has no more blocks than there are bodies.
  PetscInt bodies = problem.owned;
  MPI_Allreduce(MPI_IN_PLACE, &bodies, 1, MPIU_INT, MPI_SUM, problem.comm);
  for (PetscInt& blocks : here) blocks = std::min<PetscInt>(blocks, problem.owned);
  for (PetscInt& blocks : elsewhere) blocks = std::min<PetscInt>(blocks, bodies - problem.owned);
  int ranks = 1;
  MPI_Comm_size(problem.comm, &ranks);
  check(MatCreate(problem.comm, matrix_.put()), kBuilding);
  const PetscInt unknowns = block * problem.owned;
  check(MatSetSizes(matrix_, unknowns, unknowns, PETSC_DETERMINE, PETSC_DETERMINE), kBuilding);
  check(MatSetType(matrix_, ranks > 1 ? MATMPIBAIJ : MATSEQBAIJ), kBuilding);
  check(MatSetBlockSize(matrix_, block), kBuilding);
  check(MatSeqBAIJSetPreallocation(matrix_, block, 0, here.data()), kBuilding);
  check(MatMPIBAIJSetPreallocation(matrix_, block, 0, here.data(), 0, elsewhere.data()), kBuilding);
  check(MatSetOption(matrix_, MAT_SYMMETRIC, PETSC_TRUE), kBuilding);
  check(MatSetOption(matrix_, MAT_SYMMETRY_ETERNAL, PETSC_TRUE), kBuilding);

  const std::vector<double> zeros(static_cast<std::size_t>(block) * block, 0);
  const auto reserve = [&](int row, int column) {
    check(MatSetValuesBlocked(matrix_, 1, &problem.bodies[row].number, 1, &problem.bodies[column].number,
                              zeros.data(), ADD_VALUES),
          kBuilding);
  };
  for (int b = 0; b < problem.owned; ++b) reserve(b, b);
  for (std::size_t i = 0; i < energy_->contacts().size(); ++i) {
    if (energy_->b(i) < 0 || moves[energy_->a(i)] == 0 || moves[energy_->b(i)] == 0) continue;
    reserve(energy_->a(i), energy_->b(i));
    reserve(energy_->b(i), energy_->a(i));
  }
  check(MatAssemblyBegin(matrix_, MAT_FINAL_ASSEMBLY), kBuilding);
  check(MatAssemblyEnd(matrix_, MAT_FINAL_ASSEMBLY), kBuilding);

  const OwnBlocks blocks(matrix_);
  diagonal_.clear();
  for (int b = 0; b < problem.owned; ++b) diagonal_.push_back(blocks.place(b, b));
  slots_.assign(4 * energy_->contacts().size(), -1);
  for (std::size_t i = 0; i < energy_->contacts().size(); ++i) {
    int* slot = slots_.data() + 4 * i;
    if (moves[energy_->a(i)] != 0) slot[0] = diagonal_[energy_->a(i)];
    if (energy_->b(i) < 0 || energy_->b(i) >= problem.owned || moves[energy_->b(i)] == 0) continue;
    slot[1] = diagonal_[energy_->b(i)];
    if (moves[energy_->a(i)] == 0) continue;
    slot[2] = blocks.place(energy_->a(i), energy_->b(i));
    slot[3] = blocks.place(energy_->b(i), energy_->a(i));
  }
}

/// @returns whether the stiffness of any contact is another than before.
template <int Rows>
bool ContactHessian::stiffen(const std::vector<double>& x, double bonded) {
  using Column = Eigen::Matrix<double, Rows, 1>;
  using Square = Eigen::Map<Eigen::Matrix<double, Rows, Rows>>;
  stiffness_.resize(energy_->contacts().size() * Rows * Rows, 0);
  stiff_.clear();
  bool changed = false;
  for (std::size_t i = 0; i < energy_->contacts().size(); ++i) {
    Column compression = Eigen::Map<const Column>(x.data() + Rows * i);
    if (bonded > 0) {
      compression.setZero();
      compression[0] = bonded;
    }
    const auto answer = respond<Rows>(energy_->laws()[i], compression);
    Square kept(stiffness_.data() + std::size_t{Rows} * Rows * i);
    changed = changed || answer.stiffness != kept;
    kept = answer.stiffness;
    if (kept(0, 0) != 0) stiff_.push_back(static_cast<int>(i));
  }
  return changed;
}

template <int Block, int Rows>
void ContactHessian::add_contacts(bool within, double* values) {
  using Square = Eigen::Matrix<double, Block, Block>;
  using Strip = Eigen::Matrix<double, Rows, Block>;
  using Place = Eigen::Map<Square>;  // blocks are stored by columns
  const StepProblem& problem = energy_->problem();
  constexpr std::size_t kEntries = static_cast<std::size_t>(Block) * Block;
  for (const int i : stiff_) {
    const bool mine = energy_->b(i) < problem.owned;
    if (mine != within) continue;
    const Eigen::Map<const Eigen::Matrix<double, Rows, Rows>> stiffness(stiffness_.data() +
                                                                        std::size_t{Rows} * Rows * i);
    Strip a, b;
    for (int r = 0; r < Rows; ++r) {
      a.row(r) = Eigen::Map<const Eigen::Matrix<double, 1, Block>>(energy_->row(i, r));
      b.row(r) = Eigen::Map<const Eigen::Matrix<double, 1, Block>>(energy_->row(i, r) + Block);
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
    const std::array<PetscInt, 2> at{problem.bodies[energy_->a(i)].number,
                                     problem.bodies[energy_->b(i)].number};
    const auto add = [&](int row_index, int column_index, const Square& block) {
      const Eigen::Matrix<double, Block, Block, Eigen::RowMajor> by_rows = block;
      if (by_rows.isZero(0)) return;
      check(MatSetValuesBlocked(matrix_, 1, &at[row_index], 1, &at[column_index], by_rows.data(), ADD_VALUES),
            kBuilding);
    };
    add(0, 0, a.transpose() * ka);
    add(1, 1, b.transpose() * kb);
    add(0, 1, a.transpose() * kb);
    add(1, 0, b.transpose() * ka);
  }
}

Mat ContactHessian::at(Vec z, double bonded) {
  static const petsc::LogEvent event("ScreeContactHessian");
  const petsc::LogScope scope(event);
  std::vector<double> x;
  energy_->compressions(z, x);
  int differs = metric_version_ != energy_->metric_version() ? 1 : 0;
  energy_->dispatch([&](auto /*block*/, auto rows) { differs |= stiffen<rows()>(x, bonded) ? 1 : 0; });
  MPI_Allreduce(MPI_IN_PLACE, &differs, 1, MPI_INT, MPI_MAX, energy_->problem().comm);
  changed_ = differs != 0;
  metric_version_ = energy_->metric_version();
  if (!changed_) return matrix_;
  check(MatZeroEntries(matrix_), kBuilding);
  energy_->dispatch([&](auto block, auto rows) { add_contacts<block(), rows()>(false, nullptr); });
  check(MatAssemblyBegin(matrix_, MAT_FINAL_ASSEMBLY), kBuilding);
  check(MatAssemblyEnd(matrix_, MAT_FINAL_ASSEMBLY), kBuilding);
  const OwnBlocks blocks(matrix_);
  double* values = nullptr;
  check(MatSeqBAIJGetArray(blocks.matrix(), &values), kBuilding);
  const std::vector<double>& metric = energy_->metric();
  const auto entries = static_cast<std::size_t>(energy_->block()) * energy_->block();
  for (std::size_t b = 0; b < diagonal_.size(); ++b)
    for (std::size_t k = 0; k < entries; ++k) values[entries * diagonal_[b] + k] += metric[entries * b + k];
  energy_->dispatch([&](auto block, auto rows) { add_contacts<block(), rows()>(true, values); });
  check(MatSeqBAIJRestoreArray(blocks.matrix(), &values), kBuilding);
  // Nothing to assemble; but PETSc learns that there are new values.
  check(MatAssemblyBegin(matrix_, MAT_FINAL_ASSEMBLY), kBuilding);
  check(MatAssemblyEnd(matrix_, MAT_FINAL_ASSEMBLY), kBuilding);
  return matrix_;
}

void ContactHessian::product(Vec d, Vec result) const {
  check(VecCopy(d, moved_), kBuilding);
  petsc::copy_owners_to_ghosts(moved_, kBuilding);
  {
    const petsc::LocalForm from(moved_);
    const petsc::LocalForm to(carried_);
    check(VecSet(to, 0), kBuilding);
    const petsc::ConstVecValues moved(from);
    const petsc::VecValues carried(to);
    energy_->dispatch([&](auto block, auto rows) {
      using Strip = Eigen::Map<const Eigen::Matrix<double, rows(), 2 * block(), Eigen::RowMajor>>;
      using Square = Eigen::Map<const Eigen::Matrix<double, rows(), rows()>>;
      using Column = Eigen::Matrix<double, block(), 1>;
      for (const int i : stiff_) {
        const Strip strip(energy_->row(i, 0));
        const std::ptrdiff_t a = std::ptrdiff_t{block()} * energy_->a(i),
                             b = std::ptrdiff_t{block()} * energy_->b(i);
        Eigen::Matrix<double, rows(), 1> rate =
            strip.template leftCols<block()>() * Eigen::Map<const Column>(moved.data() + a);
        if (b >= 0) rate += strip.template rightCols<block()>() * Eigen::Map<const Column>(moved.data() + b);
        const Eigen::Matrix<double, rows(), 1> force =
            Square(stiffness_.data() + std::size_t{rows()} * rows() * i) * rate;
        Eigen::Map<Column>(carried.data() + a) += strip.template leftCols<block()>().transpose() * force;
        if (b >= 0)
          Eigen::Map<Column>(carried.data() + b) += strip.template rightCols<block()>().transpose() * force;
      }
    });
  }
  petsc::add_ghosts_to_owners(carried_, kBuilding);
  check(VecCopy(carried_, result), kBuilding);
  energy_->apply_metric(d, result);
}

}  // namespace scree::contact_dynamics

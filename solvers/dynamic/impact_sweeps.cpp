#include "solvers/dynamic/impact_sweeps.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <utility>

namespace scree {
namespace {

using petsc::check;

constexpr const char* kOfSweeps = "solving for the velocities after impacts";

using StoredBlock = Eigen::Map<const Eigen::Matrix<double, kBodyUnknowns, kBodyUnknowns, Eigen::RowMajor>>;

/// Ends the iterations, on all ranks.
constexpr double kNotDefinite = std::numeric_limits<double>::quiet_NaN();

/// Unknowns of a body.
Eigen::Map<Vec6> unknowns_of(double* x, std::ptrdiff_t body) {
  return Eigen::Map<Vec6>(x + kBodyUnknowns * body);
}
Eigen::Map<const Vec6> unknowns_of(const double* x, std::ptrdiff_t body) {
  return Eigen::Map<const Vec6>(x + kBodyUnknowns * body);
}

/// The unknowns of each body by its block.
void multiply(const std::vector<Mat6>& blocks, double* x) {
  for (int i = 0; i < std::ssize(blocks); ++i) {
    const Vec6 before = unknowns_of(x, i);
    unknowns_of(x, i).noalias() = blocks[i] * before;
  }
}
void multiply_transposed(const std::vector<Mat6>& blocks, double* x) {
  for (int i = 0; i < std::ssize(blocks); ++i) {
    const Vec6 before = unknowns_of(x, i);
    unknowns_of(x, i).noalias() = blocks[i].transpose() * before;
  }
}

}  // namespace

void ImpactSweeps::take(const DofMap& map, const LocalSystem& system,
                        const std::function<Fixed(int)>& fixed) {
  map_ = &map;
  const auto owned = static_cast<std::size_t>(system.owned);
  std::vector<Vec6> scale(system.size.size());  // 0 where an unknown is fixed
  for (std::size_t i = 0; i < scale.size(); ++i) {
    const Fixed of_body = fixed(static_cast<int>(i));
    for (std::size_t k = 0; k < of_body.size(); ++k)
      scale[i][k] = of_body[k] ? 0 : system.scale[static_cast<std::size_t>(system.offset[i]) + k];
  }
  factor_.resize(owned);
  inverse_.resize(owned);
  for (std::size_t i = 0; i < owned; ++i) {
    const Eigen::Map<const Vec6> all(&system.scale[system.offset[i]]);
    const Mat6 diagonal =
        all.asDiagonal() * StoredBlock(&system.values[system.diagonal_at[i]]) * all.asDiagonal();
    const Eigen::LLT<Mat6> cholesky(diagonal);
    factor_[i] = cholesky.matrixL();
    if (cholesky.info() != Eigen::Success) factor_[i].setConstant(kNotDefinite);
    inverse_[i] = factor_[i].triangularView<Eigen::Lower>().solve(Mat6::Identity());
  }
  lower_.clear();
  others_.clear();
  for (const LocalSystem::Coupling& pair : system.couplings) {
    const bool here = pair.col < system.owned;
    if (here && pair.col > pair.row) continue;
    const Mat6 block =
        scale[pair.row].asDiagonal() * StoredBlock(&system.values[pair.at]) * scale[pair.col].asDiagonal();
    const Mat6 rows = inverse_[pair.row] * block;
    if (here) {
      lower_.push_back({pair.row, pair.col, rows * inverse_[pair.col].transpose()});
    } else {
      others_.push_back({pair.row, pair.col, rows});
    }
  }
  swept_.resize(kBodyUnknowns * owned);
  rest_.resize(swept_.size());
  ones_.assign(static_cast<std::size_t>(system.offset.back()), 1.0);
  all_.resize(ones_.size());
}

void ImpactSweeps::solve_lower(double* x) const {
  for (const Coupling& pair : lower_) unknowns_of(x, pair.row).noalias() -= pair.k * unknowns_of(x, pair.col);
}

void ImpactSweeps::solve_upper(double* x) const {
  for (std::size_t k = lower_.size(); k-- > 0;) {
    const Coupling& pair = lower_[k];
    unknowns_of(x, pair.col).noalias() -= pair.k.transpose() * unknowns_of(x, pair.row);
  }
}

void ImpactSweeps::multiply_upper(double* x) const {
  for (const Coupling& pair : lower_)
    unknowns_of(x, pair.col).noalias() += pair.k.transpose() * unknowns_of(x, pair.row);
}

void ImpactSweeps::forget() {
  scaled_operator_.reset();
  swept_operator_.reset();
}

void ImpactSweeps::add_coupled_ranks(const double* x, double* y) {
  if (!map_->has_ghosts()) return;
  {
    const petsc::VecValues values(carrier_);
    std::copy_n(x, swept_.size(), values.data());
    multiply_transposed(inverse_, values.data());
  }
  map_->to_local(carrier_, ones_, all_);
  for (const Coupling& pair : others_)
    unknowns_of(y, pair.row).noalias() += pair.k * unknowns_of(std::as_const(all_).data(), pair.col);
}

void ImpactSweeps::apply_scaled(const double* x, double* y) {
  std::copy_n(x, swept_.size(), y);
  for (const Coupling& pair : lower_) {
    unknowns_of(y, pair.row).noalias() += pair.k * unknowns_of(x, pair.col);
    unknowns_of(y, pair.col).noalias() += pair.k.transpose() * unknowns_of(x, pair.row);
  }
  add_coupled_ranks(x, y);
}

void ImpactSweeps::apply_swept(const double* x, double* y) {
  std::copy_n(x, swept_.size(), swept_.begin());
  solve_upper(swept_.data());
  for (std::size_t k = 0; k < rest_.size(); ++k) rest_[k] = x[k] - swept_[k];
  add_coupled_ranks(swept_.data(), rest_.data());
  solve_lower(rest_.data());
  for (std::size_t k = 0; k < rest_.size(); ++k) y[k] = swept_[k] + rest_[k];
}

template <ImpactSweeps::Swept swept>
PetscErrorCode ImpactSweeps::apply(Mat sweeps, Vec x, Vec y) {
  ImpactSweeps* me = nullptr;
  PetscCall(MatShellGetContext(sweeps, &me));
  try {
    const petsc::ConstVecValues from(x);
    const petsc::VecValues to(y);
    if constexpr (swept == Swept::yes) {
      me->apply_swept(from.data(), to.data());
    } else {
      me->apply_scaled(from.data(), to.data());
    }
  } catch (...) {  // not through PETSc's frames
    me->thrown_ = std::current_exception();
    return PETSC_ERR_LIB;
  }
  return 0;
}

Mat ImpactSweeps::transformed(Swept swept) {
  petsc::MatHandle& made = swept == Swept::yes ? swept_operator_ : scaled_operator_;
  if (made) return made;
  const PetscInt own = map_->owned_unknowns();
  carrier_ = map_->create_vector();
  check(MatCreateShell(map_->comm(), own, own, PETSC_DETERMINE, PETSC_DETERMINE, this, made.put()),
        kOfSweeps);
  PetscErrorCode (*const product)(Mat, Vec, Vec) = swept == Swept::yes ? apply<Swept::yes> : apply<Swept::no>;
  check(MatShellSetOperation(made, MATOP_MULT, reinterpret_cast<void (*)()>(product)), kOfSweeps);
  return made;
}

void ImpactSweeps::transform(Swept swept, Vec right, Vec solution) const {
  const petsc::VecValues b(right), x(solution);
  multiply(inverse_, b.data());
  multiply_transposed(factor_, x.data());
  if (swept == Swept::no) return;
  solve_lower(b.data());
  multiply_upper(x.data());
}

void ImpactSweeps::transform_back(Swept swept, Vec solution) const {
  const petsc::VecValues x(solution);
  if (swept == Swept::yes) solve_upper(x.data());
  multiply_transposed(inverse_, x.data());
}

void ImpactSweeps::rethrow() {
  if (thrown_) std::rethrow_exception(std::exchange(thrown_, nullptr));
}

}  // namespace scree

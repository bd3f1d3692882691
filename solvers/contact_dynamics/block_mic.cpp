#include "solvers/contact_dynamics/block_mic.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/error.hpp"
#include "solvers/contact_dynamics/own_blocks.hpp"

namespace scree::contact_dynamics {
namespace {

/// A pivot below this part of the diagonal it began as is round-off.
constexpr double kPivot = 1e-13;

template <int Block>
class BlockMicOf : public BlockMic {
 public:
  BlockMicOf(Mat matrix, const std::vector<double>& rank_of) {
    const OwnBlocks blocks(matrix);
    count_ = static_cast<int>(blocks.rows());
    body_.resize(count_);
    std::iota(body_.begin(), body_.end(), 0);
    std::stable_sort(body_.begin(), body_.end(), [&](int i, int j) { return rank_of[i] < rank_of[j]; });
    std::vector<int> turn(count_);
    for (int k = 0; k < count_; ++k) turn[body_[k]] = k;
    first_.assign(1, 0);
    for (int k = 0; k < count_; ++k) {
      diagonal_at_.push_back(blocks.place(body_[k], body_[k]));
      std::vector<std::pair<int, int>> later;  // turn, place
      for (PetscInt at = blocks.begin(body_[k]); at < blocks.end(body_[k]); ++at)
        if (turn[blocks.column(at)] > k) later.emplace_back(turn[blocks.column(at)], at);
      std::sort(later.begin(), later.end());
      for (const auto& [column, at] : later) column_.push_back(column), upper_at_.push_back(at);
      first_.push_back(static_cast<int>(column_.size()));
    }
    // Where the product of two blocks of a row goes: a place above the diagonal, or none.
    for (int k = 0; k < count_; ++k)
      for (int p = first_[k]; p < first_[k + 1]; ++p)
        for (int q = p + 1; q < first_[k + 1]; ++q) {
          const auto from = column_.begin() + first_[column_[p]];
          const auto to = column_.begin() + first_[column_[p] + 1];
          const auto at = std::lower_bound(from, to, column_[q]);
          target_.push_back(at != to && *at == column_[q] ? static_cast<int>(at - column_.begin()) : -1);
        }
    upper_.resize(column_.size());
    inverse_.resize(count_);
    loaded_.resize(column_.size());
    work_.resize(count_);
  }

  int factor(Mat matrix, double compensation) override {
    const OwnBlocks blocks(matrix);
    double* values = nullptr;
    petsc::check(MatSeqBAIJGetArray(blocks.matrix(), &values), "factoring the stiffness of contacts");
    const auto stored = [&](int at) {
      return Eigen::Map<const Square>(values + std::size_t{Block} * Block * at);
    };
    for (int k = 0; k < count_; ++k) inverse_[k] = stored(diagonal_at_[k]);
    for (std::size_t p = 0; p < upper_.size(); ++p) {
      upper_[p] = stored(upper_at_[p]);
      loaded_[p] = !upper_[p].isZero(0);
    }
    int given_way = 0;
    std::size_t pair = 0;
    for (int k = 0; k < count_; ++k) {
      const Square own = stored(diagonal_at_[k]);
      if (!invert(inverse_[k], own.trace())) {
        ++given_way;
        inverse_[k] = own;
        if (!invert(inverse_[k], own.trace())) inverse_[k] = Square::Identity() * (Block / own.trace());
      }
      for (int p = first_[k]; p < first_[k + 1]; ++p) {
        if (!loaded_[p]) {
          pair += first_[k + 1] - p - 1;
          continue;
        }
        const Square left = upper_[p].transpose() * inverse_[k];
        inverse_[column_[p]].noalias() -= left * upper_[p];
        for (int q = p + 1; q < first_[k + 1]; ++q, ++pair) {
          if (!loaded_[q]) continue;
          const Square fill = -left * upper_[q];
          if (const int at = target_[pair]; at >= 0 && loaded_[at] != 0) {
            upper_[at] += fill;
          } else {
            const Square moved = (fill + fill.transpose()) * (compensation / 2);
            inverse_[column_[p]] += moved;
            inverse_[column_[q]] += moved;
          }
        }
      }
    }
    petsc::check(MatSeqBAIJRestoreArray(blocks.matrix(), &values), "factoring the stiffness of contacts");
    return given_way;
  }

  void apply(const double* x, double* result) const override {
    for (int k = 0; k < count_; ++k)
      work_[k] = Eigen::Map<const Column>(x + std::ptrdiff_t{Block} * body_[k]);
    for (int k = 0; k < count_; ++k) {
      const Column y = inverse_[k] * work_[k];
      for (int p = first_[k]; p < first_[k + 1]; ++p)
        if (loaded_[p]) work_[column_[p]].noalias() -= upper_[p].transpose() * y;
      work_[k] = y;
    }
    for (int k = count_ - 1; k >= 0; --k) {
      Column sum = Column::Zero();
      for (int p = first_[k]; p < first_[k + 1]; ++p)
        if (loaded_[p]) sum.noalias() += upper_[p] * work_[column_[p]];
      work_[k].noalias() -= inverse_[k] * sum;
      Eigen::Map<Column>(result + std::ptrdiff_t{Block} * body_[k]) = work_[k];
    }
  }

 private:
  using Square = Eigen::Matrix<double, Block, Block>;
  using Column = Eigen::Matrix<double, Block, 1>;

  /// In place, if it is positive definite beyond round-off. @returns whether it was.
  static bool invert(Square& pivot, double scale) {
    const Eigen::LLT<Square> factors(pivot);
    if (factors.info() != Eigen::Success) return false;
    const double least = Square(factors.matrixL()).diagonal().minCoeff();
    if (!(least * least > kPivot * scale)) return false;
    pivot = factors.solve(Square::Identity());
    return true;
  }

  int count_ = 0;
  std::vector<int> body_;                    ///< by turn of elimination
  std::vector<int> first_;                   ///< by turn: where its blocks above the diagonal begin
  std::vector<int> column_;                  ///< their column, a turn
  std::vector<int> target_;                  ///< of pairs of them: where their product goes
  std::vector<int> upper_at_, diagonal_at_;  ///< places in the matrix
  std::vector<Square> upper_, inverse_;
  /// Nonzero in the matrix. A contact without load is no place for fill: taking it in makes pivots negative
  /// on the pyramid (4 % of them) and iterations tenfold.
  std::vector<char> loaded_;
  mutable std::vector<Column> work_;
};

}  // namespace

std::unique_ptr<BlockMic> make_block_mic(Mat matrix, const std::vector<double>& rank_of) {
  PetscInt block = 0;
  petsc::check(MatGetBlockSize(matrix, &block), "factoring the stiffness of contacts");
  if (block == 3) return std::make_unique<BlockMicOf<3>>(matrix, rank_of);
  if (block == 6) return std::make_unique<BlockMicOf<6>>(matrix, rank_of);
  throw RunError("MIC(0) supports blocks of size 3 or 6, got " + std::to_string(block));
}

}  // namespace scree::contact_dynamics

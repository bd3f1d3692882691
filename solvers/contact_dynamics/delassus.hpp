/// N = h B M^-1 B^T of a step on the rows of B alone, packed for iterations (theory 07 section 1).
#pragma once

#include <cstddef>
#include <span>
#include <variant>
#include <vector>

#include "assembly/petsc.hpp"
#include "solvers/contact_dynamics/step_problem.hpp"

namespace scree::contact_dynamics {

/// Rows of B with W unknowns per body: all six, or the three of the translation where no contact turns its
/// bodies (spheres; boxes whose contacts face their centres). Bodies are owned ones, ghosts, and at the end
/// one that never moves, in whose place everything fixed stands.
template <int W>
struct PackedRows {
  static constexpr int kWidth = W;
  static constexpr int kRow = W == 3 ? 3 : 12;  ///< without arms the row of b is minus that of a
  using Block = Eigen::Matrix<double, W, W>;
  using Values = Eigen::Map<Eigen::Matrix<double, W, 1>>;
  using ConstValues = Eigen::Map<const Eigen::Matrix<double, W, 1>>;

  int owned = 0;
  std::vector<int> a, b;            ///< bodies of a contact
  std::vector<double> rows;         ///< kRow per contact
  std::vector<Block> inverse_mass;  ///< h M^-1 of a body; ghosts too

  static Values of(double* values, std::ptrdiff_t body) { return Values(values + W * body); }
  static ConstValues of(const double* values, std::ptrdiff_t body) { return ConstValues(values + W * body); }
  [[nodiscard]] int contacts() const { return static_cast<int>(a.size()); }
  [[nodiscard]] int bodies() const { return static_cast<int>(inverse_mass.size()); }
  [[nodiscard]] ConstValues row_a(std::ptrdiff_t contact) const {
    return ConstValues(rows.data() + kRow * contact);
  }
  [[nodiscard]] auto row_b(std::ptrdiff_t contact) const {
    if constexpr (W == 3) {
      return -row_a(contact);
    } else {
      return ConstValues(rows.data() + kRow * contact + W);
    }
  }
  /// Rate of the gap of a contact for given velocities of the bodies, W each.
  [[nodiscard]] double rate(int contact, const double* velocity) const {
    return row_a(contact).dot(of(velocity, a[contact])) + row_b(contact).dot(of(velocity, b[contact]));
  }
};

/// Values of bodies, W each, with ghosts: sums and copies across ranks. Nothing is sent on one rank.
class BodyValues {
 public:
  BodyValues() = default;
  BodyValues(const StepProblem& problem, int width);
  [[nodiscard]] double* data() { return values_.data(); }
  [[nodiscard]] const double* data() const { return values_.data(); }
  void clear();
  void add_ghosts_to_owners();   ///< Collective. Ghosts keep what they had.
  void copy_owners_to_ghosts();  ///< Collective.
  /// Every owner gets the largest of its own value and of those that ranks hold of it. Collective.
  void raise_owners_to_ghosts();

 private:
  int owned_values_ = 0;
  std::vector<double> values_;
  petsc::VecHandle ghosted_;  ///< lives on values_; null on one rank
};

/// Applies N, with rows scaled if wanted. Vectors: an entry per constraint of this rank, in its order.
class Delassus {
 public:
  using Rows = std::variant<PackedRows<3>, PackedRows<6>>;
  /// Collective. @throws RunError where PETSc fails.
  explicit Delassus(const StepProblem& problem);

  [[nodiscard]] MPI_Comm comm() const { return comm_; }
  [[nodiscard]] int contacts() const { return static_cast<int>(diagonal_.size()); }
  /// N_ii; 0 between bodies that are fixed [1/(kg s^-1)], after `scale` in its units.
  [[nodiscard]] const std::vector<double>& diagonal() const { return diagonal_; }
  /// Replaces N by S N S, S = diag(factors).
  void scale(std::span<const double> factors);
  /// result = N f. Collective. @param f, result not the same.
  void apply(const double* f, double* result);
  /// Impulse of forces f on the bodies, times h M^-1: velocities of owned bodies and ghosts. Collective.
  void velocities(const double* f, BodyValues& velocity);
  [[nodiscard]] const Rows& rows() const { return rows_; }
  [[nodiscard]] const StepProblem& problem() const { return *problem_; }

 private:
  const StepProblem* problem_;
  MPI_Comm comm_;
  Rows rows_;
  std::vector<double> diagonal_;
  BodyValues impulse_, velocity_;
};

}  // namespace scree::contact_dynamics

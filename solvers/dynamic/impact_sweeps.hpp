/// The system of the velocities after impacts in unknowns in which conjugate gradients need little: scaled by
/// the blocks of the bodies, and with sweeps over the bodies.
#pragma once

#include <array>
#include <cstdint>
#include <exception>
#include <functional>
#include <vector>

#include "assembly/dof_map.hpp"
#include "assembly/petsc.hpp"
#include "core/body.hpp"
#include "core/local_system.hpp"
#include "core/types.hpp"

namespace scree {

/// Solves A x = b for a symmetric and positive definite A with blocks of bodies. In unknowns G^T x, where
/// G G^T is the diagonal block of a body, A = L + I + L^T with L the lower blocks. Conjugate gradients on
/// that are those preconditioned by block Jacobi, whatever the ranks are.
///
/// Symmetric Gauss-Seidel sweeps over the bodies, M = (I + L) (I + L^T), take half as many iterations: they
/// run on (I + L)^-1 A (I + L^T)^-1, and with t = (I + L^T)^-1 x
///
///     (I + L)^-1 A (I + L^T)^-1 x = t + (I + L)^-1 (x - t),
///
/// so that an iteration costs no more than a product with A [EisenstatSweeps]. Sweeps stay within a rank;
/// what couples ranks, C, adds (I + L)^-1 C t.
class ImpactSweeps {
 public:
  using Fixed = std::array<bool, kBodyUnknowns>;
  enum class Swept : std::uint8_t { no, yes };

  /// Takes the scaled blocks of the bodies of a rank. They are symmetric but for the columns of fixed
  /// unknowns, whose rows are 0 beside the diagonal: those count as 0. Where a diagonal block is not
  /// definite, all solutions are NaN. @param map outlives the solutions. @param fixed which unknowns of a
  /// body, by its local number. Not collective.
  void take(const DofMap& map, const LocalSystem& system, const std::function<Fixed(int)>& fixed);
  /// The numbers of unknowns are others: the operators are new ones. To be called on all ranks.
  void forget();

  /// L + I + L^T, or (I + L)^-1 A (I + L^T)^-1 if swept; the square of its residual is an energy. Collective.
  [[nodiscard]] Mat transformed(Swept swept);
  /// From b and a first guess of x to those of the transformed system, in place, and back from its solution
  /// to x. Not collective.
  void transform(Swept swept, Vec right, Vec solution) const;
  void transform_back(Swept swept, Vec solution) const;
  /// Throws what a product with the operator threw since the last call, after a solution that failed.
  void rethrow();

 private:
  struct Coupling {
    int row, col;
    Mat6 k;
  };

  // Unknowns of the owned bodies in place: x := (I + L)^-1 x, (I + L^T)^-1 x, (I + L^T) x.
  void solve_lower(double* x) const;
  void solve_upper(double* x) const;
  void multiply_upper(double* x) const;
  /// y += C x. Collective.
  void add_coupled_ranks(const double* x, double* y);
  void apply_scaled(const double* x, double* y);
  void apply_swept(const double* x, double* y);
  template <Swept swept>
  static PetscErrorCode apply(Mat sweeps, Vec x, Vec y);

  const DofMap* map_ = nullptr;
  std::vector<Mat6> factor_, inverse_;  ///< G and G^-1 per owned body
  std::vector<Coupling> lower_;         ///< between owned bodies, col < row, by rows: G_row^-1 A G_col^-T
  std::vector<Coupling> others_;        ///< with bodies of other ranks: G_row^-1 A
  std::vector<double> swept_, rest_;    ///< per owned unknown
  std::vector<double> ones_, all_;      ///< per unknown, ghosts as well
  std::exception_ptr thrown_;
  petsc::MatHandle scaled_operator_, swept_operator_;  ///< null before the first use
  petsc::VecHandle carrier_;
};

}  // namespace scree

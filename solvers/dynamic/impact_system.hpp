/// The linear system of an impact update (theory 11 section 6).
#pragma once

#include <cstdint>
#include <vector>

#include "assembly/assembler.hpp"
#include "assembly/callback_guard.hpp"
#include "assembly/petsc.hpp"
#include "core/local_system.hpp"
#include "core/types.hpp"
#include "solvers/dynamic/impact_sweeps.hpp"

namespace scree {

class World;

/// How well an update is solved: what weights are corrected by, or the velocities that bodies get. The
/// residual is relative to the impulses: small impacts count as much beside fast bodies.
enum class ImpactAccuracy : std::uint8_t { weights, result };

/// Symmetric and positive definite, with blocks for the bodies and for the pairs in which a force acted.
class ImpactSystem {
 public:
  /// @param world outlives this object.
  explicit ImpactSystem(const World& world);

  /// Lays out the blocks for the bodies of the world. @param couplings both (row, col) and (col, row) of each
  /// pair of moving bodies, repetitions allowed. Collective.
  void begin(std::vector<LocalSystem::Coupling> couplings);
  /// Zeroed by `begin`; what they hold at `take_rows` is solved.
  [[nodiscard]] LocalSystem& rows() { return rows_; }
  /// Takes the blocks over, after fixed unknowns are separated from the others. Collective.
  void take_rows();
  /// Solves for changes of velocity. @param impulse per owned body [N s, N m s]. @param[in,out] change of
  /// moving bodies, ghosts as well: first guess, and result [m/s, rad/s]. @returns whether the tolerance was
  /// reached, on all ranks. Collective. @throws Interrupted on all ranks if any was asked to stop.
  [[nodiscard]] bool solve(const std::vector<Vec6>& impulse, ImpactAccuracy accuracy,
                           std::vector<Vec6>& change);
  /// Makes the solvers that `solve` may take and lets them read their options. While one of these is left,
  /// sets them up for the rows taken over, so that all their parts read theirs. Collective. @throws RunError
  /// if PETSc does not take an option.
  void rehearse();
  /// Whether a solution since `begin` needed a direct solver where iterations did not reach the tolerance.
  [[nodiscard]] bool factored() const { return factored_; }

 private:
  /// Whether an option chooses a solver, which is then that of the assembled matrix alone.
  [[nodiscard]] bool has_own_solver() const;
  /// Solves the transformed system from a first guess. @returns whether that was found; otherwise the
  /// solution is 0.
  [[nodiscard]] bool solve_transformed(ImpactSweeps::Swept swept, double tolerance, Vec right, Vec solution);
  /// Brings the rows that were taken over into the matrix, once.
  void assemble();
  /// Solves the assembled system from a first guess: by iterations, or by factors where these do not get
  /// there.
  [[nodiscard]] bool solve_assembled(bool direct, double tolerance, Vec right, Vec solution);
  [[nodiscard]] petsc::KspHandle create(Mat matrix);
  [[nodiscard]] petsc::KspHandle create_solver(bool direct);
  /// @throws Interrupted, RunError: the solver is then gone.
  [[nodiscard]] bool iterate(petsc::KspHandle& ksp, double tolerance, Vec right, Vec solution);

  const World* world_;
  petsc::CallbackGuard guard_;  ///< outlives the solvers
  LocalSystem rows_;
  ImpactSweeps sweeps_;
  Assembler assembler_;
  long layout_ = -1;                     ///< of the world, that the sweeps are made for
  bool swept_ = false;                   ///< the sweeps have taken the rows over
  bool assembled_ = false;               ///< the matrix has
  petsc::KspHandle scaling_, sweeping_;  ///< null before the first solution in this layout
  petsc::KspHandle iterations_;          ///< of this matrix; null before the first solution with it
  bool factored_ = false;
  double largest_ = 0;  ///< right-hand side since `begin`
};

}  // namespace scree

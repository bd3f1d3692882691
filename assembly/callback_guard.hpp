/// Callbacks of SNES without exceptions through PETSc's C frames, and with one verdict on all ranks.
#pragma once

#include <exception>
#include <string>

#include "assembly/petsc.hpp"
#include "core/error.hpp"

namespace scree::petsc {

/// Runs evaluations inside SNES callbacks. What they throw is caught, and all ranks agree on the outcome in
/// every build (one MPI_Allreduce of an int per call):
/// - RecoverableError on any rank: a function-domain error, the residual is Inf on all ranks, so that a line
///   search shortens the step and SNES ends with a reason instead of an error code;
/// - any other exception on any rank: the callback fails on all ranks, SNESSolve returns an error code on
/// all,
///   and `rethrow_kept` throws what was caught;
/// - a request to stop on any rank (core/interrupt.hpp): the same, with Interrupted on all ranks.
///
/// Order after a solve: `code = SNESSolve(...); guard.rethrow_kept(); check(code, "...")`.
/// An evaluation may communicate only where no rank can have thrown before; otherwise the others wait for
/// ever.
class CallbackGuard {
 public:
  enum class Outcome { done, out_of_domain, failed };

  explicit CallbackGuard(MPI_Comm comm) : comm_(comm) {}

  /// Fails if any rank was asked to stop, for callbacks that evaluate nothing else. Collective.
  Outcome poll() noexcept { return agree(nullptr); }

  /// Runs `evaluate()` on all ranks. @returns the outcome, the same on all ranks. Collective.
  template <class Evaluate>
  Outcome run(Evaluate&& evaluate) noexcept {
    std::exception_ptr caught;
    try {
      evaluate();
    } catch (...) {
      caught = std::current_exception();
    }
    return agree(caught);
  }

  /// Runs `evaluate()` on all ranks, outside of PETSc's callbacks. @throws on all ranks what any threw, as
  /// `rethrow_kept`, or RecoverableError with the text of one. Collective.
  template <class Evaluate>
  void call(Evaluate&& evaluate) {
    const Outcome outcome = run(evaluate);
    if (outcome == Outcome::failed) rethrow_kept();
    if (outcome == Outcome::out_of_domain) throw RecoverableError(domain_error_);
  }

  /// Body of a SNES function callback: `return guard.function(f, [&] { ... });`
  /// @returns 0, or an error code on all ranks if any failed for good. Collective.
  template <class Evaluate>
  PetscErrorCode function(Vec f, Evaluate&& evaluate) noexcept {
    return after_function(run(evaluate), f);
  }

  /// Body of a SNES Jacobian callback; a RecoverableError becomes a Jacobian-domain error of `snes`.
  /// Collective.
  template <class Evaluate>
  PetscErrorCode jacobian(SNES snes, Evaluate&& evaluate) noexcept {
    return after_jacobian(run(evaluate), snes);
  }

  /// Lets a linear solver end when a rank is asked to stop, between its set-up (factors) and the solve and
  /// between iterations: KSPSolve then fails on all ranks and `rethrow_kept` throws Interrupted. Otherwise
  /// PETSc's default test of convergence. The guard has to outlive the solver. Takes the application context
  /// of the preconditioner. PETSc counts a solve that failed as begun: discard the solver then. Before
  /// KSPSetFromOptions.
  void watch(KSP ksp);

  /// Throws what an evaluation threw for good: the original where it happened, on the other ranks a RunError
  /// with its text and rank. Does nothing without one. Clears it. Call it on all ranks.
  void rethrow_kept();

  /// Text of the last RecoverableError on any rank, the same on all; "" since `clear_domain_error` if none.
  [[nodiscard]] const std::string& domain_error() const { return domain_error_; }
  void clear_domain_error() { domain_error_.clear(); }

 private:
  Outcome agree(const std::exception_ptr& caught) noexcept;
  static PetscErrorCode after_function(Outcome outcome, Vec f) noexcept;
  static PetscErrorCode after_jacobian(Outcome outcome, SNES snes) noexcept;

  MPI_Comm comm_;
  std::exception_ptr kept_;
  std::string domain_error_;
};

}  // namespace scree::petsc

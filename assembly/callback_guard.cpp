#include "assembly/callback_guard.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <memory>
#include <new>

#include "core/error.hpp"
#include "core/interrupt.hpp"

namespace scree::petsc {
namespace {

constexpr std::size_t kTextSize = 1024;
using Text = std::array<char, kTextSize>;

struct Verdict {
  int severity = 0;  ///< 0 done, 1 recoverable, 2 for good, 3 asked to stop
  int rank = 0;
};

Verdict judge(const std::exception_ptr& caught, Text& text) noexcept {
  const auto keep = [&text](const char* what) {
    std::strncpy(text.data(), what, kTextSize - 1);
    text.back() = '\0';
  };
  if (interrupt_requested()) return {3, 0};
  if (!caught) return {};
  try {
    std::rethrow_exception(caught);
  } catch (const Interrupted&) {
    return {3, 0};
  } catch (const RecoverableError& e) {
    keep(e.what());
    return {1, 0};
  } catch (const std::bad_alloc&) {
    keep("out of memory");
  } catch (const std::exception& e) {
    keep(e.what());
  } catch (...) {
    keep("an exception of unknown type");
  }
  return {2, 0};
}

/// On several ranks, iterations between two looks at requests to stop: a look is a reduction.
constexpr PetscInt kBetweenLooks = 4;

/// What the convergence test of a watched linear solver works on; PETSc owns it.
struct Watch {
  CallbackGuard* guard;
  void* usual = nullptr;  ///< context of KSPConvergedDefault
};

PetscErrorCode watched_convergence(KSP ksp, PetscInt it, PetscReal norm, KSPConvergedReason* reason,
                                   void* context) {
  const auto& watch = *static_cast<Watch*>(context);
  int ranks = 1;
  MPI_Comm_size(PetscObjectComm(reinterpret_cast<PetscObject>(ksp)), &ranks);
  if ((ranks == 1 || it % kBetweenLooks == 0) && watch.guard->poll() != CallbackGuard::Outcome::done)
    return PETSC_ERR_USER;
  return KSPConvergedDefault(ksp, it, norm, reason, watch.usual);
}

/// Solvers that only apply factors test no convergence: this is between the factors and their application.
PetscErrorCode look_after_set_up(PC pc, KSP /*ksp*/) {
  void* guard = nullptr;
  if (const PetscErrorCode code = PCGetApplicationContext(pc, static_cast<void*>(&guard)); code != 0)
    return code;
  const bool done = static_cast<CallbackGuard*>(guard)->poll() == CallbackGuard::Outcome::done;
  return done ? 0 : PETSC_ERR_USER;
}

PetscErrorCode end_watch(void* context) {
  const auto* watch = static_cast<Watch*>(context);
  const PetscErrorCode code = KSPConvergedDefaultDestroy(watch->usual);
  delete watch;
  return code;
}

}  // namespace

void CallbackGuard::watch(KSP ksp) {
  auto watch = std::make_unique<Watch>(Watch{this});
  check(KSPConvergedDefaultCreate(&watch->usual), "setting the convergence test of the linear solver");
  check(KSPSetConvergenceTest(ksp, watched_convergence, watch.release(), end_watch),
        "setting the convergence test of the linear solver");
  PC pc = nullptr;
  check(KSPGetPC(ksp, &pc), "watching the linear solver");
  check(PCSetApplicationContext(pc, this), "watching the linear solver");
  check(PCSetPreSolve(pc, look_after_set_up), "watching the linear solver");
}

CallbackGuard::Outcome CallbackGuard::agree(const std::exception_ptr& caught) noexcept {
  Text text{};
  Verdict mine = judge(caught, text);
  MPI_Comm_rank(comm_, &mine.rank);
  Verdict worst;
  // MAXLOC takes the lowest rank among equals, so all agree on whose text it is.
  static_assert(sizeof(Verdict) == 2 * sizeof(int));
  MPI_Allreduce(&mine, &worst, 1, MPI_2INT, MPI_MAXLOC, comm_);
  if (worst.severity == 0) return Outcome::done;

  MPI_Bcast(text.data(), static_cast<int>(kTextSize), MPI_CHAR, worst.rank, comm_);
  try {
    if (worst.severity == 3) {
      kept_ = std::make_exception_ptr(Interrupted());
    } else if (worst.severity == 1) {
      domain_error_ = text.data();
    } else if (mine.severity == 2) {
      kept_ = caught;
    } else {
      kept_ = std::make_exception_ptr(RunError("rank " + std::to_string(worst.rank) + ": " + text.data()));
    }
  } catch (...) {  // out of memory while keeping the text
    kept_ = std::current_exception();
  }
  return worst.severity == 1 ? Outcome::out_of_domain : Outcome::failed;
}

PetscErrorCode CallbackGuard::after_function(Outcome outcome, Vec f) noexcept {
  if (outcome == Outcome::done) return 0;
  if (outcome == Outcome::failed) return PETSC_ERR_USER;
  return VecSet(f, std::numeric_limits<double>::infinity());
}

PetscErrorCode CallbackGuard::after_jacobian(Outcome outcome, SNES snes) noexcept {
  if (outcome == Outcome::done) return 0;
  if (outcome == Outcome::failed) return PETSC_ERR_USER;
  return SNESSetJacobianDomainError(snes);
}

void CallbackGuard::rethrow_kept() {
  if (kept_) std::rethrow_exception(std::exchange(kept_, nullptr));
}

}  // namespace scree::petsc

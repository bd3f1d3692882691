#include "assembly/callback_guard.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>

#include "core/error.hpp"

namespace scree::petsc {
namespace {

constexpr std::size_t kTextSize = 1024;
using Text = std::array<char, kTextSize>;

struct Verdict {
  int severity = 0;  ///< 0 done, 1 recoverable, 2 for good
  int rank = 0;
};

Verdict judge(const std::exception_ptr& caught, Text& text) noexcept {
  const auto keep = [&text](const char* what) {
    std::strncpy(text.data(), what, kTextSize - 1);
    text.back() = '\0';
  };
  if (!caught) return {};
  try {
    std::rethrow_exception(caught);
  } catch (const RecoverableError& e) {
    keep(e.what());
    return {1, 0};
  } catch (const std::exception& e) {
    keep(e.what());
  } catch (...) {
    keep("an exception of unknown type");
  }
  return {2, 0};
}

}  // namespace

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
    if (worst.severity == 1) {
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

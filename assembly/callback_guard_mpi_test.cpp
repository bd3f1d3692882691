#include "assembly/callback_guard.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>
#include <string>

#include "assembly/test_ranks.hpp"
#include "core/error.hpp"

namespace scree::petsc {
namespace {

using scree::ranks::this_rank;

int last_rank() { return scree::ranks::rank_count() - 1; }

/// x + x^3 = c on every rank, refused by the last rank where x > limit. Newton's first step from 0 goes to x
/// = c.
struct Problem {
  CallbackGuard guard{PETSC_COMM_WORLD};
  double c = 10;
  double limit = 4;
  bool fatal = false;
  int refused = 0;

  static PetscErrorCode function(SNES /*snes*/, Vec x, Vec f, void* context) {
    auto& p = *static_cast<Problem*>(context);
    return p.guard.function(f, [&] {
      const double value = ConstVecValues(x).data()[0];
      if (value > p.limit && this_rank() == last_rank()) {
        ++p.refused;
        if (p.fatal) throw std::out_of_range("table of forces");
        throw RecoverableError("gap closed");
      }
      VecValues(f).data()[0] = value + value * value * value - p.c;
    });
  }
  static PetscErrorCode jacobian(SNES snes, Vec x, Mat k, Mat /*p*/, void* context) {
    auto& p = *static_cast<Problem*>(context);
    return p.guard.jacobian(snes, [&] {
      const double value = ConstVecValues(x).data()[0];
      check(MatSetValue(k, this_rank(), this_rank(), 1 + 3 * value * value, INSERT_VALUES), "filling");
      check(MatAssemblyBegin(k, MAT_FINAL_ASSEMBLY), "filling");
      check(MatAssemblyEnd(k, MAT_FINAL_ASSEMBLY), "filling");
    });
  }

  struct Result {
    PetscErrorCode code = 0;
    SNESConvergedReason reason = SNES_CONVERGED_ITERATING;
    double x = 0;
  };
  Result solve() {
    VecHandle x;
    check(VecCreateMPI(PETSC_COMM_WORLD, 1, PETSC_DETERMINE, x.put()), "creating");
    MatHandle k;
    check(MatCreateAIJ(PETSC_COMM_WORLD, 1, 1, PETSC_DETERMINE, PETSC_DETERMINE, 1, nullptr, 0, nullptr,
                       k.put()),
          "creating");
    SnesHandle snes;
    check(SNESCreate(PETSC_COMM_WORLD, snes.put()), "creating");
    check(SNESSetFunction(snes, nullptr, function, this), "setting");
    check(SNESSetJacobian(snes, k, k, jacobian, this), "setting");
    check(SNESSetTolerances(snes, 1e-12, 1e-12, 1e-12, 50, 1000), "setting");
    Result result;
    result.code = SNESSolve(snes, nullptr, x);
    check(SNESGetConvergedReason(snes, &result.reason), "reading");
    result.x = ConstVecValues(x).data()[0];
    return result;
  }
};

TEST(CallbackGuard, LineSearchShortensStepsThatOneRankRefuses) {
  Problem problem;
  const auto result = problem.solve();
  problem.guard.rethrow_kept();
  EXPECT_EQ(result.code, 0);
  EXPECT_GT(result.reason, 0) << SNESConvergedReasons[result.reason];
  EXPECT_NEAR(result.x, 2.0, 1e-9);
  EXPECT_EQ(problem.refused > 0, this_rank() == last_rank());
  EXPECT_EQ(problem.guard.domain_error(), "gap closed");
}

TEST(CallbackGuard, StepThatCannotBeShortenedIsAnOutcomeNotAnError) {
  Problem problem;
  problem.limit = -1;
  const auto result = problem.solve();
  problem.guard.rethrow_kept();
  EXPECT_EQ(result.code, 0);
  EXPECT_LT(result.reason, 0);
}

TEST(CallbackGuard, AFailureForGoodReachesTheCallerOnAllRanks) {
  Problem problem;
  problem.fatal = true;
  const auto result = problem.solve();
  EXPECT_NE(result.code, 0);
  if (this_rank() == last_rank()) {
    EXPECT_THROW(problem.guard.rethrow_kept(), std::out_of_range);
  } else {
    try {
      problem.guard.rethrow_kept();
      FAIL() << "another rank's failure was not seen";
    } catch (const RunError& e) {
      EXPECT_EQ(e.what(), "rank " + std::to_string(last_rank()) + ": table of forces");
    }
  }
  EXPECT_NO_THROW(problem.guard.rethrow_kept());
}

TEST(CallbackGuard, TheWorstOutcomeOfAnyRankWins) {
  CallbackGuard guard(PETSC_COMM_WORLD);
  EXPECT_EQ(guard.run([] {}), CallbackGuard::Outcome::done);
  EXPECT_EQ(guard.domain_error(), "");
  EXPECT_EQ(guard.run([] { throw RecoverableError("r" + std::to_string(this_rank())); }),
            CallbackGuard::Outcome::out_of_domain);
  EXPECT_EQ(guard.domain_error(), "r0");
  const auto outcome = guard.run([] {
    if (this_rank() == last_rank()) throw 1;
    throw RecoverableError("not a number");
  });
  EXPECT_EQ(outcome, CallbackGuard::Outcome::failed);
  EXPECT_ANY_THROW(guard.rethrow_kept());
}

}  // namespace
}  // namespace scree::petsc

#include "assembly/interrupt.hpp"

#include <gtest/gtest.h>

#include "assembly/callback_guard.hpp"
#include "assembly/test_ranks.hpp"

namespace scree {
namespace {

using ranks::rank_count;
using ranks::this_rank;

class InterruptOfRanks : public ::testing::Test {
 protected:
  void TearDown() override { clear_interrupt(); }
};

TEST_F(InterruptOfRanks, OneRankThatIsAskedEndsAllOfThem) {
  EXPECT_NO_THROW(check_interrupt(MPI_COMM_WORLD));
  EXPECT_EQ(max_or_interrupt(this_rank(), MPI_COMM_WORLD), rank_count() - 1);
  if (this_rank() == rank_count() - 1) request_interrupt();
  EXPECT_THROW(check_interrupt(MPI_COMM_WORLD), Interrupted);
  EXPECT_THROW((void)max_or_interrupt(1, MPI_COMM_WORLD), Interrupted);
}

TEST_F(InterruptOfRanks, CallbackOfOneRankFailsOnAllOfThem) {
  petsc::CallbackGuard guard(MPI_COMM_WORLD);
  EXPECT_EQ(guard.poll(), petsc::CallbackGuard::Outcome::done);
  if (this_rank() == 0) request_interrupt();
  EXPECT_EQ(guard.run([] {}), petsc::CallbackGuard::Outcome::failed);
  EXPECT_THROW(guard.rethrow_kept(), Interrupted);
  // A fault of another rank at the same time does not hide it.
  const auto outcome = guard.run([] {
    if (this_rank() == rank_count() - 1) throw std::runtime_error("table of forces");
  });
  EXPECT_EQ(outcome, petsc::CallbackGuard::Outcome::failed);
  EXPECT_THROW(guard.rethrow_kept(), Interrupted);
}

/// Conjugate gradients on the diagonal 1, 2, ..., which take as many iterations as there are values.
class LinearSolve {
 public:
  explicit LinearSolve(int asked_at) : asked_at_(asked_at) {
    using petsc::check;
    constexpr PetscInt kOwn = 40;
    check(VecCreateMPI(MPI_COMM_WORLD, kOwn, PETSC_DETERMINE, x_.put()), "testing");
    check(VecDuplicate(x_, b_.put()), "testing");
    check(VecSet(b_, 1), "testing");
    check(MatCreateShell(MPI_COMM_WORLD, kOwn, kOwn, PETSC_DETERMINE, PETSC_DETERMINE, this, a_.put()),
          "testing");
    check(MatShellSetOperation(a_, MATOP_MULT, reinterpret_cast<void (*)()>(multiply)), "testing");
    check(KSPCreate(MPI_COMM_WORLD, ksp_.put()), "testing");
    check(KSPSetType(ksp_, KSPCG), "testing");
    PC pc = nullptr;
    check(KSPGetPC(ksp_, &pc), "testing");
    check(PCSetType(pc, PCNONE), "testing");
    check(KSPSetOperators(ksp_, a_, a_), "testing");
    check(KSPSetTolerances(ksp_, 1e-12, 0, 1e10, 1000), "testing");
    guard_.watch(ksp_);
  }

  void solve() {
    const PetscErrorCode code = KSPSolve(ksp_, b_, x_);
    guard_.rethrow_kept();
    petsc::check(code, "testing");
  }
  [[nodiscard]] int products() const { return products_; }

 private:
  static PetscErrorCode multiply(Mat a, Vec x, Vec y) {
    LinearSolve* me = nullptr;
    if (const PetscErrorCode code = MatShellGetContext(a, static_cast<void*>(&me)); code != 0) return code;
    if (++me->products_ == me->asked_at_ && this_rank() == rank_count() - 1) request_interrupt();
    const petsc::ConstVecValues from(x);
    const petsc::VecValues to(y);
    for (int k = 0; k < 40; ++k) to.data()[k] = (1 + k + 40 * this_rank()) * from.data()[k];
    return 0;
  }

  int asked_at_, products_ = 0;
  petsc::CallbackGuard guard_{MPI_COMM_WORLD};
  petsc::VecHandle x_, b_;
  petsc::MatHandle a_;
  petsc::KspHandle ksp_;
};

TEST_F(InterruptOfRanks, IterationsOfALinearSolverEnd) {
  LinearSolve whole(-1);
  EXPECT_NO_THROW(whole.solve());
  EXPECT_GT(whole.products(), 30);
  LinearSolve interrupted(10);
  EXPECT_THROW(interrupted.solve(), Interrupted);
  EXPECT_LE(interrupted.products(), 15);
}

PetscErrorCode asked_in_set_up(PC /*pc*/) {
  if (this_rank() == rank_count() - 1) request_interrupt();
  return 0;
}

PetscErrorCode counted_application(PC pc, Vec x, Vec y) {
  int* applications = nullptr;
  if (const PetscErrorCode code = PCShellGetContext(pc, static_cast<void*>(&applications)); code != 0)
    return code;
  ++*applications;
  return VecCopy(x, y);
}

/// KSPPREONLY tests no convergence: the factors of a direct solver were applied, and what follows was done.
TEST_F(InterruptOfRanks, ASolveThatOnlyAppliesFactorsEndsAfterItsSetUp) {
  using petsc::check;
  constexpr const char* kDoing = "testing";
  constexpr PetscInt kOwn = 3;
  petsc::VecHandle x, b;
  check(VecCreateMPI(MPI_COMM_WORLD, kOwn, PETSC_DETERMINE, x.put()), kDoing);
  check(VecDuplicate(x, b.put()), kDoing);
  check(VecSet(b, 1), kDoing);
  petsc::MatHandle a;
  check(MatCreateConstantDiagonal(MPI_COMM_WORLD, kOwn, kOwn, PETSC_DETERMINE, PETSC_DETERMINE, 1, a.put()),
        kDoing);
  const auto solve = [&](bool asked) {
    petsc::CallbackGuard guard(MPI_COMM_WORLD);
    petsc::KspHandle ksp;
    int applications = 0;
    check(KSPCreate(MPI_COMM_WORLD, ksp.put()), kDoing);
    check(KSPSetType(ksp, KSPPREONLY), kDoing);
    check(KSPSetOperators(ksp, a, a), kDoing);
    guard.watch(ksp);
    PC pc = nullptr;
    check(KSPGetPC(ksp, &pc), kDoing);
    // Also where options choose the preconditioner afterwards.
    check(PCSetType(pc, PCSHELL), kDoing);
    check(PCShellSetContext(pc, &applications), kDoing);
    check(PCShellSetApply(pc, counted_application), kDoing);
    if (asked) check(PCShellSetSetUp(pc, asked_in_set_up), kDoing);
    const PetscErrorCode code = KSPSolve(ksp, b, x);
    if (asked) {
      EXPECT_NE(code, 0);
      EXPECT_THROW(guard.rethrow_kept(), Interrupted);
    } else {
      EXPECT_EQ(code, 0);
      EXPECT_NO_THROW(guard.rethrow_kept());
    }
    return applications;
  };
  EXPECT_EQ(solve(false), 1);
  EXPECT_EQ(solve(true), 0);
}

}  // namespace
}  // namespace scree

/// Phases of a run, where others use PETSc in the same process.
#include "solvers/run/phase_clock.hpp"

#include <gtest/gtest.h>
#include <mpi.h>

#include <map>
#include <stdexcept>
#include <string>

#include "assembly/petsc.hpp"

namespace scree {
namespace {

/// PETSc's event of a solve, as a solver has it.
class BusySolve {
 public:
  BusySolve() {
    petsc::check(PetscLogDefaultBegin(), "starting the log");
    petsc::check(KSPInitializePackage(), "registering events");
    petsc::check(PetscLogEventGetId("KSPSolve", &id_), "finding an event");
  }
  void run(double seconds) const {
    petsc::check(PetscLogEventBegin(id_, nullptr, nullptr, nullptr, nullptr), "starting an event");
    const double start = MPI_Wtime();
    while (MPI_Wtime() - start < seconds) continue;
    petsc::check(PetscLogEventEnd(id_, nullptr, nullptr, nullptr, nullptr), "ending an event");
  }

 private:
  PetscLogEvent id_ = -1;
};

std::map<std::string, double> phases_of(const PhaseClock& clock) {
  const auto all = clock.seconds(1);
  return {all.begin(), all.end()};
}

constexpr double kOwn = 2e-3, kOfOthers = 2e-2;  // [s]
constexpr double kTick = 1e-4;                   // between two looks at the clock [s]

TEST(PhaseClock, CountsEventsWithinItsOwnScopesOnly) {
  const BusySolve solve;
  solve.run(kOfOthers);  // of a run before
  PhaseClock clock, other;
  const double start = MPI_Wtime();
  for (int k = 0; k < 2; ++k) {
    const PhaseClock::Scope scope(clock, PhaseClock::newton);
    solve.run(kOwn);
  }
  const double own = MPI_Wtime() - start;
  {
    const PhaseClock::Scope scope(other, PhaseClock::newton);
    solve.run(kOfOthers);
  }
  solve.run(kOfOthers);  // of the program
  std::map<std::string, double> found = phases_of(clock);
  EXPECT_GE(found["linear solver"], 2 * kOwn - kTick);
  EXPECT_LE(found["linear solver"], own + kTick);
  EXPECT_GE(found["Newton, other"], -kTick);
  EXPECT_EQ(found["tangent assembly"], 0);
  EXPECT_GE(phases_of(other)["linear solver"], kOfOthers - kTick);
  EXPECT_GE(phases_of(other)["Newton, other"], -kTick);
}

TEST(PhaseClock, CountsEventsOfAScopeThatAnErrorEnds) {
  const BusySolve solve;
  PhaseClock clock;
  try {
    const PhaseClock::Scope scope(clock, PhaseClock::newton);
    solve.run(kOwn);
    throw std::runtime_error("a step that fails");
  } catch (const std::runtime_error&) {
  }
  solve.run(kOfOthers);
  EXPECT_GE(phases_of(clock)["linear solver"], kOwn - kTick);
  EXPECT_GE(phases_of(clock)["Newton, other"], -kTick);
}

TEST(PhaseClock, TellsTheSolutionsOfImpactsFromThoseOfNewton) {
  const BusySolve solve;
  const petsc::LogEvent of_impacts("ScreeImpacts"), of_solution("ScreeImpactSolve");
  PhaseClock clock;
  {
    const PhaseClock::Scope scope(clock, PhaseClock::newton);
    solve.run(kOwn);
    const petsc::LogScope impacts(of_impacts);
    const petsc::LogScope solution(of_solution);
    solve.run(kOfOthers);
  }
  std::map<std::string, double> found = phases_of(clock);
  EXPECT_GE(found["velocities after impacts"], kOfOthers - kTick);
  EXPECT_GE(found["linear solver"], kOwn - 2 * kTick);
  EXPECT_LT(found["linear solver"], kOfOthers);
  EXPECT_GE(found["Newton, other"], -kTick);
}

TEST(PhaseClock, TellsOfKeptStatesWhereThereAreSome) {
  PhaseClock clock;
  EXPECT_EQ(phases_of(clock).count("kept states"), 0U);
  const double start = MPI_Wtime();
  {
    const PhaseClock::Scope scope(clock, PhaseClock::keeping);
    while (MPI_Wtime() - start < kOwn) continue;
  }
  const double taken = MPI_Wtime() - start;
  EXPECT_GE(clock.kept_states(), kOwn - kTick);
  EXPECT_LE(clock.kept_states(), taken + kTick);
  EXPECT_EQ(phases_of(clock)["kept states"], clock.kept_states());
  EXPECT_NEAR(phases_of(clock)["other"], 1 - clock.kept_states(), 1e-12);
}

}  // namespace
}  // namespace scree

/// Steps of several ranks that rank 0 solves: the same bits as on one rank, the same errors on all.
#include "solvers/contact_dynamics/gathered_step.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "assembly/test_ranks.hpp"
#include "core/error.hpp"
#include "core/interrupt.hpp"
#include "solvers/contact_dynamics/test_problems.hpp"

namespace scree::contact_dynamics {
namespace {

using problems::Kind;
using ranks::rank_count;
using ranks::this_rank;

/// Spheres that rub, as one rank has them: contacts in the order of their bodies.
StepProblem rough_pyramid(int n) {
  StepProblem whole = problems::pyramid(n, Kind::hertz);
  for (Constraint& contact : whole.constraints) contact.friction = 0.3;
  return whole;
}

/// The same with numbers against the order of ids, as ranks may deal them. Contacts keep their places.
StepProblem numbered_backwards(StepProblem whole) {
  const int last = static_cast<int>(whole.bodies.size()) - 1;
  std::reverse(whole.bodies.begin(), whole.bodies.end());
  for (Constraint& contact : whole.constraints) {
    contact.a = last - contact.a;
    if (contact.b >= 0) contact.b = last - contact.b;
  }
  return whole;
}

/// Velocities by id, and forces by key.
struct Everything {
  std::vector<double> velocities, forces;
  OneStepReport report;
};

Everything gathered(const StepProblem& whole, MPI_Comm comm) {
  const StepProblem mine = problems::dealt(whole, comm);
  const ContactOperator op(mine);
  const OneStepResult result = solve_one_step_of_ranks(mine, op);
  Everything all;
  all.report = result.report;
  all.velocities.assign(6 * whole.bodies.size(), 0);
  all.forces.assign(4 * whole.constraints.size(), 0);
  {
    const petsc::ConstVecValues velocities(result.velocities);
    for (int b = 0; b < mine.owned; ++b)
      std::copy_n(velocities.data() + 6 * std::ptrdiff_t{b}, 6, &all.velocities[6 * mine.bodies[b].id]);
    const petsc::ConstVecValues normal(result.normal);
    for (std::size_t i = 0; i < mine.constraints.size(); ++i) {
      double* to = &all.forces[4 * mine.constraints[i].key];
      to[0] = normal.data()[i];
      std::copy_n(result.tangential[i].data(), 3, to + 1);
    }
  }
  for (std::vector<double>* values : {&all.velocities, &all.forces})
    MPI_Allreduce(MPI_IN_PLACE, values->data(), static_cast<int>(values->size()), MPI_DOUBLE, MPI_SUM, comm);
  return all;
}

void expect_same_bits(const StepProblem& alone, const StepProblem& whole) {
  const Everything one = gathered(alone, MPI_COMM_SELF);
  const Everything all = gathered(whole, MPI_COMM_WORLD);
  EXPECT_TRUE(one.report.converged) << one.report.change;
  EXPECT_EQ(all.velocities, one.velocities);
  EXPECT_EQ(all.forces, one.forces);
  EXPECT_GT(*std::max_element(one.forces.begin(), one.forces.end()), 0);
  EXPECT_EQ(all.report.newton, one.report.newton);
  EXPECT_GT(all.report.krylov, 0);
  EXPECT_EQ(all.report.krylov, one.report.krylov);
  EXPECT_EQ(all.report.change, one.report.change);
  EXPECT_EQ(all.report.slip_error, one.report.slip_error);
  EXPECT_EQ(all.report.method, one.report.method);
}

TEST(GatheredStep, HasTheBitsOfOneRank) {
  const StepProblem whole = rough_pyramid(4);
  expect_same_bits(whole, whole);
}

TEST(GatheredStep, DoesNotDependOnWhoOwnsABody) {
  const StepProblem whole = rough_pyramid(4);
  // One rank would keep the order that it was given.
  if (rank_count() > 1) expect_same_bits(whole, numbered_backwards(whole));
}

/// Ranks without a body or contact, and contacts with boundaries behind those with bodies.
TEST(GatheredStep, TakesRanksThatHaveNothing) {
  const StepProblem beam = problems::beam();
  expect_same_bits(beam, beam);
}

TEST(GatheredStep, ARequestToStopOfAnyRankEndsItOnAll) {
  const StepProblem whole = rough_pyramid(3);
  for (const int asked : {0, rank_count() - 1}) {
    if (this_rank() == asked) request_interrupt();
    EXPECT_THROW(gathered(whole, MPI_COMM_WORLD), Interrupted) << asked;
    MPI_Barrier(MPI_COMM_WORLD);
    clear_interrupt();
  }
  EXPECT_TRUE(gathered(whole, MPI_COMM_WORLD).report.converged);
}

TEST(GatheredStep, AnErrorOfRank0ReachesAll) {
  constexpr const char* kOption = "-scree_one_step_ksp_type";
  const StepProblem whole = rough_pyramid(3);
  petsc::check(PetscOptionsSetValue(nullptr, kOption, "nonesuch"), "setting an option");
  std::string what;
  try {
    (void)gathered(whole, MPI_COMM_WORLD);
  } catch (const RunError& error) {
    what = error.what();
  }
  petsc::check(PetscOptionsClearValue(nullptr, kOption), "clearing an option");
  EXPECT_THAT(what, ::testing::HasSubstr("nonesuch"));
  EXPECT_THAT(what, ::testing::StartsWith(this_rank() == 0 ? "" : "rank 0: "));
  EXPECT_TRUE(gathered(whole, MPI_COMM_WORLD).report.converged);
}

}  // namespace
}  // namespace scree::contact_dynamics

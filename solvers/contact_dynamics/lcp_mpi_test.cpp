/// The methods for LCPs on steps whose velocities are known, on 1, 2 and 4 ranks.
#include "solvers/contact_dynamics/lcp.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "core/error.hpp"
#include "core/test_extremes.hpp"
#include "solvers/contact_dynamics/test_problems.hpp"

namespace scree::contact_dynamics {
namespace {

constexpr double kTolerance = 1e-9;

/// A step solved; values of this rank.
struct Solved {
  LcpResult result;
  std::vector<double> forces, velocities;
  PetscInt first = 0;  ///< body of this rank
};

Solved solve(const StepProblem& whole, LcpMethod method, double tolerance = kTolerance,
             MPI_Comm comm = PETSC_COMM_WORLD, const std::vector<double>& start = {}) {
  const StepProblem problem = problems::dealt(whole, comm);
  const ContactOperator contacts(problem);
  const petsc::VecHandle p = contacts.per_contact(), f = contacts.per_contact(), v = contacts.per_body();
  contacts.offset(problem, p);
  std::copy(start.begin(), start.end(), petsc::VecValues(f).data());
  Solved solved;
  solved.result = LcpSolver(method).solve(contacts, problem, p, f, tolerance);
  contacts.velocities(f, v);
  const petsc::ConstVecValues force(f), velocity(v);
  solved.forces.assign(force.data(), force.data() + problem.constraints.size());
  solved.velocities.assign(velocity.data(), velocity.data() + 6 * problem.owned);
  if (problem.owned > 0) solved.first = problem.bodies[0].number;
  return solved;
}

double largest(const std::vector<double>& values) {
  double most = 0;
  for (const double value : values) test::keep_largest(most, std::abs(value));
  return most;
}

/// Largest error of the force between the cubes of `column_and_body`, relative to itself. Collective.
double error_of_column(const StepProblem& whole, const Solved& solved, double on_top) {
  const StepProblem mine = problems::dealt(whole);
  std::vector<double> sums(whole.bodies.size() - 1, 0);  // of the four contacts of a cube with what is below
  for (std::size_t i = 0; i < solved.forces.size(); ++i) {
    const std::size_t cube = mine.constraints[i].key / 4;
    if (cube < sums.size()) sums[cube] += solved.forces[i];
  }
  const auto count = static_cast<int>(sums.size());
  MPI_Allreduce(MPI_IN_PLACE, sums.data(), count, MPI_DOUBLE, MPI_SUM, PETSC_COMM_WORLD);
  double error = 0;
  for (int cube = 0; cube < count; ++cube) {
    const double exact = 10.0 * (count - cube) + on_top;
    test::keep_largest(error, std::abs(sums[cube] / exact - 1));
  }
  return error;
}

/// The spheres of a pyramid fall on each other: hard enough to be no static step, and solvable by all.
StepProblem impact(int base) {
  StepProblem whole = problems::pyramid(base, problems::Kind::hooke, problems::kGrains);
  problems::shake(whole, 0.5);
  problems::spread(whole, 1e-4);
  return whole;
}

class Lcp : public testing::TestWithParam<LcpMethod> {};
INSTANTIATE_TEST_SUITE_P(Methods, Lcp,
                         testing::Values(LcpMethod::apgd, LcpMethod::bncg, LcpMethod::bqpip, LcpMethod::tron,
                                         LcpMethod::pgs, LcpMethod::newton, LcpMethod::automatic),
                         [](const auto& tested) { return std::string(name_of(tested.param)); });

TEST_P(Lcp, BeamRestsOnItsSupports) {
  const Solved solved = solve(problems::beam(), GetParam());
  EXPECT_TRUE(solved.result.converged) << solved.result.cause;
  EXPECT_LE(solved.result.residual, kTolerance);
  EXPECT_EQ(solved.result.scales.force, 10);
  if (solved.forces.empty()) return;  // of a rank without the beam
  EXPECT_GE(*std::min_element(solved.forces.begin(), solved.forces.end()), 0);
  EXPECT_NEAR(solved.forces[0] + solved.forces[1] + solved.forces[2], 10, 1e-7);
  EXPECT_NEAR(solved.forces[0], solved.forces[2], 1e-7);
  EXPECT_LT(largest(solved.velocities), 1e-8);
}

TEST_P(Lcp, BeamDoesNotReachALowerSupport) {
  const Solved solved = solve(problems::beam({1, 1, 1}, 1, 1e-3), GetParam());
  EXPECT_TRUE(solved.result.converged) << solved.result.cause;
  if (solved.forces.empty()) return;
  EXPECT_NEAR(solved.forces[0], 5, 1e-7);
  EXPECT_NEAR(solved.forces[1], 0, 1e-7);
  EXPECT_NEAR(solved.forces[2], 5, 1e-7);
}

TEST_P(Lcp, PyramidStands) {
  const Solved solved = solve(problems::pyramid(6, problems::Kind::hooke, problems::kGrains), GetParam());
  EXPECT_TRUE(solved.result.converged) << solved.result.cause;
  EXPECT_LE(solved.result.residual, kTolerance);
  // A step of free fall gains g h.
  EXPECT_LT(largest(solved.velocities), 1e-7 * problems::kGrains.gravity * 1e-3);
}

TEST_P(Lcp, VelocitiesAfterAnImpactAreThoseOfEveryMethodAndNumberOfRanks) {
  const StepProblem whole = impact(6);
  const Solved serial = solve(whole, LcpMethod::apgd, 1e-11, PETSC_COMM_SELF);
  ASSERT_TRUE(serial.result.converged) << serial.result.cause;
  const Solved solved = solve(whole, GetParam(), 1e-10);
  EXPECT_TRUE(solved.result.converged) << solved.result.cause;
  EXPECT_LE(solved.result.residual, 1e-10);
  double difference = 0;
  for (std::size_t i = 0; i < solved.velocities.size(); ++i) {
    test::keep_largest(difference, std::abs(solved.velocities[i] - serial.velocities[6 * solved.first + i]));
  }
  EXPECT_LT(difference, 1e-8 * largest(serial.velocities));
}

TEST_P(Lcp, TwoBodiesReboundWithTheirRestitution) {
  // Masses 0.1 and 0.1 at 3 m/s: v = u (1 -+ e) / 2.
  const Solved solved = solve(problems::cradle(2, 3, 0.4), GetParam(), 1e-11);
  EXPECT_TRUE(solved.result.converged) << solved.result.cause;
  for (std::size_t i = 0; i < solved.velocities.size(); i += 6) {
    const bool second = solved.first + static_cast<PetscInt>(i) / 6 == 1;
    EXPECT_NEAR(solved.velocities[i], second ? 2.1 : 0.9, 1e-9);
  }
}

TEST_P(Lcp, NewtonsCradleGoesAsOneImpactOfAllContacts) {
  // Contacts without approach only must not close: the others leave together, as one body of their mass.
  const int count = 5;
  const double e = 1, u = 2;
  const Solved solved = solve(problems::cradle(count, u, e), GetParam(), 1e-11);
  EXPECT_TRUE(solved.result.converged) << solved.result.cause;
  for (std::size_t i = 0; i < solved.velocities.size(); i += 6) {
    const bool first = solved.first + i / 6 == 0;
    const double others = (1 + e) * u / count;
    EXPECT_NEAR(solved.velocities[i], first ? others - e * u : others, 1e-9);
  }
}

TEST_P(Lcp, SolutionIsWhereItStays) {
  const StepProblem whole = impact(4);
  const Solved solved = solve(whole, GetParam());
  const Solved again = solve(whole, GetParam(), 1.1 * kTolerance, PETSC_COMM_WORLD, solved.forces);
  EXPECT_EQ(again.result.iterations, 0);
  EXPECT_TRUE(again.result.converged);
}

TEST_P(Lcp, SaysSoIfNothingSolvesIt) {
  // Floor and ceiling close in on a body: no velocity satisfies both.
  StepProblem whole = problems::beam();
  for (Constraint& contact : whole.constraints) contact.drift = -contact.normal;
  whole.constraints[1].normal = -Vec3::UnitZ();
  whole.constraints[1].drift = Vec3::UnitZ();
  petsc::check(PetscOptionsSetValue(nullptr, "-cd_lcp_max_it", "10"), "limiting iterations");
  const Solved solved = solve(whole, GetParam());
  petsc::check(PetscOptionsClearValue(nullptr, "-cd_lcp_max_it"), "limiting iterations");
  EXPECT_FALSE(solved.result.converged);
  EXPECT_FALSE(solved.result.cause.empty());
  EXPECT_GT(solved.result.residual, kTolerance);
}

TEST_P(Lcp, AHeavyBodyElsewhereLeavesTheForcesOfLightOnesAlone) {
  for (const double mass : {1e4, 1e6, 1e7}) {
    const StepProblem whole = problems::column_and_body(mass, false);
    const Solved solved = solve(whole, GetParam());
    EXPECT_TRUE(solved.result.converged) << solved.result.cause;
    // Condition of N: about 100 times the tolerance; the largest measured error is 2e-8.
    EXPECT_LT(error_of_column(whole, solved, 0), 2e-7) << "mass " << mass;
  }
}

TEST(LcpSolver, LightBodiesCarryAHeavyOne) {
  const StepProblem whole = problems::column_and_body(1e6, true);
  for (const LcpMethod method : {LcpMethod::automatic, LcpMethod::newton, LcpMethod::tron}) {
    const Solved solved = solve(whole, method);
    EXPECT_TRUE(solved.result.converged) << solved.result.cause;
    EXPECT_LT(error_of_column(whole, solved, 1e7), 5e-8) << name_of(method);  // measured: 3e-9
  }
}

TEST(LcpSolver, SaysSoIfAHeavyBodySinksIntoLightOnes) {
  // Sweeps pass a load on by the ratio of masses: after 1000 nearly nothing of it has come to the floor.
  const StepProblem whole = problems::column_and_body(1e8, true);
  petsc::check(PetscOptionsSetValue(nullptr, "-cd_lcp_max_it", "1000"), "limiting iterations");
  const Solved solved = solve(whole, LcpMethod::pgs);
  petsc::check(PetscOptionsClearValue(nullptr, "-cd_lcp_max_it"), "limiting iterations");
  EXPECT_GT(error_of_column(whole, solved, 1e9), 0.9);
  EXPECT_FALSE(solved.result.converged);
  EXPECT_GT(solved.result.residual, 5e-3);  // measured: 0.04
}

TEST(LcpSolver, ForcesInAColumnAreTheWeightsAbove) {
  // Unique: N of a column is regular, with a condition of about 4 (n / pi)^2.
  const int count = 60;
  StepProblem whole;
  whole.h = 1e-3;
  for (int i = 0; i < count; ++i) {
    whole.bodies.push_back(problems::moving_body(2, Vec3::Constant(1), Vec3(0, 0, -20)));
    whole.constraints.push_back(problems::sphere_contact(i, i - 1, Vec3(0, 0, i), Vec3(0, 0, i - 1), 0.5));
  }
  const Solved solved = solve(whole, LcpMethod::apgd, 1e-11);
  EXPECT_TRUE(solved.result.converged) << solved.result.cause;
  for (std::size_t i = 0; i < solved.forces.size(); ++i) {
    const double above = 20.0 * (count - static_cast<double>(solved.first) - static_cast<double>(i));
    EXPECT_NEAR(solved.forces[i], above, 1e-6);
  }
}

TEST(GaussSeidel, ForcesDependOnTheOrderOfContactsAndOnTheStart) {
  // Theory 07 section 3.
  StepProblem whole = problems::beam();
  const Solved ends_first = solve(whole, LcpMethod::pgs);
  std::swap(whole.constraints[0], whole.constraints[1]);
  const Solved middle_first = solve(whole, LcpMethod::pgs);
  const Solved from_ends =
      solve(whole, LcpMethod::pgs, kTolerance, PETSC_COMM_WORLD,
            ends_first.forces.empty() ? std::vector<double>{} : std::vector<double>{0, 5, 5});
  if (ends_first.forces.empty()) return;
  EXPECT_THAT(middle_first.forces,
              testing::ElementsAre(testing::DoubleNear(10, 1e-7), testing::DoubleNear(0, 1e-7),
                                   testing::DoubleNear(0, 1e-7)));
  EXPECT_THAT(from_ends.forces,
              testing::ElementsAre(testing::DoubleNear(0, 1e-7), testing::DoubleNear(5, 1e-7),
                                   testing::DoubleNear(5, 1e-7)));
  EXPECT_NEAR(ends_first.forces[1], 20.0 / 3, 1e-3);
}

TEST(LcpSolver, ForcesOfMethodsDiffer) {
  const StepProblem whole = problems::pyramid(6, problems::Kind::hooke, problems::kGrains);
  const Solved accelerated = solve(whole, LcpMethod::apgd);
  const Solved sweeps = solve(whole, LcpMethod::pgs);
  double difference = 0;
  for (std::size_t i = 0; i < sweeps.forces.size(); ++i) {
    test::keep_largest(difference, std::abs(sweeps.forces[i] - accelerated.forces[i]));
  }
  MPI_Allreduce(MPI_IN_PLACE, &difference, 1, MPI_DOUBLE, MPI_MAX, PETSC_COMM_WORLD);
  EXPECT_GT(difference, 0.05 * problems::kGrains.mass * problems::kGrains.gravity);
}

TEST(LcpSolver, UnitsAreThoseOfMomentumWhereNothingElseIsFelt) {
  StepProblem whole = problems::cradle(2, 3, 0);
  for (const double load : {0.0, 1e-9}) {
    whole.bodies[1].force.y() = load;
    const Solved solved = solve(whole, LcpMethod::apgd);
    EXPECT_TRUE(solved.result.converged) << solved.result.cause;
    EXPECT_NEAR(solved.result.scales.force, 0.5 * 0.1 * 3 / 1e-3, 1e-10);  // the mean of two, one at rest
    EXPECT_NEAR(solved.result.scales.rate, 3, 1e-12);                      // force h (1/m + 1/m)
  }
}

TEST(LcpSolver, DoesNotPassOverWhatIsNoNumber) {
  StepProblem whole = problems::pyramid(3, problems::Kind::hooke, problems::kGrains);
  whole.constraints[4].gap = std::nan("");
  const Solved solved = solve(whole, LcpMethod::apgd);
  EXPECT_FALSE(solved.result.converged);
  EXPECT_EQ(solved.result.cause, "residual is NaN or Inf");
}

TEST(LcpSolver, ContactsBetweenWhatIsFixedCarryNothing) {
  StepProblem whole = problems::pyramid(3, problems::Kind::hooke, problems::kGrains);
  whole.constraints.push_back(problems::sphere_contact(0, 1, Vec3(0, 0, 1), Vec3::Zero(), 0.5));
  const Solved solved = solve(whole, LcpMethod::apgd);
  EXPECT_TRUE(solved.result.converged) << solved.result.cause;
  if (solved.first == 0) {
    EXPECT_EQ(solved.forces.back(), 0);
  }
}

TEST(LcpSolver, RefusesWhatItDoesNotKnow) {
  EXPECT_EQ(lcp_method("bncg", ""), LcpMethod::bncg);
  try {
    (void)lcp_method("lemke", "/solver/lcp");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("/solver/lcp: unknown LCP solver \"lemke\""));
    EXPECT_THAT(error.what(), testing::HasSubstr("bqpip"));
  }
  EXPECT_THROW((void)solve(problems::beam(), LcpMethod::apgd, 0), InputError);
}

}  // namespace
}  // namespace scree::contact_dynamics

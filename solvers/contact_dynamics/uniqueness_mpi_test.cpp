/// How indeterminate forces are, where it can be counted by hand or by a dense rank, on 1, 2 and 4 ranks.
#include "solvers/contact_dynamics/uniqueness.hpp"

#include <gtest/gtest.h>

#include "core/error.hpp"
#include "solvers/contact_dynamics/compatibility.hpp"
#include "solvers/contact_dynamics/contact_energy.hpp"
#include "solvers/contact_dynamics/test_problems.hpp"

namespace scree::contact_dynamics {
namespace {

/// Compatible forces of a problem at rest.
petsc::VecHandle compatible(const StepProblem& mine, const ContactOperator& op) {
  const petsc::VecHandle load = problems::weights(mine, op);
  petsc::VecHandle forces = op.per_contact();
  (void)compatible_forces(mine, std::vector<char>(mine.constraints.size(), 1), load, {}, forces);
  return forces;
}

Uniqueness of(const StepProblem& whole) {
  const StepProblem mine = problems::dealt(whole);
  const ContactOperator op(mine);
  return measure_uniqueness(mine, compatible(mine, op));
}

TEST(Uniqueness, ABeamOnThreeSupportsIsOnceIndeterminate) {
  const Uniqueness beam = of(problems::beam());
  EXPECT_EQ(beam.loaded, 3);
  EXPECT_EQ(beam.indeterminacy, 1);
  EXPECT_FALSE(beam.estimate);
}

TEST(Uniqueness, ATableOnFourLegsIsOnceIndeterminate) {
  const Uniqueness table = of(problems::table());
  EXPECT_EQ(table.loaded, 4);
  EXPECT_EQ(table.indeterminacy, 1);
}

TEST(Uniqueness, TwoSupportsLeaveNothingOpen) {
  StepProblem whole = problems::beam();
  whole.constraints.erase(whole.constraints.begin() + 1);
  problems::number(whole);
  EXPECT_EQ(of(whole).indeterminacy, 0);
}

/// Rank of all loaded rows by a dense decomposition of the whole, written here without ContactEnergy.
long dense_rank(const StepProblem& whole, const std::vector<double>& forces) {
  Eigen::MatrixXd rows = Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(forces.size()),
                                               6 * static_cast<Eigen::Index>(whole.bodies.size()));
  for (std::size_t i = 0; i < forces.size(); ++i) {
    if (forces[i] <= 1e-9) continue;
    const Constraint& contact = whole.constraints[i];
    const auto put = [&](int body, const Vec6& row) {
      for (int k = 0; k < 6; ++k)
        if (whole.bodies[body].inverse_mass(k, k) > 0)
          rows(static_cast<Eigen::Index>(i), 6 * body + k) = row[k];
    };
    put(contact.a, row_of_a(contact));
    put(contact.b, row_of_b(contact));
  }
  Eigen::ColPivHouseholderQR<Eigen::MatrixXd> factors;
  factors.setThreshold(1e-9);
  return factors.compute(rows).rank();
}

TEST(Uniqueness, OfAPyramidIsWhatADenseRankSays) {
  for (const int n : {6, 8}) {  // by QR and, 204 spheres, by inertia
    const StepProblem whole = problems::pyramid(n, problems::Kind::hooke);
    const StepProblem mine = problems::dealt(whole);
    const ContactOperator op(mine);
    const petsc::VecHandle forces = compatible(mine, op);
    const std::vector<double> all = problems::by_key(mine, forces, whole.constraints.size());
    const Uniqueness pyramid = measure_uniqueness(mine, forces);
    EXPECT_FALSE(pyramid.estimate);
    EXPECT_EQ(pyramid.rank, dense_rank(whole, all)) << n;
    EXPECT_EQ(pyramid.indeterminacy, pyramid.loaded - pyramid.rank);
    EXPECT_GT(pyramid.indeterminacy, 0);
  }
}

TEST(Uniqueness, GaussSeidelIsFarFromTheCompatibleForces) {
  const StepProblem whole = problems::beam();
  const StepProblem mine = problems::dealt(whole);
  const ContactOperator op(mine);
  const std::vector<double> lcp = problems::gauss_seidel(whole).forces;
  const petsc::VecHandle own = problems::of_keys(mine, op, lcp);
  const petsc::VecHandle forces = compatible(mine, op);
  // (5 - t/2, t, 5 - t/2) against 10/3 three times: sqrt(1 + 2/4) |t - 10/3| / (sqrt(3) 10/3)
  const double wanted = std::sqrt(1.5) * std::abs(lcp[1] - 10.0 / 3) / (std::sqrt(3.0) * 10 / 3);
  EXPECT_GT(wanted, 0.5);
  EXPECT_NEAR(relative_distance(own, forces), wanted, 1e-9);
  EXPECT_EQ(relative_distance(forces, forces), 0);
}

TEST(Uniqueness, IntervalsOfABeamAreTheEndsOfItsOneFreedom) {
  // f = (5 - t/2, t, 5 - t/2), 0 <= t <= 10
  const StepProblem mine = problems::dealt(problems::beam());
  const ContactOperator op(mine);
  const petsc::VecHandle load = problems::weights(mine, op);
  std::vector<int> wanted(mine.constraints.size());
  std::iota(wanted.begin(), wanted.end(), 0);
  const std::vector<char> closed(mine.constraints.size(), 1);
  const auto intervals = force_intervals(mine, closed, load, wanted);
  ASSERT_EQ(intervals.size(), wanted.size());
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    EXPECT_NEAR(intervals[i].least, 0, 1e-9);
    EXPECT_NEAR(intervals[i].most, mine.constraints[i].key == 1 ? 10 : 5, 1e-9);
  }
}

TEST(Uniqueness, IntervalsOfAPyramidHoldTheCompatibleForcesAndThoseOfGaussSeidel) {
  const StepProblem whole = problems::pyramid(5, problems::Kind::hooke);
  const problems::Solved lcp = problems::gauss_seidel(whole);
  const StepProblem mine = problems::dealt(whole);
  const ContactOperator op(mine);
  const petsc::VecHandle load = problems::weights(mine, op);
  const petsc::VecHandle forces = compatible(mine, op);
  std::vector<int> wanted;
  for (std::size_t i = 0; i < mine.constraints.size(); i += 7) wanted.push_back(static_cast<int>(i));
  const auto intervals = force_intervals(mine, std::vector<char>(mine.constraints.size(), 1), load, wanted);
  const petsc::ConstVecValues f(forces);
  for (std::size_t k = 0; k < wanted.size(); ++k) {
    for (const double force : {f.data()[wanted[k]], lcp.forces[mine.constraints[wanted[k]].key]}) {
      EXPECT_GE(force, intervals[k].least - 1e-7);
      EXPECT_LE(force, intervals[k].most + 1e-7);
    }
    EXPECT_GE(intervals[k].most, intervals[k].least - 1e-9);
  }
}

TEST(Uniqueness, ALoadThatContactsCannotCarryHasNoIntervals) {
  StepProblem whole = problems::beam();
  whole.bodies[0].force[2] = 10;  // upwards
  const StepProblem mine = problems::dealt(whole);
  const ContactOperator op(mine);
  const petsc::VecHandle load = problems::weights(mine, op);
  const std::vector<int> wanted = mine.constraints.empty() ? std::vector<int>{} : std::vector<int>{0};
  EXPECT_THROW((void)force_intervals(mine, std::vector<char>(mine.constraints.size(), 1), load, wanted),
               RunError);
}

}  // namespace
}  // namespace scree::contact_dynamics

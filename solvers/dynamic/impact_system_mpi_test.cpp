/// The linear system of an impact update on 1, 2 and 4 ranks.
#include "solvers/dynamic/impact_system.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "contact/neighbours/pair_list.hpp"
#include "core/interrupt.hpp"
#include "core/rotation.hpp"
#include "core/test_extremes.hpp"
#include "solvers/dynamic/body_mobility.hpp"
#include "solvers/test_compliant.hpp"
#include "solvers/test_energy.hpp"
#include "solvers/test_models.hpp"

namespace scree {
namespace {

using Block = Eigen::Map<Eigen::Matrix<double, 6, 6, Eigen::RowMajor>>;
using Lever = Eigen::Matrix<double, 6, 3>;  ///< momentum per impulse at an arm

/// Of all velocities [m/s] after an impulse of that size [N s] on each body.
double speed_after(ImpactSystem& system, const Bodies& bodies, double size, std::vector<Vec6>& change) {
  Vec6 impulse = Vec6::Zero();
  impulse.x() = size;
  EXPECT_TRUE(system.solve(std::vector<Vec6>(static_cast<std::size_t>(bodies.owned), impulse),
                           ImpactAccuracy::result, change))
      << size;
  double speed = 0;
  for (int i = 0; i < bodies.owned; ++i) speed += change[static_cast<std::size_t>(i)].norm();
  return speed;
}

TEST(ImpactSystem, SolvesForNextToNothingAfterMore) {
  // Corrections of weights may leave impulses that are round-off of those before.
  for (const int cubes : {3, 16}) {  // by factors, and by iterations
    Model model = test::cubes_on_floor(0, 0);
    for (int k = 0; k < cubes; ++k) test::add_cube(model, {0.3 * k, 0, 1});
    test::StartedProblem started(test::with_energy(model));
    const Bodies& bodies = started.world.bodies();
    ImpactSystem system(started.world);
    system.begin({});
    system.rows().clear_tangent();
    for (int i = 0; i < bodies.owned; ++i) {
      Block diagonal(system.rows().diagonal(i));
      diagonal += inertia_of(bodies.properties[i], bodies.state[i].q.toRotationMatrix());
    }
    system.take_rows();
    std::vector<Vec6> change(static_cast<std::size_t>(bodies.moving()), Vec6::Zero());
    const double whole = speed_after(system, bodies, 1e-2, change);
    for (const double part : {1e-2, 1e-6, 1e-16})
      EXPECT_NEAR(speed_after(system, bodies, 1e-2 * part, change), part * whole, 1e-9 * part * whole);
  }
}

/// Stacked cubes, most in contact with six others, whose contacts have weights of 1e-2 to 1e3 times their
/// mass.
class WeightedContacts : public ::testing::Test {
 protected:
  WeightedContacts() {
    constexpr double kApart = 0.1005;
    for (int z = 0; z < 4; ++z)
      for (int y = 0; y < 4; ++y)
        for (int x = 0; x < 4; ++x) test::add_cube(model_, kApart * Vec3(x, y, z) + Vec3(0, 0, 1));
    model_.bodies[5].fixed = {true, false, true, false, false, true};
    started_.emplace(test::with_energy(model_));
  }
  [[nodiscard]] const Bodies& bodies() const { return started_->world.bodies(); }

  void fill(ImpactSystem& system) {
    const std::vector<contact::BodyPair>& pairs = started_->world.contacts().list().pairs();
    std::vector<LocalSystem::Coupling> couplings;
    for (const contact::BodyPair& pair : pairs) {
      if (bodies().is_boundary(pair.b)) continue;
      couplings.push_back({pair.a, pair.b});
      couplings.push_back({pair.b, pair.a});
    }
    system.begin(couplings);
    LocalSystem& rows = system.rows();
    rows.clear_tangent();
    for (int i = 0; i < bodies().owned; ++i)
      Block(rows.diagonal(i)) += inertia_of(bodies().properties[i], bodies().state[i].q.toRotationMatrix());
    for (const contact::BodyPair& pair : pairs) {
      if (bodies().is_boundary(pair.b)) continue;
      const Vec3 arm = 0.5 * (bodies().state[pair.b].x - bodies().state[pair.a].x);
      const double weight =
          2 * std::pow(10, 0.5 + 2.5 * std::sin(static_cast<double>(pair.id_a + 7 * pair.id_b)));
      const Mat3 across = weight * (Mat3::Identity() + arm * arm.transpose() / arm.squaredNorm());
      Lever on_a, on_b;
      on_a << Mat3::Identity(), rotation::skew(arm);
      on_b << Mat3::Identity(), rotation::skew(-arm);
      const auto add = [&](int i, int at, double sign, const Lever& l, const Lever& r) {
        if (i >= bodies().owned || at < 0) return;
        Block(rows.values.data() + at) += sign * (l * across * r.transpose());
      };
      add(pair.a, rows.diagonal_at[pair.a], 1, on_a, on_a);
      add(pair.b, rows.diagonal_at[pair.b], 1, on_b, on_b);
      const int ab = rows.find(pair.a, pair.b), ba = rows.find(pair.b, pair.a);
      add(pair.a, ab < 0 ? -1 : rows.couplings[ab].at, -1, on_a, on_b);
      add(pair.b, ba < 0 ? -1 : rows.couplings[ba].at, -1, on_b, on_a);
    }
  }
  std::vector<Vec6> solution(ImpactSystem& system) {
    std::vector<Vec6> impulse(static_cast<std::size_t>(bodies().owned));
    for (int i = 0; i < bodies().owned; ++i)
      for (int k = 0; k < 6; ++k)
        impulse[static_cast<std::size_t>(i)][k] =
            std::sin(static_cast<double>(1 + k + 6 * bodies().properties[i].id));
    std::vector<Vec6> change(static_cast<std::size_t>(bodies().moving()), Vec6::Constant(0.1));
    EXPECT_TRUE(system.solve(impulse, ImpactAccuracy::result, change));
    return change;
  }
  /// Relative, over all unknowns of all ranks.
  [[nodiscard]] static double difference(const std::vector<Vec6>& a, const std::vector<Vec6>& b) {
    double largest[2] = {0, 0};
    for (std::size_t i = 0; i < a.size(); ++i) {
      test::keep_largest(largest[0], (a[i] - b[i]).cwiseAbs().maxCoeff());
      test::keep_largest(largest[1], a[i].cwiseAbs().maxCoeff());
    }
    MPI_Allreduce(MPI_IN_PLACE, largest, 2, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return largest[0] / largest[1];
  }

  Model model_ = test::cubes_on_floor(0, 0);
  std::optional<test::StartedProblem> started_;
};

TEST_F(WeightedContacts, SweepsAndOtherPreconditionersFindTheSame) {
  ImpactSystem system(started_->world);
  fill(system);
  system.take_rows();
  const std::vector<Vec6> swept = solution(system);
  EXPECT_FALSE(system.factored());
  for (int i = 0; i < bodies().owned; ++i) {
    if (bodies().properties[i].id != 5) continue;
    for (const int k : {0, 2, 5}) EXPECT_EQ(swept[static_cast<std::size_t>(i)][k], 0);
  }
  const std::string option = "-" + started_->world.options_prefix() + "impact_pc_type";
  for (const char* type : {"pbjacobi", "redundant"}) {  // the second one factors
    petsc::check(PetscOptionsSetValue(nullptr, option.c_str(), type), "testing");
    ImpactSystem other(started_->world);
    fill(other);
    other.take_rows();
    EXPECT_LT(difference(swept, solution(other)), 1e-8) << type;
    petsc::check(PetscOptionsClearValue(nullptr, option.c_str()), "testing");
  }
}

TEST_F(WeightedContacts, CorrectionsAreSolvedToTheirToleranceByWhatAnOptionChooses) {
  std::vector<Vec6> impulse(static_cast<std::size_t>(bodies().owned), Vec6::Ones());
  const auto solved = [&](ImpactAccuracy accuracy) {
    ImpactSystem system(started_->world);
    fill(system);
    system.take_rows();
    std::vector<Vec6> change(static_cast<std::size_t>(bodies().moving()), Vec6::Zero());
    EXPECT_TRUE(system.solve(impulse, accuracy, change));
    EXPECT_FALSE(system.factored());
    return change;
  };
  const std::vector<Vec6> exact = solved(ImpactAccuracy::result);
  EXPECT_LT(difference(exact, solved(ImpactAccuracy::weights)), 1e-2);
  const std::string option = "-" + started_->world.options_prefix() + "impact_ksp_type";
  for (const char* type : {"minres", "gmres"}) {  // which know other norms than conjugate gradients
    petsc::check(PetscOptionsSetValue(nullptr, option.c_str(), type), "testing");
    EXPECT_LT(difference(exact, solved(ImpactAccuracy::weights)), 1e-2) << type;
    petsc::check(PetscOptionsClearValue(nullptr, option.c_str()), "testing");
  }
}

TEST_F(WeightedContacts, AreSolvedByFactorsWhereSweepsDoNotGetThere) {
  ImpactSystem system(started_->world);
  fill(system);
  system.take_rows();
  const std::vector<Vec6> swept = solution(system);
  const std::string option = "-" + started_->world.options_prefix() + "impact_ksp_max_it";
  petsc::check(PetscOptionsSetValue(nullptr, option.c_str(), "2"), "testing");
  EXPECT_LT(difference(swept, solution(system)), 1e-8);
  EXPECT_TRUE(system.factored());
  petsc::check(PetscOptionsClearValue(nullptr, option.c_str()), "testing");
}

TEST_F(WeightedContacts, ASolutionObeysARequestToStopAndTheNextOneIsFound) {
  ImpactSystem system(started_->world);
  fill(system);
  system.take_rows();
  const std::vector<Vec6> first = solution(system);
  const std::vector<Vec6> impulse(static_cast<std::size_t>(bodies().owned), Vec6::Ones());
  for (const ImpactAccuracy accuracy : {ImpactAccuracy::weights, ImpactAccuracy::result}) {
    std::vector<Vec6> change(static_cast<std::size_t>(bodies().moving()), Vec6::Zero());
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) request_interrupt();
    EXPECT_THROW((void)system.solve(impulse, accuracy, change), Interrupted);
    clear_interrupt();
  }
  EXPECT_LT(difference(first, solution(system)), 1e-8);
}

TEST_F(WeightedContacts, AreSolvedByFactorsWhereABlockIsNotDefinite) {
  ImpactSystem system(started_->world);
  fill(system);
  for (int i = 0; i < bodies().owned; ++i)
    if (bodies().properties[i].id == 9) Block(system.rows().diagonal(i)) *= -1;
  system.take_rows();
  std::vector<Vec6> change(static_cast<std::size_t>(bodies().moving()), Vec6::Zero());
  const std::vector<Vec6> impulse(static_cast<std::size_t>(bodies().owned), Vec6::Ones());
  EXPECT_TRUE(system.solve(impulse, ImpactAccuracy::result, change));
  EXPECT_TRUE(system.factored());
  const std::vector<Vec6> first = change;
  EXPECT_TRUE(system.solve(impulse, ImpactAccuracy::result, change));  // from what was found
  EXPECT_LT(difference(first, change), 1e-8);
}

}  // namespace
}  // namespace scree

/// Bodies that come into contact at an iterate, though nothing led to expect it, get blocks in the tangent
/// there.
#include <gtest/gtest.h>

#include <cstddef>
#include <vector>

#include "assembly/petsc.hpp"
#include "core/error.hpp"
#include "core/test_extremes.hpp"
#include "solvers/test_compliant.hpp"
#include "solvers/test_models.hpp"

namespace scree {
namespace {

using petsc::check;
using test::add_cube;
using test::cubes_on_floor;

constexpr double kStepOfPairs = 1e-3;
constexpr double kGapOfPairs = 0.02;  ///< many times what the law and the motion reach [m]
constexpr double kTangentError = 1e-6;
constexpr const char* kOfPairs = "testing";

/// Pairs of cubes at rest without weight, far above the floor, one cube of a pair beside the other.
Model pairs_of_cubes(int pairs) {
  Model model = cubes_on_floor(0.3, 0);
  model.gravity = Vec3::Zero();
  for (int k = 0; k < pairs; ++k) {
    add_cube(model, {0, 0.5 * k, 1});
    add_cube(model, {0.1 + kGapOfPairs, 0.5 * k + 0.01, 1.003});
  }
  // Fast, far from all others: its motion is not theirs, but the lists of all reach as far.
  add_cube(model, {5, 0, 1}, Quat::Identity(), {40, 0, 0});
  model.time.end = 1;
  model.time.step = kStepOfPairs;
  return model;
}

class BlocksOfContacts : public ::testing::Test {
 protected:
  BlocksOfContacts() {
    problem.prepare(0, kStepOfPairs, 1);
    y = problem.dofs().create_vector();
    r = problem.dofs().create_vector();
    if (problem.predict(y).any()) throw RunError("no prediction");
  }
  /// Moves the first cube of some pairs towards the second one.
  void move(double way, int first_pair, int last_pair) const {
    const Bodies& bodies = problem.world().bodies();
    const petsc::VecValues values(y);
    for (int i = 0; i < bodies.owned; ++i) {
      const BodyId id = bodies.properties[i].id;
      if (id % 2 == 0 && id / 2 >= first_pair && id / 2 < last_pair)
        values.data()[static_cast<std::ptrdiff_t>(6 * i)] += way;
    }
  }
  bool evaluate(double tolerance = 0) {
    problem.residual(y, r);
    return problem.tangent(y, tolerance);
  }
  [[nodiscard]] long stored() const {
    MatInfo info;
    check(MatGetInfo(problem.matrix(), MAT_GLOBAL_SUM, &info), kOfPairs);
    return static_cast<long>(info.nz_used);
  }
  /// A product with the tangent.
  [[nodiscard]] petsc::VecHandle product() const {
    petsc::VecHandle p = problem.dofs().create_vector(), result = problem.dofs().create_vector();
    {
      const petsc::VecValues values(p);
      for (int k = 0; k < 6 * problem.world().bodies().owned; ++k) values.data()[k] = 1 + k % 7;
    }
    check(MatMult(problem.matrix(), p, result), kOfPairs);
    return result;
  }
  /// Largest difference of that from one of residuals, relative.
  [[nodiscard]] double error() {
    const petsc::VecHandle expected = product();
    const petsc::VecHandle p = problem.dofs().create_vector(), there = problem.dofs().create_vector();
    {
      const petsc::VecValues values(p);
      for (int k = 0; k < 6 * problem.world().bodies().owned; ++k) values.data()[k] = 1 + k % 7;
    }
    petsc::VecHandle ahead = problem.dofs().create_vector(), behind = problem.dofs().create_vector();
    constexpr double kShift = 1e-9;
    check(VecWAXPY(there, kShift, p, y), kOfPairs);
    problem.residual(there, ahead);
    check(VecWAXPY(there, -kShift, p, y), kOfPairs);
    problem.residual(there, behind);
    check(VecAXPY(ahead, -1, behind), kOfPairs);
    check(VecScale(ahead, 1 / (2 * kShift)), kOfPairs);
    check(VecAXPY(ahead, -1, expected), kOfPairs);
    double difference = 0, size = 0;
    check(VecNorm(ahead, NORM_INFINITY, &difference), kOfPairs);
    check(VecNorm(expected, NORM_INFINITY, &size), kOfPairs);
    return difference / size;
  }

  static constexpr int kPairs = 4;
  Model model = pairs_of_cubes(kPairs);
  test::StartedProblem started{model};
  CompliantProblem& problem = started.problem;
  petsc::VecHandle y, r;
};

TEST_F(BlocksOfContacts, AreNotThereForWhatStandsBesideAFastBody) {
  EXPECT_FALSE(evaluate());
  EXPECT_EQ(stored(), 36 * (2 * kPairs + 1));
}

TEST_F(BlocksOfContacts, AreMadeWhereAnIterateMakesContacts) {
  EXPECT_FALSE(evaluate());
  Mat const before = problem.matrix();
  move(kGapOfPairs - 5e-5, 0, 2);
  EXPECT_TRUE(evaluate());
  EXPECT_NE(problem.matrix(), before);
  EXPECT_EQ(stored(), 36 * (2 * kPairs + 1 + 2 * 2));
  EXPECT_LT(error(), kTangentError);
  EXPECT_FALSE(problem.left_cover());  // no step is to be repeated for them
  move(-1e-3, 0, 2);
  EXPECT_FALSE(evaluate());  // and they stay
  EXPECT_LT(error(), kTangentError);
}

TEST_F(BlocksOfContacts, LeaveTheRestOfTheTangentAsItWas) {
  move(kGapOfPairs - 5e-5, 0, 1);
  EXPECT_TRUE(evaluate());
  const petsc::VecHandle first = product();
  // The first pair moves on, but is not to be assembled: it counts as in balance.
  move(1e-6, 0, 1);
  move(kGapOfPairs - 5e-5, 2, 3);
  EXPECT_TRUE(evaluate(1e30));
  const petsc::VecHandle second = product();
  const petsc::ConstVecValues one(first), other(second);
  const Bodies& bodies = problem.world().bodies();
  double least[2] = {1, 1};  // whether rows of the first pair are the same, and those of the third
  for (int i = 0; i < bodies.owned; ++i) {
    const BodyId pair = bodies.properties[i].id / 2;
    for (int k = 0; k < 6; ++k) {
      const double same = one.data()[6 * i + k] == other.data()[6 * i + k] ? 1 : 0;
      if (pair == 0) test::keep_smallest(least[0], same);
      if (pair == 2 && k == 0) test::keep_smallest(least[1], same);
    }
  }
  MPI_Allreduce(MPI_IN_PLACE, least, 2, MPI_DOUBLE, MPI_MIN, MPI_COMM_WORLD);
  EXPECT_EQ(least[0], 1);
  EXPECT_EQ(least[1], 0);
}

}  // namespace
}  // namespace scree

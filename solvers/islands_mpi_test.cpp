/// Groups of bodies that act on each other, on 1, 2 and 4 ranks: Newton's method solves each for itself.
#include "solvers/compliant/islands.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <vector>

#include "contact/neighbours/pair_results.hpp"
#include "core/error.hpp"
#include "core/rotation.hpp"
#include "core/test_extremes.hpp"
#include "solvers/compliant/linear_choice.hpp"
#include "solvers/dynamic/nonlinear_step.hpp"
#include "solvers/test_compliant.hpp"
#include "solvers/test_energy.hpp"
#include "solvers/test_models.hpp"

namespace scree {
namespace {

constexpr int kHigh = 6;  // cubes of a tower
constexpr double kPitch = 0.1009, kFirst = 0.0509, kLongStep = 1e-3;
constexpr double kFast = 8;  // [m/s]

Model empty_scene() {
  Model model = test::with_energy(test::cubes_on_floor(0.3, 0.3));
  model.time.end = 1;
  model.time.step = kLongStep;
  return model;
}

/// In contact with the floor and with each other, a little tilted.
void add_tower(Model& model, double x, int high = kHigh) {
  for (int k = 0; k < high; ++k) {
    const Vec3 tilt(2e-4 * std::sin(1.0 + k), 2e-4 * std::cos(2.0 * k), 2e-3 * std::sin(3.0 * k));
    test::add_cube(model, {x + 1e-3 * std::sin(k), 0, kFirst + kPitch * k}, rotation::quaternion(tilt));
  }
}

/// Two cubes that something fast falls onto.
void add_struck_cubes(Model& model, double x) {
  constexpr int kCubes = 2;
  add_tower(model, x, kCubes);
  test::add_cube(model, {x, 0.02, kFirst + kPitch * kCubes + 0.0035}, rotation::quaternion({0.02, 0.01, 0}),
                 {0, 0, -kFast});
}

/// The first guess of a step, evaluated last, and its residual.
struct FirstGuess {
  petsc::VecHandle y, r;

  explicit FirstGuess(CompliantProblem& problem) {
    problem.prepare(0, kLongStep, 1);
    y = problem.dofs().create_vector();
    r = problem.dofs().create_vector();
    if (problem.predict(y).any()) throw RunError("no prediction");
    problem.residual(y, r);
  }
};

TEST(Islands, AreTowersAndSingleBodiesOnAnyNumberOfRanks) {
  Model model = empty_scene();
  for (const double x : {0.0, 0.3, 0.6}) add_tower(model, x);
  test::add_cube(model, {0.15, 0, 3});  // flies
  // Touches the tops of two towers, and connects them only while it is not fixed.
  test::add_cube(model, {0.15, 0, kFirst + kPitch * kHigh});
  model.bodies.back().shape = static_cast<int>(model.shapes.size());
  model.shapes.push_back(make_box("beam", {0.4, 0.1, 0.1}));
  for (const bool fixed : {true, false}) {
    model.bodies.back().fixed.fill(fixed);
    test::StartedProblem started(model);
    const FirstGuess guess(started.problem);
    const Bodies& bodies = started.world.bodies();
    Islands islands(started.world);
    islands.find();
    const auto value_of = [](std::int64_t id) { return std::sin(3.7 * static_cast<double>(id)); };
    const auto largest_of = [&](const std::vector<int>& ids) {
      double largest = -1;
      for (const int id : ids) test::keep_largest(largest, value_of(id));
      return largest;
    };
    const auto tower = [](int number) {
      std::vector<int> ids(kHigh);
      std::iota(ids.begin(), ids.end(), number * kHigh);
      return ids;
    };
    constexpr int kFlies = 3 * kHigh, kBridge = kFlies + 1;
    std::vector<int> bridged = tower(0);
    for (const int id : tower(1)) bridged.push_back(id);
    bridged.push_back(kBridge);
    std::vector<double> values(static_cast<std::size_t>(bodies.owned));
    for (int i = 0; i < bodies.owned; ++i)
      values[static_cast<std::size_t>(i)] = value_of(bodies.properties[i].id);
    islands.spread_largest(values);
    ASSERT_EQ(values.size(), static_cast<std::size_t>(bodies.moving()));
    for (int i = 0; i < bodies.moving(); ++i) {
      const int id = static_cast<int>(bodies.properties[i].id), at = id / kHigh;
      double expected = value_of(id);
      if (at == 2) expected = largest_of(tower(2));
      if (!fixed && (at < 2 || id == kBridge)) expected = largest_of(bridged);
      if (fixed && at < 2) expected = largest_of(tower(at));
      EXPECT_EQ(values[static_cast<std::size_t>(i)], expected) << "body " << id << ", fixed " << fixed;
    }
  }
}

TEST(Islands, WeighMoreTheLessIsWrongAndNothingInBalance) {
  Model model = empty_scene();
  for (const double x : {0.0, 0.3, 0.6}) add_tower(model, x);
  test::StartedProblem started(model);
  const FirstGuess guess(started.problem);
  const Bodies& bodies = started.world.bodies();
  Islands islands(started.world);
  islands.find();
  std::vector<double> unbalanced, sizes;
  for (int i = 0; i < bodies.owned; ++i) {
    const auto id = bodies.properties[i].id;
    unbalanced.push_back(id == 0 || id == kHigh ? 1 : 0);  // one body each of the first two
    sizes.push_back(id == 1 ? 1e-3 : id == kHigh + 2 ? 1.0 : 1e-9);
  }
  const std::vector<double> weights = islands.weights(unbalanced, sizes);
  for (int i = 0; i < bodies.owned; ++i) {
    const auto tower = bodies.properties[i].id / kHigh;
    EXPECT_EQ(weights[static_cast<std::size_t>(i)], tower == 0 ? 1024 : tower == 1 ? 1 : 0);
  }
}

/// What an iterative solver leaves of the residual of a calm tower, as a part of it, beside a smaller one
/// that is farther from its balance.
double left_of_calm_tower(bool weighed) {
  Model model = empty_scene();
  add_tower(model, 0);
  for (int k = 0; k < 2; ++k) test::add_cube(model, {1, 0, kFirst + kPitch * k});
  test::StartedProblem started(model);
  CompliantProblem& problem = started.problem;
  const FirstGuess guess(problem);
  const Vec r = guess.r;
  const Bodies& bodies = started.world.bodies();
  const auto is_calm = [&](int i) { return bodies.properties[i].id < kHigh; };
  {
    const petsc::VecValues values(r);  // as if a few iterations had passed
    for (int i = 0; i < bodies.owned; ++i)
      for (int k = 0; k < kBodyUnknowns; ++k) values.data()[kBodyUnknowns * i + k] *= is_calm(i) ? 1e-9 : 1;
  }
  problem.tangent(guess.y, 1e-30);
  petsc::KspHandle ksp;
  const auto check = [](PetscErrorCode code) { petsc::check(code, "solving for a test"); };
  check(KSPCreate(MPI_COMM_WORLD, ksp.put()));
  check(KSPSetOperators(ksp, problem.matrix(), problem.matrix()));
  choose_linear_solver(ksp, LinearChoice::iterative, problem.dofs().global_unknowns());
  std::vector<double> weights(static_cast<std::size_t>(bodies.owned), 1.0);
  for (int i = 0; i < bodies.owned; ++i)
    if (is_calm(i)) weights[static_cast<std::size_t>(i)] = 0x1p30;
  petsc::VecHandle scale;
  if (weighed) weigh_islands(ksp, problem.dofs(), started.world.rows(), weights, scale);
  const petsc::VecHandle x = problem.dofs().create_vector(), left = problem.dofs().create_vector();
  check(KSPSolve(ksp, r, x));
  check(MatMult(problem.matrix(), x, left));
  check(VecAXPY(left, -1, r));
  double sums[2] = {0, 0};
  {
    const petsc::VecValues of_left(left), of_r(r);
    for (int i = 0; i < bodies.owned; ++i)
      for (int at = kBodyUnknowns * i; is_calm(i) && at < kBodyUnknowns * (i + 1); ++at) {
        sums[0] += of_left.data()[at] * of_left.data()[at];
        sums[1] += of_r.data()[at] * of_r.data()[at];
      }
  }
  MPI_Allreduce(MPI_IN_PLACE, sums, 2, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return std::sqrt(sums[0] / sums[1]);
}

TEST(Islands, AreSolvedToTheSamePartOfTheirResiduals) {
  const double weighed = left_of_calm_tower(true), as_it_is = left_of_calm_tower(false);
  std::printf("left of the residual of the calm tower: %.2g, %.2g without weights\n", weighed, as_it_is);
  EXPECT_LT(weighed, 0.02);
  EXPECT_GT(as_it_is, 0.05);
}

/// Pairs evaluated for the solution of a step, over all ranks.
long evaluations_of(const Model& model) {
  test::StartedProblem started(model);
  CompliantProblem& problem = started.problem;
  problem.prepare(0, kLongStep, 8);  // what is struck leaves the lists that its start requires
  problem.grade_bodies();
  const contact::PairResults& results = started.world.contacts().results();
  const long before = results.evaluations;
  NonlinearStep newton(problem);
  const StepReport report = newton.solve();
  EXPECT_EQ(report.outcome, StepOutcome::converged) << report.cause;
  long evaluations = results.evaluations - before;
  MPI_Allreduce(MPI_IN_PLACE, &evaluations, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
  return evaluations;
}

TEST(Islands, CostTogetherWhatTheyCostAlone) {
  Model calm = empty_scene(), struck = empty_scene(), both = empty_scene();
  for (Model* model : {&calm, &both}) add_tower(*model, -1, 30);
  // All have the same lists: the fastest body chooses how far they reach.
  for (Model* model : {&calm, &struck, &both})
    test::add_cube(*model, {0, 0, 9}, Quat::Identity(), {0, 0, kFast});
  for (Model* model : {&struck, &both}) add_struck_cubes(*model, 2);
  const long together = evaluations_of(both);
  const long alone = evaluations_of(calm) + evaluations_of(struck);
  std::printf("pairs evaluated: %ld together, %ld alone\n", together, alone);
  // Solved as one, the high tower is not in balance before the struck cubes are: four times as many. Systems
  // of both may end a little sooner or later.
  EXPECT_LT(static_cast<double>(together), 1.2 * static_cast<double>(alone));
}

TEST(Islands, AreWeighedOnRanksWithoutBodiesToo) {
  Model model = empty_scene();
  for (int k = 0; k < 3; ++k) test::add_cube(model, {0, 0, kFirst + kPitch * k});
  EXPECT_GT(evaluations_of(model), 0);  // and does not wait for ever
}

}  // namespace
}  // namespace scree

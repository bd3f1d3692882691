/// What did not move is not evaluated again: residual and tangent are those of an evaluation from scratch.
#include <gtest/gtest.h>

#include <cmath>

#include "assembly/petsc.hpp"
#include "contact/neighbours/pair_results.hpp"
#include "core/error.hpp"
#include "core/rotation.hpp"
#include "solvers/dynamic/nonlinear_step.hpp"
#include "solvers/test_compliant.hpp"
#include "solvers/test_models.hpp"

namespace scree {
namespace {

using test::add_cube;
using test::cubes_on_floor;

constexpr double kStep = 1e-4;

/// 12 cubes in three layers, in contact with each other and with the floor, a little tilted and moving.
/// Without friction: its memory begins where a contact was first seen.
Model touching_cubes() {
  Model model = cubes_on_floor(0.3, 0);
  for (int k = 0; k < 12; ++k) {
    const Vec3 tilt(1e-3 * std::sin(1.0 + k), 1e-3 * std::cos(2.0 * k), 2e-3 * std::sin(3.0 * k));
    add_cube(model, {0.1009 * (k % 2), 0.1009 * ((k / 2) % 2), 0.0507 + 0.1007 * std::floor(k / 4.0)},
             rotation::quaternion(tilt), {0.1 * std::cos(5.0 * k), 0, -0.2});
  }
  model.time.end = 1;
  model.time.step = kStep;
  return model;
}

/// y plus a change of every third unknown of the bodies of this rank that `which` chooses by their local
/// number.
void change(const CompliantProblem& problem, Vec y, int which) {
  const petsc::VecValues values(y);
  for (int i = 0; i < problem.world().bodies().owned; ++i) {
    if (i % 3 != which) continue;
    for (int k = 0; k < 6; k += 3) values.data()[6 * i + k] += 1e-5 * std::cos(1.0 + i);
  }
}

class Reuse : public ::testing::Test {
 protected:
  Model model_ = touching_cubes();

  static petsc::VecHandle start(CompliantProblem& problem) {
    problem.prepare(0, kStep, 1);
    petsc::VecHandle y = problem.dofs().create_vector();
    if (problem.predict(y).any()) throw RunError("no prediction");
    return y;
  }

  /// Whether the tangent of `problem` at y is that of one which evaluates it from scratch. Collective.
  bool as_from_scratch(CompliantProblem& problem, Vec y) {
    test::StartedProblem from_scratch(model_);
    CompliantProblem& fresh = from_scratch.problem;
    const petsc::VecHandle other = start(fresh);
    petsc::check(VecCopy(y, other), "copying");
    const petsc::VecHandle r = fresh.dofs().create_vector();
    fresh.residual(other, r);
    fresh.tangent(other);
    PetscBool same = PETSC_FALSE;
    petsc::check(MatEqual(problem.matrix(), fresh.matrix(), &same), "comparing tangents");
    return same == PETSC_TRUE;
  }
};

TEST_F(Reuse, ResidualAndTangentAreThoseOfAnEvaluationFromScratch) {
  test::StartedProblem started(model_);
  CompliantProblem& stepwise = started.problem;
  const petsc::VecHandle y = start(stepwise);
  const petsc::VecHandle r = stepwise.dofs().create_vector();
  stepwise.residual(y, r);
  stepwise.tangent(y);
  for (int which = 0; which < 2; ++which) {
    change(stepwise, y, which);
    stepwise.residual(y, r);
    if (which == 0) stepwise.tangent(y);
  }
  change(stepwise, y, 0);  // two residuals since the last tangent, of different bodies
  stepwise.residual(y, r);
  stepwise.tangent(y);

  test::StartedProblem from_scratch(model_);
  CompliantProblem& fresh = from_scratch.problem;
  const petsc::VecHandle other = start(fresh);
  petsc::check(VecCopy(y, other), "copying");
  const petsc::VecHandle expected = fresh.dofs().create_vector();
  fresh.residual(other, expected);
  PetscBool same = PETSC_FALSE;
  petsc::check(VecEqual(r, expected, &same), "comparing residuals");
  EXPECT_EQ(same, PETSC_TRUE);
  EXPECT_TRUE(as_from_scratch(stepwise, y));
  EXPECT_EQ(stepwise.norms().largest, fresh.norms().largest);
  double force = fresh.world().contacts().results().largest_force;
  MPI_Allreduce(MPI_IN_PLACE, &force, 1, MPI_DOUBLE, MPI_MAX, PETSC_COMM_WORLD);
  EXPECT_GT(force, 2 * 9.81);  // contacts do act
}

TEST_F(Reuse, RowsOfBodiesInBalanceStayUnlessAContactIsMadeOrLost) {
  test::StartedProblem started(model_);
  CompliantProblem& problem = started.problem;
  const petsc::VecHandle y = start(problem);
  const petsc::VecHandle r = problem.dofs().create_vector();
  constexpr double kEverybodyInBalance = 1e9;
  problem.residual(y, r);
  problem.tangent(y, kEverybodyInBalance);  // the first one of a step is whole
  EXPECT_TRUE(as_from_scratch(problem, y));

  petsc::MatHandle before;
  petsc::check(MatDuplicate(problem.matrix(), MAT_COPY_VALUES, before.put()), "copying");
  {
    const petsc::VecValues values(y);
    for (int i = 0; i < problem.world().bodies().owned; ++i)
      values.data()[6 * i + 5] += 1e-9 * std::cos(1.0 + i);
  }
  problem.residual(y, r);
  problem.tangent(y, kEverybodyInBalance);
  PetscBool same = PETSC_FALSE;
  petsc::check(MatEqual(problem.matrix(), before, &same), "comparing tangents");
  EXPECT_EQ(same, PETSC_TRUE);
  problem.tangent(y, 1e-12);  // nobody is: old rows are marked as such
  EXPECT_TRUE(as_from_scratch(problem, y));

  {
    const petsc::VecValues values(y);
    for (int i = 0; i < problem.world().bodies().owned; ++i) {
      if (problem.world().bodies().properties[i].id > 7)
        values.data()[6 * i + 2] += 5e-3;  // the top layer, off
    }
  }
  problem.residual(y, r);
  problem.tangent(y, kEverybodyInBalance);
  EXPECT_TRUE(as_from_scratch(problem, y));
}

TEST_F(Reuse, QuietBodiesAreHeldAndOthersAreNot) {
  test::StartedProblem started(model_);
  CompliantProblem& problem = started.problem;
  const petsc::VecHandle y = start(problem);
  const petsc::VecHandle r = problem.dofs().create_vector();
  problem.residual(y, r);
  problem.tangent(y);
  const petsc::VecHandle update = problem.dofs().create_vector();
  petsc::check(VecSet(update, 1e-9), "setting");
  // No body's residual is below such a tolerance: all stay.
  problem.hold_quiet(update, 1e-12);
  PetscReal norm = 0;
  petsc::check(VecNorm(update, NORM_1, &norm), "summing");
  EXPECT_NEAR(norm, 1e-9 * 6 * 12, 1e-20);
  // Forces of the update are at most the largest stiffness times 1e-9: far below a tolerance of 1e9 N.
  problem.hold_quiet(update, 1e9);
  petsc::check(VecNorm(update, NORM_1, &norm), "summing");
  EXPECT_EQ(norm, 0);
}

/// A light cube above a heavy one; the gap between them is `gap`. An update that changes the forces on the
/// heavy one by little for its tolerance and by much for that of the light one. @returns whether it is held.
bool holds_heavy_cube_below_light_one(double gap) {
  Model model = cubes_on_floor(0.3, 0);
  add_cube(model, {0, 0, 0.0506});
  add_cube(model, {0, 0, 0.1506 + gap});
  model.bodies[1].mass *= 1e-4;
  model.bodies[1].inertia_B *= 1e-4;
  model.time.end = 1;
  model.time.step = kStep;
  test::StartedProblem started(model);
  CompliantProblem& problem = started.problem;
  problem.prepare(0, kStep, 1);
  const petsc::VecHandle y = problem.dofs().create_vector();
  if (problem.predict(y).any()) throw RunError("no prediction");
  const petsc::VecHandle r = problem.dofs().create_vector();
  problem.residual(y, r);
  problem.tangent(y);
  const double tolerance = 10 * problem.norms().largest;  // all are below theirs
  const petsc::VecHandle update = problem.dofs().create_vector();
  const Bodies& bodies = problem.world().bodies();
  for (int i = 0; i < bodies.owned; ++i) {
    const petsc::VecValues values(update);
    if (bodies.properties[i].id == 0)
      values.data()[6 * i + 2] = 0.01 * tolerance / problem.world().rows().stiffness[i];
  }
  problem.hold_quiet(update, tolerance);
  PetscReal norm = 0;
  petsc::check(VecNorm(update, NORM_1, &norm), "summing");
  return norm == 0;
}

TEST(QuietBodies, AreHeldByTheToleranceOfTheLightOnesThatTheyTouch) {
  EXPECT_FALSE(holds_heavy_cube_below_light_one(9.9e-4)) << "within the activation distance, 1 mm";
  EXPECT_TRUE(holds_heavy_cube_below_light_one(2e-3));
}

}  // namespace
}  // namespace scree

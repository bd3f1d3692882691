/// Bodies and boundaries that are thin, fast, or both: nothing goes through anything; on 1, 2 and 4 ranks.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "core/error.hpp"
#include "solvers/test_energy.hpp"
#include "solvers/test_integrators.hpp"
#include "solvers/test_models.hpp"
#include "solvers/test_runs.hpp"
#include "solvers/time_loop.hpp"
#include "solvers/world/passage.hpp"

namespace scree {
namespace {

using test::add_cube;
using test_runs::LastState;
using test_runs::refusal;
using test_runs::run_model;
using ::testing::HasSubstr;

constexpr double kSpeed = 2;     // m/s, of boundaries
constexpr double kStart = 0.03;  // m, gap between the cube and what comes

/// A square of edge 2 m in its plane z = 0.
Shape sheet() {
  return make_surface("sheet", {{-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0}}, {{0, 1, 2, 3}});
}

/// A cube at rest without weight, and a sheet below it that rises; or a plane instead of the sheet.
Model lifted_cube(bool thin) {
  Model model = test::cubes_on_floor(0.3, 0);
  model.gravity.setZero();
  model.boundaries[0].name = "lift";
  model.boundaries[0].motion.velocity = Vec3(0, 0, kSpeed);
  model.boundary_parts[0].point = Vec3(0, 0, -kStart);
  if (thin) {
    model.walls = {sheet()};
    model.boundary_parts[0].wall = 0;
  }
  add_cube(model, {0.01, 0.02, 0.05});
  model.time.end = 0.05;
  model.time.step = 5e-3;  // 10 mm of the sheet's way, ten times the threshold
  model.solver.newton_relative = 1e-10;
  return model;
}

void expect_lifted(const Model& thin, const Model& plane, double tolerance) {
  RunReport report;
  const LastState on_sheet = run_model(thin, MPI_COMM_WORLD, &report),
                  on_plane = run_model(plane, MPI_COMM_WORLD);
  EXPECT_GT(report.cuts, 0);
  EXPECT_GT(on_sheet.position(0).z() - 0.05, kSpeed * thin.time.end - kStart);  // above the sheet
  EXPECT_GE(on_sheet.velocity(0).z(), kSpeed * (1 - 1e-9));
  EXPECT_LT(test_runs::largest_difference(on_sheet.values, on_plane.values), tolerance);
}

TEST(MovingSheet, PushesACubeInAdaptiveSteps) {
  // Not step by step as a plane does: what is known of gaps that are wide is less.
  Model model = lifted_cube(true);
  model.time.adaptive = true;
  model.time.min = 1e-9;
  model.time.max = 1e-2;
  const LastState end = run_model(model, MPI_COMM_WORLD);
  EXPECT_GT(end.position(0).z() - 0.05, kSpeed * model.time.end - kStart);
  EXPECT_GE(end.velocity(0).z(), kSpeed * (1 - 1e-9));
}

TEST(MovingSheet, PushesACubeAsAPlaneDoesUnderEveryIntegrator) {
  for (const test::IntegratorEntry& entry : test::registered_integrator_entries()) {
    if (!entry.takes_barrier()) continue;
    Model thin = lifted_cube(true), plane = lifted_cube(false);
    thin.integrator = plane.integrator = entry.integrator;
    SCOPED_TRACE(entry.name);
    // In energy steps a plane takes the cube along in a whole step, a sheet in shorter ones.
    expect_lifted(thin, plane, entry.integrator->secant_forces() ? 1e-2 : 1e-6);
  }
}

/// A cube that falls towards a sheet or a plane, which rises, for one step. @param gap between them [m].
/// @param way of the sheet in the step [m].
Model cube_over_lift(bool thin, double gap, double fall, double way, double step) {
  Model model = lifted_cube(thin);
  model.interfaces = test::cubes_on_floor(0, 0).interfaces;
  model.boundary_parts[0].point.setZero();
  model.boundaries[0].motion.velocity = Vec3(0, 0, way / step);
  model.bodies.clear();
  add_cube(model, {0.01, 0.02, 0.05 + gap}, Quat::Identity(), {0, 0, -fall});
  model.time.end = model.time.step = step;
  return model;
}

/// Steps of impacts that Newmark's method does not resolve are reduced by their energy error; none of them
/// because of the boundary, which leaves the bodies the place where they begin.
void expect_room(const Model& model, const std::string& what) {
  RunReport report;
  run_model(model, MPI_COMM_WORLD, &report);
  if (model.integrator->secant_forces()) {
    EXPECT_EQ(report.steps, 1) << what;
  }
  for (const auto& [cause, times] : report.cut_causes)
    EXPECT_EQ(cause, "energy error of a contact") << what << ": " << times;
}

TEST(MovingBoundary, ThatLeavesABodyTheRoomWhereItBeginsCutsNoStep) {
  // 1.2 mm apart, the cube goes 1 mm, and the boundary 0.4 to 0.7 mm.
  for (const bool thin : {true, false}) {
    for (int k = 0; k <= 15; ++k) {
      const double way = 4e-4 + 2e-5 * k;
      const Model model = cube_over_lift(thin, 1.2e-3, 1, way, 1e-3);
      const std::string what = (thin ? "sheet " : "plane ") + std::to_string(1e3 * way) + " mm";
      expect_room(model, "newmark, " + what);
      expect_room(test::with_energy(model), "energy, " + what);
    }
  }
}

/// Cubes above each other, 0.5 mm apart, and a plane that meets them at 4 m/s in steps of 5 ms: as it rises,
/// or as they fall.
Model met_cubes(double rise, int cubes) {
  Model model = lifted_cube(false);
  model.boundaries[0].motion.velocity = Vec3(0, 0, rise);
  model.bodies.clear();
  for (int k = 0; k < cubes; ++k)
    add_cube(model, {0, 0, 0.05 + 0.1005 * k}, Quat::Identity(), {0, 0, rise - 4});
  return test::with_energy(model);
}

TEST(MovingPlane, TakesTheStepsOfTheSameImpactInItsOwnFrame) {
  for (const int cubes : {1, 3}) {
    RunReport rises, falls;
    Model lift = met_cubes(3, cubes);
    lift.boundaries[0].motion.velocity.x() = 3;  // in itself
    const LastState risen = run_model(lift, MPI_COMM_WORLD, &rises),
                    fallen = run_model(met_cubes(0, cubes), MPI_COMM_WORLD, &falls);
    for (const auto& [cause, times] : rises.cut_causes) ADD_FAILURE() << cause << ' ' << times;
    EXPECT_EQ(rises.steps, falls.steps) << cubes;
    for (int k = 0; k < cubes; ++k) {
      const auto at = static_cast<std::size_t>(k);
      EXPECT_NEAR(risen.velocity(at).z() - 3, fallen.velocity(at).z(), 1e-6) << cubes;
      EXPECT_GT(fallen.velocity(at).z(), 0) << cubes;
    }
  }
}

TEST(MovingPlane, TakesBodiesOfManyLayersAlong) {
  Model model = met_cubes(3, 40);
  model.time.end = 1e-2;
  RunReport report;
  const LastState end = run_model(model, MPI_COMM_WORLD, &report);
  EXPECT_LT(report.cuts, 5);
  EXPECT_GT(end.velocity(0).z(), 0);
}

TEST(MovingPlane, ATouchThatRoundingMakesEndsNoRun) {
  // Nothing weighs or moves, and the plane reaches the first cube's threshold at a step's end, 49 ms.
  Model model = lifted_cube(false);
  model.boundaries[0].motion.velocity = Vec3(0, 0, 1);
  model.boundary_parts[0].point = Vec3::Zero();
  model.bodies.clear();
  for (int k = 0; k < 3; ++k) add_cube(model, {0, 0, 0.1 + 0.12 * k});
  model.time.end = 0.06;
  model.time.step = 1e-3;
  model.solver.newton_relative = 1e-6;
  const LastState end = run_model(test::with_energy(model), MPI_COMM_WORLD);
  EXPECT_GT(end.velocity(0).z(), 0.9);
}

/// The same with a ball of 5 cm under Hooke's law.
Model lifted_ball(double speed) {
  Model model = test_runs::balls_on_floor(50, 0);
  model.gravity.setZero();
  model.boundaries[0].name = "lift";
  model.boundaries[0].motion.velocity = Vec3(0, 0, speed);
  model.boundary_parts[0].point = Vec3(0, 0, -kStart);
  model.walls = {sheet()};
  model.boundary_parts[0].wall = 0;
  test_runs::add_ball(model, {0.01, 0.02, 0.05});
  model.time.end = 0.2 / speed;
  model.time.step = 0.1 / speed;  // twice the ball's radius
  return model;
}

TEST(MovingSheet, PushesABallUnderALawAtOverlapWhereverForcesAreTaken) {
  for (const test::IntegratorEntry& entry : test::registered_integrator_entries()) {
    Model model = lifted_ball(kSpeed);
    model.integrator = entry.integrator;
    RunReport report;
    const LastState end = run_model(model, MPI_COMM_WORLD, &report);
    EXPECT_GT(report.cuts, 0) << entry.name;
    EXPECT_GT(end.position(0).z(), kSpeed * model.time.end - kStart) << entry.name;
    EXPECT_GT(end.velocity(0).z(), 0.8 * kSpeed) << entry.name;
  }
}

TEST(ThinRod, DoesNotJumpOverABallUnderALawAtOverlap) {
  Model model = lifted_ball(kSpeed);
  model.walls = {make_cylinder("rod", 2e-3)};
  model.boundary_parts[0].normal = Vec3::UnitX();
  model.boundary_parts[0].point = Vec3(0, 0.02, -kStart);
  RunReport report;
  const LastState end = run_model(model, MPI_COMM_WORLD, &report);
  EXPECT_GT(end.position(0).z(), kSpeed * model.time.end - kStart);
  EXPECT_GT(end.velocity(0).z(), 0.8 * kSpeed);
}

TEST(Blade, ThatTurnsAboutADistantPointTakesABodyOnItsArcAlong) {
  // A blade at 1 m from the z axis; its chord of 0.5 rad passes the cube 31 mm inside of the arc.
  Model model = lifted_cube(true);
  BoundaryMotion& motion = model.boundaries[0].motion;
  motion.velocity.setZero();
  motion.angular_velocity = Vec3(0, 0, kSpeed);
  motion.about = Vec3::Zero();
  model.walls = {make_surface("blade", {{-0.01, -0.2, 0}, {0.01, -0.2, 0}, {0.01, 0.2, 0}, {-0.01, 0.2, 0}},
                              {{0, 1, 2, 3}})};
  model.boundary_parts = {{0, Vec3(1, 0, 0), Vec3::UnitY(), 0}};
  const double angle = 0.25;
  model.bodies[0].position = Vec3(1.055 * std::cos(angle), 1.055 * std::sin(angle), 0);
  model.bodies[0].orientation = Quat(Eigen::AngleAxisd(angle, Vec3::UnitZ()));
  model.time.end = 0.25;
  model.time.step = 0.25;
  const LastState end = run_model(model, MPI_COMM_WORLD);
  EXPECT_GT(std::atan2(end.position(0).y(), end.position(0).x()), 0.3);
  EXPECT_GT(end.velocity(0).norm(), 1);
}

TEST(Blade, TurnsByNoMoreThanAQuarterTurnInAStepButADrumMay) {
  for (const bool drum : {false, true}) {
    Model model = lifted_cube(true);
    model.boundaries[0].motion.velocity.setZero();
    model.boundaries[0].motion.angular_velocity = Vec3(0, 10, 0);
    if (drum) model.walls = {make_bore("drum", 0.5)};
    model.boundary_parts[0] = {0, drum ? Vec3::Zero() : Vec3(0, 0, -2), drum ? Vec3::UnitY() : Vec3::UnitZ(),
                               0};
    model.boundaries[0].motion.about = Vec3(0, 0, drum ? 0 : -2);
    model.time.end = model.time.step = 0.2;  // 2 rad
    RunReport report;
    run_model(model, MPI_COMM_WORLD, &report);
    // Nothing else cuts the step of what turns at 2 m from the body.
    EXPECT_EQ(report.steps, drum ? 1 : 2);
    EXPECT_EQ(report.cuts, drum ? 0 : 1);
    if (drum) continue;
    std::string causes;
    for (const auto& [cause, count] : report.cut_causes) causes += cause + '\n';
    EXPECT_THAT(causes, HasSubstr("\"lift\" rotates by more than 90 degrees in a step"));
  }
}

TEST(MovingSheet, ThatLeavesABodyNoRoomEndsTheRunWithAMessage) {
  Model model = lifted_cube(true);
  model.bodies[0].fixed.fill(true);
  model.bodies[0].name = "anvil";
  EXPECT_THAT(
      refusal<RunError>(model),
      ::testing::AllOf(HasSubstr("boundary \"lift\" would pass through a body (body \"anvil\") after t = "),
                       HasSubstr("t = 0.01"), HasSubstr("time/step")));
}

TEST(SlidingBody, ThatGoesFurtherThanTheBoundLooksEndsTheRunWithAMessage) {
  // Of a round body the bound knows no planes.
  Model model = test::cubes_on_floor(0, 0);
  model.shapes[0] = make_superquadric("pebble", {0.06, 0.05, 0.04}, 4, 4, 30);
  add_cube(model, {0, 0, 0.2}, Quat::Identity(), {1e8, 0, -3e8});
  model.time.end = 0.01;
  model.time.step = 1e-3;
  EXPECT_THAT(refusal<RunError>(model), HasSubstr(Passage::kPathTooLong));
}

TEST(QuasiStatic, SheetThatGoesFurtherThanTheGapInALoadStepPushesInSmallerOnes) {
  Model model = lifted_cube(true);
  model.gravity = Vec3(0, 0, -9.81);
  model.analysis = Analysis::quasi_static;
  model.boundary_parts[0].point = Vec3(0, 0, -9e-4);
  model.time.end = 0.01;
  model.time.step = 0.01;
  RunReport report;
  const LastState end = run_model(model, MPI_COMM_WORLD, &report);
  EXPECT_GT(report.cuts, 0);
  EXPECT_NEAR(end.position(0).z(), 0.05 + kSpeed * model.time.end, 1e-3);
}

Model rigid(Model model) {
  model.analysis = Analysis::contact_dynamics;
  model.interfaces[0].normal = contact::RigidParameters{};
  model.interfaces[0].friction = {};
  return model;
}

TEST(RigidContact, FastTurningBladeDoesNotGoThroughABody) {
  // Gaps are linear in the step: no gap predicts a blade that turns by 80 degrees.
  Model model = rigid(lifted_cube(true));
  BoundaryMotion& motion = model.boundaries[0].motion;
  motion.velocity.setZero();
  motion.angular_velocity = Vec3(0, 0, 1.4);
  motion.about = Vec3::Zero();
  model.walls = {sheet()};
  model.boundary_parts = {{0, Vec3(1.2, 0, 0), Vec3::UnitY(), 0}};
  model.bodies[0].position = Vec3(1.5 * std::cos(0.7), 1.5 * std::sin(0.7), 0);
  model.time.end = 1;
  model.time.step = 1;
  const LastState end = run_model(model, MPI_COMM_WORLD);
  EXPECT_GT(std::atan2(end.position(0).y(), end.position(0).x()), 1.4);
}

TEST(RigidContact, RimOfASheetInsideOfABodyIsSeen) {
  // 5 mm inside of one face of the cube; all vertices of both are outside of the other.
  Model model = rigid(lifted_cube(true));
  model.boundaries[0].motion.velocity.setZero();
  model.boundary_parts[0].point = Vec3(0.01 - 0.05 + 0.005 - 1, 0, 0.03);
  EXPECT_THAT(refusal<InputError>(model), HasSubstr("overlap of 0.005 m at t = 0"));
  model.boundary_parts[0].point.x() -= 0.006;
  EXPECT_EQ(refusal<InputError>(model), "");
}

TEST(RigidContact, PlateBesideTheRimOfASheetDoesNotOverlapIt) {
  // Its middle is below the plane of the sheet, past its rim, and one corner above the sheet.
  Model model = rigid(lifted_cube(true));
  model.boundaries[0].motion.velocity.setZero();
  model.boundary_parts[0].point = Vec3(-1, 0, 0);  // rim at x = 0
  model.bodies[0].position = Vec3(0.04, 0, -0.02);
  model.bodies[0].orientation = Quat(Eigen::AngleAxisd(0.25 * M_PI, Vec3::UnitY()));
  model.shapes[0] = make_box("plate", {0.2, 0.1, 0.01});
  EXPECT_EQ(refusal<InputError>(model), "");
}

TEST(RigidContact, AxisOfACylinderInsideOfABodyIsSeen) {
  // 5 mm inside of two faces: the distances of edges grow again from there.
  Model model = rigid(lifted_cube(true));
  model.boundaries[0].motion.velocity.setZero();
  model.walls = {make_cylinder("wire", 0.01)};
  model.boundary_parts[0] = {0, Vec3(0.01 - 0.05 + 0.005, 0, 0.1 - 0.005), Vec3::UnitY(), 0};
  EXPECT_THAT(refusal<InputError>(model), HasSubstr("overlap of 0.015 m at t = 0"));
}

TEST(Ball, IsNotPressedToItsCentreInAnyStep) {
  // 0.15 m in a step, where the radius is 0.05 m, by rules that take forces at its start.
  for (const auto& entry : test::registered_integrator_entries()) {
    if (entry.takes_barrier()) continue;
    for (const bool plane : {true, false}) {
      Model model = test_runs::balls_on_floor(0, 0);
      if (!plane) {
        model.walls = {sheet()};
        model.boundary_parts[0].wall = 0;
      }
      test_runs::add_ball(model, {0.1, 0.2, 0.06}, {0, 0, -30});
      model.integrator = entry.integrator;
      model.interfaces[0].normal = contact::HookeParameters{.stiffness = 5e6};
      model.time.end = 0.02;
      model.time.step = 5e-3;
      RunReport report;
      const LastState end = run_model(model, MPI_COMM_WORLD, &report);
      EXPECT_GT(report.cuts, 0) << entry.name;
      EXPECT_GT(end.position(0).z(), 0) << entry.name;
      EXPECT_GT(report.min_gap, -0.05) << entry.name;
    }
  }
}

TEST(Ball, BehindAPlaneAtTheStartIsRefused) {
  Model model = test_runs::balls_on_floor(0, 0);
  test_runs::add_ball(model, {0, 0, -0.2});
  EXPECT_THAT(refusal<InputError>(model),
              HasSubstr("body 0 and boundary \"floor\": the centre of mass lies 0.2 m on the wrong side"));
  model.bodies[0].position.z() = 0.01;
  EXPECT_EQ(refusal<InputError>(model), "");
}

}  // namespace
}  // namespace scree

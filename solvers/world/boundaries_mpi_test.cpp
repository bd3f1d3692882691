/// Bodies in curved, triangulated and moving boundaries, against exact solutions; on 1, 2 and 4 ranks.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <cstring>

#include "assembly/test_ranks.hpp"
#include "core/error.hpp"
#include "core/infinity.hpp"
#include "core/rotation.hpp"
#include "core/test_extremes.hpp"
#include "elements/integrators/energy_consistent.hpp"
#include "elements/integrators/newmark.hpp"
#include "elements/integrators/trapezoidal.hpp"
#include "elements/integrators/variational_midpoint.hpp"
#include "solvers/test_models.hpp"
#include "solvers/test_runs.hpp"
#include "solvers/time_loop.hpp"
#include "solvers/world/boundary_motion.hpp"

namespace scree {
namespace {

using ranks::rank_count;
using ranks::this_rank;
using test::add_cube;
using test::cubes_on_floor;

/// State of all bodies at each accepted step: time and 13 numbers each, and the energies.
struct StateRecorder : Observer {
  struct Row {
    double time = 0;
    std::vector<double> bodies;
    EnergyLedger energy;
    Wrench floor;
  };
  explicit StateRecorder(MPI_Comm c) : comm(c) {}
  void accepted(const AcceptedState& state) override {
    Row row{state.time, std::vector<double>(13 * state.model->body_count(), 0.0), state.energy, {}};
    for (int i = 0; i < state.bodies->owned; ++i) {
      const BodyState& s = state.bodies->state[i];
      Eigen::Matrix<double, 13, 1> all;
      all << s.x, s.v, s.w, s.q.coeffs();
      std::copy(all.begin(), all.end(), &row.bodies[13 * state.bodies->properties[i].id]);
    }
    MPI_Allreduce(MPI_IN_PLACE, row.bodies.data(), static_cast<int>(row.bodies.size()), MPI_DOUBLE, MPI_SUM,
                  comm);
    if (!state.boundary_wrench->empty()) row.floor = state.boundary_wrench->front();
    rows.push_back(row);
  }
  MPI_Comm comm;
  std::vector<Row> rows;
};

std::vector<StateRecorder::Row> run_rows(const Model& model, MPI_Comm comm, RunReport* report = nullptr) {
  StateRecorder recorder(comm);
  const RunReport r = run(model, {&recorder}, comm);
  if (report != nullptr) *report = r;
  return recorder.rows;
}

Vec3 place_of(const StateRecorder::Row& row, int body) {
  return Vec3(&row.bodies[13 * static_cast<std::size_t>(body)]);
}
Vec3 velocity_of(const StateRecorder::Row& row, int body) {
  return Vec3(&row.bodies[13 * static_cast<std::size_t>(body) + 3]);
}

/// Replaces the floor by a wall of another shape.
void move_wall(Model& model, const Shape& shape, const Vec3& point, const Vec3& axis) {
  model.walls = {shape};
  model.boundary_parts = {{0, point, axis, 0}};
}

void add_ball_at(Model& model, double radius, const Vec3& x, const Vec3& v = Vec3::Zero(),
                 const Vec3& w = Vec3::Zero()) {
  model.shapes.push_back(make_sphere("ball", radius));
  BodyDescription body;
  body.shape = static_cast<int>(model.shapes.size()) - 1;
  body.position = x;
  body.velocity = v;
  body.angular_velocity = w;
  body.mass = 2;
  body.inertia_B = 2 * 0.4 * radius * radius * Mat3::Identity();
  model.bodies.push_back(body);
}

/// Gap at which the law carries a weight on one contact [m].
double gap_of(const Model& model, double weight) {
  const auto& law = std::get<contact::BarrierParameters>(model.interfaces[0].normal);
  return law.threshold - std::pow(weight / law.stiffness, 1 / law.exponent);
}

/// Period of an oscillation about 0, from its upward crossings.
double period_of(const std::vector<StateRecorder::Row>& rows, int axis) {
  std::vector<double> crossings;
  for (std::size_t k = 1; k < rows.size(); ++k) {
    const double before = place_of(rows[k - 1], 0)[axis], now = place_of(rows[k], 0)[axis];
    if (before < 0 && now >= 0)
      crossings.push_back(rows[k - 1].time - before / (now - before) * (rows[k].time - rows[k - 1].time));
  }
  EXPECT_GE(crossings.size(), 2u);
  return (crossings.back() - crossings.front()) / static_cast<double>(crossings.size() - 1);
}

TEST(Bore, ABallSwingsWithThePeriodOfSlidingOrRolling) {
  if (rank_count() > 2) GTEST_SKIP() << "a long run of one body";
  const double R = 0.4, r = 0.05, g = 9.81, angle = 0.02;
  for (const double mu : {0.0, 0.5}) {
    for (const bool sphere : {false, true}) {
      Model model = cubes_on_floor(0, mu);
      model.interfaces[0].friction.stiffness = 3e6;
      const double length = R - r - gap_of(model, 2 * g);
      move_wall(model, sphere ? make_cavity("cavity", R) : make_bore("bore", R), Vec3::Zero(), Vec3::UnitY());
      add_ball_at(model, r, length * Vec3(-std::sin(angle), 0, -std::cos(angle)));
      model.time.end = 3.2;
      model.time.step = 1e-3;
      model.solver.newton_relative = 1e-10;
      RunReport report;
      const auto rows = run_rows(model, MPI_COMM_WORLD, &report);
      // It rolls on the middle of the gap: inertia 2/5 m r^2 at an arm of r + gap/2.
      const double arm = r + 0.5 * gap_of(model, 2 * g);
      const double inertia = mu > 0 ? 0.4 * r * r / (arm * arm) : 0;
      const double exact = 2 * M_PI * std::sqrt((1 + inertia) * length / g);
      const double error = period_of(rows, 0) / exact - 1;
      // Beyond the step (h omega)^2/24 = 1e-6 and the amplitude angle^2/16 = 3e-5.
      EXPECT_LT(std::abs(error), 2e-4) << "mu " << mu << " sphere " << sphere;
      EXPECT_LT(std::abs(rows.back().energy.closure_error()), 1e-3 * 2 * g * length * angle * angle);
      if (this_rank() == 0)
        std::printf("mu %.1f: period %.6f s, relative error %.1e\n", mu, period_of(rows, 0), error);
    }
  }
}

TEST(Conveyor, TakesABlockAlong) {
  Model model = cubes_on_floor(0.3, 0.4);
  const double speed = 0.5, g = 9.81;
  model.boundaries[0].motion.velocity = Vec3(speed, 0, 0);
  add_cube(model, {0, 0, 0.05 + gap_of(model, 2 * g / 4)});
  model.time.end = 0.4;
  model.time.step = 2e-4;
  model.solver.newton_relative = 1e-9;
  const auto rows = run_rows(model, MPI_COMM_WORLD);
  const double until =
      speed / (0.4 * g);  // 0.127 s: Coulomb's friction accelerates it up to the belt's speed
  double worst = 0;
  for (const auto& row : rows) {
    if (row.time < 0.9 * until)
      test::keep_largest(worst, std::abs(velocity_of(row, 0).x() - 0.4 * g * row.time));
  }
  EXPECT_LT(worst, 2e-3);  // half a millisecond until the tangential springs are stretched
  EXPECT_NEAR(velocity_of(rows.back(), 0).x(), speed, 1e-3);
  EXPECT_NEAR(place_of(rows.back(), 0).x(), speed * (0.4 - 0.5 * until), 1e-3);
  // The belt gives twice the kinetic energy: as much is lost to friction.
  const EnergyLedger& e = rows.back().energy;
  EXPECT_NEAR(e.work_of_boundaries, 2 * speed * speed, 0.01);
  EXPECT_NEAR(e.friction_loss, speed * speed, 0.01);
  EXPECT_LT(std::abs(e.closure_error()), 2e-4);
}

TEST(Shaker, ABlockAtRestOnItSeesItsAcceleration) {
  // A table sampled every quarter of a millisecond from 1 mm sin(31.4 t); the block sits on springs of 775
  // rad/s, so that it follows within (31.4/775)^2 of the amplitude.
  Model model = cubes_on_floor(0.3, 0.8);
  const double omega = 10 * M_PI, amplitude = 1e-3, g = 9.81;
  model.interfaces[0].friction.damping = 200;
  BoundaryMotion& motion = model.boundaries[0].motion;
  for (int k = 0; k <= 2400; ++k) {
    const double t = 2.5e-4 * k;
    motion.table.push_back(
        {t, Vec3(amplitude * (std::sin(omega * t) - omega * t * std::exp(-50 * t)), 0, 0), Vec3::Zero()});
  }
  add_cube(model, {0, 0, 0.05 + gap_of(model, 2 * g / 4)});
  model.time.end = 0.6;
  model.time.step = 2.5e-4;
  model.solver.newton_relative = 1e-9;
  const auto rows = run_rows(model, MPI_COMM_WORLD);
  double behind = 0, force = 0, middle = 0;
  int counted = 0;
  for (const auto& row : rows) {
    if (row.time < 0.2) continue;
    test::keep_largest(behind, std::abs(place_of(row, 0).x() - amplitude * std::sin(omega * row.time)));
    // Force on the floor against -m a of the block: correlation over whole periods.
    const double a = -amplitude * omega * omega * std::sin(omega * row.time);
    force += -row.floor.force.x() * a;
    middle += a * a;
    ++counted;
  }
  EXPECT_GT(counted, 700);
  EXPECT_LT(behind, 0.02 * amplitude);
  EXPECT_NEAR(force / middle, 2, 0.02);  // its mass
  EXPECT_LT(std::abs(rows.back().energy.closure_error()), 1e-6 * rows.back().energy.work_of_boundaries);
  if (this_rank() == 0) std::printf("mass seen %.4f kg, %.1e m behind\n", force / middle, behind);
}

TEST(Piston, ThrowsAnUndampedBlockAtTwiceItsSpeed) {
  Model model = cubes_on_floor(0, 0);
  model.gravity.setZero();
  model.boundaries[0].motion.velocity = Vec3(0, 0, 1);
  add_cube(model, {0, 0, 0.06}, rotation::quaternion({0, 0, 0.3}));
  model.time.end = 0.03;
  model.time.step = 1e-5;
  model.time.adaptive = true;
  model.time.min = 1e-9;
  model.time.max = 1e-3;
  model.time.resolution = 0.03;
  model.solver.newton_relative = 1e-10;
  RunReport report;
  const auto rows = run_rows(model, MPI_COMM_WORLD, &report);
  EXPECT_NEAR(velocity_of(rows.back(), 0).z(), 2, 2e-3);
  EXPECT_NEAR(rows.back().energy.work_of_boundaries, 4, 0.01);
  EXPECT_LT(std::abs(rows.back().energy.closure_error()), 0.01);
}

TEST(Piston, DoesTheWorkOfItsImpulseUnderEachIntegratorHoweverLongTheStep) {
  if (rank_count() > 2) GTEST_SKIP() << "a long run of one body";
  const std::vector<std::shared_ptr<const elements::Integrator>> integrators = {
      std::make_shared<elements::Newmark>(), std::make_shared<elements::Trapezoidal>(0.5),
      std::make_shared<elements::VariationalMidpoint>(), std::make_shared<elements::EnergyConsistent>()};
  for (const double step : {1e-5, 3e-4}) {
    for (std::size_t k = 0; k < integrators.size(); ++k) {
      Model model = cubes_on_floor(0, 0);
      model.integrator = integrators[k];
      model.gravity.setZero();
      model.boundaries[0].motion.velocity = Vec3(0, 0, 1);
      add_cube(model, {0, 0, 0.07}, rotation::quaternion({0.2, 0.1, 0.3}));
      model.time.end = 0.03;
      model.time.step = step;
      model.solver.newton_relative = 1e-10;
      const auto rows = run_rows(model, MPI_COMM_WORLD);
      const double impulse = 2 * velocity_of(rows.back(), 0).z();
      EXPECT_GT(impulse, 1) << k;
      EXPECT_NEAR(rows.back().energy.work_of_boundaries, impulse, 1e-6 * impulse) << k << " at " << step;
    }
  }
}

/// Triangles of a plane that cannot be merged into one convex polygon, with a border that is far away.
Shape triangulated_plane() {
  std::vector<Vec3> v;
  std::vector<std::vector<int>> faces;
  for (int j = 0; j <= 12; ++j) {
    for (int i = 0; i <= 12; ++i) v.push_back({0.11 * i - 0.31, 0.1 * j - 0.63, 0.0});
  }
  for (int j = 0; j < 12; ++j) {
    for (int i = 0; i < 12; ++i) {
      if (i == 11 && j == 11) continue;
      const int k = 13 * j + i;
      faces.push_back({k, k + 1, k + 14});
      faces.push_back({k, k + 14, k + 13});
    }
  }
  return make_surface("sheet", v, faces);
}

/// Largest difference between the runs of a model on its plane and on a triangulated one.
double on_triangles_and_plane(const Model& plane) {
  const Shape sheet = triangulated_plane();
  EXPECT_GT(sheet.faces.size(), 100U);
  Model surface = plane;
  move_wall(surface, sheet, sheet.shift, Vec3::UnitZ());
  const auto on_plane = run_rows(plane, MPI_COMM_WORLD), on_surface = run_rows(surface, MPI_COMM_WORLD);
  if (on_plane.size() != on_surface.size()) return kInfinity;
  double worst = 0;
  for (std::size_t k = 0; k < on_plane.size(); ++k) {
    for (std::size_t n = 0; n < on_plane[k].bodies.size(); ++n)
      test::keep_largest(worst, std::abs(on_plane[k].bodies[n] - on_surface[k].bodies[n]));
  }
  EXPECT_GT(place_of(on_plane.back(), 0).x(), 0.25);
  EXPECT_NEAR(on_plane.back().energy.friction_loss, on_surface.back().energy.friction_loss, 1e-6);
  return worst;
}

TEST(TriangulatedPlane, CarriesBodiesAsThePlaneWhereEnergyStepsPassSeveralTriangles) {
  if (rank_count() > 2) GTEST_SKIP() << "a long run of one body";
  for (const double mu : {0.0, 0.2}) {
    for (const double h : {2e-4, 2e-3, 1e-2}) {
      for (const bool cube : {false, true}) {
        Model plane = cubes_on_floor(0.2, mu);
        if (cube) {
          add_cube(plane, {0, 0.011, 0.0509}, Quat::Identity(), {1.0, 0.4, 0});
        } else {
          add_ball_at(plane, 0.05, {0, 0.011, 0.0509}, {1.0, 0.4, -0.2}, {3, -2, 5});
        }
        plane.integrator = std::make_shared<elements::EnergyConsistent>();
        plane.time.control = StepMode::motion;
        plane.time.end = 0.5;
        plane.time.step = h;
        plane.solver.newton_relative = 1e-11;
        const double worst = on_triangles_and_plane(plane);
        EXPECT_LT(worst, 1e-7) << "mu " << mu << ", h " << h << (cube ? " cube" : " ball");
        if (this_rank() == 0)
          std::printf("mu %.1f, h %g s, %s: worst difference %.1e\n", mu, h, cube ? "cube" : "ball", worst);
      }
    }
  }
}

TEST(Ball, RollsAndSlidesOverInnerEdgesOfATriangulatedPlaneAsOnThePlane) {
  if (rank_count() > 2) GTEST_SKIP() << "a long run of one body";
  const Shape sheet = triangulated_plane();
  for (const double mu : {0.15, 0.8}) {
    Model plane = cubes_on_floor(0.2, mu);
    add_ball_at(plane, 0.05, {0, 0.011, 0.0509}, {1.0, 0.4, -0.2}, {3, -2, 5});
    plane.time.end = 0.6;
    plane.time.step = 2e-4;
    plane.solver.newton_relative = 1e-12;
    Model surface = plane;
    move_wall(surface, sheet, sheet.shift, Vec3::UnitZ());
    const auto on_plane = run_rows(plane, MPI_COMM_WORLD), on_surface = run_rows(surface, MPI_COMM_WORLD);
    ASSERT_EQ(on_plane.size(), on_surface.size());
    double worst = 0;
    for (std::size_t k = 0; k < on_plane.size(); ++k) {
      for (std::size_t n = 0; n < on_plane[k].bodies.size(); ++n)
        test::keep_largest(worst, std::abs(on_plane[k].bodies[n] - on_surface[k].bodies[n]));
    }
    EXPECT_GT(place_of(on_plane.back(), 0).x(), 0.3);
    EXPECT_LT(worst, 1e-10) << "mu " << mu;
    EXPECT_GT(on_plane.back().energy.friction_loss, 0.1);
    EXPECT_NEAR(on_plane.back().energy.friction_loss, on_surface.back().energy.friction_loss, 1e-9);
    if (this_rank() == 0) std::printf("mu %.2f: worst difference %.1e\n", mu, worst);
  }
}

TEST(Sheet, ACubeThatItCutsIsRefusedAtTheStartThoughNoVertexIsNear) {
  const Shape sheet =
      make_surface("sheet", {{-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0}, {1, -1, 1}, {1, 1, 1}},
                   {{0, 1, 2, 3}, {1, 4, 5, 2}});
  Model model = cubes_on_floor(0.3, 0.4);
  move_wall(model, sheet, sheet.shift, Vec3::UnitZ());
  model.time.end = 1e-4;
  model.time.step = 1e-4;
  add_cube(model, {0.2, 0.1, 0.06}, rotation::quaternion({0, 0, 0.3}));
  EXPECT_NO_THROW(run_rows(model, MPI_COMM_WORLD));
  model.bodies[0].position.z() = 0.03;
  EXPECT_THAT(test_runs::refusal(model), ::testing::HasSubstr("overlap of 0.02 m at t = 0"));
}

/// Cubes and balls in a drum that turns and shakes.
Model drum() {
  Model model = cubes_on_floor(0.3, 0.4);
  model.walls = {make_bore("drum", 0.4), make_sphere("boss", 0.1)};
  model.boundary_parts = {{0, Vec3::Zero(), Vec3::UnitY(), 0},
                          {0, Vec3(0, -0.3, 0), Vec3::UnitY(), -1},
                          {0, Vec3(0, 0.3, 0), -Vec3::UnitY(), -1},
                          {0, Vec3::Zero(), Vec3::UnitY(), 1}};
  model.boundaries[0].motion.angular_velocity = Vec3(0, 2, 0);
  model.boundaries[0].motion.velocity = Vec3(0.2, 0, 0.1);
  for (int k = 0; k < 12; ++k) {
    const double angle = 0.55 * k;
    const Vec3 x(0.25 * std::cos(angle), k % 2 == 0 ? -0.15 : 0.15, 0.25 * std::sin(angle));
    add_cube(model, x, rotation::quaternion({0.3 * k, 0.2, -0.1 * k}));
  }
  for (const double y : {-0.22, 0.22}) add_ball_at(model, 0.05, {0, y, 0});
  // Impacts multiply differences: a start that is 1e-15 m off, on one rank, is off by 9e-12 at 0.225 s, 5e-7
  // at 0.267 s and 1 at 0.36 s; two ranks and one, which differ by what Newton's tolerance leaves, part by
  // 1e-5 at 0.22 s. Neither has a step that fails before.
  test_runs::take_adaptive_steps(model, 0.2);
  return model;
}

TEST(Drum, GivesTheSameTrajectoryOnAnyNumberOfRanksAndTheSameBitsOnTheSame) {
  const Model model = drum();
  RunReport report;
  const auto together = run_rows(model, MPI_COMM_WORLD, &report);
  const auto again = run_rows(model, MPI_COMM_WORLD);
  const auto alone = run_rows(model, MPI_COMM_SELF);
  ASSERT_EQ(together.size(), again.size());
  const auto &last = together.back().bodies, &same = again.back().bodies, &one = alone.back().bodies;
  EXPECT_EQ(std::memcmp(last.data(), same.data(), last.size() * sizeof(double)), 0);
  double worst = 0;
  for (std::size_t k = 0; k < one.size(); ++k) test::keep_largest(worst, std::abs(last[k] - one[k]));
  EXPECT_GT(report.max_contacts, 5);
  EXPECT_LT(worst, 1e-6);
  EXPECT_NE(together.back().energy.work_of_boundaries, 0);
  EXPECT_NEAR(together.back().energy.work_of_boundaries, alone.back().energy.work_of_boundaries, 1e-6);
  if (this_rank() == 0)
    std::printf("%d ranks: largest difference to one rank %.1e, %ld steps, %ld cut, %ld repeated\n",
                rank_count(), worst, report.steps, report.cuts, report.repeats);
}

TEST(Boundary, ThatIsSwitchedOffBooksWhatItsContactsStored) {
  constexpr double kStiffness = 1e4;
  Model model = cubes_on_floor(0, 0);
  model.interfaces[0].normal = contact::HookeParameters{.stiffness = kStiffness};
  const double depth = 2 * 9.81 / (4 * kStiffness);  // on four corners
  add_cube(model, {0, 0, 0.05 - depth});
  model.boundaries[0].active_until = 0.05;
  model.time.end = 0.1;
  model.time.step = 1e-3;
  RunReport report;
  run_rows(model, MPI_COMM_WORLD, &report);
  const double stored = 4 * 0.5 * kStiffness * depth * depth;
  EXPECT_NEAR(report.energy.outflow, stored, 1e-9 * stored);
  EXPECT_NEAR(report.energy.closure_error(), 0, 1e-9 * stored);
  // Falls freely from then on.
  EXPECT_NEAR(report.energy.kinetic(), 0.5 * 2 * std::pow(9.81 * 0.05, 2), 1e-6);
}

TEST(Boundary, ThatBecomesActiveInsideOfABodyEndsTheRunWithItsName) {
  for (const char* kind : {"plane", "sheet", "wire"}) {
    Model model = cubes_on_floor(0, 0);
    model.gravity.setZero();
    add_cube(model, {0, 0, 0.2});
    model.boundaries[0].name = "lid";
    model.boundaries[0].active_from = 0.005;
    BoundaryPart& part = model.boundary_parts[0];
    part.point = Vec3(0, 0, 0.2);
    if (kind != std::string("plane")) {
      part.wall = 0;
      if (kind == std::string("wire")) part.normal = Vec3::UnitY();
      model.walls = {
          kind == std::string("wire")
              ? make_cylinder("wire", 0.01)
              : make_surface("sheet", {{-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0}}, {{0, 1, 2, 3}})};
    }
    model.time.end = 0.02;
    model.time.step = 1e-3;
    try {
      run_rows(model, MPI_COMM_WORLD);
      ADD_FAILURE() << kind;
    } catch (const RunError& error) {
      EXPECT_THAT(
          error.what(),
          ::testing::AllOf(::testing::HasSubstr("at t = 0.005 s: body 0 and boundary \"lid\": "),
                           ::testing::HasSubstr(" at activation"), ::testing::HasSubstr("has been saved")))
          << kind;
    }
  }
}

TEST(Boundary, AStateThatALidCannotJoinCanBeSaved) {
  Model model = cubes_on_floor(0, 0);
  model.gravity.setZero();
  add_cube(model, {0, 0, 0.2});
  model.boundaries[0].active_from = 0.005;
  model.boundary_parts[0].point = Vec3(0, 0, 0.2);
  model.time.end = 0.02;
  model.time.step = 1e-3;
  Simulation simulation(std::make_shared<const Model>(model), MPI_COMM_WORLD);
  for (int k = 0; k < 5; ++k) simulation.step();
  for (int k = 0; k < 2; ++k) {  // the next attempt says the same
    EXPECT_THROW(simulation.step(), RunError);
    EXPECT_NO_THROW(simulation.save());
  }
}

TEST(Boundary, WorkOfAWallIsThatOfTheStepsForcesInContactDynamics) {
  // An elastic impact of a wall at speed v takes a cube at rest to 2 v: 2 m v^2, in steps that vary.
  constexpr double kSpeed = 2;
  Model model = cubes_on_floor(0, 0);
  model.gravity.setZero();
  model.analysis = Analysis::contact_dynamics;
  model.interfaces[0].normal = contact::RigidParameters{.restitution = 1};
  model.interfaces[0].friction = {};
  add_cube(model, {0, 0, 0.06});
  model.boundaries[0].motion.velocity = Vec3(0, 0, kSpeed);
  test_runs::take_adaptive_steps(model, 0.05);
  RunReport report;
  run_rows(model, MPI_COMM_WORLD, &report);
  const double work = 2 * 2 * kSpeed * kSpeed;
  EXPECT_NEAR(report.energy.kinetic(), work, 1e-9 * work);
  EXPECT_NEAR(report.energy.work_of_boundaries, work, 1e-9 * work);
}

}  // namespace
}  // namespace scree

/// What snapshots are compared in: boundaries of the deck that restores.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

#include "assembly/test_ranks.hpp"
#include "solvers/simulation.hpp"
#include "solvers/test_runs.hpp"

namespace scree {
namespace {

using testing::AllOf;
using testing::HasSubstr;

void add_wall(Model& model, const std::string& name, const Vec3& point, const Vec3& normal) {
  BoundaryDescription wall;
  wall.name = name;
  model.boundaries.push_back(wall);
  model.boundary_parts.push_back({static_cast<int>(model.boundaries.size()) - 1, point, normal});
}

/// A ball above the floor, a wall, and a bore around both.
Model ball_between_walls() {
  Model model = test_runs::balls_on_floor(20, 0);
  test_runs::add_ball(model, {0, 0, 0.06});
  add_wall(model, "wall", {-1, 0, 0}, Vec3::UnitX());
  add_wall(model, "bore", {0, 0, 0}, Vec3::UnitZ());
  model.boundary_parts.back().wall = 0;
  model.walls.push_back(make_bore("bore", 2));
  model.time = {.end = 1, .step = 1e-3};
  model.deck_text = "first";
  return model;
}

Snapshot state_after(const Model& model, int steps) {
  Simulation simulation(std::make_shared<const Model>(model), MPI_COMM_WORLD);
  for (int k = 0; k < steps; ++k) simulation.step();
  return simulation.save();
}

/// @returns why a deck does not take a state, "" if it does. It continues in either case.
std::string refusal(Model model, const Snapshot& snapshot) {
  model.deck_text = "another";
  Simulation simulation(std::make_shared<const Model>(std::move(model)), MPI_COMM_WORLD);
  const Snapshot before = simulation.save();
  std::string why;
  try {
    simulation.restore(snapshot);
  } catch (const std::exception& error) {  // on other ranks a RunError
    why = error.what();
    EXPECT_TRUE(simulation.save() == before);
  }
  simulation.step();
  return why;
}

TEST(Restore, RefusesOtherBoundariesByName) {
  const Model model = ball_between_walls();
  const Snapshot snapshot = state_after(model, 10);
  EXPECT_EQ(refusal(model, snapshot), "");
  Model other = model;
  std::swap(other.boundaries[0], other.boundaries[1]);
  std::swap(other.boundary_parts[0].point, other.boundary_parts[1].point);
  std::swap(other.boundary_parts[0].normal, other.boundary_parts[1].normal);
  EXPECT_THAT(refusal(other, snapshot), HasSubstr("has boundary \"wall\" in place of \"floor\""));
  other = model;
  other.walls[0] = make_bore("bore", 2.5);
  EXPECT_THAT(refusal(other, snapshot), HasSubstr("boundary \"bore\": radius 2.5 m, not 2 m"));
  other.walls[0] = make_cavity("bore", 2);
  EXPECT_THAT(refusal(other, snapshot),
              HasSubstr("\"bore\": type sphere with bodies inside, not cylinder with bodies inside"));
  other = model;
  other.boundary_parts[1].point.x() = -2;
  EXPECT_THAT(refusal(other, snapshot), HasSubstr("\"wall\": wall 0 at [-2, 0, 0] m, not [-1, 0, 0] m"));
  other = model;
  other.boundary_parts[1].normal = Vec3(1, 1, 0).normalized();
  EXPECT_THAT(refusal(other, snapshot), HasSubstr("\"wall\": wall 0 normal or axis [0.7"));
  other = model;
  add_wall(other, "second", {-3, 0, 0}, Vec3::UnitX());
  EXPECT_THAT(refusal(other, snapshot), HasSubstr("4 walls of boundaries, not 3"));
  other = model;
  other.boundary_parts[1].boundary = 0;
  EXPECT_THAT(refusal(other, snapshot), HasSubstr("boundary \"floor\": 2 walls, not 1"));
}

TEST(Restore, TakesWallsThatTheDeckHasWhereTheStateHasThem) {
  Model model = ball_between_walls();
  model.boundaries[1].motion.velocity = {-0.5, 0, 0};
  const Snapshot snapshot = state_after(model, 10);
  Model stopped = model;  // where it is at the start, or where it was left
  stopped.boundaries[1].motion = {};
  EXPECT_EQ(refusal(stopped, snapshot), "");
  stopped.boundary_parts[1].point.x() = -1.005;
  EXPECT_EQ(refusal(stopped, snapshot), "");
  stopped.boundary_parts[1].point.x() = -1.5;
  EXPECT_THAT(refusal(stopped, snapshot), HasSubstr("at [-1.5, 0, 0] m, not [-1, 0, 0] m or, now, [-1.00"));
  Model turned = model;  // its way back begins where it is
  turned.boundaries[1].motion.velocity = {0.5, 0, 0};
  turned.boundary_parts[1].point.x() = -1.01;
  EXPECT_EQ(refusal(turned, snapshot), "");
}

TEST(Restore, PutsMovingWallsWhereTheDeckHasThem) {
  Model model = ball_between_walls();
  std::get<contact::HookeParameters>(model.interfaces[0].normal).damping = 0;
  model.gravity.setZero();
  const Snapshot snapshot = state_after(model, 10);
  model.boundaries[0].motion.velocity = {0, 0, 1.5};  // 5 mm of overlap at 10 ms
  model.deck_text = "another";
  Simulation simulation(std::make_shared<const Model>(model), MPI_COMM_WORLD);
  simulation.restore(snapshot);
  EXPECT_EQ(simulation.contact_totals().contacts, 1);
  EXPECT_GT(simulation.energy().inflow, 0);
}

TEST(Restore, RefusesAStateWithABodyBehindABoundaryThatTheDeckHasElsewhere) {
  Model model = ball_between_walls();
  const Snapshot snapshot = state_after(model, 10);  // it falls from z = 0.06 m, by 0.5 mm
  model.boundaries[0].motion.velocity = {0, 0, 8};   // 0.08 m at 10 ms
  EXPECT_THAT(
      refusal(model, snapshot),
      AllOf(HasSubstr("body 0 and boundary \"floor\": the centre of mass lies 0.0205 m on the wrong side "),
            HasSubstr("where this deck has the boundary at t = 0.01 s")));
}

/// Energy that contacts store is warned of where a deck restores a state. @returns the warning, if any.
std::string stored_energy_of(Model model, const Snapshot& snapshot) {
  model.deck_text = "another";
  Simulation simulation(std::make_shared<const Model>(model), MPI_COMM_WORLD);
  simulation.restore(snapshot);
  for (const Warning& warning : simulation.warnings().all())
    if (warning.code == "stored_energy") return warning.where + ": " + warning.message;
  return "";
}

TEST(Restore, WarnsOfWhatContactsStoreUnderAnotherDeck) {
  Model model = ball_between_walls();
  model.gravity.setZero();
  std::get<contact::HookeParameters>(model.interfaces[0].normal).damping = 0;
  const Snapshot apart = state_after(model, 10);
  EXPECT_EQ(stored_energy_of(model, apart), "");
  Model raised = model;
  raised.boundaries[0].motion.velocity = {0, 0, 3};  // 0.02 m of overlap at 10 ms: 4 J, 400 N
  EXPECT_THAT(
      stored_energy_of(raised, apart),
      AllOf(HasSubstr(
                "restored state: stored energy 4 J more than in the deck that saved the state, t = 0.01 s"),
            HasSubstr("unbalanced force on a body up to 400 N")));
  // Of a ball at rest a stiffness 10 000 times as high makes 24 J; weight times radius is 0.49 J.
  model = ball_between_walls();
  model.bodies[0].position.z() = 0.05 - 9.81 / 2e4;
  const Snapshot rest = state_after(model, 10);
  EXPECT_EQ(stored_energy_of(model, rest), "");
  std::get<contact::HookeParameters>(model.interfaces[0].normal).stiffness = 2e8;
  EXPECT_THAT(stored_energy_of(model, rest), HasSubstr("restored state: stored energy 24.1 J more"));
  // Other weights are no energy of contacts.
  model = ball_between_walls();
  model.gravity.setZero();
  const Snapshot weightless = state_after(model, 10);
  model.gravity.z() = -1000;
  EXPECT_EQ(stored_energy_of(model, weightless), "");
}

}  // namespace
}  // namespace scree

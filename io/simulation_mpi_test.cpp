/// Stepping, saving and restoring: the decks of inputs/, which have every analysis, kind of body and
/// boundary.
#include "solvers/simulation.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <memory>
#include <ostream>
#include <stdexcept>
#include <string>
#include <vector>

#include "assembly/test_ranks.hpp"
#include "core/archive.hpp"
#include "io/deck/deck.hpp"
#include "io/deck/deck_fixture.hpp"
#include "solvers/world/boundary_motion.hpp"

namespace scree {
namespace {

struct Case {
  const char* name;
  const char* deck;
  int before;  ///< steps before the state that is saved; more than two ranks take a third
  int steps;   ///< that are taken twice
};

std::ostream& operator<<(std::ostream& stream, const Case& one) { return stream << one.name; }

/// Spheres in bonds that break; a floor that moves and is there for a time, a load and drag.
const char* const kBonds = R"({
  "time": {"end": 1, "step": {"initial": 1e-5, "min": 1e-9, "max": 1e-3}}, "gravity": [0, 0, -9.81],
  "integrator": {"type": "trapezoidal"},
  "materials": {"rock": {"density": 2500}}, "shapes": {"ball": {"type": "sphere", "radius": 0.05}},
  "bodies": [{"shape": "ball", "material": "rock", "position": [0, 0, 0.06]},
             {"shape": "ball", "material": "rock", "position": [0.1, 0, 0.06]},
             {"shape": "ball", "material": "rock", "position": [0.05, 0, 0.1466], "velocity": [0, 0, -3]},
             {"name": "b", "shape": "ball", "material": "rock", "position": [0.15, 0, 0.1466]}],
  "boundaries": [{"name": "floor", "type": "plane", "point": [0, 0, 0], "normal": [0, 0, 1], "material": "rock",
                  "active": [0, 0.012], "motion": {"velocity": [0.1, 0, 0.2]}}],
  "interfaces": [{"between": ["*", "*"], "normal": {"law": "hooke", "stiffness": 1e6, "damping": 20},
                  "friction": {"static": 0.5, "dynamic": 0.4, "stiffness": 1e5}}],
  "bonds": {"stiffness": 1e5, "within": 1e-2, "break_force": 60},
  "loads": [{"type": "force", "body": "b", "value": [40, 0, 0], "ramp": [[0, 0], [0.02, 1]]},
            {"type": "drag", "coefficient": 0.1}]
})";

/// Energy-consistent steps: blocks and a ball that fall on a floor that moves, with friction.
const char* const kEnergy = R"({
  "time": {"end": 1, "step": {"initial": 1e-4, "min": 1e-9, "max": 2e-3}}, "gravity": [0, 0, -9.81],
  "integrator": {"type": "energy"},
  "materials": {"rock": {"density": 2000}},
  "shapes": {"block": {"type": "box", "size": [0.1, 0.1, 0.1]}, "ball": {"type": "sphere", "radius": 0.05}},
  "bodies": [{"shape": "block", "material": "rock", "position": [0, 0, 0.08], "orientation": {"axis": [1, 1, 0], "angle_deg": 20}},
             {"shape": "block", "material": "rock", "position": [0.03, 0.02, 0.21]},
             {"shape": "ball", "material": "rock", "position": [0.02, 0, 0.35], "velocity": [0.5, 0, -2]}],
  "boundaries": [{"name": "floor", "type": "plane", "point": [0, 0, 0], "normal": [0, 0, 1], "material": "rock",
                  "motion": {"velocity": [0.1, 0, 0.2]}}],
  "interfaces": [{"between": ["*", "*"], "normal": {"law": "barrier", "threshold": 1e-3, "stiffness": 2.8e13, "restitution": 0.5},
                  "friction": {"static": 0.5, "dynamic": 0.4, "stiffness": 3e5}}]
})";

/// Cubes that fall into a box, with damping. (Those of box_of_blocks.json take four times as long.)
const char* const kHeap = R"({
  "time": {"end": 1, "step": {"initial": 1e-4, "min": 1e-9, "max": 2e-3}}, "gravity": [0, 0, -9.81],
  "materials": {"rock": {"density": 2000}}, "shapes": {"block": {"type": "box", "size": [0.1, 0.1, 0.1]}},
  "bodies": [{"shape": "block", "material": "rock", "count": 10, "seed": 1, "region": {"min": [0, 0, 0.05], "max": [0.3, 0.3, 0.6]}}],
  "boundaries": [{"name": "box", "type": "box", "min": [0, 0, 0], "max": [0.3, 0.3, 2], "open": ["+z"], "material": "rock"}],
  "interfaces": [{"between": ["*", "*"],
                  "normal": {"law": "barrier", "threshold": 1e-3, "stiffness": 2.8e13, "damping_ratio": 0.3},
                  "friction": {"static": 0.3, "dynamic": 0.3, "stiffness": 3e5}}]
})";

/// A block that is pushed over a floor, load step by load step.
const char* const kQuasiStatic = R"({
  "analysis": "quasi-static", "time": {"end": 1, "step": {"initial": 0.02, "min": 1e-3, "max": 0.02}},
  "gravity": [0, 0, -9.81],
  "materials": {"rock": {"density": 2000}}, "shapes": {"block": {"type": "box", "size": [0.1, 0.1, 0.1]}},
  "bodies": [{"name": "low", "shape": "block", "material": "rock", "position": [0, 0, 0.0508]},
             {"name": "top", "shape": "block", "material": "rock", "position": [0.02, 0.01, 0.1516]}],
  "boundaries": [{"name": "floor", "type": "plane", "point": [0, 0, 0], "normal": [0, 0, 1], "material": "rock"}],
  "interfaces": [{"between": ["*", "*"], "normal": {"law": "barrier", "threshold": 1e-3, "stiffness": 1e9},
                  "friction": {"static": 0.5, "dynamic": 0.5, "stiffness": 1e5}}],
  "loads": [{"type": "force", "body": "top", "value": [5, 0, 0], "ramp": [[0, 0], [1, 1]]}]
})";

std::shared_ptr<Model> model_of(const std::string& deck) {
  if (deck.front() == '{') {
    const test::Folder folder;
    return std::make_shared<Model>(read_deck(folder.write("deck.json", deck)).model);
  }
  return test::model_of_input(deck);
}

int steps_before(const Case& one) { return ranks::rank_count() > 2 ? one.before / 3 : one.before; }

void take_steps(Simulation& simulation, int count) {
  for (int k = 0; k < count && !simulation.finished(); ++k) simulation.step();
}

/// Poses and velocities of this rank's bodies.
std::vector<std::byte> bodies_of(const Simulation& simulation) {
  const Bodies& bodies = simulation.bodies();
  return to_bytes(std::vector<BodyState>(bodies.state.begin(), bodies.state.begin() + bodies.owned));
}

class SavedState : public testing::TestWithParam<Case> {};

TEST_P(SavedState, GivesTheSameBitsAgainInPlaceTwiceAndAfterOtherSteps) {
  const Case& one = GetParam();
  Simulation simulation(model_of(one.deck), MPI_COMM_WORLD);
  take_steps(simulation, steps_before(one));
  ASSERT_FALSE(simulation.finished());
  const Snapshot start = simulation.save();
  const double time = simulation.time();
  take_steps(simulation, one.steps);
  const Snapshot end = simulation.save();
  EXPECT_FALSE(end == start);
  take_steps(simulation, 2);  // other steps in between
  for (int again = 0; again < 2; ++again) {
    simulation.restore(start);
    EXPECT_EQ(simulation.time(), time);
    take_steps(simulation, one.steps);
    EXPECT_TRUE(simulation.save() == end) << "time " << again + 1;
  }
}

TEST_P(SavedState, KeptWithItsListsGivesTheSameBitsAgain) {
  const Case& one = GetParam();
  Simulation simulation(model_of(one.deck), MPI_COMM_WORLD);
  take_steps(simulation, steps_before(one));
  std::shared_ptr<const KeptState> start = simulation.keep();
  const double time = simulation.time();
  take_steps(simulation, one.steps);
  const std::shared_ptr<const KeptState> end = simulation.keep();
  EXPECT_FALSE(*end == *start);
  EXPECT_GT(end->size(), 1000);
  take_steps(simulation, 2);  // other steps in between
  (void)simulation.save();    // the world is rebuilt
  take_steps(simulation, 1);
  for (int again = 0; again < 2; ++again) {
    simulation.go_back(*start);
    EXPECT_EQ(simulation.time(), time);
    take_steps(simulation, one.steps);
    EXPECT_TRUE(*simulation.keep() == *end) << "time " << again + 1;
  }
  // Memory that nobody needs is used again.
  simulation.go_back(*start);
  start = simulation.keep();
  take_steps(simulation, one.steps);
  EXPECT_TRUE(*simulation.keep() == *end);
  simulation.go_back(*start);
  take_steps(simulation, one.steps);
  EXPECT_TRUE(*simulation.keep() == *end);
  Simulation other(model_of(one.deck), MPI_COMM_WORLD);
  EXPECT_THROW(other.go_back(*start), std::invalid_argument);
}

TEST_P(SavedState, IsTheSameInAnotherSimulation) {
  const Case& one = GetParam();
  const std::shared_ptr<Model> model = model_of(one.deck);
  Simulation first(model, MPI_COMM_WORLD);
  take_steps(first, steps_before(one));
  const Snapshot start = first.save();
  Simulation second(model, MPI_COMM_WORLD);
  second.restore(start);
  // Both live side by side, and take turns.
  for (int k = 0; k < one.steps; ++k) {
    take_steps(first, 1);
    take_steps(second, 1);
  }
  EXPECT_EQ(first.time(), second.time());
  EXPECT_TRUE(first.save() == second.save());
}

TEST_P(SavedState, AnAttemptThatIsNotAcceptedLeavesNoTrace) {
  const Case& one = GetParam();
  Simulation simulation(model_of(one.deck), MPI_COMM_WORLD);
  take_steps(simulation, steps_before(one));
  const Snapshot start = simulation.save();
  const std::vector<std::byte> before = bodies_of(simulation);
  const double time = simulation.time();
  const double h = std::min(simulation.largest_step(), 0.5 * simulation.model().time.step);
  const StepReport attempt = simulation.solve(h);
  EXPECT_EQ(attempt.outcome, StepOutcome::converged) << attempt.cause;
  (void)simulation.save();  // forgets the attempt
  (void)simulation.solve(0.7 * h);
  simulation.restore(start);
  EXPECT_EQ(bodies_of(simulation), before);
  EXPECT_EQ(simulation.solve(h).outcome, StepOutcome::converged);
  simulation.accept();
  const Snapshot once = simulation.save();
  simulation.restore(start);
  (void)simulation.solve(0.3 * h);
  simulation.restore(start);
  EXPECT_EQ(simulation.solve(h).outcome, StepOutcome::converged);
  simulation.accept();
  EXPECT_TRUE(simulation.save() == once);
  EXPECT_EQ(simulation.time(), time + h);
}

/// Everything of a state that outputs show of the step that led to it.
std::vector<double> shown(Simulation& simulation) {
  std::vector<double> all;
  const auto add = [&all](const Vec3& v) { all.insert(all.end(), v.begin(), v.end()); };
  const AcceptedState state = simulation.view(false, false);
  for (const std::vector<Wrench>* wrenches : {state.body_wrench, state.boundary_wrench}) {
    for (const Wrench& wrench : *wrenches) {
      add(wrench.force);
      add(wrench.moment);
    }
  }
  for (const ContactRecord& contact : simulation.contacts()) {
    all.push_back(static_cast<double>(contact.body_a));
    all.push_back(contact.normal_force);
    add(contact.point);
  }
  const RunReport report = simulation.report();
  all.insert(all.end(), {report.unbalanced_force, report.unbalanced_moment, report.rigid.known ? 1.0 : 0.0,
                         report.rigid.balance});
  return all;
}

TEST_P(SavedState, ShowsTheSameForcesAfterItWasSavedAndAfterAnAttempt) {
  const Case& one = GetParam();
  Simulation simulation(model_of(one.deck), MPI_COMM_WORLD);
  take_steps(simulation, steps_before(one));
  const std::vector<double> before = shown(simulation);
  const Snapshot snapshot = simulation.save();
  EXPECT_EQ(shown(simulation), before);
  const double h = simulation.largest_step();  // what happens between two steps has happened
  const std::vector<double> between = shown(simulation);
  (void)simulation.solve(std::min(h, 0.5 * simulation.model().time.step));
  simulation.reject();
  EXPECT_EQ(shown(simulation), between);
  // What the report has of the last step goes with the state.
  Simulation other(model_of(one.deck), MPI_COMM_WORLD);
  other.restore(snapshot);
  EXPECT_EQ(other.report().unbalanced_force, before[before.size() - 4]);
  EXPECT_EQ(other.report().rigid.known ? 1.0 : 0.0, before[before.size() - 2]);
}

INSTANTIATE_TEST_SUITE_P(
    Decks, SavedState,
    testing::Values(Case{"cubes_in_a_box", kHeap, 300, 40}, Case{"inlet_and_outlet", "hopper.json", 400, 60},
                    Case{"periodic", "inclined_flow.json", 100, 20},
                    Case{"drum", "rotating_drum.json", 60, 20}, Case{"superquadrics", "tablets.json", 60, 10},
                    Case{"contact_dynamics", "beam_on_three_supports.json", 2, 3},
                    Case{"bonds", kBonds, 60, 60}, Case{"energy", kEnergy, 120, 40},
                    Case{"quasi_static", kQuasiStatic, 3, 3}, Case{"slope", "block_on_slope.json", 100, 40},
                    Case{"variational", "paper/example_1b.json", 100, 40}),
    [](const testing::TestParamInfo<Case>& one) { return std::string(one.param.name); });

TEST(SteppedSimulation, RefusesStepsThatItCannotTake) {
  Simulation simulation(model_of("block_on_slope.json"), MPI_COMM_WORLD);
  EXPECT_THROW(simulation.accept(), std::logic_error);
  EXPECT_THROW((void)simulation.solve(0), std::invalid_argument);
  EXPECT_THROW((void)simulation.solve(-1), std::invalid_argument);
  EXPECT_THROW((void)simulation.solve(std::numeric_limits<double>::quiet_NaN()), std::invalid_argument);
}

TEST(SteppedSimulation, RefusesASnapshotOfAnotherModel) {
  Simulation one(model_of("block_on_slope.json"), MPI_COMM_WORLD);
  Simulation other(model_of("box_of_blocks.json"), MPI_COMM_WORLD);
  const Snapshot start = other.save();
  EXPECT_THROW(one.restore(start), std::invalid_argument);
  one.step();
}

constexpr const char* kSoft = R"({"law": "hooke", "stiffness": 1e5, "damping": 20})";

/// A ball on the floor, and one that is fixed far away.
struct BallOnFloor {
  std::string law = kSoft, stop{}, floor{}, height = "0.0499";
  [[nodiscard]] std::shared_ptr<Model> model() const {
    return model_of(R"({"time": {"end": 1, "step": 1e-3)" + stop + R"(}, "gravity": [0, 0, -9.81],
      "integrator": {"type": "newmark"}, "materials": {"rock": {"density": 2000}},
      "shapes": {"ball": {"type": "sphere", "radius": 0.05}},
      "bodies": [{"name": "low", "shape": "ball", "material": "rock", "position": [0, 0, )" +
                    height + R"(]},
                 {"name": "far", "shape": "ball", "material": "rock", "position": [1, 0, 1], "fixed": true}],
      "boundaries": [{"name": "floor", "type": "plane", "point": [0, 0, 0], "normal": [0, 0, 1],
                      "material": "rock")" +
                    floor + R"(}], "interfaces": [{"between": ["*", "*"], "normal": )" + law + "}]}");
  }
};

TEST(SteppedSimulation, GoesOnUnderAnotherDeckWhereItHadComeToRest) {
  const std::string stop = R"(, "stop": {"when": "at rest", "kinetic_energy": 1e-3})";
  Simulation first(BallOnFloor{.stop = stop}.model(), MPI_COMM_WORLD);
  take_steps(first, 1000);
  ASSERT_TRUE(first.at_rest());
  const Snapshot rest = first.save();
  EXPECT_TRUE(first.finished());
  Simulation endless(BallOnFloor{}.model(), MPI_COMM_WORLD);
  endless.restore(rest);
  EXPECT_FALSE(endless.finished());
  EXPECT_FALSE(endless.report().rest.wanted);
  take_steps(endless, 9);
  EXPECT_NEAR(endless.time(), first.time() + 9e-3, 1e-12);
  Simulation moved(BallOnFloor{.stop = stop, .floor = R"(, "motion": {"velocity": [1, 0, 0]})"}.model(),
                   MPI_COMM_WORLD);
  moved.restore(rest);
  EXPECT_FALSE(moved.at_rest());
  take_steps(moved, 9);
  EXPECT_TRUE(moved.at_rest());
  EXPECT_EQ(moved.steps(), first.steps() + AtRest::kRestSteps);
  first.judge_rest_anew();
  EXPECT_FALSE(first.finished());
  first.step();
}

TEST(SteppedSimulation, RefusesAStateThatItsContactLawsDoNotAllowAndKeepsItsOwn) {
  Simulation overlaps(BallOnFloor{}.model(), MPI_COMM_WORLD);
  take_steps(overlaps, 20);
  const Snapshot snapshot = overlaps.save();
  Simulation barrier(
      BallOnFloor{.law = R"({"law": "barrier", "threshold": 1e-3, "stiffness": 1e9})", .height = "0.052"}
          .model(),
      MPI_COMM_WORLD);
  take_steps(barrier, 3);
  const Snapshot before = barrier.save();
  try {
    barrier.restore(snapshot);
    ADD_FAILURE() << "not refused";
  } catch (const std::invalid_argument& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("body \"low\" and boundary \"floor\": overlap of "));
  }
  EXPECT_TRUE(barrier.save() == before);
  barrier.step();
}

TEST(SteppedSimulation, AWallThatNoLongerMovesStaysAtRestWhereItWasLeft) {
  Simulation first(BallOnFloor{.floor = R"(, "motion": {"velocity": [0, 0, -0.1]})"}.model(), MPI_COMM_WORLD);
  take_steps(first, 10);
  Simulation other(BallOnFloor{}.model(), MPI_COMM_WORLD);
  other.restore(first.save());
  const Bodies& bodies = other.bodies();
  EXPECT_NEAR(boundary_motion(other.model(), 0, other.time(), &bodies).place(Vec3::Zero()).z(), -1e-3, 1e-12);
  EXPECT_EQ(bodies.state[static_cast<std::size_t>(bodies.moving())].v, Vec3(Vec3::Zero()));
}

TEST(SteppedSimulation, MeetsWhatTheDeckSwitchesAlsoWhereAStepHadBegun) {
  Simulation always(BallOnFloor{}.model(), MPI_COMM_WORLD);
  take_steps(always, 50);
  (void)always.largest_step();  // what happens between two steps has happened
  Simulation gone(BallOnFloor{.floor = R"(, "active": [0, 0.03])"}.model(), MPI_COMM_WORLD);
  gone.restore(always.save());
  EXPECT_EQ(gone.step().outcome, StepOutcome::converged);
  EXPECT_NEAR(gone.time(), 0.051, 1e-12);
  EXPECT_EQ(gone.contact_totals().contacts, 0);
  // It falls from the start of the step on; before, it is at rest.
  const double fallen = 0.5 * 2000 * 4.0 / 3.0 * M_PI * 1.25e-4 * 9.81e-3 * 9.81e-3;
  EXPECT_NEAR(gone.energy().kinetic(), fallen, 0.3 * fallen);
}

TEST(SteppedSimulation, RefusesAStateOfOtherCoupledSurfaces) {
  const auto plate = [](const std::string& mesh) {
    return model_of(R"({"time": {"end": 1, "step": 1e-3}, "integrator": {"type": "newmark"},
      "materials": {"rock": {"density": 2000}}, "shapes": {"ball": {"type": "sphere", "radius": 0.05}},
      "bodies": [{"shape": "ball", "material": "rock", "position": [0.3, 0.2, 0.1]}],
      "boundaries": [{"name": "plate", "type": "surface", "material": "rock", )" +
                    mesh + R"(}], "interfaces": [{"between": ["*", "*"], "normal": )" + kSoft + "}]}");
  };
  const std::string square = R"("vertices": [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0])";
  const std::string two = square + R"(], "faces": [[0, 1, 2], [0, 2, 3]])";
  const std::string coupled = R"(, "motion": "coupled")";
  Simulation first(plate(two + coupled), MPI_COMM_WORLD);
  Simulation rigid(plate(two), MPI_COMM_WORLD);
  Simulation finer(plate(square + R"(, [2, 0, 0]], "faces": [[0, 1, 2], [0, 2, 3], [1, 4, 2]])" + coupled),
                   MPI_COMM_WORLD);
  const auto refusal = [](Simulation& other, const Snapshot& snapshot) -> std::string {
    const Snapshot before = other.save();
    try {
      other.restore(snapshot);
    } catch (const std::invalid_argument& error) {
      EXPECT_TRUE(other.save() == before);
      other.step();
      return error.what();
    }
    return "";
  };
  EXPECT_THAT(refusal(rigid, first.save()), testing::HasSubstr("1 coupled boundaries; expected 0"));
  EXPECT_THAT(refusal(first, rigid.save()), testing::HasSubstr("0 coupled boundaries; expected 1"));
  EXPECT_THAT(refusal(finer, first.save()), testing::HasSubstr("\"plate\" has 4 vertices; expected 5"));
}

TEST(SteppedSimulation, EndsAStepWhereItIsTold) {
  Simulation simulation(model_of("box_of_blocks.json"), MPI_COMM_WORLD);
  const double until = 0.0123456;
  int steps = 0;
  for (; simulation.time() < until * (1 - 1e-12); ++steps) simulation.step(until);
  EXPECT_NEAR(simulation.time(), until, 1e-12 * until);
  EXPECT_GT(steps, 1);
  EXPECT_THROW(simulation.step(until), std::invalid_argument);
  EXPECT_THROW(simulation.step(std::numeric_limits<double>::quiet_NaN()), std::invalid_argument);
}

TEST(SteppedSimulation, TakesAnAttemptBack) {
  Simulation simulation(model_of("box_of_blocks.json"), MPI_COMM_WORLD);
  take_steps(simulation, 5);
  (void)simulation.save();
  const std::vector<std::byte> start = bodies_of(simulation);
  EXPECT_FALSE(simulation.attempted());
  ASSERT_EQ(simulation.solve(1e-4).outcome, StepOutcome::converged);
  EXPECT_TRUE(simulation.attempted());
  simulation.reject();
  EXPECT_FALSE(simulation.attempted());
  EXPECT_THROW(simulation.accept(), std::logic_error);
  EXPECT_EQ(bodies_of(simulation), start);
}

TEST(SteppedSimulation, SolvesAsIfNothingHadBeenRejected) {
  // Superquadrics: the search for the nearest points begins with normals of the accepted state.
  constexpr double kStep = 5e-5;
  Simulation tried(model_of("tablets.json"), MPI_COMM_WORLD);
  Simulation other(model_of("tablets.json"), MPI_COMM_WORLD);
  for (Simulation* simulation : {&tried, &other}) take_steps(*simulation, 150);
  ASSERT_EQ(bodies_of(tried), bodies_of(other));
  ASSERT_EQ(tried.solve(2 * kStep).outcome, StepOutcome::converged);
  tried.reject();
  for (Simulation* simulation : {&tried, &other}) {
    ASSERT_EQ(simulation->solve(kStep).outcome, StepOutcome::converged);
    simulation->accept();
  }
  EXPECT_EQ(bodies_of(tried), bodies_of(other));
}

TEST(SteppedSimulation, GoesOnInACopyOfStatesThatItGaveAway) {
  Simulation simulation(model_of("box_of_blocks.json"), MPI_COMM_WORLD);
  Simulation other(model_of("box_of_blocks.json"), MPI_COMM_WORLD);
  for (int k = 0; k < 20; ++k) {
    const BodyState* before = simulation.bodies().state.data();
    const std::vector<BodyState> given = simulation.release_states();
    EXPECT_EQ(given.data(), before);
    EXPECT_NE(simulation.bodies().state.data(), before);
    simulation.step();
    other.step();
  }
  EXPECT_TRUE(simulation.save() == other.save());
}

TEST(SteppedSimulation, TellsWhatItHasComeToWithoutAView) {
  Simulation simulation(model_of("hopper.json"), MPI_COMM_WORLD);
  take_steps(simulation, 3);
  EXPECT_EQ(simulation.report().steps, 3);
}

}  // namespace
}  // namespace scree

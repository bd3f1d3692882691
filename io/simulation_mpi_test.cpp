/// Stepping, saving and restoring: the decks of inputs/, which have every analysis, kind of body and
/// boundary.
#include "solvers/simulation.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <ostream>
#include <stdexcept>
#include <string>

#include "io/deck.hpp"
#include "solvers/time_loop.hpp"

namespace scree {
namespace {

struct Case {
  const char* name;
  const char* deck;
  int before;  ///< steps before the state that is saved
  int steps;   ///< that are taken twice
};

std::ostream& operator<<(std::ostream& stream, const Case& one) { return stream << one.name; }

std::shared_ptr<Model> model_of(const std::string& deck) {
  const std::filesystem::path file = std::filesystem::path(SCREE_SOURCE_DIR) / "inputs" / deck;
  return std::make_shared<Model>(read_deck(file).model);
}

void take_steps(Simulation& simulation, int count) {
  for (int k = 0; k < count && !simulation.finished(); ++k) simulation.step();
}

class SavedState : public testing::TestWithParam<Case> {};

TEST_P(SavedState, GivesTheSameBitsAgainInPlaceTwiceAndAfterOtherSteps) {
  const Case& one = GetParam();
  Simulation simulation(model_of(one.deck), MPI_COMM_WORLD);
  take_steps(simulation, one.before);
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

TEST_P(SavedState, IsTheSameInAnotherSimulation) {
  const Case& one = GetParam();
  const std::shared_ptr<Model> model = model_of(one.deck);
  Simulation first(model, MPI_COMM_WORLD);
  take_steps(first, one.before);
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
  take_steps(simulation, one.before);
  const Snapshot start = simulation.save();
  const double h = std::min(simulation.largest_step(), 0.5 * simulation.model().time.step);
  const StepReport attempt = simulation.solve(h);
  EXPECT_EQ(attempt.outcome, StepOutcome::converged) << attempt.cause;
  EXPECT_TRUE(simulation.save() == start);
  (void)simulation.solve(0.7 * h);
  simulation.restore(start);
  EXPECT_EQ(simulation.solve(h).outcome, StepOutcome::converged);
  simulation.accept();
  const Snapshot once = simulation.save();
  simulation.restore(start);
  EXPECT_EQ(simulation.solve(h).outcome, StepOutcome::converged);
  simulation.accept();
  EXPECT_TRUE(simulation.save() == once);
  EXPECT_GT(simulation.time(), 0);
}

INSTANTIATE_TEST_SUITE_P(Decks, SavedState,
                         testing::Values(Case{"cubes_in_a_box", "box_of_blocks.json", 500, 40},
                                         Case{"inlet_and_outlet", "hopper.json", 400, 60},
                                         Case{"periodic", "inclined_flow.json", 100, 20},
                                         Case{"drum", "rotating_drum.json", 60, 20},
                                         Case{"superquadrics", "tablets.json", 60, 10},
                                         Case{"contact_dynamics", "beam_on_three_supports.json", 2, 3},
                                         Case{"slope", "block_on_slope.json", 100, 40},
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
  EXPECT_THROW(one.restore(start), std::out_of_range);
}

}  // namespace
}  // namespace scree

/// Runs that are interrupted: the last state is one that was accepted, on all ranks the same.
#include <gtest/gtest.h>

#include <chrono>
#include <exception>
#include <memory>
#include <thread>
#include <utility>

#include "assembly/test_ranks.hpp"
#include "core/interrupt.hpp"
#include "elements/integrators/trapezoidal.hpp"
#include "solvers/simulation.hpp"
#include "solvers/test_runs.hpp"

namespace scree {
namespace {

using contact_dynamics::LcpMethod;
using ranks::rank_count;
using ranks::this_rank;
using test::add_cube;
using test::cubes_on_floor;

/// Keeps the last two states that it was shown, and asks one rank to stop at a moment in the step after the
/// n-th.
class Interrupter : public Observer {
 public:
  Interrupter(int rank, long after, std::chrono::microseconds delay)
      : rank_(rank), after_(after), delay_(delay) {}
  ~Interrupter() override {
    if (thread_.joinable()) thread_.join();
    clear_interrupt();
  }
  Interrupter(const Interrupter&) = delete;
  Interrupter& operator=(const Interrupter&) = delete;

  void accepted(const AcceptedState& state) override {
    before = std::move(last);
    last = test_runs::all_states(state, MPI_COMM_WORLD);
    time_before = time;
    time = state.time;
    told_as_last += state.last ? 1 : 0;
    said_interrupted = state.interrupted;
    if (state.step_number != after_ || state.last || rank_ != this_rank()) return;
    if (thread_.joinable()) thread_.join();
    thread_ = std::thread([delay = delay_] {
      std::this_thread::sleep_for(delay);
      request_interrupt();
    });
  }
  std::vector<double> last, before;
  double time = -1, time_before = -1;
  int told_as_last = 0;
  bool said_interrupted = false;

 private:
  int rank_;
  long after_;
  std::chrono::microseconds delay_;
  std::thread thread_;
};

/// Cubes one above the other, no two in a line.
Model heap(int count) {
  Model model = cubes_on_floor(0.3, 0.3);
  for (int k = 0; k < count; ++k) add_cube(model, {0.02 * (k % 3), 0.02 * (k % 2), 0.052 + 0.102 * k});
  model.time.step = 1e-3;
  model.time.end = 1000;
  return model;
}

void expect_last_accepted(const Model& model) {
  for (const int rank : {0, rank_count() - 1}) {
    for (const int delay : {0, 300, 2000, 9000}) {
      Interrupter interrupter(rank, 2, std::chrono::microseconds(delay));
      const RunReport report = run(model, {&interrupter}, MPI_COMM_WORLD);
      EXPECT_TRUE(report.interrupted);
      EXPECT_EQ(interrupter.told_as_last, 1);
      EXPECT_TRUE(interrupter.said_interrupted);
      EXPECT_EQ(report.time, interrupter.time);
      // The state is the one that was accepted before: of the step under way nothing is left.
      EXPECT_EQ(interrupter.time, interrupter.time_before);
      EXPECT_EQ(interrupter.last, interrupter.before);
    }
  }
}

TEST(InterruptedRun, EndsInTheLastAcceptedState) { expect_last_accepted(heap(8)); }

TEST(InterruptedRun, OfAFixedPointIterationToo) {
  Model model = test_runs::falling_balls(0);
  model.integrator = std::make_shared<elements::Trapezoidal>(0.5);
  model.solver.nonlinear = NonlinearChoice::fixed_point;
  model.time.end = 1000;
  expect_last_accepted(model);
}

TEST(InterruptedRun, OfALoadStepToo) {
  Model model = heap(8);
  model.analysis = Analysis::quasi_static;
  model.time.step = 1;
  expect_last_accepted(model);
}

TEST(InterruptedRun, OfContactDynamicsToo) {
  Model model = heap(8);
  model.analysis = Analysis::contact_dynamics;
  model.interfaces[0].normal = contact::RigidParameters{0, 1, 1};
  model.interfaces[0].friction = {};
  model.solver.lcp_tolerance = 1e-12;
  for (const LcpMethod method :
       {LcpMethod::apgd, LcpMethod::pgs, LcpMethod::newton, LcpMethod::bncg, LcpMethod::tron}) {
    model.solver.lcp = method;
    expect_last_accepted(model);
  }
  model.solver.method = RigidMethod::one_step;
  expect_last_accepted(model);
}

/// Like a writer: interrupted at the first state, it leaves an incomplete one.
class StopsAtTheFirst : public Observer {
 public:
  void accepted(const AcceptedState& state) override {
    told.push_back(state.time);
    if (!state.first) return;
    request_interrupt();
    throw Interrupted();
  }
  void finished(const RunReport& report) override { interrupted = report.interrupted; }
  std::vector<double> told;
  bool interrupted = false;
};

TEST(InterruptedRun, BeforeTheFirstStateTellsNothing) {
  request_interrupt();
  StopsAtTheFirst observer;
  EXPECT_THROW(run(heap(2), {&observer}, MPI_COMM_WORLD), Interrupted);
  EXPECT_TRUE(observer.told.empty());
  clear_interrupt();
}

TEST(InterruptedRun, WithinTheFirstStateTellsItAsTheLast) {
  StopsAtTheFirst observer;
  EXPECT_TRUE(run(heap(2), {&observer}, MPI_COMM_WORLD).interrupted);
  EXPECT_EQ(observer.told, (std::vector<double>{0, 0}));
  EXPECT_TRUE(observer.interrupted);
  clear_interrupt();
}

std::shared_ptr<const Model> four_cubes(double last) {
  Model model = cubes_on_floor(0.3, 0.3);
  for (int k = 0; k < 4; ++k) add_cube(model, {0.3 * k, 0, 0.06});
  model.bodies.back().mass *= last;
  model.time.end = 1;
  model.time.step = 1e-3;
  return std::make_shared<const Model>(std::move(model));
}

TEST(InterruptedCall, ASimulationIsThereAfterARequestToStopDuringSave) {
  Simulation simulation(four_cubes(1), MPI_COMM_WORLD);
  simulation.step();
  request_interrupt();
  const Snapshot saved = simulation.save();
  clear_interrupt();
  simulation.step();
  simulation.restore(saved);
  EXPECT_EQ(simulation.steps(), 1);
}

/// The last body is on one rank: the others waited for ever.
TEST(InterruptedCall, ASnapshotOfOtherBodiesIsRefusedOnAllRanks) {
  Simulation one(four_cubes(1), MPI_COMM_WORLD);
  Simulation other(four_cubes(2), MPI_COMM_WORLD);
  const Snapshot start = other.save();
  bool refused = false;
  try {
    one.restore(start);
  } catch (const std::exception&) {  // std::invalid_argument where the body is
    refused = true;
  }
  EXPECT_TRUE(refused);
  one.step();
}

}  // namespace
}  // namespace scree

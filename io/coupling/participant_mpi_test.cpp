/// Coupled runs: motion of surfaces in, forces out, steps that are repeated.
#include "io/coupling/participant.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "core/archive.hpp"
#include "core/interrupt.hpp"
#include "core/test_extremes.hpp"
#include "io/coupling/test_coupling.hpp"
#include "io/deck/deck_fixture.hpp"
#include "io/output/history_writer.hpp"

namespace scree::coupling {
namespace {

Vec3 weight_moment(const Simulation& simulation, int count, double mass) {
  const std::vector<Vec3> bodies = bodies_of(simulation, count);
  Vec3 moment = Vec3::Zero();
  for (int i = 0; i < count; ++i)
    moment += bodies[3 * static_cast<std::size_t>(i)].cross(Vec3(0, 0, -9.81 * mass));
  return moment;
}

TEST(Participant, BalancesTheWeightOfABodyAtRestOnADeformedSurface) {
  const Sheet sheet(8);
  std::string text = deck(
      R"("normal": {"law": "barrier", "threshold": 1e-3, "stiffness": 1e9}, "friction": {"static": 0.8, "dynamic": 0.8, "stiffness": 1e5})",
      kBlock, R"({"shape": "block", "material": "rock", "position": [0.012, -0.007, 0.0405],
                       "orientation": {"axis": [0, 0, 1], "angle_deg": 17}})",
      sheet.text() + R"(, "motion": "coupled")", "", 1, R"({"initial": 0.02, "min": 1e-6, "max": 0.02})");
  text.insert(1, R"("analysis": "quasi-static", )");
  Participant coupled = participant(text);
  const Surface plate = coupled.add_surface("plate");
  coupled.initialize();
  const double mass = 2500 * 0.1 * 0.12 * 0.08;
  const std::vector<double>& x = coupled.mesh(plate).reference;
  for (int k = 1; k <= 5; ++k) {
    std::vector<double> u;  // it tilts, bulges and is stretched
    for (std::size_t i = 0; i < x.size(); i += 3) {
      u.push_back(0.02 * k * x[i] * x[i]);
      u.push_back(0.01 * k * x[i]);
      u.push_back(k * (0.004 * x[i] + 0.02 * (x[i] * x[i] - 0.7 * x[i + 1] * x[i + 1])));
    }
    coupled.set_motion(plate, u);
    const StepReport report = coupled.solve_step(0.02);
    ASSERT_TRUE(report.converged()) << report.message;
    coupled.accept();
    const Wrench sum = coupled.resultant(plate);
    std::vector<double> f(x.size()), t(x.size());
    coupled.forces(plate, f);
    coupled.tractions(plate, t);
    const std::vector<double> at = coupled.positions(plate);
    std::vector<double> area(x.size() / 3, 0.0);
    const std::vector<int>& corners = coupled.mesh(plate).triangles;
    for (std::size_t c = 0; c < corners.size(); c += 3) {
      const auto place = [&](std::size_t i) {
        return Vec3(&at[3 * static_cast<std::size_t>(corners[c + i])]);
      };
      const double whole = 0.5 * (place(1) - place(0)).cross(place(2) - place(0)).norm();
      for (std::size_t i = 0; i < 3; ++i) area[static_cast<std::size_t>(corners[c + i])] += whole / 3;
    }
    for (std::size_t i = 0; i < f.size(); ++i) EXPECT_NEAR(t[i] * area[i / 3], f[i], 1e-12 * 9.81 * mass);
    EXPECT_LT((sum.force - Vec3(0, 0, -9.81 * mass)).norm(), 1e-10 * 9.81 * mass) << k;
    EXPECT_LT((sum.moment - weight_moment(coupled.simulation(), 1, mass)).norm(), 1e-10 * 9.81 * mass) << k;
  }
}

TEST(Participant, ClosesTheEnergyBalanceOfASurfaceThatBreathesUnderBodies) {
  if (ranks() > 1) GTEST_SKIP() << "the same on any number of ranks, and long";
  const Sheet sheet(6, 0.01);
  double errors[2] = {};
  double works[2] = {};
  for (const int fine : {0, 1}) {
    const std::string step = fine == 0 ? "4e-5" : "1e-5";
    Participant coupled =
        participant(deck(kHooke, kBall, kTwoBalls, sheet.text() + R"(, "motion": "coupled")", "", 1, step));
    const Surface plate = coupled.add_surface("plate");
    coupled.initialize();
    const auto& reference = coupled.mesh(plate).reference;
    for (int k = 1; k <= 60; ++k) {
      coupled.set_motion(plate, waves(reference, 2e-3 * k, 0.003));
      const StepReport report = coupled.solve_step(2e-3);
      ASSERT_TRUE(report.converged()) << report.message;
      coupled.accept();
    }
    const EnergyLedger& energy = coupled.simulation().energy();
    test::keep_largest(errors[fine], {energy.largest_error, -energy.smallest_error});
    works[fine] = std::abs(energy.work_of_boundaries);
    EXPECT_LT(errors[fine], 1e-2 * energy.reference) << step;
  }
  EXPECT_GT(works[0], 20 * errors[0]) << works[0] << " J, error " << errors[0] << " J";
  EXPECT_LT(errors[1], 0.5 * errors[0]);
}

TEST(Participant, GivesTheMomentumThatBodiesLoseAsMeanForces) {
  const Sheet sheet(4);
  Participant coupled = participant(
      deck(
          kHooke, kBall,
          R"({"shape": "ball", "material": "rock", "position": [0.01, 0.02, 0.0502], "velocity": [0.2, 0, -1]})",
          sheet.text() + R"(, "motion": "coupled")"),
      {.force = ForceOf::mean, .write_outputs = false});
  const Surface plate = coupled.add_surface("plate");
  coupled.initialize();
  const double mass = 2500 * 4.0 / 3.0 * M_PI * 0.05 * 0.05 * 0.05;
  Vec3 given = Vec3::Zero();
  const Vec3 first = bodies_of(coupled.simulation(), 1)[1];
  constexpr double kDt = 2e-3;
  for (int k = 0; k < 20; ++k) {
    ASSERT_TRUE(coupled.solve_step(kDt).converged());
    coupled.accept();
    given += kDt * coupled.resultant(plate).force;
  }
  const Vec3 lost = mass * (first - bodies_of(coupled.simulation(), 1)[1] + 20 * kDt * Vec3(0, 0, -9.81));
  EXPECT_GT(lost.norm(), mass);
  EXPECT_LT((given - lost).norm(), 1e-9 * lost.norm());
}

/// In each coupled step, of several time steps, also where the contact begins or ends within it.
TEST(Participant, GivesTheMomentumOfEachStepWhateverTheWeightsOfTheIntegrator) {
  if (ranks() > 1) GTEST_SKIP() << "one body";
  const Sheet sheet(4);
  for (const char* integrator :
       {R"("newmark", "beta": 0.3, "gamma": 0.5)", R"("newmark", "beta": 0.5, "gamma": 0.8)",
        R"("trapezoidal", "phi": 0.5)", R"("trapezoidal", "phi": 1)", R"("energy")"}) {
    std::string text = deck(
        kHooke, kBall,
        R"({"shape": "ball", "material": "rock", "position": [0.01, 0.02, 0.0502], "velocity": [0.2, 0, -1]})",
        sheet.text() + R"(, "motion": "coupled")", "", 1, "2e-4");
    text.replace(text.find(R"("newmark")"), 9, integrator);
    Participant coupled = participant(text, {.force = ForceOf::mean, .write_outputs = false});
    const Surface plate = coupled.add_surface("plate");
    coupled.initialize();
    const double mass = 2500 * 4.0 / 3.0 * M_PI * 0.05 * 0.05 * 0.05;
    constexpr double kDt = 1e-3;
    Vec3 before = bodies_of(coupled.simulation(), 1)[1];
    double worst = 0, largest = 0;
    for (int k = 0; k < 12; ++k) {
      ASSERT_TRUE(coupled.solve_step(kDt).converged());
      coupled.accept();
      const Vec3 after = bodies_of(coupled.simulation(), 1)[1];
      const Vec3 lost = mass * (before - after + kDt * Vec3(0, 0, -9.81));
      test::keep_largest(worst, (kDt * coupled.resultant(plate).force - lost).norm());
      test::keep_largest(largest, lost.norm());
      before = after;
    }
    EXPECT_GT(largest, 0.1 * mass) << integrator;
    EXPECT_LT(worst, 1e-9 * largest) << integrator;
  }
}

TEST(Participant, GivesTheMomentumOfAStepInWhichASurfaceStartsToMove) {
  if (ranks() > 1) GTEST_SKIP() << "one body";
  const Sheet sheet(4);
  Participant coupled = participant(
      deck(kHooke, kBall, R"({"shape": "ball", "material": "rock", "position": [0.06, 0.05, 0.0495]})",
           sheet.text() + R"(, "motion": "coupled")", "", 1, "2e-4"),
      {.force = ForceOf::mean, .write_outputs = false});
  const Surface plate = coupled.add_surface("plate");
  coupled.initialize();
  std::vector<double> u(coupled.mesh(plate).reference.size(), 0.0);
  for (std::size_t k = 2; k < u.size(); k += 3) u[k] = 1e-3;  // its dashpots act at once
  coupled.set_motion(plate, u);
  constexpr double kDt = 1e-3;
  ASSERT_TRUE(coupled.solve_step(kDt).converged());
  coupled.accept();
  const double mass = 2500 * 4.0 / 3.0 * M_PI * 0.05 * 0.05 * 0.05;
  const Vec3 lost = mass * (kDt * Vec3(0, 0, -9.81) - bodies_of(coupled.simulation(), 1)[1]);
  EXPECT_GT(lost.norm(), 0.05 * mass);
  EXPECT_LT((kDt * coupled.resultant(plate).force - lost).norm(), 1e-9 * lost.norm());
}

TEST(Participant, GoesOnWithoutBodies) {
  const Sheet sheet(4);
  Participant coupled = participant(
      deck(kHooke, kBall, R"({"shape": "ball", "material": "rock", "position": [2, 0, 0.3]})",
           sheet.text() + R"(, "motion": "coupled")",
           R"(, "outlets": [{"name": "drain", "region": {"min": [1, -1, 0], "max": [3, 1, 0.29]}}])"));
  const Surface plate = coupled.add_surface("plate");
  coupled.initialize();
  const std::vector<double>& reference = coupled.mesh(plate).reference;
  for (int k = 1; k <= 5; ++k) {
    coupled.set_motion(plate, waves(reference, 0.02 * k, 0.004));
    const StepReport report = coupled.solve_step(0.02);
    ASSERT_TRUE(report.converged()) << report.message;
    EXPECT_NEAR(coupled.simulation().time(), 0.02 * k, 1e-12);
    coupled.accept();
    EXPECT_NEAR(coupled.max_step(), 1 - 0.02 * k, 1e-12);
  }
  EXPECT_EQ(coupled.simulation().view(false, false).population->bodies, 0);
  const std::vector<double> u = waves(reference, 0.1, 0.004), x = coupled.positions(plate);
  for (std::size_t k = 0; k < x.size(); ++k) EXPECT_NEAR(x[k], reference[k] + u[k], 1e-15);
  ASSERT_TRUE(coupled.solve_step(coupled.max_step()).converged());
  coupled.accept();
  EXPECT_EQ(coupled.time(), coupled.end_time());
  EXPECT_EQ(coupled.max_step(), 0);
}

TEST(Participant, EndsAtTheEndTimeWhereTheSumOfTheStepsIsARoundOffShort) {
  const Sheet sheet(2);
  Participant coupled =
      participant(deck(kHooke, kBall, R"({"shape": "ball", "material": "rock", "position": [0, 0, 50]})",
                       sheet.text() + R"(, "motion": "coupled")", "", 1, "0.1"));
  const Surface plate = coupled.add_surface("plate");
  coupled.initialize();
  int count = 0;
  for (; coupled.max_step() > 0 && count < 20; ++count) {
    coupled.set_motion(plate, std::vector<double>(coupled.mesh(plate).reference.size(), 0.0));
    ASSERT_TRUE(coupled.solve_step(std::min(0.1, coupled.max_step())).converged());
    coupled.accept();
    EXPECT_THROW(coupled.solve_step(1e-17), std::invalid_argument);  // nothing would be solved
  }
  EXPECT_EQ(count, 10);
  EXPECT_EQ(coupled.time(), coupled.end_time());
}

TEST(Participant, IsInitialisedAgainAfterARequestToStop) {
  if (ranks() > 1) GTEST_SKIP() << "the same on any number of ranks";
  const test::Folder folder;
  Deck read = read_deck_text(deck(kHooke, kBall, kTwoBalls, Sheet(2).text() + R"(, "motion": "coupled")",
                                  R"(, "output": {"directory": ")" + folder.path().string() + R"("})"),
                             folder.path() / "deck.json");
  Participant coupled(std::make_shared<Model>(std::move(read.model)), MPI_COMM_WORLD);
  request_interrupt();
  EXPECT_THROW(coupled.initialize(), Interrupted);
  clear_interrupt();
  coupled.initialize();
  ASSERT_TRUE(coupled.solve_step(1e-3).converged());
  coupled.accept();
  coupled.finish();
  EXPECT_NEAR(coupled.time(), 1e-3, 1e-15);
  EXPECT_FALSE(std::filesystem::exists(folder.path() / "last_state.csv"));  // of runs that failed
}

TEST(Participant, IsCompleteBeforeTheEndTimeUnlessTheStepOrTheDriverFailed) {
  if (ranks() > 1) GTEST_SKIP() << "the same on any number of ranks";
  for (const std::string end : {"finish", "destructor", "replaced", "exception", "failed step",
                                "interrupted accept", "interrupted tangent"}) {
    const test::Folder folder;
    try {
      Participant coupled = Participant::from_text(
          deck(kBarrier, kBall, kTwoBalls, Sheet(2).text() + R"(, "motion": "coupled")",
               R"(, "output": {"final_state": "final.csv", "directory": ")" +
                   (folder.path() / "results").string() + R"("})"),
          folder.path() / "deck.json", MPI_COMM_WORLD);
      const Surface plate = coupled.add_surface("plate");
      coupled.initialize();
      ASSERT_TRUE(coupled.solve_step(1e-3).converged());
      coupled.accept();
      if (end == "exception") throw std::runtime_error("of the partner");
      std::vector<double> u(coupled.mesh(plate).reference.size(), 0.0);
      u[0] = std::numeric_limits<double>::quiet_NaN();
      if (end == "failed step") {
        coupled.set_motion(plate, u);
        EXPECT_THROW((void)coupled.solve_step(1e-3), InputError);
      }
      if (end.starts_with("interrupted")) {
        ASSERT_TRUE(coupled.solve_step(1e-3).converged());
        u[0] = 1;
        std::vector<double> df(u.size());
        request_interrupt();
        if (end == "interrupted accept") {
          EXPECT_THROW(coupled.accept(), Interrupted);
        } else {
          EXPECT_THROW(coupled.apply_tangent(plate, u, df), Interrupted);
        }
        clear_interrupt();
      }
      if (end == "replaced") {
        coupled = participant(deck(kBarrier, kBall, kTwoBalls, Sheet(2).text() + R"(, "motion": "coupled")"));
      }
      if (end != "destructor") coupled.finish();
    } catch (const std::runtime_error&) {
    }
    const bool is_whole = end == "finish" || end == "destructor" || end == "replaced";
    const std::filesystem::path results = folder.path() / "results";
    EXPECT_EQ(std::filesystem::exists(results / "final.csv"), is_whole) << end;
    EXPECT_EQ(std::filesystem::exists(results / "last_state.csv"), !is_whole) << end;
    EXPECT_TRUE(std::filesystem::exists(results / "report.json")) << end;
  }
}

TEST(Participant, ShowsTheMeanOfASurfaceOverItsAreaAsItsPlace) {
  const Sheet sheet(4);
  Participant coupled =
      participant(deck(kHooke, kBall, kTwoBalls, sheet.text() + R"(, "motion": "coupled")"));
  const Surface plate = coupled.add_surface("plate");
  coupled.initialize();
  const std::vector<double>& x = coupled.mesh(plate).reference;
  std::vector<double> u(x.size(), 0.0);
  for (std::size_t k = 0; k < x.size();
       k += 3) {  // one half becomes longer, so that vertices weigh more there
    u[k] = x[k] > 0 ? 0.01 * x[k] : 0;
    u[k + 2] = -2e-3;
  }
  coupled.set_motion(plate, u);
  ASSERT_TRUE(coupled.solve_step(1e-3).converged());
  coupled.accept();
  const auto [place, velocity] = mean_of_surface(coupled.simulation().view(false, false), 0);
  const double right = 0.5 * 1.01;
  EXPECT_LT((place - Vec3(0.5 * (right * right - 0.25) / (right + 0.5), 0, -2e-3)).norm(), 1e-12);
  EXPECT_NEAR(velocity.z(), -2, 1e-9);
}

TEST(Participant, AppliesTheDerivativeOfForcesByTheMotion) {
  // A ball that is pressed: contact of stiffness k in series with inertia m / (beta h^2).
  const Sheet sheet(4);
  Participant coupled =
      participant(deck(R"("normal": {"law": "hooke", "stiffness": 2e5})", kBall,
                       R"({"shape": "ball", "material": "rock", "position": [0.06, 0.05, 0.0495]})",
                       sheet.text() + R"(, "motion": "coupled")", "", 1, "1e-3"));
  const Surface plate = coupled.add_surface("plate");
  coupled.initialize();
  std::vector<double> du(coupled.mesh(plate).reference.size(), 0.0), df(du.size()), before(du.size()),
      after(du.size());
  for (std::size_t k = 2; k < du.size(); k += 3) du[k] = 3;
  EXPECT_THROW(coupled.apply_tangent(plate, du, df), std::logic_error);
  ASSERT_TRUE(coupled.solve_step(1e-3).converged());
  coupled.forces(plate, before);
  coupled.apply_tangent(plate, du, df);
  coupled.forces(plate, after);
  EXPECT_EQ(before, after);
  std::vector<double> broken = du;
  broken[4] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(coupled.apply_tangent(plate, broken, after), std::domain_error);
  // A wrong size on one rank is an error on all, and changes nothing.
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  std::vector<double> few(rank == 0 ? 3 : du.size());
  EXPECT_THROW(coupled.apply_tangent(plate, few, after), std::invalid_argument);
  EXPECT_THROW(coupled.apply_tangent(plate, du, few), std::invalid_argument);
  // A difference that folds the surface: the step that waits is still there.
  std::vector<double> folded(du.size(), 0.0);
  folded[36] = 1;  // of vertex 12
  EXPECT_THROW(coupled.apply_tangent(plate, folded, after, 0.25), InputError);
  coupled.forces(plate, after);
  EXPECT_EQ(before, after);
  double sum = 0;
  for (std::size_t k = 2; k < df.size(); k += 3) sum += df[k];
  const double mass = 2500 * 4.0 / 3.0 * M_PI * 0.05 * 0.05 * 0.05;
  const double stiffness = 1 / (1 / 2e5 + 0.3 * 1e-6 / mass);
  EXPECT_NEAR(sum, -3 * stiffness, 1e-5 * 3 * stiffness);
  // Of a motion with which nothing was solved there is no derivative.
  coupled.set_motion(plate, std::vector<double>(du.size(), 0.0));
  EXPECT_THROW(coupled.apply_tangent(plate, du, after), std::logic_error);
  ASSERT_TRUE(coupled.solve_step(1e-3).converged());
  EXPECT_NO_THROW(coupled.apply_tangent(plate, du, after));
  coupled.accept();
  EXPECT_NEAR(coupled.time(), 1e-3, 1e-15);
}

TEST(Participant, RefusesStepsThatDifferBetweenRanks) {
  if (ranks() == 1) GTEST_SKIP() << "needs two ranks";
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  Participant coupled =
      participant(deck(kHooke, kBall, kTwoBalls, Sheet(2).text() + R"(, "motion": "coupled")"));
  (void)coupled.add_surface("plate");
  coupled.initialize();
  ASSERT_TRUE(coupled.solve_step(1e-3).converged());
  coupled.accept();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const double other : {2e-3, 1e-3 + 1e-18, 0.0, nan})
    EXPECT_THROW(coupled.solve_step(rank == 0 ? other : 1e-3), std::invalid_argument) << other;
  ASSERT_TRUE(coupled.solve_step(1e-3).converged());
  coupled.accept();
  EXPECT_NEAR(coupled.time(), 2e-3, 1e-15);
  Simulation& simulation = coupled.simulation();
  for (const double other : {2e-3, 0.0, nan}) {
    EXPECT_THROW((void)simulation.solve(rank == 0 ? other : 1e-3), std::invalid_argument) << other;
    EXPECT_THROW(simulation.step(rank == 0 ? other : 1e-2), std::invalid_argument) << other;
  }
}

}  // namespace
}  // namespace scree::coupling

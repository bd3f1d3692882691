/// Whole coupled runs on any number of ranks: a run on one, energy under a pile, states that are saved where
/// the partner fails, and continued.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <filesystem>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "assembly/gather.hpp"
#include "core/archive.hpp"
#include "core/error.hpp"
#include "core/test_extremes.hpp"
#include "io/checkpoint/restart.hpp"
#include "io/coupling/accelerator.hpp"
#include "io/coupling/test_coupling.hpp"
#include "io/coupling/test_sprung_plate.hpp"
#include "io/deck/deck_fixture.hpp"

namespace scree::coupling {
namespace {

constexpr double kCoupledStep = 1e-3;  ///< [s]
constexpr double kGravity = 9.81;      ///< [m/s^2]

struct RunOnPlate {
  std::vector<double> way;   ///< of the plate, at the end of each step [m]
  std::vector<Vec3> bodies;  ///< bodies_of() at the end
  double force = 0;          ///< largest on the plate [N]
};

constexpr double kPlateTolerance = 1e-8;

/// Two balls fall on it at 1 m/s: one meets it after 4 ms, the other after 5 ms, when it moves.
RunOnPlate run_on_plate(MPI_Comm comm, int steps) {
  int count = 1;
  MPI_Comm_size(comm, &count);
  Participant bodies = Participant::from_text(
      deck(
          kHooke, kBall,
          R"({"shape": "ball", "material": "rock", "position": [0.03, 0.02, 0.0545], "velocity": [0.1, 0, -1]},
  {"shape": "ball", "material": "rock", "position": [-0.2, 0.1, 0.054], "velocity": [0.3, 0, -1]})",
          Sheet(4, 0.002).text() + R"(, "motion": "coupled")", "", 1, "5e-4"),
      std::filesystem::temp_directory_path() / "plate.json", comm, {.write_outputs = false});
  const Surface surface = bodies.add_surface("plate");
  bodies.initialize();
  const std::size_t numbers = bodies.mesh(surface).reference.size();
  Accelerator accelerator({}, comm, {1.0 / count});
  SprungPlate plate{.mass = 4};
  RunOnPlate run;
  double force = 0;
  std::vector<double> x(1);
  for (int k = 1; k <= steps; ++k) {
    x[0] = plate.solve(force, kCoupledStep);
    const CoupledStep step = iterate(accelerator, x,
                                     [&](std::span<const double> from, std::span<double> to) {
                                       std::vector<double> u(numbers, 0.0);
                                       for (std::size_t i = 2; i < numbers; i += 3) u[i] = from[0];
                                       bodies.set_motion(surface, u);
                                       EXPECT_TRUE(bodies.solve_step(kCoupledStep).converged()) << k;
                                       force = bodies.resultant(surface).force.z();
                                       to[0] = plate.solve(force, kCoupledStep);
                                     },
                                     {.relative = kPlateTolerance, .absolute = 1e-14});
    EXPECT_TRUE(step.converged) << k;
    bodies.accept();
    plate.accept(kCoupledStep);
    run.way.push_back(plate.u);
    test::keep_largest(run.force, std::abs(force));
  }
  run.bodies = bodies_of(bodies.simulation(), 2);
  return run;
}

TEST(CoupledRun, OnAllRanksAgreesWithThatOnOneToTheToleranceOfTheCoupling) {
  constexpr int kSteps = 12;
  const RunOnPlate all = run_on_plate(MPI_COMM_WORLD, kSteps);
  const RunOnPlate alone = run_on_plate(MPI_COMM_SELF, kSteps);
  double largest = 0, apart = 0;
  for (std::size_t k = 0; k < alone.way.size(); ++k) {
    test::keep_largest(largest, std::abs(alone.way[k]));
    test::keep_largest(apart, std::abs(all.way[k] - alone.way[k]));
  }
  // Both balls have been pushed back.
  for (const std::size_t ball : {0, 1})
    EXPECT_GT(all.bodies[3 * ball + 1].z(), -1 - kGravity * kSteps * kCoupledStep + 0.1) << ball;
  EXPECT_GT(all.force, 50);
  EXPECT_GT(largest, 1e-4);
  // Each step adds less than the tolerance; what was added before is carried on.
  EXPECT_LT(apart, 100 * kPlateTolerance * largest);
  EXPECT_LT(difference(all.bodies, alone.bodies), 1e-6);
}

class Repeats : public testing::TestWithParam<Scene> {};

TEST_P(Repeats, HaveTheSameBitsWhateverWasTriedInBetween) {
  const Sheet sheet(5, 0.02);
  Participant coupled = participant(deck_of(GetParam(), sheet.text() + R"(, "motion": "coupled")"));
  const Surface plate = coupled.add_surface("plate");
  coupled.initialize();
  const std::vector<double>& reference = coupled.mesh(plate).reference;
  const auto states = [&] {
    const Bodies& bodies = coupled.simulation().bodies();
    std::vector<std::byte> all =
        to_bytes(std::vector<BodyState>(bodies.state.begin(), bodies.state.begin() + bodies.owned));
    std::vector<double> f(reference.size());
    coupled.forces(plate, f);
    const std::vector<std::byte> forces = to_bytes(f);
    all.insert(all.end(), forces.begin(), forces.end());
    return all;
  };
  long friction = 0, others = 0;
  for (int k = 1; k <= (ranks() == 1 ? 60 : 36); ++k) {
    const Snapshot before = coupled.save();
    coupled.set_motion(plate, waves(reference, 1e-3 * k, 0.004));
    ASSERT_TRUE(coupled.solve_step(1e-3).converged());
    const auto first = states();
    coupled.set_motion(plate, waves(reference, 1e-3 * k + 2e-4, 0.004));  // another iterate
    ASSERT_TRUE(coupled.solve_step(1e-3).converged());
    if (!(states() == first)) ++others;
    coupled.restore(before);
    coupled.set_motion(plate, waves(reference, 1e-3 * k, 0.004));
    ASSERT_TRUE(coupled.solve_step(1e-3).converged());
    EXPECT_TRUE(states() == first) << "step " << k;
    coupled.set_motion(plate, waves(reference, 1e-3 * k, 0.004));
    ASSERT_TRUE(coupled.solve_step(1e-3).converged());
    EXPECT_TRUE(states() == first) << "step " << k;
    coupled.accept();
    EXPECT_NEAR(coupled.time(), 1e-3 * k, 1e-12);
    if (coupled.simulation().energy().friction_elastic > 0) ++friction;
  }
  EXPECT_GT(friction, 5);  // history was there to be lost
  EXPECT_GT(others, 5);
}

INSTANTIATE_TEST_SUITE_P(Coupled, Repeats,
                         testing::Values(Scene{"newmark", kBarrier, kBlock, kTwoBlocks},
                                         Scene{"energy", kBarrier, kBlock, kTwoBlocks, true},
                                         Scene{"hertz_tablets", kHertz, kTablet, kTwoTablets},
                                         Scene{"barrier_sharp", kBarrier, kSharp, kTwoSharp},
                                         Scene{"energy_ells", kBarrier, kEll, kTwoElls, true}),
                         [](const auto& one) { return std::string(one.param.name); });

/// Displacements of a sheet that swells and widens.
std::vector<double> breath(const std::vector<double>& reference, double t) {
  const double phase = std::sin(150 * t);
  std::vector<double> u;
  for (std::size_t k = 0; k < reference.size(); k += 3) {
    const double x = reference[k], y = reference[k + 1];
    for (const double c :
         {0.02 * phase * x, 0.02 * phase * y, 3e-3 * phase * std::cos(2 * x) * std::cos(2 * y)})
      u.push_back(c);
  }
  return u;
}

TEST(CoupledRun, ClosesTheEnergyBalanceOfASurfaceThatBreathesUnderAPile) {
  // Three balls beside each other, and one that falls between them from above and pushes them apart.
  const std::string pile =
      R"({"shape": "ball", "material": "rock", "position": [0.0789, 0.01, 0.0499]},
  {"shape": "ball", "material": "rock", "position": [-0.0094, 0.061, 0.0499]},
  {"shape": "ball", "material": "rock", "position": [-0.0094, -0.041, 0.0499]},
  {"shape": "ball", "material": "rock", "position": [0.02, 0.01, 0.1308], "velocity": [0, 0, -1]})";
  Participant coupled =
      participant(deck(kHooke, kBall, pile, Sheet(6).text() + R"(, "motion": "coupled")", "", 1, "5e-5"));
  const Surface plate = coupled.add_surface("plate");
  coupled.initialize();
  constexpr int kSteps = 14;
  double force = 0, work = 0;
  for (int k = 1; k <= kSteps; ++k) {
    coupled.set_motion(plate, breath(coupled.mesh(plate).reference, k * kCoupledStep));
    const StepReport report = coupled.solve_step(kCoupledStep);
    ASSERT_TRUE(report.converged()) << report.message;
    coupled.accept();
    test::keep_largest(force, -coupled.resultant(plate).force.z());
    test::keep_largest(work, std::abs(coupled.simulation().energy().work_of_boundaries));
  }
  EXPECT_GT(force, 100);
  // The others have stopped the one that fell; the sheet has not touched it.
  EXPECT_GT(bodies_of(coupled.simulation(), 4)[10].z(), -1 - kGravity * kSteps * kCoupledStep + 0.5);
  const EnergyLedger& energy = coupled.simulation().energy();
  double error = 0;
  test::keep_largest(error, {energy.largest_error, -energy.smallest_error});
  EXPECT_GT(energy.friction_loss, 0);
  EXPECT_LT(error, 2e-2 * energy.reference);
  EXPECT_GT(work, 10 * error) << work << " J, error " << error << " J";
}

/// Two balls that lie on a sheet and slide. @param results folder of the run.
std::string sliding_deck(const std::filesystem::path& results) {
  return deck(
      kHooke, kBall,
      R"({"shape": "ball", "material": "rock", "position": [0.1, 0.05, 0.0499], "velocity": [0.3, 0, 0]},
  {"shape": "ball", "material": "rock", "position": [-0.2, 0.1, 0.0499], "velocity": [0, 0.3, 0]})",
      Sheet(4).text() + R"(, "motion": "coupled")",
      R"(, "output": {"checkpoint": {}, "directory": ")" + results.string() + R"("})", 1, "2e-4");
}

constexpr int kSteady = 3;  ///< steps before a state is saved

/// Takes them, on the sheet at rest. Each ball pushes with 5 to 20 N: with more than that both of them lie on
/// the sheet.
void take_steady_steps(Participant& coupled, Surface plate) {
  for (int k = 0; k < kSteady; ++k) {
    EXPECT_TRUE(coupled.solve_step(kCoupledStep).converged());
    coupled.accept();
  }
  EXPECT_LT(coupled.resultant(plate).force.z(), -21);
  EXPECT_GT(coupled.simulation().energy().friction_elastic, 0);
}

/// Takes the next five, on the sheet in motion. @returns forces on its vertices.
std::vector<double> take_moving_steps(Participant& coupled, Surface plate) {
  const std::vector<double> reference = coupled.mesh(plate).reference;
  for (int k = kSteady + 1; k <= kSteady + 5; ++k) {
    coupled.set_motion(plate, waves(reference, k * kCoupledStep, 1e-4));
    EXPECT_TRUE(coupled.solve_step(kCoupledStep).converged());
    coupled.accept();
  }
  std::vector<double> forces(reference.size());
  coupled.forces(plate, forces);
  return forces;
}

/// @returns the path of a folder of rank 0. Collective.
std::filesystem::path folder_of_first_rank(const test::Folder& own) {
  std::string path = own.path().string();
  broadcast(MPI_COMM_WORLD, 0, path);
  return path;
}

struct BadMotion {
  std::vector<double> u;
  const char* message;
};

/// Of a sheet of 4 x 4 squares; one that is not finite is that of the last rank alone.
std::vector<BadMotion> bad_motions(const std::vector<double>& reference) {
  std::vector<double> broken(reference.size(), 0.0), folded = broken, rolled = broken, fast = broken;
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == ranks() - 1) broken[7] = std::numeric_limits<double>::quiet_NaN();
  constexpr std::size_t kAcross = std::size_t{3} * 6;  // the vertex on the other side of the first square
  for (std::size_t c = 0; c < 2; ++c) folded[c] = 1.9 * (reference[kAcross + c] - reference[c]);
  folded[2] = 1e-3;
  // Bent around until its last row of squares passes through the first.
  constexpr double kSide = 0.25;
  constexpr double kAround[5][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}, {0.5, -0.5}};
  for (std::size_t k = 0; k < rolled.size() / 3; ++k) {
    rolled[3 * k] = reference[0] + kSide * kAround[k % 5][0] - reference[3 * k];
    rolled[3 * k + 2] = kSide * kAround[k % 5][1];
  }
  for (std::size_t k = 2; k < fast.size(); k += 3) fast[k] = 1e4;
  return {{broken, "got nan as displacement [m] of vertex 2"},
          {folded, "fold onto each other"},
          {rolled, "pass through each other"},
          {fast, "times the shortest edge"}};
}

TEST(CoupledRun, SavesTheLastAcceptedStateWhereAMotionIsWrong) {
  for (const BadMotion& bad : bad_motions(Sheet(4).reference)) {
    SCOPED_TRACE(bad.message);
    const test::Folder own;
    const std::filesystem::path folder = folder_of_first_rank(own), results = folder / "results";
    std::vector<Vec3> before;
    std::string error;
    try {
      Participant coupled =
          Participant::from_text(sliding_deck(results), folder / "deck.json", MPI_COMM_WORLD);
      const Surface plate = coupled.add_surface("plate");
      coupled.initialize();
      take_steady_steps(coupled, plate);
      before = bodies_of(coupled.simulation(), 2);
      coupled.set_motion(plate, bad.u);
      (void)coupled.solve_step(kCoupledStep);
    } catch (const InputError& found) {  // nobody takes the run further
      error = found.what();
    }
    EXPECT_THAT(error, testing::HasSubstr(bad.message));
    EXPECT_THAT(error, testing::HasSubstr("The last accepted state has been saved in " +
                                          (results / "checkpoint.000000.h5").string() + "."));
    EXPECT_TRUE(std::filesystem::exists(results / "last_state.csv"));
    EXPECT_TRUE(std::filesystem::exists(results / "report.json"));
    std::vector<std::string> skipped;
    checkpoint::SavedRun saved = checkpoint::read_newest(results, MPI_COMM_WORLD, skipped);
    EXPECT_TRUE(skipped.empty());
    EXPECT_NEAR(saved.head.time, kSteady * kCoupledStep, 1e-12);
    Participant resumed(checkpoint::deck_of(saved, results, {}), MPI_COMM_WORLD, {.write_outputs = false});
    const Surface plate = resumed.add_surface("plate");
    resumed.resume(saved);
    EXPECT_EQ(difference(bodies_of(resumed.simulation(), 2), before), 0);
    (void)take_moving_steps(resumed, plate);
    MPI_Barrier(MPI_COMM_WORLD);  // before the folder is removed
  }
}

TEST(CoupledRun, ContinuesFromACheckpointToTheBitAsWithoutABreak) {
  const test::Folder own;
  const std::filesystem::path folder = folder_of_first_rank(own), results = folder / "results";
  checkpoint::SavedRun saved;
  std::vector<Vec3> bodies;
  std::vector<double> forces;
  {
    Participant coupled = Participant::from_text(sliding_deck(results), folder / "deck.json", MPI_COMM_WORLD);
    const Surface plate = coupled.add_surface("plate");
    coupled.initialize();
    take_steady_steps(coupled, plate);
    EXPECT_EQ(coupled.write_checkpoint(), (results / "checkpoint.000000.h5").string());
    std::vector<std::string> skipped;
    saved = checkpoint::read_newest(results, MPI_COMM_WORLD, skipped);
    forces = take_moving_steps(coupled, plate);
    bodies = bodies_of(coupled.simulation(), 2);
  }
  Participant resumed(checkpoint::deck_of(saved, results, {}), MPI_COMM_WORLD, {.write_outputs = false});
  const Surface plate = resumed.add_surface("plate");
  resumed.resume(saved);
  EXPECT_NEAR(resumed.time(), kSteady * kCoupledStep, 1e-12);
  EXPECT_EQ(take_moving_steps(resumed, plate), forces);
  EXPECT_EQ(difference(bodies_of(resumed.simulation(), 2), bodies), 0);
  MPI_Barrier(MPI_COMM_WORLD);  // before the folder is removed
}

/// A run on a sheet of the partner, with mean forces, that ends with a checkpoint. @returns the forces on the
/// vertices.
std::vector<double> save_run_of_means(const std::filesystem::path& deck_file,
                                      const std::filesystem::path& results, const Sheet& sheet) {
  Participant coupled =
      Participant::from_text(sliding_deck(results), deck_file, MPI_COMM_WORLD, {.force = ForceOf::mean});
  const Surface plate = coupled.add_surface("plate", sheet.mesh());
  coupled.initialize();
  for (int k = 0; k < kSteady; ++k) {
    EXPECT_TRUE(coupled.solve_step(kCoupledStep).converged());
    coupled.accept();
  }
  std::vector<double> forces(sheet.reference.size());
  coupled.forces(plate, forces);
  double at_end = 0;
  for (const Vec3& force : coupled.simulation().surface(0).forces) at_end += force.z();
  EXPECT_GT(std::abs(coupled.resultant(plate).force.z() - at_end), 1e-3);
  EXPECT_FALSE(coupled.write_checkpoint().empty());
  return forces;
}

std::string with_other_text(std::string text, const std::string& from, const std::string& to) {
  return text.replace(text.find(from), from.size(), to);
}

TEST(CoupledRun, ContinuesWithItsForcesAndWithNoOtherDeckOrMesh) {
  const test::Folder own;
  const std::filesystem::path folder = folder_of_first_rank(own), results = folder / "results";
  const Sheet sheet(4), coarse(3);
  const std::vector<double> forces = save_run_of_means(folder / "deck.json", results, sheet);
  const std::string text = sliding_deck(results);
  // An old checkpoint has no meshes.
  const auto resume = [&](const std::string& other, const Sheet& mesh, bool is_old) {
    std::vector<std::string> skipped;
    checkpoint::SavedRun saved = checkpoint::read_newest(results, MPI_COMM_WORLD, skipped);
    if (is_old)
      std::erase_if(saved.common,
                    [](const checkpoint::Column& column) { return column.name.starts_with("coupling/"); });
    Participant resumed = Participant::from_text(other, folder / "deck.json", MPI_COMM_WORLD,
                                                 {.force = ForceOf::mean, .write_outputs = false});
    const Surface plate = resumed.add_surface("plate", mesh.mesh());
    resumed.resume(saved);
    std::vector<double> found(mesh.reference.size());
    resumed.forces(plate, found);
    return found;
  };
  const auto error_of = [&](const std::string& other, const Sheet& mesh, bool is_old) {
    try {
      (void)resume(other, mesh, is_old);
    } catch (const RunError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(resume(text, sheet, false), forces);
  EXPECT_EQ(resume(with_other_text(text, R"("end": 1,)", R"("end": 2.0,)"), sheet, false), forces);
  EXPECT_EQ(resume(text, sheet, true).size(), forces.size());
  Sheet renumbered = sheet, flipped = sheet;
  std::swap_ranges(renumbered.reference.begin(), renumbered.reference.begin() + 3,
                   renumbered.reference.begin() + 3);
  for (int& corner : renumbered.triangles)
    if (corner < 2) corner = 1 - corner;
  flipped.triangles[2] = 5;  // the other diagonal of the first square
  flipped.triangles[3] = 1;
  using testing::HasSubstr;
  EXPECT_THAT(error_of(with_other_text(text, "2500", "5000"), sheet, false),
              HasSubstr("/materials/rock/density: 2500 in the checkpoint, 5000 in the deck"));
  EXPECT_THAT(error_of(with_energy_steps(text), sheet, false), HasSubstr("/integrator/type: \"newmark\""));
  EXPECT_THAT(error_of(text, renumbered, false), HasSubstr("boundary \"plate\": got vertex 0 at"));
  EXPECT_THAT(error_of(text, flipped, false), HasSubstr("boundary \"plate\": got triangle 0"));
  EXPECT_THAT(error_of(text, coarse, false), HasSubstr("got 16 vertices; expected 25"));
  EXPECT_THAT(error_of(text, coarse, true), HasSubstr("has 25 vertices; expected 16"));
  MPI_Barrier(MPI_COMM_WORLD);  // before the folder is removed
}

/// A body at 1 m/s is 1.2 mm above a sheet that rises by `rise` in a step of 1 ms.
void expect_one_time_step_for_any_rise(const std::string& text) {
  Participant coupled = participant(text);
  const Surface plate = coupled.add_surface("plate");
  coupled.initialize();
  std::vector<double> u(coupled.mesh(plate).reference.size(), 0.0);
  double before = 0;
  for (int k = 0; k <= 50; ++k) {
    const double rise = 2e-4 + 1e-5 * k;
    for (std::size_t i = 2; i < u.size(); i += 3) u[i] = rise;
    coupled.set_motion(plate, u);
    const StepReport report = coupled.solve_step(1e-3);
    ASSERT_TRUE(report.converged()) << report.message;
    EXPECT_EQ(report.substeps, 1) << rise;
    const double force = -coupled.resultant(plate).force.z();
    // It grows by up to 10 % from one to the next; with two time steps instead of one by half and more.
    if (k > 0) {
      EXPECT_GT(force, before) << rise;
      EXPECT_LT(force, 1.2 * before) << rise;
    }
    before = force;
  }
}

TEST(CoupledRun, ForceIsAContinuousFunctionOfTheWayOfASurfaceThatMeetsABody) {
  struct Scanned {
    const char* shape;
    const char* kind;
    const char* height;  // of the middle, 1.2 mm above touch [m]
  };
  for (const Scanned& one : {Scanned{kBall, "ball", "0.0512"}, Scanned{kBlock, "block", "0.0412"}}) {
    const std::string text =
        deck(kBarrier, one.shape,
             R"({"material": "rock", "velocity": [0, 0, -1], "shape": ")" + std::string(one.kind) +
                 R"(", "position": [0.03, 0.02, )" + one.height + "]}",
             Sheet(4).text() + R"(, "motion": "coupled")", "", 1, "1e-3");
    SCOPED_TRACE(one.kind);
    expect_one_time_step_for_any_rise(text);
    expect_one_time_step_for_any_rise(with_energy_steps(text));
  }
}

}  // namespace
}  // namespace scree::coupling

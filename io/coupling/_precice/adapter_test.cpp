/// The adapter for preCICE, against the stand-in: repeated windows, time steps within a window, a short last
/// window. On several ranks all compute the same partner.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <mpi.h>

#include <cmath>
#include <filesystem>
#include <limits>
#include <memory>
#include <optional>
#include <precice/precice.hpp>
#include <span>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "assembly/gather.hpp"
#include "assembly/test_ranks.hpp"
#include "core/error.hpp"
#include "core/interrupt.hpp"
#include "core/test_extremes.hpp"
#include "io/checkpoint/restart.hpp"
#include "io/coupling/participant.hpp"
#include "io/coupling/precice_adapter.hpp"
#include "io/coupling/test_coupling.hpp"
#include "io/coupling/test_sprung_plate.hpp"
#include "io/deck/deck.hpp"
#include "io/deck/deck_fixture.hpp"

namespace scree::coupling {
namespace {

/// A folder of its own, which all ranks share and which is gone afterwards.
class SharedFolder {
 public:
  SharedFolder() {
    std::string name;
    if (ranks::this_rank() == 0) name = own_.emplace().path().string();
    broadcast(MPI_COMM_WORLD, 0, name);
    path_ = name;
  }
  ~SharedFolder() { MPI_Barrier(MPI_COMM_WORLD); }
  SharedFolder(const SharedFolder&) = delete;
  SharedFolder& operator=(const SharedFolder&) = delete;
  SharedFolder(SharedFolder&&) = delete;
  SharedFolder& operator=(SharedFolder&&) = delete;
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::optional<test::Folder> own_;  ///< of rank 0
  std::filesystem::path path_;
};

const std::string kCoupling =
    R"("coupling": {"type": "precice", "config": "precice-config.xml", "participant": "Scree", "surfaces": [
    {"boundary": "plate", "mesh": "Scree-Mesh", "displacement": "Displacement", "force": "Force"}]})";

/// A ball falls on a square plate of two triangles. @param step of Scree [s].
std::string falling_ball(double end, const std::string& step) {
  return R"({"time": {"end": )" + std::to_string(end) + R"(, "step": )" + step +
         R"(}, "gravity": [0, 0, -9.81],
  "solver": {"newton": {"relative": 1e-12}}, "materials": {"rock": {"density": 2500}},
  "shapes": {"ball": {"type": "sphere", "radius": 0.05}},
  "bodies": [{"shape": "ball", "material": "rock", "position": [0.03, 0.02, 0.0501], "velocity": [0.2, 0, -0.5]}],
  "boundaries": [{"name": "plate", "type": "surface", "material": "rock", "motion": "coupled",
    "vertices": [[-0.5, -0.5, 0], [0.5, -0.5, 0], [0.5, 0.5, 0], [-0.5, 0.5, 0]], "faces": [[0, 1, 2], [0, 2, 3]]}],
  "interfaces": [{"between": ["*", "*"], "normal": {"law": "hooke", "stiffness": 1e4, "damping": 10},
    "friction": {"static": 0.4, "dynamic": 0.4, "stiffness": 5e3}}], )" +
         kCoupling + "}";
}

using Tray = SprungPlate;  // 2 kg on 2e4 N/m

/// Vertical force of all vertices [N].
double vertical_sum(std::span<const double> forces) {
  double all = 0.0;
  for (std::size_t k = 2; k < forces.size(); k += 3) all += forces[k];
  return all;
}

std::vector<double> lowered(double z) { return {0, 0, z, 0, 0, z, 0, 0, z, 0, 0, z}; }

/// Displacement of the tray at the end of each window by the adapter.
struct Coupled {
  std::vector<double> displacement;
  precice::Script script;
  PreciceRun run;
};

Coupled run_deck(Deck read, const precice::Script& choices, Tray& tray,
                 checkpoint::SavedRun* saved = nullptr) {
  Coupled coupled;
  precice::Script& script = precice::Script::current();
  script = choices;
  double size = 0.0;
  script.structure = [&](std::span<const double> forces, double, double dt) {
    size = dt;
    return lowered(tray.solve(vertical_sum(forces), dt));
  };
  script.accept = [&] {
    tray.accept(size);
    coupled.displacement.push_back(tray.u);
  };
  coupled.run = run_precice(std::make_shared<Model>(std::move(read.model)), read.precice.value(),
                            MPI_COMM_WORLD, false, saved, {"-scree_snes_max_it", "40"});
  coupled.script = script;
  script = {};
  return coupled;
}

Coupled run_adapter(double window, double end, const std::string& step, double deck_end, int limit = 100) {
  const SharedFolder folder;
  Deck read = read_deck_text(falling_ball(deck_end, step), folder.path() / "precice.json");
  read.model.output = {};
  read.model.output.directory = folder.path().string();
  precice::Script script;
  script.window = window;
  script.end = end;
  script.iterations = limit;
  Tray tray;
  return run_deck(std::move(read), script, tray);
}

/// The same iteration without the adapter.
std::vector<double> run_directly(const std::vector<double>& windows, const std::string& step) {
  Participant bodies =
      Participant::from_text(falling_ball(1.0, step), std::filesystem::temp_directory_path() / "direct.json",
                             MPI_COMM_WORLD, {.write_outputs = false});
  const Surface plate = bodies.add_surface("plate");
  bodies.initialize();
  Tray tray;
  std::vector<double> all, forces(12);
  double x = 0.0;
  for (const double dt : windows) {
    for (;;) {
      bodies.set_motion(plate, lowered(x));
      EXPECT_TRUE(bodies.solve_step(dt).converged());
      bodies.forces(plate, forces);
      const double image = tray.solve(vertical_sum(forces), dt);
      const bool repeats = std::abs(image - x) > 1e-10 * std::abs(image);
      x = repeats ? x + 0.5 * (image - x) : image;
      if (!repeats) break;
    }
    bodies.accept();
    tray.accept(dt);
    all.push_back(tray.u);
  }
  return all;
}

TEST(PreciceAdapter, RepeatedWindowsGiveWhatTheParticipantGivesDirectly) {
  const Coupled coupled = run_adapter(1e-3, 0.02, "1e-3", 0.02);
  EXPECT_EQ(coupled.run.windows, 20);
  EXPECT_GT(coupled.run.solutions, 2 * coupled.run.windows);  // windows were repeated
  ASSERT_TRUE(coupled.run.report.has_value());
  EXPECT_TRUE(coupled.run.report->complete);
  EXPECT_NEAR(coupled.run.report->time, 0.02, 1e-12);
  const std::vector<double> direct = run_directly(coupled.script.windows, "1e-3");
  ASSERT_EQ(direct.size(), coupled.displacement.size());
  double largest = 0.0;
  for (std::size_t k = 0; k < direct.size(); ++k) {
    EXPECT_NEAR(coupled.displacement[k], direct[k], 1e-12) << k;
    test::keep_largest(largest, std::abs(direct[k]));
  }
  EXPECT_GT(largest, 1e-4);  // the ball has hit the tray
  std::vector<std::string> calls{"initialize", "finalize"};
  if (ranks::this_rank() == 0) calls.insert(calls.begin(), {"vertices", "triangles"});
  EXPECT_EQ(coupled.script.calls, calls);
}

TEST(PreciceAdapter, TakesSeveralTimeStepsWithinAWindow) {
  // The ball strikes in the first window. Several ranks take longer over each of the small steps.
  const int windows = ranks() == 1 ? 10 : 3;
  const Coupled coarse = run_adapter(2e-3, windows * 2e-3, "1e-4", 0.02);
  EXPECT_EQ(coarse.run.windows, windows);
  const std::vector<double> direct = run_directly(coarse.script.windows, "1e-4");
  for (std::size_t k = 0; k < direct.size(); ++k) EXPECT_NEAR(coarse.displacement[k], direct[k], 1e-12) << k;
}

TEST(PreciceAdapter, TheLastWindowIsShort) {
  const Coupled coupled = run_adapter(3e-3, 0.02, "1e-3", 0.02);
  ASSERT_EQ(coupled.script.windows.size(), 7);
  EXPECT_NEAR(coupled.script.windows.back(), 2e-3, 1e-12);
  const std::vector<double> direct = run_directly(coupled.script.windows, "1e-3");
  for (std::size_t k = 0; k < direct.size(); ++k) EXPECT_NEAR(coupled.displacement[k], direct[k], 1e-12) << k;
}

TEST(PreciceAdapter, AWindowThatReachesTheLimitOfIterationsIsAccepted) {
  const Coupled coupled = run_adapter(1e-3, 0.02, "1e-3", 0.02, 2);
  EXPECT_EQ(coupled.run.windows, 20);
  EXPECT_LE(coupled.run.solutions, 40);
}

/// A deck with checkpoints in a folder.
Deck deck_with_checkpoints(const std::filesystem::path& folder,
                           std::string text = falling_ball(0.02, "1e-3")) {
  text.insert(1, R"("output": {"directory": ")" + folder.string() + R"(", "checkpoint": {}}, )");
  return read_deck_text(text, folder / "precice.json");
}

TEST(PreciceAdapter, BothSidesContinueFromTheirStates) {
  const SharedFolder undisturbed, divided;
  const std::filesystem::path& folder = divided.path();
  precice::Script script;
  Tray whole, halves;
  script.end = 0.02;
  const Coupled all = run_deck(deck_with_checkpoints(undisturbed.path()), script, whole);
  script.end = 0.008;
  Coupled parts = run_deck(deck_with_checkpoints(folder), script, halves);
  EXPECT_EQ(parts.displacement.size(), 8);
  std::vector<std::string> skipped;
  checkpoint::SavedRun saved = checkpoint::read_newest(folder, MPI_COMM_WORLD, skipped);
  EXPECT_NEAR(saved.head.time, 0.008, 1e-12);
  EXPECT_EQ(saved.head.options, "-scree_snes_max_it\n40\n");
  script.end = 0.012;
  const Coupled rest = run_deck(checkpoint::deck_of(saved, folder, {}), script, halves, &saved);
  parts.displacement.insert(parts.displacement.end(), rest.displacement.begin(), rest.displacement.end());
  ASSERT_EQ(parts.displacement.size(), all.displacement.size());
  double largest = 0.0;
  for (std::size_t k = 0; k < parts.displacement.size(); ++k) {
    EXPECT_NEAR(parts.displacement[k], all.displacement[k], 1e-10) << k;
    test::keep_largest(largest, std::abs(all.displacement[k]));
  }
  EXPECT_GT(largest, 1e-4);
}

/// @returns the text of the error of a run; "" without one.
std::string error_of(Deck read, const precice::Script& script, Tray tray = {}) {
  try {
    (void)run_deck(std::move(read), script, tray);
  } catch (const RunError& error) {
    return error.what();
  }
  return "";
}

TEST(PreciceAdapter, APartnerThatIsGoneIsAnErrorAndTheStateIsSaved) {
  const SharedFolder shared;
  const std::filesystem::path& folder = shared.path();
  precice::Script script;
  script.end = 0.02;
  script.gone_after = 5;
  EXPECT_THAT(error_of(deck_with_checkpoints(folder), script),
              testing::AllOf(testing::HasSubstr("window at 0.005 s"), testing::HasSubstr("Receiving data"),
                             testing::HasSubstr("has been saved in")));
  std::vector<std::string> skipped;
  EXPECT_NEAR(checkpoint::read_newest(folder, MPI_COMM_WORLD, skipped).head.time, 0.005, 1e-12);
  EXPECT_TRUE(std::filesystem::exists(folder / "last_state.csv"));
}

TEST(PreciceAdapter, AValueThatIsNotFiniteIsAnErrorAndTheStateIsSaved) {
  const SharedFolder shared;
  const std::filesystem::path& folder = shared.path();
  static Tray tray;
  tray = {};
  precice::Script script;
  script.end = 0.02;
  script.stop_after = 5;  // the sixth window ends with a displacement that the seventh begins with
  script.stop = []() noexcept { tray.stiffness = std::numeric_limits<double>::quiet_NaN(); };
  std::string error;
  try {
    (void)run_deck(deck_with_checkpoints(folder), script, tray);
  } catch (const RunError& found) {
    error = found.what();
  }
  EXPECT_THAT(error, testing::AllOf(testing::HasSubstr("time window at 0.006 s: surface \"plate\": got "),
                                    testing::HasSubstr("nan as displacement [m] of vertex 0"),
                                    testing::HasSubstr("The last accepted state has been saved in")));
  EXPECT_TRUE(std::filesystem::exists(folder / "last_state.csv"));
  std::vector<std::string> skipped;
  checkpoint::SavedRun saved = checkpoint::read_newest(folder, MPI_COMM_WORLD, skipped);
  EXPECT_NEAR(saved.head.time, 0.006, 1e-12);
  Tray other;
  script.end = 0.014;
  script.stop_after = -1;
  const Coupled rest = run_deck(checkpoint::deck_of(saved, folder, {}), script, other, &saved);
  EXPECT_EQ(rest.run.windows, 14);
}

TEST(PreciceAdapter, BodiesThatCannotFollowAreAnErrorAndTheStateIsSaved) {
  const SharedFolder shared;
  const std::string text = with_ceiling(
      deck(kBarrier, kBall, R"({"shape": "ball", "material": "rock", "position": [0.01, 0.02, 0.07]})",
           Sheet(1).text() + R"(, "motion": "coupled")", ", " + kCoupling));
  precice::Script script;
  script.end = 0.1;
  script.window = 0.01;
  script.iterations = 2;
  Tray tray;  // too heavy for the ball to stop: 0.02 m in a window; the ball has 0.05 m of room
  tray.mass = 1e6;
  tray.stiffness = 0;
  tray.v = 2;
  EXPECT_THAT(error_of(deck_with_checkpoints(shared.path(), text), script, tray),
              testing::AllOf(testing::HasSubstr("time window at 0.02 s: "),
                             testing::HasSubstr("preCICE cannot reject an iterate"),
                             testing::HasSubstr("The last accepted state has been saved in")));
  EXPECT_TRUE(std::filesystem::exists(shared.path() / "last_state.csv"));
  std::vector<std::string> skipped;
  EXPECT_NEAR(checkpoint::read_newest(shared.path(), MPI_COMM_WORLD, skipped).head.time, 0.02, 1e-12);
}

/// On several ranks the others would wait for it.
TEST(PreciceAdapter, AnErrorOfTheRankThatExchangesIsThatOfAllRanks) {
  const SharedFolder shared;
  std::string text = falling_ball(0.02, "1e-3");
  text.replace(text.find(R"("Displacement")"), 14, R"("Rotation")");
  EXPECT_THAT(error_of(deck_with_checkpoints(shared.path(), text), {}),
              testing::AllOf(testing::HasSubstr("preCICE, window at 0 s: readData: mesh has no such data"),
                             testing::HasSubstr("The last accepted state has been saved in")));
}

TEST(PreciceAdapter, APartnerThatIsGoneIsReportedAlsoWhereNoStateCanBeSaved) {
  const SharedFolder shared;
  static std::filesystem::path folder;
  folder = shared.path();
  precice::Script script;
  script.end = 0.02;
  script.gone_after = script.stop_after = 2;
  script.stop = []() noexcept {
    std::error_code ignored;
    std::filesystem::create_directory(folder / "checkpoint.000000.h5.scree-tmp", ignored);
  };
  EXPECT_THAT(error_of(deck_with_checkpoints(folder), script),
              testing::AllOf(testing::HasSubstr("Receiving data"),
                             testing::HasSubstr("No checkpoint could be written")));
}

TEST(PreciceAdapter, ARequestToStopEndsTheOutputsAndTheStateIsSaved) {
  const SharedFolder shared;
  const std::filesystem::path& folder = shared.path();
  precice::Script script;
  script.end = 0.02;
  script.stop_after = 5;
  script.stop = request_interrupt;
  Tray tray;
  EXPECT_THROW((void)run_deck(deck_with_checkpoints(folder), script, tray), Interrupted);
  clear_interrupt();
  EXPECT_TRUE(std::filesystem::exists(folder / "last_state.csv"));
  std::vector<std::string> skipped;
  checkpoint::SavedRun saved = checkpoint::read_newest(folder, MPI_COMM_WORLD, skipped);
  EXPECT_NEAR(saved.head.time, 0.005, 1e-12);
  script.end = 0.015;
  script.stop_after = -1;
  const Coupled rest = run_deck(checkpoint::deck_of(saved, folder, {}), script, tray, &saved);
  EXPECT_EQ(rest.run.windows, 15);
}

TEST(PreciceAdapter, ADeckThatEndsBeforeTheCouplingIsAnError) {
  try {
    (void)run_adapter(1e-3, 0.02, "1e-3", 0.0105);
    FAIL() << "no error";
  } catch (const InputError& error) {
    EXPECT_THAT(std::string(error.what()), testing::HasSubstr("within a time window of the coupling"));
  }
}

TEST(PreciceAdapter, ForceOrTractionIsRequired) {
  std::string both = falling_ball(0.02, "1e-3");
  both.replace(both.find(R"("force": "Force")"), 16, R"("force": "Force", "traction": "Stress")");
  EXPECT_THROW((void)read_deck_text(both, "both.json"), InputError);
}

}  // namespace
}  // namespace scree::coupling

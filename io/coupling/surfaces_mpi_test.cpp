/// Surfaces of coupled runs: fast ones, meshes in parts, input that is wrong; and how runs are stopped and
/// saved.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include "assembly/petsc.hpp"
#include "core/error.hpp"
#include "core/interrupt.hpp"
#include "core/test_extremes.hpp"
#include "io/coupling/test_coupling.hpp"
#include "io/deck/deck_fixture.hpp"

namespace scree::coupling {
namespace {

using testing::HasSubstr;

TEST(Participant, IsInfeasibleWhereASurfaceIsPushedThroughATrappedBody) {
  const Sheet sheet(4, 0.01);
  for (const bool barrier : {true, false}) {
    Participant coupled = participant(with_ceiling(deck(
        barrier ? kBarrier : kHooke, kBall,
        R"({"shape": "ball", "material": "rock", "position": [0.01, 0.02, 0.07]})",
        sheet.text() + R"(, "motion": "coupled")", "", 1, R"({"initial": 1e-4, "min": 1e-6, "max": 1e-3})")));
    const Surface plate = coupled.add_surface("plate");
    coupled.initialize();
    std::vector<double> u(coupled.mesh(plate).reference.size(), 0.0);
    const auto push = [&](double up) {
      for (std::size_t i = 2; i < u.size(); i += 3) u[i] = up;
      coupled.set_motion(plate, u);
      return coupled.solve_step(0.01);
    };
    const StepReport report = push(0.2);
    EXPECT_EQ(report.status, Status::infeasible);
    EXPECT_TRUE(report.reached > 0 && report.reached < 0.01) << report.reached;
    EXPECT_THAT(report.message, HasSubstr(barrier ? "boundary \"plate\"" : "boundary \""));
    EXPECT_THAT(report.message,  // another law only where the deck has one that does not allow overlap
                HasSubstr(barrier ? "a smaller relaxation factor, or an overlap-based contact law."
                                  : "a shorter coupled step or a smaller relaxation factor."));
    EXPECT_THROW(coupled.accept(), std::logic_error);
    EXPECT_EQ(coupled.time(), 0);
    EXPECT_TRUE(push(0.01).converged());  // and continues from where it was
    coupled.accept();
    EXPECT_NEAR(coupled.time(), 0.01, 1e-12);
  }
}

TEST(Participant, TakesAMeshInPartsFromRanks) {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const Sheet sheet(4);
  const std::string text = deck(kHooke, kBall, kTwoBalls, Sheet(2).text() + R"(, "motion": "coupled")");
  // Triangles are distributed; each rank has the vertices of its own, under numbers with gaps.
  std::vector<double> reference;
  std::vector<std::int64_t> id;
  std::vector<int> triangles, local(25, -1);
  for (std::size_t t = 0; t < sheet.triangles.size() / 3; ++t) {
    if (static_cast<int>(t) % ranks() != rank) continue;
    for (std::size_t i = 0; i < 3; ++i) {
      const int v = sheet.triangles[3 * t + i];
      if (local[static_cast<std::size_t>(v)] < 0) {
        local[static_cast<std::size_t>(v)] = static_cast<int>(id.size());
        id.push_back(7 * v + 3);
        for (int c = 0; c < 3; ++c) reference.push_back(sheet.reference[3 * static_cast<std::size_t>(v) + c]);
      }
      triangles.push_back(local[static_cast<std::size_t>(v)]);
    }
  }
  Participant parts = participant(text), whole = participant(text);
  const Surface a = parts.add_surface("plate", {reference, id, triangles});
  const Surface b = whole.add_surface("plate", sheet.mesh());
  parts.initialize();
  whole.initialize();
  double largest = 0;
  for (int k = 1; k <= 30; ++k) {
    parts.set_motion(a, waves(parts.mesh(a).reference, 1e-3 * k, 0.004));
    whole.set_motion(b, waves(whole.mesh(b).reference, 1e-3 * k, 0.004));
    ASSERT_TRUE(parts.solve_step(1e-3).converged());
    ASSERT_TRUE(whole.solve_step(1e-3).converged());
    parts.accept();
    whole.accept();
    std::vector<double> own(reference.size()), all(sheet.reference.size());
    parts.forces(a, own);
    whole.forces(b, all);
    test::keep_largest(largest, whole.resultant(b).force.norm());
    for (std::size_t i = 0; i < id.size(); ++i) {
      const auto v = static_cast<std::size_t>((id[i] - 3) / 7);
      for (std::size_t c = 0; c < 3; ++c) EXPECT_NEAR(own[3 * i + c], all[3 * v + c], 1e-7 * largest);
    }
  }
  EXPECT_GT(largest, 1);
}

/// Round-off decides on which of the features there such a foot is; what it decides must not be felt.
TEST(Participant, PushesABodyAboveALineOfTheMeshAsAnyOther) {
  if (ranks() > 1) GTEST_SKIP() << "one body";
  double worst = 0;
  for (int turn = 0; turn < 40; ++turn) {
    const double angle = 0.02 * turn + 0.01;
    for (const Vec3& beside : {Vec3(2.5e-3, 0, 0), Vec3(-2.5e-3, 0, 0), Vec3(0, 2.5e-3, 0), Vec3(0, 0, 0)}) {
      const Mat3 R = Eigen::AngleAxisd(angle, Vec3::UnitZ()).toRotationMatrix();
      Sheet sheet(4);
      for (std::size_t k = 0; k < sheet.reference.size(); k += 3) {
        const Vec3 x = R * Vec3(&sheet.reference[k]);
        std::copy(x.begin(), x.end(), sheet.reference.begin() + static_cast<std::ptrdiff_t>(k));
      }
      const Vec3 x = R * beside;
      Participant coupled = participant(
          deck(kHooke, kBall,
               fmt::format(R"({{"shape": "ball", "material": "rock", "position": [{}, {}, 0.0499]}})",
                           text::number(x.x(), 17), text::number(x.y(), 17)),
               sheet.text() + R"(, "motion": "coupled")"));
      const Surface plate = coupled.add_surface("plate");
      coupled.initialize();
      test::keep_largest(worst, (coupled.resultant(plate).force - Vec3(0, 0, -20)).norm());
    }
  }
  EXPECT_LT(worst, 1e-6);
}

TEST(Participant, MayTakeStepsThatAreShorterThanThoseOfTheDeck) {
  const Sheet sheet(4);
  for (const char* step : {R"({"initial": 1e-4, "min": 1e-6, "max": 1e-3})", "1e-4"}) {
    Participant coupled =
        participant(deck(kHooke, kBall, kTwoBalls, sheet.text() + R"(, "motion": "coupled")", "", 1, step));
    (void)coupled.add_surface("plate");
    coupled.initialize();
    ASSERT_TRUE(coupled.solve_step(3e-8).converged()) << step;
    coupled.accept();
    EXPECT_DOUBLE_EQ(coupled.time(), 3e-8);
    coupled.finish();
    EXPECT_THROW(coupled.solve_step(1e-3), std::logic_error);
  }
}

TEST(Participant, TakesStepsInWhichNoVertexGoesFurtherThanAnEdgeAlsoWhereItsMotionIsCubic) {
  const Sheet sheet(4);
  Participant coupled =
      participant(deck(kHooke, kBall, R"({"shape": "ball", "material": "rock", "position": [0.01, 0.02, 2]})",
                       sheet.text() + R"(, "motion": "coupled")", "", 1, "1e-2"));
  const Surface plate = coupled.add_surface("plate");
  coupled.initialize();
  std::vector<double> u(coupled.mesh(plate).reference.size(), 0.0);
  for (std::size_t k = 2; k < u.size(); k += 3) u[k] = 0.75;  // three edges
  coupled.set_motion(plate, u, std::vector<double>(u.size(), 0.0));
  // From rest to rest the largest speed is 1.5 times the mean.
  EXPECT_EQ(coupled.solve_step(1e-2).substeps, 5);
  coupled.set_motion(plate, u);
  EXPECT_EQ(coupled.solve_step(1e-2).substeps, 3);
}

TEST(Participant, RefusesTheSnapshotOfAnother) {
  const std::string text =
      deck(kHooke, kBall, kTwoBalls, Sheet(2).text() + R"(, "motion": "coupled")", "", 1, "1e-3");
  Participant first = participant(text), second = participant(text);
  for (Participant* one : {&first, &second}) {
    (void)one->add_surface("plate");
    one->initialize();
  }
  (void)second.save();  // the same state, to the bit
  EXPECT_THROW(second.restore(first.save()), std::invalid_argument);
  EXPECT_THROW(second.restore(Snapshot()), std::invalid_argument);
  EXPECT_TRUE(second.solve_step(1e-3).converged());
}

TEST(Participant, ForgetsInRestoreWhereASurfaceWasToGo) {
  const Sheet sheet(4);
  Participant coupled =
      participant(deck(kHooke, kBall, kTwoBalls, sheet.text() + R"(, "motion": "coupled")"));
  const Surface plate = coupled.add_surface("plate");
  coupled.initialize();
  const Snapshot start = coupled.save();
  const std::vector<double> before = coupled.positions(plate);
  coupled.set_motion(plate, std::vector<double>(before.size(), 1e-3));
  coupled.restore(start);
  ASSERT_TRUE(coupled.solve_step(1e-3).converged());
  EXPECT_EQ(coupled.positions(plate), before);
  Participant other = participant(deck(kHooke, kBall, kTwoBalls, sheet.text() + R"(, "motion": "coupled")"));
  (void)other.add_surface("plate");
  EXPECT_THROW((void)other.positions(plate), std::invalid_argument);
}

TEST(Participant, RefusesTrianglesThatDoNotShareTheirVertices) {
  const Sheet sheet(2);
  std::vector<double> reference;
  std::vector<int> triangles;
  for (const int v : sheet.triangles) {
    triangles.push_back(static_cast<int>(triangles.size()));
    for (int c = 0; c < 3; ++c) reference.push_back(sheet.reference[3 * static_cast<std::size_t>(v) + c]);
  }
  Participant coupled =
      participant(deck(kHooke, kBall, kTwoBalls, sheet.text() + R"(, "motion": "coupled")"));
  try {
    (void)coupled.add_surface("plate", {reference, {}, triangles});
    FAIL() << "not refused";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("surface \"plate\": vertices 0 and 3 are both at [-0.5, -0.5, -0]; "
                                        "expected one number for one place"));
  }
}

TEST(Participant, RefusesAMeshThatPassesThroughItselfAtRest) {
  Sheet sheet(4);
  const std::string text = deck(kHooke, kBall, kTwoBalls, Sheet(2).text() + R"(, "motion": "coupled")");
  // The last row of vertices lies below the first one, its neighbours above.
  const double side = 0.25;
  const std::array<std::array<double, 2>, 5> around{{{0, 0}, {1, 0}, {1, 1}, {0, 1}, {0.5, -0.5}}};
  for (std::size_t k = 0; k < sheet.reference.size() / 3; ++k) {
    sheet.reference[3 * k] = side * around[k % 5][0];
    sheet.reference[3 * k + 2] = side * around[k % 5][1];
  }
  Participant coupled = participant(text);
  try {
    (void)coupled.add_surface("plate", sheet.mesh());
    FAIL() << "not refused";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("surface \"plate\": triangles "));
    EXPECT_THAT(error.what(), HasSubstr(" pass through each other at ["));
  }
}

TEST(Participant, ReportsWhatIsWrongWithAMotionAndKeepsItsState) {
  const Sheet sheet(4);
  Participant coupled = participant(deck(kHooke, kBall, kTwoBalls, sheet.text() + R"(, "motion": "coupled")",
                                         "", 1, R"({"initial": 1e-4, "min": 1e-6, "max": 1e-3})"));
  EXPECT_THROW(coupled.add_surface("floor"), InputError);
  const Surface plate = coupled.add_surface("plate");
  EXPECT_THROW(coupled.add_surface("plate"), InputError);
  coupled.initialize();
  const std::vector<double>& reference = coupled.mesh(plate).reference;
  const Snapshot before = coupled.save();
  const auto error_of = [&](const std::vector<double>& u, double dt) -> std::string {
    coupled.set_motion(plate, u);
    try {
      coupled.solve_step(dt);
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_THROW(coupled.set_motion(plate, std::vector<double>(5)), std::invalid_argument);
  EXPECT_THROW(coupled.solve_step(0), std::invalid_argument);
  EXPECT_THROW(coupled.solve_step(2), std::invalid_argument);
  std::vector<double> u(reference.size(), 0.0);
  u[7] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THAT(error_of(u, 1e-3), HasSubstr("surface \"plate\": got nan as displacement [m] of vertex 2"));
  u.assign(reference.size(), 0.0);
  for (std::size_t c = 0; c < 3; ++c)
    u[36 + c] = reference[39 + c] - reference[36 + c];  // vertex 12 goes to 13
  EXPECT_THAT(error_of(u, 1e-3), HasSubstr("degenerates"));
  u.assign(reference.size(), 0.0);
  for (std::size_t c = 0; c < 3; ++c) u[c] = 1.9 * (reference[18 + c] - reference[c]);
  u[2] = 1e-3;
  EXPECT_THAT(error_of(u, 1e-3), HasSubstr("fold onto each other"));
  // Bent around until its last row of squares passes through the first.
  const double side = reference[3] - reference[0];
  const std::array<std::array<double, 2>, 5> around{{{0, 0}, {1, 0}, {1, 1}, {0, 1}, {0.5, -0.5}}};
  for (std::size_t k = 0; k < u.size() / 3; ++k) {
    const auto& [x, z] = around[k % 5];
    u[3 * k] = reference[0] + side * x - reference[3 * k];
    u[3 * k + 1] = 0;
    u[3 * k + 2] = side * z;
  }
  EXPECT_THAT(error_of(u, 1e-3), HasSubstr("pass through each other"));
  u.assign(reference.size(), 0.0);
  for (std::size_t k = 2; k < u.size(); k += 3) u[k] = 1e4;
  EXPECT_THAT(error_of(u, 1e-3), HasSubstr("times the shortest edge"));
  EXPECT_TRUE(coupled.save() == before);
  EXPECT_EQ(coupled.time(), 0);
}

TEST(Participant, RefusesWhatCannotFollowACoupledBoundary) {
  const Sheet sheet(2);
  const std::string good = deck(kHooke, kBall, kTwoBalls, sheet.text() + R"(, "motion": "coupled")");
  const auto error_of = [](const std::string& text) -> std::string {
    try {
      participant(text).initialize();
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(error_of(good), "");
  EXPECT_THAT(error_of(R"({"time": {"end": 1, "step": 1e-3}, "materials": {"rock": {"density": 1}},
    "shapes": {"ball": {"type": "sphere", "radius": 1}}, "bodies": [{"shape": "ball", "material": "rock", "position": [0, 0, 2]}],
    "boundaries": [{"type": "plane", "point": [0, 0, 0], "normal": [0, 0, 1], "material": "rock", "motion": "coupled"}],
    "interfaces": [{"between": ["*", "*"], "normal": {"law": "hooke", "stiffness": 1e4}}]})"),
              HasSubstr("/boundaries/0/motion: got \"coupled\"; expected an object with one of \"table\""));
}

/// Lifts all vertices of a surface, or lowers them.
void lift(Participant& coupled, Surface plate, double z) {
  std::vector<double> u(coupled.mesh(plate).reference.size(), 0.0);
  for (std::size_t k = 2; k < u.size(); k += 3) u[k] = z;
  coupled.set_motion(plate, u);
}

TEST(Participant, InsertsBodiesClearOfASurfaceWhereItIsNow) {
  Participant coupled = participant(
      deck(kHooke, kBall, R"({"shape": "ball", "material": "rock", "position": [0, 0, 2]})",
           Sheet(4).text() + R"(, "motion": "coupled")",
           R"(, "inlets": [{"shape": "ball", "material": "rock", "rate": {"number": 400}, "from": 0.02,
             "until": 0.04, "region": {"min": [-0.3, -0.3, 0.06], "max": [0.3, 0.3, 0.3]}}])"));
  const Surface plate = coupled.add_surface("plate");
  coupled.initialize();
  for (int k = 0; k < 2; ++k) {
    lift(coupled, plate, 0.2);
    ASSERT_TRUE(coupled.solve_step(0.02).converged());
    coupled.accept();
  }
  ASSERT_EQ(coupled.simulation().view(false, false).population->bodies, 9);
  const std::vector<Vec3> bodies = bodies_of(coupled.simulation(), 9);
  constexpr double kFall = 3e-3;
  // A sheet has room on both sides.
  for (std::size_t k = 3; k < bodies.size(); k += 3)
    EXPECT_GT(std::abs(bodies[k].z() - 0.2), 0.05 - kFall) << k;
}

TEST(Participant, CountsNoBodyAsLeftThatFallsTowardsALoweredSurface) {
  Participant coupled = participant(
      deck(kHooke, kBall,
           R"({"shape": "ball", "material": "rock", "position": [0.06, 0.05, 0.3], "velocity": [0, 0, -5]})",
           Sheet(4).text() + R"(, "motion": "coupled")"));
  const Surface plate = coupled.add_surface("plate");
  coupled.initialize();
  lift(coupled, plate, -1);
  ASSERT_TRUE(coupled.solve_step(0.1).converged());
  coupled.accept();
  const double z = bodies_of(coupled.simulation(), 1)[0].z();
  EXPECT_LT(z, -0.2);  // below where the surface was, by more than a diameter
  EXPECT_GT(z, -0.9);
  EXPECT_EQ(coupled.simulation().report().left.count, 0);
}

TEST(Participant, WritesItsLastOutputsAlsoAfterARequestToStop) {
  if (ranks() > 1) GTEST_SKIP() << "the same on any number of ranks";
  const test::Folder folder;
  const std::filesystem::path results = folder.path() / "results";
  {
    Participant coupled =
        Participant::from_text(deck(kHooke, kBall, kTwoBalls, Sheet(2).text() + R"(, "motion": "coupled")",
                                    R"(, "output": {"directory": ")" + results.string() + R"("})"),
                               folder.path() / "deck.json", MPI_COMM_WORLD);
    (void)coupled.add_surface("plate");
    coupled.initialize();
    request_interrupt();
    EXPECT_THROW((void)coupled.solve_step(1e-3), Interrupted);
  }
  clear_interrupt();
  EXPECT_TRUE(std::filesystem::exists(results / "last_state.csv"));
}

TEST(Participant, ForgetsAStepThatWaitsWhereItWritesACheckpoint) {
  if (ranks() > 1) GTEST_SKIP() << "the same on any number of ranks";
  const test::Folder folder;
  Participant coupled = Participant::from_text(
      deck(kHooke, kBall, R"({"shape": "ball", "material": "rock", "position": [0.06, 0.05, 0.0495]})",
           Sheet(4).text() + R"(, "motion": "coupled")",
           R"(, "output": {"checkpoint": {}, "directory": ")" + (folder.path() / "results").string() +
               R"("})"),
      folder.path() / "deck.json", MPI_COMM_WORLD);
  const Surface plate = coupled.add_surface("plate");
  coupled.initialize();
  const auto forces = [&] {
    std::vector<double> all(coupled.mesh(plate).reference.size());
    coupled.forces(plate, all);
    return all;
  };
  const std::vector<double> start = forces();
  ASSERT_TRUE(coupled.solve_step(1e-3).converged());
  EXPECT_NE(forces(), start);
  EXPECT_NE(coupled.write_checkpoint(), "");
  EXPECT_EQ(forces(), start);
  EXPECT_THROW(coupled.accept(), std::logic_error);
  // Both of these start from what is in the file.
  ASSERT_TRUE(coupled.solve_step(1e-3).converged());
  const std::vector<double> first = forces();
  ASSERT_TRUE(coupled.solve_step(1e-3).converged());
  EXPECT_EQ(forces(), first);
  // A bad motion writes one too: here the step that waits is kept.
  std::vector<double> folded(first.size(), 0.0), df(first.size());
  folded[36] = 1;  // of vertex 12
  EXPECT_THROW(coupled.apply_tangent(plate, folded, df, 0.25), InputError);
  EXPECT_EQ(forces(), first);
  ASSERT_TRUE(coupled.solve_step(1e-3).converged());
  coupled.accept();
  EXPECT_NEAR(coupled.time(), 1e-3, 1e-15);
}

TEST(Participant, ReportsTheFirstFaultWhereFilesCannotBeWrittenEither) {
  if (ranks() > 1) GTEST_SKIP() << "the same on any number of ranks";
  const test::Folder folder;
  Participant coupled = Participant::from_text(
      deck(kHooke, kBall, kTwoBalls, Sheet(2).text() + R"(, "motion": "coupled")",
           R"(, "output": {"checkpoint": {}, "final_state": "final.csv", "directory": ")" +
               folder.path().string() + R"("})"),
      folder.path() / "deck.json", MPI_COMM_WORLD);
  const Surface plate = coupled.add_surface("plate");
  coupled.initialize();
  for (const char* name : {"checkpoint.000000.h5.scree-tmp", "final.csv.scree-tmp"})
    std::filesystem::create_directory(folder.path() / name);
  lift(coupled, plate, std::numeric_limits<double>::quiet_NaN());
  try {
    (void)coupled.solve_step(1e-3);
    ADD_FAILURE() << "NaN was accepted";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("got nan as displacement"));
    EXPECT_THAT(error.what(), HasSubstr("No checkpoint could be written: "));
  }
  lift(coupled, plate, 0);
  ASSERT_TRUE(coupled.solve_step(1e-3).converged());
  coupled.accept();
  EXPECT_THROW((void)coupled.finish(), RunError);  // and yet:
  EXPECT_TRUE(std::filesystem::exists(folder.path() / "report.json"));
}

TEST(Participant, SaysThatAStopCriterionHasNoEffect) {
  std::string text = deck(kHooke, kBall, kTwoBalls, Sheet(2).text() + R"(, "motion": "coupled")");
  text.insert(text.find(R"("step")"), R"("stop": {"when": "at rest", "unbalanced_force": 0.01}, )");
  Participant coupled = participant(text);
  coupled.initialize();
  EXPECT_THAT(coupled.simulation().model().notes,
              testing::Contains(HasSubstr("/time/stop: has no effect in a coupled run")));
}

PetscErrorCode count_error(MPI_Comm /*comm*/, int /*line*/, const char* /*function*/, const char* /*file*/,
                           PetscErrorCode error, PetscErrorType /*type*/, const char* /*message*/,
                           void* count) {
  ++*static_cast<int*>(count);
  return error;
}

TEST(Participant, HasMessagesOfPetscInItsErrorsAndLeavesTheHandlersOfTheProgram) {
  constexpr const char* kOption = "-handled_snes_type";
  int older = 0, newer = 0;
  petsc::check(PetscPushErrorHandler(count_error, &older), "setting a handler");
  {
    Participant coupled =
        participant(deck(kHooke, kBall, kTwoBalls, Sheet(2).text() + R"(, "motion": "coupled")"),
                    {.write_outputs = false, .options_prefix = "handled_"});
    petsc::check(PetscPushErrorHandler(count_error, &newer), "setting a handler");
    petsc::check(PetscOptionsSetValue(nullptr, kOption, "nonsense"), "setting an option");
    try {
      coupled.initialize();
      (void)coupled.solve_step(1e-3);
      ADD_FAILURE() << "an unknown type was accepted";
    } catch (const RunError& error) {
      EXPECT_THAT(error.what(), HasSubstr("nonsense"));
    }
    petsc::check(PetscOptionsClearValue(nullptr, kOption), "removing an option");
  }
  EXPECT_EQ(newer, 0);
  petsc::VecHandle vec;
  petsc::check(VecCreateMPI(MPI_COMM_WORLD, 3, PETSC_DETERMINE, vec.put()), "creating a vector");
  EXPECT_THROW(petsc::check(VecSetType(vec, "nonsense"), "choosing a vector"), RunError);
  EXPECT_GT(newer, 0);
  EXPECT_EQ(older, 0);
  petsc::check(PetscPopErrorHandler(), "removing a handler");
  petsc::check(PetscPopErrorHandler(), "removing a handler");
}

}  // namespace
}  // namespace scree::coupling

#include "io/output/output_volume.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/infinity.hpp"
#include "core/shapes/shape.hpp"
#include "io/output/number_format.hpp"

namespace scree {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

/// 1000 spheres that fall for a second, shown each tenth of it.
Model falling(double every = 0.1) {
  Model model;
  model.shapes = {make_sphere("ball", 0.05)};
  model.bodies.resize(1000);
  for (BodyDescription& body : model.bodies) body.shape = 0;
  model.time.end = 1;
  model.time.step = 1e-3;
  model.output.vtk_every = every;
  return model;
}

Model adaptive(double every) {
  Model model = falling(every);
  model.time.adaptive = true;
  model.time.min = 1e-9;
  model.time.max = 1e-2;
  return model;
}

struct Verdict {
  std::vector<Diagnostic> errors, warnings;
};

Verdict judged(const Model& model, const DiskRoom& room) {
  Verdict verdict;
  judge_volume(output_volume(model, 1), room, verdict.errors, verdict.warnings);
  return verdict;
}

TEST(OutputVolume, StatesAreThoseOfTheDueTimesAndTheLast) {
  const auto states = [](const Model& model) {
    const OutputPart part = output_volume(model, 1).parts.at(0);
    return std::pair(part.least, part.most);
  };
  EXPECT_EQ(states(falling(0.1)), std::pair(11.0, 11.0));
  EXPECT_EQ(states(falling(0.3)), std::pair(5.0, 5.0));  // 0, 0.3, 0.6, 0.9, 1
  EXPECT_EQ(states(falling(2)), std::pair(2.0, 2.0));
  EXPECT_EQ(states(falling(0)), std::pair(1001.0, 1001.0));
  EXPECT_EQ(states(falling(1e-12)), std::pair(1001.0, 1001.0));  // at most one per step
  EXPECT_EQ(states(adaptive(0.1)), std::pair(11.0, 11.0));
  EXPECT_EQ(states(adaptive(1e-3)), std::pair(101.0, 1001.0));
  EXPECT_EQ(states(adaptive(0)), std::pair(101.0, 1e9 + 1));
  EXPECT_EQ(states(adaptive(1e-12)), std::pair(101.0, 1e9 + 1));
}

TEST(OutputVolume, OneFileIsNotCalledFiles) {
  Model model = adaptive(-1);
  model.output.contacts_every = 0;
  const std::string note = volume_text(output_volume(model, 1), {1e12, 1e6});
  EXPECT_THAT(note, ::testing::HasSubstr("1 file each"));
}

TEST(OutputVolume, WhatMayEndARunEarlierIsNotCountedAsCertain) {
  Model model = falling(0.1);
  model.time.stop.wanted = true;
  model.time.stop.after = 0.25;
  EXPECT_EQ(output_volume(model, 1).parts.at(0).least, 3);
  EXPECT_EQ(output_volume(model, 1).parts.at(0).most, 11);
  model.time.stop.wanted = false;
  model.outlets.resize(1);
  EXPECT_EQ(output_volume(model, 1).parts.at(0).least, 1);
}

/// Measured: 4,927,361 bytes for the surfaces of 1000 spheres in random places, 157,443 for 1000 boxes; in
/// files with 3,974 bytes for contacts (none) and two of 1 kB that join them.
TEST(OutputVolume, BytesOfAFrameAreWithinATenthOfWhatWasMeasured) {
  constexpr double kContacts = 1000 * 4 * 110;  // the estimate has contacts, the measurement had none
  const OutputPart spheres = output_volume(falling(), 1).parts.at(0);
  EXPECT_NEAR(spheres.bytes_per_state - kContacts, 4927361 + 3974 + 2 * 950, 0.1 * 4927361);
  EXPECT_EQ(spheres.files_per_state, 4);
  Model model = falling();
  model.shapes = {make_box("block", Vec3(0.1, 0.1, 0.1))};
  const OutputPart boxes = output_volume(model, 1).parts.at(0);
  EXPECT_NEAR(boxes.bytes_per_state - kContacts, 157443 + 3974 + 2 * 950, 0.1 * 157443);
  EXPECT_LT(boxes.least_per_state, 0.48 * 157443);  // as small as on a lattice
  EXPECT_EQ(output_volume(model, 4).parts.at(0).files_per_state, 10);
}

TEST(OutputVolume, FarFromTheOriginPointsTakeDoublePrecision) {
  Model model = falling();
  const OutputPart near_origin = output_volume(model, 1).parts.at(0);
  model.bodies[7].position = Vec3(0, -501, 0);  // 10,020 radii
  const OutputPart distant = output_volume(model, 1).parts.at(0);
  constexpr double kMore = 12 * 162 * 1000;
  EXPECT_NEAR(distant.bytes_per_state - near_origin.bytes_per_state, kMore, 1);
  EXPECT_EQ(distant.least_per_state, near_origin.least_per_state);
  model.bodies[7].position = Vec3(0, -499, 0);
  EXPECT_EQ(output_volume(model, 1).parts.at(0).bytes_per_state, near_origin.bytes_per_state);
  model.inlets.resize(1);
  model.inlets[0].low.z() = -501;
  model.inlets[0].entries.assign(1, {0.5, 0});
  EXPECT_GT(output_volume(model, 1).parts.at(0).bytes_per_state - near_origin.bytes_per_state, kMore);
}

TEST(OutputVolume, TrianglesOfBoundariesCountForWhatMayBeWritten) {
  Model model = falling();
  model.walls = {make_surface("sheet", {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}}), make_bore("drum", 1)};
  model.boundary_parts = {{0, Vec3::Zero(), Vec3::UnitZ(), 1}};
  const OutputPart round = output_volume(model, 1).parts.at(0);
  model.walls[0].triangles.resize(1000000);
  for (int k = 0; k < 2; ++k) model.boundary_parts.push_back({0, Vec3::Zero(), Vec3::UnitZ(), 0});
  const OutputVolume volume = output_volume(model, 1);
  const OutputPart& mesh = volume.parts.at(0);
  EXPECT_NEAR(mesh.bytes_per_state - round.bytes_per_state, 80e6, 1);
  EXPECT_NEAR(mesh.fixed_per_state - round.fixed_per_state, 80e6, 1);
  EXPECT_EQ(mesh.least_per_state, round.least_per_state);
  EXPECT_GT(most_bytes_of_state(volume).of(0), 80e6);
}

TEST(OutputVolume, BodiesOfInletsCountForWhatMayBeWritten) {
  Model model = falling();
  const OutputVolume closed = output_volume(model, 1);
  model.output.contacts_every = 0.1;
  model.output.checkpoint.wanted = true;
  model.inlets.resize(1);
  model.inlets[0].entries.assign(1000, {0.5, 0});
  model.inlets[0].entries.resize(1500, {1.5, 0});  // after the end
  const OutputVolume volume = output_volume(model, 1);
  const OutputPart &vtk = volume.parts.at(0), &contacts = volume.parts.at(1);
  EXPECT_EQ(volume.bodies, 2000);
  EXPECT_EQ(vtk.fixed_per_state, closed.parts.at(0).fixed_per_state);
  EXPECT_NEAR(vtk.bytes_per_state - vtk.fixed_per_state,
              2 * (closed.parts.at(0).bytes_per_state - vtk.fixed_per_state), 1);
  EXPECT_EQ(vtk.least_per_state, closed.parts.at(0).least_per_state);
  EXPECT_EQ(contacts.bytes_per_state, 100 + 2000 * 4 * 250);
  EXPECT_EQ(volume.checkpoints, 2 * checkpoint_bytes(2000));
  EXPECT_EQ(volume.once_most, last_state_bytes(2000) + volume.checkpoints);
  EXPECT_EQ(volume.once, last_state_bytes(1000) + 2 * checkpoint_bytes(1000));
  model.inlets[0].entries.resize(5000, {1.5, 0});  // drawn with fewer triangles
  EXPECT_LT(output_volume(model, 1).parts.at(0).bytes_per_state, 0.5 * vtk.bytes_per_state);
}

TEST(OutputVolume, AFrameTakesMemoryForItsTrianglesAndAMeshPerShape) {
  Model model = falling();
  const double one_shape = frame_memory(model, 1);
  EXPECT_NEAR(one_shape, 100.0 * 320 * 1000, 0.001 * one_shape);
  EXPECT_NEAR(frame_memory(model, 4), one_shape / 4, 0.001 * one_shape);
  model.shapes.assign(1000, model.shapes[0]);  // radii of their own; on each rank
  constexpr double kMesh = 162 * 2 * 24 + 320 * 12;
  EXPECT_NEAR(frame_memory(model, 4) - 100.0 * 320 * 1000 / 4, 1000 * kMesh, 1);
  model.output.vtk_every = -1;
  EXPECT_EQ(frame_memory(model, 1), 0);
}

TEST(OutputVolume, WhatIsCertainNotToFitIsRefusedWithItsFigures) {
  EXPECT_TRUE(judged(falling(), {1e9, kInfinity}).errors.empty());
  const Verdict full = judged(falling(), {1e7, kInfinity});  // 11 states of 4 MB
  ASSERT_EQ(full.errors.size(), 1u);
  EXPECT_EQ(full.errors[0].where, "/output/vtk/every");
  EXPECT_THAT(full.errors[0].message,
              HasSubstr("does not fit on the disk: vtk 11 states, 44 files, about 5.5 MB per "
                        "state; total about 60 MB, 10 MB free; required: at least 2"));
  const Verdict files = judged(falling(), {1e9, 43});
  ASSERT_EQ(files.errors.size(), 1u);
  EXPECT_THAT(files.errors[0].message, HasSubstr("44 files, but the disk has space for 43"));
}

TEST(OutputVolume, ARunThatSavesItsLastStateAloneNamesNoEvery) {
  Model model = falling();
  model.output.vtk_every = -1;
  const Verdict full = judged(model, {4096, kInfinity});
  ASSERT_EQ(full.errors.size(), 1u);
  EXPECT_EQ(full.errors[0].where, "/output/directory");
  EXPECT_EQ(
      full.errors[0].message,
      "output does not fit on the disk: 4.1 kB free; required: at least 201 kB. Use a disk with more space "
      "(--output DIR).");
  EXPECT_THAT(judged(model, {3e5, kInfinity}).warnings.at(0).message,
              HasSubstr("may fill the disk: 300 kB free. Use a disk with more"));
}

TEST(OutputVolume, CheckpointsCountAsOftenAsTheyAreThere) {
  Model model = falling();
  model.output.checkpoint.wanted = true;
  model.output.checkpoint.keep = 1000;
  const auto at_a_time = [&model] { return output_volume(model, 1).checkpoints / checkpoint_bytes(1000); };
  EXPECT_EQ(at_a_time(), 2) << "the last one, and one beside it";
  model.output.checkpoint.every = 0.25;
  EXPECT_EQ(at_a_time(), 5);
  model.output.checkpoint.wall_clock = 60;
  EXPECT_EQ(at_a_time(), 1001);
  const Verdict full = judged(model, {1e9, kInfinity});
  ASSERT_EQ(full.errors.size(), 1u);
  EXPECT_EQ(full.errors[0].where, "/output/checkpoint");
  EXPECT_THAT(full.errors[0].message,
              HasSubstr("Use fewer checkpoints (\"keep\"), or a disk with more space"));
  model.output.checkpoint.keep = 2;
  EXPECT_EQ(at_a_time(), 3);
}

TEST(OutputVolume, WhatMayNotFitIsWarnedOf) {
  EXPECT_TRUE(judged(falling(), {1e9, kInfinity}).warnings.empty());
  const Verdict tight = judged(falling(), {1e8, kInfinity});
  EXPECT_TRUE(tight.errors.empty());
  ASSERT_EQ(tight.warnings.size(), 1u);
  EXPECT_THAT(tight.warnings[0].message, HasSubstr("may fill the disk"));
  const Verdict open = judged(adaptive(1e-3), {3e9, kInfinity});  // 101 to 1001 states
  EXPECT_TRUE(open.errors.empty());
  ASSERT_EQ(open.warnings.size(), 1u);
  EXPECT_THAT(open.warnings[0].message, HasSubstr(" to 5.5 GB, 3.0 GB free. Use"));
  EXPECT_THAT(open.warnings[0].message, Not(HasSubstr("at most")));
}

TEST(OutputVolume, AWarningOfARowPerStepNamesTheUpperTotalToo) {
  Model model = adaptive(1e-3);
  model.output.histories.resize(1);
  model.output.histories[0].columns.assign(2, "time");
  const Verdict open = judged(model, {3e9, kInfinity});
  EXPECT_TRUE(open.errors.empty());
  ASSERT_EQ(open.warnings.size(), 1u);
  const OutputVolume volume = output_volume(model, 1);
  const double upper = volume.once_most + 1001 * volume.parts.at(0).bytes_per_state + (1e9 + 1) * 2 * 14;
  EXPECT_THAT(open.warnings[0].message, HasSubstr(" or more, "));
  EXPECT_THAT(open.warnings[0].message,
              HasSubstr("; at most about " + bytes_text(upper) +
                        ", if all 1e+09 steps to the end have the smallest size, 1e-09 s. Use"));
}

TEST(OutputVolume, MoreOftenThanTheSmallestStepMeansAllStatesThatCanBeHad) {
  const DiskRoom disk{1e11, kInfinity};
  const Verdict absurd = judged(adaptive(1e-12), disk);
  ASSERT_EQ(absurd.errors.size(), 1u);
  EXPECT_EQ(absurd.errors[0].where, "/output/vtk/every");
  EXPECT_THAT(absurd.errors[0].message, HasSubstr("1e-12 s is below the smallest step, 1e-09 s"));
  // Each accepted step, and as often as the smallest step: how many there will be is not known.
  EXPECT_TRUE(judged(adaptive(0), disk).errors.empty());
  EXPECT_TRUE(judged(adaptive(0), disk).warnings.empty());
  EXPECT_TRUE(judged(adaptive(1e-9), disk).errors.empty());
  EXPECT_EQ(judged(adaptive(1e-9), disk).warnings.size(), 1u);
}

TEST(OutputVolume, HistoriesAndContactsCountToo) {
  Model model = falling();
  model.output.vtk_every = -1;
  model.output.contacts_every = 0.1;
  model.output.histories.resize(1);
  model.output.histories[0].file = "energy.csv";
  model.output.histories[0].every = 0;
  model.output.histories[0].columns.assign(10, "time");
  const OutputVolume volume = output_volume(model, 1);
  ASSERT_EQ(volume.parts.size(), 2u);
  EXPECT_EQ(volume.parts[0].least * volume.parts[0].files_per_state, 11);
  EXPECT_EQ(volume.parts[1].least, 1001);
  Verdict verdict;
  judge_volume(volume, {volume.once + 1001 * 20, kInfinity}, verdict.errors, verdict.warnings);
  EXPECT_EQ(verdict.errors.size(), 1u);  // two bytes a column, and the headers of contacts
  EXPECT_THAT(volume_text(volume, {1e12, kInfinity}),
              HasSubstr("contacts 11 states, 11 files, about 1.0 MB per state; 1 history; total about 1"));
  model.output.contacts_every = -1;
  model.output.histories.clear();
  EXPECT_EQ(volume_text(output_volume(model, 1), {1, 1}), "");
}

TEST(OutputVolume, TheRoomOfAFolderThatIsNotThereIsThatOfTheNextAboveIt) {
  EXPECT_GT(room_at("/tmp/not/there").bytes, 0);
  EXPECT_EQ(room_at("/tmp/not/there").files, room_at("/tmp").files);
  EXPECT_GT(room_at("relative").bytes, 0);
}

TEST(OutputVolume, TheRoomIsCheckedWhereFilesAreDueAndElseEachHundredthStep) {
  Model model = falling(0.1);
  model.output.histories.resize(1);
  model.output.histories[0].every = 0;
  const auto checked = [&model](long step) {
    AcceptedState state;
    state.step_number = step;
    state.step = 0.02;
    state.time = 0.02 * static_cast<double>(step);
    return is_room_checked(model.output, state);
  };
  for (const long step : {0, 5, 10, 100}) EXPECT_TRUE(checked(step)) << step;  // 0.1 s are 5 steps
  for (const long step : {2, 3, 4, 7, 9}) EXPECT_FALSE(checked(step)) << step;
  model.output.vtk_every = -1;
  EXPECT_FALSE(checked(5));
  EXPECT_TRUE(checked(200));
  model.output.checkpoint.every = 0.1;
  EXPECT_FALSE(checked(5));
  model.output.checkpoint.wanted = true;
  EXPECT_TRUE(checked(5));
  model.output.checkpoint.wanted = false;
  model.output.contacts_every = 0;
  EXPECT_TRUE(checked(7));
}

}  // namespace
}  // namespace scree

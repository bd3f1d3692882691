#include <numbers>
#include <string>
#include <vector>

#include "core/rotation.hpp"
#include "io/deck/deck_fixture.hpp"

namespace scree {
namespace {

using nlohmann::json;
using test::Folder;
using test::good_deck;
using ::testing::HasSubstr;

json deck_moving(const json& keys) {
  json deck = good_deck();
  json body = {{"name", "anvil"},
               {"shape", "tet"},
               {"material", "rock"},
               {"position", {1, 1, 6}},
               {"motion", {{"velocity", {0, 0, -1}}}}};
  body.update(keys);
  deck["bodies"].insert(deck["bodies"].begin(), body);
  deck["loads"][1]["body"] = 1;
  return deck;
}

TEST(DeckMovingSolids, AreBoundariesWithTheShapeOfABody) {
  const Folder folder;
  const json turn = {{"axis", {0, 0, 1}}, {"angle_deg", 90}};
  json deck = deck_moving({{"orientation", turn}, {"group", "tools"}});
  deck["output"]["histories"].push_back({{"file", "anvil.csv"}, {"boundary", "anvil"}});
  const Model model = read(folder, deck).model;
  EXPECT_EQ(model.body_count(), 5);  // it has no number
  EXPECT_EQ(model.bodies[0].name, "b1");
  const BoundaryDescription& anvil = model.boundaries.back();
  EXPECT_EQ(anvil.name, "anvil");
  EXPECT_EQ(anvil.motion.velocity, Vec3(0, 0, -1));
  EXPECT_EQ(anvil.motion.about, Vec3(1, 1, 6));
  EXPECT_EQ(model.materials[anvil.material].name, "rock@tools");
  const BoundaryPart& part = model.boundary_parts.back();
  EXPECT_EQ(part.boundary, 2);
  EXPECT_EQ(part.point, Vec3(1, 1, 6));
  const Shape& given = model.shapes.back();
  ASSERT_EQ(given.name, "tet");
  const Shape& solid = model.walls.at(static_cast<std::size_t>(part.wall));
  EXPECT_FALSE(solid.open);
  const Mat3 about_z = rotation::matrix({0, 0, 2});  // a quarter turn: 2 tan(45 degrees)
  for (std::size_t v = 0; v < given.vertices.size(); ++v)
    EXPECT_NEAR((solid.vertices[v] - about_z * given.vertices[v]).norm(), 0, 1e-16);
  for (std::size_t f = 0; f < given.faces.size(); ++f)
    EXPECT_NEAR((solid.faces[f].normal - about_z * given.faces[f].normal).norm(), 0, 1e-15);
  deck["bodies"][0]["position_of"] = "mesh origin";
  const Model at_origin = read(folder, deck).model;
  EXPECT_NEAR((at_origin.boundary_parts.back().point - Vec3(1 - 0.025, 1.025, 6.025)).norm(), 0, 1e-15);
}

TEST(DeckMovingSolids, CapsulesKeepTheirAxis) {
  const Folder folder;
  const Model model =
      read(folder, deck_moving({{"shape", "rod"}, {"orientation", {{"axis", {0, 1, 0}}, {"angle_deg", 90}}}}))
          .model;
  EXPECT_NEAR((model.boundary_parts.back().normal - Vec3::UnitX()).norm(), 0, 1e-15);
  EXPECT_EQ(model.walls.back().vertices, model.shapes[2].vertices);
}

TEST(DeckMovingSolids, NotesCountThemAsBoundaries) {
  const Folder folder;
  const auto notes = [&](const json& motion) {
    std::string all;
    for (const std::string& note : read(folder, deck_moving({{"motion", motion}})).model.notes)
      all += note + '\n';
    return all;
  };
  const json still = {{"velocity", {0, 0, 0}}}, moving = {{"velocity", {0, 0, 1}}};
  EXPECT_THAT(notes(still), HasSubstr("/bodies/0/motion: has no motion: its velocities are 0."));
  EXPECT_THAT(notes(moving), ::testing::Not(HasSubstr("/bodies/0/motion")));
  EXPECT_THAT(notes(moving), HasSubstr("unused shapes: \"rod\"."));
}

/// @returns the notes on a deck whose solid has this table.
std::string notes_on_table(const std::string& table) {
  const Folder folder;
  folder.write("stroke.csv", table);
  std::string all;
  for (const std::string& note :
       read(folder, deck_moving({{"motion", {{"table", "stroke.csv"}}}})).model.notes)
    all += note + '\n';
  return all;
}

/// A table of positions instead of displacements has the solid elsewhere from the start.
TEST(DeckMovingSolids, ATableThatMovesThemAtTheStartIsNoted) {
  const auto notes = notes_on_table;
  const std::string where = "/bodies/0/motion/table: stroke.csv: ";
  EXPECT_THAT(notes("time,x,y,z\n0,1,1,6\n1,1,1,4\n"),
              HasSubstr(where + "displacement [1, 1, 6] m at t = 0: \"anvil\" starts at [2, 2, 12] m, not at "
                                "[1, 1, 6] m as in the deck.\n"));
  EXPECT_THAT(notes("time,x,y,z,rx,ry,rz\n0,0,0,0,0,0,1\n1,0,0,0,0,0,2\n"),
              HasSubstr(where + "rotation at t = 0: \"anvil\" starts turned, not as in the deck.\n"));
  // Between rows, the start is where the table has it.
  EXPECT_THAT(notes("time,x,y,z\n-1,0,0,1\n1,0,0,-1\n"), ::testing::Not(HasSubstr("motion/table")));
  EXPECT_THAT(notes("time,x,y,z\n-1,0,0,0\n1,0,0,2\n"),
              HasSubstr(where + "displacement [0, 0, 1] m at t = 0"));
}

/// @returns a table of angles about y, at times 0, `step`, 2 `step`...
std::string table_of_angles(double step, const std::vector<double>& angles) {
  std::string table = "time,x,y,z,ry\n";
  for (std::size_t k = 0; k < angles.size(); ++k)
    table += std::to_string(static_cast<double>(k) * step) + ",0,0,0," + std::to_string(angles[k]) + '\n';
  return table;
}

TEST(DeckMovingSolids, TablesInDegreesOrMillimetresAreNoted) {
  const std::string where = "/bodies/0/motion/table: stroke.csv: ";
  EXPECT_THAT(
      notes_on_table(table_of_angles(0.5, {0, 360})),
      HasSubstr(where + "rotations up to 360 rad: \"anvil\" turns by 57.3 turns from t = 0 s to 0.5 s "
                        "(720 rad/s). rx, ry, rz are in rad, not in degrees.\n"));
  EXPECT_THAT(notes_on_table(table_of_angles(0.5, {0, -22.5, -45, -67.5, -90})),
              HasSubstr(where + "rotations up to 90 rad: \"anvil\" turns by 3.58 turns from"));
  EXPECT_THAT(
      notes_on_table(table_of_angles(0.005, {0, 2.5, 8.25, 5})),
      HasSubstr(where + "rotations up to 8.25 rad: \"anvil\" turns by 0.915 turns from t = 0.005 s to "
                        "0.01 s (1.15e+03 rad/s)"));
  EXPECT_THAT(
      notes_on_table("time,x,y,z\n0,0,0,0\n0.1,0,0,-20\n0.2,0,0,-19\n"),
      HasSubstr(where + "\"anvil\" moves by 20 m from t = 0 s to 0.1 s (200 m/s). x, y, z are in m, not "
                        "in mm.\n"));
}

TEST(DeckMovingSolids, AnglesLimitedToOneTurnAreNoted) {
  const std::string note =
      "/bodies/0/motion/table: stroke.csv: \"anvil\" turns back by 0.9 turns from t = 0.2 s to 0.25 s (113 "
      "rad/s), "
      "against the rotation before and after. rx, ry, rz are not limited to one turn: remove jumps of 2 pi "
      "rad.\n";
  EXPECT_THAT(notes_on_table(table_of_angles(
                  0.05, {0, 0.628319, 1.256637, 1.884956, 2.513274, -3.141593, -2.513274, -1.884956})),
              HasSubstr(note));
  // The other way around, and faster from row to row.
  EXPECT_THAT(notes_on_table(table_of_angles(0.05, {0, -0.2, -0.6, -1.2, -2, -3, 2.083185, 0.683185})),
              HasSubstr("turns back by 0.809 turns from t = 0.25 s to 0.3 s (102 rad/s)"));
}

TEST(DeckMovingSolids, FastMotionsAreNotNoted) {
  const double turn = 2 * std::numbers::pi;
  for (const std::string& table : {
           table_of_angles(1, {0, 20 * turn, 40 * turn}),                    // a drum
           table_of_angles(0.5, {0, 20 * turn, 0}),                          // that comes back
           table_of_angles(0.1, {0, 0.75 * turn, 1.5 * turn, 2.25 * turn}),  // coarse
           table_of_angles(0.1, {0, turn, 2 * turn, 2 * turn}),              // full turns, then rest
           table_of_angles(0.1, {0, turn / 3, -turn / 3, 0}),                // rocks
           table_of_angles(0.1, {0, 0.75 * turn, 0, 0.75 * turn, 0}),        // rocks further
           table_of_angles(0.1, {0, 5e-5, 0}),                               // vibrates
           table_of_angles(0.1, {0, 0.6, 1.2, 1.8, 2.4, 3, 3.6, 0, 0.6}),    // quick return
           std::string("time,x,y,z\n0,0,0,0\n0.0025,0,0,0.002\n0.0075,0,0,-0.002\n"),  // shaker, 100 Hz
       }) {
    EXPECT_THAT(notes_on_table(table), ::testing::Not(HasSubstr("motion/table"))) << table;
  }
}

TEST(DeckMovingSolids, MistakesAreNamed) {
  const Folder folder;
  const auto complaint = [&](const json& keys) { return test::complaints(folder, deck_moving(keys).dump()); };
  EXPECT_THAT(complaint({{"motion", {{"velocity", {1e9, 0, 0}}}}}),
              HasSubstr("/bodies/0/motion/velocity: boundary \"anvil\": got 1e+09 m/s"));
  EXPECT_THAT(complaint({{"mass", 2}}), HasSubstr("/bodies/0/mass: not a key of \"motion\""));
  EXPECT_THAT(complaint({{"fixed", true}}), HasSubstr("/bodies/0/fixed: not a key of \"motion\""));
  EXPECT_THAT(complaint({{"name", "floor"}}), HasSubstr("/bodies/0: duplicate boundary name \"floor\""));
  EXPECT_THAT(complaint({{"motion", "coupled"}}),
              HasSubstr("/bodies/0/motion: got \"coupled\"; expected an object with one of \"table\""));
  EXPECT_THAT(complaint({{"motion", json::object()}}), HasSubstr("/bodies/0/motion: no motion defined"));
  EXPECT_THAT(complaint({{"position", {-2, 0, 1}}, {"shape", "none"}}), HasSubstr("unknown shape \"none\""));
  json deck = deck_moving(json::object());
  deck["shapes"]["egg"] = {{"type", "superquadric"}, {"half_axes", {0.1, 0.1, 0.2}}, {"blockiness", {2, 2}}};
  deck["bodies"][0]["shape"] = "egg";
  EXPECT_THAT(test::complaints(folder, deck.dump()),
              HasSubstr("/bodies/0/shape: shape \"egg\" is a superquadric: not supported with \"motion\""));
  deck = deck_moving(json::object());
  deck["loads"][0]["body"] = "anvil";
  EXPECT_THAT(test::complaints(folder, deck.dump()), HasSubstr("\"anvil\" is a boundary, as is a body with"));
}

TEST(DeckMovingSolids, HoldNoBodiesInsideWhereTheyAreNotConvex) {
  const Folder folder;
  json deck = deck_moving({{"shape", "angle"}, {"position", {0.5, 0, 1}}});
  deck["shapes"]["angle"] = json::parse(R"({
    "type": "polyhedron", "scale": 0.2,
    "vertices": [[0, 0, -1], [2, 0, -1], [2, 1, -1], [1, 1, -1], [1, 2, -1], [0, 2, -1],
                 [0, 0, 1], [2, 0, 1], [2, 1, 1], [1, 1, 1], [1, 2, 1], [0, 2, 1]],
    "faces": [[0, 3, 2], [0, 2, 1], [0, 5, 4], [0, 4, 3], [6, 8, 9], [6, 7, 8], [6, 10, 11], [6, 9, 10],
              [0, 1, 7, 6], [1, 2, 8, 7], [2, 3, 9, 8], [3, 4, 10, 9], [4, 5, 11, 10], [5, 0, 6, 11]]})");
  EXPECT_THAT(test::complaints(folder, deck.dump()), HasSubstr("inside boundary \"anvil\""));
}

}  // namespace
}  // namespace scree

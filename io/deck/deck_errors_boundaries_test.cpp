/// Wrong boundaries and wrong motions of them, each with its message.
#include <gtest/gtest.h>

#include "io/deck/deck_fixture.hpp"

namespace scree {
namespace {

using nlohmann::json;
using test::complaints;
using test::expect_refused;
using test::Folder;
using test::good_deck;
using test::Mistake;
using ::testing::HasSubstr;
using ::testing::Not;

class WrongBoundary : public ::testing::TestWithParam<Mistake> {};

TEST_P(WrongBoundary, IsRefusedWithItsMessage) { expect_refused(GetParam()); }

// A history of the good deck refers to the floor: its name has to stay.
INSTANTIATE_TEST_SUITE_P(
    Geometry, WrongBoundary,
    ::testing::Values(
        Mistake{
            "cylinder_without_axis",
            "/boundaries/0",
            R"({"name": "floor", "type": "cylinder", "point": [0, 0, 0], "radius": 5, "inside": true, "material": "rock"})",
            "/boundaries/0",
            {"\"axis\" is missing; expected three numbers"}},
        Mistake{
            "cylinder_of_zero_axis",
            "/boundaries/0",
            R"({"name": "floor", "type": "cylinder", "point": [0, 0, 0], "axis": [0, 0, 0], "radius": 5, "inside": true,
                    "material": "rock"})",
            "/boundaries/0/axis",
            {"got [0, 0, 0]; expected a direction, not zero"}},
        Mistake{
            "cylinder_of_no_radius",
            "/boundaries/0",
            R"({"name": "floor", "type": "cylinder", "point": [0, 0, 0], "axis": [0, 0, 1], "radius": 0, "inside": true,
                    "material": "rock"})",
            "/boundaries/0/radius",
            {"got 0; expected a number [m] > 0"}},
        Mistake{
            "cylinder_of_neither_side",
            "/boundaries/0",
            R"({"name": "floor", "type": "cylinder", "point": [0, 0, 0], "axis": [0, 0, 1], "radius": 5, "material": "rock"})",
            "/boundaries/0",
            {"\"inside\" is missing; expected true or false"}},
        Mistake{
            "finite_cylinder_from_outside",
            "/boundaries/0",
            R"({"name": "floor", "type": "cylinder", "point": [0, 0, -9], "axis": [1, 0, 0], "radius": 5, "length": 3,
                    "inside": false, "material": "rock"})",
            "/boundaries/0/length",
            {"cannot be combined with \"inside\": false, /boundaries/0/inside"}},
        Mistake{
            "open_end_of_an_endless_cylinder",
            "/boundaries/0",
            R"({"name": "floor", "type": "cylinder", "point": [0, 0, 2], "axis": [0, 1, 0], "radius": 5, "open": ["+"],
                    "inside": true, "material": "rock"})",
            "/boundaries/0/open",
            {"requires \"length\""}},
        Mistake{
            "body_outside_of_a_drum",
            "/boundaries/0",
            R"({"name": "floor", "type": "cylinder", "point": [0, 0, 2.5], "axis": [0, 1, 0], "radius": 1.51, "inside": true,
                    "material": "rock"})",
            "/bodies/1",
            {"centre of mass [0.5, 0, 1] lies on the wrong side of boundary \"floor\": 0.07113883",
             "m behind the surface"}},
        Mistake{
            "body_inside_of_a_ball",
            "/boundaries/0",
            R"({"name": "floor", "type": "sphere", "point": [0.5, 0, 1.1], "radius": 0.2, "inside": false, "material": "rock"})",
            "/bodies/1",
            {"centre of mass [0.5, 0, 1] lies inside boundary \"floor\": 0.0"}},
        Mistake{
            "cone_of_no_radius",
            "/boundaries/0",
            R"({"name": "floor", "type": "cone", "point": [0, 0, 2], "axis": [0, 0, 1], "length": 1, "radius": [0, 0],
                    "material": "rock"})",
            "/boundaries/0/radius",
            {"got [0, 0]", "at least one radius > 0"}},
        Mistake{
            "cone_of_one_radius",
            "/boundaries/0",
            R"({"name": "floor", "type": "cone", "point": [0, 0, 2], "axis": [0, 0, 1], "length": 1, "radius": 0.5,
                    "material": "rock"})",
            "/boundaries/0/radius",
            {"got 0.5", "two numbers"}},
        Mistake{
            "cone_of_two_faces",
            "/boundaries/0",
            R"({"name": "floor", "type": "cone", "point": [0, 0, 2], "axis": [0, 0, 1], "length": 1, "radius": [0, 1],
                    "faces": 2, "material": "rock"})",
            "/boundaries/0/faces",
            {"got 2", "[3, 720]"}},
        Mistake{"surface_without_mesh",
                "/boundaries/0",
                R"({"name": "floor", "type": "surface", "material": "rock"})",
                "/boundaries/0",
                {"expected either \"file\", or \"vertices\" and \"faces\""}},
        Mistake{"surface_without_file",
                "/boundaries/0",
                R"({"name": "floor", "type": "surface", "file": "hopper.stl", "material": "rock"})",
                "/boundaries/0/file",
                {"hopper.stl: cannot be read: No such file or directory"}},
        Mistake{
            "neighbours_that_disagree",
            "/boundaries/0",
            R"({"name": "floor", "type": "surface", "vertices": [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]],
                    "faces": [[0, 1, 2], [0, 3, 2]], "material": "rock"})",
            "/boundaries/0",
            {"faces 0 and 1 traverse the edge from vertex 2 [1, 1, 0] to 0"}}));

INSTANTIATE_TEST_SUITE_P(
    Motion, WrongBoundary,
    ::testing::Values(
        Mistake{"no_motion",
                "/boundaries/0/motion",
                "{}",
                "/boundaries/0/motion",
                {"no motion defined; expected \"velocity\", \"angular_velocity\" or \"table\""}},
        Mistake{"table_as_motion",
                "/boundaries/0/motion",
                "\"shake.csv\"",
                "/boundaries/0/motion",
                {"got \"shake.csv\"; expected an object with one of \"table\""}},
        Mistake{"table_and_velocity",
                "/boundaries/0/motion",
                R"({"table": "shake.csv", "velocity": [0, 0, 1]})",
                "/boundaries/0/motion/velocity",
                {"not a key of \"table\"", "/boundaries/0/motion/table: shake.csv: cannot be read"},
                2},
        Mistake{"no_table",
                "/boundaries/0/motion",
                R"({"table": "shake.csv"})",
                "/boundaries/0/motion/table",
                {"shake.csv: cannot be read: No such file or directory"}},
        Mistake{"two_numbers",
                "/boundaries/0/motion",
                R"({"velocity": [0, 1]})",
                "/boundaries/0/motion/velocity",
                {"got [0, 1]; expected three numbers [m/s]"}}));

/// @returns what is wrong with a deck of one ball of 0.05 m in the middle of a round wall of this radius.
std::string complaints_of_fit(const char* type, double radius) {
  json deck = good_deck();
  deck["bodies"] = json::array({deck["bodies"][1]});
  deck.erase("loads");
  deck["output"].erase("histories");
  deck["boundaries"] = json::array(
      {{{"type", type}, {"point", {0.5, 0, 1}}, {"radius", radius}, {"inside", true}, {"material", "rock"}}});
  if (std::string(type) == "cylinder") deck["boundaries"][0]["axis"] = {0, 1, 0};
  const Folder folder;
  return complaints(folder, deck.dump());
}

TEST(RoundWall, WhatFitsInTooTightlyIsRefused) {
  for (const char* type : {"cylinder", "sphere"}) {
    EXPECT_EQ(complaints_of_fit(type, 0.0511), "");
    EXPECT_THAT(
        complaints_of_fit(type, 0.0509),
        HasSubstr("deck.json: /boundaries/0/radius: inner radius 0.0509 m is too small for shape \"ball\" "
                  "(/shapes/ball): expected more than its radius, 0.05 m + threshold 0.001 m "
                  "(/interfaces/0/normal/threshold)"));
  }
}

/// @returns what is wrong with a deck whose floor moves by this table.
std::string complaints_of_table(const std::string& table) {
  const Folder folder;
  folder.write("shake.csv", table);
  json deck = good_deck();
  deck["boundaries"][0]["motion"]["table"] = "shake.csv";
  return complaints(folder, deck.dump());
}

TEST(MotionTable, IsTakenWithAndWithoutRotation) {
  EXPECT_EQ(complaints_of_table("time,x,y,z\n0,0,0,0\n1,0,0,-0.1\n"), "");
  EXPECT_EQ(complaints_of_table("# shaker\ntime,x,y,z,rx,ry,rz\n0,0,0,0,0,0,0\n1,0,0,-0.1,0.1,0,0\n"), "");
}

TEST(MotionTable, FaultsAreToldWithTheirLines) {
  const std::string pointer = "deck.json: /boundaries/0/motion/table: ";
  EXPECT_THAT(complaints_of_table("time,x,y,z\n0,0,0,0\n0.5,0,0,0\n0.5,0,0,1\n"),
              HasSubstr(pointer + "shake.csv:4: got time 0.5; expected increasing times [s]: > 0.5."));
  EXPECT_THAT(complaints_of_table("time,x,y\n0,0,0\n"),
              HasSubstr(pointer + "shake.csv: the column \"z\" is missing."));
  EXPECT_THAT(complaints_of_table("time,x,y,z\n0,0,0,up\n"),
              HasSubstr(pointer + "shake.csv:2: z: got \"up\"; expected a number."));
  EXPECT_THAT(
      complaints_of_table("time,x,y,z\n0,0,0,1e80\n"),
      HasSubstr(pointer + "shake.csv:2: z: got 1e80; expected 0 or a magnitude between 1e-60 and 1e+60"));
  EXPECT_THAT(complaints_of_table("time,x,y,z\n"), HasSubstr("shake.csv: no rows"));
  EXPECT_THAT(complaints_of_table("time,x,y,z,yaw\n0,0,0,0,0\n"), HasSubstr("unknown column \"yaw\""));
}

TEST(MotionTable, PlacesTheWallAtTheStart) {
  // The floor starts 2 m higher than in the deck, above the bodies.
  EXPECT_THAT(
      complaints_of_table("time,x,y,z\n0,0,0,2\n1,0,0,0\n"),
      HasSubstr(
          "/bodies/1: centre of mass [0.5, 0, 1] lies on the wrong side of boundary \"floor\": 1 m behind"));
}

TEST(Boundaries, ARingMayGoAroundASolidOne) {
  const Folder folder;
  json deck = good_deck();
  const auto square = [](double half, double z) {
    return json::array({{-half, -half, z}, {half, -half, z}, {half, half, z}, {-half, half, z}});
  };
  json vertices = json::array();
  for (const double z : {-0.05, 0.05}) {
    for (const double half : {0.3, 0.2}) {
      for (const json& vertex : square(half, z)) vertices.push_back(vertex);
    }
  }
  json faces = json::array();
  for (int k = 0; k < 4; ++k) {
    const int l = (k + 1) % 4;
    faces.push_back({k, l, l + 8, k + 8});
    faces.push_back({l + 4, k + 4, k + 12, l + 12});
    faces.push_back({k + 8, l + 8, l + 12, k + 12});
    faces.push_back({l, k, k + 4, l + 4});
  }
  deck["shapes"]["ring"] = {{"type", "polyhedron"}, {"vertices", vertices}, {"faces", faces}};
  deck["bodies"][1]["shape"] = "ring";
  deck["boundaries"][0] =
      json::parse(R"({"name": "floor", "type": "cylinder", "point": [0.5, 0, 0.5], "axis": [0, 0, 1],
    "radius": 0.1, "inside": false, "material": "rock"})");
  EXPECT_THAT(test::complaints(folder, deck.dump()), Not(HasSubstr("lies inside boundary")));
  deck["bodies"][1]["shape"] = "block";
  EXPECT_THAT(test::complaints(folder, deck.dump()), HasSubstr("lies inside boundary \"floor\""));
}

TEST(Boundaries, AreBuiltAsTheDeckSays) {
  const Folder folder;
  json deck = good_deck();
  deck["boundaries"][0] =
      json::parse(R"({"name": "floor", "type": "cylinder", "point": [0, 0, 2], "axis": [0, 0, 2],
    "radius": 6, "length": 8, "inside": true, "open": ["+"], "material": "rock",
    "motion": {"velocity": [0, 0, 0.1], "angular_velocity": [0, 0, 1], "about": [1, 0, 0]}})");
  const Deck read = test::read(folder, deck);
  const Model& model = read.model;
  ASSERT_EQ(model.walls.size(), 1u);
  EXPECT_EQ(model.walls[0].kind, ShapeKind::bore);
  EXPECT_EQ(model.walls[0].hollow_radius, 6);
  EXPECT_EQ(model.boundary_parts[0].wall, 0);
  EXPECT_EQ(model.boundary_parts[0].normal, Vec3(0, 0, 1));
  EXPECT_EQ(model.boundary_parts[1].wall, -1);
  EXPECT_EQ(model.boundary_parts[1].point, Vec3(0, 0, -2));
  EXPECT_EQ(model.boundary_parts[1].normal, Vec3(0, 0, 1));
  EXPECT_EQ(model.boundary_parts[2].boundary, 1);  // one end only
  EXPECT_EQ(model.boundaries[0].motion.about, Vec3(1, 0, 0));
  EXPECT_EQ(model.boundaries[0].motion.angular_velocity, Vec3(0, 0, 1));
  EXPECT_EQ(model.boundaries[0].reference, Vec3(0, 0, 2));
}

}  // namespace
}  // namespace scree

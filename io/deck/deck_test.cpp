#include "io/deck/deck.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "io/deck/deck_fixture.hpp"
#include "solvers/model_check.hpp"

namespace scree {
namespace {

using nlohmann::json;
using test::Folder;
using test::good_deck;

TEST(Deck, ValuesArriveInTheModel) {
  const Folder folder;
  const Deck deck = read(folder, good_deck());
  const Model& m = deck.model;
  EXPECT_TRUE(deck.warnings.empty());
  EXPECT_EQ(m.gravity, Vec3(0, 0, -9.81));
  EXPECT_FALSE(m.time.adaptive);
  EXPECT_DOUBLE_EQ(m.time.step, 1e-4);
  EXPECT_EQ(m.solver.linear, LinearChoice::direct);
  ASSERT_EQ(m.bodies.size(), 5u);
  const BodyDescription& block = m.bodies[0];
  EXPECT_EQ(block.name, "b1");
  EXPECT_EQ(m.shapes[block.shape].name, "block");
  EXPECT_DOUBLE_EQ(block.mass, 2.0);
  EXPECT_NEAR(block.inertia_B(0, 0), 2.0 / 6 * 0.01, 1e-16);
  EXPECT_NEAR(block.orientation.w(), std::cos(std::numbers::pi / 12), 1e-15);
  EXPECT_NEAR(block.orientation.x(), std::sin(std::numbers::pi / 12), 1e-15);
  EXPECT_EQ(block.velocity, Vec3(1, 0, 0));
  // "mass" alone scales the inertia of the shape: 2/5 m r^2.
  EXPECT_NEAR(m.bodies[1].inertia_B(2, 2), 0.4 * 2 * 0.0025, 1e-16);
  EXPECT_EQ(std::get<elements::MomentLoad>(m.loads[1]).body, 1);
  EXPECT_EQ(std::get<elements::ForceLoad>(m.loads[0]).ramp.size(), 2u);
  EXPECT_DOUBLE_EQ(m.boundaries[1].active_until, 1.0);
  EXPECT_EQ(m.output.histories[2].boundary, 0);
  EXPECT_DOUBLE_EQ(m.output.vtk_every, 0.1);
  EXPECT_LT(m.output.contacts_every, 0);
  EXPECT_EQ(m.output.directory, "results/deck");
  const auto& interface = m.interfaces.at(m.interface_of[0][1]);
  EXPECT_DOUBLE_EQ(std::get<contact::BarrierParameters>(interface.normal).stiffness, 2.8e13);
  EXPECT_DOUBLE_EQ(std::get<contact::BarrierParameters>(interface.normal).exponent, 3);
  EXPECT_DOUBLE_EQ(interface.friction.dynamic_coefficient, 0.4);
  EXPECT_EQ(interface.friction.active.size(), 2u);
}

TEST(Deck, IsShortenedToATimeWithinIt) {
  const Folder folder;
  Model model = read(folder, good_deck()).model;
  const auto complaint = [&model](double end) {
    try {
      shorten(model, end);
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_THAT(complaint(1.5),
              ::testing::HasSubstr("--end: got 1.5; expected a time [s] > 0 and at most /time/end, 1."));
  for (const double wrong : {0.0, -1.0, std::nan("")})
    EXPECT_THAT(complaint(wrong), ::testing::HasSubstr("> 0"));
  EXPECT_THAT(complaint(0.5e-4), ::testing::HasSubstr("not below the fixed step, 1e-04"));
  EXPECT_EQ(model.time.end, 1);
  EXPECT_EQ(complaint(0.25), "");
  EXPECT_EQ(model.time.end, 0.25);
  EXPECT_EQ(complaint(0.25), "");
}

TEST(Deck, WhatItsShorterRunDoesNotReachIsNoFault) {
  json deck = good_deck();
  deck["time"] = {{"end", 1},
                  {"step", {{"initial", 1e-3}, {"min", 1e-5}, {"max", 1e-2}}},
                  {"stop", {{"when", "at rest"}, {"kinetic_energy", 1}, {"after", 0.5}}}};
  const Folder folder;
  const Model whole = read(folder, deck).model;
  for (const double end : {0.75, 0.25, 1e-4, 1e-6}) {
    Model model = whole;
    shorten(model, end);
    EXPECT_TRUE(faults_of(model).empty()) << end;
    EXPECT_EQ(model.time.step, std::min(1e-3, end));
    EXPECT_EQ(model.time.stop.wanted, end > 0.5);
  }
}

TEST(Deck, BoxBoundaryIsPlanesWithNormalsInwardsWithoutTheOpenSides) {
  const Folder folder;
  const Deck deck = read(folder, good_deck());
  const Vec3 inside(0, 0, 2);
  int walls = 0;
  for (const auto& part : deck.model.boundary_parts) {
    if (part.boundary != 1) continue;
    ++walls;
    EXPECT_GT(part.normal.dot(inside - part.point), 0);
    EXPECT_DOUBLE_EQ(part.normal.z(), 0);
  }
  EXPECT_EQ(walls, 4);
}

TEST(Deck, GivenInertiaAndFixedDirectionsOverride) {
  json deck = good_deck();
  deck["bodies"][0]["inertia"] = {1e-3, 2e-3, 2.5e-3};
  deck["bodies"][0]["fixed"] = {"x", "rz"};
  deck["bodies"][0].erase("velocity");
  deck["bodies"][1]["fixed"] = true;
  deck.erase("loads");
  const Folder folder;
  const Deck read_back = read(folder, deck);
  const auto& bodies = read_back.model.bodies;
  EXPECT_DOUBLE_EQ(bodies[0].inertia_B(2, 2), 2.5e-3);
  EXPECT_EQ(bodies[0].fixed, (std::array<bool, 6>{true, false, false, false, false, true}));
  EXPECT_EQ(bodies[1].fixed, (std::array<bool, 6>{true, true, true, true, true, true}));
}

TEST(Deck, LastMatchingInterfaceWins) {
  json deck = good_deck();
  json special = deck["interfaces"][0];
  special["between"] = {"foam", "rock"};
  special["normal"]["stiffness"] = 1.0;
  deck["interfaces"].push_back(special);
  const Folder folder;
  const Model m = read(folder, deck).model;  // materials in the order of the text: foam, rock
  EXPECT_EQ(m.interface_of, (std::vector<std::vector<int>>{{0, 1}, {1, 0}}));
}

TEST(Deck, OrientationsInThreeWaysAreTheSame) {
  const double angle = 1.1;
  const Vec3 axis = Vec3(1, 2, -2) / 3;
  const auto turned = [&](const json& orientation) {
    json deck = good_deck();
    deck["bodies"][0]["orientation"] = orientation;
    const Folder folder;
    return read(folder, deck).model.bodies[0].orientation;
  };
  const Quat a = turned({{"axis", {1, 2, -2}}, {"angle_deg", angle * 180 / std::numbers::pi}});
  const double s = 3 * std::sin(angle / 2), r = 2 * std::tan(angle / 2);
  const Quat b =
      turned({{"quaternion", {3 * std::cos(angle / 2), s * axis.x(), s * axis.y(), s * axis.z()}}});
  const Quat c = turned({{"rodrigues", {r * axis.x(), r * axis.y(), r * axis.z()}}});
  EXPECT_NEAR((a.coeffs() - b.coeffs()).norm(), 0, 1e-15);
  EXPECT_NEAR((a.coeffs() - c.coeffs()).norm(), 0, 1e-15);
}

TEST(Deck, GeneratedBodiesAreTheSameEachTimeAndClearOfTheRest) {
  const Folder folder;
  json deck = good_deck();
  deck["bodies"][2]["count"] = 200;
  const auto first = read(folder, deck).model.bodies, second = read(folder, deck).model.bodies;
  ASSERT_EQ(first.size(), 202u);
  for (std::size_t k = 2; k < first.size(); ++k) {
    EXPECT_EQ(first[k].position, second[k].position);
    EXPECT_GE(first[k].position.z(), 2);
    EXPECT_LE(first[k].position.z(), 3);
    EXPECT_DOUBLE_EQ(first[k].mass, 2.0);
  }
}

TEST(Deck, BodiesOfAFileTakeWhatItSays) {
  const Folder folder;
  folder.write("state.csv",
               "# a comment\nname,x, y,z,qw,qx,qy,qz,vx,vy,vz,shape,material\n"
               "left,0.1,0.2,1.5,0,0,0,2,1,2,3,rod,rock\n\n1,1,1,1,1,0,0,0,0,0,0,\"sphere 0.25\",rock\n");
  json deck = good_deck();
  deck["bodies"][1] = {{"file", "state.csv"}};
  deck["loads"][1]["body"] = "left";
  const Model m = read(folder, deck).model;
  ASSERT_EQ(m.bodies.size(), 6u);
  EXPECT_EQ(m.bodies[1].name, "left");
  EXPECT_EQ(std::get<elements::MomentLoad>(m.loads[1]).body, 1);
  EXPECT_EQ(m.bodies[1].position, Vec3(0.1, 0.2, 1.5));
  EXPECT_EQ(m.bodies[1].orientation.z(), 1.0);
  EXPECT_EQ(m.bodies[1].velocity, Vec3(1, 2, 3));
  EXPECT_EQ(m.shapes[m.bodies[1].shape].name, "rod");
  EXPECT_EQ(m.bodies[2].name, "");
  EXPECT_DOUBLE_EQ(m.shapes[m.bodies[2].shape].radius, 0.25);
  EXPECT_NEAR(m.bodies[2].mass, 2000 * 4.0 / 3 * std::numbers::pi / 64, 1e-10);
}

TEST(Deck, OtherNumbersThanThoseOfAFileAreNoted) {
  const Folder folder;
  json deck = good_deck();
  deck["bodies"][1] = {{"file", "state.csv"}, {"shape", "ball"}, {"material", "rock"}};
  deck["loads"].erase(1);
  folder.write("state.csv", "x,y,z,name\n1,1,1,1\n0,1,1,5\n0,0,1,\n");
  EXPECT_THAT(
      read(folder, deck).model.notes,
      ::testing::Contains(::testing::HasSubstr(
          "1 body has another number here, the first is \"5\" in the file and body 2 of this deck.")));
  folder.write("state.csv", "x,y,z,name\n1,1,1,1\n0,1,1,2\n");
  EXPECT_THAT(read(folder, deck).model.notes,
              ::testing::Not(::testing::Contains(::testing::HasSubstr("another number"))));
}

TEST(Deck, FaultsOfAFileHaveTheirLines) {
  const Folder folder;
  json deck = good_deck();
  deck["bodies"][1] = {{"file", "state.csv"}, {"shape", "ball"}, {"material", "rock"}};
  deck["loads"].erase(1);
  const auto said = [&](const std::string& table) {
    folder.write("state.csv", table);
    return test::complaints(folder, deck.dump());
  };
  using ::testing::HasSubstr;
  EXPECT_THAT(said("x,y,z\n0,0,1\n0,zero,1\n"),
              HasSubstr("/bodies/1/file: state.csv:3: column \"y\": got \"zero\"; expected a number."));
  // A body without a height is not one that lies in the floor.
  std::string many = "x,y,z\n";
  for (int k = 0; k < 23; ++k) many += "1,1,high\n";
  EXPECT_THAT(said(many), HasSubstr("/bodies/1/file: state.csv: and 3 more errors."));
  EXPECT_THAT(said("x,y,z\n1,1,high\n"), Not(HasSubstr("on the wrong side")));
  EXPECT_THAT(said("x,y,z,q\n"), HasSubstr("state.csv:1: unknown column \"q\". Valid: "));
  EXPECT_THAT(said("x,y,z,radios\n"), HasSubstr("Did you mean \"radius\"?"));
  EXPECT_THAT(said("x,y\n1,1\n"), HasSubstr("state.csv: the column \"z\" is missing."));
  EXPECT_THAT(said("x,y,z,qw\n1,1,1,1\n"), HasSubstr("the column \"qx\" is missing."));
  EXPECT_THAT(said("x,y,z\n1,1e80,1\n"),
              HasSubstr("state.csv:2: column \"y\": got 1e80; expected 0 or a magnitude between 1e-60 and"));
  EXPECT_THAT(said("x,y,z,radius\n1,1,1,1e-80\n"),
              HasSubstr("column \"radius\": got 1e-80; expected 0 or a"));
  EXPECT_EQ(said("x,y,z,vx,vy,vz\n1,1,1,1e-80,0,0\n"), "") << "a run may leave it";
  EXPECT_THAT(said("x,y,z\n1,1\n"), HasSubstr("state.csv:2: got 2 cells; expected 3, as in the header."));
  EXPECT_THAT(said("x,y,z,shape\n1,1,1,rud\n"),
              HasSubstr("state.csv:2: unknown shape \"rud\". Did you mean \"rod\"?"));
  EXPECT_THAT(said("x,y,z,radius\n1,1,1,0\n"), HasSubstr("got 0; expected a radius [m] > 0."));
  EXPECT_THAT(said("x,y,z,qw,qx,qy,qz\n1,1,1,0,0,0,0\n"), HasSubstr("state.csv:2: the quaternion is zero."));
  EXPECT_THAT(said(""), HasSubstr("is empty; expected a header and rows."));
  EXPECT_THAT(
      said("x,y,z\n0,0,-1\n"),
      HasSubstr("state.csv:2: centre of mass [0, 0, -1] lies on the wrong side of boundary \"floor\""));
}

TEST(Deck, AMeshInMillimetresIsNoticed) {
  const Folder folder;
  std::string stl = "solid t\n";
  for (const char* facet : {"0 0 0\nvertex 0 50 0\nvertex 50 0 0", "0 0 0\nvertex 50 0 0\nvertex 0 0 50",
                            "0 0 0\nvertex 0 0 50\nvertex 0 50 0", "50 0 0\nvertex 0 50 0\nvertex 0 0 50"}) {
    stl += std::string("facet normal 0 0 0\nouter loop\nvertex ") + facet + "\nendloop\nendfacet\n";
  }
  folder.write("tet.stl", stl + "endsolid\n");
  json deck = good_deck();
  deck["shapes"]["tet"] = {{"type", "polyhedron"}, {"file", "tet.stl"}};
  const Deck large = read(folder, deck);
  ASSERT_EQ(large.warnings.size(), 1u);
  EXPECT_THAT(large.warnings[0].message, ::testing::HasSubstr("\"scale\": 0.001"));
  deck["shapes"]["tet"]["scale"] = 1;
  EXPECT_TRUE(read(folder, deck).warnings.empty()) << "a scale in the deck confirms the size";
  deck["shapes"]["tet"]["scale"] = 0.001;
  const Deck small = read(folder, deck);
  EXPECT_TRUE(small.warnings.empty());
  EXPECT_NEAR(small.model.shapes.back().volume, std::pow(0.05, 3) / 6, 1e-17);
  // Meshes of boundaries too; a note reports what was read.
  deck["boundaries"].push_back(
      {{"name", "hopper"}, {"type", "surface"}, {"material", "rock"}, {"file", "tet.stl"}});
  const Deck hopper = read(folder, deck);
  ASSERT_EQ(hopper.warnings.size(), 1u);
  EXPECT_THAT(hopper.warnings[0].where, ::testing::HasSubstr("/boundaries/"));
  EXPECT_THAT(hopper.model.notes, ::testing::Contains(::testing::HasSubstr(
                                      "hopper: tet.stl, 4 triangles with 12 corners, 4 vertices "
                                      "after merging duplicates; bounding box [0, 0, 0] to")));
}

TEST(Deck, FrictionBetweenRigidBodiesNeedsNoSpring) {
  const Folder folder;
  json deck = good_deck();
  deck["interfaces"][0]["friction"] = {{"static", 0.4}};
  EXPECT_THAT(test::complaints(folder, deck.dump()), ::testing::HasSubstr("friction requires \"stiffness\""));
  deck["interfaces"][0]["normal"] = {{"law", "rigid"}};
  EXPECT_THAT(test::complaints(folder, deck.dump()),
              ::testing::Not(::testing::HasSubstr("friction requires \"stiffness\"")));
}

TEST(Deck, ThresholdsThatSeeThroughABodyAreWarnedOf) {
  const Folder folder;
  json deck = good_deck();
  deck["interfaces"][0]["normal"]["threshold"] = 0.06;
  deck["bodies"][2]["scale"]["uniform"] = {0.9, 1.1};
  // Of a mesh the extents count: this one has 0.1 m / sqrt(3) along (1, 1, 1).
  deck["bodies"].push_back(
      {{"shape", "tet"}, {"material", "rock"}, {"mass", 1}, {"position", {1.5, 1.5, 1}}});
  // Its edges are no thickness: four of this one have 0.05 m, and no extent is below 0.5 m.
  deck["shapes"]["stump"] = json::parse(R"({"type": "polyhedron", "scale": 0.5,
      "vertices": [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0],
                   [0.45, 0.45, 1], [0.55, 0.45, 1], [0.55, 0.55, 1], [0.45, 0.55, 1]],
      "faces": [[0, 3, 2, 1], [4, 5, 6, 7], [0, 1, 5, 4], [1, 2, 6, 5], [2, 3, 7, 6], [3, 0, 4, 7]]})");
  deck["bodies"].push_back({{"shape", "stump"}, {"material", "rock"}, {"position", {-1.5, 1.5, 1}}});
  const Deck read_back = read(folder, deck);
  ASSERT_EQ(read_back.warnings.size(), 3u);  // the ball, the block and the tetrahedron, once each
  EXPECT_THAT(read_back.warnings[0].message, ::testing::HasSubstr("exceeds half of the smallest feature"));
  EXPECT_THAT(read_back.warnings[1].message, ::testing::HasSubstr("of shape \"block\", 0.09"));
  EXPECT_THAT(read_back.warnings[1].message, ::testing::HasSubstr(" m (4 bodies): "));
  EXPECT_THAT(read_back.warnings[2].message,
              ::testing::HasSubstr("half of the smallest extent of shape \"tet\", 0.0577"));
  EXPECT_THAT(read_back.warnings[0].where, ::testing::HasSubstr("/interfaces/0/normal/threshold"));
}

TEST(Deck, TheDecksOfThisRepositoryAreGood) {
  int decks = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(SCREE_SOURCE_DIR "/inputs")) {
    if (entry.path().extension() != ".json") continue;
    ++decks;
    EXPECT_NO_THROW(read_deck(entry.path())) << entry.path();
  }
  EXPECT_GE(decks, 1);
}

}  // namespace
}  // namespace scree

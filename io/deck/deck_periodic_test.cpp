/// Periodic directions in decks: what is refused, with its message, and what is taken.
#include <gtest/gtest.h>

#include "core/test_extremes.hpp"
#include "io/deck/deck_fixture.hpp"
#include "solvers/placement/generator.hpp"

namespace scree {
namespace {

using nlohmann::json;
using test::complaints;
using test::expect_refused;
using test::Folder;
using test::good_deck;
using test::Mistake;
using ::testing::HasSubstr;

class WrongPeriod : public ::testing::TestWithParam<Mistake> {};

TEST_P(WrongPeriod, IsRefusedWithItsMessage) { expect_refused(GetParam()); }

INSTANTIATE_TEST_SUITE_P(
    Periodic, WrongPeriod,
    ::testing::Values(
        Mistake{"no_direction",
                "/periodic",
                "{}",
                "/periodic",
                {"no periodic direction defined; expected \"x\", \"y\" or \"z\" with [low, high] [m]"}},
        Mistake{"unknown_axis", "/periodic", R"({"X": [0, 1]})", "/periodic/X", {"unknown key", "\"x\""}, 2},
        Mistake{"one_number", "/periodic", R"({"x": [1]})", "/periodic/x", {"expected two numbers [m]"}},
        Mistake{"not_a_list", "/periodic", R"({"x": 1})", "/periodic/x", {"expected two numbers [m]"}},
        Mistake{"turned_period",
                "/periodic",
                R"({"x": [1, -1]})",
                "/periodic/x",
                {"got [1, -1]; expected [low, high] [m] with high > low"}},
        Mistake{"no_length",
                "/periodic",
                R"({"x": [1, 1]})",
                "/periodic/x",
                {"got [1, 1]; expected [low, high] [m] with high > low"}},
        Mistake{
            "a_floor_across",
            "/periodic",
            R"({"z": [-2, 30]})",
            "/boundaries/0",
            {"boundary \"floor\" is not translation-invariant along z (required by /periodic/z). Valid: a "
             "plane parallel to z"}},
        Mistake{"sides_of_a_box",
                "/periodic",
                R"({"y": [-2, 2]})",
                "/boundaries/1",
                {"boundary \"walls\"", "required by /periodic/y", "\"open\" at \"-y\" and \"+y\""}}));

/// The good deck, periodic along x.
json periodic_deck() {
  json deck = good_deck();
  deck["periodic"]["x"] = {-2, 2};
  deck["boundaries"][1]["open"] = {"+z", "-z", "+x", "-x"};
  return deck;
}

TEST(PeriodicDeck, ABodyMustNotMeetItsOwnImage) {
  const Folder folder;
  json deck = periodic_deck();
  EXPECT_EQ(complaints(folder, deck.dump()), "");
  // The ball around a cube of 0.1 m has sqrt(3) times its size; the law reaches 1 mm.
  deck["periodic"]["x"] = {0, 0.174};
  EXPECT_THAT(
      complaints(folder, deck.dump()),
      HasSubstr("/periodic/x: period [0, 0.174] (0.174 m) is too small: body \"b1\" (/bodies/0) would "
                "interact with its own image; expected more than 0.17420508"));
  deck["periodic"]["x"] = {0, 0.1743};
  deck["bodies"].erase(2);  // the generated ones would have no room
  EXPECT_EQ(complaints(folder, deck.dump()), "");
}

TEST(PeriodicDeck, RefusesMotionThatIsNotTheSameOnePeriodAway) {
  const Folder folder;
  json deck = periodic_deck();
  json& motion = deck["boundaries"][0]["motion"];
  motion["velocity"] = {0.1, 0.2, 0.3};
  EXPECT_EQ(complaints(folder, deck.dump()), "");
  motion["angular_velocity"] = {1, 0, 0};
  EXPECT_EQ(complaints(folder, deck.dump()), "");
  // In its own plane: it looks the same, but moves at other speeds one period away.
  motion["angular_velocity"] = {0, 0, 1};
  EXPECT_THAT(complaints(folder, deck.dump()),
              HasSubstr("/boundaries/0/motion: boundary \"floor\" rotates about an axis other than x"));
  deck["boundaries"][0].erase("motion");
  folder.write("turn.csv", "time,x,y,z,rx,ry,rz\n0,0,0,0,0,0,0\n1,0,0,0,0,0.1,0\n");
  deck["boundaries"][0]["motion"]["table"] = "turn.csv";
  EXPECT_THAT(complaints(folder, deck.dump()), HasSubstr("rotates about an axis other than x"));
}

TEST(PeriodicDeck, TakesAndRefusesCurvedBoundaries) {
  const Folder folder;
  json deck = periodic_deck();
  json& floor = deck["boundaries"][0];
  floor =
      json::parse(R"({"name": "floor", "type": "cylinder", "point": [0, 0, 2], "axis": [1, 0, 0], "radius": 9,
                          "inside": true, "material": "rock", "motion": {"angular_velocity": [2, 0, 0]}})");
  EXPECT_EQ(complaints(folder, deck.dump()), "");
  floor["length"] = 3;
  EXPECT_THAT(complaints(folder, deck.dump()),
              HasSubstr("/boundaries/0: boundary \"floor\" is not translation-invariant"));
  floor.erase("length");
  floor["axis"] = {1, 0.1, 0};
  EXPECT_THAT(complaints(folder, deck.dump()),
              HasSubstr("/boundaries/0: boundary \"floor\" is not translation-invariant"));
  floor =
      json::parse(R"({"name": "floor", "type": "sphere", "point": [0, 0, -5], "radius": 1, "inside": false,
                          "material": "rock"})");
  EXPECT_THAT(complaints(folder, deck.dump()),
              HasSubstr("/boundaries/0: boundary \"floor\" is not translation-invariant"));
}

/// A surface is the same all along the cell where it extends beyond what bodies reach, with edges that run
/// along.
TEST(PeriodicDeck, TakesSurfacesThatRunThroughTheCell) {
  const Folder folder;
  json deck = periodic_deck();
  json& floor = deck["boundaries"][0];
  const auto complaint = [&](const json& vertices) {
    floor = {{"name", "floor"},
             {"type", "surface"},
             {"material", "rock"},
             {"vertices", vertices},
             {"faces", {{0, 1, 2, 3}}}};
    return complaints(folder, deck.dump());
  };
  const auto refused = HasSubstr("/boundaries/0: boundary \"floor\" is not translation-invariant along x");
  // The cell is from -2 to 2; the largest body and the law reach 0.1742 m.
  EXPECT_EQ(complaint({{-2.2, -3, -1}, {2.2, -3, -1}, {2.2, 3, -1}, {-2.2, 3, -1}}), "");
  EXPECT_EQ(complaint({{-3, -3, -1}, {2.2, -3, -1}, {2.4, 3, -1}, {-2.2, 3, -1}}), "") << "oblique ends";
  EXPECT_THAT(complaint({{-2.1, -3, -1}, {2.2, -3, -1}, {2.2, 3, -1}, {-2.1, 3, -1}}), refused)
      << "too short";
  EXPECT_THAT(complaint({{-2.2, -3, -1}, {2.2, -3.1, -1}, {2.2, 3, -1}, {-2.2, 3, -1}}), refused)
      << "oblique";
  EXPECT_THAT(complaint({{-2.2, -3, -1}, {2.2, -3, -1.1}, {2.2, 3, -1.1}, {-2.2, 3, -1}}), refused)
      << "sloping";
  floor["vertices"] = {{-2.2, -3, -1}, {2.2, -3, -1}, {2.2, 3, -1}, {-2.2, 3, -1}};
  deck["shapes"]["boulder"] = {{"type", "sphere"}, {"radius", 0.2}};
  deck["inlets"] = json::parse(R"([{"shape": "boulder", "material": "rock", "rate": {"number": 3},
                                    "region": {"min": [0, 0, 2], "max": [1, 1, 3]}}])");
  EXPECT_THAT(complaints(folder, deck.dump()), refused) << "too short for what enters";
  deck.erase("inlets");
  floor["motion"]["velocity"] = {0, 0, 0.1};
  EXPECT_THAT(complaints(folder, deck.dump()), refused) << "moving";
  floor["motion"] = "coupled";
  EXPECT_THAT(
      complaints(folder, deck.dump()),
      HasSubstr("/boundaries/0/motion: boundary \"floor\" is \"coupled\": not supported with periodic "
                "directions (/periodic/x)"));
}

TEST(PeriodicGenerator, FillsTheCellAndKeepsClearOfImages) {
  const std::vector<Shape> shapes = {make_sphere("ball", 0.1), make_box("block", {0.2, 0.1, 0.1})};
  PeriodicCell cell;
  cell.low = Vec3(-0.3, 0.2, 0);
  cell.length = Vec3(1, 0.9, 0);
  Generator generator(shapes, {}, 0.01, {0, 0, -1});
  generator.set_periodic(cell);
  generator.add_obstacle(0, Vec3(7.7, 0.2, 0.5), Quat::Identity());  // in the cell: -0.3, 0.2, at a corner
  // The region is half in the cell, half beyond it; 44 balls of 0.21 m in 1 x 0.9 x 1 m, half of the densest.
  const auto balls = generator.generate(std::vector<int>(44, 0), Vec3(0.2, 0.2, 0), Vec3(1.2, 1.1, 1), 3);
  ASSERT_EQ(balls.size(), 44u);
  std::vector<Vec3> all = {Vec3(-0.3, 0.2, 0.5)};
  for (const auto& ball : balls) all.push_back(ball.x);
  double closest = 1, lowest = 1, highest = -1;
  for (std::size_t a = 0; a < all.size(); ++a) {
    EXPECT_EQ(cell.number_of(all[a]), CellNumber{});
    test::keep_smallest(lowest, all[a].x());
    test::keep_largest(highest, all[a].x());
    for (std::size_t b = 0; b < a; ++b) {
      for (const CellNumber& n : cell.neighbours(0.21))
        test::keep_smallest(closest, (all[a] - all[b] + cell.way_to(n)).norm());
    }
  }
  EXPECT_GE(closest, 0.21 - 1e-12);
  EXPECT_LT(closest, 0.22);
  EXPECT_LT(lowest, -0.2);
  EXPECT_GT(highest, 0.6);
}

}  // namespace
}  // namespace scree

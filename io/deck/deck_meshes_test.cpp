#include <fmt/format.h>

#include <array>
#include <cmath>

#include "io/deck/deck_fixture.hpp"
#include "io/output/mesh_fault_writer.hpp"
#include "io/output/output_names.hpp"
#include "io/output/results_list.hpp"

namespace scree {
namespace {

using nlohmann::json;
using test::Folder;
using test::good_deck;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

/// A tetrahedron with corners at the origin and at 1 on the axes; `faces` of vertices from 1.
std::string tetrahedron(const std::string& faces) { return "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n" + faces; }
const char* const kGood = "f 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
const char* const kTurned = "f 1 3 2\nf 1 4 2\nf 1 4 3\nf 2 3 4\n";
const char* const kOpen = "f 1 3 2\nf 1 2 4\nf 1 4 3\n";

json deck_with(const json& shape) {
  json deck = good_deck();
  deck["shapes"]["stone"] = shape;
  deck["shapes"]["stone"]["type"] = "polyhedron";
  deck["bodies"].push_back(
      {{"name", "s"}, {"shape", "stone"}, {"material", "rock"}, {"position", {1, 1, 5}}});
  return deck;
}

const BodyDescription& stone(const Deck& deck) {
  return *std::find_if(deck.model.bodies.begin(), deck.model.bodies.end(),
                       [](const BodyDescription& body) { return body.name == "s"; });
}

const Shape& shape_of_stone(const Deck& deck) { return deck.model.shapes[stone(deck).shape]; }

TEST(DeckMeshes, RepairsAreReportedAndCanBeSwitchedOff) {
  const Folder folder;
  folder.write("good.obj", tetrahedron(kGood));
  folder.write("turned.obj", tetrahedron(kTurned));
  EXPECT_THAT(read(folder, deck_with({{"file", "good.obj"}})).model.notes,
              Not(Contains(HasSubstr("repaired"))));
  EXPECT_THAT(
      read(folder, deck_with({{"file", "turned.obj"}})).model.notes,
      Contains(HasSubstr("stone: turned.obj, 4 triangles with 12 corners, 4 vertices after merging "
                         "duplicates; repaired: 1 face reversed to agree with its neighbours; closed")));
  EXPECT_THAT(test::complaints(folder, deck_with({{"file", "turned.obj"}, {"repair", false}}).dump()),
              HasSubstr("/shapes/stone/file: turned.obj: faces 0 and 1 traverse the edge"));
  json shape = good_deck()["shapes"]["tet"];
  shape["faces"][1] = {0, 3, 1};
  EXPECT_THAT(test::complaints(folder, deck_with(shape).dump()), HasSubstr("traverse the edge"));
  shape["repair"] = true;
  EXPECT_THAT(read(folder, deck_with(shape)).model.notes,
              Contains(HasSubstr("stone: repaired: 1 face reversed")));
}

TEST(DeckMeshes, PartsThatMoveAsOneBodyAreReported) {
  const Folder folder;
  const std::string one = tetrahedron(kGood);
  folder.write("one.obj", one);
  folder.write("two.obj", one + "v 2 0 0\nv 3 0 0\nv 2 1 0\nv 2 0 1\nf 5 7 6\nf 5 6 8\nf 5 8 7\nf 6 7 8\n");
  EXPECT_THAT(read(folder, deck_with({{"file", "one.obj"}})).model.notes, Not(Contains(HasSubstr("parts"))));
  EXPECT_THAT(
      read(folder, deck_with({{"file", "two.obj"}})).model.notes,
      Contains(HasSubstr("no self-intersections; 2 separate parts, which move as one body; 8 faces")));
}

TEST(DeckMeshes, AMeshThatARepairRemovesIsRefusedWithBothNumbersOfFaces) {
  const Folder folder;
  const std::string flat = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\n";
  folder.write("flat.obj", flat + "f 1 2 3\nf 3 2 1\nf 2 4 3\nf 3 4 2\n");
  EXPECT_THAT(
      test::complaints(folder, deck_with({{"file", "flat.obj"}}).dump()),
      HasSubstr("/shapes/stone/file: flat.obj: has 4 faces, of which the repair leaves 0 (4 duplicate "
                "faces removed); a closed surface requires at least 4."));
  folder.write("line.obj", flat + "f 1 1 2\nf 3 3 2\nf 2 4 2\n");
  json with_surface = good_deck();
  with_surface["boundaries"].push_back({{"type", "surface"}, {"material", "rock"}, {"file", "line.obj"}});
  EXPECT_THAT(
      test::complaints(folder, with_surface.dump()),
      HasSubstr("line.obj: has 3 faces, of which the repair leaves 0 (3 faces without area removed); a "
                "surface requires at least 1."));
  folder.write("few.obj", flat + "f 1 2 3\n");
  EXPECT_THAT(test::complaints(folder, deck_with({{"file", "few.obj"}}).dump()),
              HasSubstr("has 1 faces; a closed surface requires at least 4."));
}

TEST(DeckMeshes, APlateThinnerThanTheCracksThatAreClosedIsRefusedWithTheKey) {
  const Folder folder;
  // Each face has corners of its own, 1e-8 m from those of the others.
  std::string plate;
  int faces = 0;
  for (const std::array<int, 4>& face :
       {std::array{0, 2, 3, 1}, std::array{4, 5, 7, 6}, std::array{0, 1, 5, 4}, std::array{2, 6, 7, 3},
        std::array{0, 4, 6, 2}, std::array{1, 3, 7, 5}}) {
    for (const int k : face)
      plate += fmt::format("v {:.9f} {} {:.9f}\n", (k & 1) + 1e-8 * faces, (k >> 1) & 1, 1e-6 * (k >> 2));
    plate += "f -4 -3 -2 -1\n";
    ++faces;
  }
  folder.write("plate.obj", plate);
  json shape = {{"file", "plate.obj"}};
  EXPECT_THAT(test::complaints(folder, deck_with(shape).dump()),
              AllOf(HasSubstr("plate.obj: has 6 faces, of which the repair leaves 0 ("),
                    HasSubstr(" Cracks up to 1.41e-05 m were closed. If the body is thinner than that, set "
                              "\"repair\": {\"crack\": W} with a smaller width W [m].")));
  shape["repair"] = {{"crack", 1e-7}};
  EXPECT_NEAR(shape_of_stone(read(folder, deck_with(shape))).volume, 1e-6, 1e-13);
}

TEST(DeckMeshes, TheWidthOfCracksCanBeChosen) {
  const Folder folder;
  folder.write("crack.obj", tetrahedron("v 1 0 1e-3\nv 0 1 1e-3\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 5 6 4\n"));
  const auto shape = [](double crack) { return json{{"file", "crack.obj"}, {"repair", {{"crack", crack}}}}; };
  EXPECT_THAT(test::complaints(folder, deck_with(shape(1e-4)).dump()), HasSubstr("surface not closed"));
  EXPECT_THAT(test::complaints(folder, deck_with(shape(1)).dump()),
              HasSubstr("/shapes/stone/repair/crack: got 1 m; expected at most 1/100 of the size"));
  EXPECT_THAT(read(folder, deck_with(shape(2e-3))).model.notes,
              Contains(HasSubstr("repaired: 2 vertices joined across cracks (widest crack 0.001 m)")));
}

TEST(DeckMeshes, FactorsOfTheAxesStretchAMesh) {
  const Folder folder;
  folder.write("good.obj", tetrahedron(kGood));
  const Deck deck = read(folder, deck_with({{"file", "good.obj"}, {"scale", {0.1, 0.2, 0.3}}}));
  const Shape& shape = shape_of_stone(deck);
  EXPECT_NEAR(shape.volume, 0.1 * 0.2 * 0.3 / 6, 1e-17);
  EXPECT_NEAR((shape.shift - Vec3(0.025, 0.05, 0.075)).norm(), 0, 1e-15);
  EXPECT_NE(test::complaints(folder, deck_with({{"file", "good.obj"}, {"scale", {1, 0, 1}}}).dump()), "");
}

TEST(DeckMeshes, PositionsMayBeThoseOfTheMeshOrigin) {
  const Folder folder;
  folder.write("good.obj", tetrahedron(kGood));
  json deck = deck_with({{"file", "good.obj"}, {"scale", 0.4}});
  json& body = deck["bodies"].back();
  body["orientation"] = {{"axis", {0, 0, 1}}, {"angle_deg", 90}};
  EXPECT_EQ(stone(read(folder, deck)).position, Vec3(1, 1, 5));
  body["position_of"] = "mesh origin";
  // The centre of mass at (0.1, 0.1, 0.1) of the mesh, turned about z.
  EXPECT_NEAR((stone(read(folder, deck)).position - Vec3(0.9, 1.1, 5.1)).norm(), 0, 1e-15);
  folder.write("bodies.csv", "x,y,z,qw,qx,qy,qz,name\n1,1,5,1,0,0,1,s\n");
  body = {{"shape", "stone"}, {"material", "rock"}, {"file", "bodies.csv"}, {"position_of", "mesh origin"}};
  EXPECT_NEAR((stone(read(folder, deck)).position - Vec3(0.9, 1.1, 5.1)).norm(), 0, 1e-15);
  deck["bodies"][0]["position_of"] = "mesh origin";
  EXPECT_THAT(test::complaints(folder, deck.dump()),
              HasSubstr("/bodies/0/position_of: shape \"block\" has no mesh; remove it."));
}

/// Ball of 2 n (n - 1) triangles.
std::string ball(int n) {
  std::string all = "v 0 0 0.1\n";
  for (int row = 1; row < n; ++row) {
    for (int k = 0; k < n; ++k) {
      const double polar = M_PI * row / n, angle = 2 * M_PI * k / n;
      all += fmt::format("v {} {} {}\n", 0.1 * std::sin(polar) * std::cos(angle),
                         0.1 * std::sin(polar) * std::sin(angle), 0.1 * std::cos(polar));
    }
  }
  all += "v 0 0 -0.1\n";
  const auto at = [n](int row, int k) { return fmt::format(" {}", 2 + (row - 1) * n + k % n); };
  for (int k = 0; k < n; ++k) {
    all += fmt::format("f 1{}{}\n", at(1, k), at(1, k + 1));
    for (int row = 1; row + 1 < n; ++row)
      all += fmt::format("f{}{}{}{}\n", at(row, k), at(row + 1, k), at(row + 1, k + 1), at(row, k + 1));
    all += fmt::format("f{} -1{}\n", at(n - 1, k), at(n - 1, k + 1));
  }
  return all;
}

TEST(DeckMeshes, DecimationIsReportedWithItsDistance) {
  const Folder folder;
  folder.write("ball.obj", ball(40));
  const Deck deck = read(folder, deck_with({{"file", "ball.obj"}, {"decimate", {{"triangles", 200}}}}));
  EXPECT_THAT(
      deck.model.notes,
      Contains(HasSubstr("decimated from 3120 to 200 triangles; largest distance from the original 0.00")));
  EXPECT_THAT(deck.model.notes, Contains(HasSubstr("ball.obj, 1600 faces with 6320 corners, ")))
      << "80 triangles and 1520 quadrilaterals";
  EXPECT_NEAR(shape_of_stone(deck).volume / (4e-3 * M_PI / 3), 1, 0.03);
  const json surface = {
      {"type", "surface"}, {"material", "rock"}, {"file", "ball.obj"}, {"decimate", {{"distance", 1e-3}}}};
  json with_surface = good_deck();
  with_surface["boundaries"].push_back(surface);
  EXPECT_THAT(read(folder, with_surface).model.notes, Contains(HasSubstr("decimated from 3120 to ")));
  EXPECT_THAT(
      test::complaints(folder, deck_with({{"file", "ball.obj"}, {"decimate", json::object()}}).dump()),
      HasSubstr("/shapes/stone/decimate: expected \"triangles\", \"distance\", or both."));
}

TEST(DeckMeshes, FaultsOfADecimatedMeshAreHandedOut) {
  const Folder folder;
  // An octahedron, and within it a tetrahedron with corners below four of its own: whichever edge of the
  // octahedron is contracted, one of them is then outside.
  folder.write("nested.obj",
               "v 1 0 0\nv -1 0 0\nv 0 1 0\nv 0 -1 0\nv 0 0 1\nv 0 0 -1\n"
               "v 0.9 0 0.03\nv -0.9 0 0.03\nv 0 0.9 -0.03\nv 0 -0.9 -0.03\n"
               "f 1 3 5\nf 3 2 5\nf 2 4 5\nf 4 1 5\nf 3 1 6\nf 2 3 6\nf 4 2 6\nf 1 4 6\n"
               "f 7 9 8\nf 7 8 10\nf 9 7 10\nf 9 10 8\n");
  const std::string deck = deck_with({{"file", "nested.obj"}, {"decimate", {{"triangles", 10}}}}).dump();
  EXPECT_THAT(test::complaints(folder, deck),
              HasSubstr("/shapes/stone/decimate: decimated to 10 triangles, the mesh intersects itself"));
  std::vector<MeshFaults> seen;
  const auto report = [&](const std::vector<MeshFaults>& meshes, const std::string& /*directory*/) {
    seen = meshes;
  };
  EXPECT_THROW(read_deck(folder.write("deck.json", deck), report), InputError);
  ASSERT_EQ(seen.size(), 1u);
  EXPECT_EQ(seen[0].surface.loops.size(), 10u);
  EXPECT_FALSE(seen[0].crossing_faces.empty());
}

TEST(DeckMeshes, SheetsWithAThicknessAreSolids) {
  const Folder folder;
  // A folded sheet, one wing of it reversed.
  folder.write("angle.off",
               "OFF\n6 2 0\n0 0 0\n0.1 0 0\n0.1 0.1 0\n0 0.1 0\n0 0 0.1\n0 0.1 0.1\n"
               "4 0 1 2 3\n4 4 5 3 0\n");
  const json sheet = {{"file", "angle.off"}, {"thickness", 1e-3}};
  const Deck deck = read(folder, deck_with(sheet));
  EXPECT_NEAR(shape_of_stone(deck).volume, 2e-5, 1e-12);
  EXPECT_FALSE(shape_of_stone(deck).convex);
  EXPECT_THAT(deck.model.notes, Contains(HasSubstr("1 face reversed")));
  ASSERT_EQ(deck.warnings.size(), 1u) << "the threshold, 1 mm, reaches through the sheet";
  EXPECT_THAT(deck.warnings[0].message, HasSubstr("smallest feature of shape \"stone\", 0.001 m (1 body)"));
  folder.write("square.obj", "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\n");
  const Deck thick = read(folder, deck_with({{"file", "square.obj"}, {"scale", 1e-3}, {"thickness", 3}}));
  ASSERT_EQ(thick.warnings.size(), 1u);
  EXPECT_THAT(thick.warnings[0].message,
              HasSubstr("thickness 3 m exceeds the size of the sheet, 0.001414 m"));
  // The volume inside of an open sheet has no meaning.
  json decimated = sheet;
  decimated["decimate"] = {{"triangles", 4}};
  EXPECT_THAT(
      read(folder, deck_with(decimated)).model.notes,
      Contains(AllOf(HasSubstr("decimated from 4 to 4 triangles"), Not(HasSubstr("volume changed")))));
  json wrong = sheet;
  wrong["repair"] = false;
  EXPECT_THAT(test::complaints(folder, deck_with(wrong).dump()), HasSubstr("traverse the edge"));
  wrong = sheet;
  wrong["thickness"] = 0;
  EXPECT_THAT(test::complaints(folder, deck_with(wrong).dump()), HasSubstr("/shapes/stone/thickness"));
  // Two sheets 2 mm apart.
  folder.write("leaves.obj",
               "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0.1 0.1 2e-3\nv 1.1 0.1 2.1e-3\nv 0.1 1.1 2e-3\n"
               "f 1 2 3\nf 4 5 6\n");
  EXPECT_NO_THROW(read(folder, deck_with({{"file", "leaves.obj"}, {"thickness", 1e-3}})));
  EXPECT_THAT(
      test::complaints(folder, deck_with({{"file", "leaves.obj"}, {"thickness", 3e-3}}).dump()),
      HasSubstr("/shapes/stone/thickness: got 0.003 m; with this thickness the sheet intersects itself"));
  json boundary = good_deck();
  boundary["boundaries"].push_back(
      {{"type", "surface"}, {"material", "rock"}, {"file", "angle.off"}, {"thickness", 1e-3}});
  EXPECT_THAT(test::complaints(folder, boundary.dump()), HasSubstr("thickness: unknown key"));
}

TEST(DeckMeshes, FaultsThatAreLeftAreHandedOutWithTheirPlaces) {
  const Folder folder;
  folder.write("open.obj", tetrahedron(kOpen));
  std::vector<MeshFaults> seen;
  std::string directory;
  const auto report = [&](const std::vector<MeshFaults>& meshes, const std::string& where) {
    seen = meshes;
    directory = where;
  };
  json deck = deck_with({{"file", "open.obj"}});
  EXPECT_THROW(read_deck(folder.write("deck.json", deck.dump()), report), InputError);
  ASSERT_EQ(seen.size(), 1u);
  EXPECT_EQ(seen[0].name, "stone");
  EXPECT_EQ(seen[0].free_edges.size(), 3u);
  EXPECT_EQ(directory, "results/deck");
  EXPECT_FALSE(std::filesystem::exists(folder.path() / "out"));
  seen.resize(3, seen[0]);
  seen[0].name = seen[2].name = "a/b";
  seen[1].name = "a b";
  const auto files = write_mesh_faults(seen, (folder.path() / "out").string(), folder.path() / "deck.json");
  ASSERT_EQ(files.size(), 3u);
  EXPECT_EQ(files[0], (folder.path() / "out" / "a_b_faults.vtp").string());
  EXPECT_EQ(files[1], (folder.path() / "out" / "a_b_2_faults.vtp").string());
  EXPECT_EQ(files[2], (folder.path() / "out" / "a_b_3_faults.vtp").string());
  for (const std::string& file : files) EXPECT_TRUE(std::filesystem::exists(file));
  // A surface may have free edges.
  deck = good_deck();
  deck["boundaries"].push_back({{"type", "surface"}, {"material", "rock"}, {"file", "open.obj"}});
  EXPECT_NO_THROW(read_deck(folder.write("deck.json", deck.dump()), report));
}

TEST(DeckMeshes, ASurfaceOfFacesThatDoNotShareTheirVerticesIsWarnedOf) {
  const Folder folder;
  json deck = good_deck();
  deck["boundaries"].push_back(
      {{"name", "sheet"},
       {"type", "surface"},
       {"material", "rock"},
       {"vertices", json::parse(R"([[-1, -1, -3], [0, -1, -3], [0, 1, -3], [-1, 1, -3],
                                    [0, -1, -3], [1, -1, -3], [1, 1, -3], [0, 1, -3]])")},
       {"faces", json::parse("[[0, 1, 2], [0, 2, 3], [4, 5, 6], [4, 6, 7]]")}});
  json& sheet = deck["boundaries"].back();
  const auto messages = [&] {
    std::string all;
    for (const Warning& warning : read(folder, deck).warnings)
      all += warning.where + ": " + warning.message + "\n";
    return all;
  };
  EXPECT_THAT(messages(), HasSubstr("/boundaries/2: surface \"sheet\": 1 pair of free edges coincides: from "
                                    "[0, -1, -3] to [0, 1, -3] m."));
  sheet["repair"] = json::object({{"crack", 0}});
  EXPECT_THAT(messages(), HasSubstr("pair of free edges"));
  sheet["repair"] = true;
  EXPECT_THAT(messages(), Not(HasSubstr("free edges")));
  // Of a coupled surface it is an error.
  sheet.erase("repair");
  sheet["motion"] = "coupled";
  EXPECT_THAT(test::complaints(folder, deck.dump()),
              AllOf(HasSubstr("/boundaries/2: vertices 1 and 4 are both at [0, -1, -3]; expected one number"),
                    HasSubstr("\"repair\": true joins vertices at free edges")));
  sheet["repair"] = true;
  EXPECT_THAT(test::complaints(folder, deck.dump()), Not(HasSubstr("vertices")));
}

TEST(DeckMeshes, TheFileOfFaultsReplacesOnlyWhatIsListed) {
  namespace fs = std::filesystem;
  const Folder folder;
  MeshFaults faults;
  faults.name = "stone";
  faults.surface.vertices = {Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0)};
  faults.surface.loops.push_back({0, 1, 2});
  const fs::path out = folder.path() / "out";
  const fs::path file = out / "stone_faults.vtp";
  const fs::path deck = folder.path() / "deck.json";
  const auto complaint = [&] {
    try {
      write_mesh_faults({faults}, out.string(), deck);
    } catch (const RunError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  const auto is_mine = [](const fs::path& at) { return fs::file_size(at) == 4; };
  fs::create_directory(out);
  folder.write("out/stone_faults.vtp", "mine");
  EXPECT_THAT(complaint(),
              HasSubstr(file.string() + "\" exists, and no earlier run has listed it in scree_files.txt"));
  EXPECT_TRUE(is_mine(file));
  fs::remove(file);
  const fs::path elsewhere = folder.write("elsewhere", "mine");
  fs::create_symlink(elsewhere, file);
  EXPECT_THAT(complaint(), HasSubstr("is a symbolic link"));
  EXPECT_TRUE(is_mine(elsewhere));
  fs::remove(file);
  EXPECT_FALSE(fs::exists(out / kListFile));

  { const ResultsList before(out, {{"/other.json", {"a.csv"}, {}}}); }
  EXPECT_EQ(complaint(), "");
  folder.write("out/stone_faults.vtp", "mine");  // listed: that of an earlier run
  folder.write("out/stone_faults.vtp.scree-tmp", "half");
  EXPECT_EQ(complaint(), "");
  EXPECT_FALSE(is_mine(file));
  const std::vector<ListedRun> runs = read_results_list(out);
  ASSERT_EQ(runs.size(), 2u);
  EXPECT_EQ(runs[0].deck, deck_identity(deck));
  EXPECT_THAT(runs[0].files, testing::ElementsAre("stone_faults.vtp"));
  EXPECT_EQ(runs[1].deck, "/other.json") << "a run is continued from the last entry";
  faults.name.assign(300, 'a');
  EXPECT_THAT(complaint(), HasSubstr("expected at most"));
  EXPECT_NO_THROW(read_results_list(out));
}

}  // namespace
}  // namespace scree

/// Messages and warnings of a participant about the meshes that a partner gives.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "core/shapes/coupled_surface.hpp"
#include "io/coupling/test_coupling.hpp"
#include "io/deck/deck.hpp"

namespace scree::coupling {
namespace {

using testing::AnyOf;
using testing::Contains;
using testing::HasSubstr;
using testing::Not;

Participant on_sheet() {
  return participant(deck(kHooke, kBall, kTwoBalls, Sheet(2).text() + R"(, "motion": "coupled")"));
}

/// Every rank gives all triangles: those of the first one count.
std::string triangle(int number) { return std::to_string(number) + (ranks() > 1 ? " of rank 0" : ""); }

/// The triangles of Sheet(2), the last one first.
Sheet backwards() {
  Sheet sheet(2);
  const std::vector<int> forwards = sheet.triangles;
  for (std::size_t k = 0; k < forwards.size(); ++k)
    sheet.triangles[k] = forwards[forwards.size() - 3 - 3 * (k / 3) + k % 3];
  return sheet;
}

TEST(PartnerMeshes, ErrorsHaveTheNumbersOfThePartner) {
  Sheet sheet = backwards();
  for (const int v : {0, 1, 1}) sheet.triangles.push_back(v);
  const auto complaint = [](const SurfaceMesh& mesh) -> std::string {
    try {
      (void)on_sheet().add_surface("plate", mesh);
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_THAT(complaint(sheet.mesh()), HasSubstr("face " + triangle(8) + " is degenerate"));
  // Triangles 0 1 4 and 0 4 3, the second one turned; numbers of vertices descend.
  sheet = backwards();
  std::swap(sheet.triangles[3 * 6 + 1], sheet.triangles[3 * 6 + 2]);
  std::vector<std::int64_t> id;
  for (int k = 0; k < 9; ++k) id.push_back(100 - k);
  const std::string edge = " traverse the edge from vertex 96 ";
  EXPECT_THAT(complaint({sheet.reference, id, sheet.triangles}),
              AnyOf(HasSubstr("faces " + triangle(6) + " and " + triangle(7) + edge),
                    HasSubstr("faces " + triangle(7) + " and " + triangle(6) + edge)));
}

TEST(PartnerMeshes, ErrorsOfMotionsHaveTheNumbersOfThePartner) {
  const Sheet sheet = backwards();
  Participant coupled = on_sheet();
  const Surface plate = coupled.add_surface("plate", sheet.mesh());
  coupled.initialize();
  // The corner between 1 and 5 goes to the middle of them.
  std::vector<double> u(sheet.reference.size(), 0.0);
  for (std::size_t c = 0; c < 3; ++c)
    u[3 * 2 + c] =
        0.5 * (sheet.reference[3 * 1 + c] + sheet.reference[3 * 5 + c]) - sheet.reference[3 * 2 + c];
  coupled.set_motion(plate, u);
  try {
    (void)coupled.solve_step(1e-3);
    FAIL() << "not refused";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("triangle " + triangle(5) + " degenerates"));
  }
}

/// Sheet(2) with vertices of its own for each triangle, which lies `apart` [m] from the one before.
Sheet in_pieces(double apart) {
  const Sheet whole(2);
  Sheet pieces(2);
  pieces.reference.clear();
  pieces.triangles.clear();
  for (std::size_t k = 0; k < whole.triangles.size(); ++k) {
    const auto v = static_cast<std::size_t>(whole.triangles[k]);
    pieces.triangles.push_back(static_cast<int>(k));
    pieces.reference.push_back(whole.reference[3 * v] + apart * static_cast<double>(k / 3));
    for (std::size_t c = 1; c < 3; ++c) pieces.reference.push_back(whole.reference[3 * v + c]);
  }
  return pieces;
}

TEST(PartnerMeshes, WithVerticesAtNearlyTheSamePlaceAreRefused) {
  Participant coupled = on_sheet();
  try {
    (void)coupled.add_surface("plate", in_pieces(1e-12).mesh());
    FAIL() << "not refused";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(),
                HasSubstr("surface \"plate\": vertices 0 and 3 are 1e-12 m apart, at [-0.5, -0.5, "));
  }
  // Two sheets with a thin gap are no seam.
  Sheet sheets(2);
  const std::vector<double> lower = sheets.reference;
  const std::vector<int> triangles = sheets.triangles;
  for (std::size_t k = 0; k < lower.size(); ++k)
    sheets.reference.push_back(lower[k] - (k % 3 == 2 ? 1e-4 : 0.0));
  for (const int v : triangles) sheets.triangles.push_back(v + 9);
  EXPECT_NO_THROW((void)coupled.add_surface("plate", sheets.mesh()));
}

TEST(PartnerMeshes, OfAModelThatWasBuiltByHandAreLookedAtToo) {
  const Sheet pieces = in_pieces(0);
  std::vector<Vec3> vertices;
  for (std::size_t k = 0; k < pieces.reference.size(); k += 3) vertices.emplace_back(&pieces.reference[k]);
  std::vector<std::vector<int>> loops;
  for (int k = 0; k < static_cast<int>(pieces.triangles.size()); k += 3) loops.push_back({k, k + 1, k + 2});
  Deck deck_of_sheet =
      read_deck_text(deck(kHooke, kBall, kTwoBalls, Sheet(2).text() + R"(, "motion": "coupled")"),
                     std::filesystem::temp_directory_path() / "coupled.json");
  deck_of_sheet.model.walls.at(0) = make_coupled_surface("plate", vertices, loops);
  Participant coupled(std::move(deck_of_sheet), MPI_COMM_WORLD, {.write_outputs = false});
  EXPECT_THROW((void)coupled.add_surface("plate"), InputError);
}

TEST(PartnerMeshes, WithoutTrianglesAreNotReplacedByTheMeshOfTheDeck) {
  Participant coupled = on_sheet();
  const auto complaint = [&](const SurfaceMesh& mesh) -> std::string {
    try {
      (void)coupled.add_surface("plate", mesh);
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_THAT(complaint({}), HasSubstr("surface \"plate\": got a mesh without triangles"));
  const std::vector<double> vertex = {0, 0, 0};
  EXPECT_THAT(complaint({vertex, {}, {}}), HasSubstr("got a mesh without triangles"));
  const std::vector<std::int64_t> id = {0, 1, 2, 3, 4};
  EXPECT_THAT(complaint({{}, id, {}}), HasSubstr("got 5 vertex numbers; expected 0, one per vertex"));
  const std::vector<int> corners = {0, 1, 2};
  EXPECT_THAT(complaint({{}, {}, corners}),
              HasSubstr("triangle 0: got vertex 0; this rank gives no vertices."));
  EXPECT_EQ(coupled.mesh(coupled.add_surface("plate")).id.size(), 9U);
  // One rank has all of it, the others nothing.
  Participant alone = on_sheet();
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const Sheet sheet(4);
  const Surface plate = rank == 0 ? alone.add_surface("plate", sheet.mesh()) : alone.add_surface("plate");
  EXPECT_EQ(alone.mesh(plate).id.size(), rank == 0 ? 25U : 0U);
}

std::vector<std::string> codes(const Participant& coupled) {
  std::vector<std::string> all;
  for (const Warning& warning : coupled.warnings()) all.push_back(warning.code);
  return all;
}

TEST(PartnerMeshes, OfMillimetresAreWarnedOf) {
  Sheet sheet(2);
  Participant small = on_sheet(), large = on_sheet();
  (void)small.add_surface("plate", sheet.mesh());
  EXPECT_THAT(codes(small), Not(Contains("large_mesh")));
  for (double& x : sheet.reference) x *= 1000;
  (void)large.add_surface("plate", sheet.mesh());
  ASSERT_THAT(codes(large), Contains("large_mesh"));
  EXPECT_EQ(large.warnings().back().where, "/boundaries/0");
  EXPECT_THAT(large.warnings().back().message, HasSubstr("surface \"plate\" measures 1414 m"));
  large.initialize();
  EXPECT_THAT(codes(large), Contains("large_mesh"));
}

TEST(Participant, HasTheWarningsOfTheEndWithoutOutputs) {
  Participant coupled = participant(deck(
      R"("normal": {"law": "hooke", "stiffness": 2e3, "damping": 1})", kBall,
      R"({"shape": "ball", "material": "rock", "position": [0.03, 0.02, 0.051], "velocity": [0, 0, -1]})",
      Sheet(2).text() + R"(, "motion": "coupled")"));
  (void)coupled.add_surface("plate");
  coupled.initialize();
  for (int k = 0; k < 12; ++k) {
    ASSERT_TRUE(coupled.solve_step(1e-3).converged());
    coupled.accept();
  }
  EXPECT_THAT(codes(coupled), Not(Contains("overlap")));
  EXPECT_FALSE(coupled.finish().has_value());
  EXPECT_THAT(codes(coupled), Contains("overlap"));
}

}  // namespace
}  // namespace scree::coupling

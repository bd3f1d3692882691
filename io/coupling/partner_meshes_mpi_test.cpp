/// Messages and warnings of a participant about the meshes that a partner gives.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "io/coupling/test_coupling.hpp"

namespace scree::coupling {
namespace {

using testing::AnyOf;
using testing::HasSubstr;

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

}  // namespace
}  // namespace scree::coupling

#include "core/interrupt.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <new>
#include <stdexcept>
#include <type_traits>

#include "core/activity.hpp"
#include "core/error.hpp"
#include "core/mesh/edge_faces.hpp"
#include "core/mesh/edge_table.hpp"
#include "core/mesh/polyhedron_surface.hpp"
#include "core/mesh/thickened_sheet.hpp"

namespace scree {
namespace {

class Interrupt : public ::testing::Test {
 protected:
  void TearDown() override {
    clear_interrupt();
    (void)take_failed_activity();
  }
};

TEST_F(Interrupt, IsThrownOnlyAfterARequest) {
  EXPECT_FALSE(interrupt_requested());
  EXPECT_NO_THROW(check_interrupt());
  request_interrupt();
  EXPECT_TRUE(interrupt_requested());
  EXPECT_THROW(check_interrupt(), Interrupted);
  clear_interrupt();
  EXPECT_NO_THROW(check_interrupt());
}

TEST_F(Interrupt, IsLookedAtInTheFirstCallAndNowAndThen) {
  InterruptLook look;
  EXPECT_NO_THROW(look());
  request_interrupt();
  EXPECT_THROW(
      {
        for (int k = 0; k < 5000; ++k) look();
      },
      Interrupted);
  InterruptLook other;
  EXPECT_THROW(other(), Interrupted);
}

TEST_F(Interrupt, EndsLengthyWorkOnMeshes) {
  // A tetrahedron.
  const PolyhedronSurface closed{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
                                 {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}}};
  const PolyhedronSurface sheet{closed.vertices, {closed.loops[0]}};
  EXPECT_NO_THROW((void)merge_coplanar(closed));
  EXPECT_NO_THROW((void)thickened(sheet, 0.1));
  request_interrupt();
  EXPECT_THROW((void)thickened(sheet, 0.1), Interrupted);
  EXPECT_THROW((void)merge_coplanar(closed), Interrupted);
  EXPECT_THROW((void)sides_of(closed), Interrupted);
  EXPECT_THROW(EdgeTable(closed.vertices.size(), closed.loops), Interrupted);
}

TEST_F(Interrupt, WaitsUntilTheLastShieldIsGone) {
  {
    const InterruptShield outer;
    {
      const InterruptShield inner;
      request_interrupt();
      EXPECT_NO_THROW(check_interrupt());
    }
    EXPECT_NO_THROW(check_interrupt());
  }
  EXPECT_THROW(check_interrupt(), Interrupted);
}

TEST_F(Interrupt, IsNoErrorThatOtherCodeHandles) {
  static_assert(!std::is_base_of_v<std::runtime_error, Interrupted>);
  EXPECT_STREQ(Interrupted().what(), "interrupted");
}

TEST_F(Interrupt, EndsAnActivity) {
  Activity activity("counting");
  EXPECT_NO_THROW(activity.advance(0.5));
  request_interrupt();
  EXPECT_THROW(activity.advance(0.5), Interrupted);
}

TEST_F(Interrupt, TheInnermostActivityThatFailedIsKnown) {
  EXPECT_EQ(take_failed_activity(), "");
  { const Activity good("done in order"); }
  EXPECT_EQ(take_failed_activity(), "");
  try {
    const Activity outer("reading a deck");
    const Activity inner("generating 10 bodies");
    throw std::bad_alloc();
  } catch (const std::bad_alloc&) {
    EXPECT_EQ(take_failed_activity(), "generating 10 bodies");
  }
  EXPECT_EQ(take_failed_activity(), "");
}

}  // namespace
}  // namespace scree

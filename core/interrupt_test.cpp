#include "core/interrupt.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <new>
#include <stdexcept>
#include <type_traits>

#include "core/activity.hpp"
#include "core/error.hpp"

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

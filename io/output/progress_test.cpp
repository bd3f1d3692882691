#include "io/output/progress.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>
#include <string>

namespace scree {
namespace {

using testing::HasSubstr;

/// A run of one simulated second at 0.05 simulated seconds per wall second, one state per tenth of a wall
/// second.
class ProgressTest : public testing::Test {
 protected:
  ProgressTest() { model_.time.end = 1; }

  std::string run(int terminal_width, long steps) {
    std::ostringstream out;
    Progress progress(model_, Screen{&out, terminal_width, [this] { return wall_; }});
    for (long k = 0; k <= steps; ++k) {
      AcceptedState state;
      wall_ = 0.1 * static_cast<double>(k);
      state.time = 0.05 * wall_;
      state.step = 0.005;
      state.step_number = k;
      state.first = k == 0;
      state.newton_iterations = 3;
      state.contacts = 77;
      progress.accepted(state);
      if (k < steps) continue;
      state.last = true;
      progress.accepted(state);
    }
    return out.str();
  }

  Model model_;
  double wall_ = 0;
};

TEST_F(ProgressTest, InAFileALineEveryFewSecondsTheFirstAndTheLast) {
  const std::string text = run(0, 120);                      // 12 s
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 4);  // 0, 5, 10 and 12 s
  EXPECT_THAT(text, testing::Not(HasSubstr("\r")));
}

TEST_F(ProgressTest, SaysWhatIsLeft) {
  const std::string text = run(0, 120);
  EXPECT_THAT(text, HasSubstr("t = 0.6 s (60.0 %)"));
  EXPECT_THAT(text, HasSubstr("3 Newton, 77 contacts"));
  EXPECT_THAT(text, HasSubstr("elapsed 12 s, remaining 8 s"));
}

TEST_F(ProgressTest, ARunThatEndsBeforeItsFirstStateHasNotTakenLong) {
  wall_ = 1e4;
  std::ostringstream out;
  Screen screen;
  screen.out = &out;
  screen.clock = [this] { return wall_; };
  Progress progress(model_, screen);
  wall_ += 3;
  AcceptedState state;
  state.last = true;
  progress.accepted(state);
  EXPECT_THAT(out.str(), HasSubstr("elapsed 3 s"));
}

TEST_F(ProgressTest, OnATerminalOneLineThatFitsAndIsEndedOnce) {
  const std::string text = run(40, 30);
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 1);
  EXPECT_EQ(text.back(), '\n');
  std::istringstream rewrites(text);
  int lines = 0;
  for (std::string line; std::getline(rewrites, line, '\r'); ++lines) {
    EXPECT_LT(line.substr(0, line.find('\x1b')).size(), 40u);
  }
  EXPECT_GT(lines, 10);
}

TEST_F(ProgressTest, RanksWithoutAScreenAreSilent) {
  Progress progress(model_, Screen{nullptr, 0, [] { return 0.0; }});
  AcceptedState state;
  state.first = state.last = true;
  EXPECT_NO_THROW(progress.accepted(state));
  EXPECT_EQ(standard_screen(1).out, nullptr);
}

}  // namespace
}  // namespace scree

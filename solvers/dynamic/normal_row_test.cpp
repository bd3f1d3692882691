/// Rows of an impact update by themselves: bodies of one axis, solved as dense systems.
#include "solvers/dynamic/normal_row.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <array>
#include <cmath>

#include "solvers/dynamic/impact_weights.hpp"

namespace scree {
namespace {

/// Three masses of 1 kg in a row, and two contacts between them.
struct ThreeInARow {
  using Rates = Eigen::Vector2d;
  Eigen::Matrix<double, 2, 3> q{{-1, 1, 0}, {0, -1, 1}};
  std::array<NormalRow, 2> rows{};

  ThreeInARow(const Rates& start, const Eigen::Vector3d& end, const Rates& impulse, double restitution,
              double common = 0.5) {
    for (int i = 0; i < 2; ++i)
      rows[static_cast<std::size_t>(i)] = {.h = 1e-4,
                                           .restitution = restitution,
                                           .start = start[i],
                                           .end = q.row(i).dot(end),
                                           .impulse = impulse[i],
                                           .of_corner = impulse[i],
                                           .mass = 0.5,
                                           .common = common};
  }
  /// Velocities after the update of velocities `end`.
  Eigen::Vector3d solve(const Eigen::Vector3d& end) const {
    Eigen::Matrix3d m = Eigen::Matrix3d::Identity();
    for (int i = 0; i < 2; ++i)
      m += rows[static_cast<std::size_t>(i)].weight * q.row(i).transpose() * q.row(i);
    return m.ldlt().solve(end);
  }
  Eigen::Vector3d update(const Eigen::Vector3d& end, int& solutions) {
    for (NormalRow& row : rows) row.weigh();
    Eigen::Vector3d v = solve(end);
    for (solutions = 1; solutions < 7; ++solutions) {
      bool changed = false;
      for (int i = 0; i < 2; ++i)
        changed = rows[static_cast<std::size_t>(i)].correct(q.row(i).dot(v)) || changed;
      if (!changed) break;
      v = solve(end);
    }
    return v;
  }
};

TEST(NormalRow, AContactThatARowThrowsOpenTakesWhatItGave) {
  // The first opens at the end and is held. That throws open the second, which closed in the step, and whose
  // impulse suffices.
  const Eigen::Vector3d end(0.1, 0.6, 0.5);
  ThreeInARow row({-0.5, -0.4}, end, {0.4, 0.2}, 0);
  ASSERT_LT(row.q.row(1).dot(end), 0);
  int solutions = 0;
  const Eigen::Vector3d v = row.update(end, solutions);
  EXPECT_LE(solutions, 3);
  const double mean = end.mean();
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(v[i], mean, 1e-3);
  EXPECT_LT(v.squaredNorm(), end.squaredNorm());
}

TEST(NormalRow, AContactThatIsThrownOpenAnswersWithItsOwnMassInEachCorrection) {
  // Pressed by others in the step: the mass that contacts of a body can share says nothing of it.
  const Eigen::Vector3d end(0.1, 0.6, 0.5);
  ThreeInARow row({-0.5, -0.05}, end, {0.4, 0.3}, 0.3, 2);
  int solutions = 0;
  const Eigen::Vector3d v = row.update(end, solutions);
  EXPECT_EQ(row.rows[1].moved, 0);
  // What the other rows leave it, and e of that.
  const double opens = row.q.row(1).dot(v), without = opens + row.rows[1].weight * opens / 0.5;
  EXPECT_NEAR(opens, 0.3 * without, 0.02 * without);
}

TEST(NormalRow, AContactThatIsThrownOpenTakesNoMoreThanItGave) {
  const Eigen::Vector3d end(0.1, 0.6, 0.5);
  ThreeInARow row({-0.5, -0.4}, end, {0.4, 0.02}, 0);
  int solutions = 0;
  const Eigen::Vector3d v = row.update(end, solutions);
  const double opens = row.q.row(1).dot(v);
  EXPECT_GT(opens, 0.05);
  EXPECT_LT(row.rows[1].weight * opens, 1.02 * 0.02);
  EXPECT_GT(row.rows[1].weight * opens, 0.5 * 0.02);
}

TEST(NormalRow, OfAnIsolatedContactLeavesTheRestitution) {
  for (const double e : {0.0, 0.3, 0.9}) {
    NormalRow row{.h = 1e-4,
                  .restitution = e,
                  .start = -1,
                  .end = 1,
                  .impulse = 1,
                  .of_corner = 1,
                  .mass = 0.5,
                  .common = 0.5};
    EXPECT_NEAR(row.weigh(), 0.5 * (1 - e), 1e-4);
    const double now = 1 / (1 + row.weight / 0.5);
    EXPECT_NEAR(now, e, 1e-4);
    EXPECT_FALSE(row.correct(now));
    EXPECT_NEAR(row.net(now), 1 - 0.5 * (1 - e), 1e-4);
  }
}

TEST(NormalRow, AContactAtRestIsLeftAsItIs) {
  NormalRow row{.h = 1e-4, .restitution = 0, .start = 0, .end = 0, .impulse = 1e-6, .of_corner = 1e-6};
  row.mass = row.common = 0.5;
  row.quiet = 1e-5;
  EXPECT_EQ(row.weigh(), 0);
  EXPECT_FALSE(row.correct(1e-3));
  EXPECT_EQ(row.weight, 0);
}

TEST(SlipAnswer, IsTheMassThatAnsweredOrThatOfAnIsolatedContact) {
  const SlipAnswer unknown;
  EXPECT_EQ(unknown.mass(1, 1, 0.2), 0.2);
  const SlipAnswer last{0.1, 0.5};
  EXPECT_NEAR(last.mass(0.3, 0.4, 0.2), 2, 1e-12);
  EXPECT_NEAR(last.mass(0.05, 0.52, 0.2), 2.5, 1e-12);
  EXPECT_EQ(last.mass(0.3, 0.6, 0.2), 0.2);                       // moved by others
  EXPECT_EQ(last.mass(0.3, 0.4999, 0.2), 0.2);                    // by the tolerance of the solution
  EXPECT_NEAR(last.mass(1e3, 0.499, 1e-4), 1e-4 / kLeast, 1e-9);  // as a row that stops
  EXPECT_EQ(last.mass(0.11, 0.3, 0.2), 0.2);                      // by less than an isolated one
}

}  // namespace
}  // namespace scree

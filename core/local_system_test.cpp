#include "core/local_system.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>
#include <stdexcept>
#include <utility>

namespace scree {
namespace {

TEST(LocalSystem, LaysOutEntitiesOfDifferentSizes) {
  LocalSystem system;
  system.set_entities(2, {6, 3, 6});
  EXPECT_EQ(system.offset, (std::vector<int>{0, 6, 9, 15}));
  EXPECT_EQ(system.scale, std::vector<double>(15, 1.0));
  EXPECT_EQ(system.residual, std::vector<double>(15, 0.0));
  EXPECT_EQ(system.values.size(), 36u + 9u + 36u);
  EXPECT_EQ(system.residual_of(1), system.residual.data() + 6);
}

TEST(LocalSystem, KeepsEachCouplingOnceInOrderAndDropsRowsOfGhosts) {
  LocalSystem system;
  system.set_entities(2, {6, 3, 6});
  system.set_couplings({{1, 2}, {2, 1}, {0, 1}, {1, 0}, {0, 1}, {1, 2}, {0, 0}});
  ASSERT_EQ(system.couplings.size(), 3u);
  EXPECT_EQ(system.find(0, 1), 0);
  EXPECT_EQ(system.find(1, 0), 1);
  EXPECT_EQ(system.find(1, 2), 2);
  EXPECT_EQ(system.find(2, 1), -1);
  EXPECT_EQ(system.find(0, 2), -1);
  EXPECT_EQ(system.find(0, 0), -1);
  EXPECT_EQ(system.values.size(), 36u + 9u + 36u + 18u + 18u + 18u);
}

TEST(LocalSystem, BlocksDoNotOverlap) {
  std::mt19937 random(7);
  std::vector<int> sizes(40);
  for (int& n : sizes) n = std::uniform_int_distribution(1, 6)(random);
  LocalSystem system;
  system.set_entities(30, sizes);
  std::vector<LocalSystem::Coupling> pairs;
  std::set<std::pair<int, int>> expected;
  std::uniform_int_distribution entity(0, 39);
  for (int k = 0; k < 400; ++k) {
    const int row = entity(random), col = entity(random);
    pairs.push_back({row, col});
    if (row < 30 && row != col) expected.insert({row, col});
  }
  system.set_couplings(pairs);

  ASSERT_EQ(system.couplings.size(), expected.size());
  std::vector<int> covered(system.values.size(), 0);
  const auto cover = [&](int at, int count) {
    for (int k = 0; k < count; ++k) ++covered.at(at + k);
  };
  for (int e = 0; e < 40; ++e) cover(system.diagonal_at[e], sizes[e] * sizes[e]);
  auto next = expected.begin();
  for (int k = 0; k < std::ssize(system.couplings); ++k, ++next) {
    const auto& c = system.couplings[k];
    EXPECT_EQ(std::pair(c.row, c.col), *next);
    EXPECT_EQ(system.find(c.row, c.col), k);
    EXPECT_EQ(system.coupling(k), system.values.data() + c.at);
    cover(c.at, sizes[c.row] * sizes[c.col]);
  }
  EXPECT_EQ(std::ranges::count(covered, 1), std::ssize(covered));
}

TEST(LocalSystem, NewCouplingsAreZeroAndTheOthersKeepTheirValues) {
  LocalSystem system;
  system.set_entities(2, {2, 1, 2});
  system.set_couplings({{0, 2}, {1, 2}});
  const auto fill = [](double* block, int count, double first) {
    for (int k = 0; k < count; ++k) block[k] = first + k;
  };
  const auto holds = [](const double* block, int count, double first) {
    for (int k = 0; k < count; ++k)
      if (block[k] != first + k) return false;
    return true;
  };
  fill(system.diagonal(0), 4, 10);
  fill(system.diagonal(1), 1, 20);
  fill(system.coupling(system.find(0, 2)), 4, 30);
  fill(system.coupling(system.find(1, 2)), 2, 40);
  system.add_couplings({{1, 0}, {0, 1}, {0, 2}, {2, 0}});
  ASSERT_EQ(system.couplings.size(), 4u);
  EXPECT_TRUE(holds(system.diagonal(0), 4, 10));
  EXPECT_TRUE(holds(system.diagonal(1), 1, 20));
  EXPECT_TRUE(holds(system.coupling(system.find(0, 2)), 4, 30));
  EXPECT_TRUE(holds(system.coupling(system.find(1, 2)), 2, 40));
  for (const auto& [row, col] : {std::pair(0, 1), std::pair(1, 0)}) {
    const double* block = system.coupling(system.find(row, col));
    EXPECT_EQ(block[0], 0);
    EXPECT_EQ(block[1], 0);
  }
}

TEST(LocalSystem, ClearsResidualAndTangent) {
  LocalSystem system;
  system.set_entities(2, {2, 2});
  system.set_couplings({{0, 1}, {1, 0}});
  system.residual_of(1)[0] = 3;
  system.diagonal(0)[3] = 4;
  system.coupling(1)[2] = 5;
  system.clear_residual();
  EXPECT_EQ(system.residual, std::vector<double>(4, 0.0));
  EXPECT_EQ(system.coupling(1)[2], 5);
  system.clear_tangent();
  EXPECT_EQ(system.values, std::vector<double>(16, 0.0));
}

TEST(LocalSystem, NewEntitiesForgetCouplings) {
  LocalSystem system;
  system.set_entities(2, {1, 1});
  system.set_couplings({{0, 1}});
  system.set_entities(1, {2});
  EXPECT_TRUE(system.couplings.empty());
  EXPECT_EQ(system.values.size(), 4u);
}

TEST(LocalSystem, RefusesWhatDoesNotExist) {
  LocalSystem system;
  EXPECT_THROW(system.set_entities(3, {6, 6}), std::invalid_argument);
  EXPECT_THROW(system.set_entities(1, {-1}), std::invalid_argument);
  system.set_entities(1, {6, 6});
  EXPECT_THROW(system.set_couplings({{0, 2}}), std::invalid_argument);
  EXPECT_THROW(system.set_couplings({{-1, 0}}), std::invalid_argument);
}

}  // namespace
}  // namespace scree

#include "core/mesh/edge_table.hpp"

#include <gtest/gtest.h>

#include <map>
#include <random>

namespace scree {
namespace {

TEST(EdgeTable, FindsTheSameAsAMapAlsoWhereEdgesAreThereTwice) {
  std::mt19937 engine(3);
  std::uniform_int_distribution<int> vertex(0, 19), size(3, 6);
  std::vector<std::vector<int>> loops(60);
  std::map<std::pair<int, int>, DirectedEdge> expected;
  std::size_t corners = 0;
  for (int f = 0; f < 60; ++f) {
    for (int k = size(engine); k > 0; --k) loops[f].push_back(vertex(engine));
    const int n = static_cast<int>(loops[f].size());
    corners += loops[f].size();
    for (int k = 0; k < n; ++k)
      expected.emplace(std::pair{loops[f][k], loops[f][(k + 1) % n]},
                       DirectedEdge{loops[f][(k + 1) % n], f, k});
  }
  ASSERT_LT(expected.size(), corners) << "duplicate edge";
  const EdgeTable table(20, loops);
  std::size_t edges = 0;
  for (int v = 0; v < 20; ++v) {
    edges += table.end(v) - table.begin(v);
    for (int w = 0; w < 20; ++w) {
      const auto it = expected.find({v, w});
      const DirectedEdge* edge = table.find(v, w);
      ASSERT_EQ(edge != nullptr, it != expected.end());
      EXPECT_EQ(table.loop_of(v, w), edge != nullptr ? it->second.loop : -1);
      if (edge == nullptr) continue;
      EXPECT_EQ(edge->to, w);
      EXPECT_EQ(edge->corner, it->second.corner);
    }
  }
  EXPECT_EQ(edges, corners);
}

}  // namespace
}  // namespace scree

#include "contact/search/broad_phase.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <random>

namespace scree::contact {
namespace {

/// Balls of two materials at random, every third one fixed, and a plane of the second material.
Bodies crowd() {
  Bodies bodies;
  bodies.owned = 60;
  std::mt19937_64 engine(7);
  std::uniform_real_distribution<double> uniform(0, 0.5);
  for (int i = 0; i < bodies.owned; ++i) {
    BodyProperties properties;
    properties.id = i;
    properties.length = 0.05;
    properties.material = i % 2;
    properties.fixed.fill(i % 3 == 0);
    bodies.properties.push_back(properties);
    BodyState state;
    state.x = Vec3(uniform(engine), uniform(engine), uniform(engine));
    bodies.state.push_back(state);
  }
  BodyProperties floor;
  floor.id = 1000;
  floor.shape = 1;
  floor.material = 1;
  // One stands still for ever, and one may move.
  for (const bool held : {true, false}) {
    floor.fixed.fill(held);
    bodies.properties.push_back(floor);
    bodies.state.emplace_back();
    ++floor.id;
  }
  bodies.boundaries = 2;
  bodies.trial.resize(bodies.state.size());
  return bodies;
}

TEST(NearBodies, LeavesOutWhatDoesNotInteract) {
  const std::vector<Shape> shapes = {make_sphere("ball", 0.05), make_plane("floor")};
  const Bodies bodies = crowd();
  const std::vector<NearPair> all = near_bodies(bodies, shapes, 0.02);
  for (const std::vector<std::vector<int>>& interface_of :
       {std::vector<std::vector<int>>{{0, 0}, {0, 0}}, std::vector<std::vector<int>>{{0, -1}, {-1, 1}},
        std::vector<std::vector<int>>{{-1, -1}, {-1, -1}}}) {
    std::vector<NearPair> expected;
    for (const NearPair& pair : all) {
      const BodyProperties &a = bodies.properties[pair.a], &b = bodies.properties[pair.b];
      const bool held = a.fixed[0] && b.fixed[0];
      if (!held && interface_of[a.material][b.material] >= 0) expected.push_back(pair);
    }
    const std::vector<NearPair> found = near_bodies(bodies, shapes, 0.02, &interface_of);
    EXPECT_LT(found.size(), all.size());
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t k = 0; k < found.size(); ++k) {
      EXPECT_EQ(found[k].a, expected[k].a);
      EXPECT_EQ(found[k].b, expected[k].b);
    }
  }
}

/// Balls of radii over three decades, most of them small, in a cell that repeats along x.
Bodies mixed_sizes(int count, bool periodic, std::mt19937_64& engine) {
  Bodies bodies;
  bodies.owned = count;
  std::uniform_real_distribution<double> uniform(0, 1);
  if (periodic) bodies.periodic.length = Vec3(1, 0, 0);
  for (int i = 0; i < count; ++i) {
    BodyProperties properties;
    properties.id = i;
    properties.length = 2e-4 * std::pow(1000.0, std::pow(uniform(engine), 4));
    bodies.properties.push_back(properties);
    BodyState state;
    state.x = Vec3(uniform(engine), 0.3 * uniform(engine), 0.1 * uniform(engine));
    bodies.state.push_back(state);
  }
  bodies.trial.resize(bodies.state.size());
  return bodies;
}

TEST(NearBodies, OfAllSizesAreThoseOfASearchOverAllPairs) {
  std::mt19937_64 engine(3);
  const std::vector<Shape> shapes = {make_sphere("ball", 0.05)};
  constexpr double kMargin = 1e-3;
  int found_in_all = 0;
  for (int k = 0; k < 20; ++k) {
    const bool periodic = k % 2 == 0;
    const Bodies bodies = mixed_sizes(500, periodic, engine);
    std::vector<std::array<int, 3>> expected;
    for (int i = 0; i < bodies.owned; ++i) {
      for (int j = i + 1; j < bodies.owned; ++j) {
        const double reach = bodies.properties[i].length + bodies.properties[j].length + kMargin;
        for (int image = periodic ? -1 : 0; image <= (periodic ? 1 : 0); ++image) {
          const Vec3 way = bodies.state[j].x + image * Vec3::UnitX() - bodies.state[i].x;
          if (way.norm() < reach) expected.push_back({i, j, image});
        }
      }
    }
    const std::vector<NearPair> found = near_bodies(bodies, shapes, kMargin);
    ASSERT_EQ(found.size(), expected.size()) << k;
    for (std::size_t p = 0; p < found.size(); ++p) {
      EXPECT_EQ(found[p].a, expected[p][0]);
      EXPECT_EQ(found[p].b, expected[p][1]);
      EXPECT_EQ(found[p].image[0], expected[p][2]);
    }
    found_in_all += static_cast<int>(found.size());
  }
  EXPECT_GT(found_in_all, 5000);
}

}  // namespace
}  // namespace scree::contact

#include "contact/search/broad_phase.hpp"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace scree::contact

/// Solids with prescribed motion: boundaries with the shape of a body; on 1, 2 and 4 ranks.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "assembly/test_ranks.hpp"
#include "contact/neighbours/pair_list.hpp"
#include "core/shapes/shape_rotated.hpp"
#include "core/test_extremes.hpp"
#include "solvers/observer.hpp"
#include "solvers/test_models.hpp"
#include "solvers/time_loop.hpp"
#include "solvers/world/contact_output.hpp"

namespace scree {
namespace {

using test::add_cube;
using test::cubes_on_floor;

/// Positions of all bodies at the last accepted state.
struct LastPlaces : Observer {
  void accepted(const AcceptedState& state) override {
    places.assign(3 * static_cast<std::size_t>(state.model->body_count()), 0.0);
    for (int i = 0; i < state.bodies->owned; ++i)
      std::copy_n(state.bodies->state[i].x.data(), 3, &places[3 * state.bodies->properties[i].id]);
    MPI_Allreduce(MPI_IN_PLACE, places.data(), static_cast<int>(places.size()), MPI_DOUBLE, MPI_SUM,
                  MPI_COMM_WORLD);
  }
  std::vector<double> places;
};

std::vector<double> last_places(const Model& model) {
  LastPlaces last;
  run(model, {&last}, MPI_COMM_WORLD);
  return last.places;
}

/// A cube on a floor that a turned plate pushes.
Model pushed(const Shape& plate) {
  Model model = cubes_on_floor(0.2, 0.3);
  add_cube(model, {0.25, 0.02, 0.0509});
  model.walls = {plate};
  model.boundaries.push_back({});
  model.boundaries[1].motion.velocity = Vec3(0.5, 0, 0);
  model.boundaries[1].motion.angular_velocity = Vec3(0, 0, 0.4);
  model.boundary_parts.push_back({1, Vec3(0, 0, 0.2), Vec3::UnitZ(), 0});
  model.time.end = 0.4;
  model.time.step = 5e-4;
  return model;
}

TEST(MovingSolids, PushAsTheirSurfaceDoes) {
  const Mat3 turn = Eigen::AngleAxisd(0.3, Vec3::UnitZ()).toRotationMatrix();
  const Shape solid = rotated(make_box("plate", {0.1, 0.4, 0.3}), turn);
  std::vector<std::vector<int>> loops;
  for (const Face& face : solid.faces) loops.push_back(face.loop);
  const Shape sheet = make_surface("plate", solid.vertices, loops);
  ASSERT_EQ(sheet.shift, Vec3::Zero());
  const std::vector<double> by_solid = last_places(pushed(solid)), by_sheet = last_places(pushed(sheet));
  EXPECT_GT(by_solid[0], 0.28);  // from 0.25
  double worst = 0;
  for (std::size_t k = 0; k < by_solid.size(); ++k)
    test::keep_largest(worst, std::abs(by_solid[k] - by_sheet[k]));
  EXPECT_LT(worst, 1e-9);
}

TEST(MovingSolids, CarryBodiesThatRestOnThem) {
  Model model = cubes_on_floor(0.2, 0.5);
  add_cube(model, {0, 0, 0.3509});
  model.walls = {make_box("table", {0.4, 0.4, 0.1})};
  model.boundaries.push_back({});
  model.boundaries[1].motion.table = {{0, Vec3::Zero(), Vec3::Zero()},
                                      {0.4, Vec3(0.04, 0, 0.02), Vec3::Zero()}};
  model.boundary_parts.push_back({1, Vec3(0, 0, 0.25), Vec3::UnitZ(), 0});
  model.time.end = 0.4;
  model.time.step = 5e-4;
  const std::vector<double> places = last_places(model);
  EXPECT_NEAR(places[0], 0.04, 2e-3);
  EXPECT_NEAR(places[2], 0.37, 2e-3);
}

/// Most pairs of a list are far apart: sums in each step go over the others alone.
TEST(ContactOutput, SumsWrenchesOverPairsThatAreAwake) {
  Model model = cubes_on_floor(0.2, 0.5);
  add_cube(model, {0, 0, 0.0509});
  World world(model, MPI_COMM_WORLD);
  contact::PairList& list = world.contacts().list();
  for (contact::BodyPair& pair : list.pairs()) pair.active.emplace_back().update_force = Vec3(0, 0, 3);
  const auto force_on_cube = [&world] {
    std::vector<Wrench> wrench;
    sum_pair_wrenches(world, wrench);
    double sum = 0;
    for (const Wrench& one : wrench) sum += one.force.z();
    return world.max_over_ranks(sum);
  };
  const auto force_on_floor = [&world] {
    std::vector<Wrench> wrench;
    boundary_wrenches(world, wrench);
    return wrench.at(0).force.z();
  };
  EXPECT_EQ(force_on_cube(), 3);
  EXPECT_EQ(force_on_floor(), -3);
  list.begin_choice(0);  // and chooses none
  EXPECT_EQ(force_on_cube(), 0);
  EXPECT_EQ(force_on_floor(), 0);
}

}  // namespace
}  // namespace scree

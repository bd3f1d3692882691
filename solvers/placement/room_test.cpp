#include "solvers/placement/room.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "solvers/placement/generator.hpp"

namespace scree {
namespace {

std::vector<BoundaryPart> walls_of(const Vec3& low, const Vec3& high) {
  return {{0, low, Vec3::UnitX()},   {0, low, Vec3::UnitY()},   {0, low, Vec3::UnitZ()},
          {0, high, -Vec3::UnitX()}, {0, high, -Vec3::UnitY()}, {0, high, -Vec3::UnitZ()}};
}

Room room(const Shape& shape, int count, const Vec3& low, const Vec3& high,
          const std::vector<BoundaryPart>& walls, double clearance = 0, const PeriodicCell& periodic = {}) {
  return room_for({shape}, std::vector<int>(static_cast<std::size_t>(count), 0), low, high, {}, 0, walls,
                  clearance, periodic);
}

TEST(Room, OfABoxWithWallsIsItsVolume) {
  const Vec3 zero = Vec3::Zero(), one = Vec3::Ones();
  const Shape cube = make_box("cube", Vec3::Constant(0.5));
  EXPECT_TRUE(room(cube, 8, zero, one, walls_of(zero, one)).is_enough());
  EXPECT_FALSE(room(cube, 9, zero, one, walls_of(zero, one)).is_enough());
  // Without walls bodies stick out of the region of their poles, by their bounding radius at most.
  EXPECT_TRUE(room(cube, 9, zero, one, {}).is_enough());
  const double side = 1 + std::sqrt(0.75);
  const int most = static_cast<int>(side * side * side / 0.125);
  EXPECT_TRUE(room(cube, most, zero, one, {}).is_enough());
  EXPECT_FALSE(room(cube, most + 1, zero, one, {}).is_enough());
}

TEST(Room, NeverRefusesTheDensestPackingOfSpheres) {
  // Face-centred cubic: four spheres in a cube of side 2 sqrt(2) r.
  const double r = 0.5, side = 2 * std::sqrt(2.0) * r;
  const Shape ball = make_sphere("ball", r);
  for (int m = 1; m <= 30; ++m) {
    // Corners included: (m + 1)^3 corners and 3 m^2 (m + 1) faces.
    const int count = (m + 1) * (m + 1) * (m + 1) + 3 * m * m * (m + 1);
    const Vec3 high = Vec3::Constant(m * side);
    EXPECT_TRUE(room(ball, count, Vec3::Zero(), high, {}).is_enough()) << m;
    EXPECT_TRUE(room(ball, count, Vec3::Zero(), high, walls_of(Vec3::Constant(-r), high + Vec3::Constant(r)))
                    .is_enough())
        << m;
    // In a periodic cell the packing fills it exactly.
    PeriodicCell cell;
    cell.length = high;
    EXPECT_TRUE(room(ball, 4 * m * m * m, Vec3::Zero(), high, {}, 0, cell).is_enough()) << m;
    EXPECT_FALSE(room(ball, 4 * m * m * m + 1, Vec3::Zero(), high, {}, 0, cell).is_enough()) << m;
  }
}

TEST(Room, ClearanceIsAPartOfTheSpheres) {
  PeriodicCell cell;
  cell.length = Vec3::Constant(2 * std::sqrt(2.0) * 0.5);
  const Vec3 high = cell.length;
  EXPECT_TRUE(room(make_sphere("ball", 0.45), 4, Vec3::Zero(), high, {}, 0.1, cell).is_enough());
  EXPECT_FALSE(room(make_sphere("ball", 0.45), 4, Vec3::Zero(), high, {}, 0.11, cell).is_enough());
}

TEST(Room, CountsWhatLiesThereAlready) {
  const std::vector<Shape> shapes = {make_box("cube", Vec3::Constant(0.5))};
  const Vec3 zero = Vec3::Zero(), one = Vec3::Ones();
  const std::vector<PlacedBody> placed = {place(shapes[0], 0, Vec3::Constant(0.5), Quat::Identity())};
  const std::vector<int> eight(8, 0);
  EXPECT_FALSE(room_for(shapes, eight, zero, one, placed, 0, walls_of(zero, one), 0, {}).is_enough());
  EXPECT_TRUE(room_for(shapes, eight, zero, one, placed, 1, walls_of(zero, one), 0, {}).is_enough());
}

TEST(Room, HoldsWhateverTheGeneratorFindsAPlaceFor) {
  const std::vector<Shape> shapes = {make_sphere("ball", 0.1), make_box("cube", Vec3::Constant(0.15))};
  for (const int shape : {0, 1}) {
    for (const int count : {1, 8, 30, 60}) {
      const Vec3 low = Vec3::Zero(), high = Vec3::Constant(0.8);
      Generator generator(shapes, walls_of(low, high), 1e-3, {0, 0, -9.81});
      const std::vector<int> bodies(static_cast<std::size_t>(count), shape);
      const auto found = generator.generate(bodies, low, high, 3);
      const bool fits = found.size() == bodies.size();
      EXPECT_TRUE(!fits ||
                  room_for(shapes, bodies, low, high, {}, 0, walls_of(low, high), 1e-3, {}).is_enough());
      EXPECT_TRUE(fits || count > 8);
    }
  }
}

}  // namespace
}  // namespace scree

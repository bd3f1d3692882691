/// Heap allocations of whole steps do not grow with the number of contacts: integrators, impact updates and
/// contact dynamics, beside what contact/contacts_allocation_test.cpp counts of contacts alone.
#include <gtest/gtest.h>

#include <atomic>
#include <cstddef>
#include <cstdio>
#include <memory>
#include <utility>
#include <variant>
#include <vector>

#include "assembly/test_ranks.hpp"
#include "core/test_extremes.hpp"
#include "solvers/simulation.hpp"
#include "solvers/test_energy.hpp"
#include "solvers/test_models.hpp"
#include "solvers/test_runs.hpp"

namespace {
std::atomic<long> allocations_of_steps{0};
}  // namespace

// All memory of the program comes from here, that of Eigen and PETSc as well: operator new calls it, too.
#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__clang__)
#define SCREE_COUNTS_ALLOCATIONS 1
extern "C" {
void* __libc_malloc(std::size_t bytes);
[[gnu::visibility("default"), gnu::noinline]] void* malloc(std::size_t bytes) noexcept {
  ++allocations_of_steps;
  return __libc_malloc(bytes);
}
}
#endif

namespace scree::step_allocations {
namespace {

constexpr int kTowers = 20;
constexpr double kRadius = 0.05;  // m, of balls and half the edge of cubes
// Arrays that grow while they are filled get new memory once more when their length doubles: 2 to 21 of them
// in the scenes below. One allocation per body or contact would be 40 more.
constexpr long kArrays = 30;

/// Pairs of bodies, one above the other, far from other pairs.
Model towers(Model model, bool cubes, int count, double gap, double speed) {
  for (int i = 0; i < count; ++i) {
    for (int level = 0; level < 2; ++level) {
      const Vec3 x(0, 0.3 * i, (1 + 2 * level) * kRadius + (1 + level) * gap);
      if (cubes)
        test::add_cube(model, x, Quat::Identity(), {0, 0, -speed});
      else
        test_runs::add_ball(model, x, {0, 0, -speed});
    }
  }
  model.time.end = 1;
  return model;
}

Model rigid(Model model, double friction, double restitution) {
  model.analysis = Analysis::contact_dynamics;
  model.interfaces[0].normal = contact::RigidParameters{restitution, 1, 1};
  model.interfaces[0].friction = {.static_coefficient = friction, .dynamic_coefficient = friction};
  model.solver.method = friction > 0 ? RigidMethod::one_step : RigidMethod::two_step;
  return model;
}

Model in_wall(Model model, Shape wall, const Vec3& point, const Vec3& axis) {
  model.walls = {std::move(wall)};
  model.boundary_parts = {{0, point, axis, 0}};
  return model;
}

struct Counted {
  std::vector<long> allocations;  ///< of each step after the first contact
  long contacts = 0;              ///< at most, of one step
};

/// @param skip steps before the count: lists, patterns and the memory of new contacts are made in them.
Counted count_steps(const Model& model, int skip, int steps) {
  Simulation simulation(std::make_shared<const Model>(model), MPI_COMM_WORLD);
  Counted counted;
  for (int k = 0; k < skip + steps; ++k) {
    const long before = allocations_of_steps;
    simulation.step();
    if (k < skip) continue;
    counted.allocations.push_back(allocations_of_steps - before);
    test::keep_largest(counted.contacts, simulation.contact_totals().contacts);
  }
  return counted;
}

struct Scene {
  const char* name;
  Model model;
  bool cubes;
  double gap, speed;  ///< at the start [m], [m/s]
  int skip, steps;
};

/// Counts with kTowers towers and with twice as many; each of the steps is the same for all towers.
void compare(const Scene& scene) {
  Counted counted[2];
  for (int k = 0; k < 2; ++k) {
    Model model = towers(scene.model, scene.cubes, kTowers * (k + 1), scene.gap, scene.speed);
    model.time.step = 1e-3;
    counted[k] = count_steps(model, scene.skip, scene.steps);
  }
  EXPECT_GE(counted[0].contacts, kTowers) << scene.name;
  EXPECT_GE(counted[1].contacts, 2 * kTowers) << scene.name;
  for (std::size_t k = 0; k < counted[0].allocations.size(); ++k) {
    const long one = counted[0].allocations[k], twice = counted[1].allocations[k];
    EXPECT_LE(twice - one, kArrays) << scene.name << ", step " << scene.skip + static_cast<int>(k);
    std::printf("%s: %ld allocations, %ld with twice the towers\n", scene.name, one, twice);
  }
}

Model hooke_balls() {
  Model model = test_runs::balls_on_floor(0, 0.3);
  contact::HookeParameters hooke;
  hooke.stiffness = 2e4;
  hooke.restitution = 0.5;
  model.interfaces[0].normal = hooke;
  return model;
}

Model barrier_cubes() {
  Model model = test::cubes_on_floor(0, 0.3);
  std::get<contact::BarrierParameters>(model.interfaces[0].normal).restitution = 0.5;
  return model;
}

TEST(StepAllocations, DoNotGrowWithTheNumberOfContacts) {
#ifndef SCREE_COUNTS_ALLOCATIONS
  GTEST_SKIP() << "malloc is that of another library";
#endif
  if (ranks::rank_count() > 1) GTEST_SKIP() << "counts of one rank";
  const Model balls = hooke_balls(), cubes = barrier_cubes();
  const Shape square =
      make_surface("sheet", {{-1, -1, 0}, {1, -1, 0}, {1, 99, 0}, {-1, 99, 0}}, {{0, 1, 2, 3}});
  const Model in_bore = in_wall(balls, make_bore("bore", 1), {0, 0, 1}, Vec3::UnitY());
  const Model on_rod = in_wall(balls, make_cylinder("rod", 1), {0, 0, -1}, Vec3::UnitY());
  const Model on_sheet = in_wall(cubes, square, {0, 49, 0}, Vec3::UnitZ());
  const double pressed = -1e-3, in_reach = 9.4e-4;
  // Those that fall meet the floor in the second step, cubes each other in the third: counted from the next
  // on.
  const Scene scenes[] = {
      {"balls, newmark, at rest", balls, false, pressed, 0, 2, 3},
      {"balls in a bore, newmark, at rest", in_bore, false, pressed, 0, 2, 3},
      {"balls, energy, at rest", test::with_energy(balls), false, pressed, 0, 2, 3},
      {"balls, energy, impact", test::with_energy(balls), false, 1.5e-3, 1, 2, 3},
      {"balls in a bore, energy, impact", test::with_energy(in_bore), false, 1.5e-3, 1, 2, 3},
      {"balls on a rod, energy, impact", test::with_energy(on_rod), false, 1.5e-3, 1, 2, 3},
      {"cubes, energy, at rest", test::with_energy(cubes), true, in_reach, 0, 2, 3},
      {"cubes, energy, impact", test::with_energy(cubes), true, 2e-3, 1, 3, 3},
      {"cubes on a sheet, energy, impact", test::with_energy(on_sheet), true, 2e-3, 1, 3, 3},
      {"balls, rigid, at rest", rigid(balls, 0, 0), false, 0, 0, 3, 3},
      {"balls, rigid with friction, at rest", rigid(balls, 0.3, 0), false, 0, 0, 3, 3},
      {"cubes, rigid, at rest", rigid(cubes, 0, 0), true, 0, 0, 3, 3},
      {"cubes, rigid with friction, at rest", rigid(cubes, 0.3, 0), true, 0, 0, 3, 3},
  };
  for (const Scene& scene : scenes) compare(scene);
}

/// Contacts that are new in a step get memory that their pair keeps: a few allocations each, and no more
/// where the impact takes many iterations.
TEST(StepAllocations, OfAnImpactAreAFewForEachNewContact) {
#ifndef SCREE_COUNTS_ALLOCATIONS
  GTEST_SKIP() << "malloc is that of another library";
#endif
  if (ranks::rank_count() > 1) GTEST_SKIP() << "counts of one rank";
  constexpr double kEach = 8;
  const Model balls = hooke_balls(), cubes = barrier_cubes();
  const Scene scenes[] = {
      {"balls, energy", test::with_energy(balls), false, 1.5e-3, 1, 1, 1},
      {"cubes, energy", test::with_energy(cubes), true, 2e-3, 1, 2, 1},
      {"balls, rigid", rigid(balls, 0, 0.5), false, 1.5e-3, 1, 1, 1},
      {"balls, rigid with friction", rigid(balls, 0.3, 0.5), false, 1.5e-3, 1, 1, 1},
      {"cubes, rigid with friction", rigid(cubes, 0.3, 0.5), true, 1.5e-3, 1, 1, 1},
  };
  for (const Scene& scene : scenes) {
    Counted counted[2];
    for (int k = 0; k < 2; ++k) {
      Model model = towers(scene.model, scene.cubes, kTowers * (k + 1), scene.gap, scene.speed);
      model.time.step = 1e-3;
      counted[k] = count_steps(model, scene.skip, scene.steps);
    }
    const long grown = counted[1].allocations[0] - counted[0].allocations[0];
    const long contacts = counted[1].contacts - counted[0].contacts;
    ASSERT_GE(contacts, kTowers) << scene.name;
    EXPECT_LE(static_cast<double>(grown), kEach * static_cast<double>(contacts)) << scene.name;
    std::printf("%s: %ld more allocations for %ld more contacts\n", scene.name, grown, contacts);
  }
}

}  // namespace
}  // namespace scree::step_allocations

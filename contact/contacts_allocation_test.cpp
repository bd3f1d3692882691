/// Heap allocations of a step without new candidate lists do not grow with the number of contacts. The test
/// counts all of this program.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <vector>

#include "contact/boundary_ids.hpp"
#include "contact/bounds/path_bounds.hpp"
#include "contact/bounds/paths.hpp"
#include "contact/bounds/step_bounds.hpp"
#include "contact/bounds/step_limits.hpp"
#include "contact/contacts.hpp"
#include "contact/forces/contact_forces.hpp"
#include "contact/neighbours/pair_blocks.hpp"
#include "contact/neighbours/pair_gaps.hpp"
#include "contact/neighbours/pair_list.hpp"
#include "contact/neighbours/pair_switches.hpp"
#include "contact/neighbours/waking.hpp"
#include "contact/test_bodies.hpp"
#include "core/rotation.hpp"
#include "core/test_extremes.hpp"

namespace {
std::atomic<long> allocations{0};
}  // namespace

[[gnu::noinline]] void* operator new(std::size_t bytes) {
  ++allocations;
  if (void* memory = std::malloc(bytes > 0 ? bytes : 1)) return memory;
  throw std::bad_alloc();
}
[[gnu::noinline]] void* operator new(std::size_t bytes, std::align_val_t alignment) {
  ++allocations;
  const auto align = static_cast<std::size_t>(alignment);
  if (void* memory = std::aligned_alloc(align, (bytes + align - 1) / align * align)) return memory;
  throw std::bad_alloc();
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
  std::free(memory);
}

namespace scree::contact {
namespace {

/// Towers of two bodies on a floor, far from each other.
struct Towers {
  std::vector<Shape> shapes;
  Bodies bodies;
  Contacts contacts;
  LocalSystem system;
  std::vector<char> moved;
  Path path;

  /// @param height of the middle of the body above its lowest point [m]. @param gap between the bodies and
  /// to the floor [m].
  Towers(const Shape& shape, const Interface& law, double height, double gap, int count)
      : shapes({shape, make_plane("floor")}), contacts(shapes, {InterfaceLaw(law)}, {{0}}, {{1e7, 0.3}}) {
    bodies.owned = 2 * count;
    bodies.boundaries = 1;
    for (int i = 0; i <= bodies.owned; ++i) {
      const bool floor = i == bodies.owned;
      BodyProperties properties;
      properties.id = floor ? kFirstBoundaryId : i;
      properties.shape = floor ? 1 : 0;
      properties.mass = 1;
      properties.inertia_B = 0.01 * Mat3::Identity();
      properties.length = floor ? 0 : shape.bounding_radius;
      bodies.properties.push_back(properties);
      BodyState state;
      if (!floor) {
        const int level = i % 2;
        state.x = Vec3(4 * (i / 2) * shape.bounding_radius, 0, (1 + 2 * level) * height + (1 + level) * gap);
        state.q = rotation::quaternion(Vec3(0, 0, 2.0 * level));  // a quarter of a turn: 2 tan(pi/4)
      }
      bodies.state.push_back(state);
    }
    bodies.trial.resize(bodies.state.size());
    moved.assign(bodies.state.size(), 1);
    path.du.assign(bodies.state.size(), Vec3::Zero());
    path.dalpha = path.du;
    move(0);
    contacts.list().search(bodies, 0.02);
    contacts.switches().set_boundaries(bodies, {1});
    contacts.gaps().update(bodies);
    system.set_entities(bodies.owned, std::vector<int>(static_cast<std::size_t>(bodies.owned), 6));
    std::vector<LocalSystem::Coupling> couplings;
    const auto moving = static_cast<std::size_t>(bodies.moving());
    const ForeseenMotion at_rest{.ways = std::vector<Vec3>(moving, Vec3::Zero()),
                                 .turns = std::vector<double>(moving)};
    contacts.blocks().couple(bodies, at_rest, 1, couplings);
    system.set_couplings(couplings);
    contacts.blocks().locate(bodies, system);
    system.assembling.assign(static_cast<std::size_t>(bodies.owned), 1);
  }

  /// Trial state: everything slides and turns a little, the upper body on the lower one.
  void move(double part) {
    for (int i = 0; i <= bodies.owned; ++i) {
      const double moves = i < bodies.owned ? part : 0;
      bodies.trial[i] = testing::trial_from_rest(bodies.state[i], moves * Vec3(1e-6 * (1 + i % 2), 5e-7, 0),
                                                 moves * Vec3(0, 0, 1e-6 * (1 + i % 2)));
    }
  }

  /// All that an accepted step asks of contacts, with two iterations and a path that leads towards the floor.
  /// @param secant with the forces of energy-consistent steps. @returns allocations.
  long step(bool secant) {
    const long before = allocations;
    contacts.waking().wake(bodies, 1e-3);
    contacts.forces().begin_step({.h = 1e-3, .secant = secant});
    for (const double part : {0.5, 1.0}) {
      move(part);
      system.clear_residual();
      contacts.forces().residual(bodies, moved, system);
      system.clear_tangent();
      contacts.forces().tangent(bodies, system);
      for (int i = 0; i < bodies.owned; ++i) path.du[i] = Vec3(0, 0, i % 2 == 0 ? -0.02 : 0);
      contacts.path_bounds().clip(bodies, path);
    }
    contacts.forces().commit(bodies);
    for (int i = 0; i < bodies.owned; ++i) {
      bodies.state[i].x = bodies.trial[i].x;
      bodies.state[i].q = Quat(bodies.trial[i].R);
    }
    move(0);
    const StepLimits limits = contacts.step_bounds().limits(bodies, 1, 1);
    const StepLimits by_motion = contacts.step_bounds().motion_limits(bodies, 1, 1);
    return limits.closing > 0 && by_motion.closing > 0 ? allocations - before : -1;
  }
  [[nodiscard]] long active() const {
    long sum = 0;
    for (const BodyPair& pair : contacts.list().pairs()) sum += static_cast<long>(pair.active.size());
    return sum;
  }
};

Interface barrier_of_blocks() {
  Interface interface;
  interface.normal =
      BarrierParameters{.threshold = 0.01, .stiffness = 1e9, .exponent = 3, .damping_ratio = 0.2};
  interface.friction = {
      .static_coefficient = 0.4, .dynamic_coefficient = 0.3, .stiffness = 2e5, .damping = 1};
  return interface;
}

Interface hertz_of_spheres() {
  Interface interface = barrier_of_blocks();
  interface.normal = HertzParameters{.damping_ratio = 0.2};
  interface.friction.rule = TangentialStiffness::mindlin;
  interface.rolling = {.coefficient = 0.1, .stiffness = 50, .damping_ratio = 0.3};
  return interface;
}

TEST(ContactAllocations, OfAStepDoNotGrowWithTheNumberOfContacts) {
  const Shape thorn = testing::star(0.2);
  double low = 0;
  for (const Vec3& v : thorn.vertices) test::keep_smallest(low, v.z());
  struct Scene {
    const char* name;
    Shape shape;
    Interface law;
    double height, gap;
  };
  const Scene scenes[] = {
      {"spheres", make_sphere("ball", 0.1), barrier_of_blocks(), 0.1, 0.006},
      {"spheres, Hertz and rolling", make_sphere("ball", 0.1), hertz_of_spheres(), 0.1, -1e-3},
      {"capsules", make_capsule("capsule", 0.05, 0.2), hertz_of_spheres(), 0.15, -1e-3},
      {"cubes", make_box("cube", Vec3::Constant(0.2)), barrier_of_blocks(), 0.1, 0.006},
      {"stars", thorn, barrier_of_blocks(), -low, 0.006},
      {"superquadrics", make_superquadric("tablet", {0.15, 0.12, 0.09}, 5, 3, 10), hertz_of_spheres(), 0.09,
       -1e-3},
  };
  for (const Scene& scene : scenes) {
    for (const bool secant : {false, true}) {
      long count[2] = {}, contacts[2] = {};
      for (int k = 0; k < 2; ++k) {
        Towers towers(scene.shape, scene.law, scene.height, scene.gap, 20 * (k + 1));
        for (int warm_up = 0; warm_up < 3; ++warm_up) towers.step(secant);
        count[k] = towers.step(secant);
        contacts[k] = towers.active();
      }
      EXPECT_EQ(contacts[1], 2 * contacts[0]) << scene.name << ", " << secant;
      EXPECT_GE(contacts[0], 40) << scene.name << ", " << secant;
      EXPECT_EQ(count[1], count[0]) << scene.name << ", " << secant;
      std::printf("%s%s: %ld allocations with %ld contacts, %ld with %ld\n", scene.name,
                  secant ? ", secants" : "", count[0], contacts[0], count[1], contacts[1]);
    }
  }
}

}  // namespace
}  // namespace scree::contact

/// Contacts through faces of the periodic cell: against the same bodies side by side, and their memory when
/// poles are brought back and when bodies change their rank.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <random>

#include "contact/boundary_ids.hpp"
#include "contact/bounds/step_bounds.hpp"
#include "contact/contacts.hpp"
#include "contact/forces/contact_forces.hpp"
#include "contact/neighbours/contact_model.hpp"
#include "contact/neighbours/pair_blocks.hpp"
#include "contact/neighbours/pair_gaps.hpp"
#include "contact/neighbours/pair_list.hpp"
#include "contact/neighbours/pair_switches.hpp"
#include "contact/search/broad_phase.hpp"
#include "contact/test_bodies.hpp"
#include "contact/test_interfaces.hpp"
#include "core/archive.hpp"
#include "core/test_extremes.hpp"

namespace scree::contact {
namespace {

constexpr double kPeriod = 1;  // exact in binary: images lie where bodies do, to the bit nearly

/// A ball and a cube that press on each other, and on a floor.
struct PeriodicScene {
  std::vector<Shape> shapes = {make_sphere("ball", 0.1), make_box("block", Vec3::Constant(0.25)),
                               make_plane("floor")};
  Bodies bodies;
  Contacts contacts;
  LocalSystem system;

  explicit PeriodicScene(const Interface& law) : contacts(shapes, {InterfaceLaw(law)}, {{0}}) {
    bodies.owned = 2;
    bodies.boundaries = 1;
    for (int i = 0; i < 3; ++i) {
      BodyProperties properties;
      properties.id = i < 2 ? i : kFirstBoundaryId;
      properties.shape = i;
      properties.mass = 1 + i;
      properties.inertia_B = 0.01 * (1 + i) * Mat3::Identity();
      properties.length = i < 2 ? shapes[i].bounding_radius : 0;
      bodies.properties.push_back(properties);
    }
    bodies.state.resize(3);
    const double gap = law.traits().overlap ? -1e-3 : 0.5 * law.threshold();
    bodies.state[0].x = Vec3(0.3, 0.2, 0.1 + gap);
    bodies.state[1].x = Vec3(0.3 + 0.1 + 0.125 + gap, 0.21, 0.125 + gap);
    bodies.trial.resize(3);
  }

  void search() {
    move(0);
    contacts.list().search(bodies, 0.02);
    contacts.switches().set_boundaries(bodies, {1});
    contacts.gaps().update(bodies);
    system.set_entities(2, {6, 6});
    std::vector<LocalSystem::Coupling> couplings;
    const auto moving = static_cast<std::size_t>(bodies.moving());
    const ForeseenMotion at_rest{.ways = std::vector<Vec3>(moving, Vec3::Zero()),
                                 .turns = std::vector<double>(moving)};
    contacts.blocks().couple(bodies, at_rest, 1, couplings);
    system.set_couplings(couplings);
    contacts.blocks().locate(bodies, system);
  }
  /// Trial state of the step: the ball slides and rolls, the cube moves on.
  void move(double part) {
    for (int i = 0; i < 3; ++i) {
      const double moves = i < 2 ? part : 0;
      bodies.trial[i] = testing::trial_from_rest(
          bodies.state[i], moves * (i == 0 ? Vec3(1e-4, 3e-4, -2e-5) : Vec3(-2e-5, -1e-4, 1e-5)),
          moves * Vec3(2e-3, -1e-3, i == 0 ? 3e-3 : 0));
    }
  }
  /// Residual and tangent at the trial state of a step.
  std::vector<double> evaluate(double part) {
    move(part);
    contacts.forces().begin_step({.h = 1e-3});
    system.clear_residual();
    contacts.forces().residual(bodies, {1, 1, 1}, system);
    system.assembling = {1, 1};
    system.clear_tangent();
    contacts.forces().tangent(bodies, system);
    std::vector<double> all = system.residual;
    all.insert(all.end(), system.values.begin(), system.values.end());
    return all;
  }
  void accept() {
    contacts.forces().commit(bodies);
    for (int i = 0; i < 2; ++i) {
      bodies.state[i].x = bodies.trial[i].x;
      bodies.state[i].q = Quat(bodies.trial[i].R);
    }
  }
  /// Brings a body into another cell.
  void carry(int body, const CellNumber& cells) {
    bodies.state[body].x -= bodies.periodic.way_to(cells);
    bodies.state[body].cell = bodies.state[body].cell + cells;
  }
};

double difference(const std::vector<double>& a, const std::vector<double>& b) {
  double worst = 0, largest = 0;
  EXPECT_EQ(a.size(), b.size());
  for (std::size_t k = 0; k < a.size(); ++k) {
    test::keep_largest(worst, std::abs(a[k] - b[k]));
    test::keep_largest(largest, std::abs(a[k]));
  }
  EXPECT_GT(largest, 0);
  return worst / largest;
}

/// Every law with friction and rolling resistance; Hertz's with moduli are in whole runs.
std::vector<testing::NamedInterface> laws() {
  std::vector<testing::NamedInterface> all;
  for (testing::NamedInterface& law : testing::normal_laws()) {
    if (law.interface.traits().moduli) continue;
    if (auto* barrier = std::get_if<BarrierParameters>(&law.interface.normal))
      barrier->threshold = std::min(barrier->threshold, 2e-3);
    law.interface.friction.static_coefficient = 0.5;
    law.interface.friction.dynamic_coefficient = 0.3;
    law.interface.friction.stiffness = 3e5;
    law.interface.friction.damping = 20;
    law.interface.rolling = testing::some_rolling();
    all.push_back(law);
  }
  return all;
}

TEST(ContactImages, ForcesTangentAndMemoryAreThoseOfBodiesSideBySide) {
  for (const auto& [name, law] : laws()) {
    SCOPED_TRACE(name);
    PeriodicScene beside(law), across(law);
    across.bodies.periodic.length = Vec3(kPeriod, kPeriod, 0);
    across.bodies.periodic.low = Vec3(0.4, 0, 0);  // a face between the two
    beside.search();
    across.carry(0, across.bodies.periodic.number_of(across.bodies.state[0].x));
    EXPECT_EQ(across.bodies.state[0].cell, (CellNumber{-1, 0, 0}));
    across.search();
    ASSERT_EQ(across.contacts.list().pairs().size(), beside.contacts.list().pairs().size());
    ASSERT_EQ(across.contacts.list().pairs().size(), 3u);
    EXPECT_LT(difference(beside.evaluate(0.7), across.evaluate(0.7)), 1e-10);
    EXPECT_LT(difference(beside.evaluate(1), across.evaluate(1)), 1e-10);
    beside.accept();
    across.accept();
    EXPECT_LT(difference(beside.evaluate(0.3), across.evaluate(0.3)), 1e-10) << "memory";
  }
}

TEST(ContactImages, MemoryStaysWhenPolesAreBroughtBackAndWhenItTravels) {
  for (const auto& [name, law] : laws()) {
    SCOPED_TRACE(name);
    PeriodicScene beside(law), across(law);
    for (PeriodicScene* scene : {&beside, &across}) {
      scene->bodies.periodic.length = Vec3(kPeriod, kPeriod, 0);
      scene->search();
      scene->evaluate(1);
      scene->accept();
    }
    // The ball, then the cube, go several cells on, which makes them images of what they were.
    across.carry(0, {2, -1, 0});
    across.search();
    beside.search();
    EXPECT_LT(difference(beside.evaluate(0.3), across.evaluate(0.3)), 1e-10) << "the ball was brought back";
    across.accept();
    beside.accept();
    across.carry(1, {1, 1, 0});
    // Memory as it goes to another rank, there and back, with a search in another cell in between.
    const std::vector<std::vector<std::byte>> luggage = {to_bytes(across.contacts.list().memory(0)),
                                                         to_bytes(across.contacts.list().memory(1))};
    EXPECT_GT(across.contacts.list().memory(0).front().entries.size(), 0u);
    across.contacts.list().forget();
    for (const auto& bytes : luggage)
      across.contacts.list().remember(from_bytes<std::vector<PairMemory>>(bytes));
    across.search();
    beside.search();
    std::size_t remembered = 0;
    for (const BodyPair& pair : across.contacts.list().pairs()) remembered += pair.history.empty() ? 0 : 1;
    EXPECT_EQ(remembered, 3u);
    EXPECT_LT(difference(beside.evaluate(0.3), across.evaluate(0.3)), 1e-10) << "the history is kept";
    // Without it the answer is another one.
    across.contacts.list().forget();
    across.search();
    EXPECT_GT(difference(beside.evaluate(0.3), across.evaluate(0.3)), 1e-6);
  }
}

/// The limits of a step that follows an arrival are found before forces are evaluated in the new cell.
TEST(ContactImages, LimitsOfAStepStayWhenABodyIsBroughtBack) {
  for (const auto& [name, law] : laws()) {
    SCOPED_TRACE(name);
    PeriodicScene here(law), brought(law);
    std::array<StepLimits, 2> motion, resolved;
    for (PeriodicScene* scene : {&here, &brought}) {
      scene->bodies.periodic.length = Vec3(kPeriod, kPeriod, 0);
      scene->search();
      scene->evaluate(1);
      scene->accept();
      if (scene == &brought) scene->carry(0, {2, -1, 0});
      scene->search();
      scene->bodies.trial[0].w = Vec3(0, 3, 0);
      const std::size_t at = scene == &brought ? 1 : 0;
      motion[at] = scene->contacts.step_bounds().motion_limits(scene->bodies, 1, 1);
      resolved[at] = scene->contacts.step_bounds().limits(scene->bodies, 1, 1);
    }
    EXPECT_LT(motion[0].closing, 1);
    EXPECT_NEAR(motion[1].closing, motion[0].closing, 1e-9 * motion[0].closing);
    EXPECT_NEAR(resolved[1].closing, resolved[0].closing, 1e-9 * resolved[0].closing);
    EXPECT_NEAR(resolved[1].oscillation, resolved[0].oscillation, 1e-9 * resolved[0].oscillation);
  }
}

TEST(NearBodies, AreThoseOfAllImagesEachPairOnce) {
  std::vector<Shape> shapes = {make_sphere("ball", 0.05)};
  Bodies bodies;
  bodies.periodic.low = Vec3(0.1, -0.2, 0);
  bodies.periodic.length = Vec3(0.5, 0.21, 0);  // along y each body is near several images of another one
  bodies.owned = 40;
  std::mt19937_64 engine(3);
  std::uniform_real_distribution<double> uniform(-0.6, 0.6);
  for (int i = 0; i < bodies.owned; ++i) {
    BodyProperties properties;
    properties.id = i;
    properties.length = 0.05;
    bodies.properties.push_back(properties);
    BodyState state;
    state.x = Vec3(uniform(engine), uniform(engine), uniform(engine));  // some outside of the cell
    state.cell = {i % 3 - 1, i % 2, 0};
    bodies.state.push_back(state);
  }
  bodies.trial.resize(bodies.state.size());
  const double margin = 0.17, reach = 0.1 + margin;
  const std::vector<NearPair> found = near_bodies(bodies, shapes, margin);
  std::size_t k = 0;
  for (int a = 0; a < bodies.owned; ++a) {
    for (int b = a + 1; b < bodies.owned; ++b) {
      for (int nx = -12; nx <= 12; ++nx) {
        for (int ny = -12; ny <= 12; ++ny) {
          const CellNumber image = {nx, ny, 0};
          const Vec3 apart = bodies.state[a].x - bodies.state[b].x - bodies.way_to_image(a, b, image);
          if (apart.norm() >= reach) continue;
          ASSERT_LT(k, found.size());
          EXPECT_EQ(found[k].a, a);
          EXPECT_EQ(found[k].b, b);
          EXPECT_EQ(found[k].image, image);
          ++k;
        }
      }
    }
  }
  EXPECT_EQ(k, found.size());
  EXPECT_GT(k, 200u);
}

/// Margins of lists follow the bodies, however large the radius of a wall is.
TEST(ContactModel, ItsScaleIsThatOfTheSmallestBodies) {
  Interface hooke;
  hooke.normal = HookeParameters{.stiffness = 1e6};
  const auto scale = [&](const std::vector<Shape>& shapes) {
    return ContactModel(shapes, {InterfaceLaw(hooke)}, {{0}}, {}).scale();
  };
  const Shape grain = make_superquadric("grain", {1e-3, 1.4e-3, 1.9e-3}, 2, 2, 30);
  const Shape cube = make_box("cube", Vec3::Constant(2e-3)), ball = make_sphere("ball", 0.01);
  const Shape floor = make_plane("floor"), pole = make_cylinder("pole", 0.05);
  const double of_grains = scale({grain, floor});
  EXPECT_GT(of_grains, 0);
  EXPECT_EQ(scale({grain, ball, floor, pole}), of_grains);
  EXPECT_LT(scale({grain, floor, make_cylinder("wire", 1e-4)}), of_grains);
  EXPECT_LT(scale({cube, floor, pole}), scale({ball, floor}));
  EXPECT_EQ(scale({ball, floor, pole}), scale({ball, floor}));
  Shape dust = make_sphere("dust", 1e-6);
  EXPECT_LT(scale({grain, floor, dust}), of_grains);
  dust.unused = true;
  EXPECT_EQ(scale({grain, floor, dust}), of_grains);
}

}  // namespace
}  // namespace scree::contact

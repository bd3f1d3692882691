/// Spheres at overlap against the formulas of theory 04, and the memory of a stiffness that varies.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>

#include "contact/pair/pair_constants.hpp"
#include "contact/pair/pair_friction.hpp"
#include "contact/pair/pair_rolling.hpp"
#include "contact/pair/test_pair.hpp"
#include "core/error.hpp"

namespace scree::contact {
namespace {

using testing::TestPair;
using testing::Vec12;

constexpr double kYoungA = 2e9, kPoissonA = 0.3, kYoungB = 7e9, kPoissonB = 0.2;

BodyProperties ball_of(double radius, double mass) {
  return {.mass = mass, .inertia_B = 0.4 * mass * radius * radius * Mat3::Identity()};
}

Interface hertz_interface(TangentialStiffness rule, double mu) {
  Interface i;
  i.normal = HertzParameters{};
  i.friction.static_coefficient = i.friction.dynamic_coefficient = mu;
  i.friction.rule = rule;
  return i;
}

/// Two spheres, or one on a plane, at rest and overlapping along z.
struct Touching {
  Shape ball_a = make_sphere("a", 0.2), ball_b = make_sphere("b", 0.3), plane = make_plane("plane");
  BodyProperties body_a = ball_of(0.2, 4), body_b = ball_of(0.3, 12);
  TestPair t;

  Touching(const Interface& interface, bool wall, double overlap, Elasticity of_b = {kYoungB, kPoissonB})
      : t(ball_a, wall ? plane : ball_b, interface) {
    static_cast<PairConstants&>(t.pair) =
        pair_constants({&body_a, &ball_a, {kYoungA, kPoissonA}, false},
                       {&body_b, wall ? &plane : &ball_b, of_b, wall}, t.law);
    t.a.state.x = {0, 0, (wall ? 0.2 : 0.5) - overlap};
    t.set(Vec12::Zero());
    build_items(t.pair, t.a.view(), t.b.view(), 0.1);
  }
  Touching(const Touching&) = delete;
  Touching& operator=(const Touching&) = delete;

  /// Moves A by u and turns it by alpha in one step, accepts it. @returns force on A by contact.
  Vec3 go(const Vec3& u, const Vec3& alpha = Vec3::Zero()) {
    Vec12 d = Vec12::Zero();
    d.segment<3>(0) = u;
    d.segment<3>(3) = alpha;
    const PairWrench w = t.at(d);
    const StepLosses losses = commit(t.pair, t.a.view(), t.b.view(), t.law, t.step);
    lost += losses.friction;
    t.a.state.x = t.a.trial.x;
    t.a.state.q = (rotation::quaternion(alpha) * t.a.state.q).normalized();
    moment = -w.moment;
    return -w.force;
  }
  Vec3 moment = Vec3::Zero();
  double lost = 0;
};

TEST(Hertz, ForceAndStiffnessesOfSpheresAreThoseOfTheoryPage04) {
  const double overlap = 1e-4;
  const double r = 0.2 * 0.3 / 0.5;
  const double e = kYoungA * kYoungB / (kYoungB * (1 - 0.09) + kYoungA * (1 - 0.04));  // [Sph, Eq. 20]
  Touching pair(hertz_interface(TangentialStiffness::mindlin, 10), false, overlap);
  const Vec3 f = pair.go(Vec3::Zero());
  EXPECT_NEAR(f.z(), 4.0 / 3.0 * std::sqrt(r) * e * std::pow(overlap, 1.5), 1e-9 * f.z());
  EXPECT_NEAR(pair.t.pair.m_star, 3, 1e-12);
  // Slip of a nanometre: k_t = 8 G* sqrt(R* overlap), theory 04, C22. The normal turns with it.
  const double turned = f.z() * 1e-9 / (0.5 - overlap);
  const double ga = kYoungA / 2.6, gb = kYoungB / 2.4;
  const double mindlin = 8 / (1.7 / ga + 1.8 / gb) * std::sqrt(r * overlap);
  EXPECT_NEAR(pair.go({1e-9, 0, 0}).x() - turned, -1e-9 * mindlin, 1e-14 * mindlin);
  Touching paper(hertz_interface(TangentialStiffness::paper, 10), false, overlap);
  paper.go(Vec3::Zero());
  const double literal = 8 / (1 / ga + 1 / gb) * std::sqrt(r * overlap);
  EXPECT_NEAR(paper.go({1e-9, 0, 0}).x() - turned, -1e-9 * literal, 1e-14 * literal);
}

TEST(Hertz, ARigidPlaneIsFlatAndAnElasticOneCounts) {
  const double overlap = 1e-4;
  const double c = 4.0 / 3.0 * std::sqrt(0.2) * std::pow(overlap, 1.5);
  const double ea = kYoungA / 0.91, eb = kYoungB / 0.96;
  Touching rigid(hertz_interface(TangentialStiffness::mindlin, 10), true, overlap, {});
  EXPECT_NEAR(rigid.go(Vec3::Zero()).z(), c * ea, 1e-9 * c * ea);
  EXPECT_NEAR(rigid.t.pair.m_star, 4, 1e-12);
  const double g = 2 * (1 - kPoissonA) / (2 - kPoissonA);  // k_t / k_n of Mindlin, theory 04, C22
  const double normal_stiffness = 1.5 * c * ea / overlap;
  EXPECT_NEAR(rigid.go({1e-9, 0, 0}).x(), -1e-9 * g * normal_stiffness, 1e-14 * normal_stiffness);
  // The arm reaches to the plane (theory 04 section 2): moment (radius - overlap) n x f.
  EXPECT_NEAR(rigid.moment.y(), (0.2 - overlap) * 1e-9 * g * normal_stiffness, 1e-14 * normal_stiffness);
  Touching elastic(hertz_interface(TangentialStiffness::mindlin, 10), true, overlap);
  EXPECT_NEAR(elastic.go(Vec3::Zero()).z(), c / (1 / ea + 1 / eb), 1e-9 * c * ea);
}

/// Neither loading nor unloading of a contact that carries friction may make energy.
TEST(Mindlin, CyclesOfSlipAndLoadNeverMakeEnergy) {
  for (const double first : {2e-5, 2e-4}) {
    const double second = 2.2e-4 - first;
    Touching ball(hertz_interface(TangentialStiffness::mindlin, 100), true, first, {});
    ball.go(Vec3::Zero());
    double work = 0;  // of friction on A
    const int n = 200;
    Vec3 before = Vec3::Zero();
    const auto path = [&](const Vec3& u) {
      for (int k = 0; k < n; ++k) {
        const Vec3 f = ball.go(u / n);
        work += 0.5 * (f + before).x() * u.x() / n;
        before = f;
      }
    };
    const Vec3 slip(1e-5, 0, 0), load(0, 0, first - second);
    path(slip);
    const double stored = friction_energy(ball.t.pair, ball.t.law);
    EXPECT_NEAR(-work, stored, 1e-6 * stored);
    path(load);
    EXPECT_LE(friction_energy(ball.t.pair, ball.t.law), stored * (1 + 1e-12));
    path(-slip);
    path(-load);
    EXPECT_LT(work, -0.1 * stored) << "from overlap " << first;
    // The energy balance: work is stored or dissipated.
    EXPECT_NEAR(-work, friction_energy(ball.t.pair, ball.t.law) + ball.lost, 1e-9 * stored);
    EXPECT_GT(ball.lost, 0);
  }
}

TEST(Friction, WithoutLimitTheTrialForceActs) {
  Interface interface;
  interface.normal = HookeParameters{.stiffness = 1e6};
  interface.friction.limit = FrictionLimit::none;
  interface.friction.stiffness = 2e5;
  interface.friction.damping = 50;
  Touching ball(interface, true, 1e-4, {});
  ball.t.a.rate = 1 / ball.t.step.h;  // at even speed
  ball.go(Vec3::Zero());
  double x = 0;
  for (int k = 1; k <= 100; ++k) {
    const Vec3 f = ball.go({1e-5, 0, 0});
    x += 1e-5;
    EXPECT_NEAR(f.x(), -(2e5 * x + 50 * 1e-5 / 1e-3), 1e-9);  // 200 N, where the normal force is 100 N
  }
}

TEST(Rolling, SpringLimitAndDashpotAreThoseOfTypeC) {
  Interface interface;
  interface.normal = HookeParameters{.stiffness = 1e6};
  interface.rolling = {.coefficient = 0.1, .stiffness = 50, .damping_ratio = 0.3};
  Touching ball(interface, true, 1e-4, {});
  ball.go(Vec3::Zero());
  const double limit = 0.1 * 0.2 * 100;  // mu_r R* N
  const double inertia = 0.4 * 4 * 0.04 + 4 * 0.04;
  const double viscous = 2 * 0.3 * std::sqrt(inertia * 50) / 1e-3;
  double angle = 0;
  bool at_limit = false;
  for (int k = 0; k < 60; ++k) {
    ball.go(Vec3::Zero(), {1e-3, 0, 0});
    angle += 1e-3;
    const double spring = std::min(50 * angle, limit);
    const double dashpot = at_limit ? 0 : viscous * 1e-3;
    EXPECT_NEAR(ball.moment.x(), -(spring + dashpot), 1e-6 * limit) << k;
    at_limit = 50 * angle > limit;
  }
  EXPECT_TRUE(at_limit);
  const double at_most = friction_energy(ball.t.pair, ball.t.law);
  EXPECT_NEAR(at_most, limit * limit / 100, 1e-6 * at_most);
  // Back: the spring unloads from its limit to the opposite one, where the dashpot rests again.
  for (int k = 0; k < 85; ++k) ball.go(Vec3::Zero(), {-1e-3, 0, 0});
  EXPECT_NEAR(ball.moment.x(), limit, 1e-6 * limit);
  // A spin about the normal is no rolling.
  const double before = ball.moment.x();
  ball.go(Vec3::Zero(), {0, 0, 1e-3});
  EXPECT_NEAR(ball.moment.z(), 0, 1e-12);
  EXPECT_GT(ball.lost, 0);
  EXPECT_GT(before, 0);
}

TEST(Overlap, SharpBodiesHaveNoOverlapDistanceAndASharpVertexOnAPlaneHas) {
  Interface interface;
  interface.normal = HookeParameters{.stiffness = 1e6};
  const Shape cube = make_box("cube", {0.2, 0.2, 0.2}), plane = make_plane("plane");
  TestPair on_plane(cube, plane, interface);
  on_plane.a.state.x = {0, 0, 0.1 - 1e-4};
  on_plane.set(Vec12::Zero());
  build_items(on_plane.pair, on_plane.a.view(), on_plane.b.view(), 0.01);
  EXPECT_NEAR(on_plane.at(Vec12::Zero()).force.z(), -4 * 1e6 * 1e-4, 1e-6);
  TestPair on_cube(cube, cube, interface);
  on_cube.a.state.x = {0.05, 0.05, 0.2 - 1e-4};
  on_cube.set(Vec12::Zero());
  build_items(on_cube.pair, on_cube.a.view(), on_cube.b.view(), 0.01);
  EXPECT_THROW(on_cube.at(Vec12::Zero()), RecoverableError);
}

}  // namespace
}  // namespace scree::contact

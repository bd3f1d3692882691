/// Adhesive spheres in whole runs: pull-off, energy of impacts, and which of them stick.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <numbers>

#include "assembly/test_ranks.hpp"
#include "contact/pair/pair_constants.hpp"
#include "solvers/quasi_static/quasi_static_runs.hpp"
#include "solvers/test_runs.hpp"

namespace scree {
namespace {

using ranks::this_rank;

constexpr double kDmtRadius = 0.01, kMass = 0.01, kYoung = 1e7, kPoisson = 0.3;
constexpr double kWork = 0.5;    // of adhesion [J/m^2]
constexpr double kRange = 1e-5;  // [m]

/// Closed forms for two spheres alike, R* = R/2, or a sphere on a rigid plane, R* = R.
struct Closed {
  explicit Closed(bool plane = false) {
    const double r_star = plane ? kDmtRadius : 0.5 * kDmtRadius;
    const double e_star = kYoung / (1 - kPoisson * kPoisson) * (plane ? 1.0 : 0.5);
    mass = plane ? kMass : 0.5 * kMass;
    pull_off = 2 * std::numbers::pi * kWork * r_star;
    hertz = 4.0 / 3 * e_star * std::sqrt(r_star);
    overlap = std::pow(pull_off / hertz, 2.0 / 3);
    // Work that parts them: from the overlap at rest to contact, and across the range.
    depth = 0.6 * pull_off * overlap + 0.5 * pull_off * kRange;
  }
  double mass, pull_off, hertz;
  double overlap;  ///< at rest [m]
  double depth;    ///< [J]
};

/// Two spheres on a line, the first at the origin, no weight.
Model two_spheres(double gap, double speed, const contact::HertzParameters& hertz = {}) {
  Model model;
  model.materials = {{"m", 2500, kYoung, kPoisson}};
  model.shapes = {make_sphere("ball", kDmtRadius)};
  contact::Interface law;
  law.normal = contact::DmtParameters{hertz, kWork, kRange};
  model.interfaces = {law};
  model.interface_of = {{0}};
  for (const int side : {0, 1}) {
    BodyDescription body;
    body.position = {side * (2 * kDmtRadius + gap), 0, 0};
    body.velocity = {(side - 0.5) * speed, 0, 0};
    body.mass = kMass;
    body.inertia_B = 0.4 * kMass * kDmtRadius * kDmtRadius * Mat3::Identity();
    model.bodies.push_back(body);
  }
  model.time.end = 0.03;
  model.time.step = 1e-5;
  model.solver.newton_relative = 1e-11;
  return model;
}

/// Gap and its rate at the end of a run.
struct Parting {
  explicit Parting(const test_runs::LastState& last)
      : gap((last.position(1) - last.position(0)).norm() - 2 * kDmtRadius),
        speed((last.velocity(1) - last.velocity(0)).x()) {}
  [[nodiscard]] bool stuck() const { return gap < kRange; }
  double gap, speed;
};

TEST(Dmt, SpheresUnderARisingLoadHoldUntilThePullOffForce) {
  const Closed closed;
  const auto pulled_by = [&](double part) {
    Model model = two_spheres(-closed.overlap, 0);
    model.analysis = Analysis::quasi_static;
    model.time.end = 1;
    model.time.step = 0.25;
    model.solver.newton_relative = 1e-10;
    model.bodies[0].fixed = {true, true, true, true, true, true};
    model.bodies[1].fixed = {false, true, true, true, true, true};
    elements::ForceLoad load;
    load.body = 1;
    load.value = {part * closed.pull_off, 0, 0};
    load.ramp = {{0, 0}, {1, 1}};
    model.loads.push_back(load);
    return model;
  };
  double worst = 0;
  const statics::Seen seen = statics::watched(pulled_by(0.999), MPI_COMM_WORLD);
  ASSERT_EQ(seen.times.size(), 5u);
  for (std::size_t k = 0; k < 5; ++k) {
    const double overlap = std::pow((1 - 0.999 * seen.times[k]) * closed.pull_off / closed.hertz, 2.0 / 3);
    test::keep_largest(worst, std::abs(2 * kDmtRadius - overlap - seen.position(k, 1).x()));
  }
  if (this_rank() == 0) std::printf("overlaps at rest: worst difference %.1e m\n", worst);
  EXPECT_LT(worst, 1e-12 * kDmtRadius);
  std::string failure;
  statics::watched(pulled_by(1.001), MPI_COMM_WORLD, &failure);
  EXPECT_NE(failure, "");
}

/// Largest pull on the first boundary, upwards [N].
struct PullWatch : Observer {
  void accepted(const AcceptedState& state) override {
    test::keep_largest(most, (*state.boundary_wrench)[0].force.z());
    for (const ContactRecord& record : state.queries->contacts())
      test::keep_smallest(least_normal, record.normal_force);
  }
  double most = 0, least_normal = 0;
};

TEST(Dmt, AFloorThatMovesAwayFromASphereIsPulledByTwoPiWR) {
  const Closed closed(true);
  Model model = two_spheres(0, 0);
  model.materials.push_back({"wall", 0, 0, 0});
  model.interface_of = {{0, 0}, {0, 0}};
  model.bodies.resize(1);
  model.bodies[0].position = {0, 0, kDmtRadius - 2e-6};
  model.bodies[0].fixed = {true, true, true, true, true, true};
  BoundaryDescription floor;
  floor.material = 1;
  floor.motion.velocity = {0, 0, -1e-3};
  model.boundaries.push_back(floor);
  model.boundary_parts.push_back({0, Vec3::Zero(), Vec3::UnitZ()});
  model.time.end = 0.015;  // 1e-8 m in a step
  PullWatch watch;
  run(model, {&watch}, MPI_COMM_SELF);
  EXPECT_LE(watch.most, closed.pull_off * (1 + 1e-12));
  EXPECT_GT(watch.most, closed.pull_off * (1 - 5e-5));
  EXPECT_NEAR(-watch.least_normal, watch.most, 1e-12 * closed.pull_off);
}

TEST(Dmt, AnUndampedImpactConservesEnergyAndReturnsWithItsSpeed) {
  for (const bool adaptive : {false, true}) {
    for (const double speed : {0.002, 0.01, 0.05}) {
      Model model = two_spheres(2 * kRange, -speed);
      model.time.end = 0.02 + 6 * kRange / speed;
      model.time.adaptive = adaptive;
      model.time.min = 1e-10;
      model.time.max = 1e-3;
      RunReport report;
      const test_runs::LastState last = test_runs::run_model(model, MPI_COMM_SELF, &report);
      const Parting parting(last);
      const double energy = 0.25 * kMass * speed * speed;
      double worst = 0;
      for (const double e : last.energies) test::keep_largest(worst, std::abs(e - energy));
      const double most = energy + Closed().depth;  // kinetic energy at the bottom of the potential
      std::printf(
          "%s, %g m/s: %ld steps, speed %.7f of it, energy within %.1e of the largest kinetic energy\n",
          adaptive ? "adaptive" : "fixed", speed, report.steps, parting.speed / speed, worst / most);
      EXPECT_FALSE(parting.stuck());
      EXPECT_NEAR(parting.speed, speed, (adaptive ? 5e-4 : 1e-5) * std::sqrt(4 * most / kMass));
      EXPECT_LT(worst, (adaptive ? 2e-3 : 1e-4) * most);
    }
  }
}

TEST(Dmt, SpheresAtRestPartAboveTheSpeedOfEscape) {
  const Closed closed;
  const double escape = std::sqrt(2 * closed.depth / closed.mass);
  for (const double part : {0.5, 0.99, 1.01, 2.0}) {
    Model model = two_spheres(-closed.overlap, part * escape);
    model.time.step = 2e-6;
    const Parting parting(test_runs::run_model(model, MPI_COMM_SELF));
    EXPECT_EQ(parting.stuck(), part < 1) << part;
    if (part > 1) {
      EXPECT_NEAR(parting.speed, escape * std::sqrt(part * part - 1), 1e-3 * escape) << part;
    }
  }
}

/// Gap rate after an impact by a Runge-Kutta integration of the law; negative: they stick.
double speed_after(const contact::NormalLaw& law, const contact::PairConstants& pair, double speed) {
  const auto acceleration = [&](double gap, double rate) {
    const contact::LawValue value = law.at(gap, pair);
    const double damping = std::min(value.dashpot * std::sqrt(pair.m_star) * rate, value.compression());
    return (value.force - damping) / pair.m_star;
  };
  double gap = kRange, rate = -speed;
  const double h = 1e-7;
  for (int k = 0; k < 1000000; ++k) {
    const double v1 = rate, a1 = acceleration(gap, rate);
    const double v2 = rate + 0.5 * h * a1, a2 = acceleration(gap + 0.5 * h * v1, v2);
    const double v3 = rate + 0.5 * h * a2, a3 = acceleration(gap + 0.5 * h * v2, v3);
    const double v4 = rate + h * a3, a4 = acceleration(gap + h * v3, v4);
    gap += h / 6 * (v1 + 2 * v2 + 2 * v3 + v4);
    rate += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
    if (gap > kRange) return rate;
    if (rate < 0 && v1 >= 0) return -1;  // turns back before it has parted
  }
  return -1;
}

TEST(Dmt, ADampedImpactSticksBelowItsCriticalSpeedAndBouncesAbove) {
  const contact::HertzParameters hertz{.restitution = 0.6};
  const contact::NormalLaw law(contact::DmtParameters{hertz, kWork, kRange});
  const Closed closed;
  const contact::PairConstants pair{.m_star = closed.mass, .r_star = 0.5 * kDmtRadius, .hertz = closed.hertz};
  double low = 0, high = 0.1;
  ASSERT_GT(speed_after(law, pair, high), 0);
  while (high - low > 1e-5 * high) {
    const double middle = 0.5 * (low + high);
    (speed_after(law, pair, middle) < 0 ? low : high) = middle;
  }
  std::printf("critical speed %.4g m/s, speed of escape %.4g m/s\n", high,
              std::sqrt(2 * closed.depth / closed.mass));
  for (const double part : {0.5, 0.97, 1.03, 2.0}) {
    Model model = two_spheres(1.5 * kRange, -part * high, hertz);
    model.time.end = 0.06;
    model.time.step = 5e-6;
    const Parting parting(test_runs::run_model(model, MPI_COMM_SELF));
    EXPECT_EQ(parting.stuck(), part < 1) << part;
    if (part > 1) {
      EXPECT_NEAR(parting.speed, speed_after(law, pair, part * high), 5e-3 * high) << part;
    }
  }
}

TEST(Dmt, AClusterIsTheSameOnAnyNumberOfRanks) {
  Model model = two_spheres(0, 0, {.restitution = 0.5});
  model.interfaces[0].friction.static_coefficient = model.interfaces[0].friction.dynamic_coefficient = 0.3;
  model.interfaces[0].friction.rule = contact::TangentialStiffness::mindlin;
  const BodyDescription body = model.bodies[0];
  model.bodies.clear();
  for (int k = 0; k < 27; ++k) {
    model.bodies.push_back(body);
    const Vec3 place(k % 3 - 1, k / 3 % 3 - 1, k / 9 - 1);
    model.bodies.back().position = (2 * kDmtRadius + 2e-5) * place;
    model.bodies.back().velocity = -0.02 * place + Vec3(0.002 * std::sin(k), 0.002 * std::cos(k), 0);
    model.bodies.back().angular_velocity = {std::sin(3.0 * k), std::cos(2.0 * k), 1};
  }
  model.time.end = 0.01;
  RunReport report;
  const test_runs::LastState together = test_runs::run_model(model, MPI_COMM_WORLD, &report);
  const test_runs::LastState alone = test_runs::run_model(model, MPI_COMM_SELF);
  const double worst = test_runs::largest_difference(together.values, alone.values);
  if (this_rank() == 0) std::printf("%ld contacts, largest difference %.1e\n", report.max_contacts, worst);
  EXPECT_GT(report.max_contacts, 40);
  EXPECT_LT(worst, 1e-7);
}

}  // namespace
}  // namespace scree

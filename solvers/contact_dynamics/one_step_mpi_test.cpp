/// Velocities and compatible forces at once: against the two-step method and, with friction, against statics.
#include "solvers/contact_dynamics/one_step.hpp"

#include <gtest/gtest.h>

#include <array>

#include "core/test_extremes.hpp"
#include "solvers/contact_dynamics/compatibility.hpp"
#include "solvers/contact_dynamics/test_problems.hpp"

namespace scree::contact_dynamics {
namespace {

using problems::Kind;

/// Largest entry of one - other, by the largest of other.
double apart(const std::vector<double>& one, const std::vector<double>& other) {
  double off = 0, size = 0;
  for (std::size_t i = 0; i < one.size(); ++i) {
    test::keep_largest(off, std::abs(one[i] - other[i]));
    test::keep_largest(size, std::abs(other[i]));
  }
  return off / size;
}

/// Velocities of all bodies, six each. Collective.
std::vector<double> velocities_of(const StepProblem& mine, ::Vec v, std::size_t bodies) {
  std::vector<double> all(6 * bodies, 0);
  const petsc::ConstVecValues values(v);
  for (int b = 0; b < mine.owned; ++b)
    for (int k = 0; k < 6; ++k) all[6 * mine.bodies[b].number + k] = values.data()[6 * b + k];
  MPI_Allreduce(MPI_IN_PLACE, all.data(), static_cast<int>(all.size()), MPI_DOUBLE, MPI_SUM, mine.comm);
  return all;
}

/// Largest relative difference of forces and of velocities between the methods. @param rounding of the
/// forces.
void expect_agreement(const StepProblem& whole, double bound) {
  const problems::Solved lcp = problems::gauss_seidel(whole);
  const StepProblem mine = problems::dealt(whole);
  const ContactOperator op(mine);
  const petsc::VecHandle forces = problems::of_keys(mine, op, lcp.forces);
  const petsc::VecHandle rates = problems::of_keys(mine, op, lcp.rates);
  const petsc::VecHandle velocities = op.per_body();
  op.velocities(forces, velocities);
  ASSERT_TRUE(make_compatible(mine, op, rates, {}, forces).converged);
  const OneStepResult result = solve_one_step(mine, op);
  EXPECT_TRUE(result.report.converged) << result.report.change;
  const std::size_t contacts = whole.constraints.size();
  EXPECT_LE(apart(problems::by_key(mine, result.normal, contacts), problems::by_key(mine, forces, contacts)),
            bound);
  std::vector<double> one = velocities_of(mine, result.velocities, whole.bodies.size());
  const std::vector<double> two = velocities_of(mine, velocities, whole.bodies.size());
  double off = 0;
  for (std::size_t k = 0; k < one.size(); ++k) test::keep_largest(off, std::abs(one[k] - two[k]));
  EXPECT_LE(off, bound * std::max(1.0, whole.h));
  for (const Vec3& tangential : result.tangential) EXPECT_EQ(tangential.norm(), 0);
}

TEST(OneStep, ABeamWithALowerSupportIsThatOfTwoSteps) {
  StepProblem whole = problems::beam({1, 3, 1});
  expect_agreement(whole, 1e-8);
  whole.constraints[1].gap = 1e-3;
  expect_agreement(whole, 1e-8);
}

TEST(OneStep, APyramidAtRestIsThatOfTwoSteps) {
  expect_agreement(problems::pyramid(4, Kind::hooke), 1e-8);
  expect_agreement(problems::pyramid(4, Kind::two_species), 1e-8);
  expect_agreement(problems::pyramid(4, Kind::hertz), 1e-6);
}

/// Every sphere falls on the base: the impact of [CD] section 8.2.
TEST(OneStep, APyramidThatFallsIsThatOfTwoSteps) {
  for (const Kind kind : {Kind::hooke, Kind::hertz}) {
    StepProblem whole = problems::pyramid(4, kind);
    for (StepBody& body : whole.bodies)
      if (body.inverse_mass(0, 0) > 0) body.velocity[2] = -1;
    expect_agreement(whole, kind == Kind::hooke ? 1e-8 : 1e-6);
  }
}

TEST(OneStep, BodiesThatPartFeelNothing) {
  StepProblem whole = problems::beam();
  whole.bodies[0].velocity[2] = 1;
  const StepProblem mine = problems::dealt(whole);
  const ContactOperator op(mine);
  const OneStepResult result = solve_one_step(mine, op);
  const std::vector<double> forces = problems::by_key(mine, result.normal, 3);
  for (const double force : forces) EXPECT_EQ(force, 0);
}

/// A box of 1 kg on its four lower corners, gravity 10 m/s^2 tilted by an angle about y.
StepProblem box_on_slope(double tangent, double friction) {
  const double cosine = 1 / std::sqrt(1 + tangent * tangent);
  StepProblem whole = problems::table();
  whole.bodies[0].force << 10 * tangent * cosine, 0, -10 * cosine, 0, 0, 0;
  for (Constraint& contact : whole.constraints) {
    contact.arm_a[2] = -0.3;
    contact.friction = friction;
  }
  return whole;
}

struct Sum {
  Vec3 force = Vec3::Zero();
  Vec6 velocity = Vec6::Zero();
};
Sum solve_in_one_step(const StepProblem& whole, const OneStepOptions& options = {}) {
  const StepProblem mine = problems::dealt(whole);
  const ContactOperator op(mine);
  const OneStepResult result = solve_one_step(mine, op, options);
  EXPECT_TRUE(result.report.converged) << result.report.change;
  EXPECT_LE(result.report.slip_error, 1e-3);
  Sum sum;
  {
    const petsc::ConstVecValues normal(result.normal);
    for (std::size_t i = 0; i < mine.constraints.size(); ++i) {
      sum.force += normal.data()[i] * mine.constraints[i].normal + result.tangential[i];
      EXPECT_LE(result.tangential[i].norm(), mine.constraints[i].friction * normal.data()[i] + 1e-7);
    }
  }
  MPI_Allreduce(MPI_IN_PLACE, sum.force.data(), 3, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  const std::vector<double> v = velocities_of(mine, result.velocities, whole.bodies.size());
  sum.velocity = Eigen::Map<const Vec6>(v.data() + 6 * (whole.bodies.size() - 1));
  return sum;
}

TEST(OneStep, ABoxSticksBelowTheFrictionAngle) {
  const Sum stuck = solve_in_one_step(box_on_slope(0.45, 0.5));
  EXPECT_LE(stuck.velocity.norm(), 1e-9);  // of h g = 1e-2 m/s
  EXPECT_NEAR(stuck.force[0], -10 * 0.45 / std::sqrt(1 + 0.45 * 0.45), 1e-6);
}

/// Above it the convexified law (complementarity of the cone and its dual) makes it part at mu times its
/// speed: m v_x / h = m g sin - mu N, m v_z / h = N - m g cos, v_z = mu v_x, hence v_x = h g (sin - mu cos) /
/// (1 + mu^2).
TEST(OneStep, ABoxOfTheConvexModelDilatesAboveTheFrictionAngle) {
  const double tangent = 0.6, mu = 0.5, h = 1e-3, g = 10;
  const Sum sliding = solve_in_one_step(box_on_slope(tangent, mu), {.coulomb = false});
  const double speed = h * g * (tangent - mu) / std::sqrt(1 + tangent * tangent) / (1 + mu * mu);
  EXPECT_NEAR(sliding.velocity[0], speed, 1e-6 * speed);
  EXPECT_NEAR(sliding.velocity[2], mu * speed, 1e-6 * speed);
  EXPECT_NEAR(sliding.force[0], -mu * sliding.force[2], 1e-6);
}

TEST(OneStep, ABoxSlidesAboveTheFrictionAngleByCoulombsLaw) {
  for (const double mu : {0.1, 0.5, 0.9}) {
    const double tangent = mu + 0.1, h = 1e-3, g = 10;
    const double cosine = 1 / std::sqrt(1 + tangent * tangent);
    for (const double before : {0.0, 3.0}) {
      StepProblem whole = box_on_slope(tangent, mu);
      whole.bodies[0].velocity[0] = before;
      const Sum sliding = solve_in_one_step(whole);
      EXPECT_NEAR(sliding.velocity[0] - before, h * g * 0.1 * cosine, 1e-3 * h * g) << mu;
      EXPECT_NEAR(sliding.velocity[2], 0, 1e-3 * h * g) << mu;
      EXPECT_NEAR(sliding.force[2], g * cosine, 1e-3 * g) << mu;
      EXPECT_NEAR(sliding.force[0], -mu * sliding.force[2], 1e-6) << mu;
    }
  }
}

/// Three spheres that touch on a floor and one on top. The force between the top one and another goes through
/// the latter's point on the floor: it stands if mu > tan(alpha / 2), sin(alpha) = 1 / sqrt(3), that is
/// 0.318; the floor requires a quarter of that.
StepProblem four_spheres(double friction) {
  StepProblem problem;
  problem.h = 1e-3;
  std::vector<Vec3> centre;
  for (int k = 0; k < 3; ++k) {
    const double angle = 2 * M_PI * k / 3;
    centre.emplace_back(std::cos(angle) / std::sqrt(3.0), std::sin(angle) / std::sqrt(3.0), 0);
  }
  centre.emplace_back(0, 0, std::sqrt(2.0 / 3));
  for (int k = 0; k < 4; ++k) problem.bodies.push_back(problems::moving_body(1, 0.1, {0, 0, -10}));
  const auto touch = [&](int a, int b) {
    Constraint contact;
    contact.a = a;
    contact.b = b;
    contact.normal = b < 0 ? Vec3(Vec3::UnitZ()) : Vec3((centre[a] - centre[b]).normalized());
    contact.arm_a = -0.5 * contact.normal;
    contact.arm_b = 0.5 * contact.normal;
    contact.friction = friction;
    problem.constraints.push_back(contact);
  };
  for (int k = 0; k < 3; ++k) {
    touch(k, -1);
    touch(k, (k + 1) % 3);
    touch(3, k);
  }
  problems::number(problem);
  return problem;
}

TEST(OneStep, AHeapOfSpheresStandsWithFrictionEnoughAndFallsWithLess) {
  EXPECT_LE(solve_in_one_step(four_spheres(0.33)).velocity.norm(), 1e-9);
  EXPECT_LT(solve_in_one_step(four_spheres(0.30)).velocity[2],
            -1e-7);  // that near the limit it starts slowly: h g = 1e-2 m/s
}

/// The scale of its forces was round-off: steps of any size failed.
TEST(OneStep, ABallFallsOrRollsAlongAWallThatItDoesNotPress) {
  const double h = 2e-3, radius = 0.05;
  for (const auto& [speed, spin, weight] : {std::array{0.0, 0.0, 10.0}, std::array{3.0, 0.0, 10.0},
                                            std::array{3.0, 60.0, 0.0}}) {  // the last one rolls
    for (const double approach : {1e-18, 1e-10}) {
      StepProblem whole;
      whole.h = h;
      whole.bodies = {problems::moving_body(1, 0.4 * radius * radius, {0, 0, -weight})};
      whole.bodies[0].velocity << -approach, 0, -speed, 0, spin, 0;
      Constraint contact;
      contact.normal = Vec3::UnitX();
      contact.arm_a = Vec3(-radius, 0, 0);
      contact.friction = 0.3;
      whole.constraints = {contact};
      problems::number(whole);
      const Sum moves = solve_in_one_step(whole);
      const double bound = 1e-7 * (speed + h * weight);
      EXPECT_NEAR(moves.velocity[2], -speed - h * weight, bound) << speed << ' ' << spin << ' ' << approach;
      EXPECT_NEAR(moves.velocity[0], 0, bound) << speed << ' ' << spin << ' ' << approach;
    }
  }
}

/// Forces are unique with friction, too: on any number of ranks and in any order.
TEST(OneStep, ForcesWithFrictionDoNotDependOnRanksOrOrder) {
  StepProblem whole = problems::pyramid(4, Kind::hertz);
  for (Constraint& contact : whole.constraints) contact.friction = 0.3;
  const auto forces = [&](MPI_Comm comm) {
    const StepProblem mine = problems::dealt(whole, comm);
    const ContactOperator op(mine);
    const OneStepResult result = solve_one_step(mine, op);
    EXPECT_TRUE(result.report.converged) << result.report.change;
    return problems::by_key(mine, result.normal, whole.constraints.size());
  };
  const std::vector<double> alone = forces(MPI_COMM_SELF);
  std::mt19937 draw(1);  // NOLINT(cert-msc32-c,cert-msc51-cpp): the same order in every run
  std::shuffle(whole.constraints.begin(), whole.constraints.end(), draw);
  EXPECT_LE(apart(forces(MPI_COMM_WORLD), alone), 1e-8);
}

}  // namespace
}  // namespace scree::contact_dynamics

/// Compatible forces where they are known, on 1, 2 and 4 ranks.
#include "solvers/contact_dynamics/compatibility.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "assembly/test_ranks.hpp"
#include "core/error.hpp"
#include "solvers/contact_dynamics/test_problems.hpp"

namespace scree::contact_dynamics {
namespace {

using problems::Kind;

/// Compatible forces of a problem at rest with every contact closed, by key.
std::vector<double> at_rest(const StepProblem& whole, CompatibilityReport& report,
                            CompatibilityOptions options = {}, MPI_Comm comm = MPI_COMM_WORLD) {
  const StepProblem mine = problems::dealt(whole, comm);
  const ContactOperator op(mine);
  const petsc::VecHandle load = problems::weights(mine, op);
  const petsc::VecHandle forces = op.per_contact();
  const std::vector<char> closed(mine.constraints.size(), 1);
  report = compatible_forces(mine, closed, load, options, forces);
  return problems::by_key(mine, forces, whole.constraints.size());
}

/// The same from the answer of Gauss-Seidel to the LCP.
std::vector<double> after_lcp(const StepProblem& whole, CompatibilityReport& report,
                              CompatibilityOptions options = {}) {
  const problems::Solved lcp = problems::gauss_seidel(whole);
  const StepProblem mine = problems::dealt(whole);
  const ContactOperator op(mine);
  const petsc::VecHandle forces = problems::of_keys(mine, op, lcp.forces);
  const petsc::VecHandle rates = problems::of_keys(mine, op, lcp.rates);
  report = make_compatible(mine, op, rates, options, forces);
  return problems::by_key(mine, forces, whole.constraints.size());
}

void expect_forces(const std::vector<double>& measured, const std::vector<double>& wanted, double bound) {
  ASSERT_EQ(measured.size(), wanted.size());
  for (std::size_t i = 0; i < wanted.size(); ++i)
    EXPECT_NEAR(measured[i], wanted[i], bound) << "contact " << i;
}

TEST(Compatibility, ABeamPressesEquallyOnThreeSupports) {
  CompatibilityReport report;
  expect_forces(after_lcp(problems::beam(), report), {10.0 / 3, 10.0 / 3, 10.0 / 3}, 1e-10);
  EXPECT_TRUE(report.converged);
  EXPECT_LE(report.balance, 1e-12);
  EXPECT_LE(report.opening, 1e-12);
  EXPECT_EQ(report.loaded, 3);
}

TEST(Compatibility, StifferSupportsCarryMore) {
  CompatibilityReport report;
  expect_forces(after_lcp(problems::beam({1, 3, 1}), report), {2, 6, 2}, 1e-10);
}

TEST(Compatibility, GaussSeidelLeavesTheForcesToTheOrderOfContacts) {
  StepProblem whole = problems::beam();
  const std::vector<double> one = problems::gauss_seidel(whole).forces;
  std::swap(whole.constraints[0], whole.constraints[1]);
  const std::vector<double> other = problems::gauss_seidel(whole).forces;
  EXPECT_GT(std::abs(one[1] - other[0]), 1);  // the middle support: 6.67 and 10 N (theory 07 section 3)
}

TEST(Compatibility, ALowerSupportCarriesNothing) {  // correction D1
  StepProblem whole = problems::beam();
  whole.constraints[1].gap = 1e-3;
  CompatibilityReport report;
  expect_forces(after_lcp(whole, report), {5, 0, 5}, 1e-10);
  EXPECT_EQ(report.closed, 2);
}

/// Interior-point methods leave a little force everywhere; that must not close a contact that is open.
TEST(Compatibility, ALittleForceOnAnOpenContactDoesNotCloseIt) {
  StepProblem whole = problems::beam();
  whole.constraints[1].gap = 1e-3;
  problems::Solved lcp = problems::gauss_seidel(whole);
  lcp.forces[1] = 1e-9;
  const StepProblem mine = problems::dealt(whole);
  const ContactOperator op(mine);
  const petsc::VecHandle forces = problems::of_keys(mine, op, lcp.forces);
  const petsc::VecHandle rates = problems::of_keys(mine, op, lcp.rates);
  const CompatibilityReport report = make_compatible(mine, op, rates, {}, forces);
  expect_forces(problems::by_key(mine, forces, 3), {5, 0, 5}, 1e-10);
  EXPECT_NEAR(report.dropped, 2e-10, 1e-12);
}

/// A moment about y puts the beam's load off its centre. Hertz: f_i = k (a + b x_i)^1.5 with x = -1, 0, 1, in
/// equilibrium f_0 + f_1 + f_2 = W, f_2 - f_0 = e W. One unknown r = b / a: (1 + r)^1.5 - (1 - r)^1.5 =
/// e (1 + (1 + r)^1.5 + (1 - r)^1.5), by bisection.
TEST(Compatibility, HertzianSupportsUnderAnOffCentreLoad) {
  const double eccentricity = 0.4, weight = 10;
  StepProblem whole = problems::beam({1, 1, 1}, 1.5);
  whole.bodies[0].force[4] = eccentricity * weight;  // moment of -weight e_z at x = e: (0, e weight, 0)
  CompatibilityReport report;
  const std::vector<double> forces = after_lcp(whole, report);
  double low = 0, high = 1;
  const auto power = [](double r) { return r * std::sqrt(r); };
  for (int k = 0; k < 100; ++k) {
    const double r = (low + high) / 2;
    const double plus = power(1 + r), minus = power(1 - r);
    (plus - minus < eccentricity * (1 + plus + minus) ? low : high) = r;
  }
  const double scale = weight / (1 + power(1 + low) + power(1 - low));
  const double right = scale * power(1 + low), left = scale * power(1 - low);
  expect_forces(forces, {left, scale, right}, 1e-10);
  EXPECT_GT(right, 2 * left);
}

/// A body on a Hookean and a Hertzian spring that share its weight: k c + k' c^1.5 = W, symmetric about the
/// middle.
TEST(Compatibility, HookeAndHertzMayShareALoad) {
  StepProblem whole = problems::beam({2, 3, 2}, 1);
  whole.constraints[1].exponent = 1.5;
  CompatibilityReport report;
  const std::vector<double> forces = after_lcp(whole, report);
  double low = 0, high = 10;
  for (int k = 0; k < 200; ++k) {
    const double c = (low + high) / 2;
    (4 * c + 3 * c * std::sqrt(c) < 10 ? low : high) = c;
  }
  expect_forces(forces, {2 * low, 3 * low * std::sqrt(low), 2 * low}, 1e-10);
}

/// Faces that are turned against each other by 1e-6 bear along them with 1e-12 of their stiffness, and boxes
/// that hold each other load them. In equilibrium f_0 + f_1 = W, e (f_0 - f_1) = -F_x; a balance of 1e-12 W
/// leaves 1e-12 W / e of the difference open.
TEST(Compatibility, ALoadAlongFacesThatAreNearlyParallelIsCarried) {
  const double angle = 1e-6, weight = 10;
  StepProblem whole;
  whole.h = 1e-3;
  whole.bodies = {problems::moving_body(1, 0.1, {angle * weight / 2, 0, -weight})};
  for (const double side : {1.0, -1.0}) {
    Constraint contact;
    contact.normal = Vec3(side * angle, 0, 1).normalized();
    contact.arm_a = -0.1 * contact.normal;
    whole.constraints.push_back(contact);
  }
  problems::number(whole);
  CompatibilityReport report;
  expect_forces(at_rest(whole, report), {weight / 4, 3 * weight / 4}, 1e-12 * weight / angle);
  EXPECT_TRUE(report.converged);
  EXPECT_LE(report.balance, 1e-12);
  EXPECT_LE(report.opening, 1e-12);
}

/// A rattler that nothing touches, a pair that flies as one and a sphere with a spin must not spoil the rest.
TEST(Compatibility, BodiesThatFloatLeaveTheOthersForcesAlone) {
  StepProblem whole = problems::beam({1, 3, 1});
  whole.bodies.push_back(problems::moving_body(1, 0.1, Vec3::Zero()));
  whole.bodies.push_back(problems::moving_body(1, 0.1, {0, 0, 2}));
  whole.bodies.push_back(problems::moving_body(1, 0.1, {0, 0, -2}));
  Constraint pair;
  pair.a = 3;
  pair.b = 2;
  pair.normal = -Vec3::UnitZ();
  pair.arm_a = 0.5 * Vec3::UnitZ();
  pair.arm_b = -0.5 * Vec3::UnitZ();
  whole.constraints.push_back(pair);
  std::swap(whole.constraints[3].a, whole.constraints[3].b);  // body 2 is pushed up against 3 by two newtons
  whole.constraints[3].arm_a.swap(whole.constraints[3].arm_b);
  problems::number(whole);
  CompatibilityReport report;
  expect_forces(after_lcp(whole, report), {2, 6, 2, 2}, 1e-10);
}

/// Hertz's law takes several iterations, which must not end when the heavy body is in balance.
TEST(Compatibility, AHeavyBodyElsewhereLeavesForcesOfLightOnesAlone) {
  StepProblem whole = problems::beam({1, 3, 1}, 1.5);
  CompatibilityReport report;
  std::vector<double> wanted = at_rest(whole, report);
  const double mass = 1e10;
  whole.bodies.push_back(problems::moving_body(mass, mass, {0, 0, -10 * mass}));
  Constraint contact;
  contact.a = 1;
  contact.arm_a = -Vec3::UnitZ();
  contact.exponent = 1.5;
  whole.constraints.push_back(contact);
  problems::number(whole);
  std::vector<double> forces = at_rest(whole, report);
  EXPECT_TRUE(report.converged);
  EXPECT_LE(report.balance, 1e-12);
  forces.pop_back();
  // A balance of 1e-12 on a body that counts by 1e-6 at least of the load of 1e11 N leaves 1e-7 N.
  expect_forces(forces, wanted, 1e-7);
}

TEST(Compatibility, AStiffnessRatioOfZeroIsRefused) {
  CompatibilityReport report;
  EXPECT_THROW(at_rest(problems::beam({1, 0, 1}), report), RunError);
}

std::vector<double> reference(int n, Kind kind, const StepProblem& whole) {
  const std::string path = std::string(SCREE_SOURCE_DIR) + "/verification/cases/cannonball/contacts_n" +
                           std::to_string(n) + ".csv";
  std::ifstream file(path);
  std::string line;
  std::map<std::pair<int, int>, std::vector<double>> rows;
  std::getline(file, line);
  while (std::getline(file, line)) {
    std::stringstream cells(line);
    std::vector<double> values;
    for (std::string cell; std::getline(cells, cell, ',');) values.push_back(std::stod(cell));
    rows[{static_cast<int>(values[0]), static_cast<int>(values[1])}] = values;
  }
  std::vector<double> forces;
  for (const Constraint& contact : whole.constraints) {
    const auto at = rows.find({contact.a, contact.b});
    if (at == rows.end()) return {};
    forces.push_back(at->second[7 + static_cast<int>(kind)]);
  }
  return forces;
}

class Pyramid : public ::testing::TestWithParam<Kind> {};

TEST_P(Pyramid, ForcesAreThoseOfTheElasticReference) {
  const StepProblem whole = problems::pyramid(6, GetParam());
  ASSERT_EQ(whole.constraints.size(), 300U);
  const std::vector<double> wanted = reference(6, GetParam(), whole);
  ASSERT_EQ(wanted.size(), 300U);
  CompatibilityReport report;
  const std::vector<double> forces = at_rest(whole, report);
  EXPECT_TRUE(report.converged);
  EXPECT_LE(report.balance, 1e-12);
  EXPECT_LE(report.opening, 1e-12);
  EXPECT_EQ(report.loaded, GetParam() == Kind::two_species ? 231 : 220);
  double off = 0, size = 0;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    off += (forces[i] - wanted[i]) * (forces[i] - wanted[i]);
    size += wanted[i] * wanted[i];
  }
  EXPECT_LE(std::sqrt(off / size), 1e-8);  // the file has nine digits
}

TEST_P(Pyramid, TheLcpsAnswerLeadsToTheSameForces) {
  const StepProblem whole = problems::pyramid(4, GetParam());
  CompatibilityReport report;
  const std::vector<double> wanted = at_rest(whole, report);
  expect_forces(after_lcp(whole, report), wanted, 1e-9);
}

TEST_P(Pyramid, ForcesDoNotDependOnTheOrderOfContacts) {
  StepProblem whole = problems::pyramid(6, GetParam());
  CompatibilityReport report;
  const std::vector<double> before = at_rest(whole, report);
  std::mt19937 draw(1);  // NOLINT(cert-msc32-c,cert-msc51-cpp): the same order in every run
  std::shuffle(whole.constraints.begin(), whole.constraints.end(), draw);
  expect_forces(at_rest(whole, report), before, 1e-10);
}

TEST_P(Pyramid, AnyNumberOfRanksGivesTheSameForces) {
  const StepProblem whole = problems::pyramid(6, GetParam());
  CompatibilityReport report;
  const std::vector<double> alone = at_rest(whole, report, {}, MPI_COMM_SELF);
  expect_forces(at_rest(whole, report), alone, 1e-8);
}

TEST_P(Pyramid, EveryPreconditionerLeadsToTheSameForces) {
  const StepProblem whole = problems::pyramid(6, GetParam());
  CompatibilityReport report;
  const std::vector<double> wanted = at_rest(whole, report);
  for (const auto choice : {Preconditioning::mic, Preconditioning::multigrid, Preconditioning::block_jacobi,
                            Preconditioning::direct}) {
    CompatibilityOptions options;
    options.preconditioning = choice;
    expect_forces(at_rest(whole, report, options), wanted, 1e-10);
    EXPECT_TRUE(report.converged) << report.method;
  }
}

TEST_P(Pyramid, TheMinimumOverForcesIsTheSame) {
  const StepProblem whole = problems::pyramid(4, GetParam());
  CompatibilityReport report;
  const std::vector<double> wanted = at_rest(whole, report);
  CompatibilityOptions options;
  options.method = CompatibilityMethod::primal;
  if (ranks::rank_count() > 1) {
    EXPECT_THROW(at_rest(whole, report, options), RunError);
    return;
  }
  const std::vector<double> forces = at_rest(whole, report, options);
  EXPECT_TRUE(report.converged) << report.method;
  EXPECT_LE(report.balance, 1e-9);
  EXPECT_LE(report.opening, 1e-5);
  expect_forces(forces, wanted, 1e-6);
}

/// Few contacts by TAO's method of multipliers, on any number of ranks.
TEST_P(Pyramid, TheMinimumOverFewForcesIsTheSame) {
  const StepProblem whole = problems::pyramid(ranks::rank_count() == 2 ? 3 : 2, GetParam());
  CompatibilityReport report;
  const std::vector<double> wanted = at_rest(whole, report);
  CompatibilityOptions options;
  options.method = CompatibilityMethod::primal;
  const std::vector<double> forces = at_rest(whole, report, options);
  EXPECT_TRUE(report.converged) << report.method;
  EXPECT_NE(report.method.find("almm"), std::string::npos) << report.method;
  EXPECT_LE(report.balance, 1e-9);
  EXPECT_LE(report.opening, 1e-8);
  expect_forces(forces, wanted, 1e-8);
}

INSTANTIATE_TEST_SUITE_P(Laws, Pyramid, ::testing::Values(Kind::hooke, Kind::hertz, Kind::two_species),
                         [](const auto& each) {
                           return each.param == Kind::hooke   ? "Hooke"
                                  : each.param == Kind::hertz ? "Hertz"
                                                              : "TwoSpecies";
                         });

}  // namespace
}  // namespace scree::contact_dynamics

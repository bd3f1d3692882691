/// Derivatives of the energy of elastic contacts against differences, on 1, 2 and 4 ranks.
#include "solvers/contact_dynamics/contact_energy.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "solvers/contact_dynamics/contact_heights.hpp"
#include "solvers/contact_dynamics/contact_hessian.hpp"
#include "solvers/contact_dynamics/test_problems.hpp"

namespace scree::contact_dynamics {
namespace {

TEST(ElasticLaw, ForceIsTheDerivativeOfThePotential) {
  std::mt19937 draw(3);  // NOLINT(cert-msc32-c,cert-msc51-cpp): the same points in every run
  std::uniform_real_distribution<double> any(-1, 1);
  int loaded = 0;
  for (int k = 0; k < 300; ++k) {
    const ElasticLaw law{1 + 0.5 * any(draw), k % 2 == 0 ? 1 : 1.5, 0.3 + 0.3 * std::abs(any(draw))};
    const Vec3 x(any(draw), any(draw), any(draw));
    const auto answer = respond<3>(law, x);
    const double step = 1e-6;
    for (int i = 0; i < 3; ++i) {
      const Vec3 forth = x + step * Vec3::Unit(i), back = x - step * Vec3::Unit(i);
      EXPECT_NEAR(answer.force[i], (potential<3>(law, forth) - potential<3>(law, back)) / (2 * step), 1e-6);
      const Vec3 slope = (respond<3>(law, forth).force - respond<3>(law, back).force) / (2 * step);
      EXPECT_LE((answer.stiffness.col(i) - slope).norm(), 1e-6) << x.transpose();
    }
    EXPECT_LE(answer.force.tail<2>().norm(), law.friction * answer.force[0] * (1 + 1e-12));
    loaded += answer.force[0] > 0 ? 1 : 0;
  }
  EXPECT_GT(loaded, 100);
}

TEST(ElasticLaw, WithoutFrictionTheConeIsTheHalfLine) {
  for (const double exponent : {1.0, 1.5}) {
    const ElasticLaw law{2, exponent, 0};
    const auto cone = respond<3>(law, Vec3(0.3, 0.2, -0.1));
    const auto line = respond<1>(law, Eigen::Matrix<double, 1, 1>(0.3));
    EXPECT_NEAR(cone.force[0], line.force[0], 1e-15);
    EXPECT_EQ(cone.force.tail<2>().norm(), 0);
    EXPECT_NEAR(cone.stiffness(0, 0), line.stiffness(0, 0), 1e-15);
  }
}

/// Energy, gradient and Hessian-vector product along a random direction from a random state, of a pyramid
/// whose lever arms are tilted and half of whose contacts are Hertzian.
void expect_derivatives(bool friction, bool levers) {
  StepProblem whole = problems::pyramid(4, problems::Kind::two_species);
  std::mt19937 draw(7);  // NOLINT(cert-msc32-c,cert-msc51-cpp)
  std::uniform_real_distribution<double> any(-1, 1);
  for (Constraint& contact : whole.constraints) {
    if (levers) contact.arm_a += 0.2 * Vec3(any(draw), any(draw), any(draw));
    contact.friction = 0.4;
    if (contact.key % 2 == 0) contact.exponent = 1.5;
  }
  std::vector<double> state, way;
  for (std::size_t k = 0; k < 6 * whole.bodies.size(); ++k) {
    state.push_back(any(draw));
    way.push_back(any(draw));
  }
  const StepProblem mine = problems::dealt(whole);
  std::vector<int> contacts(mine.constraints.size());
  std::iota(contacts.begin(), contacts.end(), 0);
  ContactEnergy energy(mine, contacts, friction);
  ASSERT_EQ(energy.block(), levers || friction ? 6 : 3);
  energy.inertia(0.7);
  const auto fill = [&](::Vec vec, const std::vector<double>& values) {
    PetscInt first = 0;
    petsc::check(VecGetOwnershipRange(vec, &first, nullptr), "testing");
    const petsc::VecValues to(vec);
    for (int b = 0; b < mine.owned; ++b)
      for (int k = 0; k < energy.block(); ++k)
        if (energy.free(b, k)) to.data()[energy.block() * b + k] = values[6 * mine.bodies[b].number + k];
  };
  const petsc::VecHandle z = energy.displacements(), d = energy.displacements(),
                         load = energy.displacements();
  const petsc::VecHandle forth = energy.displacements(), back = energy.displacements();
  const petsc::VecHandle g = energy.displacements(), hd = energy.displacements(),
                         trial = energy.displacements();
  fill(z, state);
  fill(d, way);
  fill(load, way);
  energy.load(load);
  energy.offsets(std::vector<double>(contacts.size() * energy.rows(), 0.1));
  const double step = 1e-6;
  double along = 0, norm = 0;
  energy.gradient(z, g);
  petsc::check(VecDot(g, d, &along), "testing");
  petsc::check(VecWAXPY(trial, step, d, z), "testing");
  energy.gradient(trial, forth);
  const double up = energy.energy(trial);
  petsc::check(VecWAXPY(trial, -step, d, z), "testing");
  energy.gradient(trial, back);
  const double down = energy.energy(trial);
  EXPECT_NEAR((up - down) / (2 * step), along, 1e-6 * std::abs(along));

  ContactHessian hessian(energy);
  petsc::check(MatMult(hessian.at(z), d, hd), "testing");
  petsc::check(VecAXPY(forth, -1, back), "testing");
  petsc::check(VecScale(forth, 1 / (2 * step)), "testing");
  petsc::check(VecAXPY(forth, -1, hd), "testing");
  double size = 0;
  petsc::check(VecNorm(forth, NORM_2, &norm), "testing");
  petsc::check(VecNorm(hd, NORM_2, &size), "testing");
  EXPECT_LE(norm, 1e-6 * size);
  EXPECT_GT(size, 1);

  EXPECT_TRUE(hessian.changed());
  for (const double bonded : {0.0, 0.0, 0.3}) {
    petsc::check(MatMult(hessian.at(z, bonded), d, hd), "testing");
    EXPECT_EQ(hessian.changed(), bonded > 0);
    hessian.product(d, trial);
    petsc::check(VecAXPY(trial, -1, hd), "testing");
    petsc::check(VecNorm(trial, NORM_2, &norm), "testing");
    petsc::check(VecNorm(hd, NORM_2, &size), "testing");
    EXPECT_LE(norm, 1e-14 * size);
  }

  std::vector<double> x, dx;
  double quadratic = 0, curvature = 0;
  energy.compressions(z, x);
  energy.directions(d, dx);
  energy.slope_constants(z, d, quadratic, curvature);
  EXPECT_NEAR(energy.slope(x, dx, 0, quadratic, curvature), along, 1e-10 * std::abs(along));
}

TEST(ContactEnergy, DerivativesOfSpheresAreThoseOfTheEnergy) { expect_derivatives(false, false); }
TEST(ContactEnergy, DerivativesWithLeverArmsAreThoseOfTheEnergy) { expect_derivatives(false, true); }
TEST(ContactEnergy, DerivativesWithFrictionAreThoseOfTheEnergy) { expect_derivatives(true, true); }

TEST(ContactEnergy, HeightsFollowFromLeverArms) {
  const StepProblem whole = problems::pyramid(4, problems::Kind::hooke);
  const StepProblem mine = problems::dealt(whole, MPI_COMM_SELF);
  std::vector<int> contacts(mine.constraints.size());
  std::iota(contacts.begin(), contacts.end(), 0);
  const ContactEnergy energy(mine, contacts, false);
  const std::vector<double> height = contact_heights(energy, Vec3::UnitZ());
  EXPECT_NEAR(height.back() - height.front(), 3 / std::sqrt(2.0), 1e-12);
}

}  // namespace
}  // namespace scree::contact_dynamics

/// N in its three forms (applied by PETSc, as entries, packed) against B M^-1 B^T written out, on 1, 2 and 4
/// ranks.
#include "solvers/contact_dynamics/delassus.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "solvers/contact_dynamics/contact_operator.hpp"
#include "solvers/contact_dynamics/test_problems.hpp"

namespace scree::contact_dynamics {
namespace {

Eigen::MatrixXd dense(const StepProblem& whole) {
  const auto rows = static_cast<Eigen::Index>(whole.constraints.size());
  const auto bodies = static_cast<Eigen::Index>(whole.bodies.size());
  Eigen::MatrixXd b = Eigen::MatrixXd::Zero(rows, 6 * bodies);
  Eigen::MatrixXd inverse_mass = Eigen::MatrixXd::Zero(6 * bodies, 6 * bodies);
  for (Eigen::Index i = 0; i < bodies; ++i)
    inverse_mass.block<6, 6>(6 * i, 6 * i) = whole.bodies[i].inverse_mass;
  for (Eigen::Index i = 0; i < rows; ++i) {
    const Constraint& contact = whole.constraints[i];
    // From theory 07 section 1, not from the functions under test.
    b.block<1, 3>(i, 6 * contact.a) = contact.normal;
    b.block<1, 3>(i, 6 * contact.a + 3) = contact.arm_a.cross(contact.normal);
    if (contact.b < 0) continue;
    b.block<1, 3>(i, 6 * contact.b) = -contact.normal;
    b.block<1, 3>(i, 6 * contact.b + 3) = -contact.arm_b.cross(contact.normal);
  }
  return whole.h * b * inverse_mass * b.transpose();
}

/// Bodies of any inertia in contact with each other and the ground; some fixed, one free to turn only.
StepProblem tangle(int bodies, int contacts) {
  std::mt19937 draw(7);
  const auto unit = [&] { return 2.0 * static_cast<double>(draw()) / std::mt19937::max() - 1; };
  const auto any = [&] { return Vec3(unit(), unit(), unit()); };
  StepProblem whole;
  whole.h = 1e-3;
  for (int i = 0; i < bodies; ++i) {
    StepBody body = problems::moving_body(1 + 0.5 * unit(), Vec3(1, 2, 3), any());
    const Mat3 turn = Quat(Eigen::AngleAxisd(unit(), any().normalized())).toRotationMatrix();
    body.inverse_mass.bottomRightCorner<3, 3>() =
        turn * body.inverse_mass.bottomRightCorner<3, 3>() * turn.transpose();
    if (i % 5 == 1) body.inverse_mass.setZero();
    if (i == 2) body.inverse_mass.topLeftCorner<3, 3>().setZero();
    whole.bodies.push_back(body);
  }
  for (int k = 0; k < contacts; ++k) {
    Constraint contact;
    contact.a = static_cast<int>(draw() % bodies);
    contact.b = static_cast<int>(draw() % (bodies + 1)) - 1;
    if (contact.b == contact.a) contact.b = -1;
    contact.normal = any().normalized();
    contact.arm_a = any();
    contact.arm_b = any();
    whole.constraints.push_back(contact);
  }
  return whole;
}

/// Constraints of this rank, as they are numbered in the whole.
std::vector<int> held(const StepProblem& whole, const StepProblem& problem) {
  std::vector<int> list;
  const PetscInt first = problem.owned > 0 ? problem.bodies[0].number : 0;
  for (std::size_t i = 0; i < whole.constraints.size(); ++i) {
    const int a = whole.constraints[i].a;
    if (a >= first && a < first + problem.owned) list.push_back(static_cast<int>(i));
  }
  return list;
}

void expect_dense(const StepProblem& whole, bool translates) {
  const Eigen::MatrixXd n = dense(whole);
  const Eigen::VectorXd f = Eigen::VectorXd::LinSpaced(n.rows(), -1, 2);
  const Eigen::VectorXd exact = n * f;
  const double bound = 1e-13 * exact.lpNorm<Eigen::Infinity>();
  StepProblem problem = problems::dealt(whole, PETSC_COMM_WORLD);
  // What ghosts weigh, their owners know.
  for (std::size_t i = problem.owned; i < problem.bodies.size(); ++i)
    problem.bodies[i].inverse_mass.setConstant(9);
  const std::vector<int> mine = held(whole, problem);
  ASSERT_EQ(mine.size(), problem.constraints.size());
  Delassus packed(problem);
  EXPECT_EQ(std::holds_alternative<PackedRows<3>>(packed.rows()), translates);
  const ContactOperator contacts(problem);
  const petsc::VecHandle forces = contacts.per_contact(), rates = contacts.per_contact();
  std::vector<double> mine_f, result(mine.size());
  for (const int i : mine) mine_f.push_back(f[i]);
  std::copy(mine_f.begin(), mine_f.end(), petsc::VecValues(forces).data());
  contacts.delassus(forces, rates);
  packed.apply(mine_f.data(), result.data());
  const petsc::VecHandle by_matrix = contacts.per_contact();
  const petsc::MatHandle matrix = contacts.delassus_matrix();
  petsc::check(MatMult(matrix, forces, by_matrix), "applying N");
  const petsc::ConstVecValues by_petsc(rates), by_entries(by_matrix);
  for (std::size_t i = 0; i < mine.size(); ++i) {
    EXPECT_NEAR(by_petsc.data()[i], exact[mine[i]], bound);
    EXPECT_NEAR(by_entries.data()[i], exact[mine[i]], bound);
    EXPECT_NEAR(result[i], exact[mine[i]], bound);
    EXPECT_NEAR(packed.diagonal()[i], n(mine[i], mine[i]), bound);
  }
}

TEST(Delassus, OfAnyBodiesIsThatWrittenOut) { expect_dense(tangle(14, 40), false); }

TEST(Delassus, OfSpheresNeedsNoMomentsAndIsThatWrittenOut) {
  expect_dense(problems::pyramid(4, problems::Kind::hooke, problems::kGrains), true);
}

TEST(Delassus, ScalesRowsAndColumns) {
  const StepProblem whole = tangle(9, 20);
  const StepProblem problem = problems::dealt(whole, PETSC_COMM_WORLD);
  Delassus plain(problem), scaled(problem);
  const auto size = static_cast<std::size_t>(plain.contacts());
  std::vector<double> s(size), f(size, 1.0), sf(size), result(size), expected(size);
  for (std::size_t i = 0; i < size; ++i) sf[i] = s[i] = 0.5 + static_cast<double>(i % 7);
  scaled.scale(s);
  scaled.apply(f.data(), result.data());
  plain.apply(sf.data(), expected.data());
  for (std::size_t i = 0; i < size; ++i) {
    EXPECT_NEAR(result[i], s[i] * expected[i], 1e-13 * (1 + std::abs(result[i])));
    EXPECT_NEAR(scaled.diagonal()[i], s[i] * s[i] * plain.diagonal()[i], 1e-15 * (1 + scaled.diagonal()[i]));
  }
}

}  // namespace
}  // namespace scree::contact_dynamics

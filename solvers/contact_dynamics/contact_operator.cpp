#include "solvers/contact_dynamics/contact_operator.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

namespace scree::contact_dynamics {
namespace {

using petsc::check;

constexpr const char* kBuildingOperator = "building the contact operator";
constexpr const char* kApplying = "applying the contact operator";

/// Moment of a unit force; round-off (the arm of a sphere lies along the normal) is set to 0, so that
/// spheres cost no more than what moves them.
Vec3 moment(const Vec3& arm, const Vec3& normal) {
  constexpr double kRoundOff = 1e-14;
  const Vec3 full = arm.cross(normal);
  return full.norm() <= kRoundOff * arm.norm() ? Vec3::Zero() : full;
}

/// Entries of a row of B that are stored.
int stored(const Vec6& row) { return row.tail<3>().isZero(0) ? 3 : kBodyUnknowns; }

/// Speed of approach up to which a contact ends without rebound [m/s]. With 0 < e < 1 an approach that loads
/// make from step to step would be thrown back for ever. It has a margin over the two steps of fall that a
/// gap below one step's fall may take, and is no multiple of one: then round-off would decide. An impact that
/// follows from another lifts a body within the step by energy that nobody gives, (1 + e) / 2 times speed
/// times the change by loads; above this speed it takes more, (1 - e^2) / 2 times the square of the speed.
/// With e = 1 every approach is an impact, for the energy.
double slowest_impact(const StepProblem& problem, const Constraint& contact) {
  constexpr double kSlowImpact = 2.2;
  if (!(contact.restitution < 1)) return 0;
  const double more = problem.follows ? std::max(1.0, 0.5 / (1 - contact.restitution)) : 1;
  return kSlowImpact * more * contact.by_loads;
}

petsc::MatHandle build_rates(const StepProblem& problem) {
  const auto rows = static_cast<PetscInt>(problem.constraints.size());
  const PetscInt columns = kBodyUnknowns * problem.owned;
  petsc::MatHandle rates;
  check(MatCreate(problem.comm, rates.put()), kBuildingOperator);
  check(MatSetSizes(rates, rows, columns, PETSC_DETERMINE, PETSC_DETERMINE), kBuildingOperator);
  check(MatSetType(rates, MATAIJ), kBuildingOperator);
  std::vector<PetscInt> here, elsewhere;
  for (const Constraint& contact : problem.constraints) {
    int near = 0, far = 0;
    (contact.a < problem.owned ? near : far) += stored(row_of_a(contact));
    if (contact.b >= 0) (contact.b < problem.owned ? near : far) += stored(row_of_b(contact));
    here.push_back(near);
    elsewhere.push_back(far);
  }
  check(MatSeqAIJSetPreallocation(rates, 0, here.data()), kBuildingOperator);
  check(MatMPIAIJSetPreallocation(rates, 0, here.data(), 0, elsewhere.data()), kBuildingOperator);
  PetscInt first = 0;
  check(MatGetOwnershipRange(rates, &first, nullptr), kBuildingOperator);
  for (const Constraint& contact : problem.constraints) {
    std::array<PetscInt, kBodyUnknowns> at{};
    const auto insert = [&](int body, const Vec6& row) {
      for (int k = 0; k < stored(row); ++k) at[k] = kBodyUnknowns * problem.bodies[body].number + k;
      check(MatSetValues(rates, 1, &first, stored(row), at.data(), row.data(), INSERT_VALUES),
            kBuildingOperator);
    };
    insert(contact.a, row_of_a(contact));
    if (contact.b >= 0) insert(contact.b, row_of_b(contact));
    ++first;
  }
  check(MatAssemblyBegin(rates, MAT_FINAL_ASSEMBLY), kBuildingOperator);
  check(MatAssemblyEnd(rates, MAT_FINAL_ASSEMBLY), kBuildingOperator);
  return rates;
}

petsc::MatHandle build_inverse_mass(const StepProblem& problem) {
  const PetscInt unknowns = kBodyUnknowns * problem.owned;
  petsc::MatHandle inverse;
  check(MatCreate(problem.comm, inverse.put()), kBuildingOperator);
  check(MatSetSizes(inverse, unknowns, unknowns, PETSC_DETERMINE, PETSC_DETERMINE), kBuildingOperator);
  check(MatSetType(inverse, MATBAIJ), kBuildingOperator);
  check(MatSetBlockSize(inverse, kBodyUnknowns), kBuildingOperator);
  check(MatSeqBAIJSetPreallocation(inverse, kBodyUnknowns, 1, nullptr), kBuildingOperator);
  check(MatMPIBAIJSetPreallocation(inverse, kBodyUnknowns, 1, nullptr, 0, nullptr), kBuildingOperator);
  for (int i = 0; i < problem.owned; ++i) {
    const StepBody& body = problem.bodies[i];  // symmetric: rows or columns first is the same
    check(MatSetValuesBlocked(inverse, 1, &body.number, 1, &body.number, body.inverse_mass.data(),
                              INSERT_VALUES),
          kBuildingOperator);
  }
  check(MatAssemblyBegin(inverse, MAT_FINAL_ASSEMBLY), kBuildingOperator);
  check(MatAssemblyEnd(inverse, MAT_FINAL_ASSEMBLY), kBuildingOperator);
  return inverse;
}

}  // namespace

Vec6 row_of_a(const Constraint& contact) {
  Vec6 row;
  row << contact.normal, moment(contact.arm_a, contact.normal);
  return row;
}

Vec6 row_of_b(const Constraint& contact) {
  Vec6 row;
  row << -contact.normal, -moment(contact.arm_b, contact.normal);
  return row;
}

double own_delassus(const StepProblem& problem, const Constraint& contact) {
  const Vec6 a = row_of_a(contact);
  double sum = a.dot(problem.bodies[contact.a].inverse_mass * a);
  if (contact.b >= 0) {
    const Vec6 b = row_of_b(contact);
    sum += b.dot(problem.bodies[contact.b].inverse_mass * b);
  }
  return problem.h * sum;
}

ContactOperator::ContactOperator(const StepProblem& problem)
    : h_(problem.h), rates_(build_rates(problem)), inverse_mass_(build_inverse_mass(problem)) {
  start_ = per_body();
  free_ = per_body();
  impulse_ = per_body();
  velocity_ = per_body();
  drift_ = per_contact();
  {
    const petsc::VecValues start(start_);
    const petsc::VecValues free(free_);
    for (int i = 0; i < problem.owned; ++i) {
      const StepBody& body = problem.bodies[i];
      Eigen::Map<Vec6>(start.data() + static_cast<std::ptrdiff_t>(kBodyUnknowns) * i) = body.velocity;
      Eigen::Map<Vec6>(free.data() + static_cast<std::ptrdiff_t>(kBodyUnknowns) * i) =
          body.velocity + h_ * (body.inverse_mass * body.force);
    }
    const petsc::VecValues drift(drift_);
    std::transform(problem.constraints.begin(), problem.constraints.end(), drift.data(),
                   [](const Constraint& contact) { return contact.normal.dot(contact.drift); });
  }
}

petsc::VecHandle ContactOperator::per_contact() const {
  petsc::VecHandle vec;
  check(MatCreateVecs(rates_, nullptr, vec.put()), kBuildingOperator);
  check(VecSet(vec, 0), kBuildingOperator);
  return vec;
}

petsc::VecHandle ContactOperator::per_body() const {
  petsc::VecHandle vec;
  check(MatCreateVecs(inverse_mass_, nullptr, vec.put()), kBuildingOperator);
  check(VecSet(vec, 0), kBuildingOperator);
  return vec;
}

void ContactOperator::delassus(Vec f, Vec result) const {
  check(MatMultTranspose(rates_, f, impulse_), kApplying);
  check(MatMult(inverse_mass_, impulse_, velocity_), kApplying);
  check(MatMult(rates_, velocity_, result), kApplying);
  check(VecScale(result, h_), kApplying);
}

petsc::MatHandle ContactOperator::delassus_matrix() const {
  petsc::MatHandle transposed, inverse_mass, response, n;
  check(MatTranspose(rates_, MAT_INITIAL_MATRIX, transposed.put()), kBuildingOperator);
  check(MatConvert(inverse_mass_, MATAIJ, MAT_INITIAL_MATRIX, inverse_mass.put()), kBuildingOperator);
  check(MatMatMult(inverse_mass, transposed, MAT_INITIAL_MATRIX, PETSC_DEFAULT, response.put()),
        kBuildingOperator);
  check(MatMatMult(rates_, response, MAT_INITIAL_MATRIX, PETSC_DEFAULT, n.put()), kBuildingOperator);
  check(MatScale(n, h_), kBuildingOperator);
  return n;
}

void ContactOperator::velocities(Vec f, Vec velocities) const {
  check(MatMultTranspose(rates_, f, impulse_), kApplying);
  check(MatMult(inverse_mass_, impulse_, velocities), kApplying);
  check(VecAYPX(velocities, h_, free_), kApplying);
}

std::vector<double> ContactOperator::changes_by_loads(const StepProblem& problem) const {
  const petsc::VecHandle change = per_body();
  const petsc::VecHandle of_rate = per_contact();
  check(VecWAXPY(change, -1, start_, free_), kApplying);
  check(MatMult(rates_, change, of_rate), kApplying);
  const petsc::ConstVecValues by_body(change);
  const petsc::ConstVecValues both(of_rate);
  std::vector<double> sums;
  for (std::size_t i = 0; i < problem.constraints.size(); ++i) {
    const Constraint& contact = problem.constraints[i];
    // Body a is of this rank; loads of body b may be known to another one only.
    const double of_a = row_of_a(contact).dot(
        Eigen::Map<const Vec6>(by_body.data() + static_cast<std::ptrdiff_t>(kBodyUnknowns) * contact.a));
    sums.push_back(std::abs(of_a) + std::abs(both.data()[i] - of_a));
  }
  return sums;
}

void ContactOperator::target(const StepProblem& problem, Vec r) const {
  const petsc::VecHandle before = per_contact();
  const petsc::VecHandle without = per_contact();
  check(MatMultAdd(rates_, start_, drift_, before), kApplying);
  check(MatMultAdd(rates_, free_, drift_, without), kApplying);
  check(VecCopy(drift_, r), kApplying);
  const petsc::ConstVecValues rate(before);
  const petsc::ConstVecValues free_rate(without);
  const petsc::VecValues values(r);
  for (std::size_t i = 0; i < problem.constraints.size(); ++i) {
    const Constraint& contact = problem.constraints[i];
    // What would close in the step rebounds in it: a gap that is closed first has lost its speed of approach.
    const bool closes = contact.gap + h_ * free_rate.data()[i] <= problem.closed;
    const bool fast = -rate.data()[i] > slowest_impact(problem, contact);
    const bool impact = contact.restitution > 0 && closes && fast;
    const double closing = contact.gap / h_;
    const double rebound = problem.rebound * contact.restitution * rate.data()[i];
    values.data()[i] += impact ? std::min(rebound, closing) : closing;
  }
}

void ContactOperator::offset(const StepProblem& problem, Vec p) const {
  target(problem, p);
  check(MatMultAdd(rates_, free_, p, p), kApplying);
}

}  // namespace scree::contact_dynamics

#include "solvers/contact_dynamics/contact_operator.hpp"

#include <algorithm>
#include <array>

namespace scree::contact_dynamics {
namespace {

using petsc::check;

constexpr const char* kBuilding = "building the contact operator";
constexpr const char* kApplying = "applying the contact operator";

petsc::MatHandle build_rates(const StepProblem& problem) {
  const auto rows = static_cast<PetscInt>(problem.constraints.size());
  const PetscInt columns = kBodyUnknowns * problem.owned;
  petsc::MatHandle rates;
  check(MatCreate(problem.comm, rates.put()), kBuilding);
  check(MatSetSizes(rates, rows, columns, PETSC_DETERMINE, PETSC_DETERMINE), kBuilding);
  check(MatSetType(rates, MATAIJ), kBuilding);
  std::vector<PetscInt> here, elsewhere;
  for (const Constraint& contact : problem.constraints) {
    const int near = kBodyUnknowns * ((contact.a < problem.owned ? 1 : 0) +
                                      (contact.b >= 0 && contact.b < problem.owned ? 1 : 0));
    const int all = kBodyUnknowns * (contact.b >= 0 ? 2 : 1);
    here.push_back(near);
    elsewhere.push_back(all - near);
  }
  check(MatSeqAIJSetPreallocation(rates, 0, here.data()), kBuilding);
  check(MatMPIAIJSetPreallocation(rates, 0, here.data(), 0, elsewhere.data()), kBuilding);
  PetscInt first = 0;
  check(MatGetOwnershipRange(rates, &first, nullptr), kBuilding);
  for (const Constraint& contact : problem.constraints) {
    std::array<PetscInt, kBodyUnknowns> at{};
    const auto insert = [&](int body, const Vec6& row) {
      for (int k = 0; k < kBodyUnknowns; ++k) at[k] = kBodyUnknowns * problem.bodies[body].number + k;
      check(MatSetValues(rates, 1, &first, kBodyUnknowns, at.data(), row.data(), INSERT_VALUES), kBuilding);
    };
    insert(contact.a, row_of_a(contact));
    if (contact.b >= 0) insert(contact.b, row_of_b(contact));
    ++first;
  }
  check(MatAssemblyBegin(rates, MAT_FINAL_ASSEMBLY), kBuilding);
  check(MatAssemblyEnd(rates, MAT_FINAL_ASSEMBLY), kBuilding);
  return rates;
}

petsc::MatHandle build_inverse_mass(const StepProblem& problem) {
  const PetscInt unknowns = kBodyUnknowns * problem.owned;
  petsc::MatHandle inverse;
  check(MatCreate(problem.comm, inverse.put()), kBuilding);
  check(MatSetSizes(inverse, unknowns, unknowns, PETSC_DETERMINE, PETSC_DETERMINE), kBuilding);
  check(MatSetType(inverse, MATBAIJ), kBuilding);
  check(MatSetBlockSize(inverse, kBodyUnknowns), kBuilding);
  check(MatSeqBAIJSetPreallocation(inverse, kBodyUnknowns, 1, nullptr), kBuilding);
  check(MatMPIBAIJSetPreallocation(inverse, kBodyUnknowns, 1, nullptr, 0, nullptr), kBuilding);
  for (int i = 0; i < problem.owned; ++i) {
    const StepBody& body = problem.bodies[i];  // symmetric: rows or columns first is the same
    check(MatSetValuesBlocked(inverse, 1, &body.number, 1, &body.number, body.inverse_mass.data(),
                              INSERT_VALUES),
          kBuilding);
  }
  check(MatAssemblyBegin(inverse, MAT_FINAL_ASSEMBLY), kBuilding);
  check(MatAssemblyEnd(inverse, MAT_FINAL_ASSEMBLY), kBuilding);
  return inverse;
}

}  // namespace

Vec6 row_of_a(const Constraint& contact) {
  Vec6 row;
  row << contact.normal, contact.arm_a.cross(contact.normal);
  return row;
}

Vec6 row_of_b(const Constraint& contact) {
  Vec6 row;
  row << -contact.normal, -contact.arm_b.cross(contact.normal);
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
      Eigen::Map<Vec6>(start.data() + kBodyUnknowns * i) = body.velocity;
      Eigen::Map<Vec6>(free.data() + kBodyUnknowns * i) =
          body.velocity + h_ * (body.inverse_mass * body.force);
    }
    const petsc::VecValues drift(drift_);
    std::transform(problem.constraints.begin(), problem.constraints.end(), drift.data(),
                   [](const Constraint& contact) { return contact.normal.dot(contact.drift); });
  }
}

petsc::VecHandle ContactOperator::per_contact() const {
  petsc::VecHandle vec;
  check(MatCreateVecs(rates_, nullptr, vec.put()), kBuilding);
  check(VecSet(vec, 0), kBuilding);
  return vec;
}

petsc::VecHandle ContactOperator::per_body() const {
  petsc::VecHandle vec;
  check(MatCreateVecs(inverse_mass_, nullptr, vec.put()), kBuilding);
  check(VecSet(vec, 0), kBuilding);
  return vec;
}

void ContactOperator::delassus(Vec f, Vec result) const {
  check(MatMultTranspose(rates_, f, impulse_), kApplying);
  check(MatMult(inverse_mass_, impulse_, velocity_), kApplying);
  check(MatMult(rates_, velocity_, result), kApplying);
  check(VecScale(result, h_), kApplying);
}

void ContactOperator::velocities(Vec f, Vec velocities) const {
  check(MatMultTranspose(rates_, f, impulse_), kApplying);
  check(MatMult(inverse_mass_, impulse_, velocities), kApplying);
  check(VecAYPX(velocities, h_, free_), kApplying);
}

void ContactOperator::target(const StepProblem& problem, Vec r) const {
  const petsc::VecHandle before = per_contact();
  check(MatMultAdd(rates_, start_, drift_, before), kApplying);
  check(VecCopy(drift_, r), kApplying);
  const petsc::ConstVecValues rate(before);
  const petsc::VecValues values(r);
  for (std::size_t i = 0; i < problem.constraints.size(); ++i) {
    const Constraint& contact = problem.constraints[i];
    const bool impact = contact.restitution > 0 && contact.gap <= 0 && rate.data()[i] < 0;
    values.data()[i] += impact ? contact.restitution * rate.data()[i] : contact.gap / h_;
  }
}

void ContactOperator::offset(const StepProblem& problem, Vec p) const {
  target(problem, p);
  check(MatMultAdd(rates_, free_, p, p), kApplying);
}

}  // namespace scree::contact_dynamics

#include "solvers/contact_dynamics/uniqueness.hpp"

#include <Eigen/QR>
#include <algorithm>
#include <array>

#include "solvers/contact_dynamics/contact_energy.hpp"
#include "solvers/contact_dynamics/contact_hessian.hpp"
#include "solvers/contact_dynamics/contact_preconditioner.hpp"
#include "solvers/contact_dynamics/gathered_rows.hpp"

namespace scree::contact_dynamics {
namespace {

using petsc::check;

constexpr const char* kCounting = "counting how indeterminate forces are";

/// Contacts and unknowns up to which a dense QR takes no time worth mentioning.
constexpr long kDense = 600;
/// Part of the largest pivot of QR that counts as zero.
constexpr double kZeroPivot = 1e-10;
/// Eigenvalues of B^T B (of order 1) that are round-off, and those that are surely not: between is doubt.
constexpr double kZero = 1e-11, kNotZero = 1e-8;

long sum(MPI_Comm comm, long mine) {
  MPI_Allreduce(MPI_IN_PLACE, &mine, 1, MPI_LONG, MPI_SUM, comm);
  return mine;
}

long dense_rank(const ContactEnergy& energy) {
  const GatheredRows rows = gather_rows(energy);
  long rank = 0;
  if (rows.start.size() > 1) {
    Eigen::MatrixXd dense =
        Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(rows.start.size()) - 1, rows.unknowns);
    for (Eigen::Index i = 0; i < dense.rows(); ++i)
      for (int at = rows.start[i]; at < rows.start[i + 1]; ++at) dense(i, rows.column[at]) = rows.value[at];
    Eigen::ColPivHouseholderQR<Eigen::MatrixXd> factors;
    factors.setThreshold(kZeroPivot);
    rank = factors.compute(dense).rank();
  }
  MPI_Bcast(&rank, 1, MPI_LONG, 0, energy.problem().comm);
  return rank;
}

/// Eigenvalues of B^T B below `delta`, by Sylvester's law from the factors of B^T B - delta.
/// @param hessian of `energy`.
long eigenvalues_below(ContactEnergy& energy, ContactHessian& hessian, double delta) {
  energy.shift(-delta, 1);
  const petsc::VecHandle rest = energy.displacements();
  const Mat stiffness = hessian.at(rest, 1);
  petsc::MatHandle entries, factors;
  check(MatConvert(stiffness, MATAIJ, MAT_INITIAL_MATRIX, entries.put()), kCounting);
  check(MatSetOption(entries, MAT_SYMMETRIC, PETSC_TRUE), kCounting);
  check(MatGetFactor(entries, MATSOLVERMUMPS, MAT_FACTOR_CHOLESKY, factors.put()), kCounting);
  check(MatMumpsSetIcntl(factors, 13, 1), kCounting);  // no ScaLAPACK at the root: it does not count signs
  MatFactorInfo info;
  check(MatFactorInfoInitialize(&info), kCounting);
  check(MatCholeskyFactorSymbolic(factors, entries, nullptr, &info), kCounting);
  check(MatCholeskyFactorNumeric(factors, entries, &info), kCounting);
  PetscInt negative = 0;
  check(MatGetInertia(factors, &negative, nullptr, nullptr), kCounting);
  return negative;
}

/// Unknowns that are free, and those of them that a contact has a lever on.
std::array<long, 2> count_unknowns(const ContactEnergy& energy) {
  std::array<long, 2> count{};
  const petsc::VecHandle touched = energy.displacements();
  energy.touched(touched);
  const petsc::ConstVecValues values(touched);
  for (int b = 0; b < energy.problem().owned; ++b)
    for (int k = 0; k < energy.block(); ++k) {
      count[0] += energy.free(b, k) ? 1 : 0;
      count[1] += values.data()[energy.block() * b + k] > 0 ? 1 : 0;
    }
  MPI_Allreduce(MPI_IN_PLACE, count.data(), 2, MPI_LONG, MPI_SUM, energy.problem().comm);
  return count;
}

}  // namespace

Uniqueness measure_uniqueness(const StepProblem& problem, Vec forces, double threshold) {
  double most = 0;
  check(VecNorm(forces, NORM_INFINITY, &most), kCounting);
  std::vector<int> loaded;
  {
    const petsc::ConstVecValues f(forces);
    for (std::size_t i = 0; i < problem.constraints.size(); ++i)
      if (f.data()[i] > threshold * most) loaded.push_back(static_cast<int>(i));
  }
  Uniqueness result;
  result.loaded = sum(problem.comm, static_cast<long>(loaded.size()));
  if (result.loaded == 0) return result;
  StepProblem unit = problem;  // the rank does not know stiffness
  for (Constraint& contact : unit.constraints) contact.stiffness_ratio = contact.exponent = 1;
  ContactEnergy energy(unit, loaded, false);
  const auto [free, touched] = count_unknowns(energy);
  const long bodies = sum(problem.comm, problem.owned);
  if (result.loaded <= kDense && energy.block() * bodies <= kDense) {
    result.rank = dense_rank(energy);
  } else if (bodies <= kMostBodiesToFactor) {
    ContactHessian hessian(energy);
    const long below = eigenvalues_below(energy, hessian, kZero);
    result.rank = free - below;
    result.estimate = eigenvalues_below(energy, hessian, kNotZero) != below;
  } else {
    result.rank = std::min(result.loaded, touched);
    result.estimate = true;
  }
  result.indeterminacy = result.loaded - result.rank;
  return result;
}

double relative_distance(Vec f, Vec g) {
  petsc::VecHandle difference;
  check(VecDuplicate(f, difference.put()), kCounting);
  check(VecWAXPY(difference, -1, g, f), kCounting);
  double off = 0, size = 0;
  check(VecNorm(difference, NORM_2, &off), kCounting);
  check(VecNorm(g, NORM_2, &size), kCounting);
  return off == 0 ? 0 : off / size;
}

}  // namespace scree::contact_dynamics

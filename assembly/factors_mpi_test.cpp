#include "assembly/factors.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <random>
#include <string_view>
#include <vector>

#include "assembly/petsc.hpp"
#include "assembly/test_ranks.hpp"

namespace scree::petsc {
namespace {

using ranks::rank_count;
using ranks::this_rank;

constexpr const char* kDoing = "testing factors";

/// Symmetric, diagonally dominant, couplings to random near unknowns; the ranks have equal numbers of rows.
/// @param shift of the diagonal.
MatHandle network(PetscInt unknowns, double shift) {
  MatHandle matrix;
  check(MatCreateAIJ(PETSC_COMM_WORLD, PETSC_DECIDE, PETSC_DECIDE, unknowns, unknowns, 20, nullptr, 20,
                     nullptr, matrix.put()),
        kDoing);
  check(MatSetOption(matrix, MAT_NEW_NONZERO_ALLOCATION_ERR, PETSC_FALSE), kDoing);
  check(MatSetOption(matrix, MAT_SYMMETRIC, PETSC_TRUE), kDoing);
  PetscInt first = 0, last = 0;
  check(MatGetOwnershipRange(matrix, &first, &last), kDoing);
  const auto set = [&](PetscInt i, PetscInt j, double value) {
    if (i >= first && i < last) check(MatSetValue(matrix, i, j, value, INSERT_VALUES), kDoing);
  };
  std::mt19937 random(5);
  for (PetscInt i = 0; i < unknowns; ++i) {
    set(i, i, shift + static_cast<double>(random() % 1000) / 100);
    for (int k = 0; k < 4 && i > 0; ++k) {
      const auto j = std::max<PetscInt>(0, i - 1 - static_cast<PetscInt>(random() % 40));
      const double value = -1.0 / (3 + k);
      set(i, j, value);
      set(j, i, value);
    }
  }
  check(MatAssemblyBegin(matrix, MAT_FINAL_ASSEMBLY), kDoing);
  check(MatAssemblyEnd(matrix, MAT_FINAL_ASSEMBLY), kDoing);
  return matrix;
}

KspHandle solver(PCType type, bool small, PetscInt unknowns) {
  KspHandle ksp;
  check(KSPCreate(PETSC_COMM_WORLD, ksp.put()), kDoing);
  check(KSPSetType(ksp, KSPPREONLY), kDoing);
  PC pc = nullptr;
  check(KSPGetPC(ksp, &pc), kDoing);
  use_factors(pc, type, small, unknowns);
  return ksp;
}

/// @returns this rank's part of the solution. @param[out] residual relative.
std::vector<double> solve_with(KSP ksp, Mat matrix, double& residual) {
  VecHandle x, b;
  check(MatCreateVecs(matrix, x.put(), b.put()), kDoing);
  PetscInt first = 0, last = 0;
  check(VecGetOwnershipRange(b, &first, &last), kDoing);
  for (PetscInt i = first; i < last; ++i)
    check(VecSetValue(b, i, std::sin(static_cast<double>(i)), INSERT_VALUES), kDoing);
  check(VecAssemblyBegin(b), kDoing);
  check(VecAssemblyEnd(b), kDoing);
  double reference = 0;
  check(VecNorm(b, NORM_2, &reference), kDoing);
  check(KSPSetOperators(ksp, matrix, matrix), kDoing);
  check(KSPSolve(ksp, b, x), kDoing);
  std::vector<double> values;
  {
    const ConstVecValues from(x);
    values.assign(from.data(), from.data() + (last - first));
  }
  VecHandle r;
  check(VecDuplicate(b, r.put()), kDoing);
  check(MatMult(matrix, x, r), kDoing);
  check(VecAXPY(r, -1, b), kDoing);
  check(VecNorm(r, NORM_2, &residual), kDoing);
  residual /= reference;
  return values;
}

// The differences between runs of MUMPS on several ranks are too rare for a unit test:
// verification/restarts.py two_step --ranks 2.
TEST(Factors, GiveTheSameBitsInEachRun) {
  for (const bool small : {true, false})
    for (const PCType type : {PCLU, PCCHOLESKY}) {
      constexpr PetscInt kUnknowns = 150;
      const MatHandle matrix = network(kUnknowns, 12);
      double residual = 0;
      const std::vector<double> expected = solve_with(solver(type, small, kUnknowns), matrix, residual);
      EXPECT_LT(residual, 1e-13);
      int different = 0;
      for (int run = 0; run < 2; ++run) {
        const std::vector<double> found = solve_with(solver(type, small, kUnknowns), matrix, residual);
        different += std::memcmp(found.data(), expected.data(), found.size() * sizeof(double)) != 0 ? 1 : 0;
      }
      EXPECT_EQ(different, 0) << type << ", runs on rank " << this_rank();
    }
}

TEST(Factors, AreThoseOfTheMatrixAsItIsNow) {
  constexpr PetscInt kUnknowns = 150;
  const KspHandle ksp = solver(PCLU, false, kUnknowns);
  for (const double shift : {12.0, 300.0}) {
    const MatHandle matrix = network(kUnknowns, shift);
    double residual = 1;
    solve_with(ksp, matrix, residual);
    EXPECT_LT(residual, 1e-13) << shift;
  }
}

TEST(Factors, OfLargeMatricesAreDistributed) {
  for (const PetscInt unknowns : {kMostRepeatable, kMostRepeatable + 1}) {
    const KspHandle ksp = solver(PCLU, false, unknowns);
    PC pc = nullptr;
    check(KSPGetPC(ksp, &pc), kDoing);
    PCType type = nullptr;
    check(PCGetType(pc, &type), kDoing);
    EXPECT_EQ(std::string_view(type), rank_count() > 1 && unknowns == kMostRepeatable ? PCREDUNDANT : PCLU);
    MatSolverType package = nullptr;
    check(PCFactorGetMatSolverType(factors_of(pc), &package), kDoing);
    EXPECT_EQ(std::string_view(package), MATSOLVERMUMPS);
  }
}

}  // namespace
}  // namespace scree::petsc

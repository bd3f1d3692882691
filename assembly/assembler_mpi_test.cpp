#include "assembly/assembler.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <random>
#include <set>
#include <stdexcept>
#include <utility>
#include <vector>

#include "assembly/test_ranks.hpp"
#include "core/error.hpp"
#include "core/test_extremes.hpp"

namespace scree {
namespace {

using ranks::rank_count;
using ranks::this_rank;

/// Value in [-1, 1] that depends on all arguments and is the same on all ranks.
double noise(int a, int b, int c, int d, int seed) {
  std::uint64_t hash = 1469598103934665603u;
  for (const int n : {a, b, c, d, seed}) {
    hash = (hash ^ static_cast<std::uint64_t>(n + 1000)) * 1099511628211u;
    hash ^= hash >> 29;
  }
  return static_cast<double>(hash % 2000001) / 1e6 - 1.0;
}

/// Entities with random owners, sizes and neighbours, and a symmetric positive definite tangent, known to all
/// ranks.
class World {
 public:
  World(int entities, std::vector<int> possible_sizes, unsigned seed) : seed_(static_cast<int>(seed)) {
    std::mt19937 random(seed);
    for (int i = 0; i < entities; ++i) {
      owner.push_back(static_cast<int>(random() % rank_count()));
      size.push_back(possible_sizes[random() % possible_sizes.size()]);
    }
    for (int k = 0; k < 3 * entities; ++k) {
      const int i = static_cast<int>(random() % entities), j = static_cast<int>(random() % entities);
      if (i != j) pairs.insert({{i, j}, {j, i}});
    }
    int next = 0;
    start.resize(entities);
    for (int r = 0; r < rank_count(); ++r)
      for (int i = 0; i < entities; ++i)
        if (owner[i] == r) start[i] = std::exchange(next, next + size[i]);
    unknowns = next;
  }

  [[nodiscard]] double scale(int i, int k) const { return 1.5 + noise(i, k, -2, 0, seed_); }
  [[nodiscard]] double residual(int i, int k) const { return noise(i, k, -1, 0, seed_); }
  /// Entry (k, l) of block (i, j), unscaled. Diagonally dominant.
  [[nodiscard]] double tangent(int i, int j, int k, int l) const {
    if (i == j && k == l) return 60.0 + i;
    return i < j || (i == j && k < l) ? noise(i, j, k, l, seed_) : noise(j, i, l, k, seed_);
  }

  std::vector<int> owner, size, start;
  std::set<std::pair<int, int>> pairs;
  int unknowns = 0;

 private:
  int seed_;
};

/// This rank's part of a world.
struct Part {
  std::vector<int> global;  ///< entity numbers in the world, owned first
  LocalSystem system;
  std::vector<RemoteEntity> ghosts;

  /// @param ghost_seed order of ghosts.
  explicit Part(const World& world, unsigned ghost_seed = 1) {
    std::vector<int> index(world.owner.size());  // owner-local
    std::vector<int> count(rank_count(), 0);
    for (std::size_t i = 0; i < world.owner.size(); ++i) {
      index[i] = count[world.owner[i]]++;
      if (world.owner[i] == this_rank()) global.push_back(static_cast<int>(i));
    }
    const auto owned = static_cast<int>(global.size());
    std::set<int> others;
    for (const auto& [i, j] : world.pairs)
      if (world.owner[i] == this_rank() && world.owner[j] != this_rank()) others.insert(j);
    global.insert(global.end(), others.begin(), others.end());
    std::mt19937 random(ghost_seed);
    std::shuffle(global.begin() + owned, global.end(), random);
    for (auto g = global.begin() + owned; g != global.end(); ++g)
      ghosts.push_back({world.owner[*g], index[*g]});

    std::map<int, int> local;
    std::vector<int> sizes;
    for (const int i : global) {
      local[i] = static_cast<int>(sizes.size());
      sizes.push_back(world.size[i]);
    }
    system.set_entities(owned, sizes);
    std::vector<LocalSystem::Coupling> couplings;
    for (const auto& [i, j] : world.pairs)
      if (world.owner[i] == this_rank()) couplings.push_back({local[i], local[j]});
    system.set_couplings(couplings);
    fill(world);
  }

  void fill(const World& world) {
    for (int e = 0; e < std::ssize(global); ++e) {
      const int i = global[e];
      for (int k = 0; k < world.size[i]; ++k) {
        system.scale[system.offset[e] + k] = world.scale(i, k);
        system.residual[system.offset[e] + k] = world.residual(i, k);
        for (int l = 0; l < world.size[i]; ++l)
          system.diagonal(e)[k * world.size[i] + l] = world.tangent(i, i, k, l);
      }
    }
    for (int c = 0; c < std::ssize(system.couplings); ++c) {
      const int i = global[system.couplings[c].row], j = global[system.couplings[c].col];
      for (int k = 0; k < world.size[i]; ++k)
        for (int l = 0; l < world.size[j]; ++l)
          system.coupling(c)[k * world.size[j] + l] = world.tangent(i, j, k, l);
    }
  }
  [[nodiscard]] DofMap map() const { return {PETSC_COMM_WORLD, system.owned, system.size, ghosts}; }
};

/// Largest difference of `mat` from the dense tangent of the world, relative to its largest entry.
double difference(const World& world, Mat mat, double factor = 1.0) {
  std::array<double, 2> worst{};
  std::vector<int> columns(world.unknowns);
  for (int c = 0; c < world.unknowns; ++c) columns[c] = c;
  std::vector<double> row(world.unknowns), dense(world.unknowns);
  for (int i = 0; i < std::ssize(world.owner); ++i) {
    if (world.owner[i] != this_rank()) continue;
    for (int k = 0; k < world.size[i]; ++k) {
      std::fill(dense.begin(), dense.end(), 0.0);
      for (int j = 0; j < std::ssize(world.owner); ++j) {
        if (i != j && !world.pairs.contains({i, j})) continue;
        for (int l = 0; l < world.size[j]; ++l)
          dense[world.start[j] + l] =
              factor * world.tangent(i, j, k, l) * world.scale(i, k) * world.scale(j, l);
      }
      const int number = world.start[i] + k;
      petsc::check(MatGetValues(mat, 1, &number, world.unknowns, columns.data(), row.data()), "reading");
      for (int c = 0; c < world.unknowns; ++c) {
        test::keep_largest(worst[0], std::abs(row[c] - dense[c]));
        test::keep_largest(worst[1], std::abs(dense[c]));
      }
    }
  }
  MPI_Allreduce(MPI_IN_PLACE, worst.data(), 2, MPI_DOUBLE, MPI_MAX, PETSC_COMM_WORLD);
  return worst[0] / worst[1];
}

bool is_type(Mat mat, MatType sequential, MatType distributed) {
  PetscBool yes = PETSC_FALSE;
  petsc::check(
      PetscObjectTypeCompareAny(reinterpret_cast<PetscObject>(mat), &yes, sequential, distributed, ""),
      "reading");
  return yes == PETSC_TRUE;
}

struct Variant {
  std::vector<int> sizes;
  MatrixFormat format;
  bool blocks;
};

class AssemblerVariants : public testing::TestWithParam<Variant> {};

TEST_P(AssemblerVariants, TangentEqualsDenseAssemblyAlsoWhenFilledAgain) {
  const World world(23, GetParam().sizes, 3);
  Part part(world);
  const DofMap map = part.map();
  EXPECT_EQ(map.global_unknowns(), world.unknowns);
  EXPECT_EQ(map.has_ghosts(), rank_count() > 1);
  EXPECT_EQ(map.uniform_block(), GetParam().sizes.size() == 1 ? GetParam().sizes[0] : 0);
  Assembler assembler(GetParam().format);
  EXPECT_TRUE(assembler.set_pattern(map, part.system));
  assembler.assemble_tangent(part.system);
  EXPECT_EQ(is_type(assembler.matrix(), MATSEQBAIJ, MATMPIBAIJ), GetParam().blocks);
  EXPECT_LT(difference(world, assembler.matrix()), 1e-15);

  for (double& value : part.system.values) value *= 3;
  assembler.assemble_tangent(part.system);
  EXPECT_LT(difference(world, assembler.matrix(), 3), 1e-15);
}

TEST_P(AssemblerVariants, ANewMatrixTakesOverRowsThatAreNotAssembled) {
  World world(23, GetParam().sizes, 3);
  Part part(world);
  LocalSystem& system = part.system;
  const DofMap map = part.map();
  std::vector<LocalSystem::Coupling> couplings = system.couplings;
  std::set<std::pair<int, int>> pairs;
  std::swap(pairs, world.pairs);
  system.set_couplings({});
  part.fill(world);
  Assembler assembler(GetParam().format);
  assembler.set_pattern(map, system);
  assembler.assemble_tangent(system);
  EXPECT_LT(difference(world, assembler.matrix()), 1e-15);

  system.add_couplings(couplings);
  system.assembling.assign(static_cast<std::size_t>(system.owned), 0);
  EXPECT_TRUE(assembler.set_pattern(map, system));
  assembler.assemble_tangent(system);
  EXPECT_LT(difference(world, assembler.matrix()), 1e-15);  // couplings are there, and 0

  std::swap(pairs, world.pairs);
  part.fill(world);
  assembler.assemble_tangent(system);
  EXPECT_GT(difference(world, assembler.matrix()), 1e-3);  // no row is to change
  system.assembling.assign(static_cast<std::size_t>(system.owned), 1);
  assembler.assemble_tangent(system);
  EXPECT_LT(difference(world, assembler.matrix()), 1e-15);
}

TEST_P(AssemblerVariants, SymmetricTangentStaysSymmetricToTheLastBit) {
  const World world(23, GetParam().sizes, 3);
  const Part part(world);
  Assembler assembler(GetParam().format);
  assembler.set_pattern(part.map(), part.system);
  assembler.assemble_tangent(part.system);
  petsc::MatHandle transposed;
  petsc::check(MatTranspose(assembler.matrix(), MAT_INITIAL_MATRIX, transposed.put()), "transposing");
  PetscBool equal = PETSC_FALSE;
  petsc::check(MatEqual(assembler.matrix(), transposed, &equal), "comparing");
  EXPECT_EQ(equal, PETSC_TRUE);
}

TEST_P(AssemblerVariants, ResidualIsScaled) {
  const World world(23, GetParam().sizes, 4);
  const Part part(world);
  const DofMap map = part.map();
  const petsc::VecHandle r = map.create_vector();
  Assembler(GetParam().format).assemble_residual(part.system, r);
  const petsc::ConstVecValues values(r);
  for (int e = 0; e < part.system.owned; ++e) {
    const int i = part.global[e];
    EXPECT_EQ(map.first_unknown(e), world.start[i]);
    for (int k = 0; k < world.size[i]; ++k)
      EXPECT_EQ(values.data()[world.start[i] - map.first_owned() + k],
                world.residual(i, k) * world.scale(i, k));
  }
}

TEST_P(AssemblerVariants, LocalIncrementHasOwnedAndGhostValues) {
  const World world(23, GetParam().sizes, 5);
  const Part part(world);
  const DofMap map = part.map();
  const petsc::VecHandle y = map.create_vector();
  std::vector<double> d(part.system.offset.back(), -1.0);
  for (int round = 1; round <= 2; ++round) {
    {
      const petsc::VecValues values(y);
      for (PetscInt k = 0; k < map.owned_unknowns(); ++k)
        values.data()[k] = round * 1000.0 + map.first_owned() + k;
    }
    map.to_local(y, part.system.scale, d);
    for (int e = 0; e < std::ssize(part.global); ++e)
      for (int k = 0; k < part.system.size[e]; ++k)
        EXPECT_EQ(d[part.system.offset[e] + k],
                  world.scale(part.global[e], k) * (round * 1000.0 + world.start[part.global[e]] + k));
  }
}

struct Solver {
  KSPType ksp;
  PCType pc;
  MatSolverType package = nullptr;

  [[nodiscard]] petsc::KspHandle create() const {
    petsc::KspHandle made;
    petsc::check(KSPCreate(PETSC_COMM_WORLD, made.put()), "creating");
    petsc::check(KSPSetType(made, ksp), "setting");
    petsc::check(KSPSetTolerances(made, 1e-12, 1e-50, 1e5, 500), "setting");
    PC preconditioner = nullptr;
    petsc::check(KSPGetPC(made, &preconditioner), "setting");
    petsc::check(PCSetType(preconditioner, pc), "setting");
    if (package != nullptr) petsc::check(PCFactorSetMatSolverType(preconditioner, package), "setting");
    return made;
  }
};

/// Solves and checks the solution. @returns iterations.
int solve(KSP ksp, Mat mat, Vec r, Vec y) {
  petsc::check(KSPSetOperators(ksp, mat, mat), "setting");
  petsc::check(KSPSolve(ksp, r, y), "solving");
  KSPConvergedReason reason = KSP_CONVERGED_ITERATING;
  petsc::check(KSPGetConvergedReason(ksp, &reason), "reading");
  EXPECT_GT(reason, 0);
  petsc::VecHandle rest;
  petsc::check(VecDuplicate(r, rest.put()), "creating");
  petsc::check(MatMult(mat, y, rest), "multiplying");
  petsc::check(VecAXPY(rest, -1.0, r), "subtracting");
  double norm = 0, reference = 0;
  petsc::check(VecNorm(rest, NORM_2, &norm), "measuring");
  petsc::check(VecNorm(r, NORM_2, &reference), "measuring");
  EXPECT_LT(norm, 1e-8 * reference);
  PetscInt iterations = 0;
  petsc::check(KSPGetIterationNumber(ksp, &iterations), "reading");
  return static_cast<int>(iterations);
}

/// Solves twice through the same KSP, the second time with a badly scaled tangent. A solver that does not see
/// the change, or keeps inverted diagonal blocks, needs more iterations than one that starts afresh, or is
/// wrong.
void solve_changed(const World& world, MatrixFormat format, const Solver& solver) {
  Part part(world);
  const DofMap map = part.map();
  Assembler assembler(format);
  assembler.set_pattern(map, part.system);
  const petsc::KspHandle ksp = solver.create();
  const petsc::VecHandle r = map.create_vector();
  const petsc::VecHandle y = map.create_vector();
  assembler.assemble_residual(part.system, r);
  assembler.assemble_tangent(part.system);
  solve(ksp, assembler.matrix(), r, y);
  for (int e = 0; e < std::ssize(part.global); ++e)
    for (int k = 0; k < part.system.size[e]; ++k)
      part.system.scale[part.system.offset[e] + k] *= (part.global[e] + k) % 2 == 0 ? 0.1 : 10;
  assembler.assemble_tangent(part.system);
  const int iterations = solve(ksp, assembler.matrix(), r, y);
  EXPECT_EQ(iterations, solve(solver.create(), assembler.matrix(), r, y));
}

TEST_P(AssemblerVariants, IterativeSolverSeesEachChange) {
  const World world(40, GetParam().sizes, 6);
  const PCType pc = GetParam().blocks ? PCPBJACOBI : PCJACOBI;
  solve_changed(world, GetParam().format, {KSPCG, pc});
  solve_changed(world, GetParam().format, {KSPGMRES, PCBJACOBI});
}

TEST_P(AssemblerVariants, MumpsFactorsTheMatrixAsItIs) {
  const World world(40, GetParam().sizes, 7);
  solve_changed(world, GetParam().format, {KSPPREONLY, PCLU, MATSOLVERMUMPS});
  if (!GetParam().blocks) solve_changed(world, GetParam().format, {KSPPREONLY, PCCHOLESKY, MATSOLVERMUMPS});
}

TEST_P(AssemblerVariants, FillsAMatrixThatAConversionTookApart) {
  const World world(23, GetParam().sizes, 3);
  Part part(world);
  Assembler assembler(GetParam().format);
  assembler.set_pattern(part.map(), part.system);
  for (int round = 0; round < 3; ++round) {
    assembler.assemble_tangent(part.system);
    EXPECT_LT(difference(world, assembler.matrix(), 1 << round), 1e-15);
    petsc::MatHandle converted;
    petsc::check(MatConvert(assembler.matrix(), GetParam().blocks ? MATAIJ : MATBAIJ, MAT_INITIAL_MATRIX,
                            converted.put()),
                 "converting");
    EXPECT_LT(difference(world, converted, 1 << round), 1e-15);
    for (double& value : part.system.values) value *= 2;
  }
}

TEST_P(AssemblerVariants, MatrixIsKeptWhileThePatternIsTheSame) {
  const World world(23, GetParam().sizes, 8);
  Part part(world, 1);
  Part same(world, 2);  // ghosts in another order
  Assembler assembler(GetParam().format);
  EXPECT_TRUE(assembler.set_pattern(part.map(), part.system));
  const Mat kept = assembler.matrix();
  EXPECT_FALSE(assembler.set_pattern(same.map(), same.system));
  EXPECT_EQ(assembler.matrix(), kept);
  assembler.assemble_tangent(same.system);
  EXPECT_LT(difference(world, assembler.matrix()), 1e-15);

  World more = world;
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < std::ssize(world.owner); ++j)
      if (i != j) more.pairs.insert({{i, j}, {j, i}});
  Part changed(more);
  EXPECT_TRUE(assembler.set_pattern(changed.map(), changed.system));
  assembler.assemble_tangent(changed.system);
  EXPECT_LT(difference(more, assembler.matrix()), 1e-15);
  EXPECT_NE(world.pairs.size(), more.pairs.size());
}

INSTANTIATE_TEST_SUITE_P(Sizes, AssemblerVariants,
                         testing::Values(Variant{{6}, MatrixFormat::automatic, true},
                                         Variant{{3}, MatrixFormat::automatic, true},
                                         Variant{{14}, MatrixFormat::automatic, true},
                                         Variant{{6}, MatrixFormat::scalar, false},
                                         Variant{{6, 3, 1}, MatrixFormat::automatic, false}));

TEST(Assembler, WorksWhereARankOwnsNothing) {
  World world(9, {6}, 9);
  std::ranges::fill(world.owner, 0);
  int next = 0;
  for (int i = 0; i < 9; ++i) world.start[i] = std::exchange(next, next + 6);
  const Part part(world);
  Assembler assembler;
  assembler.set_pattern(part.map(), part.system);
  assembler.assemble_tangent(part.system);
  EXPECT_LT(difference(world, assembler.matrix()), 1e-15);
}

TEST(Assembler, RefusesASystemThatItWasNotMadeFor) {
  const World world(23, {6}, 3);
  Part part(world);
  const DofMap map = part.map();
  Assembler assembler;
  EXPECT_THROW(assembler.assemble_tangent(part.system), std::invalid_argument);
  assembler.set_pattern(map, part.system);
  part.system.set_couplings({});
  EXPECT_THROW(assembler.assemble_tangent(part.system), std::invalid_argument);
}

TEST(DofMap, AnEmptySystemHasNoUnknowns) {
  const DofMap map(PETSC_COMM_WORLD, 0, {}, {});
  EXPECT_EQ(map.global_unknowns(), 0);
  EXPECT_EQ(map.uniform_block(), 0);
  EXPECT_FALSE(map.has_ghosts());
}

TEST(DofMap, RefusesGhostsThatDoNotFitTheirOwner) {
  EXPECT_THROW(DofMap(PETSC_COMM_WORLD, 2, {6, 6, 6}, {}), std::invalid_argument);
  if (rank_count() == 1) return;
  const RemoteEntity beyond{(this_rank() + 1) % rank_count(), 7};
  EXPECT_THROW(DofMap(PETSC_COMM_WORLD, 1, {6, 6}, {beyond}), RunError);
  const RemoteEntity first{(this_rank() + 1) % rank_count(), 0};
  EXPECT_THROW(DofMap(PETSC_COMM_WORLD, 1, {6, 3}, {first}), RunError);
}

}  // namespace
}  // namespace scree

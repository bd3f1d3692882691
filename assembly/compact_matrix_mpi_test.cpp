#include "assembly/compact_matrix.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <utility>
#include <vector>

#include "assembly/test_ranks.hpp"

namespace scree {
namespace {

using petsc::check;
using ranks::rank_count;
using ranks::this_rank;
using Places = std::set<std::pair<int, int>>;  // of blocks that are not zero

constexpr int kRowsOfRank = 5;
constexpr int kBlock = 3;
constexpr const char* kTesting = "testing";

int block_rows() { return kRowsOfRank * rank_count(); }

/// An entry of block (i, j): none is zero, and the matrix is diagonally dominant.
double entry(int i, int j, int k, int l, double shift) {
  const double value = 1 + std::sin(1.0 + i + 7 * j + 3 * k + 5 * l) + shift;
  return i == j && k == l ? value + 100 : 0.1 * value;
}

/// A matrix that stores all blocks, most of which are zero.
class FullMatrix {
 public:
  explicit FullMatrix(bool by_block) {
    const PetscInt unknowns = kRowsOfRank * kBlock;
    const PetscInt all = block_rows() * kBlock;
    if (by_block) {
      check(MatCreateBAIJ(PETSC_COMM_WORLD, kBlock, unknowns, unknowns, all, all, kRowsOfRank, nullptr,
                          block_rows() - kRowsOfRank, nullptr, matrix_.put()),
            kTesting);
    } else {
      check(MatCreateAIJ(PETSC_COMM_WORLD, unknowns, unknowns, all, all, unknowns, nullptr, all - unknowns,
                         nullptr, matrix_.put()),
            kTesting);
    }
  }

  /// Blocks of the diagonal are never zero.
  void set(const Places& places, double shift) {
    for (int i = this_rank() * kRowsOfRank; i < (this_rank() + 1) * kRowsOfRank; ++i) {
      for (int j = 0; j < block_rows(); ++j) {
        const bool there = i == j || places.contains({i, j});
        for (int k = 0; k < kBlock; ++k)
          for (int l = 0; l < kBlock; ++l)
            check(MatSetValue(matrix_, i * kBlock + k, j * kBlock + l, there ? entry(i, j, k, l, shift) : 0,
                              INSERT_VALUES),
                  kTesting);
      }
    }
    check(MatAssemblyBegin(matrix_, MAT_FINAL_ASSEMBLY), kTesting);
    check(MatAssemblyEnd(matrix_, MAT_FINAL_ASSEMBLY), kTesting);
  }

  [[nodiscard]] Mat get() const { return matrix_; }

 private:
  petsc::MatHandle matrix_;
};

/// Stored entries of all ranks.
double stored(Mat matrix) {
  MatInfo info;
  check(MatGetInfo(matrix, MAT_GLOBAL_SUM, &info), kTesting);
  return info.nz_used;
}

double expected(const Places& places) {
  return static_cast<double>(kBlock * kBlock) * static_cast<double>(block_rows() + std::ssize(places));
}

/// Largest difference of the products with a vector.
double difference(Mat a, Mat b) {
  petsc::VecHandle x, left, right;
  check(MatCreateVecs(a, x.put(), left.put()), kTesting);
  check(VecDuplicate(left, right.put()), kTesting);
  const petsc::VecValues values(x);
  PetscInt first = 0;
  check(VecGetOwnershipRange(x, &first, nullptr), kTesting);
  for (int i = 0; i < kRowsOfRank * kBlock; ++i) values.data()[i] = std::cos(static_cast<double>(first) + i);
  PetscReal norm = 0;
  check(MatMult(a, x, left), kTesting);
  check(MatMult(b, x, right), kTesting);
  check(VecAXPY(left, -1, right), kTesting);
  check(VecNorm(left, NORM_INFINITY, &norm), kTesting);
  return norm;
}

/// Neighbours in a ring, which cross the borders of ranks.
Places ring() {
  Places places;
  for (int i = 0; i < block_rows(); ++i) {
    places.insert({i, (i + 1) % block_rows()});
    places.insert({(i + 1) % block_rows(), i});
  }
  return places;
}

/// Begins with a copy of a ring.
class CompactMatrices : public testing::TestWithParam<bool> {
 protected:
  void SetUp() override {
    full.set(places, 0);
    ASSERT_TRUE(compact.copy(full.get()));
  }
  /// @param there blocks that are expected to be stored.
  void expect(const Places& there) const {
    EXPECT_EQ(stored(compact.matrix()), expected(there));
    EXPECT_LT(difference(full.get(), compact.matrix()), 1e-13);
  }

  FullMatrix full{GetParam()};
  Places places = ring();
  CompactMatrix compact;
};

TEST_P(CompactMatrices, StoreWhatIsNotZero) {
  expect(places);
  EXPECT_LT(stored(compact.matrix()), stored(full.get()));
}

TEST_P(CompactMatrices, AreKeptWhileNothingIsMissing) {
  Mat const first = compact.matrix();
  places.erase({0, 1});  // a contact opens
  full.set(places, 0.25);
  EXPECT_FALSE(compact.copy(full.get()));
  EXPECT_EQ(compact.matrix(), first);
  expect(ring());
}

TEST_P(CompactMatrices, TakeUpBlocksOnOneRankAndKeepTheOthers) {
  places.erase({1, 2});
  places.insert({0, block_rows() - 2});  // only the first rank has a new block
  full.set(places, 0);
  EXPECT_TRUE(compact.copy(full.get()));
  places.insert({1, 2});
  expect(places);
}

TEST_P(CompactMatrices, DropBlocksWhenTheyAreAThird) {
  full.set({}, 0);
  EXPECT_TRUE(compact.copy(full.get()));
  expect({});
}

TEST_P(CompactMatrices, AreMadeAnewOnRequest) {
  places.erase({0, 1});
  full.set(places, 0);
  compact.forget();
  EXPECT_TRUE(compact.copy(full.get()));
  expect(places);
}

TEST_P(CompactMatrices, KeepWhatIsStoredWhenTheFullMatrixIsANewOne) {
  FullMatrix other(GetParam());
  places.erase({0, 1});
  other.set(places, 0.5);
  EXPECT_FALSE(compact.copy(other.get()));
  EXPECT_EQ(stored(compact.matrix()), expected(ring()));
  EXPECT_LT(difference(other.get(), compact.matrix()), 1e-13);
}

TEST_P(CompactMatrices, FollowAnotherMatrix) {
  FullMatrix other(GetParam());
  other.set({}, 0);
  EXPECT_TRUE(compact.copy(other.get()));
  EXPECT_EQ(stored(compact.matrix()), expected({}));
}

INSTANTIATE_TEST_SUITE_P(Layouts, CompactMatrices, testing::Bool(),
                         [](const auto& one) { return one.param ? "blocks" : "scalars"; });

}  // namespace
}  // namespace scree

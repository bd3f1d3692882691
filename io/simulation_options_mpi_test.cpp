/// Options for PETSc that one simulation has, and others of the process have not.
#include <gtest/gtest.h>
#include <petscsys.h>

#include <memory>
#include <string>
#include <utility>

#include "assembly/petsc.hpp"
#include "core/error.hpp"
#include "core/test_extremes.hpp"
#include "io/deck/deck_fixture.hpp"
#include "solvers/simulation.hpp"

namespace scree {
namespace {

/// An option for PETSc while it lives.
class Option {
 public:
  Option(std::string name, const char* value) : name_("-" + std::move(name)) {
    petsc::check(PetscOptionsSetValue(nullptr, name_.c_str(), value), "setting an option");
  }
  ~Option() { (void)PetscOptionsClearValue(nullptr, name_.c_str()); }
  Option(const Option&) = delete;
  Option& operator=(const Option&) = delete;
  Option(Option&&) = delete;
  Option& operator=(Option&&) = delete;

 private:
  std::string name_;
};

TEST(OptionsOfSimulations, AreThoseUnderTheirPrefix) {
  const Option option("mine_snes_max_it", "1");
  Simulation common(test::model_of_input("block_on_slope.json"), MPI_COMM_WORLD);
  Simulation own(test::model_of_input("block_on_slope.json"), MPI_COMM_WORLD, "mine_");
  int most_common = 0, most_own = 0;
  for (int k = 0; k < 100; ++k) {
    test::keep_largest(most_common, common.step().newton);
    test::keep_largest(most_own, own.step().newton);
  }
  EXPECT_GT(most_common, 1);
  EXPECT_EQ(most_own, 1);
}

TEST(OptionsOfSimulations, OfContactDynamicsAreUnderTheirPrefixToo) {
  const std::shared_ptr<Model> model = test::model_of_input("beam_on_three_supports.json");
  const Option option("mine_compatibility_snes_type", "no_such_solver");
  Simulation common(model, MPI_COMM_WORLD);
  EXPECT_NO_THROW(common.step());
  Simulation own(model, MPI_COMM_WORLD, "mine_");
  EXPECT_THROW(own.step(), RunError);
}

TEST(Session, LeavesPetscToThoseWhoHaveStartedIt) {
  { const petsc::Session session(nullptr, nullptr); }
  EXPECT_TRUE(petsc::running());
}

}  // namespace
}  // namespace scree

/// For tests: the problem of a dynamic analysis at the start of a model.
#pragma once

#include "solvers/compliant/compliant_problem.hpp"
#include "solvers/model.hpp"
#include "solvers/world/world.hpp"

namespace scree::test {

struct StartedProblem {
  World world;
  CompliantProblem problem;

  explicit StartedProblem(const Model& model, MPI_Comm comm = MPI_COMM_WORLD)
      : world(model, comm), problem(world, model.integrator) {
    if (world.set_time(0).forces_jump) problem.settle(0);
  }
};

}  // namespace scree::test

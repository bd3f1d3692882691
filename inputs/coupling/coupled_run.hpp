/// Steps of bodies (Scree) and an elastic solid (deal.II) that agree on the upper surface of the solid.
#pragma once

#include <span>
#include <vector>

#include "elastic_solid.hpp"
#include "io/coupling/accelerator.hpp"
#include "io/coupling/participant.hpp"

namespace scree::structure {

struct CoupledOptions {
  coupling::AcceleratorOptions acceleration = {};
  coupling::CoupledTolerance tolerance = {};
  double smallest = 1e-4;  ///< part of the step to which it is divided if the motion is infeasible
};

/// Seconds of wall-clock time of a run.
struct CoupledTimes {
  double bodies = 0.0, structure = 0.0;  ///< of the solvers
  double coupling = 0.0;  ///< accelerator, copies of vectors, states that are kept for repetitions

  /// Time of coupling over that of both solvers.
  [[nodiscard]] double share() const { return coupling / (bodies + structure); }
};

class CoupledRun {
 public:
  /// Couples the boundary `name` of the deck, "motion": "coupled", with the solid. Collective.
  CoupledRun(coupling::Participant& bodies, const char* name, ElasticSolid& solid, MPI_Comm comm,
             CoupledOptions options = {});

  /// A step of h [s] of both, in parts if the bodies cannot follow the motion. Collective.
  /// @throws std::runtime_error if it cannot be solved.
  void step(double h);

  [[nodiscard]] const std::vector<double>& forces() const { return forces_; }  ///< on the surface [N]
  [[nodiscard]] double vertical_force() const;                                 ///< on the solid [N], upwards
  [[nodiscard]] const coupling::CoupledStep& last() const { return last_; }
  [[nodiscard]] double mean_iterations() const;  ///< of steps with contact
  [[nodiscard]] CoupledTimes times() const;

 private:
  /// Adds the seconds that `work` takes to those of a solver.
  template <class Work>
  static void timed(double& of_solver, const Work& work);
  /// @returns whether the step could be solved.
  bool attempt(double h);

  coupling::Participant& bodies_;
  ElasticSolid& solid_;
  CoupledOptions options_;
  coupling::Surface surface_;
  coupling::Accelerator accelerator_;
  coupling::ForcePredictor predictor_;
  std::vector<double> forces_, accepted_, motion_;
  coupling::CoupledStep last_;
  CoupledTimes times_;
  long steps_in_contact_ = 0, iterations_ = 0;
};

}  // namespace scree::structure

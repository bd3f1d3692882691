/// Common part of the analyses in which contact forces follow from gaps: dynamic and quasi-static.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "solvers/compliant/compliant_problem.hpp"
#include "solvers/dynamic/nonlinear_step.hpp"
#include "solvers/procedure.hpp"

namespace scree {

class CompliantProcedure : public Procedure {
 public:
  CompliantProcedure(World& world, PhaseClock& clock, RunReport& report,
                     std::shared_ptr<const elements::Integrator> integrator, NewtonStyle style)
      : Procedure(world, clock, report), problem_(world, std::move(integrator)), newton_(problem_, style) {}

  void settle(double time) override { problem_.settle(time); }
  void resume(const BodiesState& state, double time) override;
  void populate(double time, const std::vector<char>& leaves, const std::vector<NewBody>& arrivals) override;
  bool rehearse(const std::vector<LinearChoice>& choices, const std::function<bool()>& enough) override;

 protected:
  /// Prepares a first step of the deck's size, as `solve` does. Collective.
  virtual void prepare_first_step() = 0;

  CompliantProblem problem_;
  NonlinearStep newton_;
};

}  // namespace scree

/// Dynamic analysis: the equations of motion under a time integrator, by Newton or by fixed-point iteration.
#pragma once

#include "solvers/dynamic/fixed_point_step.hpp"
#include "solvers/dynamic/nonlinear_step.hpp"
#include "solvers/procedure.hpp"

namespace scree {

class DynamicProcedure : public Procedure {
 public:
  DynamicProcedure(System& system, PhaseClock& clock, RunReport& report)
      : Procedure(system, clock, report), newton_(system), fixed_point_(system) {}

  contact::StepLimits limits(double longest) override;
  StepReport solve(const TimeStep& step) override;
  void reject() override { system_.roll_back(); }
  void accept(const TimeStep& step, EnergyAccount& energy) override;
  [[nodiscard]] SolverState state() const override { return {.notes = newton_.notes()}; }
  void set_state(const SolverState& state) override { newton_.set_notes(state.notes); }
  [[nodiscard]] std::string failure(const TimeStep& step, const StepReport& report) const override {
    return failure_of_step(step, report, ", a softer law or more damping.");
  }

 private:
  StepReport attempt(const TimeStep& step, double factor);

  NonlinearStep newton_;
  FixedPointStep fixed_point_;
};

}  // namespace scree

/// Dynamic analysis: the equations of motion under a time integrator, by Newton or by fixed-point iteration.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "contact/bounds/step_limits.hpp"
#include "solvers/compliant/compliant_procedure.hpp"
#include "solvers/dynamic/fixed_point_step.hpp"
#include "solvers/dynamic/impact_update.hpp"

namespace scree {

class DynamicProcedure : public CompliantProcedure {
 public:
  DynamicProcedure(World& world, PhaseClock& clock, RunReport& report)
      : CompliantProcedure(world, clock, report, world.model().integrator, {}),
        fixed_point_(problem_),
        impacts_(problem_) {}

  contact::StepLimits limits(double longest) override;
  bool rehearse(const std::vector<LinearChoice>& choices, const std::function<bool()>& enough) override;
  StepReport solve(const TimeStep& step) override;
  void reject() override { problem_.roll_back(); }
  void resume_with_lists(const BodiesState& /*state*/, double /*time*/) override { problem_.lists_renewed(); }
  void accept(const TimeStep& step, EnergyAccount& energy) override;
  [[nodiscard]] SolverState state() const override { return {.notes = newton_.notes()}; }
  void set_state(const SolverState& state) override { newton_.set_notes(state.notes); }
  [[nodiscard]] std::string failure(const TimeStep& step, const StepReport& report) const override;

 private:
  void prepare_first_step() override { problem_.prepare(0, world_.model().time.step, 1); }
  StepReport attempt(const TimeStep& step, double factor);
  StepReport attempt_once(const TimeStep& step, double factor);
  /// Whether forces by which bodies come to rest made more energy in the solution of the step than all of it
  /// took. Collective.
  [[nodiscard]] bool makes_energy(double h) const;

  FixedPointStep fixed_point_;
  ImpactUpdate impacts_;
  ImpactEnergy impact_energy_;                       ///< of the step that waits to be accepted
  std::optional<elements::LoadWork> work_of_loads_;  ///< of the same, where the integrator accounts for it
};

}  // namespace scree

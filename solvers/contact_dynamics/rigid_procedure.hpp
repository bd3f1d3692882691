/// Contact dynamics: rigid contact, complementarity at the end of large steps.
#pragma once

#include <functional>
#include <vector>

#include "contact/bounds/step_limits.hpp"
#include "solvers/contact_dynamics/rigid_problem.hpp"
#include "solvers/contact_dynamics/rigid_step.hpp"
#include "solvers/procedure.hpp"

namespace scree::contact_dynamics {

class RigidProcedure : public Procedure {
 public:
  RigidProcedure(World& world, PhaseClock& clock, RunReport& report)
      : Procedure(world, clock, report), problem_(world), rigid_(problem_) {}

  void populate(double time, const std::vector<char>& leaves, const std::vector<NewBody>& arrivals) override;
  void body_wrenches(std::vector<Wrench>& wrench) const override;
  void save(BodiesState& state) const override { state.rigid_wrenches = problem_.wrenches(); }
  void resume(const BodiesState& state, double time) override;

  contact::StepLimits limits(double longest) override;
  [[nodiscard]] const char* closing_name() const override { return "body motion"; }
  /// Whether options are misspelt shows only with contacts: returns false. No step is taken.
  bool rehearse(const std::vector<LinearChoice>& choices, const std::function<bool()>& enough) override;
  StepReport solve(const TimeStep& step) override;
  void reject() override { problem_.reject(); }
  void accept(const TimeStep& step, EnergyAccount& energy) override;
  [[nodiscard]] std::string failure(const TimeStep& step, const StepReport& report) const override;
  [[nodiscard]] const RigidFigures* figures() const override { return &rigid_.last(); }
  void find_indeterminacy() override { rigid_.figures(); }
  void add_intervals(std::vector<ContactRecord>& records) override { rigid_.add_intervals(records); }

 private:
  /// Without a step there are no forces.
  void settle(double time) override;
  void note_step();
  /// Their energy is that of the accepted state; forces of contacts are found without it.
  void evaluate_near_fields();

  RigidProblem problem_;
  RigidStep rigid_;
};

}  // namespace scree::contact_dynamics

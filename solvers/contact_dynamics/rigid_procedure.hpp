/// Contact dynamics: rigid contact, complementarity at the end of large steps.
#pragma once

#include "solvers/contact_dynamics/rigid_step.hpp"
#include "solvers/procedure.hpp"

namespace scree::contact_dynamics {

class RigidProcedure : public Procedure {
 public:
  RigidProcedure(System& system, PhaseClock& clock, RunReport& report)
      : Procedure(system, clock, report), rigid_(system) {}

  contact::StepLimits limits(double longest) override;
  [[nodiscard]] const char* closing_name() const override { return "motion of bodies"; }
  StepReport solve(const TimeStep& step) override;
  void reject() override { system_.reject_rigid_step(); }
  void accept(const TimeStep& step, EnergyAccount& energy) override;
  [[nodiscard]] std::string failure(const TimeStep& step, const StepReport& report) const override {
    return failure_of_step(step, report, ", another solver/lcp or a larger solver/lcp_tolerance.");
  }
  [[nodiscard]] const RigidFigures* figures() const override { return &rigid_.last(); }
  void find_indeterminacy() override { rigid_.figures(); }
  void add_intervals(std::vector<ContactRecord>& records) override { rigid_.add_intervals(records); }

 private:
  void note_step();

  RigidStep rigid_;
};

}  // namespace scree::contact_dynamics

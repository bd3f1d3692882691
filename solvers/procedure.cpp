#include "solvers/procedure.hpp"

#include "core/text.hpp"
#include "solvers/contact_dynamics/rigid_procedure.hpp"
#include "solvers/dynamic/dynamic_procedure.hpp"
#include "solvers/quasi_static/quasi_static.hpp"

namespace scree {

std::string Procedure::failure_of_step(const TimeStep& step, const StepReport& report,
                                       const char* remedy) const {
  const std::string smaller = system_.model().time.adaptive ? "/min" : "";
  const std::string saved = "). The state of that time has been saved. ";
  return "the step at t = " + text::number(step.from, 6) + " s could not be solved with a size of " +
         text::number(step.h, 3) + " s (" + report.cause + saved + "Try a smaller time/step" + smaller +
         remedy;
}

std::unique_ptr<Procedure> make_procedure(System& system, PhaseClock& clock, RunReport& report) {
  switch (system.model().analysis) {
    case Analysis::dynamic:
      break;
    case Analysis::quasi_static:
      return std::make_unique<QuasiStatic>(system, clock, report);
    case Analysis::contact_dynamics:
      return std::make_unique<contact_dynamics::RigidProcedure>(system, clock, report);
  }
  return std::make_unique<DynamicProcedure>(system, clock, report);
}

}  // namespace scree

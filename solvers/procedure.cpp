#include "solvers/procedure.hpp"

#include "core/text.hpp"

namespace scree {

std::string Procedure::failure_of_step(const TimeStep& step, const StepReport& report,
                                       const char* remedy) const {
  const std::string smaller = system_.model().time.adaptive ? "/min" : "";
  const std::string saved = "). The state of that time has been saved. ";
  return "the step at t = " + text::number(step.from, 6) + " s could not be solved with a size of " +
         text::number(step.h, 3) + " s (" + report.cause + saved + "Try a smaller time/step" + smaller +
         remedy;
}

}  // namespace scree

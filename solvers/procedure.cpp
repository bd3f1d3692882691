#include "solvers/procedure.hpp"

#include "core/text.hpp"
#include "solvers/contact_dynamics/rigid_procedure.hpp"
#include "solvers/contact_output.hpp"
#include "solvers/dynamic/dynamic_procedure.hpp"
#include "solvers/quasi_static/quasi_static.hpp"

namespace scree {

World::Switched Procedure::set_time(double time) {
  const World::Switched switched = world_.set_time(time);
  if (switched.forces_jump) settle(time);
  return switched;
}

void Procedure::body_wrenches(std::vector<Wrench>& wrench) const { sum_pair_wrenches(world_, wrench); }

std::pair<double, double> Procedure::unbalanced(double least_scale) {
  std::vector<Wrench> by_contact;
  body_wrenches(by_contact);
  return largest_unbalance(world_, by_contact, least_scale);
}

std::string Procedure::failure_of_step(const TimeStep& step, const StepReport& report,
                                       const char* remedy) const {
  const std::string smaller = world_.model().time.adaptive ? "/min" : "";
  const std::string saved = "). The state of that time has been saved. ";
  return "the step at t = " + text::number(step.from, 6) + " s could not be solved with a size of " +
         text::number(step.h, 3) + " s (" + report.cause + saved + "Try a smaller time/step" + smaller +
         remedy;
}

const AnalysisTraits& traits_of(Analysis analysis) {
  switch (analysis) {
    case Analysis::dynamic:
      break;
    case Analysis::quasi_static:
      return QuasiStatic::kTraits;
    case Analysis::contact_dynamics:
      return contact_dynamics::RigidProcedure::kTraits;
  }
  return DynamicProcedure::kTraits;
}

std::unique_ptr<Procedure> make_procedure(World& world, PhaseClock& clock, RunReport& report) {
  switch (world.model().analysis) {
    case Analysis::dynamic:
      break;
    case Analysis::quasi_static:
      return std::make_unique<QuasiStatic>(world, clock, report);
    case Analysis::contact_dynamics:
      return std::make_unique<contact_dynamics::RigidProcedure>(world, clock, report);
  }
  return std::make_unique<DynamicProcedure>(world, clock, report);
}

}  // namespace scree

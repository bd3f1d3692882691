#include "solvers/procedure.hpp"

#include "core/text.hpp"
#include "solvers/world/contact_output.hpp"

namespace scree {

World::Switched Procedure::set_time(double time) {
  const World::Switched switched = world_.set_time(time);
  if (switched.forces_jump) settle(time);
  return switched;
}

void Procedure::body_wrenches(std::vector<Wrench>& wrench) const { sum_pair_wrenches(world_, wrench); }

std::pair<double, double> Procedure::unbalanced() {
  std::vector<Wrench> by_contact;
  body_wrenches(by_contact);
  const LargestUnbalance largest = largest_unbalance(world_, by_contact, 0);
  return {largest.force, largest.moment};
}

std::string Procedure::failure_of_step(const TimeStep& step, const StepReport& report,
                                       const std::string& remedy) const {
  const std::string smaller = world_.model().time.adaptive ? "/min" : "";
  return "time step at t = " + text::number(step.from, 6) + " s rejected at the smallest size, " +
         text::number(step.h, 3) + " s (" + report.cause +
         (report.detail.empty() ? "" : ": " + report.detail) + "). Try a smaller time/step" + smaller +
         remedy;
}

}  // namespace scree

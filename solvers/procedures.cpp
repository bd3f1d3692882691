#include "solvers/procedures.hpp"

#include "solvers/contact_dynamics/rigid_procedure.hpp"
#include "solvers/dynamic/dynamic_procedure.hpp"
#include "solvers/quasi_static/quasi_static.hpp"

namespace scree {

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

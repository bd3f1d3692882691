#include "solvers/analysis.hpp"

namespace scree {

const AnalysisTraits& traits_of(Analysis analysis) {
  static constexpr AnalysisTraits kDynamic{.uses_integrator = true, .resolves_impacts = true};
  static constexpr AnalysisTraits kQuasiStatic{
      .name = "quasi-static", .has_load_steps = true, .has_velocities = false};
  static constexpr AnalysisTraits kContactDynamics{
      .name = "contact dynamics", .forces_follow_from_state = false, .solves_lcp = true};
  switch (analysis) {
    case Analysis::dynamic:
      break;
    case Analysis::quasi_static:
      return kQuasiStatic;
    case Analysis::contact_dynamics:
      return kContactDynamics;
  }
  return kDynamic;
}

}  // namespace scree

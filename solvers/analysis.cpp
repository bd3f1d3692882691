#include "solvers/analysis.hpp"

namespace scree {

const AnalysisTraits& traits_of(Analysis analysis) {
  static constexpr AnalysisTraits kDynamic{.resolves_impacts = true};
  static constexpr AnalysisTraits kQuasiStatic{.has_velocities = false};
  static constexpr AnalysisTraits kContactDynamics{.forces_follow_from_state = false, .solves_lcp = true};
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

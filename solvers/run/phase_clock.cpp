#include "solvers/run/phase_clock.hpp"

#include "assembly/petsc.hpp"

namespace scree {
namespace {

double event_seconds(const char* name) {
  PetscLogEvent id = -1;
  PetscEventPerfInfo info;
  if (PetscLogEventGetId(name, &id) != 0 || id < 0) return 0;
  if (PetscLogEventGetPerfInfo(PETSC_DETERMINE, id, &info) != 0) return 0;
  return info.time;
}

}  // namespace

std::vector<std::pair<std::string, double>> PhaseClock::seconds(double total) const {
  const double residual = event_seconds("ScreeResidual");
  const double tangent = event_seconds("ScreeTangent");
  const double clip = event_seconds("ScreeClip");
  // Factors and preconditioners are set up before the solve, those of blocks within it.
  const double linear = event_seconds("PCSetUp") + event_seconds("KSPSolve");
  double sum = 0;
  for (const double s : seconds_) sum += s;
  if (seconds_[rigid] > 0) {
    const double lcp = event_seconds("ScreeLcp");
    const double compatible = event_seconds("ScreeCompatible");
    const double one_step = event_seconds("ScreeOneStep");
    return {{"LCP solver", lcp},
            {"force compatibility", compatible},
            {"one-step method", one_step},
            {"contact detection and update", seconds_[rigid] - lcp - compatible - one_step},
            {"step-size control", seconds_[control]},
            {"output", seconds_[output]},
            {"other", total - sum}};
  }
  return {{"neighbour search", seconds_[search]},
          {"residual assembly", residual},
          {"tangent assembly", tangent},
          {"linear solver", linear},
          {"collision check (CCD)", clip},
          {"Newton, other", seconds_[newton] - residual - tangent - clip - linear},
          {"step-size control", seconds_[control]},
          {"output", seconds_[output]},
          {"other", total - sum}};
}

}  // namespace scree

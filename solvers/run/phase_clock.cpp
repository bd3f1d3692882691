#include "solvers/run/phase_clock.hpp"

#include <array>
#include <cstddef>
#include <type_traits>

#include "assembly/petsc.hpp"

namespace scree {
namespace {

/// Of the parts, in the order of PhaseClock::Part.
constexpr std::array kEvents{"ScreeResidual",   "ScreeTangent", "ScreeClip",        "PCSetUp",
                             "KSPSolve",        "ScreeImpacts", "ScreeImpactSolve", "ScreeLcp",
                             "ScreeCompatible", "ScreeOneStep"};

/// @param id of the event, which is looked up if it is negative: an event has none before it is first used.
double event_seconds(const char* name, PetscLogEvent& id) {
  PetscEventPerfInfo info;
  if (id < 0 && PetscLogEventGetId(name, &id) != 0) id = -1;
  if (id < 0 || PetscLogEventGetPerfInfo(PETSC_DETERMINE, id, &info) != 0) return 0;
  return info.time;
}

}  // namespace

void PhaseClock::count_parts(Phase phase, double sign) noexcept {
  static_assert(kEvents.size() == kParts && std::is_same_v<PetscLogEvent, int>);
  if (phase != newton && phase != rigid) return;
  PetscBool counts = PETSC_FALSE;
  if (PetscLogIsActive(&counts) != 0 || counts == PETSC_FALSE) return;
  const std::size_t first = phase == newton ? residual : lcp;
  const std::size_t last = phase == newton ? lcp : kParts;
  for (std::size_t k = first; k < last; ++k) parts_[k] += sign * event_seconds(kEvents[k], events_[k]);
}

std::vector<std::pair<std::string, double>> PhaseClock::seconds(double total) const {
  // Factors and preconditioners are set up before the solve, those of blocks within it.
  const double linear = parts_[set_up] + parts_[krylov] - parts_[impact_solve];
  double sum = 0;
  for (const double s : seconds_) sum += s;
  std::vector<std::pair<std::string, double>> phases;
  if (seconds_[rigid] > 0) {
    phases = {
        {"LCP solver", parts_[lcp]},
        {"force compatibility", parts_[compatible]},
        {"one-step method", parts_[one_step]},
        {"contact detection and update",
         seconds_[rigid] - parts_[lcp] - parts_[compatible] - parts_[one_step]},
    };
  } else {
    phases = {
        {"neighbour search", seconds_[search]},
        {"residual assembly", parts_[residual]},
        {"tangent assembly", parts_[tangent]},
        {"linear solver", linear},
        {"collision check (CCD)", parts_[clip]},
        {"velocities after impacts", parts_[impacts]},
        {"Newton, other",
         seconds_[newton] - parts_[residual] - parts_[tangent] - parts_[clip] - parts_[impacts] - linear},
    };
  }
  if (seconds_[keeping] > 0) phases.emplace_back("kept states", seconds_[keeping]);
  phases.emplace_back("step-size control", seconds_[control]);
  phases.emplace_back("output", seconds_[output]);
  phases.emplace_back("other", total - sum);
  return phases;
}

}  // namespace scree

#include "solvers/compliant/compliant_procedure.hpp"

#include <algorithm>

namespace scree {

void CompliantProcedure::resume(const BodiesState& /*state*/, double time) {
  problem_.lists_renewed();
  problem_.evaluate_accepted(time);
}

void CompliantProcedure::populate(double time, const std::vector<char>& leaves,
                                  const std::vector<NewBody>& arrivals) {
  const double travel = world_.travel_for(problem_.foreseen_way());  // also of boundaries
  world_.populate(leaves, arrivals, problem_.frame().h, travel);
  problem_.lists_renewed();
  const bool left =
      std::any_of(leaves.begin(), leaves.end(), [](char leaves_now) { return leaves_now != 0; });
  if (world_.on_any_rank(left)) {
    // What a body that left pushed at is not pushed any more.
    problem_.settle(time);
  } else {
    problem_.settle_arrivals(static_cast<int>(arrivals.size()));
  }
}

bool CompliantProcedure::rehearse(const std::vector<LinearChoice>& choices,
                                  const std::function<bool()>& enough) {
  if (world_.model().solver.nonlinear == NonlinearChoice::fixed_point) return false;
  prepare_first_step();
  for (const LinearChoice linear : choices) {
    NonlinearStep newton(problem_);
    if (!newton.set_up(linear)) return false;
    if (enough()) break;  // factors of large systems are dear
  }
  return true;
}

}  // namespace scree

#include "solvers/world/list_reach.hpp"

#include <algorithm>

namespace scree {
namespace {

/// Steps that a list lasts for, about: of small steps, and of those that are large for the bodies.
constexpr double kManySteps = 9;
constexpr double kFewSteps = 4;
/// Part of the mean bounding radius up to which a displacement is small.
constexpr double kPartOfBody = 0.25;

}  // namespace

double list_travel(const Bodies& bodies, double way, double scale, MPI_Comm comm) {
  double sums[2] = {0, static_cast<double>(bodies.owned)};
  for (int i = 0; i < bodies.owned; ++i) sums[0] += bodies.properties[i].length;
  MPI_Allreduce(MPI_IN_PLACE, sums, 2, MPI_DOUBLE, MPI_SUM, comm);
  const double size = sums[1] > 0 ? sums[0] / sums[1] : 0;
  // A fifth of the threshold's skin costs few pairs and lasts some steps.
  return std::max({kFewSteps * way, std::min(kManySteps * way, kPartOfBody * size), 5 * scale});
}

}  // namespace scree

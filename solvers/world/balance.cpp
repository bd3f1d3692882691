#include "solvers/world/balance.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "assembly/partition.hpp"

namespace scree {
namespace {

/// Bodies are redistributed when the busiest rank has this much more than the mean.
constexpr double kWorstBalance = 1.25;
/// Bodies by which numbers of ranks may differ without any sense in moving them.
constexpr double kFew = 8;
/// Work of one near pair and of each of its contacts, in units of a body's own.
constexpr double kPairWeight = 0.5;
/// Of the ends of pairs at the n bodies of a rank, the part that belongs to pairs with other ranks is about
/// 1.5 / cbrt(n) if these bodies fill a cube. Beyond this many / cbrt(n) the bodies of ranks have mixed.
constexpr double kMixed = 4;

}  // namespace

bool is_uneven(MPI_Comm comm, int owned) {
  int ranks = 1;
  MPI_Comm_size(comm, &ranks);
  if (ranks == 1) return false;
  long bodies[2] = {owned, owned};  // the most, and all
  MPI_Allreduce(MPI_IN_PLACE, &bodies[0], 1, MPI_LONG, MPI_MAX, comm);
  MPI_Allreduce(MPI_IN_PLACE, &bodies[1], 1, MPI_LONG, MPI_SUM, comm);
  const double mean = static_cast<double>(bodies[1]) / ranks;
  return static_cast<double>(bodies[0]) > kWorstBalance * mean + kFew;
}

std::optional<std::vector<int>> balanced_owners(MPI_Comm comm, const Bodies& bodies,
                                                const std::vector<contact::BodyPair>& pairs,
                                                const std::vector<contact::CentralPair>& bonds) {
  std::vector<double> weight(static_cast<std::size_t>(bodies.owned), 1.0);
  std::vector<std::pair<int, int>> touching;  // the owned one stands first
  const auto touch = [&](int a, int b) {
    touching.emplace_back(bodies.is_owned(a) ? std::pair(a, b) : std::pair(b, a));
  };
  double ends = 0, shared = 0;
  for (const contact::BodyPair& pair : pairs) {
    if (pair.items.empty()) continue;
    const double share = kPairWeight * (1.0 + static_cast<double>(pair.active.size()));
    if (bodies.is_owned(pair.a)) weight[pair.a] += share;
    if (bodies.is_boundary(pair.b)) continue;
    if (bodies.is_owned(pair.b)) weight[pair.b] += share;
    touch(pair.a, pair.b);
    const bool own = bodies.is_owned(pair.a) && bodies.is_owned(pair.b);
    ends += own ? 2 : 1;
    shared += own ? 0 : 1;
  }
  for (const contact::CentralPair& bond : bonds) touch(bond.a, bond.b);
  // A few pairs across ranks are no mixture: in a loose packing most bodies have none.
  const double n = std::max(bodies.owned, 1);
  const bool mixed = shared > kMixed * std::max(ends, n) / std::cbrt(n);
  double any[2] = {pairs.empty() ? 0.0 : 1.0, mixed ? 1.0 : 0.0};  // known pairs, ranks that have mixed
  MPI_Allreduce(MPI_IN_PLACE, any, 2, MPI_DOUBLE, MPI_MAX, comm);
  const double sum = std::accumulate(weight.begin(), weight.end(), 0.0);
  if (any[0] > 0 && any[1] == 0 && imbalance(comm, sum) < kWorstBalance) return {};
  return partition(comm, bodies, weight, touching);
}

}  // namespace scree

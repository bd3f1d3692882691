#include "assembly/partition.hpp"

#include <metis.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <map>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>

#include "assembly/cell_tree.hpp"
#include "assembly/gather.hpp"
#include "assembly/petsc.hpp"
#include "core/error.hpp"

namespace scree {
namespace {

/// Cells per rank: balance to about a hundredth; and bounds for few and for very many ranks.
constexpr int kCellsPerRank = 128;
constexpr int kMinCells = 512;
constexpr int kMaxCells = 1 << 15;
/// METIS counts in 32 bits: weights are scaled to this total.
constexpr double kTotalWeight = 1e8;

struct Edge {
  int a = 0, b = 0;  ///< cells, a < b
  double contacts = 0;
};

/// Contacts between different cells of all ranks, on rank 0 only. Both sides of a contact may have counted
/// it, on different ranks: only ratios matter.
std::vector<Edge> gather_edges(MPI_Comm comm, const CellTree& tree, const Bodies& bodies,
                               std::span<const std::pair<int, int>> contacts) {
  std::map<std::pair<int, int>, double> counted;
  for (const auto& [i, j] : contacts) {
    if (bodies.is_boundary(j)) continue;
    const int a = tree.cell_of_body()[i];
    const int b =
        bodies.is_owned(j) ? tree.cell_of_body()[j] : tree.cell_at(bodies.periodic.wrap(bodies.state[j].x));
    if (b >= 0 && a != b) counted[std::minmax(a, b)] += 1;
  }
  std::vector<Edge> mine;
  mine.reserve(counted.size());
  for (const auto& [cells, n] : counted) mine.push_back({cells.first, cells.second, n});

  return gather_to_root(mine, comm);
}

/// The graph of cells as METIS wants it: both directions of each edge, by vertex.
struct Graph {
  std::vector<idx_t> begin, neighbour, edge_weight, vertex_weight;
};

std::vector<idx_t> to_integers(const std::vector<double>& weight) {
  double total = 0;
  for (const double w : weight) total += w;
  std::vector<idx_t> result;
  result.reserve(weight.size());
  for (const double w : weight)
    result.push_back(std::max<idx_t>(1, static_cast<idx_t>(std::lround(w * kTotalWeight / total))));
  return result;
}

Graph make_graph(const CellTree& tree, const std::vector<Edge>& edges) {
  std::map<std::pair<int, int>, double> between;
  for (const auto& [a, b] : tree.neighbours()) {
    // Bodies along the common face, for cells of like shape; with contacts, just enough to keep cells
    // together.
    const double face = std::cbrt(std::min(tree.count()[a], tree.count()[b]));
    between[{a, b}] = edges.empty() ? face * face : 0.1;
  }
  for (const Edge& e : edges) between[{e.a, e.b}] += e.contacts;

  std::vector<double> weights;
  std::vector<std::vector<std::pair<int, int>>> adjacent(tree.cells());  // (cell, number of the edge)
  for (const auto& [cells, w] : between) {
    const auto number = static_cast<int>(weights.size());
    adjacent[cells.first].emplace_back(cells.second, number);
    adjacent[cells.second].emplace_back(cells.first, number);
    weights.push_back(w);
  }
  const std::vector<idx_t> scaled = to_integers(weights);
  Graph graph;
  graph.vertex_weight = to_integers(tree.weight());
  graph.begin.push_back(0);
  for (const auto& row : adjacent) {
    for (const auto& [cell, number] : row) {
      graph.neighbour.push_back(cell);
      graph.edge_weight.push_back(scaled[number]);
    }
    graph.begin.push_back(static_cast<idx_t>(graph.neighbour.size()));
  }
  return graph;
}

double part_imbalance(const Graph& graph, const std::vector<int>& part, int parts) {
  std::vector<double> weight(parts, 0.0);
  double total = 0;
  for (std::size_t cell = 0; cell < part.size(); ++cell) {
    weight[part[cell]] += graph.vertex_weight[cell];
    total += graph.vertex_weight[cell];
  }
  return *std::ranges::max_element(weight) * parts / total;
}

struct Division {
  std::vector<int> part;  ///< per cell
  double cut = 0;         ///< weight of edges between parts
  double imbalance = 1;
};

using Partitioner = decltype(&METIS_PartGraphKway);

Division divide_with(Partitioner partitioner, Graph& graph, int parts) {
  auto cells = static_cast<idx_t>(graph.vertex_weight.size());
  idx_t constraints = 1, wanted = parts, cut = 0;
  std::array<idx_t, METIS_NOPTIONS> options{};
  METIS_SetDefaultOptions(options.data());
  options[METIS_OPTION_SEED] = 1;
  options[METIS_OPTION_NUMBERING] = 0;
  options[METIS_OPTION_NCUTS] = 4;
  std::vector<idx_t> part(cells, 0);
  const int status = partitioner(&cells, &constraints, graph.begin.data(), graph.neighbour.data(),
                                 graph.vertex_weight.data(), nullptr, graph.edge_weight.data(), &wanted,
                                 nullptr, nullptr, options.data(), &cut, part.data());
  if (status != METIS_OK)
    throw RunError("METIS could not divide " + std::to_string(cells) + " cells among " +
                   std::to_string(parts) + " ranks (status " + std::to_string(status) + ")");
  Division division{{part.begin(), part.end()}, static_cast<double>(cut), 1};
  division.imbalance = part_imbalance(graph, division.part, parts);
  return division;
}

/// Runs of cells of about equal weight, in the order of the tree, in which neighbours are near each other.
std::vector<int> divide_in_order(const Graph& graph, int parts) {
  double total = 0;
  for (const idx_t w : graph.vertex_weight) total += w;
  const auto cells = static_cast<int>(graph.vertex_weight.size());
  std::vector<int> part(cells);
  double before = 0;
  int current = 0;
  for (int cell = 0; cell < cells; ++cell) {
    // No part stays empty while there are cells enough for those to come.
    const bool full = before + 0.5 * graph.vertex_weight[cell] > total * (current + 1) / parts;
    const bool scarce = cells - cell < parts - current;
    if (cell > 0 && current + 1 < parts && (full || scarce)) ++current;
    part[cell] = current;
    before += graph.vertex_weight[cell];
  }
  return part;
}

/// Part of each cell: the better of METIS's methods; k-way is meant for many parts, bisection for few.
std::vector<int> divide(Graph& graph, int parts) {
  constexpr double kGoodBalance = 1.06;
  constexpr std::ptrdiff_t kEnoughCells =
      8;  // per part; with fewer METIS leaves parts empty or complains on the screen
  if (std::ssize(graph.vertex_weight) < kEnoughCells * parts) return divide_in_order(graph, parts);
  Division best = divide_with(METIS_PartGraphRecursive, graph, parts);
  Division other = divide_with(METIS_PartGraphKway, graph, parts);
  const bool both_good = std::max(best.imbalance, other.imbalance) <= kGoodBalance;
  if (both_good ? other.cut < best.cut : other.imbalance < best.imbalance) std::swap(best, other);
  return std::move(best.part);
}

/// Gives each part to a rank, the largest holdings first. @param held weight of part p held by rank r at
/// [r * ranks + p]. @returns rank of each part.
std::vector<int> assign_parts(const std::vector<double>& held, int ranks) {
  std::vector<std::tuple<double, int, int>> holdings;  // -weight, rank, part: ties go by number
  for (int r = 0; r < ranks; ++r)
    for (int p = 0; p < ranks; ++p)
      if (held[r * ranks + p] > 0) holdings.emplace_back(-held[r * ranks + p], r, p);
  std::ranges::sort(holdings);
  std::vector<int> rank_of(ranks, -1);
  std::vector<char> taken(ranks, 0);
  for (const auto& [weight, r, p] : holdings) {
    if (rank_of[p] >= 0 || taken[r] != 0) continue;
    rank_of[p] = r;
    taken[r] = 1;
  }
  int next = 0;
  for (int& r : rank_of) {
    if (r >= 0) continue;
    while (taken[next] != 0) ++next;
    r = next++;
  }
  return rank_of;
}

}  // namespace

double imbalance(MPI_Comm comm, double weight) {
  int ranks = 1;
  MPI_Comm_size(comm, &ranks);
  double largest = weight;
  double sum = weight;
  MPI_Allreduce(MPI_IN_PLACE, &largest, 1, MPI_DOUBLE, MPI_MAX, comm);
  MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_DOUBLE, MPI_SUM, comm);
  return sum > 0 ? largest * ranks / sum : 1.0;
}

std::vector<int> partition(MPI_Comm comm, const Bodies& bodies, std::span<const double> weight,
                           std::span<const std::pair<int, int>> contacts) {
  if (std::ssize(weight) != bodies.owned) throw std::invalid_argument("partition: one weight per owned body");
  int rank = 0, ranks = 1;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &ranks);
  if (ranks == 1) return std::vector<int>(bodies.owned, 0);
  static const petsc::LogEvent event("ScreePartition");
  const petsc::LogScope scope(event);

  std::vector<Vec3> position;
  position.reserve(bodies.owned);
  for (int i = 0; i < bodies.owned; ++i) position.push_back(bodies.periodic.wrap(bodies.state[i].x));
  const CellTree tree(comm, position, weight, std::clamp(kCellsPerRank * ranks, kMinCells, kMaxCells));
  const std::vector<Edge> edges = gather_edges(comm, tree, bodies, contacts);

  // Rank 0 divides and broadcasts: METIS on each rank could differ where the machines do.
  std::vector<int> part(tree.cells(), 0);
  std::string failure;
  if (rank == 0 && tree.cells() > 0) {
    try {
      Graph graph = make_graph(tree, edges);
      part = divide(graph, ranks);
    } catch (const RunError& e) {
      failure = e.what();
    }
  }
  int failed = failure.empty() ? 0 : 1;
  MPI_Bcast(&failed, 1, MPI_INT, 0, comm);
  if (failed != 0) throw RunError(failure.empty() ? "METIS failed on rank 0" : failure);
  MPI_Bcast(part.data(), static_cast<int>(part.size()), MPI_INT, 0, comm);

  std::vector<double> held(ranks, 0.0);
  for (int i = 0; i < bodies.owned; ++i) held[part[tree.cell_of_body()[i]]] += weight[i];
  std::vector<double> held_by_all(rank == 0 ? ranks * ranks : 0);
  MPI_Gather(held.data(), ranks, MPI_DOUBLE, held_by_all.data(), ranks, MPI_DOUBLE, 0, comm);
  std::vector<int> rank_of(ranks);
  if (rank == 0) rank_of = assign_parts(held_by_all, ranks);
  MPI_Bcast(rank_of.data(), ranks, MPI_INT, 0, comm);

  std::vector<int> target;
  for (const int cell : tree.cell_of_body()) target.push_back(rank_of[part[cell]]);
  return target;
}

}  // namespace scree

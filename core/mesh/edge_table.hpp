/// The directed edges of polygons, found by their vertices.
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "core/interrupt.hpp"

namespace scree {

/// Edge of a loop: from loop[corner] to the vertex after it.
struct DirectedEdge {
  int to = -1;      ///< vertex
  int loop = -1;    ///< number of the loop
  int corner = -1;  ///< position in it
};

/// Edges sorted by their first vertex, then by their second, then in the order of the loops: two counting
/// sorts, and a binary search for each query.
class EdgeTable {
 public:
  /// @param vertices how many there are; @param loops of vertex numbers below that. @throws Interrupted.
  EdgeTable(std::size_t vertices, const std::vector<std::vector<int>>& loops) : start_(vertices + 1, 0) {
    InterruptLook look;
    std::size_t corners = 0;
    for (const std::vector<int>& loop : loops) corners += loop.size();
    // By the second vertex first; the second sort is stable.
    std::vector<std::pair<int, DirectedEdge>> by_second(corners);
    std::vector<std::size_t> next(vertices + 1, 0);
    for (const std::vector<int>& loop : loops) {
      look();
      for (const int v : loop) ++next[v + 1];
    }
    for (std::size_t v = 0; v < vertices; ++v) next[v + 1] += next[v];
    start_ = next;  // each vertex begins as many edges as it ends
    for (std::size_t f = 0; f < loops.size(); ++f) {
      look();
      const std::vector<int>& loop = loops[f];
      for (std::size_t k = 0; k < loop.size(); ++k) {
        const int to = loop[k + 1 < loop.size() ? k + 1 : 0];
        by_second[next[to]++] = {loop[k], {to, static_cast<int>(f), static_cast<int>(k)}};
      }
    }
    edges_.resize(corners);
    next = start_;
    for (const auto& [from, edge] : by_second) {
      look();
      edges_[next[from]++] = edge;
    }
  }

  /// @returns the first edge from v to w in the order of the loops, nullptr without one.
  [[nodiscard]] const DirectedEdge* find(int v, int w) const {
    const DirectedEdge* end = edges_.data() + start_[v + 1];
    const DirectedEdge* at = std::lower_bound(edges_.data() + start_[v], end, w,
                                              [](const DirectedEdge& e, int to) { return e.to < to; });
    return at != end && at->to == w ? at : nullptr;
  }

  /// @returns number of the loop that runs from v to w, -1 without one.
  [[nodiscard]] int loop_of(int v, int w) const {
    const DirectedEdge* edge = find(v, w);
    return edge != nullptr ? edge->loop : -1;
  }

  /// @returns how many loops run from v to w.
  [[nodiscard]] int count(int v, int w) const {
    int number = 0;
    for (const DirectedEdge* edge = find(v, w); edge != nullptr && edge != end(v) && edge->to == w; ++edge)
      ++number;
    return number;
  }

  /// Edges that begin at a vertex.
  [[nodiscard]] const DirectedEdge* begin(int v) const { return edges_.data() + start_[v]; }
  [[nodiscard]] const DirectedEdge* end(int v) const { return edges_.data() + start_[v + 1]; }

 private:
  std::vector<std::size_t> start_;  ///< per vertex, of edges_
  std::vector<DirectedEdge> edges_;
};

}  // namespace scree

#include "contact/broad_phase.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "contact/closest_points.hpp"

namespace scree::contact {
namespace {

using Cell = std::array<std::int64_t, 3>;

struct CellOfBody {
  Cell cell;
  int body;
  bool operator<(const CellOfBody& other) const {
    return cell != other.cell ? cell < other.cell : body < other.body;
  }
};

}  // namespace

std::vector<std::pair<int, int>> near_bodies(const Bodies& bodies, const std::vector<Shape>& shapes,
                                             double margin) {
  const int moving = bodies.moving();
  double largest = 0;
  for (int i = 0; i < moving; ++i) largest = std::max(largest, bodies.properties[i].length);
  const double size = 2 * largest + margin;
  std::vector<CellOfBody> cells(static_cast<std::size_t>(moving));
  for (int i = 0; i < moving; ++i) {
    for (int k = 0; k < 3; ++k)
      cells[i].cell[k] = static_cast<std::int64_t>(std::floor(bodies.state[i].x[k] / size));
    cells[i].body = i;
  }
  std::sort(cells.begin(), cells.end());

  std::vector<std::pair<int, int>> pairs;
  const auto consider = [&](int i, int j) {
    if (!bodies.is_owned(i) && !bodies.is_owned(j)) return;
    const double reach = bodies.properties[i].length + bodies.properties[j].length + margin;
    if ((bodies.state[i].x - bodies.state[j].x).squaredNorm() >= reach * reach) return;
    if (bodies.properties[i].id < bodies.properties[j].id) {
      pairs.emplace_back(i, j);
    } else {
      pairs.emplace_back(j, i);
    }
  };
  for (std::size_t c = 0; c < cells.size(); ++c) {
    const Cell& cell = cells[c].cell;
    // Rows of three cells along z are contiguous in the sorted list; half of the neighbours is enough.
    for (std::int64_t dx = 0; dx <= 1; ++dx) {
      for (std::int64_t dy = dx == 0 ? 0 : -1; dy <= 1; ++dy) {
        const bool own_row = dx == 0 && dy == 0;
        const Cell from = {cell[0] + dx, cell[1] + dy, own_row ? cell[2] : cell[2] - 1};
        auto other = own_row ? cells.begin() + static_cast<std::ptrdiff_t>(c) + 1
                             : std::lower_bound(cells.begin(), cells.end(), CellOfBody{from, -1});
        for (; other != cells.end() && other->cell[0] == from[0] && other->cell[1] == from[1] &&
               other->cell[2] <= cell[2] + 1;
             ++other) {
          consider(cells[c].body, other->body);
        }
      }
    }
  }
  for (int w = moving; w < bodies.all(); ++w) {
    const BodyState& wall = bodies.state[w];
    const Shape& shape = shapes[bodies.properties[w].shape];
    const Mat3 back = wall.q.toRotationMatrix().transpose();
    for (int i = 0; i < bodies.owned; ++i) {
      const double distance = distance_to_shape(shape, back * (bodies.state[i].x - wall.x));
      if (distance < bodies.properties[i].length + margin) pairs.emplace_back(i, w);
    }
  }
  std::sort(pairs.begin(), pairs.end(), [&](const auto& p, const auto& q) {
    const auto key = [&](const auto& r) {
      return std::pair(bodies.properties[r.first].id, bodies.properties[r.second].id);
    };
    return key(p) < key(q);
  });
  return pairs;
}

}  // namespace scree::contact

#include "contact/search/broad_phase.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <tuple>

#include "contact/geometry/closest_points.hpp"

namespace scree::contact {
namespace {

using Cell = std::array<std::int64_t, 3>;

struct CellOfPlace {
  Cell cell;
  int place;
  bool operator<(const CellOfPlace& other) const {
    return cell != other.cell ? cell < other.cell : place < other.place;
  }
};

/// Where a moving body is seen: in the periodic cell, or as an image around it.
struct BodyPlace {
  Vec3 x;
  int body;
  CellNumber image;  ///< how many cells away from where the body is in the cell itself
};

/// All moving bodies in the cell, then their images. @param reach images further from the cell meet nobody in
/// it [m].
std::vector<BodyPlace> places_of(const Bodies& bodies, double reach) {
  std::vector<BodyPlace> places;
  places.reserve(static_cast<std::size_t>(bodies.moving()));
  const PeriodicCell& cell = bodies.periodic;
  for (int i = 0; i < bodies.moving(); ++i) places.push_back({cell.wrap(bodies.state[i].x), i, {}});
  if (!cell.any()) return places;
  const std::vector<CellNumber> around = cell.neighbours(reach);
  for (int i = 0; i < bodies.moving(); ++i) {
    for (auto image = around.begin() + 1; image != around.end(); ++image) {
      const Vec3 x = places[i].x + cell.way_to(*image);
      if (cell.is_near(x, reach)) places.push_back({x, i, *image});
    }
  }
  return places;
}

/// @returns cell of a body, had it never been brought back into the first one.
CellNumber cell_of(const Bodies& bodies, int i) {
  return bodies.state[i].cell + bodies.periodic.number_of(bodies.state[i].x);
}

/// Which bodies act on each other, if they are near.
class Interaction {
 public:
  Interaction(const Bodies& bodies, const std::vector<std::vector<int>>* interface_of)
      : bodies_(bodies), interface_of_(interface_of) {
    if (interface_of == nullptr) return;
    held_.resize(static_cast<std::size_t>(bodies.all()));
    for (int i = 0; i < bodies.all(); ++i) {
      held_[i] = all_fixed(bodies.properties[i].fixed) ? 1 : 0;
    }
  }

  [[nodiscard]] bool between(int i, int j) const {
    if (interface_of_ == nullptr) return true;
    if (held_[i] != 0 && held_[j] != 0) return false;
    return (*interface_of_)[bodies_.properties[i].material][bodies_.properties[j].material] >= 0;
  }

 private:
  const Bodies& bodies_;
  const std::vector<std::vector<int>>* interface_of_;
  std::vector<char> held_;  ///< per body and boundary: it never moves
};

}  // namespace

std::vector<NearPair> near_bodies(const Bodies& bodies, const std::vector<Shape>& shapes, double margin,
                                  const std::vector<std::vector<int>>* interface_of) {
  const Interaction interaction(bodies, interface_of);
  const int moving = bodies.moving();
  double largest = 0;
  for (int i = 0; i < moving; ++i) largest = std::max(largest, bodies.properties[i].length);
  const double size = 2 * largest + margin;
  const std::vector<BodyPlace> places = places_of(bodies, size);
  std::vector<CellOfPlace> cells(places.size());
  for (std::size_t p = 0; p < places.size(); ++p) {
    for (int k = 0; k < 3; ++k)
      cells[p].cell[k] = static_cast<std::int64_t>(std::floor(places[p].x[k] / size));
    cells[p].place = static_cast<int>(p);
  }
  std::sort(cells.begin(), cells.end());

  std::vector<NearPair> pairs;
  const auto consider = [&](int p, int q) {
    if (p >= moving && q >= moving) return;  // two images: the pair shows in the cell, too
    const int i = places[p].body, j = places[q].body;
    if (i == j || (!bodies.is_owned(i) && !bodies.is_owned(j))) return;
    const double reach = bodies.properties[i].length + bodies.properties[j].length + margin;
    if ((places[p].x - places[q].x).squaredNorm() >= reach * reach) return;
    if (!interaction.between(i, j)) return;
    const CellNumber image = places[q].image - places[p].image + cell_of(bodies, i) - cell_of(bodies, j);
    if (bodies.properties[i].id < bodies.properties[j].id) {
      pairs.push_back({i, j, image});
    } else {
      pairs.push_back({j, i, CellNumber{} - image});
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
                             : std::lower_bound(cells.begin(), cells.end(), CellOfPlace{from, -1});
        for (; other != cells.end() && other->cell[0] == from[0] && other->cell[1] == from[1] &&
               other->cell[2] <= cell[2] + 1;
             ++other) {
          consider(cells[c].place, other->place);
        }
      }
    }
  }
  for (int w = moving; w < bodies.all(); ++w) {
    const BodyState& wall = bodies.state[w];
    const Shape& shape = shapes[bodies.properties[w].shape];
    const Mat3 back = wall.q.toRotationMatrix().transpose();
    for (int i = 0; i < bodies.owned; ++i) {
      if (!interaction.between(i, w)) continue;
      const double distance = distance_to_shape(shape, back * (bodies.state[i].x - wall.x));
      if (distance < bodies.properties[i].length + margin) pairs.push_back({i, w, bodies.state[i].cell});
    }
  }
  const auto key = [&](const NearPair& pair) {
    return std::tuple(bodies.properties[pair.a].id, bodies.properties[pair.b].id, pair.image);
  };
  std::sort(pairs.begin(), pairs.end(), [&](const auto& p, const auto& q) { return key(p) < key(q); });
  // A with an image of B, and B with an image of A, are the same pair.
  const auto same = [&](const auto& p, const auto& q) { return key(p) == key(q); };
  pairs.erase(std::unique(pairs.begin(), pairs.end(), same), pairs.end());
  return pairs;
}

}  // namespace scree::contact

#include "contact/search/broad_phase.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <numeric>
#include <tuple>
#include <utility>

#include "contact/geometry/closest_points.hpp"

namespace scree::contact {
namespace {

using Cell = std::array<std::int64_t, 3>;

struct CellOfPlace {
  int level;
  Cell cell;
  int place;
  bool operator<(const CellOfPlace& other) const {
    return std::tie(level, cell, place) < std::tie(other.level, other.cell, other.place);
  }
};

/// Where a moving body is seen: in the periodic cell, or as an image around it.
struct BodyPlace {
  Vec3 x;
  int body;
  CellNumber image;  ///< how many cells away from where the body is in the cell itself
};

/// All moving bodies in the cell, then those of their images that may meet one in it.
std::vector<BodyPlace> places_of(const Bodies& bodies, double margin) {
  std::vector<BodyPlace> places;
  places.reserve(static_cast<std::size_t>(bodies.moving()));
  const PeriodicCell& cell = bodies.periodic;
  double largest = 0;
  for (int i = 0; i < bodies.moving(); ++i) {
    places.push_back({cell.wrap(bodies.state[i].x), i, {}});
    largest = std::max(largest, bodies.properties[i].length);
  }
  if (!cell.any()) return places;
  const double reach = largest + margin;  // from the surface of a body
  const std::vector<CellNumber> around = cell.neighbours(largest + reach);
  for (int i = 0; i < bodies.moving(); ++i) {
    for (auto image = around.begin() + 1; image != around.end(); ++image) {
      const Vec3 x = places[i].x + cell.way_to(*image);
      if (cell.is_near(x, bodies.properties[i].length + reach)) places.push_back({x, i, *image});
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

/// Grids of cells, each half as wide as the one before, and each place in the finest whose cells hold twice
/// its reach: one large body must not make the cells of all bodies large.
class Grids {
 public:
  /// @param reaches per place: bounding radius and half of the margin [m].
  Grids(const std::vector<BodyPlace>& places, const std::vector<double>& reaches) : places_(places) {
    for (const double reach : reaches) widest_ = std::max(widest_, 2 * reach);
    cells_.reserve(places.size());
    for (std::size_t p = 0; p < places.size(); ++p) {
      const int level = std::min(std::ilogb(widest_ / (2 * reaches[p])), kFinest);
      cells_.push_back({level, cell_at(level, places[p].x), static_cast<int>(p)});
    }
    std::sort(cells_.begin(), cells_.end());
    for (const CellOfPlace& one : cells_) {
      if (levels_.empty() || levels_.back() != one.level) levels_.push_back(one.level);
    }
  }

  /// Calls consider(p, q) once for each two places whose reaches may meet.
  template <class Consider>
  void visit(const Consider& consider) const {
    // Half of the neighbours is enough: the others meet this cell as theirs. As the cells are sorted, so are
    // the beginnings of these rows, and each is found from the one before.
    constexpr std::array<std::array<int, 2>, 4> kRows = {{{0, 1}, {1, -1}, {1, 0}, {1, 1}}};  // dx, dy
    std::array<std::size_t, kRows.size()> begins{};
    for (std::size_t k = 0; k < cells_.size(); ++k) {
      const CellOfPlace& own = cells_[k];
      visit_row(k + 1, own, own.cell[2] + 1, own.place, consider);
      for (std::size_t r = 0; r < kRows.size(); ++r) {
        const Cell from = {own.cell[0] + kRows[r][0], own.cell[1] + kRows[r][1], own.cell[2] - 1};
        const CellOfPlace row{own.level, from, -1};
        while (begins[r] < cells_.size() && cells_[begins[r]] < row) ++begins[r];
        visit_row(begins[r], row, own.cell[2] + 1, own.place, consider);
      }
      for (const int level : levels_) {
        if (level >= own.level) break;
        visit_coarse_rows({level, cell_at(level, places_[own.place].x), own.place}, consider);
      }
    }
  }

 private:
  static constexpr int kFinest = 30;  // cells of finer bodies would be too many for large coordinates

  [[nodiscard]] Cell cell_at(int level, const Vec3& x) const {
    const double size = std::ldexp(widest_, -level);
    Cell cell{};
    for (int k = 0; k < 3; ++k) cell[k] = static_cast<std::int64_t>(std::floor(x[k] / size));
    return cell;
  }

  /// Rows of three cells along z, which are contiguous in the sorted list.
  template <class Consider>
  void visit_coarse_rows(const CellOfPlace& at, const Consider& consider) const {
    for (int dx = -1; dx <= 1; ++dx) {
      for (int dy = -1; dy <= 1; ++dy) {
        const CellOfPlace row{at.level, {at.cell[0] + dx, at.cell[1] + dy, at.cell[2] - 1}, -1};
        const auto begin = std::lower_bound(cells_.begin(), cells_.end(), row);
        visit_row(static_cast<std::size_t>(begin - cells_.begin()), row, at.cell[2] + 1, at.place, consider);
      }
    }
  }

  template <class Consider>
  void visit_row(std::size_t begin, const CellOfPlace& row, std::int64_t last_z, int place,
                 const Consider& consider) const {
    for (std::size_t k = begin; k < cells_.size(); ++k) {
      const CellOfPlace& other = cells_[k];
      if (other.level != row.level || other.cell[0] != row.cell[0] || other.cell[1] != row.cell[1] ||
          other.cell[2] > last_z) {
        return;
      }
      consider(place, other.place);
    }
  }

  const std::vector<BodyPlace>& places_;
  double widest_ = 0;
  std::vector<CellOfPlace> cells_;
  std::vector<int> levels_;  ///< that hold places, coarsest first
};

/// Sorts by the id of a, then of b, then by the image, and drops duplicates: A with an image of B,
/// and B with an image of A. In linear time: only the few pairs of one body are compared.
void sort_by_ids(std::vector<NearPair>& pairs, const Bodies& bodies) {
  // The ids of owned bodies ascend, those of ghosts too, and no boundary is an a.
  std::vector<int> by_id(static_cast<std::size_t>(bodies.moving()));
  std::iota(by_id.begin(), by_id.end(), 0);
  const auto id_of = [&](int i) { return bodies.properties[i].id; };
  std::inplace_merge(by_id.begin(), by_id.begin() + bodies.owned, by_id.end(),
                     [&](int i, int j) { return id_of(i) < id_of(j); });
  std::vector<std::size_t> begins(by_id.size());
  for (const NearPair& pair : pairs) ++begins[pair.a];
  std::size_t sum = 0;
  for (const int i : by_id) sum += std::exchange(begins[i], sum);
  std::vector<NearPair> sorted(pairs.size());
  for (const NearPair& pair : pairs) sorted[begins[pair.a]++] = pair;  // then each stands at its end

  const auto key = [&](const NearPair& pair) { return std::tuple(id_of(pair.b), pair.image); };
  auto begin = sorted.begin();
  pairs.clear();
  for (const int i : by_id) {
    const auto end = sorted.begin() + static_cast<std::ptrdiff_t>(begins[i]);
    std::sort(begin, end, [&](const NearPair& p, const NearPair& q) { return key(p) < key(q); });
    std::unique_copy(begin, end, std::back_inserter(pairs),
                     [&](const NearPair& p, const NearPair& q) { return key(p) == key(q); });
    begin = end;
  }
}

}  // namespace

std::vector<NearPair> near_bodies(const Bodies& bodies, const std::vector<Shape>& shapes, double margin,
                                  const std::vector<std::vector<int>>* interface_of) {
  const Interaction interaction(bodies, interface_of);
  const int moving = bodies.moving();
  const std::vector<BodyPlace> places = places_of(bodies, margin);
  std::vector<double> reaches;
  reaches.reserve(places.size());
  for (const BodyPlace& place : places) reaches.push_back(bodies.properties[place.body].length + margin / 2);

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
  Grids(places, reaches).visit(consider);
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
  sort_by_ids(pairs, bodies);
  return pairs;
}

}  // namespace scree::contact

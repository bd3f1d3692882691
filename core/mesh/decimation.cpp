#include "core/mesh/decimation.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <queue>
#include <utility>
#include <vector>

#include "core/activity.hpp"
#include "core/mesh/edge_faces.hpp"
#include "core/mesh/polygon_triangles.hpp"
#include "core/mesh/polyhedron_surface.hpp"
#include "core/mesh/surface_distance.hpp"

namespace scree {
namespace {

constexpr double kLargestTurn = 0.26;      // cosine between old and new normal
constexpr double kWorstSine = 1e-3;        // of the smallest angle of a new triangle, unless it was worse
constexpr double kWellConditioned = 1e-3;  // pivot of the quadric's matrix over its largest
constexpr int kRoundsOfMerging = 10;
constexpr double kNear = 0.8;         // of the limit of distance
constexpr double kBeyond = 1 + 1e-9;  // of a reach, which is squared: round-off must not exclude its cost
constexpr std::size_t kMergesBetweenLooks = 1024;

using Triangle = std::array<int, 3>;

/// Sum of squared distances from planes, x A x + 2 b x + c.
struct Quadric {
  Mat3 a = Mat3::Zero();
  Vec3 b = Vec3::Zero();
  double c = 0;

  void add_plane(const Vec3& normal, const Vec3& point) {
    const double d = -normal.dot(point);
    a += normal * normal.transpose();
    b += d * normal;
    c += d * d;
  }
  Quadric& operator+=(const Quadric& other) {
    a += other.a;
    b += other.b;
    c += other.c;
    return *this;
  }
  [[nodiscard]] double at(const Vec3& x) const { return std::max(0.0, x.dot(a * x) + 2 * b.dot(x) + c); }
};

struct Contraction {
  double cost = 0;     ///< squared [m^2]
  double length2 = 0;  ///< of the edge [m^2]
  int v = 0, w = 0;
  int stamp_v = 0, stamp_w = 0;
  Vec3 to = Vec3::Zero();

  bool operator<(const Contraction& other) const {  // the smallest is on top of the queue
    if (cost != other.cost) return cost > other.cost;
    // All cost nothing in a plane. The order of the vertices would make the first of them a hub, with as many
    // edges as are proposed again for each contraction.
    if (length2 != other.length2) return length2 > other.length2;
    return v != other.v ? v > other.v : w > other.w;
  }
};

class Contractions {
 public:
  Contractions(const std::vector<Vec3>& vertices, std::vector<Triangle> triangles)
      : x_(vertices),
        triangles_(std::move(triangles)),
        faces_(vertices.size()),
        quadrics_(vertices.size()),
        stamps_(vertices.size(), 0),
        border_(vertices.size(), 0),
        alive_(triangles_.size(), 1),
        left_(triangles_.size()) {
    for (int t = 0; t < static_cast<int>(triangles_.size()); ++t) {
      const Vec3 normal = normal_of(triangles_[t]).normalized();
      for (const int v : triangles_[t]) {
        faces_[v].push_back(t);
        quadrics_[v].add_plane(normal, x_[v]);
      }
    }
    PolyhedronSurface loops;
    for (const Triangle& t : triangles_) loops.loops.emplace_back(t.begin(), t.end());
    const std::vector<FaceSide> sides = sides_of(loops);
    for_each_edge(sides, [&](const FaceSide* first, const FaceSide* last) {
      if (last - first != 1) return;
      // A plane across the surface along its free edge.
      const Vec3 edge = x_[first->high] - x_[first->low];
      const Vec3 across = normal_of(triangles_[first->face]).cross(edge).normalized();
      for (const int v : {first->low, first->high}) {
        border_[v] = 1;
        quadrics_[v].add_plane(across, x_[v]);
      }
    });
    for_each_edge(sides, [&](const FaceSide* first, const FaceSide*) { propose(first->low, first->high); });
  }

  /// @param cost largest [m^2]. @returns smallest limit of the cost that removes more triangles, infinity
  /// without one [m^2].
  double run(std::size_t triangles, double cost, Activity& activity) {
    const std::size_t start = left_;
    for (std::size_t k = 0; left_ > triangles && !queue_.empty(); ++k) {
      if (k % kMergesBetweenLooks == 0)
        activity.advance(static_cast<double>(start - left_) / static_cast<double>(start));
      const Contraction next = queue_.top();
      queue_.pop();
      if (next.stamp_v != stamps_[next.v] || next.stamp_w != stamps_[next.w]) continue;
      if (next.cost > cost) return next.cost;
      if (is_allowed(next)) contract(next);
    }
    return std::numeric_limits<double>::infinity();
  }

  [[nodiscard]] PolyhedronSurface surface() const {
    PolyhedronSurface surface{x_, {}};
    for (std::size_t t = 0; t < triangles_.size(); ++t) {
      if (alive_[t] != 0) surface.loops.emplace_back(triangles_[t].begin(), triangles_[t].end());
    }
    drop_unused_vertices(surface);
    return surface;
  }

 private:
  [[nodiscard]] Vec3 normal_of(const Triangle& t) const {
    return (x_[t[1]] - x_[t[0]]).cross(x_[t[2]] - x_[t[0]]);
  }

  [[nodiscard]] static bool has(const Triangle& t, int v) { return t[0] == v || t[1] == v || t[2] == v; }

  void propose(int v, int w) {
    Contraction one{0, (x_[v] - x_[w]).squaredNorm(), v, w, stamps_[v], stamps_[w], x_[v]};
    Quadric sum = quadrics_[v];
    sum += quadrics_[w];
    one.cost = std::numeric_limits<double>::infinity();
    const auto consider = [&](const Vec3& to) {
      const double cost = sum.at(to);
      if (cost < one.cost) {
        one.cost = cost;
        one.to = to;
      }
    };
    const bool v_stays = border_[v] != 0 && border_[w] == 0, w_stays = border_[w] != 0 && border_[v] == 0;
    if (!w_stays) consider(x_[v]);
    if (!v_stays) consider(x_[w]);
    if (!v_stays && !w_stays) {
      consider(0.5 * (x_[v] + x_[w]));
      const Eigen::FullPivLU<Mat3> lu(sum.a);
      const double largest = std::abs(lu.maxPivot());
      if (std::abs(lu.matrixLU()(2, 2)) > kWellConditioned * largest) {
        const Vec3 best = lu.solve(-sum.b);
        const double length = (x_[v] - x_[w]).norm();
        if ((best - x_[v]).norm() < 2 * length) consider(best);
      }
    }
    queue_.push(one);
  }

  [[nodiscard]] std::vector<int> neighbours(int v) const {
    std::vector<int> all;
    for (const int t : faces_[v]) {
      for (const int w : triangles_[t]) {
        if (w != v) all.push_back(w);
      }
    }
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    return all;
  }

  /// The link condition: common neighbours are those of the faces that disappear, and no edge between them
  /// has faces of both ends (Dey et al. 1999); and no face is turned over or becomes a needle.
  [[nodiscard]] bool is_allowed(const Contraction& one) const {
    const auto shared = std::count_if(faces_[one.v].begin(), faces_[one.v].end(),
                                      [&](int t) { return has(triangles_[t], one.w); });
    if (shared < 1 || shared > 2 || left_ <= 4) return false;
    // An edge across the surface between two free edges would pinch it.
    if (shared == 2 && border_[one.v] != 0 && border_[one.w] != 0) return false;
    const std::vector<int> a = neighbours(one.v), b = neighbours(one.w);
    std::vector<int> common;
    std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(common));
    if (static_cast<std::ptrdiff_t>(common.size()) != shared) return false;
    // A tetrahedron, also as one part of many, would become two faces that lie on each other.
    const auto spans_common = [&](int v) {
      return std::any_of(faces_[v].begin(), faces_[v].end(), [&](int t) {
        return has(triangles_[t], common[0]) && has(triangles_[t], common[1]);
      });
    };
    if (shared == 2 && spans_common(one.v) && spans_common(one.w)) return false;
    for (const int from : {one.v, one.w}) {
      for (const int t : faces_[from]) {
        const Triangle& old = triangles_[t];
        if (has(old, one.v) && has(old, one.w)) continue;
        std::array<Vec3, 3> corners;
        for (int k = 0; k < 3; ++k) corners[k] = old[k] == from ? one.to : x_[old[k]];
        const Vec3 before = normal_of(old), after = (corners[1] - corners[0]).cross(corners[2] - corners[0]);
        if (after.dot(before) <= kLargestTurn * after.norm() * before.norm()) return false;
        const double sine = smallest_sine(corners[0], corners[1], corners[2]);
        if (sine < kWorstSine && sine < smallest_sine(x_[old[0]], x_[old[1]], x_[old[2]])) return false;
      }
    }
    return true;
  }

  void contract(const Contraction& one) {
    const int v = one.v, w = one.w;
    x_[v] = one.to;
    quadrics_[v] += quadrics_[w];
    border_[v] = static_cast<char>(border_[v] | border_[w]);
    ++stamps_[v];
    ++stamps_[w];
    for (const int t : faces_[w]) {
      Triangle& triangle = triangles_[t];
      if (has(triangle, v)) {
        alive_[t] = 0;
        --left_;
        for (const int other : triangle) {
          if (other != w) std::erase(faces_[other], t);
        }
        continue;
      }
      std::replace(triangle.begin(), triangle.end(), w, v);
      faces_[v].push_back(t);
    }
    faces_[w].clear();
    for (const int other : neighbours(v)) propose(std::min(v, other), std::max(v, other));
  }

  std::vector<Vec3> x_;
  std::vector<Triangle> triangles_;
  std::vector<std::vector<int>> faces_;
  std::vector<Quadric> quadrics_;
  std::vector<int> stamps_;
  std::vector<char> border_, alive_;
  std::size_t left_;
  std::priority_queue<Contraction> queue_;
};

double enclosed_volume(const PolyhedronSurface& surface) {
  double sum = 0;
  const Vec3 base = surface.vertices.front();
  for (const auto& loop : surface.loops) {
    for (std::size_t k = 1; k + 1 < loop.size(); ++k)
      sum += (surface.vertices[loop[0]] - base)
                 .dot((surface.vertices[loop[k]] - base).cross(surface.vertices[loop[k + 1]] - base)) /
             6;
  }
  return sum;
}

}  // namespace

Decimation decimate(PolyhedronSurface& surface, const DecimationGoal& goal) {
  Activity activity("decimating a mesh of " + std::to_string(surface.loops.size()) + " faces");
  const PolyhedronSurface original = surface;
  // About the middle: squares of coordinates far from the origin would cancel.
  const Vec3 base = original.vertices.front();
  std::vector<Vec3> vertices = original.vertices;
  for (Vec3& v : vertices) v -= base;
  std::vector<Triangle> triangles;
  for (const auto& loop : original.loops) {
    for (const Triangle& t : triangles_of(original.vertices, loop)) triangles.push_back(t);
  }
  Decimation done;
  done.before = triangles.size();
  constexpr double kNoLimit = std::numeric_limits<double>::infinity();
  double next_cost = kNoLimit;
  const auto contracted = [&](double reach) {
    ++done.rounds;
    Contractions contractions(vertices, triangles);
    next_cost = contractions.run(std::max<std::size_t>(goal.triangles, 4), reach * reach, activity);
    PolyhedronSurface result = contractions.surface();
    for (Vec3& v : result.vertices) v += base;
    return result;
  };
  if (goal.distance > 0) {
    // The quadric error is another measure than the distance: what it has to be is found by trying.
    double reach = 4 * goal.distance, too_far = kNoLimit;
    std::size_t fewest =
        done.before;  // triangles: polygons of the file count as those that they are split into
    for (int round = 0; round < kRoundsOfMerging; ++round) {
      PolyhedronSurface result = contracted(reach);
      const double distance = surface_distance(original, result);
      const bool holds = distance <= goal.distance;
      if (holds && result.loops.size() < fewest) {
        fewest = result.loops.size();
        surface = std::move(result);
        done.distance = distance;
      }
      if (holds && (distance > kNear * goal.distance || fewest <= goal.triangles)) break;
      if (!holds) too_far = std::min(too_far, reach);
      reach *= std::clamp(0.5 * (1 + kNear) * goal.distance / distance, 0.25, 4.0);
      if (!holds) continue;
      // Below this, a larger reach removes no more triangles than this round.
      const double next_reach = kBeyond * std::sqrt(next_cost);
      if (next_reach >= too_far) break;
      reach = std::max(reach, next_reach);
    }
  } else {
    surface = contracted(kNoLimit);
    done.distance = surface_distance(original, surface);
  }
  done.after = 0;
  for (const auto& loop : surface.loops) done.after += loop.size() - 2;
  const double before = enclosed_volume(original);
  if (before > 0) done.volume_ratio = enclosed_volume(surface) / before;
  return done;
}

}  // namespace scree

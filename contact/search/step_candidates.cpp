#include "contact/search/step_candidates.hpp"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "contact/geometry/near_features.hpp"
#include "contact/pair/pair_pose.hpp"
#include "contact/search/candidates.hpp"
#include "contact/search/far_items.hpp"
#include "contact/search/feature_items.hpp"
#include "core/infinity.hpp"

namespace scree::contact {
namespace {

/// A body at the start and at the end of the step.
using AtEnds = std::array<BodyView, 2>;

/// Vertices that are near at one end at least.
void unite(const std::vector<int>& one, const std::vector<int>& other, std::vector<int>& both) {
  both.clear();
  std::set_union(one.begin(), one.end(), other.begin(), other.end(), std::back_inserter(both));
}

class StepItems {
 public:
  StepItems(BodyPair& pair, const AtEnds& a, const AtEnds& b, double reach)
      : pair_(pair),
        a_(a),
        b_(b),
        radii_(a[1].shape->radius + b[1].shape->radius),
        limit_(reach + radii_),
        error_(std::max(distance_error(a[0], b[0]), distance_error(a[1], b[1]))) {}

  void build() const {
    thread_local std::array<Features, 2> of_a, of_b;
    for (std::size_t k = 0; k < 2; ++k) {
      features_near(a_[k], b_[k], limit_ + error_, of_a[k]);
      features_near(b_[k], a_[k], limit_ + error_, of_b[k]);
    }
    if (of_a[0].vertices.empty() && of_a[1].vertices.empty()) return;
    // As in a list of one place: a sphere is seen from one side alone.
    thread_local std::vector<int> vertices;
    if (b_[1].shape->vertices.size() != 1) {
      unite(of_a[0].vertices, of_a[1].vertices, vertices);
      for (const int v : vertices) add_vertex(ItemKind::vertex_of_a, v, a_, b_);
    }
    if (a_[1].shape->vertices.size() == 1) return;
    unite(of_b[0].vertices, of_b[1].vertices, vertices);
    for (const int v : vertices) add_vertex(ItemKind::vertex_of_b, v, b_, a_);
    thread_local std::vector<std::pair<int, int>> edges;
    edges.clear();
    for (std::size_t k = 0; k < 2; ++k) {
      each_near_edge_pair(a_[k], b_[k], of_a[k], of_b[k], limit_ + error_, [&](int i, int j) {
        if (edge_distance(a_[k], i, b_[k], j) < limit_) edges.emplace_back(i, j);
      });
    }
    std::sort(edges.begin(), edges.end());
    edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
    for (const auto& [i, j] : edges)
      add_edge_item(pair_, i, j, a_[1], b_[1], edge_distance(a_[1], i, b_[1], j));
  }

 private:
  void add_vertex(ItemKind kind, int vertex, const AtEnds& points, const AtEnds& surface) const {
    if (points[1].shape->vertex_acts[vertex] == 0) return;
    const Shape& shape = *surface[1].shape;
    Item item;
    item.kind = kind;
    (kind == ItemKind::vertex_of_a ? item.a : item.b) = vertex;
    std::array<SeenPoint, 2> seen;
    for (std::size_t k = 0; k < 2; ++k)
      seen[k] = {surface[k].to_local(points[k].vertex(vertex)), limit_, limit_ + error_};
    double nearest = kInfinity;
    if (shape.convex) {
      const double at_start = nearest_on_convex(shape, seen[0].local, item.hint).distance;
      nearest = nearest_on_convex(shape, seen[1].local, item.hint).distance;
      if (std::min(at_start, nearest) >= limit_) return;
    } else {
      thread_local std::array<std::vector<int>, 2> near;
      thread_local std::vector<int> faces;
      for (std::size_t k = 0; k < 2; ++k) faces_near(shape, seen[k].local, seen[k].wide, near[k]);
      unite(near[0], near[1], faces);
      nearest = add_closed_features(pair_, item, shape, faces, seen);
      if (item.count == 0) return;
    }
    item.least = not_above(nearest - radii_);
    pair_.items.push_back(item);
  }

  BodyPair& pair_;
  const AtEnds& a_;
  const AtEnds& b_;
  double radii_, limit_, error_;
};

}  // namespace

void build_items_of_step(BodyPair& pair, const BodyView& a_n, const BodyView& b_n, const BodyView& a,
                         const BodyView& b, double reach) {
  pair.items.clear();
  pair.closed.clear();
  pair.reach = reach;
  pair.built = true;
  pair.built_at = pose_of(a, b);
  pair.also_at.assign(1, pose_of(a_n, b_n));
  StepItems(pair, {a_n, a}, {b_n, b}, reach).build();
  if (pair.items.empty()) pair.reach = clear_distance(a, b, reach, 2 * a.shape->bounding_radius);
  begin_bounds(pair);
}

bool holds_step(const BodyPair& pair, const BodyView& a_n, const BodyView& b_n, const BodyView& a,
                const BodyView& b, double skin) {
  if (!pair.built || pair.also_at.empty() || !(motion_from(pair.built_at, a, b) <= skin)) return false;
  return motion_from(pair.also_at.front(), a_n, b_n) <= skin || motion_from(pair.built_at, a_n, b_n) <= skin;
}

}  // namespace scree::contact

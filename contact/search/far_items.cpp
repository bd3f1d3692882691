#include "contact/search/far_items.hpp"

#include <algorithm>

#include "contact/pair/pair_pose.hpp"
#include "contact/pair/pair_terms.hpp"
#include "contact/superquadric/smooth_terms.hpp"
#include "core/infinity.hpp"

namespace scree::contact {
namespace {

/// Up to here a look at all items is as quick as bounds.
constexpr std::size_t kShort = 16;

}  // namespace

void begin_bounds(BodyPair& pair) {
  const bool has_bounds = pair.items.size() > kShort && pair.items.front().kind != ItemKind::smooth;
  pair.bounds.resize(has_bounds ? 1 : 0);
  if (!has_bounds) return;
  ItemBounds& bounds = pair.bounds.front();
  bounds.at = pair.built_at;
  bounds.moved = 0;
  bounds.gaps_n.clear();
  bounds.gaps.resize(pair.items.size());
  std::transform(pair.items.begin(), pair.items.end(), bounds.gaps.begin(),
                 [](const Item& item) { return item.least; });
}

FarItems::FarItems(BodyPair& pair, const BodyView& a, const BodyView& b) { go_to(pair, a, b); }

FarItems::FarItems(BodyPair& pair, const BodyView& a_n, const BodyView& b_n, const BodyView& a,
                   const BodyView& b) {
  // Where the vertices of a surface were at the start of the step, its view does not say.
  if (pair.bounds.empty() || b.surface != nullptr) return;
  ItemBounds& bounds = pair.bounds.front();
  const double from_last = motion_from(bounds.at, a_n, b_n);
  moved_n_ = bounds.gaps_n.empty() ? kInfinity : motion_from(bounds.start, a_n, b_n);
  // Another step begins near to where the last evaluation was.
  if (from_last < moved_n_) {
    bounds.start = pose_of(a_n, b_n);
    bounds.gaps_n.resize(bounds.gaps.size());
    std::transform(bounds.gaps.begin(), bounds.gaps.end(), bounds.gaps_n.begin(),
                   [&](float gap) { return not_above(gap - bounds.moved - from_last); });
    moved_n_ = 0;
  }
  of_step_ = true;
  go_to(pair, a, b);
}

void FarItems::go_to(BodyPair& pair, const BodyView& a, const BodyView& b) {
  if (pair.bounds.empty()) return;
  bounds_ = &pair.bounds.front();
  bounds_->moved += motion_from(bounds_->at, a, b);
  bounds_->at = pose_of(a, b);
  const auto nearest = static_cast<std::size_t>(std::min_element(bounds_->gaps.begin(), bounds_->gaps.end()) -
                                                bounds_->gaps.begin());
  near_ = gap_of(pair, pair.items[nearest], a, b);
  saw(nearest, near_);
}

double gap_of(const BodyPair& pair, const Item& item, const BodyView& a, const BodyView& b) {
  const double radii = a.shape->radius + b.shape->radius;
  if (item.kind == ItemKind::edges) {
    const Segment e = segment_of(a, item.a, b);
    const Segment f = segment_of(b, item.b, a);
    const SegmentPair p = nearest_on_segments(e.start, e.direction, e.length, f.start, f.direction, f.length);
    return (e.at(p.s) - f.at(p.t)).norm() - radii;
  }
  const bool on_b = item.kind == ItemKind::vertex_of_a;
  const BodyView& surface = on_b ? b : a;
  const Vec3 local = surface.to_local(on_b ? a.vertex(item.a) : b.vertex(item.b));
  return nearest_of_item(pair, item, *surface.shape, local).distance - radii;
}

double smallest_gap(BodyPair& pair, const BodyView& a, const BodyView& b, double enough) {
  double nearest = pair.reach;
  for (const Item& item : pair.items) {
    nearest = std::min(nearest, item.kind == ItemKind::smooth ? find_nearest(pair, item, a, b, enough).gap
                                                              : gap_of(pair, item, a, b));
  }
  return nearest;
}

double smallest_gap(BodyPair& pair, const BodyView& a, const BodyView& b, double enough, FarItems& far) {
  if (pair.bounds.empty()) return smallest_gap(pair, a, b, enough);
  double nearest = std::min(pair.reach, far.near());
  for (std::size_t i = 0; i < pair.items.size(); ++i) {
    if (far.least(i) >= nearest) continue;
    const double gap = gap_of(pair, pair.items[i], a, b);
    far.saw(i, gap);
    nearest = std::min(nearest, gap);
  }
  return nearest;
}

}  // namespace scree::contact

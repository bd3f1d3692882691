/// intersection_check TRACE [DEPTH [states]]: no two bodies of any accepted state intersect, none crosses a
/// wall, and nothing passes through anything between two states.
///
/// Every state of the trace, every near pair, every wall where it was then: separating axes and distances in
/// long double. Overlap up to DEPTH [m] (0) is no intersection: overlap-based laws need some. Shapes that are
/// not convex: edges against faces, and whether one lies inside of the other. Between states: the inner part
/// of every body on the way from one state to the next (passages.hpp); `states` leaves that out, for runs
/// whose states are far from each other (quasi-static). Prints the number of intersections and passages, the
/// first ten of each, and the smallest separation. Exit status 0: none; 1: some; 2: the trace cannot be read.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <limits>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include "meshes.hpp"
#include "neighbours.hpp"
#include "passages.hpp"
#include "separation.hpp"
#include "trace_reader.hpp"
#include "walls.hpp"

namespace intersection {
namespace {

/// Pairs are looked at from this part of the largest bounding radius before their bounding spheres meet, so
/// that the smallest separation is known for bodies that touch at their farthest points too.
constexpr double kReach = 0.05;

/// A separation in double is believed only this far above the smallest one so far: far more than its
/// rounding.
constexpr double kDoubleMargin = 1e-10;

class Checker {
 public:
  /// @param allowed depth [m] of overlap, for overlap-based laws. @param between whether to look
  /// between states.
  Checker(const TraceReader& trace, double allowed, bool between)
      : trace_(trace), allowed_(allowed), between_(between), passages_(trace, allowed) {
    for (const auto solid : trace.solid_of) radii_.push_back(trace.solids[solid].bounding_radius);
    for (const double radius : radii_) reach_ = std::max(reach_, kReach * radius);
  }

  void check(const State& state) {
    ++states_;
    if (between_) follow(state);
    std::map<std::pair<int, int>, Eigen::Vector3d> axes;
    for (const auto& pair : near_pairs(state.poses, radii_, reach_)) {
      const Solid &a = solid(pair.first), &b = solid(pair.second);
      const Pose &pose_a = state.poses[pair.first], &pose_b = state.poses[pair.second];
      ++pairs_;
      if (!a.convex || !b.convex) {
        check_meshes(pair, state, a, b);
        continue;
      }
      // The axis of the state before separates nearly always, and a pair that it keeps farther apart than
      // the closest pair so far can neither intersect nor be the closest.
      const auto known = axes_.find(pair);
      if (known != axes_.end() && separation_along(known->second, a, pose_a, b, pose_b) > ceiling()) {
        axes.insert(*known);
        continue;
      }
      const Separation found = separation(a, pose_a, b, pose_b);
      note(found, state.time, pair.first, pair.second);
      if (found.axis.norm() > 0.5) axes.emplace(pair, found.axis);
    }
    axes_ = std::move(axes);
    for (int w = 0; w < static_cast<int>(trace_.walls.size()); ++w) {
      const Wall& wall = trace_.walls[w];
      if (state.time < wall.from || state.time >= wall.until) continue;
      for (int i = 0; i < static_cast<int>(state.poses.size()); ++i) {
        if (least_separation(solid(i), state.poses[i], wall, state.walls[w]) > ceiling()) continue;
        ++pairs_;
        note(separation(solid(i), state.poses[i], wall, state.walls[w], ceiling()), state.time, i, -1 - w);
      }
    }
  }

  /// Prints the verdict. @returns the exit status.
  int report() const {
    std::printf("states %ld\npairs %ld\nintersections %ld\n", states_, pairs_, intersections_);
    if (between_) std::printf("passages %ld\n", passed_);
    if (smallest_ < std::numeric_limits<Real>::infinity()) {
      std::printf("smallest separation %.6Le m +- %.1Le at t = %.9g s, body %d and %s %d\n", smallest_,
                  error_, time_, first_, second_ < 0 ? "wall" : "body", second_ < 0 ? -1 - second_ : second_);
    }
    if (intersections_ > 0 || passed_ > 0) return 1;
    return states_ > 0 ? 0 : 2;
  }

 private:
  /// What a pair of bodies was when its surfaces were looked at last.
  struct Seen {
    double distance = 0;  ///< no more than it was [m]
    Pose a, b;
  };

  void check_meshes(const std::pair<int, int>& pair, const State& state, const Solid& a, const Solid& b) {
    const Pose &pose_a = state.poses[pair.first], &pose_b = state.poses[pair.second];
    const auto seen = seen_.find(pair);
    if (seen != seen_.end()) {
      // No point comes nearer than by the way of the poles and the turning of the bounding spheres.
      const double moved = (pose_a.x - pose_b.x - seen->second.a.x + seen->second.b.x).norm() +
                           seen->second.a.q.angularDistance(pose_a.q) * a.bounding_radius +
                           seen->second.b.q.angularDistance(pose_b.q) * b.bounding_radius;
      if (seen->second.distance - moved > ceiling()) return;
    }
    const Real within = std::min<Real>(smallest_, 0) + reach_;
    const Separation found = mesh_separation(a, pose_a, b, pose_b, within);
    if (found.value < within) note(found, state.time, pair.first, pair.second);
    seen_[pair] = {static_cast<double>(found.value), pose_a, pose_b};
  }

  void follow(const State& state) {
    for (const Passage& passage : passages_.next(state)) {
      if (++passed_ > 10) continue;
      std::printf("passage before t = %.9g s: body %d and %s %d\n", state.time, passage.first,
                  passage.second < 0 ? "wall" : "body",
                  passage.second < 0 ? -1 - passage.second : passage.second);
    }
  }

  const Solid& solid(int body) const { return trace_.solids[trace_.solid_of[body]]; }
  /// What is farther apart than this is neither an intersection nor the closest.
  double ceiling() const { return std::max(static_cast<double>(smallest_), -allowed_) + kDoubleMargin; }

  void note(const Separation& found, double time, int first, int second) {
    if (found.value + allowed_ <= found.error && ++intersections_ <= 10) {
      std::printf("intersection at t = %.9g s: body %d and %s %d, separation %.3Le m\n", time, first,
                  second < 0 ? "wall" : "body", second < 0 ? -1 - second : second, found.value);
    }
    if (found.value >= smallest_) return;
    smallest_ = found.value;
    error_ = found.error;
    time_ = time;
    first_ = first;
    second_ = second;
  }

  const TraceReader& trace_;
  const double allowed_;  ///< [m]
  const bool between_;
  Passages passages_;
  long passed_ = 0;
  std::vector<double> radii_;
  double reach_ = 0;  ///< [m]
  std::map<std::pair<int, int>, Eigen::Vector3d> axes_;
  std::map<std::pair<int, int>, Seen> seen_;  ///< of pairs with a body that is not convex
  long states_ = 0, pairs_ = 0, intersections_ = 0;
  Real smallest_ = std::numeric_limits<Real>::infinity(), error_ = 0;
  double time_ = 0;
  int first_ = 0, second_ = 0;
};

int run(const char* file, double allowed, bool between) {
  TraceReader trace(file);
  Checker checker(trace, allowed, between);
  for (State state; trace.next(state);) checker.check(state);
  return checker.report();
}

}  // namespace
}  // namespace intersection

int main(int argc, char** argv) {
  char* end = nullptr;
  const double allowed = argc >= 3 ? std::strtod(argv[2], &end) : 0;
  const bool between = argc != 4;
  if (argc < 2 || argc > 4 || (end != nullptr && *end != 0) || !(allowed >= 0) ||
      (!between && std::string_view(argv[3]) != "states")) {
    std::fprintf(stderr,
                 "usage: intersection_check TRACE [DEPTH [states]]   (FILE of SCREE_TRACE=FILE, without the "
                 "rank; overlap in m that does not count; nothing between states)\n");
    return 2;
  }
  try {
    return intersection::run(argv[1], allowed, between);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "intersection_check: %s\n", error.what());
    return 2;
  }
}

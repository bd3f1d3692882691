#include "core/mesh/enclosed_faces.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>

#include "core/activity.hpp"
#include "core/error.hpp"
#include "core/interrupt.hpp"
#include "core/mesh/crossing_faces.hpp"
#include "core/mesh/edge_table.hpp"
#include "core/mesh/face_lines.hpp"
#include "core/mesh/ray_crossings.hpp"
#include "core/text.hpp"

namespace scree {
namespace {

/// Where a face touches others, how far behind it a point is looked at, in touching distances; further where
/// another face is just there.
constexpr double kBehind[] = {4, 16, 64};
constexpr double kAtTouch = 50;  ///< points this near to another face are not looked at, touching distances
constexpr double kParallelToAFace = 1e-6;  ///< sine between planes
constexpr double kTowards = 0.4;           ///< of the way from the middle to a corner

double solid_angle(const Vec3& a, const Vec3& b, const Vec3& c) {
  const double la = a.norm(), lb = b.norm(), lc = c.norm();
  const double below = la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb;
  return 2 * std::atan2(a.dot(b.cross(c)), below);
}

Vec3 middle_of(const PolyhedronSurface& surface, const std::vector<int>& loop) {
  Vec3 middle = Vec3::Zero();
  for (const int v : loop) middle += surface.vertices[v] / static_cast<double>(loop.size());
  return middle;
}

/// Per face those that it touches.
class Touches {
 public:
  Touches(std::size_t faces, const std::vector<std::pair<int, int>>& pairs) : start_(faces + 1, 0) {
    for (const auto& [a, b] : pairs) {
      ++start_[a + 1];
      ++start_[b + 1];
    }
    for (std::size_t f = 0; f < faces; ++f) start_[f + 1] += start_[f];
    others_.resize(2 * pairs.size());
    std::vector<std::size_t> next = start_;
    for (const auto& [a, b] : pairs) {
      others_[next[a]++] = b;
      others_[next[b]++] = a;
    }
  }
  [[nodiscard]] bool any(int face) const { return start_[face] != start_[face + 1]; }
  [[nodiscard]] std::vector<int> of(int face) const {
    return {others_.data() + start_[face], others_.data() + start_[face + 1]};
  }

 private:
  std::vector<std::size_t> start_;
  std::vector<int> others_;
};

/// Looks behind faces.
class Search {
 public:
  Search(const PolyhedronSurface& surface, const std::vector<std::pair<int, int>>& touching)
      : surface_(surface),
        touch_(touching_distance(surface)),
        touches_(surface.loops.size(), touching),
        rays_(surface, touch_),
        edges_(surface.vertices.size(), surface.loops),
        faces_(static_cast<int>(surface.loops.size())),
        activity_(
            text::join("checking a surface of ", std::to_string(faces_), " faces for overlapping parts")) {}

  std::vector<EnclosedFace> run() {
    std::vector<EnclosedFace> found;
    std::vector<char> done(faces_, 0);
    for (int f = 0; f < faces_; ++f) {
      if (f % 64 == 0) activity_.advance(static_cast<double>(f) / faces_);
      if (done[f] != 0) continue;
      if (touches_.any(f)) {
        if (const auto one = look_behind_pieces(f)) found.push_back(*one);
        continue;
      }
      const std::vector<int> patch = patch_of(f, done);
      const int times = behind_patch(patch);
      if (times == 1) continue;
      for (const int g : patch) found.push_back({g, middle_of(surface_, surface_.loops[g]), times});
    }
    std::sort(found.begin(), found.end(),
              [](const EnclosedFace& a, const EnclosedFace& b) { return a.face < b.face; });
    return found;
  }

 private:
  /// Faces that touch no others and hang together by edges; marked as done.
  std::vector<int> patch_of(int seed, std::vector<char>& done) const {
    std::vector<int> patch{seed};
    done[seed] = 1;
    InterruptLook look;
    for (std::size_t i = 0; i < patch.size(); ++i) {
      look();
      const std::vector<int>& loop = surface_.loops[patch[i]];
      for (std::size_t k = 0; k < loop.size(); ++k) {
        const int other = edges_.loop_of(loop[(k + 1) % loop.size()], loop[k]);
        if (other < 0 || done[other] != 0 || touches_.any(other)) continue;
        done[other] = 1;
        patch.push_back(other);
      }
    }
    return patch;
  }

  [[nodiscard]] double inner_distance(int face, const Vec3& p) const {
    return distance_from_outline(surface_, face, rays_.normal(face), p);
  }

  /// The middle of the roomiest face first; any other says the same.
  [[nodiscard]] int behind_patch(const std::vector<int>& patch) const {
    int best = patch.front();
    double room = 0;
    InterruptLook look;
    for (const int f : patch) {
      look();
      const double here = inner_distance(f, middle_of(surface_, surface_.loops[f]));
      if (here > room) {
        room = here;
        best = f;
      }
    }
    if (const auto times = rays_.around(middle_of(surface_, surface_.loops[best]), rays_.normal(best), best))
      return *times;
    for (const int f : patch) {
      check_interrupt();
      if (const auto times = rays_.around(middle_of(surface_, surface_.loops[f]), rays_.normal(f), f))
        return *times;
    }
    throw_undecided(best);
  }

  [[noreturn]] static void throw_undecided(int face) {
    throw InputError("", text::join("cannot decide whether face ", std::to_string(face),
                                    " lies inside another part of the surface: other faces are too close."));
  }

  /// Whether one of the faces that are not parallel to a face is at a point of it: what is just behind may be
  /// the tip of another part.
  [[nodiscard]] bool is_at_touch(const Vec3& p, const Vec3& n, const std::vector<int>& others) const {
    const double near = kAtTouch * touch_;
    return std::any_of(others.begin(), others.end(), [&](int g) {
      const Vec3& m = rays_.normal(g);
      return m.cross(n).norm() > kParallelToAFace &&
             std::abs(m.dot(p - surface_.vertices[surface_.loops[g][0]])) <= near &&
             inner_distance(g, p) >= -near;
    });
  }

  [[nodiscard]] std::optional<EnclosedFace> look_behind_pieces(int face) const {
    const Vec3& n = rays_.normal(face);
    const std::vector<int> others = touches_.of(face);
    std::vector<Vec3> points = points_of_pieces(surface_, face, others, touch_);
    // The middle, and more: it may be just where a tip touches.
    const Vec3 middle = middle_of(surface_, surface_.loops[face]);
    points.push_back(middle);
    for (const int v : surface_.loops[face])
      points.emplace_back(middle + kTowards * (surface_.vertices[v] - middle));
    bool counted = false, has_room = false;
    for (const Vec3& p : points) {
      if (inner_distance(face, p) <= 2 * touch_) continue;
      has_room = true;
      if (is_at_touch(p, n, others)) continue;
      for (const double depth : kBehind) {
        const auto times = rays_.around(p - depth * touch_ * n, n, -1);
        if (!times) continue;
        if (*times != 1) return EnclosedFace{face, p, *times};
        counted = true;
        break;
      }
    }
    if (has_room && !counted) throw_undecided(face);
    return std::nullopt;
  }

  const PolyhedronSurface& surface_;
  double touch_;
  Touches touches_;
  RayCrossings rays_;
  EdgeTable edges_;
  int faces_;
  Activity activity_;
};

}  // namespace

double winding_number(const PolyhedronSurface& surface, const Vec3& point) {
  double sum = 0;
  for (const std::vector<int>& loop : surface.loops) {
    const Vec3 a = surface.vertices[loop[0]] - point;
    for (std::size_t k = 1; k + 1 < loop.size(); ++k)
      sum += solid_angle(a, surface.vertices[loop[k]] - point, surface.vertices[loop[k + 1]] - point);
  }
  return sum / (4 * std::numbers::pi);
}

std::vector<EnclosedFace> enclosed_faces(const PolyhedronSurface& surface,
                                         const std::vector<std::pair<int, int>>& touching) {
  return Search(surface, touching).run();
}

}  // namespace scree

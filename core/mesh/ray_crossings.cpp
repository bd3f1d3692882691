#include "core/mesh/ray_crossings.hpp"

#include <cmath>
#include <random>

#include "core/interrupt.hpp"

namespace scree {
namespace {

/// Of the product of lengths that makes the volume of a ray and an edge: round-off could turn its sign.
constexpr double kDoubtful = 1e-12;
constexpr int kRays = 100;

/// Six times the volume between a ray and an edge, the same but for the sign from both sides of the edge.
double side(const Vec3& direction, const Vec3& p, const std::vector<Vec3>& vertices, int v, int w,
            bool& doubtful) {
  const Vec3 a = vertices[std::min(v, w)] - p;
  const Vec3 b = vertices[std::max(v, w)] - p;
  const double volume = direction.dot(a.cross(b));
  doubtful = std::abs(volume) <= kDoubtful * a.norm() * b.norm();
  return v < w ? volume : -volume;
}

/// Whether a ray, to both sides, meets a box.
bool meets(const Eigen::AlignedBox3d& box, const Vec3& p, const Vec3& inverse) {
  const Vec3 s = (box.min() - p).cwiseProduct(inverse);
  const Vec3 t = (box.max() - p).cwiseProduct(inverse);
  return s.cwiseMax(t).minCoeff() >= std::max(0.0, s.cwiseMin(t).maxCoeff());
}

}  // namespace

RayCrossings::RayCrossings(const PolyhedronSurface& surface, double touch)
    : surface_(surface), touch_(touch) {
  std::vector<Eigen::AlignedBox3d> boxes;
  boxes.reserve(surface.loops.size());
  normals_.reserve(surface.loops.size());
  const Vec3 margin = Vec3::Constant(touch);
  InterruptLook look;
  for (const std::vector<int>& loop : surface.loops) {
    look();
    normals_.push_back(polygon_normal(surface.vertices, loop));
    Eigen::AlignedBox3d box;
    for (const int v : loop) box.extend(surface.vertices[v]);
    boxes.emplace_back(box.min() - margin, box.max() + margin);
  }
  tree_ = FaceTree(boxes);
}

RayCrossings::Outcome RayCrossings::count(const Vec3& p, const Vec3& direction, int own, int& times) const {
  times = 0;
  Outcome outcome = Outcome::counted;
  // A ray begins a little before p, so that faces on which p lies are met.
  const Vec3 start = p - 2 * touch_ * direction;
  const Vec3 inverse = direction.cwiseInverse();
  const auto of_interest = [&](const Eigen::AlignedBox3d& box) {
    return outcome == Outcome::counted && meets(box, start, inverse);
  };
  tree_.visit(of_interest, [&](int face) {
    if (face == own || outcome != Outcome::counted) return;
    const std::vector<int>& loop = surface_.loops[face];
    const double rise = normals_[face].dot(direction);
    // Planes along the ray are left by edges, which are then in doubt.
    const double height = normals_[face].dot(surface_.vertices[loop[0]] - p);
    bool doubtful = false, positive = false, negative = false;
    for (std::size_t k = 0; k < loop.size(); ++k) {
      bool here = false;
      const double volume =
          side(direction, p, surface_.vertices, loop[k], loop[k + 1 < loop.size() ? k + 1 : 0], here);
      if (here) {
        doubtful = true;
      } else {
        (volume > 0 ? positive : negative) = true;
      }
    }
    if (positive && negative) return;
    const bool behind = height * rise < 0 && std::abs(height) > touch_;
    if (behind) return;
    if (doubtful) {
      outcome = Outcome::near_edge;
    } else if (std::abs(height) <= touch_) {
      outcome = Outcome::on_face;
    } else {
      times += positive ? 1 : -1;
    }
  });
  return outcome;
}

std::optional<int> RayCrossings::around(const Vec3& p, const Vec3& n, int own) const {
  std::mt19937_64 engine(1);
  std::uniform_real_distribution<double> uniform(-1, 1);
  for (int k = 0; k < kRays; ++k) {
    const double x = uniform(engine), y = uniform(engine), z = uniform(engine);
    int times = 0;
    const Outcome outcome = count(p, (Vec3(x, y, z) - 2 * n).normalized(), own, times);
    if (outcome == Outcome::counted) return times;
    if (outcome == Outcome::on_face) return std::nullopt;
  }
  return std::nullopt;
}

}  // namespace scree

/// How the vertices of a coupled boundary move in time.
#pragma once

#include <algorithm>
#include <vector>

#include "core/archive.hpp"
#include "core/types.hpp"

namespace scree {

/// Motion of vertices between two times, outside of which they stand still: linear in time, or the cubic that
/// has the given velocities at both ends.
struct SurfaceMotion {
  double from = 0, to = 0;   ///< [s]; equal: they stand still at x1
  std::vector<Vec3> x0, x1;  ///< positions then [m]
  std::vector<Vec3> v0, v1;  ///< velocities then [m/s]; empty: linear

  template <class Self, class Archive>
  static void visit(Self& self, Archive& archive) {
    archive("from", self.from, "s");
    archive("to", self.to, "s");
    archive("first", self.x0, "m");
    archive("last", self.x1, "m");
    archive("first_velocity", self.v0, "m/s");
    archive("last_velocity", self.v1, "m/s");
  }

  [[nodiscard]] Vec3 position(std::size_t k, double time) const {
    if (time >= to) return x1[k];
    if (time <= from) return x0[k];
    const double h = to - from, s = (time - from) / h;
    if (v0.empty()) return x0[k] + s * (x1[k] - x0[k]);
    // Hermite's polynomials.
    return x0[k] + s * s * (3 - 2 * s) * (x1[k] - x0[k]) + h * s * (1 - s) * ((1 - s) * v0[k] - s * v1[k]);
  }
  /// @param during a time in the piece that is meant: at its ends the velocity jumps [s].
  [[nodiscard]] Vec3 velocity(std::size_t k, double time, double during) const {
    if (during <= from || during >= to) return Vec3::Zero();
    const double h = to - from, s = (time - from) / h;
    if (v0.empty()) return (x1[k] - x0[k]) / h;
    return 6 * s * (1 - s) * (x1[k] - x0[k]) / h + (1 - s) * (1 - 3 * s) * v0[k] + s * (3 * s - 2) * v1[k];
  }
  /// @returns a bound on the speed of a vertex within the motion [m/s]; it is reached in motion along a line.
  [[nodiscard]] double largest_speed(std::size_t k) const {
    const double h = to - from;
    if (v0.empty()) return (x1[k] - x0[k]).norm() / h;
    // Bernstein's form of the velocity; of its parts the norms.
    const double a = v0[k].norm(), c = v1[k].norm();
    const double b = (3 * (x1[k] - x0[k]) / h - v0[k] - v1[k]).norm();
    const double bend = 2 * b - a - c;
    return b > std::max(a, c) ? a + (b - a) * (b - a) / bend : std::max(a, c);
  }
};

/// All of a coupled boundary that outlives a step.
struct SurfaceState {
  SurfaceMotion motion;
  std::vector<Vec3> x, v;    ///< of the vertices [m], [m/s]
  std::vector<Vec3> forces;  ///< of bodies on them, all ranks [N]

  template <class Self, class Archive>
  static void visit(Self& self, Archive& archive) {
    archive("motion", self.motion, "");
    archive("position", self.x, "m");
    archive("velocity", self.v, "m/s");
    archive("force", self.forces, "N");
  }
};

}  // namespace scree

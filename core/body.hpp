/// A rigid body: what is fixed about it, its accepted state, and its trial state within a step.
#pragma once

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "core/periodic_cell.hpp"
#include "core/types.hpp"

namespace scree {

/// Unknowns of a rigid body: 3 displacement and 3 Rodrigues increments. Only code that knows that its
/// entity is a rigid body may use it; numbering and assembly take sizes from the entities.
inline constexpr int kBodyUnknowns = 6;

/// Whether nothing of a body is free.
[[nodiscard]] inline bool all_fixed(const std::array<bool, kBodyUnknowns>& fixed) {
  return std::all_of(fixed.begin(), fixed.end(), [](bool one) { return one; });
}

/// Whether the centre of mass of a body is held; it may turn.
[[nodiscard]] inline bool pole_fixed(const std::array<bool, kBodyUnknowns>& fixed) {
  return fixed[0] && fixed[1] && fixed[2];
}

/// What does not change during a run.
struct BodyProperties {
  BodyId id = 0;
  int shape = 0;                  ///< index into the shapes of the model
  int material = 0;               ///< index into the materials of the model
  double mass = 0;                ///< [kg]
  Mat3 inertia_B = Mat3::Zero();  ///< about the centre of mass, body frame [kg m^2]
  double length = 1;              ///< bounding radius [m]: turns moments into forces in norms and unknowns
  std::array<bool, kBodyUnknowns> fixed{};  ///< x y z rx ry rz (global axes)
  Vec3 start = Vec3::Zero();                ///< pole where the body began, displacements are from here [m]

  template <class Self, class Archive>
  static void visit(Self& self, Archive& archive) {
    archive("id", self.id, "");
    archive("shape", self.shape, "");
    archive("material", self.material, "");
    archive("mass", self.mass, "kg");
    archive("inertia", self.inertia_B, "kg m^2");
    archive("bounding_radius", self.length, "m");
    archive("fixed", self.fixed, "");
    archive("start", self.start, "m");
  }
};

/// Accepted state: everything of a body that outlives a step. Global frame, pole = centre of mass.
struct BodyState {
  Vec3 x = Vec3::Zero();      ///< position of the pole [m]
  Quat q = Quat::Identity();  ///< orientation, body to global
  Vec3 v = Vec3::Zero();      ///< velocity [m/s]
  Vec3 w = Vec3::Zero();      ///< angular velocity [rad/s]
  Vec3 a = Vec3::Zero();      ///< acceleration [m/s^2]
  Vec3 dw = Vec3::Zero();     ///< angular acceleration [rad/s^2]
  CellNumber cell{};  ///< in which the pole would be, had it never been brought back into the first one

  template <class Self, class Archive>
  static void visit(Self& self, Archive& archive) {
    archive("position", self.x, "m");
    archive("orientation", self.q, "");
    archive("velocity", self.v, "m/s");
    archive("angular_velocity", self.w, "rad/s");
    archive("acceleration", self.a, "m/s^2");
    archive("angular_acceleration", self.dw, "rad/s^2");
    archive("cell", self.cell, "");
  }
};

/// State at the trial increment (u, alpha), as contact and loads see it.
struct BodyTrial {
  Vec3 u = Vec3::Zero();          ///< displacement since the accepted state [m]
  Vec3 alpha = Vec3::Zero();      ///< Rodrigues increment since the accepted state [-]
  Vec3 x = Vec3::Zero();          ///< pole [m]
  Mat3 R = Mat3::Identity();      ///< orientation, body to global
  Vec3 x_n = Vec3::Zero();        ///< pole of the accepted state [m], the same bits in all trial states
  Mat3 R_n = Mat3::Identity();    ///< orientation there
  Mat3 Q = Mat3::Identity();      ///< increment of rotation, R = Q R_n
  Mat3 Xi = Mat3::Identity();     ///< virtual spin = Xi * delta alpha (theory 01 section 3)
  Vec3 v = Vec3::Zero();          ///< velocity given by the integrator [m/s]
  Vec3 w = Vec3::Zero();          ///< angular velocity [rad/s]
  double dv_du = 0;               ///< d v / d u [1/s]
  Mat3 dw_dtheta = Mat3::Zero();  ///< d w / d(virtual spin) [1/s]
  double end_weight =
      0.5;           ///< energy-consistent steps: of the end in the mean velocity (theory 11 section 1)
  double phase = 0;  ///< deforming boundary: part of the step's motion that its vertices have made
};

/// Bodies known to this rank: owned ones first (ascending id), then ghosts (ascending id), then the
/// boundaries, which every rank has and whose motion is prescribed.
struct Bodies {
  int owned = 0;
  int ghosts = 0;
  int boundaries = 0;
  std::vector<BodyProperties> properties;  ///< size all()
  std::vector<BodyState> state;            ///< size all()
  std::vector<BodyTrial> trial;            ///< size all()

  PeriodicCell periodic;

  [[nodiscard]] int moving() const { return owned + ghosts; }
  [[nodiscard]] int all() const { return owned + ghosts + boundaries; }
  [[nodiscard]] std::vector<BodyId> owned_ids() const {
    std::vector<BodyId> ids(static_cast<std::size_t>(owned));
    std::transform(properties.begin(), properties.begin() + owned, ids.begin(),
                   [](const BodyProperties& body) { return body.id; });
    return ids;
  }
  /// @returns number of a moving body here, -1 if this rank does not know it.
  [[nodiscard]] int find(BodyId id) const {
    const auto begin = properties.begin();
    for (const auto& [first, count] : {std::pair(begin, owned), std::pair(begin + owned, ghosts)}) {
      const auto found =
          std::lower_bound(first, first + count, id,
                           [](const BodyProperties& body, BodyId wanted) { return body.id < wanted; });
      if (found != first + count && found->id == id) return static_cast<int>(found - begin);
    }
    return -1;
  }
  [[nodiscard]] bool is_owned(int i) const { return i < owned; }
  [[nodiscard]] bool is_boundary(int i) const { return i >= moving(); }

  /// @returns where the accepted pole would be, had it never been brought back into the cell [m].
  [[nodiscard]] Vec3 unwrapped(const BodyState& body) const { return body.x + periodic.way_to(body.cell); }
  /// @returns the way from body b to that image of it that a meets [m]. @param image number of the image's
  /// cell, seen from the cell of a, as if no pole had ever been brought back: it stays when poles are.
  [[nodiscard]] Vec3 way_to_image(int a, int b, const CellNumber& image) const {
    return periodic.way_to(image + state[b].cell - state[a].cell);
  }
};

}  // namespace scree

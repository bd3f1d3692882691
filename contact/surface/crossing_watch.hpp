/// Whether a surface that deforms has come to pass through itself.
#pragma once

#include <array>
#include <optional>
#include <utility>
#include <vector>

#include "core/shapes/shape.hpp"

namespace scree::contact {

/// Measures how far triangles are apart only after the surface has changed its shape by half of the least
/// such distance: before, none can have met. Moving as a rigid body is no change of shape.
class CrossingWatch {
 public:
  /// @param surface of triangles. Pairs that touch here, beside their common vertices, are not watched.
  explicit CrossingWatch(const Shape& surface);

  /// @param x vertices [m]. @returns two triangles that touch or cross, if any do. Cost: n for n vertices, n
  /// log n where distances are measured. @throws Interrupted.
  [[nodiscard]] std::optional<std::pair<int, int>> find(const std::vector<Vec3>& x);

  /// How often distances have been measured.
  [[nodiscard]] long measured() const { return measured_; }

 private:
  using Triangle = std::array<int, 3>;
  template <class Found>
  void visit_near_pairs(const std::vector<Vec3>& x, Found&& found) const;
  [[nodiscard]] bool may_have_met(const std::vector<Vec3>& x) const;

  std::vector<Triangle> triangles_;
  std::vector<std::pair<int, int>> touching_;  ///< sorted
  double touch_ = 0;                           ///< what is nearer touches [m]
  double reach_ = 0;                           ///< distances beyond it are not measured [m]
  std::vector<Vec3> x_;                        ///< when distances were measured [m]
  double least_ = 0;                           ///< of them, at most reach_ [m]
  long measured_ = 0;
};

}  // namespace scree::contact

/// Where the boundaries of a run are, and which bodies have left them for good.
#pragma once

#include <vector>

#include "solvers/observer.hpp"
#include "solvers/world/world.hpp"

namespace scree {

/// The domain spans the bodies at the start, the inlets and outlets, and the boundaries where they are now,
/// as far as these end and are active or will be. Without a boundary or a fixed body there is no domain.
///
/// A body has left it if nothing touches it and
/// - it has fallen past all of this: along gravity its pole is more than its bounding diameter beyond the
///   domain, it moves further away, and no infinite boundary is in the way of its fall (a plane that faces
///   upwards, a cylinder from inside that is not vertical); with a fixed body, on which others may hang, it
///   is beyond by a diagonal of the domain as well, or
/// - it is further away than kFar diagonals of the domain, goes away, and will be no nearer at the end of the
///   run under gravity alone. Before an infinite plane only the distance from the plane counts.
class Domain {
 public:
  static constexpr double kFar = 10;

  /// At the start. Collective.
  explicit Domain(const World& world);

  /// @returns potential energy that owned bodies have lost beyond the domain, along gravity [J]: what falls
  /// for ever would otherwise add to the energy of the run for ever. Not collective.
  [[nodiscard]] double potential_lost_outside(const World& world, double time) const;

  /// @param wrench by contact and bonds, per owned body. @param time [s]. Collective.
  [[nodiscard]] LeftBodies left(const World& world, const std::vector<Wrench>& wrench, double time) const;

  /// What is known of the start: the rest follows from the boundaries.
  template <class Self, class Archive>
  static void visit(Self& self, Archive& archive) {
    archive("start", self.start_, "m");
    archive("exists", self.exists_, "");
  }

 private:
  struct Box {
    Vec3 low, high;
    template <class Self, class Archive>
    static void visit(Self& self, Archive& archive) {
      archive("low", self.low, "m");
      archive("high", self.high, "m");
    }
    Box();
    void add(const Vec3& x, double radius = 0);
    [[nodiscard]] bool empty() const { return low.x() > high.x(); }
    /// Largest coordinate along a unit vector [m].
    [[nodiscard]] double reach(const Vec3& along) const;
  };
  /// The domain at a time, as far as it ends.
  [[nodiscard]] Box box(const World& world, double time) const;
  /// Largest coordinate along gravity up to which a fall may still end [m]; infinity where it always does.
  [[nodiscard]] double depth(const World& world, double time, const Box& all) const;
  /// Distance from the domain of a pole [m].
  [[nodiscard]] static double distance(const World& world, double time, const Box& all, const Vec3& x);

  Box start_;  ///< bodies at the start, inlets and outlets
  /// Per boundary part, in its frame, where its vertices do not move; empty where it has no end.
  std::vector<Box> own_;
  std::vector<char> met_;  ///< per boundary part: something that moves, or will, interacts with it
  bool exists_ = false;
  bool holds_ = false;  ///< a body is fixed
};

}  // namespace scree

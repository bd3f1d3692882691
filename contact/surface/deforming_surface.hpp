/// A boundary whose vertices move within a step: its geometry at any part of the step, how points of it move,
/// and what forces on it are at its vertices (docs/howto/coupling.md).
///
/// Between the accepted state (phase 0) and the end of the step (phase 1) vertices go straight. Global frame:
/// the pose of such a boundary is the identity.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "contact/geometry/closest_points.hpp"
#include "contact/pair/pair.hpp"
#include "core/shapes/shape.hpp"

namespace scree::contact {

/// A place on a surface that goes with it.
struct SurfacePlace {
  FeatureKind kind = FeatureKind::face;
  int feature = 0;
  Vec3 point = Vec3::Zero();  ///< near the feature [m]
  double phase = 0;           ///< at which the point is near it
};

class DeformingSurface {
 public:
  /// @param accepted outlives this object; its vertices, and what follows from them, become those of the
  /// accepted state. Topology never changes.
  explicit DeformingSurface(Shape& accepted);

  /// Accepts positions [m] and velocities [m/s], one per vertex; a step is forgotten.
  void accept(const std::vector<Vec3>& x, const std::vector<Vec3>& v);
  /// The step under way ends with these.
  void set_end(const std::vector<Vec3>& x, const std::vector<Vec3>& v);

  [[nodiscard]] int vertices() const { return static_cast<int>(v_.size()); }
  /// Geometry at a phase. Of other phases than 0 the last two that were used are valid.
  [[nodiscard]] const Shape& at(double phase) const;
  [[nodiscard]] Vec3 position(int k, double phase) const { return x_[k] + phase * way_[k]; }
  [[nodiscard]] Vec3 velocity(int k, double phase) const { return v_[k] + phase * (v_end_[k] - v_[k]); }
  /// Displacement of a vertex in the whole step [m].
  [[nodiscard]] const Vec3& way_of(int k) const { return way_[k]; }

  /// Largest displacement of a vertex in the whole step [m].
  [[nodiscard]] double largest_way() const { return largest_way_; }
  /// Largest speed of a vertex at the accepted state [m/s].
  [[nodiscard]] double largest_speed() const { return largest_speed_; }
  /// Bound on how far a vertex has moved since any state before: the difference of two values [m].
  [[nodiscard]] double way(double phase) const { return travelled_ + phase * largest_way_; }

  /// Motion of the surface at a place, from the accepted state to a phase, as that of a rigid body whose pole
  /// was at the origin: exact for the place itself, and to first order near it. Spins are those of the faces
  /// at the feature, their mean at edges and vertices.
  [[nodiscard]] BodyTrial motion_at(const SurfacePlace& place, double phase) const;
  /// Motion of the surface over the step up to a phase, as that of a rigid body whose mean pole is the foot
  /// of the place, which is given at half of that phase: exact for rigid motions, and the work in it of a
  /// force at the place and a couple is the work of the vertices' forces of `add_forces` over the step. So
  /// are the velocities, at the end.
  [[nodiscard]] BodyTrial motion_over(const SurfacePlace& place, double phase) const;
  /// Displacement of a place from the accepted state to a phase [m].
  [[nodiscard]] Vec3 displacement_at(const SurfacePlace& place, double phase) const;
  /// Velocity of a place at a phase [m/s].
  [[nodiscard]] Vec3 velocity_at(const SurfacePlace& place, double phase) const;
  /// Adds to the vertices what a force at the place and a couple do: the forces that do the same work as they
  /// in every motion of the vertices, a point beside the surface going with its feature. Their sum and moment
  /// are those of the force and couple, to round-off. The geometry is that of the phase of the place.
  void add_forces(const SurfacePlace& place, const Vec3& force, const Vec3& couple,
                  std::vector<Vec3>& forces) const;

  /// Some features of the surface.
  struct Part {
    std::vector<int> faces, edges, vertices;
    /// Mean displacement of the vertices in the whole step, and how far one of them is from it [m].
    Vec3 mean_way = Vec3::Zero();
    double spread = 0;
  };
  /// @returns the features that the candidates of a pair, of which this surface is B, look at.
  [[nodiscard]] Part part_of(const BodyPair& pair) const;
  /// @returns a shape in which these features, and no others, are at a phase, for a walk along a path; the
  /// next call ends it.
  [[nodiscard]] const Shape& walk(const Part& part, double phase) const;

 private:
  /// Weights of vertices in the displacement of a place, and its foot.
  struct Weights {
    std::array<int, 3> vertex{};
    std::array<double, 3> weight{};
    int count = 0;
  };
  [[nodiscard]] Weights weights_of(const SurfacePlace& place) const;
  /// Mean rotation from the accepted state to a phase at the feature of a place, as a Rodrigues vector.
  [[nodiscard]] Vec3 turn_at(const SurfacePlace& place, double phase) const;
  [[nodiscard]] Vec3 spin_at(const SurfacePlace& place, double phase) const;
  [[nodiscard]] std::array<Vec3, 3> corners(int face, double phase) const;
  struct Slot {
    double phase = 0;  ///< 0: nothing
    Shape shape;
  };

  Shape* accepted_;
  std::vector<Vec3> x_, v_, way_, v_end_;
  double largest_way_ = 0, largest_speed_ = 0;
  double travelled_ = 0;  ///< largest displacements of accepted steps, summed [m]
  mutable std::array<Slot, 2> slots_;
  mutable int last_ = 0;   ///< slot that was used last
  mutable Shape walking_;  ///< of `place`
};

/// @returns the place on B of a pair, which deforms, that a contact touches. @param key of it. @param point
/// of it, at a phase [m].
SurfacePlace place_of_contact(const BodyPair& pair, const DeformingSurface& surface, std::uint64_t key,
                              const Vec3& point, double phase);

/// The same of a contact of the last evaluation, at its first term.
SurfacePlace place_of_contact(const BodyPair& pair, const DeformingSurface& surface, const Active& contact,
                              double phase);
/// The same of a contact of the accepted state.
SurfacePlace place_of_contact(const BodyPair& pair, const DeformingSurface& surface,
                              const HistoryEntry& entry);

/// The same of a candidate. @param point on B where it is nearest [m].
SurfacePlace place_of_item(const BodyPair& pair, const Item& item, const DeformingSurface& surface,
                           const Vec3& point, double phase);

/// The surface that a contact of A touches, as a rigid body that goes with the place: what friction, damping
/// and rolling of a contact see of B. For a rigid B, B itself.
class FacetView {
 public:
  explicit FacetView(const BodyView& b) : b_(&b) {}
  explicit FacetView(const BodyView&&) = delete;
  /// The next call ends what is returned.
  [[nodiscard]] const BodyView& at(const BodyPair& pair, const Active& contact) {
    return b_->surface == nullptr
               ? *b_
               : see(pair, contact.key, foot_on_b(pair.terms[contact.first]), b_->trial->phase);
  }
  /// The same of a contact of the accepted state.
  [[nodiscard]] const BodyView& at(const BodyPair& pair, const HistoryEntry& entry) {
    return b_->surface == nullptr ? *b_ : see(pair, entry.key, entry.arm_b, 0);
  }
  /// The same of a contact that has a key and a first term.
  [[nodiscard]] const BodyView& at(const BodyPair& pair, std::uint64_t key, const Term& term) {
    return b_->surface == nullptr ? *b_ : see(pair, key, foot_on_b(term), b_->trial->phase);
  }

 private:
  const BodyView& see(const BodyPair& pair, std::uint64_t key, const Vec3& point, double phase);

  const BodyView* b_;
  std::optional<BodyTrial> trial_;
  BodyView view_;
};

/// Brings what follows from vertices (normals, edges, bounds, the tree of faces) up to date. All edges and
/// vertices of a deforming surface can touch, however flat it is, so that no contact begins or ends because
/// the surface bends. @param surface with its tree, which keeps its order.
void update_geometry(Shape& surface);

/// Faces that bend over so far from how they were that the surface is no surface any more: those of which the
/// area shrinks below a part of what it was, and those that fold back on a neighbour.
struct SurfaceFault {
  int face = -1;
  int other = -1;   ///< neighbour that it folds onto; -1: it degenerates
  double area = 0;  ///< [m^2]
};
/// @param before, after vertices. @returns the first fault, face -1 without any.
SurfaceFault find_fault(const Shape& surface, const std::vector<Vec3>& before,
                        const std::vector<Vec3>& after);

/// The same for faces that shrink on the way, and are of full size again at its end, as those of a surface
/// that is mirrored. @param way vertices at each control point of a Bezier curve in time: two for motion
/// along lines, four for that which has given velocities at its ends. @returns the first fault, face -1
/// without any; its area is the one at a time at which it is too small.
SurfaceFault find_fault_on_the_way(const Shape& surface, const std::vector<std::vector<Vec3>>& way);

}  // namespace scree::contact

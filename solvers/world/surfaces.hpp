/// Coupled boundaries: surfaces whose vertices are moved from outside, and the forces on them. Every rank has
/// all of their triangles.
#pragma once

#include <mpi.h>

#include <functional>
#include <memory>
#include <vector>

#include "contact/surface/deforming_surface.hpp"
#include "core/body.hpp"
#include "solvers/model.hpp"
#include "solvers/world/surface_motion.hpp"

namespace scree {

class Surfaces {
 public:
  /// At the positions of the model, at rest. @param shapes of the world, outlive this object: those of
  /// coupled boundaries follow their vertices. @param first_wall index of the first of Model::walls among
  /// them.
  Surfaces(const Model& model, std::vector<Shape>& shapes, int first_wall);

  [[nodiscard]] bool empty() const { return surfaces_.empty(); }
  /// @returns per boundary part its surface, null for rigid ones; nothing if all are rigid.
  [[nodiscard]] std::vector<const contact::DeformingSurface*> by_part() const;

  /// @param part number of the boundary part. @throws std::invalid_argument if it is not coupled.
  [[nodiscard]] const SurfaceState& state(int part) const { return of(part).state; }
  void set_motion(int part, SurfaceMotion motion);
  [[nodiscard]] std::vector<SurfaceState> states() const;
  /// @throws std::invalid_argument if these are states of other surfaces.
  void restore(const std::vector<SurfaceState>& states);

  /// A surface with what it knows of its way: lists of contacts refer to that.
  struct Kept {
    SurfaceState state;
    contact::DeformingSurface surface;
  };
  [[nodiscard]] std::vector<Kept> keep() const;
  /// Goes back to what `keep` of this object returned.
  void go_back(const std::vector<Kept>& kept);

  /// @returns the end of a motion after `time` [s], infinity without one.
  [[nodiscard]] double next_knot(double time) const;
  /// Accepts the vertices at `time`. @param during as in motion_at.
  void move(double time, double during);
  /// Trial states of a step that began at `from` and has the size h [s], at `time`.
  void move_trial(Bodies& bodies, double from, double time, double h);

  /// Sums the forces of all ranks on the vertices. @param add called with each boundary part that is coupled,
  /// adds what the bodies of this rank do. Collective.
  void update_forces(const std::function<void(int part, std::vector<Vec3>& forces)>& add, MPI_Comm comm);

 private:
  struct One {
    int part = 0;
    std::unique_ptr<contact::DeformingSurface> surface;
    SurfaceState state;
  };
  [[nodiscard]] const One& of(int part) const;

  const Model* model_;
  std::vector<One> surfaces_;
};

}  // namespace scree

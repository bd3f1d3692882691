/// Geometry of the local bodies, and of their images in the periodic cell, where forces are evaluated.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "contact/neighbours/contact_model.hpp"
#include "contact/pair/pair.hpp"
#include "contact/pair/pair_wrench.hpp"
#include "core/body.hpp"

namespace scree::contact {

/// Geometry of the trial state; of the accepted one in a frozen step.
class TrialGeometry {
 public:
  explicit TrialGeometry(const ContactModel& model) : model_(&model) {}

  /// Boundaries whose vertices move. @param surfaces per boundary part, null for rigid ones; they outlive
  /// this object.
  void set_surfaces(std::vector<const DeformingSurface*> surfaces) { surfaces_ = std::move(surfaces); }
  /// Per boundary part; empty: none deforms.
  [[nodiscard]] const std::vector<const DeformingSurface*>& surfaces() const { return surfaces_; }
  /// @returns the surface of a boundary that deforms; null for all others.
  [[nodiscard]] const DeformingSurface* surface_of(const Bodies& bodies, int i) const {
    return surfaces_.empty() || !bodies.is_boundary(i)
               ? nullptr
               : surfaces_[static_cast<std::size_t>(i - bodies.moving())];
  }

  /// The geometry is that of this step from the next `update` on.
  void begin_step(const StepContext& step) {
    is_frozen_ = step.frozen;
    mean_poles_ = step.secant;
  }
  /// Whether forces are those of the accepted geometry.
  [[nodiscard]] bool is_frozen() const { return is_frozen_; }
  /// Moves cached vertices (in a frozen step poses too) to the state that forces are evaluated at.
  void update(const Bodies& bodies);
  /// Collects the images that pairs meet.
  void list_images(std::vector<BodyPair>& pairs);
  /// Moves images outside of an evaluation, when trial states are others than at the last one. Bodies'
  /// vertices must have been updated since the search.
  void refresh_images(const Bodies& bodies);

  [[nodiscard]] BodyView view(const Bodies& bodies, int i) const {
    const BodyTrial& trial = is_frozen_ ? frozen_[i] : bodies.trial[i];
    const DeformingSurface* surface = surface_of(bodies, i);
    return {surface == nullptr ? &model_->shape_of(bodies, i) : &shape_at(*surface, trial), &trial,
            first_vertex_[i] < 0 ? nullptr : vertices_.data() + first_vertex_[i], surface};
  }
  /// The same of B of a pair, or of the image of B that A meets.
  [[nodiscard]] BodyView view_of_b(const Bodies& bodies, const BodyPair& pair) const {
    return pair.seen_as < 0 ? view(bodies, pair.b) : view_of_image(bodies, pair);
  }
  /// From the pole of B, or of its image, to that of A, about which wrenches are [m]: the trial state's, in
  /// steps whose forces are secants the mean poles of the step.
  [[nodiscard]] Vec3 arm_of(const Bodies& bodies, const BodyPair& pair) const;

 private:
  /// A body seen through faces of the periodic cell.
  struct Image {
    int body = 0;
    Vec3 shift = Vec3::Zero();  ///< from the body [m]
    BodyTrial trial;
    int first_vertex = 0;
  };
  /// Geometry at a trial state.
  [[nodiscard]] static const Shape& shape_at(const DeformingSurface& surface, const BodyTrial& trial);
  [[nodiscard]] BodyView view_of_image(const Bodies& bodies, const BodyPair& pair) const;
  void freeze(const Bodies& bodies);
  /// Room for the vertices of the images behind those of the bodies.
  void append_image_vertices(const Bodies& bodies);
  /// Moves the images to where their bodies are now.
  void update_images(const Bodies& bodies);

  const ContactModel* model_;
  std::vector<const DeformingSurface*> surfaces_;
  std::vector<Vec3> vertices_;  ///< global vertices of all local bodies
  std::vector<int> first_vertex_;
  std::vector<Image> images_;      ///< that pairs of the last search meet
  std::vector<BodyTrial> frozen_;  ///< in a frozen step: accepted poses with the velocities of the trial
  bool is_frozen_ = false;
  bool mean_poles_ = false;
};

}  // namespace scree::contact

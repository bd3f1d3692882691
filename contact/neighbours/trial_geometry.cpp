#include "contact/neighbours/trial_geometry.hpp"

#include <array>
#include <map>

#include "contact/surface/deforming_surface.hpp"

namespace scree::contact {

const Shape& TrialGeometry::shape_at(const DeformingSurface& surface, const BodyTrial& trial) {
  return surface.at(trial.phase);
}

BodyView TrialGeometry::view_of_image(const Bodies& bodies, const BodyPair& pair) const {
  const Image& image = images_[static_cast<std::size_t>(pair.seen_as)];
  return {&model_->shape_of(bodies, pair.b), &image.trial,
          image.first_vertex < 0 ? nullptr : vertices_.data() + image.first_vertex};
}

void TrialGeometry::update(const Bodies& bodies) {
  first_vertex_.resize(static_cast<std::size_t>(bodies.all()));
  int count = 0;
  for (int i = 0; i < bodies.all(); ++i) {
    const Shape& shape = model_->shape_of(bodies, i);
    first_vertex_[i] = places_all_vertices(shape) ? count : -1;
    if (first_vertex_[i] >= 0) count += static_cast<int>(shape.vertices.size());
  }
  vertices_.resize(static_cast<std::size_t>(count));
  if (is_frozen_) freeze(bodies);
  for (int i = 0; i < bodies.all(); ++i) {
    if (first_vertex_[i] < 0) continue;
    const BodyTrial& trial = is_frozen_ ? frozen_[i] : bodies.trial[i];
    Vec3* out = vertices_.data() + first_vertex_[i];
    for (const Vec3& v : view(bodies, i).shape->vertices) *out++ = trial.x + trial.R * v;
  }
  append_image_vertices(bodies);
  update_images(bodies);
}

void TrialGeometry::freeze(const Bodies& bodies) {
  frozen_.resize(static_cast<std::size_t>(bodies.all()));
  for (int i = 0; i < bodies.all(); ++i) {
    const BodyTrial& trial = bodies.trial[i];
    BodyTrial& frozen = frozen_[i];
    frozen = BodyTrial{};
    frozen.x = frozen.x_n = bodies.state[i].x;
    frozen.R = frozen.R_n = bodies.state[i].q.toRotationMatrix();
    frozen.v = trial.v;
    frozen.w = trial.w;
    frozen.dv_du = trial.dv_du;
    frozen.dw_dtheta = trial.dw_dtheta;
  }
}

void TrialGeometry::list_images(std::vector<BodyPair>& pairs) {
  images_.clear();
  std::map<std::array<double, 4>, int> known;
  for (BodyPair& pair : pairs) {
    pair.seen_as = -1;
    if (pair.shift.isZero(0)) continue;
    const auto [it, is_new] =
        known.try_emplace({static_cast<double>(pair.b), pair.shift.x(), pair.shift.y(), pair.shift.z()},
                          static_cast<int>(images_.size()));
    if (is_new) images_.push_back({pair.b, pair.shift, {}, 0});
    pair.seen_as = it->second;
  }
}

void TrialGeometry::append_image_vertices(const Bodies& bodies) {
  std::size_t count = vertices_.size();
  for (Image& image : images_) {
    const Shape& shape = model_->shape_of(bodies, image.body);
    image.first_vertex = places_all_vertices(shape) ? static_cast<int>(count) : -1;
    if (image.first_vertex >= 0) count += shape.vertices.size();
  }
  vertices_.resize(count);
}

void TrialGeometry::update_images(const Bodies& bodies) {
  for (Image& image : images_) {
    const BodyView body = view(bodies, image.body);
    image.trial = *body.trial;
    image.trial.x += image.shift;
    image.trial.x_n += image.shift;
    if (image.first_vertex < 0) continue;
    Vec3* out = vertices_.data() + image.first_vertex;
    for (const Vec3& v : body.shape->vertices) *out++ = image.trial.x + image.trial.R * v;
  }
}

void TrialGeometry::refresh_images(const Bodies& bodies) {
  if (images_.empty()) return;
  if (is_frozen_) freeze(bodies);
  update_images(bodies);
}

Vec3 TrialGeometry::arm_of(const Bodies& bodies, const BodyPair& pair) const {
  const BodyTrial& a = bodies.trial[pair.a];
  const BodyTrial& b = bodies.trial[pair.b];
  Vec3 arm = a.x - b.x;
  if (!images_.empty()) arm -= pair.shift;
  if (mean_poles_) arm -= 0.5 * (a.u - b.u);
  return arm;
}

}  // namespace scree::contact

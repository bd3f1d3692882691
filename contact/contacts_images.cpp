/// Bodies seen through faces of the periodic cell: copies of their trial state, elsewhere.
#include <array>
#include <map>

#include "contact/contacts.hpp"

namespace scree::contact {

void Contacts::list_images() {
  images_.clear();
  std::map<std::array<double, 4>, int> known;
  for (BodyPair& pair : pairs_) {
    pair.seen_as = -1;
    if (pair.shift.isZero(0)) continue;
    const auto [it, is_new] =
        known.try_emplace({static_cast<double>(pair.b), pair.shift.x(), pair.shift.y(), pair.shift.z()},
                          static_cast<int>(images_.size()));
    if (is_new) images_.push_back({pair.b, pair.shift, {}, 0});
    pair.seen_as = it->second;
  }
}

void Contacts::append_image_vertices(const Bodies& bodies) {
  std::size_t count = vertices_.size();
  for (Image& image : images_) {
    const Shape& shape = (*shapes_)[bodies.properties[image.body].shape];
    image.first_vertex = places_all_vertices(shape) ? static_cast<int>(count) : -1;
    if (image.first_vertex >= 0) count += shape.vertices.size();
  }
  vertices_.resize(count);
}

void Contacts::update_images(const Bodies& bodies) {
  for (Image& image : images_) {
    const BodyView body = view(bodies, image.body);
    image.trial = *body.trial;
    image.trial.x += image.shift;
    if (image.first_vertex < 0) continue;
    Vec3* out = vertices_.data() + image.first_vertex;
    for (const Vec3& v : body.shape->vertices) *out++ = image.trial.x + image.trial.R * v;
  }
}

void Contacts::refresh_images(const Bodies& bodies) {
  if (images_.empty()) return;
  if (step_.frozen) freeze(bodies);
  update_images(bodies);
}

}  // namespace scree::contact

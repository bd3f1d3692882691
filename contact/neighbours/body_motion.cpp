#include "contact/neighbours/body_motion.hpp"

#include <algorithm>
#include <cmath>

#include "contact/surface/deforming_surface.hpp"

namespace scree::contact {

void BodyMotion::mark_search(const Bodies& bodies) {
  searched_at_.resize(static_cast<std::size_t>(bodies.moving()));
  for (int i = 0; i < bodies.moving(); ++i) searched_at_[i] = bodies.state[i].x;
  searched_walls_.assign(bodies.state.begin() + bodies.moving(), bodies.state.end());
  searched_ways_.clear();
  for (const DeformingSurface* surface : geometry_->surfaces())
    searched_ways_.push_back(surface == nullptr ? 0.0 : surface->way(0));
}

double BodyMotion::since_search(const Bodies& bodies) const {
  double squared = 0;
  for (int i = 0; i < bodies.moving(); ++i) {
    squared = std::max(squared, (bodies.trial[i].x - searched_at_[i]).squaredNorm());
  }
  double largest = std::sqrt(squared);
  for (int w = bodies.moving(); w < bodies.all(); ++w) {
    const BodyTrial& trial = bodies.trial[w];
    if (const DeformingSurface* surface = geometry_->surface_of(bodies, w)) {
      const double before = searched_ways_[static_cast<std::size_t>(w - bodies.moving())];
      largest = std::max(largest, surface->way(trial.phase) - before);
      continue;
    }
    const double motion =
        largest_wall_motion(bodies, model_->shape_of(bodies, w), searched_walls_[w - bodies.moving()],
                            {trial.x, trial.R}, [&](int i) { return bodies.trial[i].x; });
    largest = std::max(largest, motion);
  }
  return largest;
}

double BodyMotion::in_step(const Bodies& bodies) const {
  double largest = 0;
  for (int i = 0; i < bodies.moving(); ++i) {
    const BodyTrial& trial = bodies.trial[i];
    largest = std::max(largest, trial.u.norm() + bodies.properties[i].length * trial.alpha.norm());
  }
  for (int w = bodies.moving(); w < bodies.all(); ++w) {
    const BodyTrial& trial = bodies.trial[w];
    if (const DeformingSurface* surface = geometry_->surface_of(bodies, w)) {
      largest = std::max(largest, trial.phase * surface->largest_way());
      continue;
    }
    const double motion = largest_wall_motion(bodies, model_->shape_of(bodies, w), bodies.state[w],
                                              {trial.x, trial.R}, [&](int i) { return bodies.trial[i].x; });
    largest = std::max(largest, motion);
  }
  return largest;
}

bool BodyMotion::changes_by_turning(const Bodies& bodies, int boundary, const Vec3& spin,
                                    const Vec3& about) const {
  if (spin.isZero(0)) return false;
  const int w = bodies.moving() + boundary;
  const Shape& shape = model_->shape_of(bodies, w);
  const BodyState& state = bodies.state[w];
  const Mat3 turn = Eigen::AngleAxisd(1, spin.normalized()).toRotationMatrix();
  const Vec3 arm = state.x - about;
  const double size = 1 + arm.norm();
  const Mat3 r0 = state.q.toRotationMatrix();
  return wall_motion(shape, state.x, r0, about + turn * arm, turn * r0, state.x, size) > 1e-9 * size;
}

}  // namespace scree::contact

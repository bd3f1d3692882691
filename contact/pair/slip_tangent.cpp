#include "contact/pair/slip_tangent.hpp"

namespace scree::contact {

Vec3 cut_to_limit(const Vec3& force, double limit) {
  const double size = force.norm();
  return size > limit ? Vec3((limit / size) * force) : force;
}

void begin_iterates(SlipIterate& iterate, const Vec3& stored, const Vec3& trial, double limit, bool slides) {
  iterate = {
      .force = cut_to_limit(stored, limit), .trial = trial, .limit = limit, .slides = slides, .known = true};
}

void next_iterate(SlipIterate& iterate, const Vec3& trial, double limit, bool slides) {
  Vec3 force = trial;
  if (iterate.slides) {
    const double size = iterate.trial.norm();
    const double along = iterate.trial.dot(trial - iterate.trial) / (size * size);
    force = (iterate.limit / size) * trial - along * iterate.force;
  }
  iterate = {
      .force = cut_to_limit(force, limit), .trial = trial, .limit = limit, .slides = slides, .known = true};
}

Mat3 slip_tangent(const Vec3& trial, double limit, const Vec3& force, double stiffness) {
  if (!(limit > 0)) return Mat3::Zero();
  const double size = trial.norm();
  const Vec3 t = trial / size;
  const Vec3 q = force / limit;
  return (limit * stiffness / size) * (Mat3::Identity() - 0.5 * (q * t.transpose() + t * q.transpose()));
}

}  // namespace scree::contact

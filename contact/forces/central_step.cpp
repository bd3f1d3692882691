#include "contact/forces/central_step.hpp"

#include <limits>

namespace scree::contact {
namespace {

/// Curvature of the distance that outweighs inertia by this part is left out of the tangent, as for contacts.
constexpr double kMostCurvatureOfCentres = 0.5;

}  // namespace

void leave_out_buckling(CentralPair& pair, const Bodies& bodies) {
  const double ma = bodies.properties[pair.a].mass;
  const double mb = bodies.properties[pair.b].mass;
  // 2 m*/h^2, of the mean of the velocities: dv/du = 2/h.
  const double rate = bodies.trial[pair.a].dv_du;
  const double inertia = 0.5 * rate * rate * ma * mb / (ma + mb);
  if (inertia > 0 && -pair.force.slope > kMostCurvatureOfCentres * inertia * pair.length)
    pair.length = std::numeric_limits<double>::infinity();
}

}  // namespace scree::contact

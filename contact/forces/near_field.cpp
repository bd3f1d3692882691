#include "contact/forces/near_field.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "contact/search/broad_phase.hpp"

namespace scree::contact {
namespace {

/// Potential of the force kappa d^-lambda, its slope and curvature.
void add_power(double kappa, double lambda, double distance, CentralForce& sum) {
  if (kappa == 0) return;
  const double slope = kappa * std::pow(distance, -lambda);
  sum.energy += lambda == 1 ? kappa * std::log(distance) : slope * distance / (1 - lambda);
  sum.slope += slope;
  sum.curvature -= lambda * slope / distance;
}

}  // namespace

NearFieldLaw::NearFieldLaw(const NearFieldParameters& parameters) : parameters_(parameters) {
  cutoff_ = unbounded(parameters_.cutoff);
  if (parameters_.at_cutoff == AtCutoff::jump) cutoff_.slope = 0;
}

CentralForce NearFieldLaw::unbounded(double distance) const {
  CentralForce force;
  add_power(parameters_.attraction, parameters_.attraction_exponent, distance, force);
  add_power(-parameters_.repulsion, parameters_.repulsion_exponent, distance, force);
  return force;
}

CentralForce NearFieldLaw::at(double distance) const {
  CentralForce force = unbounded(distance);
  force.energy -= cutoff_.energy + cutoff_.slope * (distance - parameters_.cutoff);
  force.slope -= cutoff_.slope;
  return force;
}

void NearField::search(const Bodies& bodies, const std::vector<Shape>& shapes, double travel) {
  // Bounding spheres meet before poles come this near.
  double smallest = std::numeric_limits<double>::infinity();
  for (int i = 0; i < bodies.moving(); ++i) smallest = std::min(smallest, bodies.properties[i].length);
  pairs_.clear();
  const double margin = std::max(reach(travel) - 2 * smallest, 0.0);
  for (const auto& [a, b, image] : near_bodies(bodies, shapes, margin)) {
    if (bodies.is_boundary(b)) continue;
    CentralPair pair;
    pair.a = a;
    pair.b = b;
    pair.image = image;
    pair.id_a = bodies.properties[a].id;
    pair.id_b = bodies.properties[b].id;
    if (separation(pair, bodies, Configuration::accepted).norm() < reach(travel)) pairs_.push_back(pair);
  }
}

void NearField::evaluate(const Bodies& bodies, Configuration where) {
  const bool jumps = law_.parameters().at_cutoff == AtCutoff::jump;
  for (CentralPair& pair : pairs_) {
    measure(pair, bodies, where);
    const double decides = jumps ? separation(pair, bodies, Configuration::accepted).norm() : pair.distance;
    pair.force = decides < law_.parameters().cutoff ? law_.at(pair.distance) : CentralForce{};
    if (!jumps) continue;
    // The energy is that of the configuration, so that the energy balance does not depend on the step.
    pair.force.energy = pair.distance < law_.parameters().cutoff ? law_.at(pair.distance).energy : 0;
  }
}

}  // namespace scree::contact

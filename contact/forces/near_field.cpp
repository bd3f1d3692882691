#include "contact/forces/near_field.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "contact/forces/central_step.hpp"
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

/// Changes of the distance below this part of it: the derivative of a secant as a quotient would be
/// round-off.
constexpr double kSmall = 1e-4;

/// Secant of the same potential and its derivative in the end, without the cancellation of a difference.
void add_power_secant(double kappa, double lambda, double before, double change, CentralForce& sum) {
  if (kappa == 0) return;
  const double x = change / before;
  const double p = 1 - lambda;
  const double log = std::log1p(x);
  const double ratio = x == 0 ? 1.0 : p == 0 ? log / x : std::expm1(p * log) / (p * x);
  const double secant = kappa * std::pow(before, -lambda) * ratio;
  sum.slope += secant;
  sum.curvature += std::abs(x) < kSmall
                       ? -0.5 * lambda * kappa * std::pow(before * (1 + 2.0 / 3.0 * x), -lambda - 1)
                       : (kappa * std::pow(before + change, -lambda) - secant) / change;
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

CentralForce NearFieldLaw::secant(double before, double change) const {
  CentralForce force;
  add_power_secant(parameters_.attraction, parameters_.attraction_exponent, before, change, force);
  add_power_secant(-parameters_.repulsion, parameters_.repulsion_exponent, before, change, force);
  force.slope -= cutoff_.slope;
  return force;
}

CentralForce NearFieldLaw::over(double before, double change) const {
  const double after = before + change;
  const double cutoff = parameters_.cutoff;
  CentralForce force;
  if (before < cutoff && after < cutoff) {
    force = secant(before, change);
    force.energy = at(after).energy;
  } else if (before < cutoff) {
    const double within = cutoff - before;
    force.slope = secant(before, within).slope * (within / change);
    force.curvature = -force.slope / change;
  } else if (after < cutoff) {
    const double within = after - cutoff;
    const CentralForce end = at(after);
    force.energy = end.energy;
    force.slope = secant(cutoff, within).slope * (within / change);
    force.curvature = (end.slope - force.slope) / change;
  }
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
    if (where == Configuration::step) {
      pair.force = law_.over(pair.distance - pair.change, pair.change);
      leave_out_buckling(pair, bodies);
      continue;
    }
    const double decides = jumps ? separation(pair, bodies, Configuration::accepted).norm() : pair.distance;
    pair.force = decides < law_.parameters().cutoff ? law_.at(pair.distance) : CentralForce{};
    if (!jumps) continue;
    // The energy is that of the configuration, so that the energy balance does not depend on the step.
    pair.force.energy = pair.distance < law_.parameters().cutoff ? law_.at(pair.distance).energy : 0;
  }
}

}  // namespace scree::contact

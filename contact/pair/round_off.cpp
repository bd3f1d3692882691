#include "contact/pair/round_off.hpp"

#include "contact/pair/shared_corners.hpp"

#include "contact/neighbours/pair_list.hpp"
#include "contact/neighbours/trial_geometry.hpp"

#include <cmath>
#include <limits>

namespace scree::contact {
namespace {

constexpr double kUnit = 0.5 * std::numeric_limits<double>::epsilon();  // u = 2^-53
constexpr double kOfPosition = 2;
constexpr double kOfArm = 12;
constexpr double kOfForce = 16;

/// Error of a place of body i at p [m].
double place_error(const BodyTrial& body, const Vec3& p) {
  return kUnit * (kOfPosition * body.x.norm() + kOfArm * (p - body.x).norm());
}

double speed_at(const BodyTrial& body, const Vec3& p) {
  return body.v.norm() + body.w.norm() * (p - body.x).norm();
}

/// Error of the force of one contact [N].
double contact_error(const Contacts& contacts, const Bodies& bodies, const BodyPair& pair,
                     const Active& active) {
  const BodyTrial& a = *contacts.geometry().view(bodies, pair.a).trial;
  const BodyTrial& b = *contacts.geometry().view_of_b(bodies, pair).trial;
  double stiffness = 0;
  double force = 0;
  double dashpot_slope = 0;
  const double window = window_of(pair, active);
  for (int t = active.first; t < active.first + active.terms; ++t) {
    const Term& term = pair.terms[t];
    stiffness += window * std::abs(term.law.slope);
    force += window * std::abs(term.law.force);
    dashpot_slope += window * std::abs(term.law.dashpot_slope) * std::sqrt(pair.m_star);
  }
  const Vec3& p = pair.terms[active.first].p;
  const double gap = place_error(a, p) + place_error(b, p);
  const double rate = kOfArm * kUnit * (speed_at(a, p) + speed_at(b, p));
  return (stiffness + dashpot_slope * std::abs(active.rate)) * gap + active.dashpot * rate +
         kOfForce * kUnit * (force + std::abs(active.damping) + active.friction.norm());
}

void add_central(const std::vector<CentralPair>& pairs, const Bodies& bodies, std::vector<double>& errors) {
  for (const CentralPair& pair : pairs) {
    const double distance =
        kUnit * kOfPosition * (bodies.trial[pair.a].x.norm() + bodies.trial[pair.b].x.norm());
    const double error =
        std::abs(pair.force.curvature) * distance + kOfForce * kUnit * std::abs(pair.force.slope);
    if (bodies.is_owned(pair.a)) errors[pair.a] += error;
    if (bodies.is_owned(pair.b)) errors[pair.b] += error;
  }
}

}  // namespace

std::vector<double> force_round_off(const Contacts& contacts, const PairForces& pair_forces,
                                    const Bodies& bodies) {
  std::vector<double> errors(static_cast<std::size_t>(bodies.owned), 0.0);
  for (const BodyPair& pair : contacts.list().pairs()) {
    for (const Active& active : pair.active) {
      const double error = contact_error(contacts, bodies, pair, active);
      if (bodies.is_owned(pair.a)) errors[pair.a] += error;
      if (bodies.is_owned(pair.b)) errors[pair.b] += error;
    }
  }
  add_central(pair_forces.bonds(), bodies, errors);
  for (const NearField& field : pair_forces.near_fields()) add_central(field.pairs(), bodies, errors);
  return errors;
}

}  // namespace scree::contact

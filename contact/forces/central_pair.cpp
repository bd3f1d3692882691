#include "contact/forces/central_pair.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/error.hpp"

namespace scree::contact {
namespace {

/// Part of V'/V'' that an oscillation has to reach before it limits the step, as for contacts.
constexpr double kStir = 0.05;

}  // namespace

Vec3 separation(const CentralPair& pair, const Bodies& bodies, Configuration where) {
  const Vec3 q = where == Configuration::accepted ? Vec3(bodies.state[pair.a].x - bodies.state[pair.b].x)
                                                  : Vec3(bodies.trial[pair.a].x - bodies.trial[pair.b].x);
  return bodies.periodic.any() ? Vec3(q - bodies.way_to_image(pair.a, pair.b, pair.image)) : q;
}

void measure(CentralPair& pair, const Bodies& bodies, Configuration where) {
  const Vec3 q = separation(pair, bodies, where);
  pair.distance = q.norm();
  if (!(pair.distance > 0)) throw RecoverableError("near-field force: two centres of mass coincide");
  pair.n = pair.dir = q / pair.distance;
  pair.length = pair.distance;
  pair.change = 0;
  if (where != Configuration::step) return;
  const Vec3 q_n = separation(pair, bodies, Configuration::accepted);
  pair.length += q_n.norm();
  pair.dir = (q_n + q) / pair.length;
  pair.change = pair.dir.dot(bodies.trial[pair.a].u - bodies.trial[pair.b].u);
}

void append_couplings(const std::vector<CentralPair>& pairs, std::vector<LocalSystem::Coupling>& couplings) {
  for (const CentralPair& pair : pairs) {
    couplings.push_back({pair.a, pair.b, 0});
    couplings.push_back({pair.b, pair.a, 0});
  }
}

void locate_blocks(std::vector<CentralPair>& pairs, const Bodies& bodies, const LocalSystem& system) {
  for (CentralPair& pair : pairs) {
    pair.coupling_ab = bodies.is_owned(pair.a) ? system.find(pair.a, pair.b) : -1;
    pair.coupling_ba = bodies.is_owned(pair.b) ? system.find(pair.b, pair.a) : -1;
  }
}

void add_residual(const std::vector<CentralPair>& pairs, const Bodies& bodies, LocalSystem& system) {
  for (const CentralPair& pair : pairs) {
    const Vec3 gradient = pair.force.slope * pair.dir;
    if (bodies.is_owned(pair.a)) Eigen::Map<Vec3>(system.residual_of(pair.a)) += gradient;
    if (bodies.is_owned(pair.b)) Eigen::Map<Vec3>(system.residual_of(pair.b)) -= gradient;
  }
}

void mark_rows(const std::vector<CentralPair>& pairs, const Bodies& bodies, const std::vector<char>& moved,
               std::vector<char>& rows) {
  for (const CentralPair& pair : pairs) {
    if (moved[pair.b] != 0 && bodies.is_owned(pair.a)) rows[pair.a] = 1;
    if (moved[pair.a] != 0 && bodies.is_owned(pair.b)) rows[pair.b] = 1;
  }
}

void add_tangent(const std::vector<CentralPair>& pairs, LocalSystem& system) {
  using Block = Eigen::Map<Eigen::Matrix<double, kBodyUnknowns, kBodyUnknowns, Eigen::RowMajor>>;
  for (const CentralPair& pair : pairs) {
    const double across = pair.force.slope / pair.length;
    const Mat3 hessian =
        across * Mat3::Identity() + (pair.force.curvature - across) * (pair.dir * pair.n.transpose());
    const auto add_row = [&](int body, int coupling) {
      if (!system.assembles(body)) return;
      Block(system.diagonal(body)).topLeftCorner<3, 3>() += hessian;
      Block(system.coupling(coupling)).topLeftCorner<3, 3>() -= hessian;
    };
    add_row(pair.a, pair.coupling_ab);
    add_row(pair.b, pair.coupling_ba);
  }
}

double largest_force(const std::vector<CentralPair>& pairs) {
  double largest = 0;
  for (const CentralPair& pair : pairs) largest = std::max(largest, std::abs(pair.force.slope));
  return largest;
}

void raise_largest(const std::vector<CentralPair>& pairs, std::vector<double>& largest) {
  for (const CentralPair& pair : pairs) {
    for (const int body : {pair.a, pair.b}) {
      double& of_body = largest[static_cast<std::size_t>(body)];
      of_body = std::max(of_body, std::abs(pair.force.slope));
    }
  }
}

double oscillation_limit(const std::vector<CentralPair>& pairs, const Bodies& bodies, double eta, bool all) {
  double limit = std::numeric_limits<double>::infinity();
  for (const CentralPair& pair : pairs) {
    const auto mobility_of = [&](int i) {
      const BodyProperties& body = bodies.properties[i];
      return all_fixed(body.fixed) ? 0.0 : 1 / body.mass;
    };
    const double mobility = mobility_of(pair.a) + mobility_of(pair.b);
    const double omega = std::sqrt(std::abs(pair.force.curvature) * mobility);
    if (!(omega > 0)) continue;
    const double rate = pair.n.dot(bodies.trial[pair.a].v - bodies.trial[pair.b].v);
    // A pair that is slow for a moment, but out of balance, is being moved too.
    const double acceleration = pair.n.dot(bodies.state[pair.a].a - bodies.state[pair.b].a);
    const double stir = std::hypot(rate, acceleration / omega) * std::abs(pair.force.curvature);
    if (!all && stir <= kStir * omega * std::abs(pair.force.slope)) continue;
    limit = std::min(limit, eta / omega);
  }
  return limit;
}

double counted_energy(const std::vector<CentralPair>& pairs, const Bodies& bodies) {
  double sum = 0;
  for (const CentralPair& pair : pairs) {
    if (bodies.is_owned(pair.a)) sum += pair.force.energy;
  }
  return sum;
}

}  // namespace scree::contact

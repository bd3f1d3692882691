#include "elements/loads/dead_load.hpp"

#include <algorithm>
#include <cmath>

namespace scree::elements {

double ramp_factor(const std::vector<std::pair<double, double>>& ramp, double time) {
  if (ramp.empty()) return 1;
  if (time <= ramp.front().first) return ramp.front().second;
  for (std::size_t k = 1; k < ramp.size(); ++k) {
    if (time > ramp[k].first) continue;
    const double part = (time - ramp[k - 1].first) / (ramp[k].first - ramp[k - 1].first);
    return ramp[k - 1].second + part * (ramp[k].second - ramp[k - 1].second);
  }
  return ramp.back().second;
}

void Loads::locate(const Bodies& bodies) {
  located_.clear();
  for (int l = 0; l < static_cast<int>(loads_.size()); ++l) {
    for (int i = 0; i < bodies.owned; ++i) {
      if (bodies.properties[i].id == loads_[l].body) located_.emplace_back(i, l);
    }
  }
}

void Loads::residual(const Bodies& bodies, double time, LocalSystem& system) const {
  for (int i = 0; i < bodies.owned; ++i) {
    Eigen::Map<Vec3>(system.residual_of(i)) -= bodies.properties[i].mass * gravity_;
  }
  for (const auto& [body, index] : located_) {
    const DeadLoad& load = loads_[index];
    const Vec3 value = ramp_factor(load.ramp, time) * load.value;
    Eigen::Map<Vec6> r(system.residual_of(body));
    if (load.is_moment) {
      r.tail<3>() -= value;
    } else {
      r.head<3>() -= value;
      r.tail<3>() -= (bodies.trial[body].R * load.point_B).cross(value);
    }
  }
  fluid_.residual(bodies, system);
}

void Loads::tangent(const Bodies& bodies, double time, LocalSystem& system) const {
  for (const auto& [body, index] : located_) {
    const DeadLoad& load = loads_[index];
    if (load.is_moment || !system.assembles(body)) continue;
    const Vec3 value = ramp_factor(load.ramp, time) * load.value;
    const Vec3 s = bodies.trial[body].R * load.point_B;
    Eigen::Map<Eigen::Matrix<double, 6, 6, Eigen::RowMajor>> k(system.diagonal(body));
    // d((w x s) x F) = [s F^T - (s.F) I] w
    k.bottomRightCorner<3, 3>() -= s * value.transpose() - s.dot(value) * Mat3::Identity();
  }
  fluid_.tangent(bodies, system);
}

double Loads::power(const Bodies& bodies, double time) const {
  double sum = 0;
  for (const auto& [body, index] : located_) {
    const DeadLoad& load = loads_[index];
    const Vec3 value = ramp_factor(load.ramp, time) * load.value;
    const BodyTrial& trial = bodies.trial[body];
    sum += load.is_moment ? value.dot(trial.w) : value.dot(trial.v + trial.w.cross(trial.R * load.point_B));
  }
  return sum;
}

double Loads::work(const Bodies& bodies, double from, double to) const {
  double sum = 0;
  for (const auto& [body, index] : located_) {
    const DeadLoad& load = loads_[index];
    const Vec3 value = 0.5 * (ramp_factor(load.ramp, from) + ramp_factor(load.ramp, to)) * load.value;
    const BodyTrial& trial = bodies.trial[body];
    if (load.is_moment) {
      // |alpha| = 2 tan(angle/2), theory 01 section 1.
      const double length = trial.alpha.norm();
      if (length > 0) sum += 2 * std::atan(0.5 * length) / length * value.dot(trial.alpha);
    } else {
      const Vec3 lever = trial.R * load.point_B;
      sum += value.dot(trial.u + lever - trial.Q.transpose() * lever);
    }
  }
  return sum;
}

double Loads::potential(const Bodies& bodies) const {
  double sum = 0;
  for (int i = 0; i < bodies.owned; ++i) {
    // Along a periodic direction a body goes on falling.
    const Vec3 pole = bodies.trial[i].x + bodies.periodic.way_to(bodies.state[i].cell);
    sum -= bodies.properties[i].mass * gravity_.dot(pole);
  }
  return sum;
}

namespace {

/// Size of a load as a force [N].
double size_of(const DeadLoad& load, const BodyProperties& body, double factor) {
  const double size = std::abs(factor) * load.value.norm();
  return load.is_moment ? size / body.length : size;
}

}  // namespace

double Loads::scale(const Bodies& bodies, double time) const {
  double largest = 0;
  for (int i = 0; i < bodies.owned; ++i)
    largest = std::max(largest, bodies.properties[i].mass * gravity_.norm());
  for (const auto& [body, index] : located_) {
    const DeadLoad& load = loads_[index];
    largest = std::max(largest, size_of(load, bodies.properties[body], ramp_factor(load.ramp, time)));
  }
  return largest;
}

double Loads::largest_dead_load(const Bodies& bodies) const {
  double largest = 0;
  for (const auto& [body, index] : located_) {
    const DeadLoad& load = loads_[index];
    double factor = load.ramp.empty() ? 1 : 0;
    for (const auto& row : load.ramp) factor = std::max(factor, std::abs(row.second));
    largest = std::max(largest, size_of(load, bodies.properties[body], factor));
  }
  return largest;
}

}  // namespace scree::elements

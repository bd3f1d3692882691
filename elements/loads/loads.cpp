#include "elements/loads/loads.hpp"

#include <algorithm>
#include <unordered_map>

#include "core/infinity.hpp"

namespace scree::elements {
namespace {

template <class Type>
constexpr const LoadTraits& traits_of(const Type& /*load*/) {
  return Type::kTraits;
}

/// @returns what a load adds to the residual of a body: against its force and moment.
template <class Type>
Vec6 residual_of(const Type& load, const LoadedBody& on, double time) {
  Vec6 against = Vec6::Zero();
  LoadResidual r(against.data());
  load.residual(on, time, r);
  return against;
}

BodyTrial start_of(const BodyState& state) {
  BodyTrial start;
  start.x = state.x;
  start.R = state.q.toRotationMatrix();
  start.v = state.v;
  start.w = state.w;
  return start;
}

}  // namespace

template <class Act>
void Loads::for_each(const Bodies& bodies, Act&& act) const {
  for (const auto& [body, index] : located_) {
    const int i = body;
    dispatch(loads_[index], [&](const auto& load) { act(load, i); });
  }
  for (const Load& any : loads_) {
    dispatch(any, [&](const auto& load) {
      if constexpr (!std::remove_cvref_t<decltype(load)>::kTraits.one_body) {
        for (int i = 0; i < bodies.owned; ++i) act(load, i);
      }
    });
  }
}

template <class Term>
double Loads::sum(const Bodies& bodies, bool dead, Term&& value) const {
  double all = 0;
  for_each(bodies, [&](const auto& load, int i) {
    if (traits_of(load).dead == dead) all += value(load, LoadedBody{bodies.properties[i], bodies.trial[i]});
  });
  return all;
}

void Loads::locate(const Bodies& bodies) {
  located_.clear();
  std::unordered_map<BodyId, int> owned;
  for (int i = 0; i < bodies.owned; ++i) owned.emplace(bodies.properties[i].id, i);
  for (int l = 0; l < static_cast<int>(loads_.size()); ++l) {
    dispatch(loads_[l], [&](const auto& load) {
      if constexpr (std::remove_cvref_t<decltype(load)>::kTraits.one_body) {
        const auto body = owned.find(load.body);
        if (body != owned.end()) located_.emplace_back(body->second, l);
      }
    });
  }
}

void Loads::residual(const Bodies& bodies, double time, LocalSystem& system) const {
  for (int i = 0; i < bodies.owned; ++i) {
    Eigen::Map<Vec3>(system.residual_of(i)) -= bodies.properties[i].mass * gravity_;
  }
  for_each(bodies, [&](const auto& load, int i) {
    LoadResidual r(system.residual_of(i));
    load.residual({bodies.properties[i], bodies.trial[i]}, time, r);
  });
}

void Loads::tangent(const Bodies& bodies, double time, LocalSystem& system) const {
  for_each(bodies, [&](const auto& load, int i) {
    if (traits_of(load).one_body && !system.assembles(i)) return;
    LoadTangent k(system.diagonal(i));
    load.tangent({bodies.properties[i], bodies.trial[i]}, time, k);
  });
}

void Loads::velocity_tangent(const Bodies& bodies, double time, LocalSystem& system) const {
  for_each(bodies, [&](const auto& load, int i) {
    if (traits_of(load).dead) return;
    LoadTangent k(system.diagonal(i));
    load.tangent({bodies.properties[i], bodies.trial[i]}, time, k);
  });
}

double Loads::power(const Bodies& bodies, double time) const {
  return sum(bodies, true, [&](const auto& load, const LoadedBody& on) { return load.power(on, time); });
}

double Loads::fluid_power(const Bodies& bodies, double time) const {
  return sum(bodies, false, [&](const auto& load, const LoadedBody& on) { return load.power(on, time); });
}

double Loads::work(const Bodies& bodies, double from, double to) const {
  return sum(bodies, true, [&](const auto& load, const LoadedBody& on) { return load.work(on, from, to); });
}

double Loads::fluid_work(const Bodies& bodies, double from, double to) const {
  return sum(bodies, false, [&](const auto& load, const LoadedBody& on) { return load.work(on, from, to); });
}

LoadWork Loads::mean_work(const Bodies& bodies, double from, double to) const {
  LoadWork work;
  for_each(bodies, [&](const auto& load, int i) {
    const BodyTrial& end = bodies.trial[i];
    const BodyTrial start = start_of(bodies.state[i]);
    Vec6 both = Vec6::Zero();
    LoadResidual r(both.data());
    load.residual({bodies.properties[i], start}, from, r);
    load.residual({bodies.properties[i], end}, to, r);
    const double done = -0.5 * (both.head<3>().dot(end.u) + both.tail<3>().dot(end.alpha));
    (traits_of(load).dead ? work.dead : work.fluid) += done;
  });
  return work;
}

double Loads::dead_work_along(const Bodies& bodies, double time, const std::vector<Vec6>& moved) const {
  double work = 0;
  for_each(bodies, [&](const auto& load, int i) {
    if (!traits_of(load).dead) return;
    const Vec6 against = residual_of(load, {bodies.properties[i], bodies.trial[i]}, time);
    work -= against.dot(moved[static_cast<std::size_t>(i)]);
  });
  return work;
}

std::vector<FluidForce> Loads::fluid_forces(const Bodies& bodies, double time) const {
  std::vector<FluidForce> forces;
  for (const Load& any : loads_) {
    dispatch(any, [&](const auto& load) {
      using Type = std::remove_cvref_t<decltype(load)>;
      if constexpr (!Type::kTraits.dead) {
        static_assert(!Type::kTraits.one_body, "ghosts have no loads on one body");
        forces.resize(static_cast<std::size_t>(bodies.moving()));
        for (int i = 0; i < bodies.moving(); ++i) {
          BodyTrial start = start_of(bodies.state[i]);
          start.dv_du = 1;  // the unknowns are the velocities
          start.dw_dtheta = Mat3::Identity();
          Eigen::Matrix<double, 6, 6, Eigen::RowMajor> against;
          against.setZero();
          LoadTangent k(against.data());
          load.tangent({bodies.properties[i], start}, time, k);
          FluidForce& force = forces[static_cast<std::size_t>(i)];
          force.value -= residual_of(load, {bodies.properties[i], start}, time);
          force.slope -= against;
        }
      }
    });
  }
  return forces;
}

double Loads::next_row(double time) const {
  double next = kInfinity;
  for (const Load& any : loads_) {
    dispatch(any, [&](const auto& load) {
      if constexpr (std::remove_cvref_t<decltype(load)>::kTraits.dead)
        next = std::min(next, load.next_row(time));
    });
  }
  return next;
}

double Loads::potential(const Bodies& bodies) const {
  double sum = 0;
  for (int i = 0; i < bodies.owned; ++i) {
    // What stands still has none to give: beside that of a heavy fixed body all others would be lost in
    // round-off.
    if (pole_fixed(bodies.properties[i].fixed)) continue;
    // Along a periodic direction a body falls for ever.
    const Vec3 pole = bodies.trial[i].x + bodies.periodic.way_to(bodies.state[i].cell);
    sum -= bodies.properties[i].mass * gravity_.dot(pole);
  }
  return sum;
}

std::vector<double> Loads::sizes(const Bodies& bodies, double time) const {
  std::vector<double> largest;
  largest.reserve(static_cast<std::size_t>(bodies.owned));
  for (int i = 0; i < bodies.owned; ++i) largest.push_back(bodies.properties[i].mass * gravity_.norm());
  for_each(bodies, [&](const auto& load, int i) {
    double& of_body = largest[static_cast<std::size_t>(i)];
    if constexpr (std::remove_cvref_t<decltype(load)>::kTraits.dead) {
      of_body = std::max(of_body, load.size(bodies.properties[i], time));
    } else {
      const BodyTrial start = start_of(bodies.state[i]);
      const Vec6 against = residual_of(load, {bodies.properties[i], start}, time);
      of_body = std::max(of_body, against.head<3>().norm());
    }
  });
  return largest;
}

bool Loads::any_dead() const {
  return std::any_of(loads_.begin(), loads_.end(), [](const Load& one) {
    bool dead = false;
    dispatch(one, [&](const auto& load) { dead = traits_of(load).dead; });
    return dead;
  });
}

std::vector<Vec3> Loads::dead_forces(const Bodies& bodies, double time) const {
  std::vector<Vec3> forces(static_cast<std::size_t>(bodies.owned), Vec3::Zero());
  for_each(bodies, [&](const auto& load, int i) {
    if (!traits_of(load).dead) return;
    forces[static_cast<std::size_t>(i)] -=
        residual_of(load, {bodies.properties[i], bodies.trial[i]}, time).template head<3>();
  });
  return forces;
}

bool Loads::changes(double from, double to) const {
  return std::any_of(loads_.begin(), loads_.end(), [&](const Load& one) {
    bool changes = false;
    dispatch(one, [&](const auto& load) {
      if constexpr (std::remove_cvref_t<decltype(load)>::kTraits.dead)
        changes = ramp_factor(load.ramp, from) != ramp_factor(load.ramp, to);
    });
    return changes;
  });
}

double Loads::dead_load(const Bodies& bodies, double time) const {
  double largest = 0;
  for_each(bodies, [&](const auto& load, int i) {
    if constexpr (std::remove_cvref_t<decltype(load)>::kTraits.dead)
      largest = std::max(largest, load.size(bodies.properties[i], time));
  });
  return largest;
}

double Loads::largest_dead_load(const Bodies& bodies) const {
  double largest = 0;
  for_each(bodies, [&](const auto& load, int i) {
    if constexpr (std::remove_cvref_t<decltype(load)>::kTraits.dead)
      largest = std::max(largest, load.largest(bodies.properties[i]));
  });
  return largest;
}

}  // namespace scree::elements

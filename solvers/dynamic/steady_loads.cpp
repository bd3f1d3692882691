#include "solvers/dynamic/steady_loads.hpp"

#include <algorithm>

#include "contact/neighbours/pair_list.hpp"
#include "contact/pair/pair_history.hpp"
#include "solvers/compliant/body_stops.hpp"

namespace scree {

void SteadyLoads::begin(const World& world, double time) {
  world_ = &world;
  const Bodies& bodies = world.bodies();
  acceleration_.assign(static_cast<std::size_t>(bodies.moving()), world.model().gravity);
  const std::vector<contact::NearField>& fields = world.pair_forces().near_fields();
  if (world.loads().any_dead() || !fields.empty()) {
    std::vector<Vec3> forces(static_cast<std::size_t>(bodies.owned), Vec3::Zero());
    if (world.loads().any_dead()) forces = world.loads().dead_forces(bodies, time);
    for (const contact::NearField& field : fields) {
      for (const contact::CentralPair& pair : field.pairs()) {
        const Vec3 on_a = -pair.force.slope * pair.dir;
        if (bodies.is_owned(pair.a)) forces[static_cast<std::size_t>(pair.a)] += on_a;
        if (bodies.is_owned(pair.b)) forces[static_cast<std::size_t>(pair.b)] -= on_a;
      }
    }
    std::vector<double> part(acceleration_.size());
    for (int k = 0; k < 3; ++k) {
      for (int i = 0; i < bodies.owned; ++i) {
        const auto at = static_cast<std::size_t>(i);
        part[at] = acceleration_[at][k] + forces[at][k] / bodies.properties[i].mass;
      }
      give_to_ghosts(world, part);
      for (std::size_t at = 0; at < part.size(); ++at) acceleration_[at][k] = part[at];
    }
  }
  pair_ = -1;
}

double SteadyLoads::opening(const contact::Impact& contact, const std::vector<Mat6>& mobility) {
  const Bodies& bodies = world_->bodies();
  if (contact.pair != pair_) {
    pair_ = contact.pair;
    held_ = contact::force_before(world_->contacts().list().pairs()[static_cast<std::size_t>(pair_)]);
  }
  Vec3 parting = Vec3::Zero();
  for (const int i : {contact.a, contact.b}) {
    const auto at = static_cast<std::size_t>(i);
    if (at >= mobility.size()) continue;
    const double mass = bodies.properties[i].mass;
    // What a body is held from does not accelerate it.
    const Vec3 steady = mobility[at].topLeftCorner<3, 3>() * (mass * acceleration_[at]);
    if (!(steady.squaredNorm() > 0)) continue;
    // What others hold up would not fall without this pair: by the forces of the step before.
    const Vec3 without = bodies.state[i].a - (i == contact.a ? 1 : -1) * held_ / mass;
    const double falls = std::clamp(without.dot(steady) / steady.squaredNorm(), 0.0, 1.0);
    parting += (i == contact.a ? falls : -falls) * steady;
  }
  return contact.push.dot(parting);
}

}  // namespace scree

#include "solvers/dynamic/impact_turn.hpp"

#include <algorithm>

#include "contact/contacts.hpp"
#include "contact/neighbours/contact_model.hpp"
#include "solvers/world/world.hpp"

namespace scree {

double turn_of_impacts(const World& world, const std::vector<std::array<int, 2>>& touching, double h) {
  constexpr int kNone = -1, kSeveral = -2;
  const Bodies& bodies = world.bodies();
  std::vector<int> partner(static_cast<std::size_t>(bodies.owned), kNone);
  for (const auto& [a, b] : touching) {
    for (const auto& [i, other] : {std::pair(a, b), std::pair(b, a)}) {
      if (!bodies.is_owned(i)) continue;
      int& met = partner[static_cast<std::size_t>(i)];
      met = met == kNone || met == other ? other : kSeveral;
    }
  }
  double change = 0;
  for (int i = 0; i < bodies.owned; ++i) {
    if (partner[static_cast<std::size_t>(i)] < 0) continue;
    if (world.contacts().model().shape_of(bodies, i).kind == ShapeKind::sphere) continue;
    // Not the change of spin of a free body.
    const BodyState& start = bodies.state[i];
    const Mat3& inertia = bodies.properties[i].inertia_B;
    const Vec3 spin = start.q.conjugate() * start.w;
    const Vec3 free = start.q * inertia.ldlt().solve(-spin.cross(inertia * spin));
    change = std::max(change, (bodies.trial[i].w - start.w - h * free).norm());
  }
  return world.max_over_ranks(h * change);
}

}  // namespace scree

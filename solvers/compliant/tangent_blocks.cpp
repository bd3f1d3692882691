#include "solvers/compliant/tangent_blocks.hpp"

#include <cstddef>
#include <utility>
#include <vector>

#include "contact/neighbours/contact_model.hpp"
#include "contact/neighbours/pair_results.hpp"

namespace scree {
namespace {

/// Pairs get blocks if they come nearer than this many scales of the laws beyond the threshold ...
constexpr double kSkin = 1.0;
/// ... within so many steps.
constexpr double kSteps = 1.5;

}  // namespace

contact::ForeseenMotion TangentBlocks::motion(const StepFrame& frame, double steps) const {
  const Bodies& bodies = world_->bodies();
  const double h = steps * frame.h;
  const double fall = frame.fall * h * h;
  contact::ForeseenMotion motion;
  motion.ways.reserve(static_cast<std::size_t>(bodies.moving()));
  motion.turns.reserve(static_cast<std::size_t>(bodies.moving()));
  for (int i = 0; i < bodies.moving(); ++i) {
    const BodyState& state = bodies.state[i];
    motion.ways.emplace_back(h * state.v + fall * state.a);
    motion.turns.push_back(bodies.properties[i].length * (h * state.w + fall * state.dw).norm());
  }
  return motion;
}

std::vector<LocalSystem::Coupling> TangentBlocks::couple(const StepFrame& frame) {
  contact::Contacts& contacts = world_->contacts();
  std::vector<LocalSystem::Coupling> couplings;
  contacts.blocks().couple(world_->bodies(), motion(frame, kSteps), kSkin * contacts.model().scale(),
                           couplings);
  return couplings;
}

void TangentBlocks::locate() {
  world_->contacts().blocks().locate(world_->bodies(), world_->rows());
  world_->pair_forces().locate_blocks(world_->bodies(), world_->rows());
}

void TangentBlocks::renew(const StepFrame& frame) {
  world_->contacts().blocks().uncouple(world_->bodies());
  std::vector<LocalSystem::Coupling> couplings = couple(frame);
  world_->pair_forces().couplings(couplings);
  world_->rows().set_couplings(std::move(couplings));
  locate();
}

bool TangentBlocks::cover(const StepFrame& frame) {
  const bool more = world_->on_any_rank(world_->contacts().blocks().more_needed(motion(frame, 1)));
  if (more) extend(frame);
  return more;
}

bool TangentBlocks::are_missing() const { return world_->contacts().results().coupling_missing; }

void TangentBlocks::extend(const StepFrame& frame) {
  world_->rows().add_couplings(couple(frame));
  locate();
}

}  // namespace scree

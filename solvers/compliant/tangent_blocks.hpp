/// Which bodies the tangent has blocks for, and its matrix.
#pragma once

#include <functional>
#include <vector>

#include "assembly/assembler.hpp"
#include "contact/neighbours/pair_blocks.hpp"
#include "solvers/run/step_frame.hpp"
#include "solvers/world/world.hpp"

namespace scree {

/// There are blocks for the pairs of bodies in contact and for those that will soon be, by their own motion:
/// one fast body makes no blocks for all others. What comes into contact besides gets its blocks at the next
/// tangent; nothing else in it changes by that.
class TangentBlocks {
 public:
  /// @param world outlives this object.
  explicit TangentBlocks(World& world) : world_(&world) {}

  [[nodiscard]] Mat matrix() const { return assembler_.matrix(); }

  /// Chooses blocks anew, in the world's rows: after lists or numbers of bodies have changed.
  void renew(const StepFrame& frame);
  /// Before a step from the accepted state: adds blocks where bodies may meet in it. @returns whether some
  /// were added, on any rank. Collective.
  bool cover(const StepFrame& frame);
  /// Whether the last evaluation found contacts of this rank that have no blocks.
  [[nodiscard]] bool are_missing() const;
  /// Adds those, and those of pairs that will soon be in contact. Not collective.
  void extend(const StepFrame& frame);

  /// Makes the matrix follow the blocks, and the numbering. @returns whether it is new. Collective.
  bool update_matrix() { return assembler_.set_pattern(world_->dofs(), world_->rows()); }
  void assemble_residual(Vec r) const { assembler_.assemble_residual(world_->rows(), r); }
  /// Assembler::assemble_tangent of the world's rows.
  void assemble(const std::function<void(int, int)>& finish) {
    assembler_.assemble_tangent(world_->rows(), finish);
  }

 private:
  /// Gives blocks to pairs that have none. @returns theirs.
  [[nodiscard]] std::vector<LocalSystem::Coupling> couple(const StepFrame& frame);
  void locate();
  /// @param steps of the size of the frame in which bodies keep their motion.
  [[nodiscard]] contact::ForeseenMotion motion(const StepFrame& frame, double steps) const;

  World* world_;
  Assembler assembler_;
};

}  // namespace scree

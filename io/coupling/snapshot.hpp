/// A saved state of a coupled run.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "core/types.hpp"
#include "solvers/simulation.hpp"

namespace scree::coupling {

/// State of this rank's part of the coupled run, in memory: time, step-size control, bodies, contact history,
/// surfaces with their motion and forces, inlets, random numbers, energy balance, and the neighbour lists.
/// Only the participant that saved it can take it.
class Snapshot {
 public:
  [[nodiscard]] std::size_t size() const {  ///< [bytes]
    return simulation_->size() + forces_.size() * sizeof(Vec3);
  }
  /// Whether two states are the same, to the bit.
  bool operator==(const Snapshot& other) const {
    return (simulation_ == other.simulation_ || *simulation_ == *other.simulation_) &&
           forces_ == other.forces_;
  }

 private:
  friend class Participant;
  friend struct CoupledSteps;
  std::shared_ptr<const KeptState> simulation_;
  std::vector<Vec3> forces_;  ///< of all surfaces, one after the other
};

}  // namespace scree::coupling

/// States of a simulation in memory: copies that outlive it, and ways back of its own.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "solvers/model.hpp"
#include "solvers/observer.hpp"
#include "solvers/procedure.hpp"
#include "solvers/run/phase_clock.hpp"
#include "solvers/world/world.hpp"

namespace scree {

class Simulation;

/// The state of a simulation on one rank, in memory. Only a simulation of the same model, on the same rank of
/// as many, can take it.
class Snapshot {
 public:
  [[nodiscard]] std::size_t size() const { return bytes_.size(); }  ///< [bytes]
  /// Whether two states are the same, to the bit.
  bool operator==(const Snapshot&) const = default;

 private:
  friend class Simulation;
  std::vector<std::byte> bytes_;
};

/// The state of a simulation on one rank with the lists that it had, in memory: only this simulation can go
/// back to it, and does so without a search.
class KeptState {
 public:
  [[nodiscard]] double time() const { return time_; }  ///< [s]
  [[nodiscard]] std::size_t size() const;              ///< within some per cent [bytes]
  /// Whether two states are the same, to the bit; lists are not looked at.
  bool operator==(const KeptState& other) const;

 private:
  friend class Simulation;
  KeptState(long of, double time, std::shared_ptr<World> world)
      : of_(of), time_(time), world_(std::move(world)), copy_(world_->keep()) {}

  long of_;                       ///< number of the simulation
  double time_;                   ///< [s]
  std::shared_ptr<World> world_;  ///< lists refer to its shapes and surfaces
  WorldCopy copy_;
  BodiesState more_;  ///< of procedures
  SolverState solvers_;
  std::vector<std::byte> run_;
};

/// What a state and a model have to agree in.
struct StateKind {
  int analysis = 0;
  std::size_t shapes = 0, materials = 0, interfaces = 0, boundary_parts = 0, inlets = 0, outlets = 0;

  StateKind() = default;
  explicit StateKind(const Model& model);
  /// @returns what this model has instead of the other, in words; "" if they agree.
  [[nodiscard]] std::string difference_from(const StateKind& other) const;

  template <class Self, class Archive>
  static void visit(Self& self, Archive& archive) {
    archive("analysis", self.analysis, "");
    archive("shapes", self.shapes, "");
    archive("materials", self.materials, "");
    archive("interfaces", self.interfaces, "");
    archive("boundary_parts", self.boundary_parts, "");
    archive("inlets", self.inlets, "");
    archive("outlets", self.outlets, "");
  }
};

/// A world at a saved state, and what takes it further.
struct Resumed {
  std::shared_ptr<World> world;
  std::unique_ptr<Procedure> procedure;
};

/// Makes what follows from the bodies of a saved state at `time` [s]. @param clock, report outlive what is
/// made. @param moved for each part of the boundaries whether it is elsewhere than where the state was saved;
/// empty: none is. Collective. @throws std::invalid_argument on all ranks if the contact laws do not allow
/// the state, or if bodies are where no run could start beside what has moved (overlap.hpp).
Resumed resume_world(const Model& model, const BodiesState& bodies, double time, MPI_Comm comm,
                     const std::string& options_prefix, PhaseClock& clock, RunReport& report,
                     const std::vector<char>& moved);

}  // namespace scree

/// Bodies that come through inlets and go through outlets.
#pragma once

#include <limits>
#include <optional>
#include <vector>

#include "solvers/observer.hpp"
#include "solvers/placement/generator.hpp"
#include "solvers/procedure.hpp"

namespace scree {

/// Every rank knows all that is due and draws the same places; a body belongs to the rank of its nearest
/// neighbour.
class Population {
 public:
  /// @param model outlives it.
  Population(const Model& model, MPI_Comm comm);

  /// @returns whether any more bodies may come, or any may go.
  [[nodiscard]] bool changes() const { return !model_->outlets.empty() || next_due() < kNever; }
  /// @returns time at which the next body is due, of those that are not there yet [s]; infinity for none.
  [[nodiscard]] double next_due() const;

  /// Removes bodies in outlets, then inserts scheduled bodies that have a free position, in the order of the
  /// inlet: a pending body delays those scheduled after it. At an accepted state. @param time [s].
  /// @returns whether bodies came or went. Collective.
  bool exchange(Procedure& procedure, double time);

  /// @returns energy of the bodies that the last exchange inserted: kinetic, and potential of their weight
  /// [J].
  [[nodiscard]] double brought() const { return brought_; }
  /// @returns whether forces were found anew at the last exchange: bodies left, or there were none.
  [[nodiscard]] bool settled() const { return settled_; }
  /// @returns whether bodies left at the last exchange.
  [[nodiscard]] bool left() const { return left_; }
  [[nodiscard]] const PopulationReport& report() const { return report_; }

  template <class Self, class Archive>
  static void visit(Self& self, Archive& archive) {
    archive("random", self.random_, "");
    archive("next", self.next_, "");
    archive("report", self.report_, "");
  }

 private:
  static constexpr double kNever = std::numeric_limits<double>::infinity();
  struct Arrival {
    int inlet;
    PlacedBody body;
  };

  [[nodiscard]] bool is_due(std::size_t inlet, double time) const;
  /// @returns per owned body whether it goes; counts them.
  std::vector<char> leaving(const Bodies& bodies);
  /// Bodies of all ranks that are near the inlets where something is due become obstacles.
  void gather_obstacles(const World& world, const std::vector<char>& leaves, double time);
  std::vector<Arrival> place_due(double time);
  /// @returns those of this rank.
  std::vector<NewBody> settle(const Bodies& bodies, const std::vector<Arrival>& arrivals);
  [[nodiscard]] NewBody make(const Arrival& arrival, BodyId id) const;

  const Model* model_;
  MPI_Comm comm_;
  std::optional<Generator> room_;      ///< where there are inlets
  std::vector<RandomNumbers> random_;  ///< per inlet
  std::vector<std::size_t> next_;      ///< per inlet: first entry that has not come
  PopulationReport report_;
  double brought_ = 0;
  bool settled_ = false, left_ = false;
};

}  // namespace scree

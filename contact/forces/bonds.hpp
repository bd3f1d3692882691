/// Bonds: linear springs between spheres, instead of their contact (docs/pair_forces.md).
#pragma once

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "contact/forces/bond_parameters.hpp"
#include "contact/forces/central_pair.hpp"
#include "core/shapes/shape.hpp"

namespace scree::contact {

/// V = k_B (d - d_0)^2 / 2 with d_0 the sum of the radii. @param change of the distance over a step to there
/// [m]: the force is the secant, that of the mean distance.
CentralForce bond_force(const BondParameters& parameters, double rest, double distance, double change = 0);

/// What outlasts a step of a bond: that it lives, and what it did in the step.
struct BondMemory {
  BodyId id_a = 0, id_b = 0;
  CellNumber image{};        ///< of B, as in NearPair
  Vec3 on_a = Vec3::Zero();  ///< force on A in the step [N]

  template <class Self, class Archive>
  static void visit(Self& self, Archive& archive) {
    archive("id_a", self.id_a, "");
    archive("id_b", self.id_b, "");
    archive("image", self.image, "");
    archive("force", self.on_a, "N");
  }
};

/// What the bonds of this rank lost in a step (each bond is counted on one rank).
struct BondLosses {
  long broken = 0;
  double energy = 0;  ///< stored in them when they broke [J]
};

/// The bonds of which this rank owns a body. Those that live are all that outlasts a step.
class Bonds {
 public:
  /// @param shapes outlive this object; no parameters: there are no bonds.
  Bonds(const std::vector<Shape>& shapes, std::optional<BondParameters> parameters)
      : shapes_(&shapes), parameters_(parameters) {}

  [[nodiscard]] bool wanted() const { return parameters_.has_value(); }
  [[nodiscard]] bool breakable() const { return wanted() && parameters_->breakable(); }

  /// How far apart the surfaces of bonded spheres lie at most, at the accepted state [m]: what ghosts have to
  /// reach. Before make() what bonds may have at the start.
  [[nodiscard]] double reach(const Bodies& bodies) const;
  /// Bonds all spheres that are near enough at the accepted state. Once, with all ghosts in reach().
  void make(const Bodies& bodies);
  /// Finds the bodies of all bonds again after they moved between ranks; forgets the bonds of others.
  void locate(const Bodies& bodies);

  /// Evaluates all bonds. @throws RecoverableError if two poles coincide.
  void evaluate(const Bodies& bodies, Configuration where);
  /// Evaluates the trial state, which is being accepted; the forces of the step are kept beside it. @param
  /// breaks takes out the bonds whose tension exceeds the breaking force there.
  BondLosses commit(const Bodies& bodies, bool breaks);

  /// Largest tension at the trial state over the breaking force, 0 if bonds do not break.
  [[nodiscard]] double largest_load(const Bodies& bodies) const;

  [[nodiscard]] const std::vector<CentralPair>& pairs() const { return pairs_; }
  [[nodiscard]] std::vector<CentralPair>& pairs() { return pairs_; }

  /// @returns the living bonds of this rank, or those of one body.
  [[nodiscard]] std::vector<BondMemory> memory(std::optional<BodyId> body = {}) const;
  /// Takes bonds over, before the next locate(), which drops what came twice.
  void remember(const std::vector<BondMemory>& memory);
  /// Clears all bonds: `remember` restores them.
  void forget() { pairs_.clear(); }
  /// Takes over the bonds of a state in which they were made before, instead of make().
  void restore(const std::vector<BondMemory>& memory) {
    forget();
    remember(memory);
    made_ = true;
  }

 private:
  [[nodiscard]] double radius(const Bodies& bodies, int i) const {
    return (*shapes_)[bodies.properties[i].shape].radius;
  }

  const std::vector<Shape>* shapes_;
  std::optional<BondParameters> parameters_;
  std::vector<CentralPair> pairs_;  ///< sorted by ids
  bool made_ = false;
  Configuration where_ = Configuration::accepted;  ///< of the last evaluation
};

}  // namespace scree::contact

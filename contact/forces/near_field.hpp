/// Near-field forces between all bodies whose poles are nearer than a cut-off (docs/pair_forces.md).
#pragma once

#include <vector>

#include "contact/forces/central_pair.hpp"
#include "contact/forces/near_field_parameters.hpp"
#include "core/shapes/shape.hpp"

namespace scree::contact {

/// One near-field law with its constants computed once: V' = kappa_1 d^-lambda_1 - kappa_2 d^-lambda_2
/// (theory 04 section 3), V = 0 at the cut-off.
class NearFieldLaw {
 public:
  explicit NearFieldLaw(const NearFieldParameters& parameters);
  [[nodiscard]] const NearFieldParameters& parameters() const { return parameters_; }
  /// What acts at a distance [m] > 0, whether below the cut-off or not.
  [[nodiscard]] CentralForce at(double distance) const;
  /// What acts over a step: energy at its end, the secant (V1 - V0)/(d1 - d0) of it, zero beyond the cut-off,
  /// and its derivative in d1. Continuous in d1, even where the force jumps at the cut-off.
  /// @param before d0 [m] > 0. @param change d1 - d0 [m].
  [[nodiscard]] CentralForce over(double before, double change) const;

 private:
  [[nodiscard]] CentralForce unbounded(double distance) const;
  /// Secant of the potential without a cut-off; no energy.
  [[nodiscard]] CentralForce secant(double before, double change) const;
  NearFieldParameters parameters_;
  CentralForce cutoff_;  ///< taken off; its curvature is not used
};

/// The pairs of one law of which this rank owns a body.
class NearField {
 public:
  explicit NearField(const NearFieldParameters& parameters) : law_(parameters) {}

  /// How far ghosts have to reach beyond touching bounding spheres when bodies travel by up to `travel` [m].
  [[nodiscard]] double reach(double travel) const { return law_.parameters().cutoff + 2 * travel; }
  /// All pairs that may come within the cut-off while bodies move by up to `travel` [m] each.
  void search(const Bodies& bodies, const std::vector<Shape>& shapes, double travel);

  /// Evaluates all pairs. Whether a pair is within a cut-off where the force jumps is decided at the accepted
  /// state and holds for the step: Newton's residual has no jump. Secants have none. @throws RecoverableError
  /// if two poles coincide.
  void evaluate(const Bodies& bodies, Configuration where);

  [[nodiscard]] const std::vector<CentralPair>& pairs() const { return pairs_; }
  [[nodiscard]] std::vector<CentralPair>& pairs() { return pairs_; }

 private:
  NearFieldLaw law_;
  std::vector<CentralPair> pairs_;  ///< sorted by ids
};

}  // namespace scree::contact

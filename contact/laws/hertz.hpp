/// Hertz contact with damping that makes the restitution independent of speed (theory 04 section 1).
#pragma once

#include <optional>

#include "contact/laws/normal_law_traits.hpp"

namespace scree::contact {

/// Hertz contact with the damping of theory 04 section 1; moduli are those of the materials.
struct HertzParameters {
  double damping_ratio = 0;             ///< xi >= 0; where no restitution is given
  std::optional<double> restitution{};  ///< e in [0, 1], of a binary collision
  bool no_tension = true;
  CurvatureRule radius = CurvatureRule::gaussian;  ///< of superquadrics
  double radius_limit = 10;  ///< radii of curvature count up to this many radii of equal volume, > 0
};

/// Force C delta^(3/2) - 2 xi sqrt(k m*) v_n, delta = -gap > 0, k = 3/2 C sqrt(delta).
class HertzLaw : public NormalLawDefaults {
 public:
  using Parameters = HertzParameters;
  static constexpr LawTraits kTraits{.name = "hertz",
                                     .moduli = true,
                                     .curvature = true,
                                     .midway = true,
                                     .rounding = RoundingNeed::also_at_boundaries};
  static Specification specification();
  static HertzParameters parameters(const Value& values, std::vector<Diagnostic>& faults);

  explicit HertzLaw(const HertzParameters& p);

  [[nodiscard]] LawValue at(double gap, const PairConstants& pair) const;
  [[nodiscard]] bool no_tension() const { return no_tension_; }
  [[nodiscard]] CurvatureChoice curvature() const { return curvature_; }
  [[nodiscard]] double restitution(const PairConstants& /*pair*/) const { return restitution_; }

  /// Duration of an undamped impact [s], theory 04 section 1 (time step). @param mass that the contact moves
  /// [kg]. @param speed of approach [m/s]; infinite at zero.
  [[nodiscard]] double duration(double mass, double speed, const PairConstants& pair) const;

 private:
  double damping_ratio_ = 0;
  double restitution_ = 1;
  bool no_tension_ = true;
  CurvatureChoice curvature_;
};

}  // namespace scree::contact

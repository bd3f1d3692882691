/// Hertz's law with the adhesion of Derjaguin, Muller and Toporov (docs/interface_laws.md, section 8).
#pragma once

#include "contact/laws/hertz.hpp"

namespace scree::contact {

/// Keys of Hertz's law, the work of adhesion, and over which gap it is done.
struct DmtParameters {
  HertzParameters hertz;
  double surface_energy = 0;  ///< w [J/m^2], both surfaces together, > 0
  double range = 0;           ///< gap where attraction ends [m], > 0
};

/// At overlap C delta^(3/2) - 2 pi w R*, with Hertz's dashpot; at a gap g < range the attraction
/// 2 pi w R* (1 - x)^2 (1 + 2 x), x = g / range, which ends with zero slope.
class DmtLaw : public NormalLawDefaults {
 public:
  using Parameters = DmtParameters;
  static constexpr LawTraits kTraits{.name = "dmt",
                                     .moduli = true,
                                     .curvature = true,
                                     .rounding = RoundingNeed::also_at_boundaries,
                                     .threshold_key = "range"};
  static Specification specification();
  static DmtParameters parameters(const Value& values, std::vector<Diagnostic>& faults);

  explicit DmtLaw(const DmtParameters& p);

  [[nodiscard]] LawValue at(double gap, const PairConstants& pair) const;
  [[nodiscard]] double threshold() const { return range_; }
  /// Limits the tensile force, damping included, to the attraction.
  [[nodiscard]] bool no_tension() const { return hertz_.no_tension(); }
  [[nodiscard]] CurvatureChoice curvature() const { return hertz_.curvature(); }
  [[nodiscard]] double restitution(const PairConstants& pair) const { return hertz_.restitution(pair); }
  /// Hertz's duration at the speed that attraction makes of `speed`, or the time that bodies of that speed
  /// take across the range, if that is shorter [s].
  [[nodiscard]] double duration(double mass, double speed, const PairConstants& pair) const;

 private:
  HertzLaw hertz_;
  double surface_energy_ = 0, range_ = 0;
};

}  // namespace scree::contact

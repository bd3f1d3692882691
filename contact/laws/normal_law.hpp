/// The normal law of an interface: one of the registered ones, without a virtual call per contact.
#pragma once

#include "contact/laws/parameters.hpp"

namespace scree::contact {

class NormalLaw {
 public:
  explicit NormalLaw(const NormalParameters& parameters);

  [[nodiscard]] const LawTraits& traits() const { return *traits_; }
  /// Gap below which the law acts [m]; 0 for overlap-based laws that do not attract from a distance.
  [[nodiscard]] double threshold() const { return threshold_; }
  /// Gap below which the law compresses [m]: where a contact begins, with its dashpot and friction.
  [[nodiscard]] double onset() const { return overlap_ ? 0 : threshold_; }
  /// Length scale of lists, windows and history [m]: the threshold, or the value of `set_scale`.
  [[nodiscard]] double scale() const { return scale_; }
  /// @param scale [m] > 0, for overlap-based laws; a barrier law keeps its threshold.
  void set_scale(double scale) {
    if (allows_overlap()) scale_ = scale;
  }
  /// Whether gaps may be negative. The barrier law forbids it.
  [[nodiscard]] bool allows_overlap() const { return overlap_; }
  /// Parameters of rigid contact, null under the other laws.
  [[nodiscard]] const RigidParameters* rigid() const { return traits_->rigid ? &rigid_ : nullptr; }
  /// Whether the dashpot jumps where the law begins, or rises with infinite slope.
  [[nodiscard]] bool dashpot_is_steep() const { return dashpot_is_steep_; }
  /// Whether the normal force, damping included, is limited to compression.
  [[nodiscard]] bool no_tension() const { return no_tension_; }
  /// How a superquadric's radius of curvature follows from the place where it is touched.
  [[nodiscard]] const CurvatureChoice& curvature() const { return curvature_; }

  /// Force, potential and dashpot at a gap [m] (> 0 without overlap). @note No allocation.
  [[nodiscard]] LawValue at(double gap, const PairConstants& pair = {}) const {
    return dispatch(law_, [&](const auto& law) { return law.at(gap, pair); });
  }

  /// Duration of an impact under an overlap-based law [s] (theory 04 section 1). @param mass that the contact
  /// moves [kg]. @param speed of approach [m/s].
  [[nodiscard]] double duration(double mass, double speed, const PairConstants& pair) const;

  /// Coefficient of restitution of a binary collision that goes with the law's dashpot.
  [[nodiscard]] double restitution(const PairConstants& pair) const {
    return dispatch(law_, [&](const auto& law) { return law.restitution(pair); });
  }

 private:
  AnyNormalLaw law_;
  const LawTraits* traits_;
  double threshold_ = 0, scale_ = 0;
  CurvatureChoice curvature_;
  RigidParameters rigid_;
  bool overlap_ = false, no_tension_ = true, dashpot_is_steep_ = true;
};

}  // namespace scree::contact

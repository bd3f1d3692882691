/// Unilateral contact of rigid bodies (contact dynamics): parameters that its solver requires.
#pragma once

#include "contact/laws/normal_law_traits.hpp"

namespace scree::contact {

/// Unilateral contact of rigid bodies (contact dynamics, theory 07).
struct RigidParameters {
  double restitution = 0;      ///< e_n in [0, 1] of an impact
  double stiffness_ratio = 1;  ///< k~ > 0 of the elastic bodies in whose limit forces are unique
  double exponent = 1;         ///< of their force on compression: 1 (Hooke) or 1.5 (Hertz)
};

/// No force at a gap: forces come from all contacts together.
class RigidLaw : public NormalLawDefaults {
 public:
  using Parameters = RigidParameters;
  static constexpr LawTraits kTraits{.name = "rigid", .rigid = true};
  static Specification specification();
  static RigidParameters parameters(const Value& values, std::vector<Diagnostic>& faults);

  explicit RigidLaw(const RigidParameters& p) : rigid_(p) {}

  [[nodiscard]] LawValue at(double /*gap*/, const PairConstants& /*pair*/) const { return {}; }
  [[nodiscard]] const RigidParameters& rigid() const { return rigid_; }

 private:
  RigidParameters rigid_;
};

}  // namespace scree::contact

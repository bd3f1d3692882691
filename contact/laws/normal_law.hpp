/// The normal law of an interface: one of the registered ones, without a virtual call per contact.
#pragma once

#include <variant>

#include "contact/laws/barrier.hpp"
#include "contact/laws/hertz.hpp"
#include "contact/laws/hooke.hpp"

namespace scree::contact {

class NormalLaw {
 public:
  explicit NormalLaw(const Interface& interface);

  /// Gap below which the law acts [m]; 0 for laws at overlap.
  [[nodiscard]] double threshold() const { return threshold_; }
  /// Length that lists, windows and memory are measured by [m]: the threshold, or what `set_scale` said.
  [[nodiscard]] double scale() const { return scale_; }
  /// @param scale [m] > 0, for laws at overlap; a barrier law keeps its threshold.
  void set_scale(double scale) {
    if (allows_overlap()) scale_ = scale;
  }
  /// Whether gaps may be negative. The barrier law forbids it.
  [[nodiscard]] bool allows_overlap() const { return law_.index() != 0; }
  /// The law of rigid contact, null under the others.
  [[nodiscard]] const RigidParameters* rigid() const { return std::get_if<RigidParameters>(&law_); }
  /// Whether the dashpot jumps where the law begins, or rises with infinite slope.
  [[nodiscard]] bool dashpot_is_steep() const {
    const auto* barrier = std::get_if<BarrierLaw>(&law_);
    return barrier == nullptr || barrier->dashpot_is_steep();
  }
  /// Whether the dashpot is clipped so that the sum never pulls.
  [[nodiscard]] bool no_tension() const { return no_tension_; }

  /// Force, potential and dashpot at a gap [m] (> 0 for a barrier). @note No allocation.
  [[nodiscard]] LawValue at(double gap, const PairConstants& pair = {}) const {
    if (const auto* barrier = std::get_if<BarrierLaw>(&law_)) return barrier->at(gap);
    if (const auto* hooke = std::get_if<HookeLaw>(&law_)) return hooke->at(gap, pair);
    if (const auto* hertz = std::get_if<HertzLaw>(&law_)) return hertz->at(gap, pair);
    return {};  // rigid: forces come from all contacts together
  }

  /// Duration of an impact under a law at overlap [s] (theory 04 section 1). @param mass that the contact
  /// moves [kg]. @param speed of approach [m/s].
  [[nodiscard]] double duration(double mass, double speed, const PairConstants& pair) const;

 private:
  std::variant<BarrierLaw, HookeLaw, HertzLaw, RigidParameters> law_;
  double threshold_ = 0, scale_ = 0;
  bool no_tension_ = true;
};

}  // namespace scree::contact

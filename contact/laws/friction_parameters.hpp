/// Parameters of friction in a deck.
#pragma once

#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "core/parameters/parameters.hpp"

namespace scree::contact {

/// How the tangential stiffness comes about: a number, or 8 G* sqrt(R* overlap) with the G* of Mindlin or of
/// the paper (theory 04, C22).
enum class TangentialStiffness : std::uint8_t { constant, mindlin, paper };

/// What a tangential spring whose stiffness follows the overlap does with what it has stored (theory 04
/// section 2).
enum class CarriedSpring {
  dissipative,  ///< keeps its force while the stiffness rises, its elongation while it falls: makes no energy
  slip,         ///< f = k_t s with the stiffness of the moment, as most codes for spheres have it
  force         ///< f grows by k_t ds: what is stored stays
};

/// What the limit of Coulomb acts on (docs/interface_laws.md, section 4).
enum class FrictionLimit : std::uint8_t {
  sum,  ///< spring and dashpot together; the spring keeps what it has within the limit (theory 05 section 3)
  spring,  ///< the spring alone; the dashpot acts besides, but not in a step that begins sliding
  stored,  ///< as sum, but a contact that slides stores the whole limit in its spring
  none     ///< the trial force itself acts, Coulomb or not
};

/// Which normal force limits friction and rolling: for overlap that with its dashpot, for barriers without.
enum class LimitingForce : std::uint8_t { of_the_law, total, elastic };

/// Coulomb friction with an elastic-viscous trial force, theory 05 section 3. Absent: static_coefficient = 0.
struct FrictionParameters {
  double static_coefficient = 0;   ///< mu_s >= mu_d
  double dynamic_coefficient = 0;  ///< mu_d >= 0
  double stiffness = 0;            ///< epsilon_t [N/m] >= 0, of the rule `constant`
  double damping = 0;              ///< c_t [N s/m] >= 0; stiffness and damping not both 0
  double damping_ratio = 0;        ///< xi_t >= 0: dashpot 2 xi_t sqrt(k_t m*) beside c_t
  std::vector<std::pair<double, double>> active = {{0.0, std::numeric_limits<double>::infinity()}};  ///< [s]
  TangentialStiffness rule = TangentialStiffness::constant;
  CarriedSpring carried = CarriedSpring::dissipative;  ///< of the other rules
  FrictionLimit limit = FrictionLimit::sum;
  LimitingForce limiting_force = LimitingForce::of_the_law;

  [[nodiscard]] bool limited() const { return limit != FrictionLimit::none; }
};

/// @returns keys, units, ranges and defaults of Coulomb friction.
Specification friction_specification();

/// @param values checked against friction_specification().
/// @param needs_spring whether friction acts through a spring or dashpot: not between rigid bodies.
/// @param faults gets what is wrong between the keys: no static coefficient where there is a limit, dynamic
///   above static, neither stiffness nor damping, times that do not increase (where = JSON pointer).
FrictionParameters friction_parameters(const Value& values, std::vector<Diagnostic>& faults,
                                       bool needs_spring = true);

}  // namespace scree::contact

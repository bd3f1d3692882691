/// Parameters of interface laws, as the deck gives them.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

namespace scree::contact {

/// Hybrid penalty and barrier law f(gap), [Poly, Eqs. 49-51], theory 03 section 3.
struct BarrierParameters {
  double threshold = 1e-3;        ///< gap where the force begins [m], > 0
  double stiffness = 0;           ///< epsilon_1 [N/m^exponent], > 0
  double exponent = 3;            ///< n_1 >= 1
  double barrier_fraction = 0.4;  ///< f in (0, 1): barrier below f * threshold
  double barrier_exponent = -2;   ///< n_2 <= -1
  double damping_ratio = 0;       ///< zeta >= 0
};

/// Linear spring and dashpot at overlap (docs/interface_laws.md, section 2).
struct HookeParameters {
  double stiffness = 0;  ///< k_n [N/m], > 0
  double damping = 0;    ///< gamma_n [1/s] >= 0: force gamma_n m* v_n; where no restitution is given
  std::optional<double> restitution{};  ///< e in [0, 1], the one that a lone impact realises
  bool no_tension = false;              ///< the sum of spring and dashpot never pulls
};

/// Which radius of curvature stands for a superquadric in Hertz's law.
enum class CurvatureRule : std::uint8_t {
  mean,     ///< 1 / mean curvature
  gaussian  ///< 1 / sqrt(Gaussian curvature)
};

/// Hertz's law at overlap with the damping of theory 04 section 1; moduli are those of the materials.
struct HertzParameters {
  double damping_ratio = 0;             ///< xi >= 0; where no restitution is given
  std::optional<double> restitution{};  ///< e in [0, 1], the one that a lone impact realises
  bool no_tension = true;
  CurvatureRule radius = CurvatureRule::gaussian;  ///< of superquadrics
  double radius_limit = 10;  ///< radii of curvature count up to this many radii of equal volume, > 0
};

/// Unilateral contact of rigid bodies (contact dynamics, theory 07).
struct RigidParameters {
  double restitution = 0;      ///< e_n in [0, 1] of an impact
  double stiffness_ratio = 1;  ///< k~ > 0 of the elastic bodies in whose limit forces are unique
  double exponent = 1;         ///< of their force on compression: 1 (Hooke) or 1.5 (Hertz)
};

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

/// Elastic-plastic spring and dashpot against rolling, type C of [Ai]. Absent: coefficient = 0.
struct RollingParameters {
  double coefficient = 0;    ///< mu_r >= 0: the spring carries at most mu_r R* N [-]
  double stiffness = 0;      ///< k_r [N m/rad], > 0
  double damping_ratio = 0;  ///< eta_r >= 0
};

/// Everything that acts between two materials.
struct Interface {
  BarrierParameters normal;
  /// Takes the place of the barrier law where it is given.
  std::variant<std::monostate, HookeParameters, HertzParameters, RigidParameters> overlap;
  FrictionParameters friction;
  RollingParameters rolling;
  bool midway = false;  ///< superquadrics touch each other by their midway point; of laws at overlap

  [[nodiscard]] bool is_barrier() const { return std::holds_alternative<std::monostate>(overlap); }
  [[nodiscard]] bool is_rigid() const { return std::holds_alternative<RigidParameters>(overlap); }
  /// Gap below which forces act [m]: 0 for the laws at overlap.
  [[nodiscard]] double threshold() const { return is_barrier() ? normal.threshold : 0; }
};

/// What Hertz's law needs to know of a material.
struct Elasticity {
  double young = 0;    ///< [Pa]; 0: not given, rigid where the material is that of a boundary
  double poisson = 0;  ///< [-]
};

}  // namespace scree::contact

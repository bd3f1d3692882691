/// What a normal law says of itself, so that lists, checks and messages need not know which laws there are.
#pragma once

#include <concepts>
#include <cstdint>
#include <limits>
#include <vector>

#include "contact/laws/law_value.hpp"
#include "core/error.hpp"
#include "core/parameters/parameters.hpp"

namespace scree::contact {

/// Which radius of curvature stands for a superquadric.
enum class CurvatureRule : std::uint8_t {
  mean,     ///< 1 / mean curvature
  gaussian  ///< 1 / sqrt(Gaussian curvature)
};

struct CurvatureChoice {
  CurvatureRule rule = CurvatureRule::gaussian;
  double limit = 10;  ///< radii of curvature count up to this many radii of equal volume, > 0
};

/// Which bodies need a rounding radius.
enum class RoundingNeed : std::uint8_t {
  none,
  one_of_two,         ///< of two bodies one: an overlap has to have a distance
  also_at_boundaries  ///< and each body that meets a boundary: the force depends on the radius
};

struct LawTraits {
  const char* name = "";  ///< of the deck
  bool overlap = true;    ///< compresses at overlap; false: from its threshold on, and keeps gaps positive
  bool rigid = false;     ///< for contact dynamics: no force of its own at a gap
  bool moduli = false;  ///< needs "young" and "poisson"; friction may have a stiffness that follows from them
  bool curvature = false;  ///< depends on the radii of curvature of superquadrics
  bool midway = false;     ///< has a meaning for the gap of the midway point, which is no distance
  RoundingNeed rounding = RoundingNeed::none;
  const char* threshold_key = "threshold";  ///< key of the gap below which it acts, if that is not 0
};

/// Defaults of most overlap-based laws. A law derives from it and hides what is different.
struct NormalLawDefaults {
  /// Gap below which the law acts [m]; at overlap > 0 for a law that attracts from a distance.
  [[nodiscard]] double threshold() const { return 0; }
  /// Whether the normal force, damping included, is limited to compression.
  [[nodiscard]] bool no_tension() const { return true; }
  /// Whether the dashpot jumps where the law begins, or rises with infinite slope.
  [[nodiscard]] bool dashpot_is_steep() const { return true; }
  /// How a superquadric's radius of curvature follows from the place where it is touched.
  [[nodiscard]] CurvatureChoice curvature() const { return {}; }
  /// Duration of an impact, or of what is shorter in it [s] (theory 04 section 1): steps are a part of it.
  /// @param mass that the contact moves [kg]. @param speed of approach from beyond the threshold [m/s]; 0
  /// where bodies cannot part.
  [[nodiscard]] double duration(double /*mass*/, double /*speed*/, const PairConstants& /*pair*/) const {
    return std::numeric_limits<double>::infinity();
  }
  /// Coefficient of restitution of a binary collision that goes with the law's dashpot, for integrators that
  /// take it in its place. 1 without a dashpot.
  [[nodiscard]] double restitution(const PairConstants& /*pair*/) const { return 1; }
};

/// A normal law: its parameters, their specification in a deck, and the law itself with its constants made
/// once. `parameters` puts checked values of `specification` into the parameters; `faults` gets what is wrong
/// between keys (where = JSON pointer). `at` gives force, potential and dashpot at a gap [m]; it does not
/// allocate.
template <class Law>
concept NormalLawType = requires(const Law& law, const typename Law::Parameters& parameters,
                                 const Value& values, std::vector<Diagnostic>& faults,
                                 const PairConstants& pair) {
  { Law::kTraits } -> std::convertible_to<LawTraits>;
  { Law::specification() } -> std::same_as<Specification>;
  { Law::parameters(values, faults) } -> std::same_as<typename Law::Parameters>;
  Law(parameters);
  { law.at(0.0, pair) } -> std::same_as<LawValue>;
  { law.threshold() } -> std::same_as<double>;
  { law.no_tension() } -> std::same_as<bool>;
  { law.dashpot_is_steep() } -> std::same_as<bool>;
  { law.curvature() } -> std::same_as<CurvatureChoice>;
  { law.duration(1.0, 1.0, pair) } -> std::same_as<double>;
  { law.restitution(pair) } -> std::same_as<double>;
};

}  // namespace scree::contact

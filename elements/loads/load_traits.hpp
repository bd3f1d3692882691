/// What a load says of itself, so that sums, checks and messages need not know which loads there are.
#pragma once

#include <concepts>
#include <optional>
#include <string>
#include <vector>

#include "core/body.hpp"
#include "core/error.hpp"
#include "core/parameters/parameters.hpp"

namespace scree::elements {

struct LoadTraits {
  const char* name = "";  ///< of the deck
  bool one_body = true;   ///< acts on one body, which its key "body" names (member `body`); false: on all
  /// Its size is given, and its work is put in from outside: unbalance is measured by it. False: it answers
  /// to the motion of bodies, and its work is counted as that of a fluid.
  bool dead = true;
};

/// A body that a load acts on. @note The trial state of a body, its velocities included.
struct LoadedBody {
  const BodyProperties& properties;
  const BodyTrial& trial;
};

/// Why a load has no effect in a run. @param key that the note is about, "" for the load itself.
struct IdleLoad {
  std::string key;
  std::string message;
};

/// What the check of loads without effect knows of the run.
struct LoadedRun {
  double end = 0;  ///< [s]
  bool quasi_static = false;
};

/// Force at a point and moment that a load on one body can have, for checks.
struct LoadDirections {
  Vec3 force = Vec3::Zero();
  Vec3 moment = Vec3::Zero();
  Vec3 point_B = Vec3::Zero();  ///< where the force acts [m]
};

using LoadResidual = Eigen::Map<Vec6>;
using LoadTangent = Eigen::Map<Eigen::Matrix<double, 6, 6, Eigen::RowMajor>>;

/// A load: its data, their specification in a deck, and its effect on a body.
/// `read` puts checked values of `specification` into it, but for the body; `faults` gets what is wrong
/// between keys. `residual` subtracts it from the residual of a body at a time [s]; `tangent` adds its
/// derivative in displacement and virtual spin, through dv_du and dw_dtheta where it depends on velocities;
/// `power` [W]; `work` [J] along the trial increment. Dead loads: `size` as a force at a time, `largest` of
/// all times [N], both positive; `next_row` of its ramp after a time [s].
template <class Load>
concept LoadType = requires(const Load& load, const Value& values, std::vector<Diagnostic>& faults,
                            const LoadedBody& body, LoadResidual& r, LoadTangent& k, const LoadedRun& run) {
  { Load::kTraits } -> std::convertible_to<LoadTraits>;
  { Load::specification() } -> std::same_as<Specification>;
  { Load::read(values, faults) } -> std::same_as<Load>;
  { load.is_zero() } -> std::same_as<bool>;
  { load.idle(values, run) } -> std::same_as<std::optional<IdleLoad>>;
  load.residual(body, 0.0, r);
  load.tangent(body, 0.0, k);
  { load.power(body, 0.0) } -> std::same_as<double>;
  { load.work(body, 0.0, 0.0) } -> std::same_as<double>;
  requires !Load::kTraits.one_body || requires {
    { load.body } -> std::convertible_to<BodyId>;
    { load.directions() } -> std::same_as<LoadDirections>;
  };
  requires !Load::kTraits.dead || requires {
    { load.size(body.properties, 0.0) } -> std::same_as<double>;
    { load.largest(body.properties) } -> std::same_as<double>;
    { load.next_row(0.0) } -> std::same_as<double>;
  };
};

}  // namespace scree::elements

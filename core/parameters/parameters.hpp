/// What a deck may say of one thing (a law, a shape, a load, an integrator): keys with type, unit, range,
/// default and meaning. Stands beside the physics; checks, JSON Schema and docs/input.md follow from it.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/parameters/value.hpp"

namespace scree {

/// Interval of allowed numbers, or some of them.
struct Range {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  bool low_open = false;   ///< low itself is not allowed
  bool high_open = false;  ///< high itself is not allowed
  /// Allowed numbers, at least two, which outlive this object; empty: all of the interval.
  std::span<const double> only{};

  [[nodiscard]] bool contains(double value) const;
  /// @returns "> 0", "in (0, 1]", "1 or 1.5", ...; "" where everything is allowed.
  [[nodiscard]] std::string to_text() const;
};

namespace range {
inline Range positive() { return {.low = 0, .low_open = true}; }
inline Range not_negative() { return {.low = 0}; }
inline Range at_least(double low) { return {.low = low}; }
}  // namespace range

/// In which runs a key, or a choice between named things, has an effect. The check of a deck, the schema and
/// docs/input.md follow from this declaration.
struct Scope {
  /// Values of "analysis" with which it has an effect; empty: all of them.
  std::vector<std::string> analyses{};
  /// With another analysis. True: an error, because the run could not do what the deck describes. False: a
  /// note, because the run does what the deck describes without it, and one deck serves several analyses.
  bool refused = false;
  std::string reason{};  ///< why it has no effect elsewhere: "rigid contact has no springs"
  /// Key beside it that has to have one of these string values; no values: that has to be given. "" for none.
  std::string beside{};
  std::vector<std::string> values{};

  [[nodiscard]] bool includes(const std::string& analysis) const;
};

namespace scope {
inline const std::string kDynamic = "dynamic", kQuasiStatic = "quasi-static";
inline const std::string kContactDynamics = "contact-dynamics";

/// What is without velocities nothing.
inline Scope not_quasi_static(bool refused = false, std::string reason = "an equilibrium has no velocities") {
  return {.analyses = {kDynamic, kContactDynamics}, .refused = refused, .reason = std::move(reason)};
}
/// What rigid contact does not have.
inline Scope not_contact_dynamics(bool refused, std::string reason) {
  return {.analyses = {kDynamic, kQuasiStatic}, .refused = refused, .reason = std::move(reason)};
}
inline Scope contact_dynamics_only(bool refused, std::string reason) {
  return {.analyses = {kContactDynamics}, .refused = refused, .reason = std::move(reason)};
}
inline Scope dynamic_only(std::string reason) {
  return {.analyses = {kDynamic}, .reason = std::move(reason)};
}
/// Dashpots of compliant laws.
inline Scope dashpot() { return dynamic_only("dashpots require compliant contact and velocities"); }
}  // namespace scope

struct ParameterSpec;

/// Something with a name and keys of its own.
struct Specification {
  std::string name{};
  std::string description{};
  std::vector<ParameterSpec> parameters;
  bool available = true;
  Scope scope{};
};

enum class ParameterKind : std::uint8_t {
  boolean,
  number,
  integer,
  string,
  vector,   ///< `size` numbers
  list,     ///< of members[0]
  map,      ///< names chosen by the user to members[0]
  object,   ///< with members
  any_of,   ///< one of members, selected by the kind of value
  variant,  ///< one of variants, selected by the selector key
};

/// One key, and what its value may be. Items of lists and maps are parameters without key.
struct ParameterSpec {
  std::string key{};
  ParameterKind kind = ParameterKind::number;
  std::string unit{};  ///< "m", "N/m^exponent", "-"; "" where it has none
  std::string description{};
  Range range{};  ///< of numbers and of the entries of vectors
  bool required = false;
  std::optional<Value> fallback{};     ///< value where the key is left out
  std::vector<std::string> choices{};  ///< allowed strings; empty: any
  int size = 0;                        ///< vector: entries; list: smallest number of items
  int most = 0;                        ///< list: largest number of items; 0: any
  std::vector<ParameterSpec> members{};
  std::vector<Specification> variants{};
  /// Key whose string names the variant ("type"). Empty: the variant is the first whose name is a key that
  /// is there, else the last one.
  std::string selector{};
  bool available = true;  ///< false: the contract names it, this version does not build it
  Scope scope{};
};

/// @returns a specification of something that the contract names and this version does not build.
Specification unavailable_specification(const std::string& name);

/// @returns a key that the contract names and this version does not build.
ParameterSpec unavailable_parameter(const std::string& key);

/// @returns the variant that a value is: by the selector's string, or by the keys that it has; nullptr if the
/// selector is missing, or names none.
const Specification* find_variant(const Value& value, const ParameterSpec& parameter);

/// @returns in words where a key has an effect, for documentation; "" where it always has.
std::string scope_text(const Scope& scope);

/// @returns how many items a list may have: "2", "1 or more"; "" where any number is allowed.
std::string item_count(const ParameterSpec& list);

/// @returns what a value must be, for messages: "a number [m] > 0", "three numbers", "one of ...".
std::string expectation(const ParameterSpec& parameter);

}  // namespace scree

/// What a deck may say of one thing (a law, a shape, a load, an integrator): keys with type, unit, range,
/// default and meaning. Stands beside the physics; checks, JSON Schema and docs/input.md follow from it.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "core/value.hpp"

namespace scree {

/// Interval of allowed numbers.
struct Range {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  bool low_open = false;   ///< low itself is not allowed
  bool high_open = false;  ///< high itself is not allowed

  [[nodiscard]] bool contains(double value) const;
  /// @returns "> 0", "in (0, 1]", ...; "" where everything is allowed.
  [[nodiscard]] std::string to_text() const;
};

namespace range {
inline Range positive() { return {.low = 0, .low_open = true}; }
inline Range not_negative() { return {.low = 0}; }
inline Range at_least(double low) { return {.low = low}; }
}  // namespace range

struct ParameterSpec;

/// Something with a name and keys of its own.
struct Specification {
  std::string name{};
  std::string description{};
  std::vector<ParameterSpec> parameters;
  bool available = true;
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
  any_of,   ///< one of members, told apart by the kind of value
  variant,  ///< one of variants, told apart by the selector key
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
  std::vector<ParameterSpec> members{};
  std::vector<Specification> variants{};
  /// Key whose string names the variant ("type"). Empty: the variant is the first whose name is a key that
  /// is there, else the last one.
  std::string selector{};
  bool available = true;  ///< false: the contract names it, this version does not build it
};

/// @returns a specification of something that the contract names and this version does not build.
Specification unavailable_specification(const std::string& name);

/// @returns a key that the contract names and this version does not build.
ParameterSpec unavailable_parameter(const std::string& key);

/// @returns what a value must be, for messages: "a number [m] > 0", "three numbers", "one of ...".
std::string expectation(const ParameterSpec& parameter);

}  // namespace scree

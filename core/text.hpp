/// Numbers and lists as messages show them; the nearest valid name to a mistyped one.
#pragma once

#include <string>
#include <vector>

#include "core/types.hpp"

namespace scree::text {

/// @returns the parts (strings, literals, characters) as one string. In place of chains of +, where GCC 12
/// warns falsely of overlap (GCC bug 105651).
template <class... Parts>
std::string join(const Parts&... parts) {
  std::string all;
  ((all += parts), ...);
  return all;
}

/// @returns the shortest decimal that reads back as `value`; "inf", "-inf" or "nan" where it is none.
std::string number(double value);

/// @returns "[x, y, z]".
std::string vector(const Vec3& value);

/// @returns "a, b, c"; each name in double quotes if `quoted`.
std::string list(const std::vector<std::string>& names, bool quoted = true);

/// Smallest number of insertions, deletions, replacements and swaps of neighbours that turn `a` into `b`
/// (optimal string alignment). O(|a| |b|).
int edit_distance(const std::string& a, const std::string& b);

/// @returns the valid name nearest to `name` if it is at most two edits away (and fewer than the name is
/// long), "" otherwise. Ties go to the first.
std::string nearest(const std::string& name, const std::vector<std::string>& valid);

/// @returns ` Did you mean "x"?` where a valid name is near, else ` Valid: "a", "b".`; ` There is none.`
/// without valid names. Starts with a blank, so that it follows a sentence.
std::string suggestion(const std::string& name, const std::vector<std::string>& valid);

}  // namespace scree::text

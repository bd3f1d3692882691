/// Numbers and lists as messages show them; the nearest valid name to a mistyped one.
#pragma once

#include <string>
#include <string_view>
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

/// @returns the shortest decimal that reads back as `value`; "inf", "-inf" or "nan" if not finite.
std::string number(double value);
/// @returns the value with so many significant digits, as in "0.0123".
std::string number(double value, int digits);

/// @returns "[x, y, z]".
std::string vector(const Vec3& value);

/// @returns "a, b, c"; each name in double quotes, and shortened, if `quoted`.
std::string list(const std::vector<std::string>& names, bool quoted = true);

/// @returns `"a", "b" and "c"` with `last` = "and"; without the quotes if not `quoted`.
std::string enumeration(const std::vector<std::string>& names, const std::string& last, bool quoted = true);

/// @returns whether there are characters that terminals obey or that break lines, as "\n", ESC and U+0085.
bool has_control_character(std::string_view text);

/// @returns `text` with '?' in place of characters below the space: for paths that stand in a line of a file.
std::string on_one_line(std::string text);

/// @returns `text` with such characters escaped ("\n", "\u001b"), and bytes that are no UTF-8 ("\x9b"): what
/// comes from the user may not forge lines of output.
std::string printable(std::string_view text);

/// @returns the text with the letters of ASCII in lower case.
std::string lower_case(std::string text);

/// @returns `text`; of a long one the beginning and its length: "aaaa... (5000 bytes)".
std::string shortened(std::string_view text);

/// @returns one line for the user: printable, its long words (between blanks, quotes,
/// colons and slashes) shortened.
std::string one_line(std::string_view text);

/// Smallest number of insertions, deletions, replacements and swaps of neighbours that turn `a` into `b`
/// (optimal string alignment). O(|a| |b|).
int edit_distance(const std::string& a, const std::string& b);

/// @returns the valid name nearest to `name` if it is at most two edits away (and fewer than the name is
/// long), "" otherwise. Ties go to the first.
std::string nearest(const std::string& name, const std::vector<std::string>& valid);

/// @returns ` Did you mean "x"?` if a valid name is similar, else ` Valid: "a", "b".`; ` None is defined.`
/// without valid names. Starts with a blank, so that it follows a sentence.
std::string suggestion(const std::string& name, const std::vector<std::string>& valid);

}  // namespace scree::text

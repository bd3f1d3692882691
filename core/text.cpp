#include "core/text.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdlib>

namespace scree::text {
namespace {

/// Texts that are not shortened [bytes], and what is shown of longer ones.
constexpr std::size_t kLongest = 100, kShown = 60;

/// A character, or an invalid byte.
struct Character {
  std::uint32_t code = 0;
  std::size_t bytes = 1;
  bool valid = false;
};

/// @returns the character in UTF-8 that begins at `at`.
Character character_at(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t k) -> std::uint32_t { return static_cast<unsigned char>(text[k]); };
  const std::uint32_t first = byte(at);
  if (first < 0x80) return {first, 1, true};
  const std::size_t bytes = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4 || at + bytes > text.size()) return {};
  std::uint32_t code = first & (0x7fU >> bytes);
  for (std::size_t k = 1; k < bytes; ++k) {
    if ((byte(at + k) & 0xc0U) != 0x80) return {};
    code = code << 6U | (byte(at + k) & 0x3fU);
  }
  constexpr std::array<std::uint32_t, 5> kLeast = {0, 0, 0x80, 0x800, 0x10000};
  if (code < kLeast[bytes] || code > 0x10ffff || (code >= 0xd800 && code < 0xe000)) return {};
  return {code, bytes, true};
}

/// C0, DEL and C1; separators of lines and paragraphs, and what turns the direction of writing.
bool is_control(std::uint32_t code) {
  return code < 0x20 || (code >= 0x7f && code < 0xa0) || (code >= 0x2028 && code <= 0x202e) ||
         (code >= 0x2066 && code <= 0x2069);
}

/// @returns `code` in `digits` hexadecimal digits.
std::string hexadecimal(std::uint32_t code, int digits) {
  std::string all;
  for (int k = digits - 1; k >= 0; --k)
    all += "0123456789abcdef"[code >> (4U * static_cast<unsigned>(k)) & 0xfU];
  return all;
}

}  // namespace

bool has_control_character(std::string_view text) {
  for (std::size_t k = 0; k < text.size();) {
    const Character c = character_at(text, k);
    if (c.valid && is_control(c.code)) return true;
    k += c.bytes;
  }
  return false;
}

std::string on_one_line(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20; }, '?');
  return text;
}

std::string lower_case(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

std::string printable(std::string_view text) {
  std::string all;
  for (std::size_t k = 0; k < text.size();) {
    const Character c = character_at(text, k);
    if (!c.valid) {
      all += join("\\x", hexadecimal(static_cast<unsigned char>(text[k]), 2));
    } else if (c.code == '\n' || c.code == '\t' || c.code == '\r') {
      all += c.code == '\n' ? "\\n" : c.code == '\t' ? "\\t" : "\\r";
    } else if (is_control(c.code)) {
      all += join("\\u", hexadecimal(c.code, 4));
    } else {
      all += text.substr(k, c.bytes);
    }
    k += c.bytes;
  }
  return all;
}

std::string shortened(std::string_view text) {
  if (text.size() <= kLongest) return std::string(text);
  std::size_t shown = 0;
  while (shown < kShown) shown += character_at(text, shown).bytes;
  return join(text.substr(0, shown), "... (", std::to_string(text.size()), " bytes)");
}

std::string one_line(std::string_view text) {
  std::string all;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find_first_of(" \":/", at), text.size());
    all += printable(shortened(text.substr(at, end - at)));
    if (end < text.size()) all += text[end];
    at = end + 1;
  }
  return all;
}

std::string number(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  std::array<char, 32> buffer{};
  const auto result = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
  return {buffer.data(), result.ptr};
}

std::string number(double value, int digits) {
  char text[40];
  std::snprintf(text, sizeof text, "%.*g", std::min(digits, 20), value);
  return text;
}

std::string vector(const Vec3& value) {
  return join("[", number(value.x()), ", ", number(value.y()), ", ", number(value.z()), "]");
}

std::string list(const std::vector<std::string>& names, bool quoted) {
  std::string all;
  for (const auto& name : names) {
    if (!all.empty()) all += ", ";
    all += quoted ? join('"', shortened(name), '"') : name;
  }
  return all;
}

std::string enumeration(const std::vector<std::string>& names, const std::string& last, bool quoted) {
  std::string all;
  for (std::size_t k = 0; k < names.size(); ++k) {
    if (k > 0) all += k + 1 == names.size() ? join(' ', last, ' ') : ", ";
    all += quoted ? join('"', shortened(names[k]), '"') : names[k];
  }
  return all;
}

int edit_distance(const std::string& a, const std::string& b) {
  const int rows = static_cast<int>(a.size()), columns = static_cast<int>(b.size());
  std::vector<std::vector<int>> d(rows + 1, std::vector<int>(columns + 1));
  for (int i = 0; i <= rows; ++i) d[i][0] = i;
  for (int j = 0; j <= columns; ++j) d[0][j] = j;
  for (int i = 1; i <= rows; ++i) {
    for (int j = 1; j <= columns; ++j) {
      const int replace = a[i - 1] == b[j - 1] ? 0 : 1;
      d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + replace});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
      }
    }
  }
  return d[rows][columns];
}

std::string nearest(const std::string& name, const std::vector<std::string>& valid) {
  std::string best;
  int fewest = std::min(3, static_cast<int>(name.size()));
  for (const auto& candidate : valid) {
    const auto longer =
        static_cast<std::ptrdiff_t>(name.size()) - static_cast<std::ptrdiff_t>(candidate.size());
    if (std::abs(longer) >= fewest) continue;  // each character more is an edit
    const int edits = edit_distance(name, candidate);
    if (edits < fewest) {
      fewest = edits;
      best = candidate;
    }
  }
  return best;
}

std::string suggestion(const std::string& name, const std::vector<std::string>& valid) {
  if (valid.empty()) return " None is defined.";
  const std::string near = nearest(name, valid);
  return near.empty() ? join(" Valid: ", list(valid), ".") : join(" Did you mean \"", shortened(near), "\"?");
}

}  // namespace scree::text

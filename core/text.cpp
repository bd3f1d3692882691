#include "core/text.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace scree::text {

std::string number(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  std::array<char, 32> buffer{};
  const auto result = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
  return {buffer.data(), result.ptr};
}

std::string vector(const Vec3& value) {
  return join("[", number(value.x()), ", ", number(value.y()), ", ", number(value.z()), "]");
}

std::string list(const std::vector<std::string>& names, bool quoted) {
  std::string all;
  for (const auto& name : names) {
    if (!all.empty()) all += ", ";
    all += quoted ? join('"', name, '"') : name;
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
    const int edits = edit_distance(name, candidate);
    if (edits < fewest) {
      fewest = edits;
      best = candidate;
    }
  }
  return best;
}

std::string suggestion(const std::string& name, const std::vector<std::string>& valid) {
  if (valid.empty()) return " There is none.";
  const std::string near = nearest(name, valid);
  return near.empty() ? join(" Valid: ", list(valid), ".") : join(" Did you mean \"", near, "\"?");
}

}  // namespace scree::text

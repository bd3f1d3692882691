#include "io/deck/mesh_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <utility>

#include "core/activity.hpp"
#include "io/deck/csv_reader.hpp"

namespace scree {
namespace {

constexpr std::size_t kHeader = 80, kTriangle = 50;
constexpr double kSameVertex = 1e-9;  // of the size
constexpr const char* kCutInFacet = "truncated: the file ends in the middle of a facet.";
constexpr std::size_t kBetweenLooks = 4096;
constexpr double kPartOfText = 0.7;  // of the time, for progress

/// Little-endian value, as binary STL has them.
template <class T>
T value_at(const std::string& bytes, std::size_t at) {
  T value;
  std::memcpy(&value, bytes.data() + at, sizeof(T));
  return value;
}

bool is_binary(const std::string& bytes) {
  // Some binary files begin with "solid" too: only the length distinguishes them.
  if (bytes.size() < kHeader + 4) return false;
  const std::size_t triangles = value_at<std::uint32_t>(bytes, kHeader);
  return bytes.size() == kHeader + 4 + kTriangle * triangles || !bytes.starts_with("solid");
}

std::vector<Vec3> corners_of_binary(const std::string& bytes, const std::string& file) {
  const std::size_t triangles = value_at<std::uint32_t>(bytes, kHeader);
  if (bytes.size() < kHeader + 4 + kTriangle * triangles) {
    throw InputError(
        file,
        fmt::format("truncated or not an STL file: the header declares {} triangles ({} bytes), but the "
                    "file has {} bytes.",
                    triangles, kHeader + 4 + kTriangle * triangles, bytes.size()));
  }
  if (const std::string fault = too_many_corners(3 * triangles); !fault.empty())
    throw InputError(file, fault);
  std::vector<Vec3> corners;
  corners.reserve(3 * triangles);
  for (std::size_t t = 0; t < triangles; ++t) {
    for (std::size_t corner = 0; corner < 3; ++corner) {
      const std::size_t at = kHeader + 4 + kTriangle * t + 12 * (corner + 1);
      const Vec3 v(value_at<float>(bytes, at), value_at<float>(bytes, at + 4),
                   value_at<float>(bytes, at + 8));
      if (!v.allFinite())
        throw InputError(file, fmt::format("triangle {} has a coordinate that is not finite.", t));
      corners.push_back(v);
    }
  }
  return corners;
}

/// Words of a line, without copies.
class Words {
 public:
  explicit Words(std::string_view line) : left_(line) {}
  /// @returns the next word, empty at the end.
  std::string_view next() {
    constexpr std::string_view kBlank = " \t\r\v\f";
    const std::size_t first = std::min(left_.find_first_not_of(kBlank), left_.size());
    left_.remove_prefix(first);
    const std::string_view word = left_.substr(0, left_.find_first_of(kBlank));
    left_.remove_prefix(word.size());
    return word;
  }

 private:
  std::string_view left_;
};

/// @param lower in lower case.
bool is_word(std::string_view word, std::string_view lower) {
  return word.size() == lower.size() &&
         std::equal(word.begin(), word.end(), lower.begin(),
                    [](unsigned char a, unsigned char b) { return std::tolower(a) == static_cast<int>(b); });
}

std::vector<Vec3> corners_of_text(const std::string& bytes, const std::string& file, Activity& activity) {
  if (!bytes.starts_with("solid"))
    throw InputError(file, "not an STL file: expected \"solid\" or a binary header.");
  std::vector<Vec3> corners;
  bool ended = false, facet_open = false;
  std::size_t in_facet = 0;
  std::size_t number = 0;
  for (std::size_t at = 0; at < bytes.size();) {
    if (++number % kBetweenLooks == 0)
      activity.advance(kPartOfText * static_cast<double>(at) / static_cast<double>(bytes.size()));
    const std::size_t end = std::min(bytes.find('\n', at), bytes.size());
    Words words(std::string_view(bytes).substr(at, end - at));
    at = end + 1;
    const std::string_view first = words.next();
    const auto where = [&] { return fmt::format("{}:{}", file, number); };
    if (is_word(first, "endsolid")) ended = true;
    if (is_word(first, "facet")) facet_open = true;
    if (is_word(first, "endfacet")) facet_open = false;
    if (is_word(first, "endfacet") && std::exchange(in_facet, 0) != 3) {
      throw InputError(where(), "the facet that ends here does not have three vertices.");
    }
    if (!is_word(first, "vertex")) continue;
    Vec3 v;
    for (int k = 0; k < 3; ++k) {
      const std::string word(words.next());
      const auto coordinate = parse_number(word);
      if (!coordinate && end == bytes.size()) throw InputError(where(), kCutInFacet);
      if (!coordinate) throw InputError(where(), number_fault(word));
      v[k] = *coordinate;
    }
    corners.push_back(v);
    ++in_facet;
  }
  if (!ended && facet_open) throw InputError(file, kCutInFacet);
  if (!ended) throw InputError(file, "truncated: \"endsolid\" is missing.");
  if (corners.size() % 3 != 0) throw InputError(file, "the last facet does not have three vertices.");
  return corners;
}

/// Gives equal vertices one number: a hash table of cells that are wider than the tolerance, so that most
/// vertices have to be looked for in one cell, and those at its faces in the cells beyond them too.
class VertexNumbers {
 public:
  /// @param most number of vertices if none are equal.
  VertexNumbers(double tolerance, std::size_t most) : tolerance_(tolerance), cell_(kWidth * tolerance) {
    std::size_t size = 64;
    while (size < most / 2) size *= 2;
    first_.assign(size, -1);
  }

  /// @returns the number of the first vertex within the tolerance, a new one if not found.
  int of(const Vec3& v) {
    const Cell low = cell_of(v - Vec3::Constant(tolerance_)), high = cell_of(v + Vec3::Constant(tolerance_));
    int found = -1;
    for (std::int64_t x = low[0]; x <= high[0]; ++x) {
      for (std::int64_t y = low[1]; y <= high[1]; ++y) {
        for (std::int64_t z = low[2]; z <= high[2]; ++z) {
          for (int k = first_[slot({x, y, z})]; k >= 0; k = next_[k]) {
            if ((found < 0 || k < found) && (vertices[k] - v).norm() <= tolerance_) found = k;
          }
        }
      }
    }
    if (found >= 0) return found;
    const int number = static_cast<int>(vertices.size());
    if (vertices.size() > first_.size()) widen();
    vertices.push_back(v);
    next_.push_back(-1);
    enter(number);
    return number;
  }

  std::vector<Vec3> vertices;

 private:
  using Cell = std::array<std::int64_t, 3>;
  static constexpr double kWidth = 8;

  [[nodiscard]] Cell cell_of(const Vec3& v) const {
    const auto number = [this](double s) { return static_cast<std::int64_t>(std::floor(s / cell_)); };
    return {number(v.x()), number(v.y()), number(v.z())};
  }
  [[nodiscard]] std::size_t slot(const Cell& cell) const {
    // Large odd numbers spread neighbouring cells; the high bits are the good ones.
    const std::uint64_t mixed = static_cast<std::uint64_t>(cell[0]) * 0x9e3779b97f4a7c15U ^
                                static_cast<std::uint64_t>(cell[1]) * 0xc2b2ae3d27d4eb4fU ^
                                static_cast<std::uint64_t>(cell[2]) * 0x165667b19e3779f9U;
    return (mixed ^ (mixed >> 29U)) * 0xbf58476d1ce4e5b9U >> 20U & (first_.size() - 1);
  }
  void enter(int number) {
    int& first = first_[slot(cell_of(vertices[number]))];
    next_[number] = first;
    first = number;
  }
  void widen() {
    first_.assign(2 * first_.size(), -1);
    for (int k = 0; k < static_cast<int>(vertices.size()); ++k) enter(k);
  }

  double tolerance_, cell_;
  std::vector<int> first_;  ///< per slot, the last vertex in it
  std::vector<int> next_;   ///< per vertex, the one before it in its slot
};

/// @param corners three for each triangle.
PolyhedronSurface with_equal_vertices_merged(const std::vector<Vec3>& corners, double tolerance,
                                             Activity& activity) {
  PolyhedronSurface surface;
  VertexNumbers numbers(tolerance, corners.size() / 3);
  surface.loops.reserve(corners.size() / 3);
  for (std::size_t k = 0; k < corners.size(); k += 3) {
    if (k % (3 * kBetweenLooks) == 0)
      activity.advance(kPartOfText +
                       (1 - kPartOfText) * static_cast<double>(k) / static_cast<double>(corners.size()));
    const int a = numbers.of(corners[k]), b = numbers.of(corners[k + 1]), c = numbers.of(corners[k + 2]);
    surface.loops.push_back({a, b, c});
  }
  surface.vertices = std::move(numbers.vertices);
  return surface;
}

}  // namespace

PolyhedronSurface parse_stl(const std::string& bytes, const std::string& file, double scale) {
  Activity activity("reading " + file);
  auto corners = is_binary(bytes) ? corners_of_binary(bytes, file) : corners_of_text(bytes, file, activity);
  if (corners.empty()) throw InputError(file, "no triangles.");
  if (const std::string fault = too_many_corners(corners.size()); !fault.empty())
    throw InputError(file, fault);
  for (auto& v : corners) v *= scale;
  // Cells about the first vertex: far from the origin a cell number would not fit.
  const Vec3 base = corners.front();
  for (auto& v : corners) v -= base;
  const double size = PolyhedronSurface{corners, {}}.size();
  if (size == 0) throw InputError(file, "all vertices coincide.");
  auto surface = with_equal_vertices_merged(corners, kSameVertex * size, activity);
  for (auto& v : surface.vertices) v += base;
  return surface;
}

}  // namespace scree

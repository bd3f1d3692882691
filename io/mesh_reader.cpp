#include "io/mesh_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <map>
#include <numeric>
#include <sstream>
#include <tuple>

#include "core/interrupt.hpp"
#include "io/csv_reader.hpp"

namespace scree {
namespace {

constexpr std::size_t kHeader = 80, kTriangle = 50;
constexpr double kSameVertex = 1e-9;  // of the size
/// Lines or vertices between two looks at requests to stop.
constexpr int kBetweenLooks = 1024;

/// Little-endian value, as binary STL has them.
template <class T>
T value_at(const std::string& bytes, std::size_t at) {
  T value;
  std::memcpy(&value, bytes.data() + at, sizeof(T));
  return value;
}

bool is_binary(const std::string& bytes) {
  // Some binary files begin with "solid" too: only the length tells.
  if (bytes.size() < kHeader + 4) return false;
  const std::size_t triangles = value_at<std::uint32_t>(bytes, kHeader);
  return bytes.size() == kHeader + 4 + kTriangle * triangles || !bytes.starts_with("solid");
}

std::vector<Vec3> corners_of_binary(const std::string& bytes, const std::string& file) {
  const std::size_t triangles = value_at<std::uint32_t>(bytes, kHeader);
  if (bytes.size() < kHeader + 4 + kTriangle * triangles) {
    throw InputError(
        file, fmt::format("is cut short, or no STL file: its header announces {} triangles, which need "
                          "{} bytes, but it has {}.",
                          triangles, kHeader + 4 + kTriangle * triangles, bytes.size()));
  }
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

std::vector<Vec3> corners_of_text(const std::string& bytes, const std::string& file) {
  if (!bytes.starts_with("solid"))
    throw InputError(file, "is no STL file: expected \"solid\" or a binary header.");
  std::vector<Vec3> corners;
  std::istringstream lines(bytes);
  std::string line;
  bool ended = false;
  std::size_t in_facet = 0;
  for (int number = 1; std::getline(lines, line); ++number) {
    if (number % kBetweenLooks == 0) check_interrupt();
    std::istringstream words(line);
    std::string first;
    words >> first;
    std::transform(first.begin(), first.end(), first.begin(),
                   [](unsigned char c) { return std::tolower(c); });
    const std::string where = fmt::format("{}:{}", file, number);
    if (first == "endsolid") ended = true;
    if (first == "endfacet" && std::exchange(in_facet, 0) != 3) {
      throw InputError(where, "the facet that ends here does not have three vertices.");
    }
    if (first != "vertex") continue;
    Vec3 v;
    for (int k = 0; k < 3; ++k) {
      std::string word;
      words >> word;
      const auto coordinate = parse_number(word);
      if (!coordinate) throw InputError(where, fmt::format("got \"{}\"; expected a number.", word));
      v[k] = *coordinate;
    }
    corners.push_back(v);
    ++in_facet;
  }
  if (!ended) throw InputError(file, "is cut short: \"endsolid\" is missing.");
  return corners;
}

/// Numbers of equal vertices: cells of the tolerance's size, and their neighbours.
PolyhedronSurface with_equal_vertices_merged(const std::vector<Vec3>& corners, double tolerance) {
  PolyhedronSurface surface;
  std::map<std::tuple<std::int64_t, std::int64_t, std::int64_t>, int> cells;
  const auto cell = [tolerance](double s) { return static_cast<std::int64_t>(std::floor(s / tolerance)); };
  for (std::size_t k = 0; k < corners.size(); ++k) {
    if (k % kBetweenLooks == 0) check_interrupt();
    const Vec3& v = corners[k];
    int number = -1;
    for (int neighbour = 0; neighbour < 27 && number < 0; ++neighbour) {
      const auto it = cells.find({cell(v.x()) + neighbour % 3 - 1, cell(v.y()) + neighbour / 3 % 3 - 1,
                                  cell(v.z()) + neighbour / 9 - 1});
      if (it != cells.end() && (surface.vertices[it->second] - v).norm() <= tolerance) number = it->second;
    }
    if (number < 0) {
      number = static_cast<int>(surface.vertices.size());
      surface.vertices.push_back(v);
      cells[{cell(v.x()), cell(v.y()), cell(v.z())}] = number;
    }
    if (k % 3 == 0) surface.loops.emplace_back();
    surface.loops.back().push_back(number);
  }
  return surface;
}

}  // namespace

PolyhedronSurface parse_stl(const std::string& bytes, const std::string& file, double scale) {
  auto corners = is_binary(bytes) ? corners_of_binary(bytes, file) : corners_of_text(bytes, file);
  if (corners.empty()) throw InputError(file, "has no triangles.");
  for (auto& v : corners) v *= scale;
  // Cells about the first vertex: far from the origin a cell number would not fit.
  const Vec3 base = corners.front();
  for (auto& v : corners) v -= base;
  const double size = PolyhedronSurface{corners, {}}.size();
  if (size == 0) throw InputError(file, "all its vertices are the same point.");
  auto surface = with_equal_vertices_merged(corners, kSameVertex * size);
  for (auto& v : surface.vertices) v += base;
  return surface;
}

}  // namespace scree

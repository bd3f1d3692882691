#include "io/deck/mesh_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <utility>

#include "core/activity.hpp"
#include "core/mesh/polyhedron_surface.hpp"
#include "core/mesh/vertex_merge.hpp"
#include "core/text.hpp"
#include "io/deck/csv_reader.hpp"
#include "io/deck/deck_validation.hpp"
#include "io/deck/mesh_text.hpp"

namespace scree {
namespace {

using mesh_text::kBetweenLooks;
using mesh_text::Words;

constexpr std::size_t kHeader = 80, kTriangle = 50;
constexpr const char* kCutInFacet = "truncated: the file ends in the middle of a facet.";
constexpr double kPartOfText = 0.7;  // of the time, for progress

/// Little-endian value, as binary STL has them.
template <class T>
T value_at(const std::string& bytes, std::size_t at) {
  T value;
  std::memcpy(&value, bytes.data() + at, sizeof(T));
  return value;
}

/// @param lower in lower case.
bool is_word(std::string_view word, std::string_view lower) {
  return word.size() == lower.size() &&
         std::equal(word.begin(), word.end(), lower.begin(),
                    [](unsigned char a, unsigned char b) { return std::tolower(a) == static_cast<int>(b); });
}

bool begins_as_text(const std::string& bytes) {
  return is_word(std::string_view(bytes).substr(0, 5), "solid");
}

/// Whether a byte is in no text. Names of solids may have others than ASCII.
bool is_of_no_text(unsigned char byte) { return byte < ' ' && std::isspace(byte) == 0; }

bool is_binary(const std::string& bytes) {
  // Some binary files begin with "solid" too: the length distinguishes them, or a byte of the header or of
  // the number of triangles, which ends in a zero below 2^24 of them.
  if (bytes.size() < kHeader + 4) return false;
  const std::size_t triangles = value_at<std::uint32_t>(bytes, kHeader);
  return bytes.size() == kHeader + 4 + kTriangle * triangles || !begins_as_text(bytes) ||
         std::any_of(bytes.begin(), bytes.begin() + kHeader + 4, is_of_no_text);
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

std::vector<Vec3> corners_of_text(const std::string& bytes, const std::string& file, Activity& activity) {
  if (!begins_as_text(bytes))
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
    // Files may have several solids: each of them has its end.
    if (is_word(first, "solid") || is_word(first, "facet")) ended = false;
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

PolyhedronSurface parse_stl(const std::string& bytes, const std::string& file, Activity& activity) {
  PolyhedronSurface surface;
  surface.vertices =
      is_binary(bytes) ? corners_of_binary(bytes, file) : corners_of_text(bytes, file, activity);
  if (surface.vertices.empty()) throw InputError(file, "no triangles.");
  for (int k = 0; k < static_cast<int>(surface.vertices.size()); k += 3)
    surface.loops.push_back({k, k + 1, k + 2});
  return surface;
}

/// Wavefront OBJ: "v" and "f" lines; texture coordinates, normals, groups and materials are skipped.
PolyhedronSurface parse_obj(const std::string& bytes, const std::string& file, Activity& activity) {
  PolyhedronSurface surface;
  std::vector<std::pair<std::size_t, std::size_t>> lines;  // of the faces, for messages
  for (mesh_text::Lines all(bytes, file); all.next();) {
    if (all.number() % mesh_text::kBetweenLooks == 0) activity.advance(kPartOfText * all.part());
    mesh_text::Words words(all.line());
    const std::string_view key = words.next();
    if (key == "v") surface.vertices.push_back(mesh_text::coordinates(words, all));
    if (key != "f") continue;
    std::vector<int> loop;
    for (std::string_view word = words.next(); !word.empty(); word = words.next()) {
      if (word == "\\") {  // the face continues on the next line
        if (all.next()) words = mesh_text::Words(all.line());
        continue;
      }
      const std::string_view first = word.substr(0, word.find('/'));
      const long given = mesh_text::integer(first, all);
      const auto known = static_cast<long>(surface.vertices.size());
      // From 1; negative ones count back from the last vertex above.
      const long number = given < 0 ? known + given : given - 1;
      if (given == 0 || number < 0 || number > mesh_text::kMostVertices)
        throw InputError(all.where(), fmt::format("vertex number {} is out of range; expected 1 to {}, or "
                                                  "-1 to -{}.",
                                                  given, known, known));
      loop.push_back(static_cast<int>(number));
    }
    mesh_text::add_face(surface, std::move(loop), all.where());
    lines.emplace_back(surface.loops.size(), all.number());
  }
  // Faces may stand before their vertices.
  const auto count = static_cast<int>(surface.vertices.size());
  for (std::size_t f = 0; f < surface.loops.size(); ++f) {
    const int most = *std::max_element(surface.loops[f].begin(), surface.loops[f].end());
    if (most >= count)
      throw InputError(
          fmt::format("{}:{}", file, lines[f].second),
          fmt::format("vertex number {} is out of range; the file has {} vertices.", most + 1, count));
  }
  if (surface.loops.empty())
    throw InputError(file, "no faces: an OBJ file has lines \"v x y z\" and \"f 1 2 3\".");
  return surface;
}

/// Object File Format: OFF, with normals or colours (NOFF, COFF, CNOFF), which are skipped.
PolyhedronSurface parse_off(const std::string& bytes, const std::string& file, Activity& activity) {
  mesh_text::Lines all(bytes, file);
  const auto next_line = [&](const char* expected) {
    do {
      if (!all.next()) throw InputError(file, fmt::format("truncated: expected {}.", expected));
      if (all.number() % mesh_text::kBetweenLooks == 0) activity.advance(kPartOfText * all.part());
    } while (mesh_text::is_blank(all.line()));
    return mesh_text::Words(all.line());
  };
  mesh_text::Words words = next_line("\"OFF\"");
  const std::string_view magic = words.next();
  if (magic != "OFF" && magic != "NOFF" && magic != "COFF" && magic != "CNOFF")
    throw InputError(all.where(), fmt::format("got \"{}\"; expected \"OFF\", \"NOFF\", \"COFF\" or \"CNOFF\" "
                                              "at the beginning.",
                                              text::shortened(std::string(magic))));
  std::string_view word = words.next();
  if (is_word(word, "binary"))
    throw InputError(all.where(), "binary OFF is not supported; write the file as text, or as PLY.");
  if (word.empty()) {
    words = next_line("the numbers of vertices, faces and edges");
    word = words.next();
  }
  const long vertices = mesh_text::count(word, all), faces = mesh_text::count(words.next(), all);
  PolyhedronSurface surface;
  for (long v = 0; v < vertices; ++v) {
    words = next_line("a vertex");
    surface.vertices.push_back(mesh_text::coordinates(words, all));
  }
  for (long f = 0; f < faces; ++f) {
    words = next_line("a face");
    const long corners = mesh_text::count(words.next(), all);
    std::vector<int> loop;
    for (long k = 0; k < corners; ++k)
      loop.push_back(mesh_text::vertex(mesh_text::integer(words.next(), all), vertices, all.where()));
    mesh_text::add_face(surface, std::move(loop), all.where());
  }
  if (surface.loops.empty()) throw InputError(file, "no faces.");
  return surface;
}

/// @returns how many vertices the faces have: merging drops the others, which are no duplicates.
std::size_t used_vertices(const PolyhedronSurface& surface) {
  std::vector<char> used(surface.vertices.size(), 0);
  for (const auto& loop : surface.loops) {
    for (const int v : loop) used[v] = 1;
  }
  return static_cast<std::size_t>(std::count(used.begin(), used.end(), 1));
}

}  // namespace

ReadMesh parse_mesh(const std::string& bytes, const std::string& file) {
  Activity activity("reading " + file);
  const std::string extension = text::lower_case(std::filesystem::path(file).extension().string());
  ReadMesh read;
  const bool is_stl = extension != ".obj" && extension != ".off" && extension != ".ply";
  read.surface = extension == ".obj"   ? parse_obj(bytes, file, activity)
                 : extension == ".off" ? parse_off(bytes, file, activity)
                 : extension == ".ply" ? parse_ply(bytes, file, activity)
                                       : parse_stl(bytes, file, activity);
  for (const auto& loop : read.surface.loops) read.corners += loop.size();
  if (const std::string fault = too_many_corners(read.corners); !fault.empty()) throw InputError(file, fault);
  for (std::size_t k = 0; k < read.surface.vertices.size(); ++k) {
    const double largest = read.surface.vertices[k].cwiseAbs().maxCoeff();
    if (largest > kLargestNumber)
      throw InputError(
          file, text::join("vertex ", std::to_string(k), ": ", not_computable_fault(text::number(largest))));
  }
  const std::size_t before = used_vertices(read.surface);
  if (!merge_equal_vertices(read.surface, activity, kPartOfText))
    throw InputError(file, "all vertices coincide.");
  // Each corner of an STL is a vertex of its own.
  if (!is_stl) read.merged = before - read.surface.vertices.size();
  return read;
}

}  // namespace scree

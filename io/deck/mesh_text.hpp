/// What the readers of mesh files share.
#pragma once

#include <cstddef>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "core/activity.hpp"
#include "core/mesh/surface_loops.hpp"

namespace scree {

/// @param bytes of a PLY file: text or binary, of either byte order; vertices and faces, other elements are
/// skipped. @throws InputError.
PolyhedronSurface parse_ply(const std::string& bytes, const std::string& file, Activity& activity);

namespace mesh_text {

/// Lines between two looks at the clock.
inline constexpr std::size_t kBetweenLooks = 4096;
inline constexpr long kMostVertices = std::numeric_limits<int>::max() - 1;

/// Words of a line, without copies; what follows "#" is a comment.
class Words {
 public:
  explicit Words(std::string_view line) : left_(line.substr(0, line.find('#'))) {}
  /// @returns the next word, empty at the end.
  std::string_view next();

 private:
  std::string_view left_;
};

/// The lines of a text.
class Lines {
 public:
  /// @param text, file kept by reference.
  Lines(std::string_view text, const std::string& file) : text_(text), file_(file) {}
  /// Goes to the next line. @returns false at the end.
  bool next();
  [[nodiscard]] std::string_view line() const { return line_; }
  [[nodiscard]] std::size_t number() const { return number_; }
  /// @returns "file:line".
  [[nodiscard]] std::string where() const;
  /// @returns position of the end of this line in the text.
  [[nodiscard]] std::size_t end() const { return at_; }
  /// @returns which part of the text has been read.
  [[nodiscard]] double part() const { return static_cast<double>(at_) / static_cast<double>(text_.size()); }

 private:
  std::string_view text_, line_;
  const std::string& file_;
  std::size_t at_ = 0, number_ = 0;
};

bool is_blank(std::string_view line);

/// Numbers as words of a line. @throws InputError (where = file:line) if the word is not one.
double number(std::string_view word, const Lines& lines);
long integer(std::string_view word, const Lines& lines);
/// @returns an integer from 0.
long count(std::string_view word, const Lines& lines);
Vec3 coordinates(Words& words, const Lines& lines);

/// @returns the number of a vertex. @throws InputError unless it is from 0 and below `vertices`.
int vertex(long number, long vertices, const std::string& where);

/// Appends a face. @throws InputError if it has fewer than three corners.
void add_face(PolyhedronSurface& surface, std::vector<int> loop, const std::string& where);

}  // namespace mesh_text
}  // namespace scree

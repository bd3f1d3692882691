#include "io/deck/mesh_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <utility>

#include "core/error.hpp"
#include "core/text.hpp"
#include "io/deck/csv_reader.hpp"

namespace scree::mesh_text {
namespace {

constexpr std::string_view kBlank = " \t\r\v\f";

}  // namespace

std::string_view Words::next() {
  const std::size_t first = std::min(left_.find_first_not_of(kBlank), left_.size());
  left_.remove_prefix(first);
  const std::string_view word = left_.substr(0, left_.find_first_of(kBlank));
  left_.remove_prefix(word.size());
  return word;
}

bool Lines::next() {
  if (at_ >= text_.size()) return false;
  const std::size_t end = std::min(text_.find('\n', at_), text_.size());
  line_ = text_.substr(at_, end - at_);
  at_ = std::min(end + 1, text_.size());
  ++number_;
  return true;
}

std::string Lines::where() const { return fmt::format("{}:{}", file_, number_); }

bool is_blank(std::string_view line) { return Words(line).next().empty(); }

double number(std::string_view word, const Lines& lines) {
  const std::string text(word);
  if (text.empty()) throw InputError(lines.where(), "the line ends too early; expected a number.");
  const auto value = parse_number(text);
  if (!value) throw InputError(lines.where(), number_fault(text));
  return *value;
}

long integer(std::string_view word, const Lines& lines) {
  if (word.empty()) throw InputError(lines.where(), "the line ends too early; expected an integer.");
  long value = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc() || end != word.data() + word.size()) {
    throw InputError(lines.where(),
                     fmt::format("got \"{}\"; expected an integer.", text::shortened(std::string(word))));
  }
  return value;
}

long count(std::string_view word, const Lines& lines) {
  const long value = integer(word, lines);
  if (value < 0 || value > kMostVertices)
    throw InputError(lines.where(), fmt::format("got {}; expected 0 to {}.", value, kMostVertices));
  return value;
}

Vec3 coordinates(Words& words, const Lines& lines) {
  Vec3 v;
  for (int k = 0; k < 3; ++k) v[k] = number(words.next(), lines);
  return v;
}

int vertex(long number, long vertices, const std::string& where) {
  if (number < 0 || number >= vertices) {
    throw InputError(
        where, fmt::format("vertex number {} is out of range; expected 0 to {}.", number, vertices - 1));
  }
  return static_cast<int>(number);
}

void add_face(PolyhedronSurface& surface, std::vector<int> loop, const std::string& where) {
  if (loop.size() < 3)
    throw InputError(where, fmt::format("a face with {} vertices; expected at least 3.", loop.size()));
  surface.loops.push_back(std::move(loop));
}

}  // namespace scree::mesh_text

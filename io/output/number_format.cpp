#include "io/output/number_format.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <stdexcept>

#include "core/text.hpp"

namespace scree {

void append_number(std::string& to, double value) {
  const bool integer =
      value == std::trunc(value) && std::abs(value) < 1e15 && !(value == 0 && std::signbit(value));
  to += integer ? std::to_string(static_cast<std::int64_t>(value)) : text::number(value);
}

std::string csv_field(std::string_view text) {
  // Blanks around a cell, and lines that begin with #, are no content.
  constexpr std::string_view kBlank = " \t";
  const bool plain = text.empty() || (text.front() != '#' && kBlank.find(text.front()) == kBlank.npos &&
                                      kBlank.find(text.back()) == kBlank.npos);
  if (plain && text.find_first_of(",\"\n\r") == std::string_view::npos) return std::string(text);
  std::string field = "\"";
  for (const char c : text) {
    if (c == '"') field += '"';
    field += c;
  }
  return field + '"';
}

std::string body_label(const Model& model, BodyId body) {
  const std::string name = model.name_of(body);
  return name.empty() ? std::to_string(body) : name;
}

std::string family_of(const Shape& shape) { return shape.name.substr(0, shape.name.rfind('*')); }

ShapeFamilies shape_families(const Model& model) {
  ShapeFamilies families;
  std::map<std::string, int> place;
  for (const Shape& shape : model.shapes) {
    const auto [it, is_new] = place.emplace(family_of(shape), static_cast<int>(families.names.size()));
    if (is_new) families.names.push_back(it->first);
    families.of_shape.push_back(it->second);
  }
  return families;
}

std::vector<std::pair<std::string, long>> bodies_by_family(const Model& model) {
  if (model.block) throw std::logic_error("bodies_by_family: bodies of other ranks were released");
  const ShapeFamilies families = shape_families(model);
  std::vector<std::pair<std::string, long>> numbers;
  for (const std::string& name : families.names) numbers.emplace_back(name, 0);
  for (const auto& body : model.bodies) {
    const int family = families.of_shape[static_cast<std::size_t>(body.shape)];
    ++numbers[static_cast<std::size_t>(family)].second;
  }
  numbers.erase(
      std::remove_if(numbers.begin(), numbers.end(), [](const auto& family) { return family.second == 0; }),
      numbers.end());
  return numbers;
}

std::string boundary_label(const Model& model, int boundary) {
  const std::string& name = model.boundaries.at(static_cast<std::size_t>(boundary)).name;
  return name.empty() ? "boundary " + std::to_string(boundary) : name;
}

std::string duration_text(double seconds) {
  if (!(seconds >= 0) || std::isinf(seconds)) return "?";
  constexpr double kYear = 365.25 * 86400;
  if (seconds > 100 * kYear) return fmt::format("{:.2g} years", seconds / kYear);
  if (seconds < 9.95) return fmt::format("{:.2g} s", seconds);
  const auto whole = static_cast<std::int64_t>(std::llround(seconds));
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{} min {:02} s", whole / 60, whole % 60);
  if (whole < 86400) return fmt::format("{} h {:02} min", whole / 3600, whole % 3600 / 60);
  return fmt::format("{} d {:02} h", whole / 86400, whole % 86400 / 3600);
}

std::string bytes_text(double bytes) {
  if (bytes < 1000) return fmt::format("{:.0f} B", bytes);
  for (const char* unit : {"kB", "MB", "GB", "TB"}) {
    bytes /= 1000;
    if (bytes < 999.5) return fmt::format("{:.{}f} {}", bytes, bytes < 9.95 ? 1 : 0, unit);
  }
  return fmt::format("{:.3g} TB", bytes);
}

std::string counted(long number, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", number, number == 1 ? one : many);
}

}  // namespace scree

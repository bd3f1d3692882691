#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <optional>
#include <utility>

#include "core/error.hpp"
#include "core/text.hpp"
#include "io/deck/mesh_text.hpp"

namespace scree {
namespace {

using mesh_text::Lines;
using mesh_text::Words;

enum class Type : std::uint8_t { i8, u8, i16, u16, i32, u32, f32, f64 };
constexpr std::array<std::pair<std::string_view, Type>, 16> kTypes = {{{"char", Type::i8},
                                                                       {"int8", Type::i8},
                                                                       {"uchar", Type::u8},
                                                                       {"uint8", Type::u8},
                                                                       {"short", Type::i16},
                                                                       {"int16", Type::i16},
                                                                       {"ushort", Type::u16},
                                                                       {"uint16", Type::u16},
                                                                       {"int", Type::i32},
                                                                       {"int32", Type::i32},
                                                                       {"uint", Type::u32},
                                                                       {"uint32", Type::u32},
                                                                       {"float", Type::f32},
                                                                       {"float32", Type::f32},
                                                                       {"double", Type::f64},
                                                                       {"float64", Type::f64}}};

struct Property {
  std::string name;
  Type type = Type::f32;
  std::optional<Type> length{};  ///< of a list: type of its number of items
};

struct Element {
  std::string name;
  long count = 0;
  std::vector<Property> properties;
};

enum class Format : std::uint8_t { text, little_endian, big_endian };

struct Header {
  Format format = Format::text;
  std::vector<Element> elements;
};

Type ply_type(std::string_view word, const Lines& lines) {
  for (const auto& [name, type] : kTypes) {
    if (name == word) return type;
  }
  throw InputError(lines.where(),
                   fmt::format("got \"{}\"; expected a type of PLY: char, uchar, short, ushort, "
                               "int, uint, float, double.",
                               text::shortened(std::string(word))));
}

Format format_of(std::string_view word, const Lines& lines) {
  if (word == "ascii") return Format::text;
  if (word == "binary_little_endian") return Format::little_endian;
  if (word == "binary_big_endian") return Format::big_endian;
  throw InputError(lines.where(), fmt::format("got \"{}\"; expected \"ascii\", \"binary_little_endian\" or "
                                              "\"binary_big_endian\".",
                                              text::shortened(std::string(word))));
}

/// Leaves `lines` behind "end_header".
Header header_of(Lines& lines, const std::string& file) {
  if (!lines.next() || Words(lines.line()).next() != "ply")
    throw InputError(file, "not a PLY file: expected \"ply\" in the first line.");
  Header header;
  while (lines.next()) {
    Words words(lines.line());
    const std::string_view key = words.next();
    if (key == "end_header") return header;
    if (key.empty() || key == "comment" || key == "obj_info") continue;
    if (key == "format") {
      header.format = format_of(words.next(), lines);
    } else if (key == "element") {
      const std::string name(words.next());
      header.elements.push_back({name, mesh_text::count(words.next(), lines), {}});
    } else if (key == "property" && !header.elements.empty()) {
      Property property;
      std::string_view word = words.next();
      if (word == "list") {
        property.length = ply_type(words.next(), lines);
        if (*property.length >= Type::f32)
          throw InputError(lines.where(), "the length of a list must have an integer type.");
        word = words.next();
      }
      property.type = ply_type(word, lines);
      property.name = words.next();
      header.elements.back().properties.push_back(property);
    } else {
      throw InputError(lines.where(),
                       fmt::format("got \"{}\"; expected \"element\", \"property\", \"comment\" "
                                   "or \"end_header\".",
                                   text::shortened(std::string(key))));
    }
  }
  throw InputError(file, "truncated: \"end_header\" is missing.");
}

/// Values one after the other, as text or binary.
class Values {
 public:
  Values(const std::string& bytes, const std::string& file, Lines& lines, Format format)
      : bytes_(bytes), file_(file), lines_(lines), format_(format), at_(lines.end()), words_("") {}

  /// Begins an element of the text: its line.
  void begin() {
    if (format_ != Format::text) return;
    do {
      if (!lines_.next()) throw InputError(file_, "truncated: the header declares more elements.");
    } while (mesh_text::is_blank(lines_.line()));
    words_ = Words(lines_.line());
  }

  double next(Type type) {
    if (format_ == Format::text) return mesh_text::number(words_.next(), lines_);
    switch (type) {
      case Type::i8:
        return raw<std::int8_t>();
      case Type::u8:
        return raw<std::uint8_t>();
      case Type::i16:
        return raw<std::int16_t>();
      case Type::u16:
        return raw<std::uint16_t>();
      case Type::i32:
        return raw<std::int32_t>();
      case Type::u32:
        return raw<std::uint32_t>();
      case Type::f32:
        return raw<float>();
      case Type::f64:
        return raw<double>();
    }
    return 0;
  }

  [[nodiscard]] std::string where(const char* what, long number) const {
    return format_ == Format::text ? lines_.where() : fmt::format("{}: {} {}", file_, what, number);
  }

 private:
  template <class T>
  double raw() {
    std::array<char, sizeof(T)> part{};
    if (bytes_.size() - at_ < sizeof(T))
      throw InputError(file_, fmt::format("truncated: the header declares more elements than {} bytes hold.",
                                          bytes_.size()));
    std::memcpy(part.data(), bytes_.data() + at_, sizeof(T));
    at_ += sizeof(T);
    constexpr bool kLittle = std::endian::native == std::endian::little;
    if ((format_ == Format::little_endian) != kLittle) std::reverse(part.begin(), part.end());
    T value;
    std::memcpy(&value, part.data(), sizeof(T));
    return static_cast<double>(value);
  }

  const std::string& bytes_;
  const std::string& file_;
  Lines& lines_;
  Format format_;
  std::size_t at_;
  Words words_;
};

bool is_loop(const std::string& name) { return name == "vertex_indices" || name == "vertex_index"; }

/// @returns the next value as an integer, which text and types of floating point need not have.
/// @throws InputError.
long next_integer(Values& values, Type type, const char* what, const Element& element, long number) {
  const double value = values.next(type);
  if (!(std::abs(value) < 1e10) || value != std::round(value))
    throw InputError(values.where(element.name.c_str(), number),
                     fmt::format("{} {} is not an integer.", what, text::number(value)));
  return std::lround(value);
}

void add_vertex(PolyhedronSurface& surface, const Element& element, Values& values, long number) {
  Vec3 v = Vec3::Zero();
  for (const Property& property : element.properties) {
    const long items =
        property.length ? next_integer(values, *property.length, "list length", element, number) : 1;
    for (long k = 0; k < items; ++k) {
      const double value = values.next(property.type);
      if (property.name.size() == 1 && property.name[0] >= 'x' && property.name[0] <= 'z')
        v[property.name[0] - 'x'] = value;
    }
  }
  if (!v.allFinite()) throw InputError(values.where("vertex", number), "a coordinate is not finite.");
  surface.vertices.push_back(v);
}

void add_face(PolyhedronSurface& surface, const Element& element, Values& values, long number,
              long vertices) {
  for (const Property& property : element.properties) {
    const long items =
        property.length ? next_integer(values, *property.length, "list length", element, number) : 1;
    std::vector<int> loop;
    for (long k = 0; k < items; ++k) {
      if (!is_loop(property.name)) {
        values.next(property.type);
        continue;
      }
      const long vertex = next_integer(values, property.type, "vertex number", element, number);
      loop.push_back(mesh_text::vertex(vertex, vertices, values.where("face", number)));
    }
    if (is_loop(property.name)) mesh_text::add_face(surface, std::move(loop), values.where("face", number));
  }
}

}  // namespace

PolyhedronSurface parse_ply(const std::string& bytes, const std::string& file, Activity& activity) {
  Lines lines(bytes, file);
  const Header header = header_of(lines, file);
  const auto find = [&](const char* name) {
    return std::find_if(header.elements.begin(), header.elements.end(),
                        [name](const Element& element) { return element.name == name; });
  };
  const auto vertex = find("vertex"), face = find("face");
  const auto has = [](const Element& element, auto&& is) {
    return std::any_of(element.properties.begin(), element.properties.end(), is);
  };
  if (vertex == header.elements.end()) throw InputError(file, "\"element vertex\" is missing.");
  for (const char* axis : {"x", "y", "z"}) {
    if (!has(*vertex, [axis](const Property& p) { return p.name == axis && !p.length; }))
      throw InputError(file, fmt::format("vertices have no property \"{}\".", axis));
  }
  if (face == header.elements.end() ||
      !has(*face, [](const Property& p) { return is_loop(p.name) && p.length.has_value(); })) {
    throw InputError(file,
                     "no faces: \"element face\" with \"property list ... vertex_indices\" is missing "
                     "(point clouds and triangle strips are not supported).");
  }
  PolyhedronSurface surface;
  Values values(bytes, file, lines, header.format);
  double all = 0, done = 0;
  for (const Element& element : header.elements) all += static_cast<double>(element.count);
  for (const Element& element : header.elements) {
    if (element.properties.empty() && element.count > 0)
      throw InputError(file, fmt::format("\"element {}\" has no properties.", element.name));
    for (long k = 0; k < element.count; ++k, ++done) {
      if (k % static_cast<long>(mesh_text::kBetweenLooks) == 0) activity.advance(0.7 * done / all);
      values.begin();
      if (&element == &*face) {
        add_face(surface, element, values, k, vertex->count);
      } else if (&element == &*vertex) {
        add_vertex(surface, element, values, k);
      } else {
        PolyhedronSurface skipped;
        add_vertex(skipped, element, values, k);
      }
    }
  }
  if (surface.loops.empty()) throw InputError(file, "no faces.");
  return surface;
}

}  // namespace scree

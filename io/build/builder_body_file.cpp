#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "core/text.hpp"
#include "io/build/builder_saved_bodies.hpp"
#include "io/deck/csv_reader.hpp"
#include "io/deck/deck_validation.hpp"
#include "io/deck/input_file.hpp"
#include "io/output/number_format.hpp"

namespace scree::builder {
namespace {

const std::vector<std::string> kColumns = {"name", "x",  "y",  "z",  "qw", "qx",     "qy",    "qz",      "vx",
                                           "vy",   "vz", "wx", "wy", "wz", "radius", "shape", "material"};
// Columns of which all or none are there; the first group must be.
const std::vector<std::vector<std::string>> kGroups = {
    {"x", "y", "z"}, {"qw", "qx", "qy", "qz"}, {"vx", "vy", "vz"}, {"wx", "wy", "wz"}};
// A final state names spheres that had a radius of their own in this way.
const std::string kSphere = "sphere ";

/// One table of bodies on its way into the model.
class BodyTable {
 public:
  BodyTable(Build& build, const Value& values, CsvTable table)
      : build_(build),
        pointer_(values.at("file").where()),
        entry_(build, values),
        table_(std::move(table)),
        group_(values.has("group") ? values.string("group") : "") {}

  /// @returns false after an error about the columns.
  bool check_columns() {
    bool good = true;
    for (const auto& group : kGroups) {
      for (const auto& name : group) {
        if (has(name) || (&group != &kGroups.front() && !has_any(group))) continue;
        build_.diagnostics.error(pointer_,
                                 fmt::format("{}: the column \"{}\" is missing.", table_.file, name));
        good = false;
      }
    }
    if (!has("material") && entry_.prototype().material < 0 && good) {
      build_.diagnostics.error(
          pointer_, fmt::format("{} has no column \"material\"; add \"material\" here.", table_.file));
      good = false;
    }
    if (!has("shape") && !has("radius") && entry_.prototype().shape < 0 && good) {
      build_.diagnostics.error(pointer_,
                               fmt::format("{} has no column \"shape\"; add \"shape\" here.", table_.file));
      good = false;
    }
    return good;
  }

  /// "shape" and "material" of the entry are for rows without.
  void note_unused_defaults(const Value& values) {
    const auto note = [&](const char* key, const char* column) {
      if (!values.has(key) || !has(column)) return;
      build_.diagnostics.note(values.at(key).where(),
                              fmt::format("has no effect: {} has a column \"{}\".", table_.file, column));
    };
    note("shape", has("radius") ? "radius" : "shape");
    note("material", "material");
  }

  void add_rows() {
    for (const auto& row : table_.rows) add_row(row);
    if (faults_ > kFaultsShown) {
      build_.diagnostics.error(pointer_,
                               fmt::format("{}: and {} more errors.", table_.file, faults_ - kFaultsShown));
    }
    if (faults_ > 0 || renumbered_ == 0) return;
    build_.diagnostics.note(
        pointer_, fmt::format("{}: numbers in the column \"name\" do not name bodies; {} another number "
                              "here, the first is \"{}\" in the file and body {} of this deck.",
                              table_.file, counted(renumbered_, "body has", "bodies have"),
                              first_number_.first, first_number_.second));
  }

 private:
  [[nodiscard]] bool has(const std::string& column) const { return table_.column(column) >= 0; }
  [[nodiscard]] bool has_any(const std::vector<std::string>& group) const {
    return std::any_of(group.begin(), group.end(), [this](const std::string& name) { return has(name); });
  }

  void error(const CsvTable::Row& row, const std::string& message) {
    if (++faults_ > kFaultsShown) return;
    build_.diagnostics.error(pointer_, fmt::format("{}:{}: {}", table_.file, row.line, message));
  }

  double number(const CsvTable::Row& row, const std::string& column) {
    const std::string& cell = row.cells[table_.column(column)];
    if (const auto value = parse_deck_number(cell)) return *value;
    // A run may leave less of a motion than a deck may hold: it counts as 0.
    const bool vanishes = column != "radius" && std::abs(parse_number(cell).value_or(1)) < kLeastNumber;
    if (!vanishes) error(row, fmt::format("column \"{}\": {}", column, number_fault(cell)));
    return 0;
  }

  Vec3 vector(const CsvTable::Row& row, const std::vector<std::string>& columns) {
    const double x = number(row, columns[0]), y = number(row, columns[1]);
    return {x, y, number(row, columns[2])};
  }

  void add_row(const CsvTable::Row& row) {
    const int faults = faults_;
    BodyDescription body = entry_.prototype();
    body.where = fmt::format("{}: {}:{}", pointer_, table_.file, row.line);
    body.position = vector(row, kGroups[0]);
    if (has("qw")) {
      const double w = number(row, "qw");
      const Vec3 v = vector(row, {"qx", "qy", "qz"});
      const Quat q(w, v.x(), v.y(), v.z());
      if (q.norm() == 0) error(row, "the quaternion is zero.");
      if (q.norm() > 0) body.orientation = q.normalized();
    }
    if (has("vx")) body.velocity = vector(row, kGroups[2]);
    if (has("wx")) body.angular_velocity = vector(row, kGroups[3]);
    if (has("name")) body.name = name_of(row);
    if (has("material")) body.material = material_of(row);
    body.shape = shape_of(row, body.shape);
    // A body of which a number is missing would be found where it is not.
    if (body.shape >= 0 && body.material >= 0 && faults_ == faults) entry_.add(std::move(body));
  }

  /// Unnamed bodies stand in a final state with their number.
  std::string name_of(const CsvTable::Row& row) {
    const std::string& cell = row.cells[table_.column("name")];
    if (text::has_control_character(cell)) error(row, "column \"name\": " + control_character_fault(cell));
    if (!is_number(cell)) return cell;
    const std::size_t number = build_.model.bodies.size();
    if (!cell.empty() && cell != std::to_string(number) && renumbered_++ == 0)
      first_number_ = {text::shortened(cell), number};
    return "";
  }

  int numbered(const CsvTable::Row& row, const std::string& column, Subject subject) {
    const std::string& cell = row.cells[table_.column(column)];
    const auto& valid = build_.deck.at(subject == Subject::shape ? "shapes" : "materials").keys();
    const auto it = std::find(valid.begin(), valid.end(), cell);
    if (it != valid.end()) return static_cast<int>(it - valid.begin());
    error(row,
          fmt::format("unknown {} \"{}\".{}", column, text::shortened(cell), text::suggestion(cell, valid)));
    return -1;
  }

  /// In the group of the entry, else in that of the cell.
  int material_of(const CsvTable::Row& row) {
    const int found = material_of_state(build_, row.cells[table_.column("material")]);
    const int material = found >= 0 ? found : numbered(row, "material", Subject::material);
    return group_.empty() || material < 0 ? material
                                          : grouped_material(build_, build_.base_of(material), group_);
  }

  int shape_of(const CsvTable::Row& row, int otherwise) {
    std::optional<double> radius;
    if (has("radius")) radius = number(row, "radius");
    if (!radius && has("shape")) {
      if (const int shape = shape_of_state(build_, row.cells[table_.column("shape")]); shape >= 0)
        return shape;
      return numbered(row, "shape", Subject::shape);
    }
    if (!radius) return otherwise;
    if (*radius <= 0) {
      error(row, fmt::format("column \"radius\": got {}; expected a radius [m] > 0.", text::number(*radius)));
      return -1;
    }
    return sphere_of_radius(build_, *radius);
  }

  static constexpr int kFaultsShown = 20;

  Build& build_;
  std::string pointer_;
  EntryBodies entry_;
  CsvTable table_;
  std::string group_;  ///< of the entry
  int faults_ = 0;
  long renumbered_ = 0;                                 ///< rows whose number the body does not get
  std::pair<std::string, std::size_t> first_number_{};  ///< of these: in the file, in the deck
};

}  // namespace

int sphere_of_radius(Build& build, double radius) {
  const auto [it, is_new] = build.spheres.emplace(radius, static_cast<int>(build.model.shapes.size()));
  if (is_new) {
    build.model.shapes.push_back(make_sphere(kSphere + text::number(radius), radius));
    build.shape_good.push_back(1);
  }
  return it->second;
}

int shape_of_state(Build& build, const std::string& name) {
  const auto& valid = build.deck.at("shapes").keys();
  if (const int shape = number_of(valid, name); shape >= 0) return shape;
  if (name.starts_with(kSphere)) {
    const std::optional<double> radius = parse_deck_number(name.substr(kSphere.size()));
    if (radius && *radius > 0) return sphere_of_radius(build, *radius);
  }
  const std::size_t star = name.rfind('*');
  if (star == std::string::npos) return -1;
  const int shape = number_of(valid, name.substr(0, star));
  const std::optional<double> factor = parse_deck_number(name.substr(star + 1));
  return shape < 0 || !factor || !(*factor > 0) ? -1 : scaled_shape(build, shape, *factor);
}

void add_bodies_of_file(Build& build, const Value& values) {
  const Value& file = values.at("file");
  CsvTable table;
  const bool good = build.diagnostics.attempt(file.where(), file.string(), [&] {
    table =
        parse_csv(as_text(read_text_file(path_to_read(build, file.string()), file.string()), file.string()),
                  file.string(), kColumns);
  });
  if (!good) return;
  BodyTable bodies(build, values, std::move(table));
  if (bodies.check_columns()) bodies.add_rows();
  bodies.note_unused_defaults(values);
}

}  // namespace scree::builder

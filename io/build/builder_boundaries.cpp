#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>

#include "core/mesh/coincident_vertices.hpp"
#include "core/parameters/wall_parameters.hpp"
#include "core/shapes/mesh_parameters.hpp"
#include "core/shapes/shape_rotated.hpp"
#include "core/text.hpp"
#include "io/build/builder_parts.hpp"
#include "io/deck/csv_reader.hpp"
#include "io/deck/deck_validation.hpp"
#include "io/deck/input_file.hpp"
#include "solvers/world/boundary_motion.hpp"
#include "solvers/world/motion_parameters.hpp"

namespace scree::builder {
namespace {

/// Time points of a motion, one per row. @throws InputError with every fault found.
std::vector<BoundaryMotion::Knot> knots_of(Build& build, const std::string& file) {
  const std::vector<std::string> valid = {"time", "x", "y", "z", "rx", "ry", "rz"};
  const CsvTable table =
      parse_csv(as_text(read_text_file(path_to_read(build, file), file), file), file, valid);
  std::vector<Diagnostic> faults;
  for (std::size_t k = 0; k < 4; ++k) {
    if (table.column(valid[k]) < 0)
      faults.push_back({file, fmt::format("the column \"{}\" is missing.", valid[k])});
  }
  if (table.rows.empty()) faults.push_back({file, "no rows; expected at least one time point."});
  std::vector<BoundaryMotion::Knot> knots;
  for (const auto& row : table.rows) {
    const std::string where = fmt::format("{}:{}", file, row.line);
    double numbers[7] = {};
    for (std::size_t k = 0; k < valid.size(); ++k) {
      const int column = table.column(valid[k]);
      if (column < 0) continue;
      const std::string& cell = row.cells[static_cast<std::size_t>(column)];
      const auto number = parse_deck_number(cell);
      if (number) {
        numbers[k] = *number;
      } else {
        faults.push_back({where, fmt::format("{}: {}", valid[k], number_fault(cell))});
      }
    }
    const BoundaryMotion::Knot knot{numbers[0], Vec3(numbers + 1), Vec3(numbers + 4)};
    if (!knots.empty() && knot.time <= knots.back().time) {
      faults.push_back({where, fmt::format("got time {}; expected increasing times [s]: > {}.",
                                           text::number(knot.time), text::number(knots.back().time))});
    }
    knots.push_back(knot);
  }
  if (!faults.empty()) throw InputError(std::move(faults));
  return knots;
}

/// Faces that meet without sharing their vertices do not know that the other one pushes the same body. It may
/// be meant so, where parts of a surface only touch: no error.
void warn_of_seams(Build& build, const Value& place, const std::string& name, const PreparedMesh& mesh) {
  if (mesh.crack > 0) return;
  const std::string seams = coincident_free_edges(mesh.surface);
  if (seams.empty()) return;
  build.diagnostics.warning(
      place.where(),
      fmt::format("surface \"{}\": {}. The faces on both sides of such a seam push a body above it: "
                  "the contact force is doubled. Set \"repair\": true, which joins them, or let "
                  "the faces share their vertices.",
                  name, seams));
}

void add_walls(Build& build, const Value& values, int number, BoundaryDescription& boundary) {
  const auto* entry = find_registered(registered_walls(), values.string("type"));
  // Faults of a mesh belong to its file.
  const Value* file = values.find("file");
  MeshRecord record;
  const MeshReader read_mesh = mesh_reader(build, record);
  const bool good = build.diagnostics.attempt(
      file != nullptr ? file->where() : values.where(), file != nullptr ? file->string() : "", [&] {
        Walls made = entry->make(boundary.name, values, read_mesh);
        boundary.reference = made.reference;
        for (Wall& wall : made.walls) {
          BoundaryPart part{number, wall.point, wall.normal, -1, wall.disc_radius};
          if (wall.shape) {
            part.wall = static_cast<int>(build.model.walls.size());
            build.model.walls.push_back(std::move(*wall.shape));
          }
          build.model.boundary_parts.push_back(part);
        }
      });
  if (!good) keep_mesh_faults(build, boundary.name, record);
  if (good) warn_of_seams(build, file != nullptr ? *file : values, boundary.name, record.prepared);
  const std::string read = record.note(file != nullptr ? file->string() : "");
  if (!good || read.empty()) return;
  Vec3 low = record.prepared.surface.vertices.front(), high = low;
  for (const Vec3& v : record.prepared.surface.vertices) {
    low = low.cwiseMin(v);
    high = high.cwiseMax(v);
  }
  build.model.notes.push_back(fmt::format("{}: {}; bounding box {} to {} m", boundary.name, read,
                                          text::vector(low), text::vector(high)));
  if (file != nullptr) warn_of_millimetres(build, values, "surface", (high - low).norm());
}

/// Notes a table that has the boundary elsewhere at the start: it may hold positions instead of
/// displacements.
void note_start(Build& build, const Value& table, const BoundaryDescription& boundary) {
  const auto vector = [](const Vec3& v) {
    return fmt::format("[{:.6g}, {:.6g}, {:.6g}]", v.x(), v.y(), v.z());
  };
  const RigidMotion start = motion_at(boundary.motion, 0, 0);
  std::string what;
  if (start.displacement.norm() > 0) what = fmt::format("displacement {} m", vector(start.displacement));
  if (!start.rotation.isIdentity(0)) what += what.empty() ? "rotation" : " and rotation";
  if (what.empty()) return;
  const Vec3 place = start.place(boundary.reference);
  const std::string where =
      place == boundary.reference
          ? "turned, not as in the deck"
          : fmt::format("at {} m, not at {} m as in the deck", vector(place), vector(boundary.reference));
  build.diagnostics.note(table.where(), fmt::format("{}: {} at t = 0: \"{}\" starts {}.", table.string(),
                                                    what, boundary.name, where));
}

/// Faster boundaries are rare: their tables may be in millimetres or degrees.
constexpr double kUnusualSpeed = 100;  // [m/s]
constexpr double kUnusualSpin = 1000;  // [rad/s]

/// @returns whether the rotation from row k to the next is that before and after it less a full turn, as if
/// angles were limited to one turn. At more than a quarter turn per row, this is also how an oscillation
/// looks.
bool is_wrapped(const std::vector<BoundaryMotion::Knot>& table, std::size_t k) {
  if (k == 0 || k + 2 >= table.size()) return false;
  constexpr double kTurn = 2 * std::numbers::pi;
  const auto rotation = [&](std::size_t row) { return Vec3(table[row + 1].rotation - table[row].rotation); };
  const auto span = [&](std::size_t row) { return table[row + 1].time - table[row].time; };
  const Vec3 jump = rotation(k), before = rotation(k - 1), after = rotation(k + 1);
  const double angle = jump.norm();
  if (angle <= kTurn / 2 || angle >= kTurn) return false;
  if (std::max(before.norm(), after.norm()) > kTurn / 4) return false;
  if (jump.dot(before) >= 0 || jump.dot(after) >= 0) return false;
  const Vec3 spin = jump * (1 - kTurn / angle) / span(k);
  const Vec3 spin_before = before / span(k - 1), spin_after = after / span(k + 1);
  return (spin - 0.5 * (spin_before + spin_after)).norm() <
         0.5 * std::max(spin_before.norm(), spin_after.norm());
}

/// Notes a table that seems to be in millimetres or degrees, or to have angles limited to one turn.
void note_units(Build& build, const Value& table, const BoundaryDescription& boundary) {
  const auto& rows = boundary.motion.table;
  std::size_t fastest = 0, spins_most = 0, wrapped = 0;
  double speed = 0, spin = 0, largest = 0;
  for (std::size_t k = 0; k < rows.size(); ++k) {
    largest = std::max(largest, rows[k].rotation.cwiseAbs().maxCoeff());
    if (k + 1 == rows.size()) break;
    const double span = rows[k + 1].time - rows[k].time;
    const double speed_here = (rows[k + 1].displacement - rows[k].displacement).norm() / span;
    const double spin_here = (rows[k + 1].rotation - rows[k].rotation).norm() / span;
    if (speed_here > speed) fastest = k;
    if (spin_here > spin) spins_most = k;
    speed = std::max(speed, speed_here);
    spin = std::max(spin, spin_here);
    if (wrapped == 0 && is_wrapped(rows, k)) wrapped = k;  // never the first
  }
  const auto times = [&](std::size_t k) {
    return fmt::format("from t = {} s to {} s", text::number(rows[k].time), text::number(rows[k + 1].time));
  };
  const auto turn = [&](std::size_t k) {
    const double angle = (rows[k + 1].rotation - rows[k].rotation).norm();
    return fmt::format("by {} turns {} ({} rad/s)", text::number(angle / (2 * std::numbers::pi), 3), times(k),
                       text::number(angle / (rows[k + 1].time - rows[k].time), 3));
  };
  const auto note = [&](const std::string& message) {
    build.diagnostics.note(table.where(), fmt::format("{}: {}", table.string(), message));
  };
  if (speed > kUnusualSpeed) {
    note(fmt::format("\"{}\" moves by {} m {} ({} m/s). x, y, z are in m, not in mm.", boundary.name,
                     text::number((rows[fastest + 1].displacement - rows[fastest].displacement).norm(), 3),
                     times(fastest), text::number(speed, 3)));
  }
  // Full and quarter turns in degrees. In rad they are multiples of pi / 2, which do not meet those of 90.
  const bool is_round = largest > 45 && std::abs(std::remainder(largest, 90)) < 1e-4;
  if (wrapped > 0) {
    note(
        fmt::format("\"{}\" turns back {}, against the rotation before and after. rx, ry, rz are not limited "
                    "to one turn: remove jumps of 2 pi rad.",
                    boundary.name, turn(wrapped)));
  } else if (spin > kUnusualSpin || (spin > 0 && is_round)) {
    note(fmt::format("rotations up to {} rad: \"{}\" turns {}. rx, ry, rz are in rad, not in degrees.",
                     text::number(largest), boundary.name, turn(spins_most)));
  }
}

void add_motion(Build& build, const Value& values, BoundaryDescription& boundary) {
  const bool coupled = values.kind() == Value::Kind::string;
  const Value* table = coupled ? nullptr : values.find("table");
  const bool good = build.diagnostics.attempt(
      table != nullptr ? table->where() : values.where(), table != nullptr ? table->string() : "", [&] {
        boundary.motion = motion_of(values, boundary.reference,
                                    [&](const Value& file) { return knots_of(build, file.string()); });
      });
  if (!good || table == nullptr) return;
  note_start(build, *table, boundary);
  note_units(build, *table, boundary);
}

/// Where nothing turns, no point is turned about.
void check_about(Build& build, const Value& values, const BoundaryMotion& motion) {
  const bool turns = motion.coupled || motion.angular_velocity.norm() > 0 ||
                     std::any_of(motion.table.begin(), motion.table.end(),
                                 [](const BoundaryMotion::Knot& knot) { return knot.rotation.norm() > 0; });
  if (turns || !values.has("about") || build.diagnostics.has_errors()) return;
  build.diagnostics.error(values.at("about").where(),
                          "has no effect: the motion has no rotation; remove it.");
}

/// What boundaries of "boundaries" and solids share: place in the deck, name.
BoundaryDescription named(Build& build, const Value& values) {
  const auto& boundaries = build.model.boundaries;
  BoundaryDescription boundary;
  boundary.where = values.where();
  boundary.name = fmt::format("boundary {}", boundaries.size());
  // One that is wrong elsewhere is still the one that histories mean.
  if (const Value* name = values.find("name"); name != nullptr && is_complete(*name)) {
    check_not_number(build, *name);
    boundary.name = name->string();
  }
  const bool known = std::any_of(boundaries.begin(), boundaries.end(), [&](const BoundaryDescription& other) {
    return other.name == boundary.name;
  });
  if (known && is_complete(values))
    build.diagnostics.error(values.where(), fmt::format("duplicate boundary name \"{}\".", boundary.name));
  return boundary;
}

void add_boundary(Build& build, const Value& values) {
  auto& boundaries = build.model.boundaries;
  const int number = static_cast<int>(boundaries.size());
  BoundaryDescription boundary = named(build, values);
  if (is_complete(values)) {
    boundary.material = find_material(build, values);
    if (const Value* active = values.find("active")) {
      boundary.active_from = active->items()[0].number();
      boundary.active_until = active->items()[1].number();
      if (boundary.active_until <= boundary.active_from) {
        build.diagnostics.error(
            active->where(),
            fmt::format("got {}; expected [from, until] [s] with until > from.", to_text(*active)));
      }
    }
    if (const Value* open = values.find("open")) check_unique(build, *open);
    add_walls(build, values, number, boundary);
    if (const Value* motion = values.find("motion")) {
      add_motion(build, *motion, boundary);
      check_about(build, *motion, boundary.motion);
    }
  }
  boundaries.push_back(std::move(boundary));
}

/// Puts a shape of the deck where an entry has it.
void add_solid(Build& build, const Value& values, int shape, BoundaryDescription& boundary) {
  const Shape& given = build.model.shapes[shape];
  if (is_smooth(given)) {
    build.diagnostics.error(
        values.at("shape").where(),
        fmt::format("shape \"{}\" is a superquadric: not supported with \"motion\"; use a "
                    "polyhedron.",
                    given.name));
    return;
  }
  const Quat q = orientation_of(build, values);
  BoundaryPart part{static_cast<int>(build.model.boundaries.size()), position_of(build, values, shape, q)};
  part.wall = static_cast<int>(build.model.walls.size());
  boundary.reference = part.point;
  // A wall has an axis instead of an orientation.
  Shape solid = rotated(given, q.toRotationMatrix());
  solid.name = boundary.name;
  if (solid.kind == ShapeKind::capsule) {
    part.normal = q * Vec3::UnitZ();
    solid.vertices = given.vertices;
    solid.edges = given.edges;
  }
  build.model.walls.push_back(std::move(solid));
  build.model.boundary_parts.push_back(part);
}

}  // namespace

void add_body_with_motion(Build& build, const Value& values) {
  BoundaryDescription boundary = named(build, values);
  if (is_complete(values)) {
    boundary.material = find_material(build, values);
    const int shape = find_name(build, values.at("shape"), Subject::shape);
    build.used.moving_shapes.insert(shape);
    if (shape >= 0 && build.shape_good[shape] != 0) add_solid(build, values, shape, boundary);
    const Value& motion = values.at("motion");
    add_motion(build, motion, boundary);
    check_about(build, motion, boundary.motion);
  }
  build.model.boundaries.push_back(std::move(boundary));
}

void add_boundaries(Build& build) {
  for (const auto& values : build.deck.at("boundaries").items()) add_boundary(build, values);
}

}  // namespace scree::builder

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <set>
#include <utility>

#include "contact/geometry/closest_points.hpp"
#include "core/activity.hpp"
#include "core/interrupt.hpp"
#include "core/rotation.hpp"
#include "core/text.hpp"
#include "io/build/builder_saved_bodies.hpp"
#include "io/deck/deck_validation.hpp"
#include "io/output/number_format.hpp"
#include "solvers/placement/generator.hpp"
#include "solvers/world/boundary_motion.hpp"

namespace scree::builder {

Quat orientation_of(Build& build, const Value& values) {
  const Value* orientation = values.find("orientation");
  if (orientation == nullptr) return Quat::Identity();
  if (const Value* quaternion = orientation->find("quaternion")) {
    const auto& c = quaternion->items();
    const Quat q(c[0].number(), c[1].number(), c[2].number(), c[3].number());
    if (q.norm() > 0) return q.normalized();
    build.diagnostics.error(quaternion->where(),
                            "got [0, 0, 0, 0]; expected a quaternion [w, x, y, z], not zero.");
    return Quat::Identity();
  }
  if (const Value* rodrigues = orientation->find("rodrigues"))
    return rotation::quaternion(rodrigues->vector());
  const Vec3 axis = orientation->vector("axis");
  if (axis.norm() > 0) {
    const double angle = orientation->number("angle_deg") * std::numbers::pi / 180;
    return Quat(Eigen::AngleAxisd(angle, axis.normalized()));
  }
  build.diagnostics.error(orientation->at("axis").where(), "got [0, 0, 0]; expected an axis, not zero.");
  return Quat::Identity();
}

namespace {

std::array<bool, kBodyUnknowns> fixed_of(const Value& values) {
  std::array<bool, kBodyUnknowns> fixed{};
  const Value& given = values.at("fixed");
  if (given.kind() == Value::Kind::boolean) {
    fixed.fill(given.boolean());
    return fixed;
  }
  const std::array<std::string, kBodyUnknowns> names = {"x", "y", "z", "rx", "ry", "rz"};
  for (const auto& name : given.items()) {
    fixed[std::find(names.begin(), names.end(), name.string()) - names.begin()] = true;
  }
  return fixed;
}

void place_one(Build& build, const Value& values, BodyDescription& body) {
  body.position = values.vector("position");
  body.orientation = orientation_of(build, values);
  if (!values.has("name")) return;
  check_not_number(build, values.at("name"));
  body.name = values.string("name");
}

/// @returns what has to be added to positions of an entry so that they are those of centres of mass.
Vec3 way_from_given_position(Build& build, const Value& values, int shape, const Quat& orientation) {
  const Value& point = values.at("position_of");
  if (point.string() != "mesh origin") return Vec3::Zero();
  // Shapes of sphere rows stand behind those of the deck.
  const auto& shapes = build.deck.at("shapes").items();
  const auto number = static_cast<std::size_t>(shape);
  if (number >= shapes.size() || !is_complete(shapes[number]) ||
      shapes[number].string("type") != "polyhedron") {
    build.diagnostics.error(
        point.where(), fmt::format("shape \"{}\" has no mesh; remove it.", build.model.shapes[number].name));
  }
  return orientation * build.model.shapes[number].shift;
}

}  // namespace

Vec3 position_of(Build& build, const Value& values, int shape, const Quat& orientation) {
  return values.vector("position") + way_from_given_position(build, values, shape, orientation);
}

EntryBodies::EntryBodies(Build& build, const Value& values) : build_(build), values_(values) {
  prototype_.where = values.where();
  prototype_.fixed = fixed_of(values);
  if (values.has("velocity")) prototype_.velocity = values.vector("velocity");
  if (values.has("angular_velocity")) prototype_.angular_velocity = values.vector("angular_velocity");
  // Generated bodies: draw_shapes().
  const bool one_shape = values.has("shape") && !values.has("count");
  prototype_.shape = one_shape ? find_name(build, values.at("shape"), Subject::shape) : -1;
  prototype_.material = values.has("material") ? find_material(build, values) : -1;
  if (const Value& fixed = values.at("fixed"); fixed.kind() == Value::Kind::list) {
    check_unique(build, fixed);
    if (fixed.items().empty()) build.diagnostics.note(fixed.where(), "has no effect: the list is empty.");
  }
  const Value* inertia = values.find("inertia");
  if (inertia == nullptr) return;
  const Vec3 principal = inertia->vector();
  if (2 * principal.maxCoeff() > principal.sum() * (1 + 1e-9)) {
    build.diagnostics.error(
        inertia->where(),
        fmt::format(
            "got {}; the largest principal moment of inertia must not exceed the sum of the other two.",
            to_text(*inertia)));
  }
}

void EntryBodies::add(BodyDescription body) {
  check_interrupt();
  const auto& [mass, inertia] = mass_of(body.shape, body.material);
  body.mass = mass;
  body.inertia_B = inertia;
  // Generated bodies have no position yet, and no such key.
  if (values_.has("position_of") && body.shape >= 0)
    body.position += way_from_given_position(build_, values_, body.shape, body.orientation);
  build_.model.bodies.push_back(std::move(body));
}

const std::pair<double, Mat3>& EntryBodies::mass_of(int shape, int material) {
  const auto [it, is_new] = masses_.emplace(std::pair{shape, material}, std::pair{0.0, Mat3(Mat3::Zero())});
  auto& [mass, inertia] = it->second;
  if (!is_new || shape < 0 || material < 0) return it->second;
  if (build_.shape_good[shape] == 0 || build_.material_good[material] == 0) return it->second;
  const Shape& geometry = build_.model.shapes[shape];
  const double density = build_.model.materials[material].density;
  if (values_.has("mass")) {
    mass = values_.number("mass");
  } else if (density > 0) {
    build_.used.densities.insert(build_.base_of(material));
    mass = density * geometry.volume;
  } else {
    const std::string& name = build_.model.materials[build_.base_of(material)].name;
    build_.diagnostics.error(
        values_.where(), fmt::format("mass undefined: set \"mass\" [kg] here, or \"density\" [kg/m^3] in {}.",
                                     pointer_to("/materials", name)));
  }
  inertia = mass / geometry.volume * geometry.inertia_per_density;
  if (const Value* given = values_.find("inertia")) inertia = given->vector().asDiagonal();
  return it->second;
}

bool is_fixed(const BodyDescription& body) { return all_fixed(body.fixed); }

namespace {

/// Whether bodies are outside of the wall's shape, as a ball or a cylinder.
bool is_solid(const Model& model, const BoundaryPart& wall) {
  return wall.wall >= 0 && model.walls[wall.wall].hollow_radius == 0;
}

/// @returns where a place lies that is not in front of a wall at the start, in words; "" if it is, or if the
/// wall is a surface with two sides.
std::string behind(const Model& model, const BoundaryPart& wall, const Vec3& x) {
  const BodyState start = boundary_state(model, wall, 0, 0);
  const std::string name = text::join("boundary \"", model.boundaries[wall.boundary].name, "\"");
  if (wall.wall < 0) {
    const RigidMotion motion = motion_at(model.boundaries[wall.boundary].motion, 0, 0);
    const Vec3 normal = motion.rotation * wall.normal;
    const double height = normal.dot(x - start.x);
    if (height > 0) return "";
    if (height == 0) return fmt::format("in the plane of {}, with normal {}", name, text::vector(normal));
    return fmt::format("on the wrong side of {}: {} m behind the plane with normal {}", name,
                       text::number(-height), text::vector(normal));
  }
  const Shape& shape = model.walls[wall.wall];
  const double distance =
      shape.open ? 1 : contact::distance_to_shape(shape, start.q.conjugate() * (x - start.x));
  if (distance > 0) return "";
  if (distance == 0) return "on the surface of " + name;
  return fmt::format("{} {}: {} m behind the surface",
                     is_solid(model, wall) ? "inside" : "on the wrong side of", name,
                     text::number(-distance));
}

}  // namespace

void check_bodies(Build& build) {
  std::map<std::string, std::string> first, boundaries;
  for (const auto& boundary : build.model.boundaries) boundaries.emplace(boundary.name, boundary.where);
  InterruptLook look;
  for (const auto& body : build.model.bodies) {
    look();
    if (!body.name.empty()) {
      const auto [it, is_new] = first.emplace(body.name, body.where);
      if (!is_new) {
        build.diagnostics.error(body.where, fmt::format("duplicate body name \"{}\" (first defined at {}).",
                                                        body.name, it->second));
      }
      if (const auto same = boundaries.find(body.name); same != boundaries.end()) {
        build.diagnostics.error(
            body.where, fmt::format("\"{}\" is the name of this body and of the boundary {}; rename one of "
                                    "them: results identify both by their names.",
                                    body.name, same->second));
      }
    }
    // Without a shape its centre of mass may be unknown.
    if (body.shape < 0 || build.shape_good[static_cast<std::size_t>(body.shape)] == 0) continue;
    if (is_fixed(body) || !std::isfinite(body.position.x())) continue;
    for (const auto& wall : build.model.boundary_parts) {
      const BoundaryDescription& boundary = build.model.boundaries[wall.boundary];
      if (boundary.active_from > 0) continue;
      // A ring may go around a shaft. What overlaps is found by the search for overlaps.
      if (!build.model.shapes[body.shape].convex && is_solid(build.model, wall)) continue;
      const auto pair = std::minmax(body.material, boundary.material);
      if (build.no_contact.contains({pair.first, pair.second})) continue;
      const std::string fault = behind(build.model, wall, body.position);
      if (fault.empty()) continue;
      build.diagnostics.error(body.where,
                              fmt::format("centre of mass {} lies {}.", text::vector(body.position), fault));
      break;
    }
  }
}

namespace {

/// Generated bodies keep a place in the order of the deck until they are placed.
BodyDescription without_position(BodyDescription body) {
  body.position = Vec3::Constant(std::numeric_limits<double>::quiet_NaN());
  return body;
}

void generate_entry(Build& build, Generator& generator, const Value& values, std::size_t first) {
  const int count = values.integer("count");
  std::vector<int> shapes(static_cast<std::size_t>(count));
  for (std::size_t k = 0; k < shapes.size(); ++k) shapes[k] = build.model.bodies[first + k].shape;
  const Value& region = values.at("region");
  const Vec3 low = region.vector("min"), high = region.vector("max");
  if (const Room room = generator.room(shapes, low, high); !room.is_enough()) {
    build.diagnostics.error(
        values.where(),
        fmt::format(
            "{} cannot fit: their volume is {:.4g} m^3{}, but the region {} to {}, enlarged by the "
            "largest bounding radius and limited by the walls, has {:.4g} m^3{}; enlarge it, or reduce "
            "\"count\".",
            counted(count, "body", "bodies"), room.needed,
            room.densest < 1 ? " with the activation distance" : "", text::vector(low), text::vector(high),
            room.available,
            room.densest < 1
                ? fmt::format(", of which equal spheres fill at most {:.4g} %", 100 * room.densest)
                : ""));
    return;
  }
  Activity activity(fmt::format("generating {} bodies of {}", count, values.where()));
  generator.tell([&activity, count](std::size_t placed, double size) {
    activity.advance(
        static_cast<double>(placed) / count,
        fmt::format("placed {} bodies{}", placed,
                    size < 1 ? fmt::format(" (growth phase: {:.1f} % of the final size)", 100 * size) : ""));
  });
  const auto placed =
      generator.generate(shapes, low, high, static_cast<std::uint64_t>(values.number("seed")));
  generator.tell([](std::size_t, double) {});
  const int fitted = static_cast<int>(placed.size());
  if (fitted == 0) {
    const Shape& largest =
        build.model.shapes[*std::max_element(shapes.begin(), shapes.end(), [&](int a, int b) {
          return build.model.shapes[a].bounding_radius < build.model.shapes[b].bounding_radius;
        })];
    build.diagnostics.error(
        values.where(),
        fmt::format(
            "shape \"{}\" (bounding radius {} m) does not fit between the boundaries and bodies in the "
            "region {} to {}, which bounds centres of mass; enlarge or move the region.",
            largest.name, text::number(largest.bounding_radius), text::vector(low), text::vector(high)));
    return;
  }
  if (fitted < count) {
    build.diagnostics.error(
        values.where(),
        fmt::format("could place only {} of {} in the region {} to {}, which bounds centres of mass; enlarge "
                    "it, or reduce \"count\".",
                    fitted, counted(count, "body", "bodies"), text::vector(low), text::vector(high)));
    return;
  }
  InterruptLook look;
  for (int k = 0; k < count; ++k) {
    look();
    build.model.bodies[first + k].position = placed[k].x;
    build.model.bodies[first + k].orientation = placed[k].q;
  }
}

/// Number of bodies that an entry of the deck makes, once it has been added.
bool is_generated(const Value& values) { return values.has("count"); }

}  // namespace

bool check_region(Build& build, const Value& region) {
  const Vec3 low = region.vector("min"), high = region.vector("max");
  if ((high - low).minCoeff() >= 0) return true;
  build.diagnostics.error(region.where(),
                          fmt::format("\"min\" {} must be smaller than \"max\" {} in every component.",
                                      text::vector(low), text::vector(high)));
  return false;
}

namespace {

/// Generated bodies get their places in place_generated_bodies().
void add_generated_bodies(Build& build, const Value& values, EntryBodies& entry) {
  // Beside its description, a body is placed in two lists.
  constexpr double kEach = sizeof(BodyDescription) + 2 * sizeof(PlacedBody);
  check_region(build, values.at("region"));
  const int count = values.integer("count");
  if (lacks_memory(build, values, values.at("count"), count, kEach)) return;
  build.model.bodies.reserve(build.model.bodies.size() + static_cast<std::size_t>(count));
  BodyDescription body = entry.prototype();
  Lots lots;
  for (const int shape : draw_shapes(build, values, count, lots)) {
    body.shape = shape;
    entry.add(without_position(body));
  }
}

}  // namespace

void add_bodies(Build& build) {
  for (const auto& values : build.deck.at("bodies").items()) {
    const std::size_t first = build.model.bodies.size();
    if (values.find("motion") != nullptr) {
      add_body_with_motion(build, values);
    } else if (!is_complete(values)) {
      // It keeps its number, so that what refers to the others still finds them.
      BodyDescription unknown = without_position({});
      unknown.shape = unknown.material = -1;
      if (const Value* name = values.find("name"); name != nullptr && is_complete(*name))
        unknown.name = name->string();
      unknown.where = values.where();
      build.model.bodies.push_back(std::move(unknown));
    } else if (values.has("file")) {
      add_bodies_of_file(build, values);
    } else if (values.has("checkpoint")) {
      add_bodies_of_checkpoint(build, values);
    } else {
      EntryBodies entry(build, values);
      if (is_generated(values)) {
        add_generated_bodies(build, values, entry);
      } else {
        BodyDescription body = entry.prototype();
        place_one(build, values, body);
        entry.add(std::move(body));
      }
    }
    build.first_body.push_back(first);
  }
}

namespace {

/// Laws of materials that cannot meet keep nobody apart.
double clearance_of_used(const Build& build) {
  const auto& interfaces = build.deck.at("interfaces").items();
  double clearance = 0;
  for (const int number : build.used.interfaces) {
    if (!interfaces[number].has("none"))
      clearance = std::max(clearance, build.model.interfaces[number].threshold());
  }
  return clearance;
}

}  // namespace

void place_generated_bodies(Build& build) {
  if (build.diagnostics.has_errors()) return;
  const auto& entries = build.deck.at("bodies").items();
  // The generator prepares every shape, which costs much for large meshes.
  if (std::none_of(entries.begin(), entries.end(), [](const Value& entry) { return is_generated(entry); }))
    return;
  const Model& model = build.model;
  Generator generator(model.shapes, {}, clearance_of_used(build), model.gravity);
  if (model.periodic.any()) generator.set_periodic(model.periodic);
  generator.set_walls(model, 0);
  for (const auto& body : model.bodies) {
    if (std::isfinite(body.position.x())) generator.add_obstacle(body.shape, body.position, body.orientation);
  }
  for (std::size_t k = 0; k < entries.size(); ++k) {
    if (is_generated(entries[k])) generate_entry(build, generator, entries[k], build.first_body[k]);
  }
}

}  // namespace scree::builder

/// Keys that are valid and have no effect, because of the scene or of what stands beside them.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "core/infinity.hpp"
#include "core/shapes/shape.hpp"
#include "core/text.hpp"
#include "io/build/builder_parts.hpp"
#include "io/deck/deck_validation.hpp"
#include "solvers/analysis.hpp"
#include "solvers/world/boundary_motion.hpp"

namespace scree::builder {
namespace {

constexpr const char* kDirections[kBodyUnknowns] = {"x", "y", "z", "rx", "ry", "rz"};

bool holds_rotations(const BodyDescription& body) { return body.fixed[3] && body.fixed[4] && body.fixed[5]; }

/// A velocity along what is held: the body would have it only at the start, or never.
void check_velocity(Build& build, const BodyDescription& body, std::set<std::string>& reported) {
  for (int k = 0; k < kBodyUnknowns; ++k) {
    const double velocity = k < 3 ? body.velocity[k] : body.angular_velocity[k - 3];
    if (!body.fixed[k] || velocity == 0 || !reported.insert(body.where).second) continue;
    build.diagnostics.error(
        body.where,
        fmt::format(
            "{} {} is {} {}, but \"fixed\" contains \"{}\"; remove one of the two, or use a boundary with "
            "\"motion\".",
            k < 3 ? "velocity along" : "angular velocity about", "xyz"[k % 3], text::number(velocity),
            k < 3 ? "m/s" : "rad/s", kDirections[k]));
  }
}

void check_inertia(Build& build) {
  const auto& entries = build.deck.at("bodies").items();
  for (std::size_t k = 0; k < entries.size(); ++k) {
    if (!is_complete(entries[k]) || !entries[k].has("inertia")) continue;
    const std::size_t body = build.first_body[k];
    if (body >= build.end_of(k) || !holds_rotations(build.model.bodies[body])) continue;
    build.diagnostics.error(
        entries[k].at("inertia").where(),
        fmt::format("has no effect: \"fixed\", {}, contains all rotations.", entries[k].at("fixed").where()));
  }
}

/// What of a load its body is free to follow.
void check_load(Build& build, const Value& values, BodyId number, const elements::LoadDirections& load) {
  if (number < 0 || number >= static_cast<BodyId>(build.model.bodies.size())) return;
  const BodyDescription& body = build.model.bodies[static_cast<std::size_t>(number)];
  const auto is_felt = [&](int first, const Vec3& value) {
    for (int k = 0; k < 3; ++k)
      if (!body.fixed[first + k] && value[k] != 0) return true;
    return false;
  };
  const bool has_arm = load.point_B.norm() > 0;
  const std::string what = build.model.body_in_words(number);
  // The moment of a force about the pole turns with the body: any rotation that is free may follow.
  const bool turns = has_arm ? !holds_rotations(body) : is_felt(3, load.moment);
  const bool acts = load.force.norm() > 0 || load.moment.norm() > 0;
  if (acts && !is_felt(0, load.force) && !turns) {
    build.diagnostics.error(values.where(),
                            fmt::format("has no effect: \"fixed\" of {}, {}, contains all directions of the "
                                        "load.",
                                        what, body.where));
  } else if (has_arm && holds_rotations(body)) {
    build.diagnostics.error(
        values.at("point").where(),
        fmt::format("has no effect: \"fixed\" of {}, {}, contains all rotations.", what, body.where));
  }
}

/// A few names, and how many more there are.
std::string names_text(const std::vector<std::string>& names) {
  constexpr std::size_t kShown = 6;
  std::string all;
  for (std::size_t k = 0; k < std::min(names.size(), kShown); ++k) {
    all += all.empty() ? "" : ", ";
    all += text::join('"', names[k], '"');
  }
  if (names.size() > kShown) all += fmt::format(" and {} more", names.size() - kShown);
  return all;
}

/// @param normal of an interface.
bool has_dashpot(const Value& normal) {
  const auto is_positive = [&](const char* key) { return normal.has(key) && normal.number(key) > 0; };
  return normal.has("restitution") || is_positive("damping") || is_positive("damping_ratio");
}

class UnusedParts {
 public:
  explicit UnusedParts(Build& build)
      : build_(build), model_(build.model), is_energy_(build.model.integrator->secant_forces()) {}

  void note_all() {
    note_shapes();
    note_face_radius();
    note_materials();
    note_masses();
    note_interfaces();
    note_times();
    note_steps();
    note_rest();
    note_coupled();
    note_loads();
    const Value& solver = build_.deck.at("solver");
    const Value& superquadric = solver.at("superquadric");
    if (!superquadric.is_default() && !build_.used.two_superquadrics)
      note(superquadric.where(), "has no effect in this deck: no two superquadrics can come into contact.");
  }

 private:
  void note(const std::string& where, const std::string& message) { build_.diagnostics.note(where, message); }

  void note_shapes() {
    std::set<std::string> used;
    const auto use = [&](int shape) {
      const std::string& name = model_.shapes[static_cast<std::size_t>(shape)].name;
      used.insert(name.substr(0, name.find('*')));  // one of another size is NAME*FACTOR
      used.insert(name);
    };
    std::set<int> shapes = build_.used.moving_shapes;
    for (const BodyDescription& body : model_.bodies) shapes.insert(body.shape);
    for (const InletDescription& inlet : model_.inlets)
      for (const InletDescription::Entry& entry : inlet.entries) shapes.insert(entry.shape);
    for (const int shape : shapes) use(shape);
    std::vector<std::string> names;
    for (const std::string& name : build_.deck.at("shapes").keys())
      if (used.count(name) == 0) names.push_back(name);
    if (!names.empty()) note("/shapes", fmt::format("unused shapes: {}.", names_text(names)));
  }

  void note_materials() {
    std::set<int> of_bodies;
    for (const BodyDescription& body : model_.bodies) of_bodies.insert(build_.base_of(body.material));
    for (const InletDescription& inlet : model_.inlets) of_bodies.insert(build_.base_of(inlet.material));
    std::set<int> used = of_bodies;
    for (const BoundaryDescription& boundary : model_.boundaries)
      used.insert(build_.base_of(boundary.material));
    std::vector<std::string> unused, densities, boundary_densities, moduli;
    const Value& materials = build_.deck.at("materials");
    for (std::size_t m = 0; m < materials.items().size(); ++m) {
      const Value& values = materials.items()[m];
      const std::string& name = materials.keys()[m];
      const int number = static_cast<int>(m);
      if (used.count(number) == 0) {
        unused.push_back(name);
        continue;
      }
      if (values.has("density") && build_.used.densities.count(number) == 0)
        (of_bodies.count(number) > 0 ? densities : boundary_densities).push_back(name);
      const bool has_moduli = values.has("young") || values.has("poisson");
      if (has_moduli && build_.used.moduli.count(number) == 0) moduli.push_back(name);
    }
    if (!unused.empty()) note("/materials", fmt::format("unused materials: {}.", names_text(unused)));
    if (!densities.empty()) {
      note("/materials", fmt::format("\"density\" of {} has no effect in this deck: all bodies of it have a "
                                     "mass of their own.",
                                     names_text(densities)));
    }
    if (!boundary_densities.empty()) {
      note("/materials", fmt::format("\"density\" of {} has no effect in this deck: no body is made of it.",
                                     names_text(boundary_densities)));
    }
    if (!moduli.empty()) {
      note("/materials",
           fmt::format("\"young\" and \"poisson\" of {} have no effect in this deck: they are used by "
                       "{}.",
                       names_text(moduli),
                       contact::laws_in_words([](const contact::LawTraits& law) { return law.moduli; })));
    }
  }

  /// A face that is rounded needs a face.
  void note_face_radius() {
    for (const Value& shape : build_.deck.at("shapes").items()) {
      const Value* radius = shape.find("face_radius");
      if (radius == nullptr || radius->is_default()) continue;
      const auto& blockiness = shape.at("blockiness").items();
      if (blockiness[0].number() > 2 || blockiness[1].number() > 2) continue;
      note(radius->where(), "has no effect: with a \"blockiness\" of [2, 2] there are no flat faces.");
    }
  }

  /// Surfaces that another program would move, where the deck names none: a participant of a program may.
  void note_coupled() {
    std::set<std::string> named;
    if (const Value* coupling = build_.deck.find("coupling"))
      for (const Value& surface : coupling->at("surfaces").items()) named.insert(surface.string("boundary"));
    for (const BoundaryDescription& boundary : model_.boundaries) {
      if (!boundary.motion.coupled || named.count(boundary.name) > 0) continue;
      note(boundary.where + "/motion",
           "has no effect in \"scree run\", where the surface stands still: \"coupling\" does not name it. A "
           "Participant may move it.");
    }
  }

  /// A "motion" of what stays where it is. Solids stand behind the boundaries of the deck.
  void note_rest() {
    std::size_t number = 0;
    for (const Value& boundary : build_.deck.at("boundaries").items()) {
      const Value* motion = boundary.find("motion");
      if (motion != nullptr) note_rest(*motion, model_.boundaries[number].motion, "has no effect");
      ++number;
    }
    // Of a solid it makes a boundary, moving or not.
    for (const Value& body : build_.deck.at("bodies").items()) {
      if (const Value* motion = body.find("motion"))
        note_rest(*motion, model_.boundaries[number++].motion, "has no motion");
    }
  }

  /// @param zero says what that is which is all 0.
  void note_rest(const Value& given, const BoundaryMotion& motion, const char* zero) {
    const auto& table = motion.table;
    const auto is_first = [&](const BoundaryMotion::Knot& knot) {
      return knot.displacement == table.front().displacement && knot.rotation == table.front().rotation;
    };
    if (!moves(motion)) {
      note(given.where(), fmt::format("{}: {} 0.", zero,
                                      table.empty() ? "its velocities are" : "all values of the table are"));
    } else if (!table.empty() && std::all_of(table.begin(), table.end(), is_first)) {
      note(given.where(), table.size() == 1 ? "has no motion: a table with one row defines only a position."
                                            : "has no motion: all rows of the table are equal.");
    }
  }

  void note_masses() {
    const auto& entries = build_.deck.at("bodies").items();
    for (std::size_t k = 0; k < entries.size(); ++k) {
      if (!entries[k].has("mass")) continue;
      const std::string where = entries[k].at("mass").where();
      const std::size_t body = build_.first_body[k];
      if (body < build_.end_of(k) && all_fixed(model_.bodies[body].fixed))
        note(where, "has no effect: \"fixed\" contains all translations and rotations.");
      else if (entries[k].has("sizes") || entries[k].has("scale"))
        note(where, "is that of each body, whatever its size: density differs between sizes.");
    }
  }

  void note_interfaces() {
    const auto& interfaces = build_.deck.at("interfaces").items();
    const auto laws = std::count_if(build_.used.interfaces.begin(), build_.used.interfaces.end(),
                                    [&](int number) { return !interfaces[number].has("none"); });
    for (std::size_t k = 0; k < interfaces.size(); ++k) {
      const Value& interface = interfaces[k];
      const int number = static_cast<int>(k);
      if (build_.used.interfaces.count(number) == 0) {
        note(interface.where(), "has no effect in this deck: these materials cannot come into contact.");
        continue;
      }
      if (interface.has("none")) continue;
      note_law(interface.at("normal"), build_.used.curved_interfaces.count(number) > 0);
      const Value* ratio = interface.at("normal").find("stiffness_ratio");
      if (ratio != nullptr && !ratio->is_default() && laws == 1)
        note(ratio->where(),
             "has no effect in this deck: no other interface is in use, and only ratios matter.");
      note_zeros(interface);
    }
  }

  void note_law(const Value& normal, bool curved) {
    for (const char* key : {"radius", "radius_limit"}) {
      const Value* value = normal.find(key);
      if (value == nullptr || value->is_default() || curved) continue;
      note(value->where(), "has no effect in this deck: it applies to superquadrics only.");
    }
    const Value* no_tension = normal.find("no_tension");
    if (no_tension != nullptr && !no_tension->is_default() && !has_dashpot(normal) &&
        traits_of(model_.analysis).uses_integrator)
      note(no_tension->where(), "has no effect without damping: the spring force alone is never tensile.");
  }

  /// A 0 that switches off what it stands in.
  void note_zeros(const Value& interface) {
    if (const Value* friction = interface.find("friction")) {
      const bool limited =
          friction->string("limit") != "none" || !traits_of(model_.analysis).forces_follow_from_state;
      if (limited && friction->number("static") == 0)
        note(friction->where(), "there is no friction: \"static\" is 0.");
      const Value& ratio = friction->at("damping_ratio");
      const Value& stiffness = friction->at("stiffness");
      const bool stiff = stiffness.kind() != Value::Kind::number || stiffness.number() > 0;
      const AnalysisTraits& traits = traits_of(model_.analysis);
      if (!ratio.is_default() && !stiff && traits.uses_integrator)
        note(ratio.where(), "has no effect: \"stiffness\" is 0.");
      const bool damped = friction->number("damping") > 0 || (stiff && friction->number("damping_ratio") > 0);
      const Value& limit = friction->at("limit");
      if (traits.forces_follow_from_state && !(traits.uses_integrator && (damped || is_energy_)) &&
          !limit.is_default() && limit.string() != "none")
        note(limit.where(), "has no effect without tangential damping: it acts as \"coulomb\".");
      const Value* limiting = friction->find("limiting_force");
      if (limiting != nullptr && traits.uses_integrator && !is_energy_ &&
          !has_dashpot(interface.at("normal")))
        note(limiting->where(), "has no effect without normal damping: both normal forces are the same.");
    }
    const Value* rolling = interface.find("rolling");
    if (rolling != nullptr && rolling->number("coefficient") == 0)
      note(rolling->where(), "there is no rolling resistance: \"coefficient\" is 0.");
  }

  /// What begins when the run has ended.
  void note_times() {
    const double end = model_.time.end;
    const auto is_late = [&](double time) { return time >= end; };
    const auto late = [&](const std::string& where, const std::string& what, double time) {
      note(where, fmt::format("has no effect before the end of the run, {} s: {} at {} s.", text::number(end),
                              what, text::number(time)));
    };
    for (const BoundaryDescription& boundary : model_.boundaries) {
      if (is_late(boundary.active_from)) late(boundary.where, "it becomes active", boundary.active_from);
      const auto& table = boundary.motion.table;
      if (moves(boundary.motion) && !table.empty() && is_late(table.front().time) &&
          table.front().displacement.norm() == 0 && table.front().rotation.norm() == 0)
        late(boundary.where + "/motion", "the table begins", table.front().time);
    }
    const auto& interfaces = build_.deck.at("interfaces").items();
    for (std::size_t k = 0; k < interfaces.size(); ++k) {
      const auto& active = model_.interfaces[k].friction.active;
      if (interfaces[k].has("friction") && is_late(active.front().first))
        late(interfaces[k].at("friction").where(), "friction becomes active", active.front().first);
    }
    for (const InletDescription& inlet : model_.inlets) {
      if (!inlet.entries.empty() && is_late(inlet.entries.front().due))
        late(inlet.where, "the first body is inserted", inlet.entries.front().due);
    }
  }

  /// Steps of one size have no other limits. In contact dynamics the factor also decides which steps are
  /// rejected.
  void note_steps() {
    const TimeDescription& time = model_.time;
    if (!time.adaptive || time.min < time.max || !traits_of(model_.analysis).resolves_impacts) return;
    const Value& resolution = build_.deck.at("time").at("step").at("resolution");
    if (resolution.is_default()) return;
    note(resolution.where(),
         "has no effect on the time steps: \"min\" and \"max\" are equal. Only the step-size limits in "
         "warnings and log depend on it.");
  }

  /// @returns a distance [m] that the centres of mass of two bodies always keep, or 0. Barriers
  /// keep surfaces apart, and with them the largest balls about the centres of mass within the bodies. Other
  /// laws let bodies overlap, as bonds do, and as fixed bodies and what "none" keeps from touching may.
  [[nodiscard]] double least_distance() const {
    const auto& interfaces = build_.deck.at("interfaces").items();
    const auto is_barrier = [&](int number) {
      const Value& interface = interfaces[static_cast<std::size_t>(number)];
      return !interface.has("none") && interface.at("normal").string("law") == "barrier";
    };
    const auto& used = build_.used.interfaces;
    if (model_.bonds || !build_.no_contact.empty() || !std::all_of(used.begin(), used.end(), is_barrier) ||
        std::count_if(model_.bodies.begin(), model_.bodies.end(), is_fixed) > 1)
      return 0;
    double least = kInfinity;
    const auto add = [&](int shape) {
      const Shape& body = model_.shapes[static_cast<std::size_t>(shape)];
      least = std::min(least, body.convex && !is_smooth(body) ? inner_radius(body) : 0.0);
    };
    for (const BodyDescription& body : model_.bodies) add(body.shape);
    for (const InletDescription& inlet : model_.inlets)
      for (const InletDescription::Entry& entry : inlet.entries) add(entry.shape);
    return least < kInfinity ? 2 * least : 0;
  }

  void note_loads() {
    const elements::LoadedRun run{model_.time.end, !traits_of(model_.analysis).has_velocities};
    std::size_t number = 0;  // of the loads but those between bodies
    for (const Value& load : build_.deck.at("loads").items()) {
      const std::string& type = load.string("type");
      if (type == "near_field") {
        if (model_.bodies.size() == 1 && model_.inlets.empty()) {
          note(load.where(), "has no effect in this deck: it acts between bodies, and the deck has one.");
        } else if (const double apart = least_distance(); load.number("cutoff") <= apart) {
          note(load.at("cutoff").where(),
               fmt::format("the load has no effect in this deck: the force acts between centres of mass that "
                           "are closer than {} m, and barriers keep all of them at least {} m apart.",
                           text::number(load.number("cutoff")), text::number(apart)));
        }
        continue;
      }
      const auto idle =
          dispatch(model_.loads[number++], [&](const auto& built) { return built.idle(load, run); });
      if (idle) note(idle->key.empty() ? load.where() : load.at(idle->key).where(), idle->message);
    }
  }

  Build& build_;
  const Model& model_;
  const bool is_energy_;
};

}  // namespace

void check_unique(Build& build, const Value& list) {
  const auto& items = list.items();
  for (std::size_t k = 1; k < items.size(); ++k) {
    const auto is_same = [&](const Value& item) { return item.string() == items[k].string(); };
    if (std::any_of(items.begin(), items.begin() + static_cast<std::ptrdiff_t>(k), is_same))
      build.diagnostics.error(items[k].where(), fmt::format("duplicate entry \"{}\".", items[k].string()));
  }
}

void check_fixed_bodies(Build& build) {
  if (traits_of(build.model.analysis).has_velocities) {
    std::set<std::string> reported;
    for (const BodyDescription& body : build.model.bodies) check_velocity(build, body, reported);
  }
  check_inertia(build);
  std::size_t number = 0;
  for (const Value& values : build.deck.at("loads").items()) {
    if (!is_complete(values) || values.string("type") == "near_field") continue;
    dispatch(build.model.loads[number++], [&, &where = values](const auto& load) {
      if constexpr (std::remove_cvref_t<decltype(load)>::kTraits.one_body)
        check_load(build, where, load.body, load.directions());
    });
  }
}

void note_unused(Build& build) {
  if (!build.diagnostics.has_errors()) UnusedParts(build).note_all();
}

void mark_unused_shapes(Build& build) {
  if (build.diagnostics.has_errors()) return;
  Model& model = build.model;
  std::set<int> used = build.used.moving_shapes;
  for (const BodyDescription& body : model.bodies) used.insert(body.shape);
  for (const InletDescription& inlet : model.inlets)
    for (const InletDescription::Entry& entry : inlet.entries) used.insert(entry.shape);
  // A rare shape of an inlet may have no body in this run, and one in a run to another end.
  const std::vector<std::string>& names = build.deck.at("shapes").keys();
  for (const Value& inlet : build.deck.at("inlets").items()) {
    if (inlet.has("scale") || inlet.has("sizes")) continue;
    const Value& given = inlet.at("shape");
    for (const std::string& name :
         given.kind() == Value::Kind::string ? std::vector{given.string()} : given.keys())
      used.insert(number_of(names, name));
  }
  if (used.empty()) return;  // of a checkpoint without bodies: some shape has to give a scale
  // Those behind the shapes of the deck were added for bodies.
  for (std::size_t k = 0; k < names.size(); ++k)
    model.shapes[k].unused = used.count(static_cast<int>(k)) == 0;
}

}  // namespace scree::builder

/// Inlets and outlets: what is due when.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "core/interrupt.hpp"
#include "core/text.hpp"
#include "io/build/builder_parts.hpp"
#include "io/deck/deck_validation.hpp"
#include "io/output/number_format.hpp"
#include "solvers/placement/generator.hpp"

namespace scree::builder {
namespace {

/// Bodies of a rate by mass are drawn in lots, each with the fractions of the deck.
constexpr int kLot = 200;
constexpr double kMostBodies = 1e7;
/// Of a rate by mass: how many there will be is known better and better.
constexpr double kBodiesBetweenLooks = 10000;
/// Places that are tried before a region is called too small.
constexpr int kTries = 3000;

/// Names are unique among their kind; `kind` and number where none is given.
std::string name_of_inlet(Build& build, const Value& values, const char* kind, std::size_t number,
                          std::set<std::string>& taken) {
  std::string name = values.has("name") ? values.string("name") : fmt::format("{} {}", kind, number);
  if (!taken.insert(name).second)
    build.diagnostics.error(values.where(), fmt::format("duplicate {} name \"{}\".", kind, name));
  return name;
}

/// Fills what is due from `from` on, before `until`.
void draw_entries(Build& build, const Value& values, double from, double until, InletDescription& inlet) {
  const Value& rate = values.at("rate");
  const bool by_mass = rate.has("mass");
  const double density = build.model.materials[inlet.material].density;
  const double per_second = rate.number(by_mass ? "mass" : "number");
  const double total = per_second * (until - from);
  const double expected = by_mass ? 0 : total;
  if (expected > kMostBodies) {
    build.diagnostics.error(
        rate.where(), fmt::format("inserts {:.3g} bodies; expected at most {:g}.", expected, kMostBodies));
    return;
  }
  constexpr double kEach = sizeof(InletDescription::Entry);
  if (lacks_memory(build, values, rate, expected, kEach)) return;
  // The k-th is due when as much as all before it has been due.
  double before = 0, next_look = kBodiesBetweenLooks;
  Lots lots;
  while (before < total * (1 - 1e-12)) {
    check_interrupt();
    const int lot = by_mass ? kLot : static_cast<int>(std::ceil(total * (1 - 1e-12)));
    for (const int shape : draw_shapes(build, values, lot, lots)) {
      if (shape < 0) return;
      if (before >= total * (1 - 1e-12)) break;
      inlet.entries.push_back({from + before / per_second, shape});
      inlet.largest_bound = std::max(inlet.largest_bound, build.model.shapes[shape].bounding_radius);
      before += by_mass ? density * build.model.shapes[shape].volume : 1;
    }
    const auto drawn = static_cast<double>(inlet.entries.size());
    if (drawn > kMostBodies) {
      build.diagnostics.error(rate.where(),
                              fmt::format("inserts more than {:g} bodies; expected fewer.", kMostBodies));
      return;
    }
    if (drawn < next_look) continue;
    // Those that are still to come are like those so far.
    if (lacks_memory(build, values, rate, drawn * (total / before - 1), kEach)) return;
    next_look = 2 * drawn;
  }
}

void add_inlet(Build& build, const Value& values, std::set<std::string>& names) {
  InletDescription inlet;
  inlet.where = values.where();
  inlet.name = name_of_inlet(build, values, "inlet", build.model.inlets.size(), names);
  check_region(build, values.at("region"));
  inlet.low = values.at("region").vector("min");
  inlet.high = values.at("region").vector("max");
  inlet.velocity = values.vector("velocity");
  inlet.angular_velocity = values.vector("angular_velocity");
  // Places are drawn apart from shapes.
  inlet.seed = static_cast<std::uint64_t>(values.number("seed")) ^ 0x696e6c6574U;
  const double from = values.number("from");
  const double until = values.has("until") ? values.number("until") : build.model.time.end;
  // After an error in "time" its end is unknown.
  if (until <= from && (values.has("until") || build.model.time.end > 0)) {
    const Value& place = values.has("until") ? values.at("until") : values.at("from");
    build.diagnostics.error(place.where(),
                            fmt::format("no body is scheduled: \"from\" is {} s, but the inlet closes "
                                        "at {} s; expected \"from\" < \"until\".",
                                        text::number(from), text::number(until)));
  }
  inlet.material = find_material(build, values);
  if (inlet.material >= 0 && build.material_good[inlet.material] != 0) {
    const Material& material = build.model.materials[inlet.material];
    if (material.density > 0) {
      build.used.densities.insert(build.base_of(inlet.material));
      if (until > from) draw_entries(build, values, from, until, inlet);
    } else {
      build.diagnostics.error(
          values.where(),
          fmt::format("density undefined: set \"density\" [kg/m^3] in {}.",
                      pointer_to("/materials", build.model.materials[build.base_of(inlet.material)].name)));
    }
  }
  build.model.inlets.push_back(std::move(inlet));
}

/// What the solver and a periodic cell ask of bodies of the start, they ask of those that enter.
void check_shapes(Build& build, const InletDescription& inlet) {
  const Model& model = build.model;
  const auto is_sphere = [&](const InletDescription::Entry& entry) {
    return model.shapes[entry.shape].kind == ShapeKind::sphere;
  };
  if (model.solver.nonlinear == NonlinearChoice::fixed_point &&
      !std::all_of(inlet.entries.begin(), inlet.entries.end(), is_sphere)) {
    build.diagnostics.error(inlet.where,
                            "\"fixed-point\" (/solver/nonlinear) supports spheres only; use \"newton\".");
  }
  const double room = 2 * inlet.largest_bound + clearance_of(model);
  for (int k = 0; k < 3; ++k) {
    const double period = model.periodic.length[k];
    if (period == 0 || period > room) continue;
    build.diagnostics.error(
        inlet.where,
        fmt::format("a body would interact with its own image: period along {} is {} m, expected more than "
                    "{} m.",
                    "xyz"[k], text::number(period), text::number(room)));
  }
}

/// @returns whether bodies of the inlet can be inserted in the outlet. A face in common is not enough, unless
/// the region of the inlet is flat.
bool regions_overlap(const InletDescription& inlet, const OutletDescription& outlet) {
  for (int k = 0; k < 3; ++k) {
    const double from = std::max(inlet.low[k], outlet.low[k]);
    const double to = std::min(inlet.high[k], outlet.high[k]);
    if (to < from || (to == from && inlet.low[k] < inlet.high[k])) return false;
  }
  return true;
}

}  // namespace

void add_inlets(Build& build) {
  const Value& given = build.deck.at("inlets");
  const auto& entries = build.deck.at("bodies").items();
  const bool listed = !entries.empty();
  if (build.model.bodies.empty() && given.items().empty() && !(listed && build.diagnostics.has_errors())) {
    const bool table = std::any_of(entries.begin(), entries.end(),
                                   [](const Value& entry) { return entry.find("file") != nullptr; });
    build.diagnostics.error("/bodies", fmt::format("no bodies defined{}; add \"bodies\" or "
                                                   "\"inlets\".",
                                                   table ? " (the table has no rows)" : ""));
  }
  std::set<std::string> names;
  for (const Value& values : given.items())
    if (is_complete(values)) add_inlet(build, values, names);
}

void add_outlets(Build& build) {
  std::set<std::string> names;
  for (const Value& values : build.deck.at("outlets").items()) {
    if (!is_complete(values)) continue;
    OutletDescription outlet;
    outlet.name = name_of_inlet(build, values, "outlet", build.model.outlets.size(), names);
    check_region(build, values.at("region"));
    outlet.low = values.at("region").vector("min");
    outlet.high = values.at("region").vector("max");
    build.model.outlets.push_back(std::move(outlet));
  }
}

void check_inlets(Build& build) {
  const Model& model = build.model;
  for (const char* key : {"inlets", "outlets"}) {
    const Value& given = build.deck.at(key);
    if (given.items().empty()) continue;
    if (model.bonds) {
      build.diagnostics.error(given.where(),
                              "cannot be combined with /bonds: bonds between inserted bodies are not "
                              "supported.");
    }
  }
  for (const InletDescription& inlet : model.inlets) check_shapes(build, inlet);
  if (build.diagnostics.has_errors()) return;
  for (const InletDescription& inlet : model.inlets) {
    if (inlet.entries.empty()) continue;
    Generator room(model.shapes, {}, clearance_of(model), model.gravity);
    if (model.periodic.any()) room.set_periodic(model.periodic);
    room.set_walls(model, inlet.entries.front().due);
    RandomNumbers random(inlet.seed);
    const auto largest =
        std::max_element(inlet.entries.begin(), inlet.entries.end(), [&](const auto& a, const auto& b) {
          return model.shapes[a.shape].bounding_radius < model.shapes[b.shape].bounding_radius;
        });
    if (room.place_one(largest->shape, inlet.low, inlet.high, kTries, random)) continue;
    build.diagnostics.error(
        inlet.where,
        fmt::format(
            "shape \"{}\" (bounding radius {} m) does not fit between the boundaries in the region {} to {}; "
            "enlarge or move the region.",
            model.shapes[largest->shape].name, text::number(inlet.largest_bound), text::vector(inlet.low),
            text::vector(inlet.high)));
  }
}

void check_outlets(Build& build) {
  if (build.diagnostics.has_errors()) return;
  const Model& model = build.model;
  const auto& given = build.deck.at("outlets").items();
  for (std::size_t k = 0; k < model.outlets.size(); ++k) {
    const OutletDescription& outlet = model.outlets[k];
    const auto inside = std::count_if(model.bodies.begin(), model.bodies.end(), [&](const auto& body) {
      return outlet.contains(model.periodic.wrap(body.position));
    });
    if (inside > 0) {
      build.diagnostics.warning(
          given[k].where(),
          fmt::format(
              "\"{}\" removes {} of {} at the start: their centres of mass are in the region {} to {}.",
              outlet.name, inside, counted(static_cast<long>(model.bodies.size()), "body", "bodies"),
              text::vector(outlet.low), text::vector(outlet.high)));
    }
    for (const InletDescription& inlet : model.inlets) {
      if (!regions_overlap(inlet, outlet)) continue;
      const bool all = outlet.contains(inlet.low) && outlet.contains(inlet.high);
      build.diagnostics.warning(
          inlet.where + "/region",
          fmt::format("{} the region {} to {} of outlet \"{}\", which removes bodies inserted there in the "
                      "next time step.",
                      all ? "lies in" : "overlaps", text::vector(outlet.low), text::vector(outlet.high),
                      outlet.name));
    }
  }
}

}  // namespace scree::builder

#include <fmt/format.h>

#include <set>

#include "contact/laws/friction_parameters.hpp"
#include "contact/laws/law_parameters.hpp"
#include "core/text.hpp"
#include "io/builder_parts.hpp"
#include "io/deck_validation.hpp"

namespace scree::builder {
namespace {

/// @returns numbers of the materials that a side of "between" matches.
std::vector<int> matching(Build& build, const Value& side) {
  std::vector<int> all;
  if (side.string() != "*") {
    const int one = find_name(build, side, Subject::material);
    if (one >= 0) all.push_back(one);
    return all;
  }
  for (int m = 0; m < static_cast<int>(build.model.materials.size()); ++m) all.push_back(m);
  return all;
}

/// Sets which pairs an interface is for. @returns false after an error.
bool match(Build& build, const Value& between, int number) {
  if (!is_complete(between)) return false;
  if (between.items().size() != 2) {
    build.diagnostics.error(between.where(),
                            fmt::format("got {} names; expected two materials.", between.items().size()));
    return false;
  }
  const auto first = matching(build, between.items()[0]), second = matching(build, between.items()[1]);
  for (const int a : first) {
    for (const int b : second) build.model.interface_of[a][b] = build.model.interface_of[b][a] = number;
  }
  return !first.empty() && !second.empty();
}

/// Gives every pair an interface where it is not known what one was meant for: nobody should be told that
/// others are missing.
void match_all(Build& build, int number) {
  for (auto& row : build.model.interface_of) row.assign(row.size(), number);
}

void add_interface(Build& build, const Value& values, int number) {
  if (!match(build, values.at("between"), number)) match_all(build, number);
  contact::Interface& interface = build.model.interfaces[number];
  if (const Value& normal = values.at("normal"); is_complete(normal)) {
    find_registered(contact::registered_normal_laws(), normal.string("law"))->make(normal, interface);
  }
  if (const Value* friction = values.find("friction"); friction != nullptr && is_complete(*friction)) {
    std::vector<Diagnostic> faults;
    interface.friction = contact::friction_parameters(*friction, faults);
    build.diagnostics.add(faults);
  }
}

/// Who of a material is there, for messages, and how many.
struct Members {
  int bodies = 0;
  std::string example;
};

}  // namespace

void add_interfaces(Build& build) {
  const auto& interfaces = build.deck.at("interfaces").items();
  const std::size_t n = build.model.materials.size();
  build.model.interface_of.assign(n, std::vector<int>(n, -1));
  build.model.interfaces.resize(interfaces.size());
  for (int k = 0; k < static_cast<int>(interfaces.size()); ++k) {
    if (interfaces[k].kind() == Value::Kind::object) {
      add_interface(build, interfaces[k], k);
    } else {
      match_all(build, k);
    }
  }
}

void check_interfaces(Build& build) {
  const Model& model = build.model;
  const int n = static_cast<int>(model.materials.size());
  std::vector<Members> members(n);
  std::vector<std::set<int>> shapes(n);
  for (const auto& body : model.bodies) {
    if (body.material < 0 || body.shape < 0) continue;
    ++members[body.material].bodies;
    if (members[body.material].example.empty()) members[body.material].example = body.where;
    shapes[body.material].insert(body.shape);
  }
  std::set<std::pair<int, int>> pairs;
  for (int a = 0; a < n; ++a) {
    for (int b = a; b < n; ++b) {
      const bool meet = a == b ? members[a].bodies > 1 : members[a].bodies > 0 && members[b].bodies > 0;
      if (meet) pairs.insert({a, b});
    }
    for (const auto& boundary : model.boundaries) {
      if (members[a].bodies > 0 && boundary.material >= 0) pairs.insert(std::minmax(a, boundary.material));
    }
  }
  std::set<std::pair<int, int>> warned;
  for (const auto& [a, b] : pairs) {
    const int number = model.interface_of[a][b];
    if (number < 0) {
      build.diagnostics.error(
          "/interfaces", fmt::format("nothing is said of materials \"{}\" and \"{}\", which can meet. Add an "
                                     "interface between them, or one between \"*\" and \"*\".",
                                     model.materials[a].name, model.materials[b].name));
      continue;
    }
    const double threshold = model.interfaces[number].normal.threshold;
    for (const int material : {a, b}) {
      for (const int s : shapes[material]) {
        if (s >= static_cast<int>(build.shape_good.size()) || build.shape_good[s] == 0) continue;
        const double smallest = model.shapes[s].smallest_feature;
        if (threshold <= 0.5 * smallest || !warned.insert({number, s}).second) continue;
        build.diagnostics.warning(
            fmt::format("/interfaces/{}/normal/threshold", number),
            fmt::format(
                "{} m is more than half of the smallest feature of shape \"{}\", {} m: contacts of one body "
                "would see through another.",
                text::number(threshold), model.shapes[s].name, text::number(smallest)));
      }
    }
  }
}

}  // namespace scree::builder

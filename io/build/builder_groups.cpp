/// Groups of bodies and boundaries, and which of them have no contact.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/text.hpp"
#include "io/build/builder_parts.hpp"
#include "io/deck/deck_validation.hpp"

namespace scree::builder {

int find_material(Build& build, const Value& values) {
  const int base = find_name(build, values.at("material"), Subject::material);
  return grouped_material(build, base, values.has("group") ? values.string("group") : "");
}

int grouped_material(Build& build, int base, const std::string& group) {
  if (base < 0 || group.empty()) return base;
  const int own = static_cast<int>(build.model.materials.size() - build.grouped.size());
  for (std::size_t k = 0; k < build.grouped.size(); ++k) {
    if (build.grouped[k].base == base && build.grouped[k].group == group) return own + static_cast<int>(k);
  }
  Material material = build.model.materials[base];
  material.name += '@' + group;
  const std::string& name = material.name;
  if (number_of(build.deck.at("materials").keys(), name) >= 0) {
    build.diagnostics.error(pointer_to("/materials", name),
                            fmt::format("\"{}\" is also material \"{}\" in group \"{}\", as results name "
                                        "it; rename one of them.",
                                        name, build.model.materials[base].name, group));
  }
  build.model.materials.push_back(std::move(material));
  build.material_good.push_back(build.material_good[base]);
  build.grouped.push_back({base, group});
  return static_cast<int>(build.model.materials.size()) - 1;
}

int material_of_state(Build& build, const std::string& name) {
  const auto& names = build.deck.at("materials").keys();
  if (const int whole = number_of(names, name); whole >= 0) return whole;
  // Names of materials may have an "@", those of groups have none.
  const std::size_t at = name.rfind('@');
  if (at == std::string::npos || !group_fault(name.substr(at + 1)).empty()) return -1;
  return grouped_material(build, number_of(names, name.substr(0, at)), name.substr(at + 1));
}

namespace {

/// A group that no interface names changes nothing.
void note_idle_groups(Build& build, std::vector<std::string> groups) {
  for (const Value& interface : build.deck.at("interfaces").items()) {
    const Value* named = interface.find("groups");
    if (named == nullptr || !is_complete(*named)) continue;
    for (const Value& group : named->items()) std::erase(groups, group.string());
  }
  std::sort(groups.begin(), groups.end());
  groups.erase(std::unique(groups.begin(), groups.end()), groups.end());
  if (groups.empty()) return;
  build.diagnostics.note("/interfaces",
                         fmt::format("no entry has \"groups\" with {} {}: {} no effect in this deck.",
                                     groups.size() == 1 ? "the group" : "the groups", text::list(groups),
                                     groups.size() == 1 ? "it has" : "they have"));
}

}  // namespace

void add_groups(Build& build) {
  std::vector<std::string> known;
  for (const GroupedMaterial& material : build.grouped) known.push_back(material.group);
  auto& interface_of = build.model.interface_of;
  const auto n = static_cast<int>(build.model.materials.size());
  const auto own = n - static_cast<int>(build.grouped.size());
  for (auto& row : interface_of) row.resize(n, -1);
  interface_of.resize(n, std::vector<int>(n, -1));
  for (int a = 0; a < n; ++a) {
    for (int b = own; b < n; ++b)
      interface_of[a][b] = interface_of[b][a] = interface_of[build.base_of(a)][build.base_of(b)];
  }
  const auto keep_apart = [&](int a, int b) {
    build.no_contact.insert({std::min(a, b), std::max(a, b)});
    interface_of[a][b] = interface_of[b][a] = -1;
  };
  const auto& interfaces = build.deck.at("interfaces").items();
  for (int k = 0; k < static_cast<int>(interfaces.size()); ++k) {
    if (!interfaces[k].has("none")) continue;
    build.used.interfaces.insert(k);
    for (int a = 0; a < n; ++a) {
      for (int b = a; b < n; ++b) {
        if (interface_of[a][b] == k) keep_apart(a, b);
      }
    }
    const Value* groups = interfaces[k].find("groups");
    if (groups == nullptr || !is_complete(interfaces[k])) continue;
    for (const Value& group : groups->items()) {
      const std::string& name = group.string();
      if (name == "*" || std::find(known.begin(), known.end(), name) != known.end()) continue;
      build.diagnostics.error(group.where(),
                              fmt::format("unknown group \"{}\": no body, inlet or boundary has "
                                          "it.{}",
                                          text::shortened(name), text::suggestion(name, known)));
    }
    const auto matches = [&](int material, const Value& group) {
      return group.string() == "*" || build.group_of(material) == group.string();
    };
    const Value &first = groups->items()[0], &second = groups->items()[1];
    for (int a = 0; a < n; ++a) {
      for (int b = 0; b < n; ++b) {
        if (matches(a, first) && matches(b, second)) keep_apart(a, b);
      }
    }
  }
  note_idle_groups(build, std::move(known));
  // Laws are made of all entries: what "none" leaves empty is not used, and like another.
  const auto law =
      std::find_if(interfaces.begin(), interfaces.end(), [](const Value& one) { return !one.has("none"); });
  if (law == interfaces.end()) return;
  for (std::size_t k = 0; k < interfaces.size(); ++k) {
    if (interfaces[k].has("none"))
      build.model.interfaces[k] = build.model.interfaces[static_cast<std::size_t>(law - interfaces.begin())];
  }
}

}  // namespace scree::builder

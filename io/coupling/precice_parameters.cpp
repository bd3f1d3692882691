#include "io/coupling/precice_parameters.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "core/text.hpp"
#include "io/deck/deck_validation.hpp"

namespace scree::coupling {
namespace {

/// Boundaries of a deck that another program may move.
struct CoupledBoundaries {
  std::vector<std::string> names;
  bool all_known = true;  ///< none has errors
};

CoupledBoundaries coupled_boundaries(const Value& boundaries) {
  CoupledBoundaries coupled;
  coupled.all_known = boundaries.kind() != Value::Kind::null;
  for (std::size_t k = 0; k < boundaries.items().size(); ++k) {
    const Value& one = boundaries.items()[k];
    if (!is_complete(one)) {
      coupled.all_known = false;
      continue;
    }
    const Value* motion = one.find("motion");
    if (motion == nullptr || motion->kind() != Value::Kind::string) continue;
    coupled.names.push_back(one.has("name") ? one.string("name") : fmt::format("boundary {}", k));
  }
  return coupled;
}

std::string optional(const Value& from, const char* key) {
  return from.has(key) ? from.string(key) : std::string();
}

/// Each surface is one of the coupled boundaries, each of them once, and has one kind of load.
void check_surfaces(const Value& surfaces, const CoupledBoundaries& coupled, Diagnostics& diagnostics) {
  std::map<std::string, std::string> first;
  for (const Value& one : surfaces.items()) {
    if (!is_complete(one)) continue;
    if (optional(one, "force").empty() == optional(one, "traction").empty())
      diagnostics.error(one.where(),
                        "got both or neither of \"force\" and \"traction\"; expected one of them.");
    const Value& boundary = one.at("boundary");
    const auto& names = coupled.names;
    const auto [it, is_new] = first.emplace(boundary.string(), one.where());
    if (!is_new) {
      diagnostics.error(boundary.where(), fmt::format("duplicate surface \"{}\" (first listed at {}).",
                                                      text::shortened(boundary.string()), it->second));
    } else if (coupled.all_known && std::find(names.begin(), names.end(), boundary.string()) == names.end()) {
      diagnostics.error(boundary.where(),
                        fmt::format("got \"{}\"; expected a boundary with \"motion\": \"coupled\"{}.",
                                    text::shortened(boundary.string()),
                                    names.empty() ? ", the deck has none" : ": " + text::list(names)));
    }
  }
}

}  // namespace

ParameterSpec coupling_specification() {
  const auto name = [](const char* key, const char* description, bool required) {
    return ParameterSpec{
        .key = key, .kind = ParameterKind::string, .description = description, .required = required};
  };
  return {
      .key = "coupling",
      .kind = ParameterKind::object,
      .description = "Coupling with another program; moves boundaries with \"motion\": \"coupled\".",
      .members = {
          {.key = "type",
           .kind = ParameterKind::string,
           .description = "Coupling library. \"precice\": preCICE 3, if this build has it.",
           .required = true,
           .choices = {"precice"}},
          name("config", "Configuration file of preCICE.", true),
          name("participant", "Name of Scree in this file.", true),
          {.key = "surfaces",
           .kind = ParameterKind::list,
           .description = "Coupled boundaries.",
           .required = true,
           .size = 1,
           .members = {{.kind = ParameterKind::object,
                        .members = {name("boundary", "Boundary of the deck.", true),
                                    name("mesh", "Mesh of preCICE that Scree provides.", true),
                                    name("displacement", "Vector data that Scree reads [m].", true),
                                    name("force",
                                         "Vector data that Scree writes: forces on vertices [N], for "
                                         "conservative mappings.",
                                         false),
                                    name("traction",
                                         "Instead of \"force\": forces over the area of a vertex [Pa], for "
                                         "consistent mappings.",
                                         false)}}}},
      }};
}

PreciceCoupling read_coupling(const Value& deck, const std::filesystem::path& file,
                              Diagnostics& diagnostics) {
  const Value& given = deck.at("coupling");
  if (const Value* stop = deck.at("time").find("stop"))
    diagnostics.error(stop->where(),
                      "cannot be combined with /coupling: preCICE decides when the run ends; remove it.");
  if (const Value* surfaces = given.find("surfaces"))
    check_surfaces(*surfaces, coupled_boundaries(deck.at("boundaries")), diagnostics);
  if (!is_complete(given)) return {};
  (void)given.string("type");
  // Not among the files that the run has read: a restart has another max-time.
  PreciceCoupling coupling{.config = (file.parent_path() / given.string("config")).string(),
                           .participant = given.string("participant"),
                           .surfaces = {}};
  for (const Value& one : given.at("surfaces").items()) {
    coupling.surfaces.push_back({.boundary = one.string("boundary"),
                                 .mesh = one.string("mesh"),
                                 .displacement = one.string("displacement"),
                                 .force = optional(one, "force"),
                                 .traction = optional(one, "traction")});
  }
  return coupling;
}

}  // namespace scree::coupling

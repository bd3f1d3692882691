#include "io/coupling/precice_parameters.hpp"

#include <utility>

namespace scree::coupling {

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
          name("config", "Configuration file of preCICE, relative to the working directory.", true),
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

PreciceCoupling read_coupling(const Value& given, Diagnostics& diagnostics) {
  (void)given.string("type");
  PreciceCoupling coupling{
      .config = given.string("config"), .participant = given.string("participant"), .surfaces = {}};
  const auto optional = [](const Value& from, const char* key) {
    return from.has(key) ? from.string(key) : std::string();
  };
  for (const Value& one : given.at("surfaces").items()) {
    PreciceSurface surface{.boundary = one.string("boundary"),
                           .mesh = one.string("mesh"),
                           .displacement = one.string("displacement"),
                           .force = optional(one, "force"),
                           .traction = optional(one, "traction")};
    if (surface.force.empty() == surface.traction.empty())
      diagnostics.error(one.where(),
                        "got both or neither of \"force\" and \"traction\"; expected one of them.");
    coupling.surfaces.push_back(std::move(surface));
  }
  return coupling;
}

}  // namespace scree::coupling

#include "io/build/builder.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/text.hpp"
#include "io/build/builder_parts.hpp"
#include "io/deck/deck_validation.hpp"

namespace scree {
namespace builder {
namespace {

template <class Described>
std::vector<std::string> names_of(const std::vector<Described>& all) {
  std::vector<std::string> names;
  names.reserve(all.size());
  for (const auto& one : all) names.push_back(one.name);
  return names;
}

/// By number; "" for what has none.
std::vector<std::string> names_by_number(const Build& build, Subject subject) {
  switch (subject) {
    case Subject::shape:
      return build.deck.at("shapes").keys();
    case Subject::material:
      return build.deck.at("materials").keys();
    case Subject::body:
      return names_of(build.model.bodies);
    case Subject::boundary:
      return names_of(build.model.boundaries);
    case Subject::outlet:
      return names_of(build.model.outlets);
  }
  return {};
}

std::string called(Subject subject) {
  switch (subject) {
    case Subject::shape:
      return "shape";
    case Subject::material:
      return "material";
    case Subject::body:
      return "body";
    case Subject::boundary:
      return "boundary";
    case Subject::outlet:
      return "outlet";
  }
  return "";
}

/// @returns -1
int report_unknown(Build& build, const Value& name, Subject subject) {
  std::vector<std::string> valid = names_by_number(build, subject);
  std::erase(valid, "");
  build.diagnostics.error(name.where(),
                          fmt::format("unknown {} \"{}\".{}", called(subject), text::shortened(name.string()),
                                      text::suggestion(name.string(), valid)));
  return -1;
}

}  // namespace

int number_of(const std::vector<std::string>& names, const std::string& name) {
  const auto it = std::find(names.begin(), names.end(), name);
  return it == names.end() ? -1 : static_cast<int>(it - names.begin());
}

int find_name(Build& build, const Value& name, Subject subject) {
  const int number = name.string().empty() ? -1 : number_of(names_by_number(build, subject), name.string());
  return number >= 0 ? number : report_unknown(build, name, subject);
}

BodyId find_body(Build& build, const Value& body) {
  const auto& bodies = build.model.bodies;
  const auto count = static_cast<BodyId>(bodies.size());
  // Their own error is enough.
  const bool none_was_read =
      count == 0 && build.diagnostics.has_errors() && !build.deck.at("bodies").items().empty();
  if (body.kind() == Value::Kind::number) {
    const auto number = static_cast<BodyId>(body.number());
    if (number < count) return number;
    if (none_was_read) return -1;
    const std::string valid =
        count > 0 ? fmt::format("valid: 0 to {}", count - 1) : "the deck has none at the start";
    build.diagnostics.error(body.where(),
                            fmt::format("body {} does not exist; {}.{}", number, valid,
                                        build.deck.at("inlets").items().empty()
                                            ? ""
                                            : " A body that an inlet inserts has no history and no load of "
                                              "its own; VTK frames and Python show it."));
    return -1;
  }
  const auto it = std::find_if(bodies.begin(), bodies.end(),
                               [&](const BodyDescription& b) { return b.name == body.string(); });
  if (it != bodies.end() && !body.string().empty()) return it - bodies.begin();
  const auto& boundaries = build.model.boundaries;
  if (std::any_of(boundaries.begin(), boundaries.end(),
                  [&](const BoundaryDescription& b) { return b.name == body.string(); })) {
    build.diagnostics.error(
        body.where(), fmt::format("\"{}\" is a boundary, as is a body with \"motion\"; expected a body.",
                                  text::shortened(body.string())));
    return -1;
  }
  if (none_was_read) return -1;
  const bool has_names =
      std::any_of(bodies.begin(), bodies.end(), [](const BodyDescription& b) { return !b.name.empty(); });
  if (count > 0 && (!has_names || is_number(body.string()))) {
    build.diagnostics.error(
        body.where(),
        fmt::format("unknown body \"{}\".{} Numbers are written without quotes; valid: 0 to {}.",
                    text::shortened(body.string()), has_names ? "" : " No body has a name.", count - 1));
    return -1;
  }
  return report_unknown(build, body, Subject::body);
}

bool is_number(const std::string& name) { return name.find_first_not_of("0123456789") == std::string::npos; }

void check_not_number(Build& build, const Value& name) {
  if (!is_number(name.string())) return;
  build.diagnostics.error(name.where(), fmt::format("got \"{}\"; expected a name that is not a number: "
                                                    "numbers identify bodies without name.",
                                                    name.string()));
}

void add_faults(Build& build, void (*check)(const Model& model, std::vector<Diagnostic>& faults)) {
  std::vector<Diagnostic> faults;
  check(build.model, faults);
  build.diagnostics.add(faults);
}

std::filesystem::path path_to_read(Build& build, const std::string& name) {
  std::filesystem::path path = build.file.parent_path() / name;
  build.model.files_read.push_back(path.string());
  return path;
}

void add_materials(Build& build) {
  const Value& materials = build.deck.at("materials");
  for (std::size_t k = 0; k < materials.items().size(); ++k) {
    const Value& values = materials.items()[k];
    Material material;
    material.name = materials.keys()[k];
    build.material_good.push_back(is_complete(values) ? 1 : 0);
    if (is_complete(values)) {
      if (values.has("density")) material.density = values.number("density");
      if (values.has("young")) material.young = values.number("young");
      if (values.has("poisson")) material.poisson = values.number("poisson");
    }
    build.model.materials.push_back(std::move(material));
  }
}

}  // namespace builder

Model build_model(const Value& deck, const std::filesystem::path& deck_file, Diagnostics& diagnostics) {
  builder::Build build{.deck = deck, .file = deck_file, .diagnostics = diagnostics};
  build.model.deck_file = deck_file.string();
  build.model.files_read = {deck_file.string()};
  // A part that is missing or of the wrong kind would say nothing about the others.
  for (const char* key : {"materials", "shapes", "bodies", "boundaries", "interfaces", "loads"}) {
    if (deck.at(key).kind() == Value::Kind::null) return build.model;
  }
  builder::add_materials(build);
  builder::add_shapes(build);
  builder::add_boundaries(build);
  builder::add_bodies(build);
  builder::add_interfaces(build);
  builder::check_bodies(build);
  builder::add_analysis(build);
  builder::add_inlets(build);
  builder::add_outlets(build);
  builder::check_contact_dynamics(build);
  builder::check_fixed_bodies(build);
  builder::add_bonds(build);
  builder::check_integrator(build);
  builder::add_output(build);
  builder::check_interfaces(build);
  builder::add_periodic(build);
  builder::check_scales(build);
  builder::check_inlets(build);
  builder::note_unused(build);
  builder::mark_unused_shapes(build);
  builder::place_generated_bodies(build);
  builder::check_outlets(build);
  return std::move(build.model);
}

}  // namespace scree

#include "io/deck/deck.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/activity.hpp"
#include "core/text.hpp"
#include "io/build/builder.hpp"
#include "io/deck/deck_scope.hpp"
#include "io/deck/deck_specification.hpp"
#include "io/deck/deck_validation.hpp"
#include "io/deck/input_file.hpp"
#include "io/deck/json_reader.hpp"
#include "io/output/number_format.hpp"

namespace scree {

Deck read_deck(const std::filesystem::path& file, const MeshFaultReport& mesh_faults) {
  return read_deck_text(read_text_file(file, file.string()), file, mesh_faults);
}

Deck read_deck_text(const std::string& text, const std::filesystem::path& file,
                    const MeshFaultReport& mesh_faults) {
  const std::string shown = file.string();
  Diagnostics diagnostics(shown);
  const Value given = parse_json(as_text(text, shown), shown, diagnostics);
  const Value checked = validate(given, deck_specification(), diagnostics);
  Deck deck;
  const Activity activity("checking " + shown);
  if (checked.kind() == Value::Kind::object) {
    check_scopes(checked, deck_specification(), diagnostics);
    deck.model = build_model(checked, file, diagnostics);
    if (checked.has("coupling")) deck.precice = coupling::read_coupling(checked, file, diagnostics);
    // After an error, not all keys are read.
    if (!diagnostics.has_errors()) check_all_read(checked, diagnostics);
  }
  if (mesh_faults && !diagnostics.faulty_meshes().empty())
    mesh_faults(diagnostics.faulty_meshes(), deck.model.output.directory);
  diagnostics.throw_errors(deck.model.notes);
  deck.model.deck_text = text;
  const std::vector<std::string>& notes = diagnostics.notes();
  deck.model.notes.insert(deck.model.notes.end(), notes.begin(), notes.end());
  deck.warnings = diagnostics.warnings();
  return deck;
}

std::string describe(const Model& model) {
  std::string shapes;
  for (const auto& [name, number] : bodies_by_family(model))
    shapes += fmt::format("{}{} x {}", shapes.empty() ? "" : ", ", number, name);
  if (!shapes.empty()) shapes = " (" + shapes + ")";
  std::string more;
  for (const InletDescription& inlet : model.inlets)
    more += fmt::format("{} scheduled at inlet \"{}\", ", inlet.entries.size(), inlet.name);
  const auto number = [](const auto& all, const char* one, const char* many) {
    return counted(static_cast<long>(all.size()), one, many);
  };
  return fmt::format("{}{}, {}{}, {}, {}, to t = {} s", number(model.bodies, "body", "bodies"), shapes, more,
                     number(model.boundaries, "boundary", "boundaries"),
                     number(model.interfaces, "interface", "interfaces"),
                     number(model.loads, "load", "loads"), text::number(model.time.end));
}

void shorten(Model& model, double end) {
  const auto refuse = [end](const std::string& expected) {
    throw InputError("", fmt::format("--end: got {}; expected a time [s] {}.", text::number(end), expected));
  };
  if (!(end > 0) || end > model.time.end)
    refuse(fmt::format("> 0 and at most /time/end, {}", text::number(model.time.end)));
  if (!model.time.adaptive && end < model.time.step)
    refuse(fmt::format("not below the fixed step, {}", text::number(model.time.step)));
  TimeDescription& time = model.time;
  time.end = end;
  if (time.adaptive) {
    time.step = std::min(time.step, end);
    time.min = std::min(time.min, time.step);
  }
  // A run that ends before the criterion is checked is not stopped.
  if (time.stop.after >= end) time.stop.wanted = false;
}

}  // namespace scree

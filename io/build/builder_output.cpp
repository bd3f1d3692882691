#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "core/text.hpp"
#include "io/build/builder_parts.hpp"
#include "io/deck/deck_validation.hpp"
#include "io/output/history_writer.hpp"
#include "io/output/output_names.hpp"
#include "solvers/analysis.hpp"

namespace scree::builder {
namespace {

/// Names of files that the deck chooses: valid, and each used once.
class FileNames {
 public:
  explicit FileNames(Diagnostics& diagnostics) : diagnostics_(diagnostics) {}

  /// @returns the name as the run uses it; "" after an error.
  std::string add(const Value& file) {
    if (const std::string fault = name_fault(file.string()); !fault.empty()) {
      diagnostics_.error(file.where(), fault);
      return "";
    }
    const std::string name = normalised_name(file.string());
    for (const NamedFile& other : others_) {
      if (other.file == name) {
        diagnostics_.error(file.where(), fmt::format("output file \"{}\" is already used by {}.",
                                                     file.string(), other.where));
      } else if (is_folder_of(other.file, name) || is_folder_of(name, other.file)) {
        diagnostics_.error(
            file.where(),
            fmt::format("\"{}\" and \"{}\" ({}) cannot both be files: one is a directory of the other.",
                        file.string(), other.file, other.where));
      }
    }
    others_.push_back({file.where(), name});
    return name;
  }

 private:
  Diagnostics& diagnostics_;
  std::vector<NamedFile> others_;
};

void add_columns(Build& build, const Value& values, HistoryDescription& history) {
  using Subject = HistoryDescription::Subject;
  const auto& valid = columns_of(history.subject);
  const Value* columns = values.find("columns");
  const Value& analysis = build.deck.at("analysis");  // an unknown one rules out no column
  if (columns == nullptr) {
    history.columns = history.subject == Subject::system ? usual_system_columns(build.model) : valid;
    return;
  }
  for (const auto& column : columns->items()) {
    const std::string& name = column.string();
    if (std::find(valid.begin(), valid.end(), name) == valid.end()) {
      build.diagnostics.error(column.where(),
                              fmt::format("unknown column \"{}\".{}", name, text::suggestion(name, valid)));
    } else if (std::find(history.columns.begin(), history.columns.end(), name) != history.columns.end()) {
      build.diagnostics.error(column.where(), fmt::format("duplicate column \"{}\".", name));
    } else if (history.subject == Subject::system && is_rigid_column(name) && is_complete(analysis) &&
               traits_of(build.model.analysis).forces_follow_from_state) {
      build.diagnostics.error(
          column.where(),
          fmt::format("the column \"{}\" applies to rigid contact and cannot be combined with "
                      "\"analysis\": \"{}\".",
                      name, analysis.string()));
    } else if (history.subject == Subject::system && name == "proximal_steps" && is_complete(analysis) &&
               !traits_of(build.model.analysis).has_load_steps) {
      build.diagnostics.note(column.where(), fmt::format("the column \"{}\" is 0 with \"analysis\": \"{}\".",
                                                         name, analysis.string()));
    }
    history.columns.push_back(name);
  }
}

void add_history(Build& build, const Value& values, FileNames& files) {
  using Subject = HistoryDescription::Subject;
  HistoryDescription history;
  history.file = files.add(values.at("file"));
  history.every = values.number("every");
  std::vector<std::string> subjects;
  for (const char* key : {"body", "boundary", "outlet"})
    if (values.has(key)) subjects.push_back(fmt::format("\"{}\"", key));
  if (subjects.size() > 1) {
    build.diagnostics.error(
        values.where(),
        fmt::format("cannot be combined: {} and {}; define two histories.", subjects[0], subjects[1]));
    return;
  }
  if (const Value* body = values.find("body")) {
    history.subject = Subject::body;
    history.body = find_body(build, *body);
  } else if (const Value* boundary = values.find("boundary")) {
    history.subject = Subject::boundary;
    history.boundary = find_name(build, *boundary, builder::Subject::boundary);
  } else if (const Value* outlet = values.find("outlet")) {
    history.subject = Subject::outlet;
    history.outlet = find_name(build, *outlet, builder::Subject::outlet);
  }
  add_columns(build, values, history);
  build.model.output.histories.push_back(std::move(history));
}

/// Body or boundary of a contact whose interval is requested. @returns the body, or -1 - boundary; nothing
/// after an error.
std::optional<BodyId> party(Build& build, const Value& value) {
  const std::vector<BoundaryDescription>& boundaries = build.model.boundaries;
  if (value.kind() == Value::Kind::string) {
    for (std::size_t i = 0; i < boundaries.size(); ++i) {
      if (boundaries[i].name == value.string()) return -1 - static_cast<BodyId>(i);
    }
  }
  const BodyId id = find_body(build, value);
  return id < 0 ? std::nullopt : std::optional(id);
}

void add_contacts(Build& build, const Value& values) {
  OutputDescription& output = build.model.output;
  output.contacts_every = values.number("every");
  output.lcp_forces = values.boolean("lcp_forces");
  for (const Value& pair : values.at("intervals").items()) {
    if (!is_complete(pair)) continue;
    const std::optional<BodyId> a = party(build, pair.items()[0]);
    const std::optional<BodyId> b = party(build, pair.items()[1]);
    if (!a || !b) continue;
    const std::string names = fmt::format("got {}; ", to_text(pair));
    const std::pair<BodyId, BodyId> parties = std::minmax(*a, *b);
    if (*a == *b) {
      build.diagnostics.error(pair.where(), names + "a body has no contact with itself.");
    } else if (*a < 0 && *b < 0) {
      build.diagnostics.error(pair.where(), names + "boundaries have no contact with each other.");
    } else if (std::find(output.intervals.begin(), output.intervals.end(), parties) !=
               output.intervals.end()) {
      build.diagnostics.error(pair.where(), names + "duplicate pair.");
    }
    output.intervals.push_back(parties);
  }
}

}  // namespace

void add_output(Build& build) {
  const Value& values = build.deck.at("output");
  if (values.kind() == Value::Kind::null) return;
  OutputDescription& output = build.model.output;
  FileNames files(build.diagnostics);
  const auto given = [&values](const char* key) -> const Value* {
    const Value* value = values.find(key);
    return value != nullptr && is_complete(*value) ? value : nullptr;
  };
  output.directory = (std::filesystem::path("results") / build.file.stem()).string();
  if (const Value* directory = given("directory")) {
    output.directory = directory->string();
    if (const std::string fault = directory_fault(output.directory); !fault.empty())
      build.diagnostics.error(directory->where(), fault);
  }
  if (const Value* vtk = given("vtk")) output.vtk_every = vtk->number("every");
  if (const Value* contacts = given("contacts")) add_contacts(build, *contacts);
  if (const Value* final_state = given("final_state")) {
    output.final_state = files.add(*final_state);
  }
  if (const Value* checkpoint = given("checkpoint")) {
    output.checkpoint.wanted = true;
    if (checkpoint->has("every")) output.checkpoint.every = checkpoint->number("every");
    if (checkpoint->has("wall_clock")) output.checkpoint.wall_clock = checkpoint->number("wall_clock");
    output.checkpoint.keep = checkpoint->integer("keep");
    output.checkpoint.continue_on_failure = checkpoint->at("on_failure").string() == "continue";
  }
  for (const auto& history : values.at("histories").items()) {
    if (is_complete(history)) add_history(build, history, files);
  }
}

}  // namespace scree::builder

#include "io/checkpoint/restart.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <system_error>
#include <type_traits>
#include <utility>

#include "core/error.hpp"
#include "core/text.hpp"
#include "io/collective.hpp"
#include "io/command_line.hpp"
#include "io/deck/input_file.hpp"
#include "io/output/number_format.hpp"
#include "io/output/output_names.hpp"

namespace scree::checkpoint {
namespace {

namespace fs = std::filesystem;

/// Shapes, materials and more are numbered in the order of the deck: keys keep it.
using Json = nlohmann::ordered_json;

/// @returns the absolute path of a file, links as they are: where one leads may change before the run is
/// continued.
std::string path_with_links(const std::string& file) {
  std::error_code error;
  const fs::path absolute = fs::absolute(file, error);
  return text::on_one_line(error ? file : absolute.string());
}

/// Name of a shape, and how many before it have the same: one of the deck may be called as a multiple is.
using ShapeKey = std::pair<std::string, int>;

std::vector<ShapeKey> keys_of(const std::vector<std::string>& names) {
  std::vector<ShapeKey> keys;
  keys.reserve(names.size());
  std::map<std::string, int> before;
  for (const std::string& name : names) keys.emplace_back(name, before[name]++);
  return keys;
}

std::vector<std::string> names_of_shapes(const Model& model) {
  std::vector<std::string> names;
  names.reserve(model.shapes.size());
  for (const Shape& shape : model.shapes) names.push_back(shape.name);
  return names;
}

/// @returns a shape that the inlets of this model do not draw, but those of a run to another end: its name is
/// NAME*FACTOR, with all digits. @throws InputError.
Shape multiple_of_shape(const Model& model, const std::string& name, const fs::path& file) {
  const std::size_t star = name.rfind('*');
  if (star != std::string::npos) {
    double factor = 0;
    const char* const last = name.data() + name.size();
    const auto [stop, error] = std::from_chars(name.data() + star + 1, last, factor);
    const auto base = std::find_if(model.shapes.begin(), model.shapes.end(), [&](const Shape& shape) {
      return shape.name.compare(0, std::string::npos, name, 0, star) == 0;
    });
    if (error == std::errc() && stop == last && factor > 0 && base != model.shapes.end()) {
      Shape multiple = scaled(*base, name, factor);
      multiple.unused = false;
      return multiple;
    }
  }
  throw InputError("", fmt::format("{}: has the shape \"{}\", which its deck does not define; "
                                   "expected a checkpoint of that deck, by this version of Scree.",
                                   file.string(), name));
}

/// @param numbers in `shapes` of those that the model has.
void replace_shapes(std::vector<Shape> shapes, const std::vector<int>& numbers, Model& model) {
  model.shapes = std::move(shapes);
  for (BodyDescription& body : model.bodies) body.shape = numbers[static_cast<std::size_t>(body.shape)];
  for (InletDescription& inlet : model.inlets)
    for (InletDescription::Entry& entry : inlet.entries)
      entry.shape = numbers[static_cast<std::size_t>(entry.shape)];
}

/// Gives the shapes of a model the numbers that they have in a list of names; those that the list does not
/// have follow. @param file that the names are from.
void number_shapes_as(const std::vector<std::string>& names, const fs::path& file, Model& model) {
  const std::vector<std::string> own = names_of_shapes(model);
  if (own == names) return;
  std::map<ShapeKey, std::size_t> old_numbers;
  for (const ShapeKey& key : keys_of(own)) old_numbers.emplace(key, old_numbers.size());
  std::vector<int> numbers(own.size(), -1);
  std::vector<Shape> shapes;
  const auto add = [&](std::size_t old) {
    numbers[old] = static_cast<int>(shapes.size());
    shapes.push_back(model.shapes[old]);
  };
  for (const ShapeKey& key : keys_of(names)) {
    const auto found = old_numbers.find(key);
    if (found != old_numbers.end()) {
      add(found->second);
    } else {
      shapes.push_back(multiple_of_shape(model, key.first, file));
    }
  }
  for (std::size_t old = 0; old < numbers.size(); ++old)
    if (numbers[old] < 0) add(old);
  replace_shapes(std::move(shapes), numbers, model);
}

/// Removes the shapes behind those of `before` that no body has: the smallest rounding radius of shapes in
/// use enters the scale of overlaps, and may not depend on bodies that are never inserted. Of those of
/// `before` the ones in use remain so, whether or not a body has them.
void drop_unused_shapes(const Model& before, Model& model) {
  std::vector<bool> is_used(model.shapes.size(), false);
  for (const BodyDescription& body : model.bodies) is_used[static_cast<std::size_t>(body.shape)] = true;
  for (const InletDescription& inlet : model.inlets)
    for (const InletDescription::Entry& entry : inlet.entries)
      is_used[static_cast<std::size_t>(entry.shape)] = true;
  std::vector<int> numbers(is_used.size(), -1);
  std::vector<Shape> shapes;
  for (std::size_t old = 0; old < is_used.size(); ++old) {
    const bool is_first = old < before.shapes.size();
    if (!is_first && !is_used[old]) continue;
    model.shapes[old].unused = is_first && before.shapes[old].unused && !is_used[old];
    numbers[old] = static_cast<int>(shapes.size());
    shapes.push_back(std::move(model.shapes[old]));
  }
  replace_shapes(std::move(shapes), numbers, model);
}

/// An inlet draws the shapes of all its bodies at once, in an order that follows from their number: up to the
/// end of the deck a longer run inserts those of the deck. @param before to that end; its shapes are the
/// first ones of the longer model.
void keep_scheduled(const Model& before, Model& longer) {
  for (std::size_t k = 0; k < longer.inlets.size(); ++k) {
    const std::vector<InletDescription::Entry>& scheduled = before.inlets.at(k).entries;
    InletDescription& inlet = longer.inlets[k];
    const std::size_t kept = std::min(scheduled.size(), inlet.entries.size());
    std::copy_n(scheduled.begin(), kept, inlet.entries.begin());
    inlet.largest_bound = 0;
    for (const InletDescription::Entry& entry : inlet.entries)
      inlet.largest_bound =
          std::max(inlet.largest_bound, longer.shapes[static_cast<std::size_t>(entry.shape)].bounding_radius);
  }
  drop_unused_shapes(before, longer);
}

/// The state of a run to an earlier end lacks the shapes that inlets draw for later.
class StateOfFirstShapes {
 public:
  StateOfFirstShapes(ColumnReader& reader, std::size_t in_state, std::size_t in_model)
      : reader_(reader), in_state_(in_state), in_model_(in_model) {}

  template <class T>
  void operator()(const char* name, T& value, const char* unit) {
    reader_(name, value, unit);
    if constexpr (std::is_same_v<T, StateKind>)
      if (value.shapes == in_state_) value.shapes = in_model_;
  }

 private:
  ColumnReader& reader_;
  std::size_t in_state_, in_model_;
};

/// @param names of the shapes of the state. @throws RunError unless they are the first ones of the model.
void require_first_shapes(const Model& model, const std::vector<std::string>& names, const fs::path& file) {
  const auto [saved, own] =
      std::mismatch(names.begin(), names.end(), model.shapes.begin(), model.shapes.end(),
                    [](const std::string& name, const Shape& shape) { return name == shape.name; });
  if (saved == names.end()) return;
  throw RunError(fmt::format("{}: shape {} is \"{}\" in the state, but {} in the deck.", file.string(),
                             saved - names.begin(), *saved,
                             own == model.shapes.end() ? "not there" : '"' + own->name + '"'));
}

/// @param where JSON pointer. @returns whether a run may be continued with another value of a key of its
/// deck. The end time decides which bodies inlets insert.
bool is_free_key(const std::string& where, bool has_inlets) {
  for (const char* key : {"/title", "/$schema", "/units", "/solver", "/output", "/coupling", "/time/stop"})
    if (where == key) return true;
  return where == "/time/end" && !has_inlets;
}

/// @returns whether the order of the keys of an object has an effect: names are numbered, mixtures are drawn
/// in this order.
bool is_ordered(const std::string& where) {
  return where == "/materials" || where == "/shapes" || where.ends_with("/shape");
}

/// @param where JSON pointer of both values. @returns where two decks differ first, and how; "" if they
/// agree.
std::string difference_of_decks(const Json& saved, const Json& own, const std::string& where,
                                bool has_inlets) {
  if (saved == own || is_free_key(where, has_inlets)) return "";
  if (saved.is_object() && own.is_object()) {
    for (const auto& [key, value] : saved.items()) {
      const std::string at = text::join(where, "/", key);
      const auto found = own.find(key);
      if (found == own.end()) {
        if (!is_free_key(at, has_inlets)) return text::join(at, ": in the checkpoint, but not in the deck");
        continue;
      }
      std::string difference = difference_of_decks(value, *found, at, has_inlets);
      if (!difference.empty()) return difference;
    }
    for (const auto& [key, value] : own.items()) {
      const std::string at = text::join(where, "/", key);
      if (saved.find(key) == saved.end() && !is_free_key(at, has_inlets))
        return text::join(at, ": in the deck, but not in the checkpoint");
    }
    if (!is_ordered(where)) return "";
    for (auto a = saved.begin(), b = own.begin(); a != saved.end() && b != own.end(); ++a, ++b)
      if (a.key() != b.key())
        return fmt::format("{}: \"{}\" in the checkpoint, \"{}\" in the deck at the same place of the order",
                           where, text::printable(a.key()), text::printable(b.key()));
    return "";
  }
  if (saved.is_array() && own.is_array()) {
    if (saved.size() != own.size())
      return fmt::format("{}: {} entries in the checkpoint, {} in the deck", where, saved.size(), own.size());
    for (std::size_t k = 0; k < saved.size(); ++k) {
      if (saved[k] == own[k]) continue;
      std::string difference =
          difference_of_decks(saved[k], own[k], text::join(where, "/", std::to_string(k)), has_inlets);
      if (!difference.empty()) return difference;
    }
    return "";
  }
  return fmt::format("{}: {} in the checkpoint, {} in the deck", where, text::shortened(saved.dump()),
                     text::shortened(own.dump()));
}

/// Of coordinates: a partner may compute them anew.
constexpr double kSamePlace = 1e-12;

/// @returns what differs; "" if the meshes agree.
std::string difference_of_meshes(const CoupledMesh& saved, const CoupledMesh& own) {
  if (saved.reference.size() != own.reference.size())
    return fmt::format("got {} vertices; expected {}", own.reference.size(), saved.reference.size());
  double largest = 0;
  for (const Vec3& x : saved.reference) largest = std::max(largest, x.norm());
  for (std::size_t k = 0; k < saved.reference.size(); ++k)
    if ((own.reference[k] - saved.reference[k]).norm() > kSamePlace * largest)
      return fmt::format("got vertex {} at {} m at rest; expected {} m", k, text::vector(own.reference[k]),
                         text::vector(saved.reference[k]));
  if (saved.triangles.size() != own.triangles.size())
    return fmt::format("got {} triangles; expected {}", own.triangles.size(), saved.triangles.size());
  for (std::size_t k = 0; k < saved.triangles.size(); ++k)
    if (own.triangles[k] != saved.triangles[k])
      return fmt::format("got triangle {} with the vertices [{}]; expected [{}]", k,
                         fmt::join(own.triangles[k], ", "), fmt::join(saved.triangles[k], ", "));
  return "";
}

/// @throws RunError. Another number of coupled boundaries is a fault that the simulation finds.
void compare_meshes(const CoupledMeshes& saved, const Model& model, const fs::path& file) {
  const CoupledMeshes own(model);
  for (std::size_t k = 0; k < std::min(saved.surfaces.size(), own.surfaces.size()); ++k) {
    const std::string difference = difference_of_meshes(saved.surfaces[k], own.surfaces[k]);
    if (difference.empty()) continue;
    throw RunError(
        fmt::format("{}: boundary \"{}\": {}, as in the mesh of the run. A run with a mesh that another "
                    "program gave continues with a Participant and the same mesh.",
                    file.string(), boundary_label(model, own.surfaces[k].boundary), difference));
  }
}

}  // namespace

std::string hashes_of_files(const Model& model) {
  std::string lines;
  for (std::size_t k = 1; k < model.files_read.size(); ++k) {  // the first is the deck
    const std::string& file = model.files_read[k];
    lines += fmt::format("{} {}\n", hash_of(read_text_file(file, file)), path_with_links(file));
  }
  return lines;
}

bool has_report(const fs::path& folder, MPI_Comm comm) {
  int rank = 0, found = 0;
  MPI_Comm_rank(comm, &rank);
  std::error_code ignored;
  if (rank == 0) found = fs::exists(folder / kReportFile, ignored) ? 1 : 0;
  MPI_Bcast(&found, 1, MPI_INT, 0, comm);
  return found != 0;
}

SavedRun read_newest(const fs::path& folder, MPI_Comm comm, std::vector<std::string>& skipped) {
  int rank = 0, ranks = 1;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &ranks);
  const auto none = [&](const std::string& what) {
    throw InputError("", fmt::format("{}: {}", folder.string(), what));
  };
  std::error_code unseen;
  const fs::file_status status = fs::status(folder, unseen);
  if (fs::is_regular_file(status)) none("is a file; expected the results folder of a run.");
  if (!fs::is_directory(status)) {
    none(status.type() == fs::file_type::not_found ? "there is no such results folder."
         : unseen                                  ? unseen.message() + "."
                                                   : "is no folder.");
  }
  const std::vector<NumberedPath> files = files_in(folder);
  if (files.empty()) refuse_without_checkpoint(folder);
  std::optional<SavedRun> end;
  const bool complete = has_report(folder, comm);
  for (const NumberedPath& file : files) {
    SavedRun run;
    try {
      together(comm, [&] { run = read(file.path, rank, ranks); });
    } catch (const RunError& error) {
      if (!end) skipped.emplace_back(error.what());
      continue;
    }
    if (end) {
      if (run.head.at_end) break;  // of a run to an earlier end
      skipped.push_back(
          fmt::format("{}: the run was killed before its last outputs were complete.", end->file.string()));
      return run;
    }
    if (!run.head.at_end || complete) return run;
    end = std::move(run);
  }
  if (end) return std::move(*end);
  none("none of its checkpoints can be read: " + fmt::format("{}", fmt::join(skipped, " ")));
  return {};
}

void require_same_files(const SavedRun& run) {
  for (const std::string& line : lines_of(run.head.files)) {
    const std::size_t space = line.find(' ');
    const std::string path = line.substr(space + 1);
    if (hash_of(read_text_file(path, path)) != line.substr(0, space)) {
      throw InputError("",
                       fmt::format("{}: the file has changed since the run began, and the state is that of "
                                   "bodies and boundaries as it had them. Put the old one back.",
                                   path));
    }
  }
}

Deck deck_of(const SavedRun& run, const fs::path& folder, std::optional<double> end) {
  const Head& head = run.head;
  require_same_files(run);
  if (end && !(*end >= head.time)) {  // nor a NaN
    throw InputError("", fmt::format("--end: got {}; expected a time [s] after that of the checkpoint, {}.",
                                     text::number(*end), text::number(head.time)));
  }
  Json json = Json::parse(head.deck, nullptr, true, true);
  Json& end_of_deck = json.at("time").at("end");
  // The inlets of a longer run have more bodies: they follow from another deck.
  const bool longer = end && *end > end_of_deck.get<double>();
  if (longer) end_of_deck = *end;
  Deck deck = read_deck_text(longer ? json.dump() : head.deck, head.deck_path);
  const std::vector<std::string> shapes = names_of(run).shapes;
  if (longer && !deck.model.inlets.empty()) {
    Model before = read_deck_text(head.deck, head.deck_path).model;
    number_shapes_as(shapes, run.file, before);
    number_shapes_as(names_of_shapes(before), run.file, deck.model);
    keep_scheduled(before, deck.model);
  } else {
    number_shapes_as(shapes, run.file, deck.model);
  }
  if (end && !longer) shorten(deck.model, *end);
  deck.model.deck_text = head.deck;
  deck.model.deck_file = head.deck_file;
  deck.model.output.directory = folder.string();
  deck.model.warnings = deck.warnings;
  return deck;
}

void require_same_deck(const SavedRun& run, const Model& model) {
  if (model.deck_text.empty() || run.head.deck.empty() || model.deck_text == run.head.deck) return;
  const auto parsed = [](const std::string& text) { return Json::parse(text, nullptr, true, true); };
  const std::string difference =
      difference_of_decks(parsed(run.head.deck), parsed(model.deck_text), "", !model.inlets.empty());
  if (difference.empty()) return;
  throw RunError(fmt::format("{}: its state is that of another deck: {}. Expected the deck of the run.",
                             run.file.string(), text::printable(difference)));
}

CoupledMeshes require_same_meshes(const SavedRun& run, const Model& model) {
  CoupledMeshes meshes = coupled_meshes_of(run);
  compare_meshes(meshes, model, run.file);
  return meshes;
}

OutputCursors continue_simulation(Simulation& simulation, SavedRun& run, MPI_Comm comm) {
  OutputCursors cursors;
  // What is the same on all ranks is read by all of them: they fail together.
  try {
    const Model& model = simulation.model();
    ColumnReader reader(run.common);
    StateNames names;
    reader("names", names, "");
    require_first_shapes(model, names.shapes, run.file);
    CoupledMeshes meshes;
    if (has_coupled_meshes(run)) reader("coupling", meshes, "");
    compare_meshes(meshes, model, run.file);
    StateOfFirstShapes state(reader, names.shapes.size(), model.shapes.size());
    simulation.read(state, std::move(run.bodies), run.redistribute);
    reader("output", cursors, "");
    reader.finish();
  } catch (const std::out_of_range& error) {
    throw RunError(
        fmt::format("{}: its content is not that of a checkpoint: {}.", run.file.string(), error.what()));
  } catch (const std::invalid_argument& error) {
    std::string reason = error.what();
    if (!reason.ends_with('.')) reason += '.';
    throw RunError(
        fmt::format("{}: its state is not one of the deck that it holds: {}", run.file.string(), reason));
  }
  MPI_Barrier(comm);
  return cursors;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

}  // namespace scree::checkpoint

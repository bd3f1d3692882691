#include "io/checkpoint/restart.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <numeric>
#include <sstream>
#include <system_error>
#include <tuple>
#include <utility>

#include "core/error.hpp"
#include "core/text.hpp"
#include "io/collective.hpp"
#include "io/command_line.hpp"
#include "io/deck/input_file.hpp"
#include "io/output/number_format.hpp"
#include "io/output/output_names.hpp"
#include "io/output/results_list.hpp"

namespace scree::checkpoint {
namespace {

namespace fs = std::filesystem;

/// Shapes, materials and more are numbered in the order of the deck: keys keep it.
using Json = nlohmann::ordered_json;

}  // namespace

std::string hashes_of_files(const Model& model) {
  std::string lines;
  for (std::size_t k = 1; k < model.files_read.size(); ++k) {  // the first is the deck
    const std::string& file = model.files_read[k];
    lines += fmt::format("{} {}\n", hash_of(read_text_file(file, file)), deck_identity(file));
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
  if (files.empty()) {
    none(
        "it has no checkpoint. A deck with \"output\": {\"checkpoint\": {\"every\": ...}} writes them; "
        "without one run the deck again.");
  }
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

Deck deck_of(const SavedRun& run, const fs::path& folder, std::optional<double> end) {
  const Head& head = run.head;
  for (const std::string& line : lines_of(head.files)) {
    const std::size_t space = line.find(' ');
    const std::string path = line.substr(space + 1);
    if (hash_of(read_text_file(path, path)) != line.substr(0, space)) {
      throw InputError("",
                       fmt::format("{}: the file has changed since the run began, and the state is that of "
                                   "bodies and boundaries as it had them. Put the old one back.",
                                   path));
    }
  }
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
  if (end && !longer) shorten(deck.model, *end);
  deck.model.deck_text = head.deck;
  deck.model.deck_file = head.deck_file;
  deck.model.output.directory = folder.string();
  deck.model.warnings = deck.warnings;
  return deck;
}

OutputCursors continue_simulation(Simulation& simulation, SavedRun& run, MPI_Comm comm) {
  OutputCursors cursors;
  // What is the same on all ranks is read by all of them: they fail together.
  try {
    ColumnReader reader(run.common);
    simulation.read(reader, std::move(run.bodies), run.redistribute);
    reader("output", cursors, "");
    StateNames names;  // for other decks
    reader("names", names, "");
    reader.finish();
  } catch (const std::out_of_range& error) {
    throw RunError(
        fmt::format("{}: its content is not that of a checkpoint: {}.", run.file.string(), error.what()));
  } catch (const std::invalid_argument&) {
    throw RunError(fmt::format("{}: its state is not one of the deck that it holds.", run.file.string()));
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

#include "io/command_line.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>

#include "core/error.hpp"
#include "core/text.hpp"
#include "io/deck/petsc_options.hpp"
#include "io/deck/schema.hpp"

namespace scree {
namespace {

std::string without_newline(std::string text) {
  while (text.ends_with('\n')) text.pop_back();
  return text;
}

}  // namespace

Command parse_command_line(const std::vector<std::string>& arguments) {
  Command command;
  const auto dashes = std::find(arguments.begin(), arguments.end(), "--");
  if (dashes != arguments.end()) {
    command.petsc_options.assign(dashes + 1, arguments.end());
    constexpr const char* kWhere = "command line";
    check_given_once(petsc_options(command.petsc_options, kWhere), kWhere);
  }
  // CLI11 takes the last argument first.
  std::vector<std::string> own(std::make_reverse_iterator(dashes), arguments.rend());

  CLI::App app("Scree: an implicit multibody solver for granular matter.", "scree");
  app.set_version_flag("--version", std::string("scree ") + kVersion);
  app.footer(
      "Options for PETSc follow after \"--\": scree run deck.json -- -scree_ksp_monitor\n"
      "Exit status: 0 success, 1 run failed, 2 invalid input, 130 interrupted.");
  app.require_subcommand(1);
  CLI::App* run = app.add_subcommand("run", "Run an input deck.");
  run->add_option("deck", command.deck, "The deck, a JSON file.")->required();
  run->add_option("--output", command.output, "Output directory; default: that of the deck.");
  run->add_flag("--strict", command.strict, "Exit status 1 if there are warnings; the results are complete.");
  run->add_option("--end", command.end,
                  "Simulated time [s] at which the run ends; at most the deck's /time/end.");
  CLI::App* check =
      app.add_subcommand("check", "Check an input deck and report all errors without running it.");
  check->add_option("deck", command.deck, "The deck, a JSON file; or an output directory: its checkpoints.")
      ->required();
  check->add_option("--output", command.output, "Output directory, as for \"run\".");
  check->add_option("--end", command.end, "Simulated time [s] at which the run ends, as for \"run\".");
  check->add_option("--mesh-faults", command.mesh_faults,
                    "Directory for files NAME_faults.vtp (ParaView) with the faults of meshes that are "
                    "rejected; default: not written.");
  CLI::App* resume = app.add_subcommand("resume", "Continue a run from its last checkpoint.");
  resume->add_option("results", command.deck, "Output directory of the run.")->required();
  resume->add_option("--end", command.end,
                     "Simulated time [s] at which the run ends, also after the deck's /time/end.");
  resume->add_flag("--strict", command.strict, "As for \"run\".");
  CLI::App* schema = app.add_subcommand("schema", "Print the JSON Schema of a deck.");
  bool markdown = false;
  schema->add_flag("--markdown", markdown, "Print docs/input.md (Markdown) instead.");
  const std::vector<std::string> commands = {"run", "resume", "check", "schema"};
  if (!own.empty() && !own.back().starts_with('-') &&
      std::find(commands.begin(), commands.end(), own.back()) == commands.end()) {
    throw InputError(
        "", text::join("unknown command \"", own.back(), "\".", text::suggestion(own.back(), commands)));
  }
  try {
    app.parse(own);
  } catch (const CLI::CallForHelp&) {
    // Help of the subcommand that was named, if there is one.
    const auto subcommands = app.get_subcommands();
    command.text = subcommands.empty() ? app.help() : subcommands.front()->help("scree");
    return command;
  } catch (const CLI::CallForVersion&) {
    command.text = std::string("scree ") + kVersion + "\n";
    return command;
  } catch (const CLI::ExtrasError&) {  // its own text has them in the reverse order
    std::string extras;
    for (const std::string& one : app.remaining(true)) extras += ' ' + one;
    throw InputError("", "not expected:" + extras +
                             ". Run \"scree --help\" for usage; options for PETSc follow after \"--\".");
  } catch (const CLI::ParseError& error) {
    throw InputError("", without_newline(error.what()) +
                             ". Run \"scree --help\" for usage; options for PETSc follow after \"--\".");
  }
  for (const CLI::App* named : {run, check}) {
    if (named->parsed() && named->count("--output") > 0 && command.output.empty())
      throw InputError("--output", "got \"\"; expected the name of a directory.");
  }
  if (run->parsed()) command.kind = Command::Kind::run;
  if (check->parsed()) command.kind = Command::Kind::check;
  if (resume->parsed()) command.kind = Command::Kind::resume;
  if (schema->parsed()) command.text = markdown ? input_reference() : json_schema();
  return command;
}

}  // namespace scree

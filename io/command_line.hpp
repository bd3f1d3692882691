/// The command line: command, deck, options.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace scree {

inline constexpr const char* kVersion = "0.1.0";

struct Command {
  enum class Kind : std::uint8_t { run, check, print, resume };
  Kind kind = Kind::print;
  std::filesystem::path deck;              ///< or, to resume or to check, a results folder
  std::string output;                      ///< folder in place of the deck's, "" for the deck's
  bool strict = false;                     ///< warnings end a run with status 1
  std::optional<double> end;               ///< time at which the run ends, before the deck's [s]
  std::string mesh_faults;                 ///< folder for pictures of faulty meshes; "": that of a run
  std::string text;                        ///< what to print: help, version, schema
  std::vector<std::string> petsc_options;  ///< all that stands after "--"
};

/// @param arguments without the program's name. @throws InputError if they are not understood.
Command parse_command_line(const std::vector<std::string>& arguments);

}  // namespace scree

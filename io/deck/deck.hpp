/// Reading a deck: from a file to a model, or to everything that is wrong with it.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "core/mesh/mesh_faults.hpp"
#include "io/coupling/precice_parameters.hpp"
#include "solvers/model.hpp"

namespace scree {

/// A deck without errors.
struct Deck {
  Model model;
  std::vector<Warning> warnings;
  std::optional<coupling::PreciceCoupling> precice;  ///< with another program
};

/// Gets the faults of the meshes of a deck that is refused, and the output directory that it names.
using MeshFaultReport = std::function<void(const std::vector<MeshFaults>&, const std::string& directory)>;

/// Reads the deck and the files that it names, checks them, and generates bodies. The same file gives the
/// same model, to the bit, on every rank. @param mesh_faults called before the error; may be empty.
/// @throws InputError with all errors found, each with file, JSON pointer, what was found and what is
/// expected.
Deck read_deck(const std::filesystem::path& file, const MeshFaultReport& mesh_faults = {});

/// The same from the text of a deck. @param file its name in messages, from whose folder relative paths
/// start; nothing of that name has to exist.
Deck read_deck_text(const std::string& text, const std::filesystem::path& file,
                    const MeshFaultReport& mesh_faults = {});

/// @returns one line on what the deck holds: bodies by shape, boundaries, time.
std::string describe(const Model& model);

/// Ends the run before its time: it goes as the deck's until then, but for the size of its last step.
/// @param end [s], of the command line. @throws InputError unless it is > 0, at most the deck's end, and at
/// least a fixed step.
void shorten(Model& model, double end);

}  // namespace scree

/// The errors, warnings and notes of a deck: all are collected, then reported at once.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "core/mesh/mesh_faults.hpp"
#include "solvers/run/warnings.hpp"

namespace scree {

/// A deck with errors, and what was found before them: it may name their cause.
class RefusedDeck : public InputError {
 public:
  RefusedDeck(std::vector<Diagnostic> errors, std::vector<std::string> notes, std::vector<Warning> warnings)
      : InputError(std::move(errors)), notes_(std::move(notes)), warnings_(std::move(warnings)) {}

  /// @returns what was made of meshes and mixtures.
  [[nodiscard]] const std::vector<std::string>& notes() const { return notes_; }
  [[nodiscard]] const std::vector<Warning>& warnings() const { return warnings_; }

 private:
  std::vector<std::string> notes_;
  std::vector<Warning> warnings_;
};

/// Errors and warnings of one deck.
class Diagnostics {
 public:
  /// @param file name of the deck as messages show it.
  explicit Diagnostics(std::string file) : file_(std::move(file)) {}

  /// @param pointer JSON pointer into the deck, "" for the whole of it.
  void error(const std::string& pointer, const std::string& message);
  void warning(const std::string& pointer, const std::string& message);
  /// What is without effect, and may be so.
  void note(const std::string& pointer, const std::string& message);
  /// Takes over errors whose `where` is a JSON pointer.
  void add(const std::vector<Diagnostic>& errors);
  /// Calls `read` and takes over the InputError it throws, as errors at `pointer` or at the JSON pointer
  /// above, beside or below it that they name themselves.
  /// @param file name of a file that `read` reads: messages begin with it, or with "file:line". "" for none.
  /// @returns false if there was one.
  template <class Read>
  bool attempt(const std::string& pointer, const std::string& file, Read&& read) {
    try {
      read();
      return true;
    } catch (const InputError& caught) {
      for (const auto& d : caught.diagnostics()) add_of_file(pointer, file, d);
      return false;
    }
  }

  [[nodiscard]] bool has_errors() const { return !errors_.empty(); }
  [[nodiscard]] const std::vector<Warning>& warnings() const { return warnings_; }
  /// @returns "POINTER: MESSAGE" of each note.
  [[nodiscard]] const std::vector<std::string>& notes() const { return notes_; }
  /// Keeps the places of the faults of a mesh, for a file that shows them.
  void add_faulty_mesh(MeshFaults faults) { faulty_meshes_.push_back(std::move(faults)); }
  [[nodiscard]] const std::vector<MeshFaults>& faulty_meshes() const { return faulty_meshes_; }
  /// @param notes on meshes and mixtures, reported before the errors. @throws RefusedDeck with all errors, if
  /// there is one.
  void throw_errors(const std::vector<std::string>& notes = {}) const;

 private:
  void add_of_file(const std::string& pointer, const std::string& file, const Diagnostic& found);
  [[nodiscard]] std::string place(const std::string& pointer) const;

  std::string file_;
  std::vector<Diagnostic> errors_;
  std::vector<Warning> warnings_;
  std::vector<std::string> notes_;
  std::vector<MeshFaults> faulty_meshes_;
};

/// What the user wrote may stand in it: what follows escapes control characters, and shortens long texts.
/// @returns what goes to standard error: notes and warnings of a deck that is refused, a line for each error,
/// of many the first hundred, then "3 errors; nothing was run.".
std::string report(const InputError& error);

/// @returns a line for each note, "note: " before each.
std::string report_notes(const std::vector<std::string>& notes);

/// @returns a line for each warning from number `first` on, "warning: " before each; "" without any.
std::string report_warnings(const std::vector<Warning>& warnings, std::size_t first = 0);

}  // namespace scree

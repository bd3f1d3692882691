/// The compiled part of the Python module `scree`.
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <cstddef>
#include <new>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "core/archive.hpp"
#include "core/error.hpp"
#include "io/collective.hpp"
#include "io/preflight.hpp"
#include "io/python/handle.hpp"

namespace scree::python {
namespace {

namespace py = pybind11;

py::object diagnostic(const char* severity, const std::string& where, const std::string& message) {
  return py::module_::import("scree").attr("Diagnostic")(severity, where, message);
}

py::list errors_of(const InputError& error) {
  py::list all;
  for (const Diagnostic& one : error.diagnostics()) all.append(diagnostic("error", one.where, one.message));
  return all;
}

void raise(const char* type, const py::object& argument) {
  const py::object kind = py::module_::import("scree").attr(type);
  PyErr_SetObject(kind.ptr(), kind(argument).ptr());
}

/// Errors of the solver become those of the module.
void translate(std::exception_ptr caught) {
  try {
    if (caught) std::rethrow_exception(caught);
  } catch (const InputError& error) {
    raise("InputError", errors_of(error));
  } catch (const RunError& error) {
    raise("RunError", py::str(error.what()));
  } catch (const RecoverableError& error) {
    raise("RunError", py::str(error.what()));
  } catch (const std::out_of_range& error) {  // a snapshot of another model
    PyErr_SetString(PyExc_ValueError, error.what());
  } catch (const std::logic_error& error) {  // a call out of order
    PyErr_SetString(PyExc_ValueError, error.what());
  }
}

/// A deck after one rank has looked at its output directory.
struct CheckedOutput {
  std::vector<Warning> errors, warnings;
  std::vector<std::string> notes;

  template <class Self, class Archive>
  static void visit(Self& self, Archive& archive) {
    archive("errors", self.errors, "");
    archive("warnings", self.warnings, "");
    archive("notes", self.notes, "");
  }
};

/// Looks at the output directory on one rank, for all. @throws InputError on all ranks. Collective.
void check_output_once(Deck& deck, const std::string& name, MPI_Comm comm) {
  int rank = 0, count = 1;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &count);
  CheckedOutput found;
  std::string text;
  together(comm, [&] {
    if (rank != 0) return;
    try {
      check_deck_output(deck, name, count);
    } catch (const InputError& error) {
      for (const Diagnostic& one : error.diagnostics()) found.errors.push_back({"", one.where, one.message});
    }
    found.warnings = deck.warnings;
    found.notes = deck.model.notes;
    const std::vector<std::byte> packed = to_bytes(found);
    text.assign(reinterpret_cast<const char*>(packed.data()), packed.size());
  });
  broadcast(comm, 0, text);
  const auto* bytes = reinterpret_cast<const std::byte*>(text.data());
  found = from_bytes<CheckedOutput>(std::vector<std::byte>(bytes, bytes + text.size()));
  std::vector<Diagnostic> errors;
  for (const Warning& one : found.errors) errors.push_back({one.where, one.message});
  if (!errors.empty()) throw InputError(std::move(errors));
  deck.warnings = std::move(found.warnings);
  deck.model.notes = std::move(found.notes);
}

/// What `scree check` says. @returns diagnostics: errors, or warnings and notes.
py::list check(const std::string& deck, bool is_text, const py::object& comm) {
  const Communicator ranks(comm);
  const std::string name = is_text ? "<dict>" : deck;
  py::list found;
  std::vector<Warning> at_start;
  try {
    const Deck read = interruptible(ranks.get(), [&] {
      share_memory_of_machine(ranks.get());
      Deck checked = is_text ? read_deck_text(deck, name) : read_deck(deck);
      check_output_once(checked, name, ranks.get());
      checked.model.warnings = checked.warnings;
      of_deck(name, [&] { at_start = check_start(checked, {}, ranks.get()); });
      return checked;
    });
    for (const Warning& one : read.warnings) found.append(diagnostic("warning", one.where, one.message));
    for (const Warning& one : at_start) found.append(diagnostic("warning", one.where, one.message));
    for (const std::string& note : read.model.notes) found.append(diagnostic("note", "", note));
  } catch (const InputError& error) {
    return errors_of(error);
  }
  return found;
}

}  // namespace
}  // namespace scree::python

PYBIND11_MODULE(_scree, module) {
  using namespace scree::python;
  pybind11::register_exception_translator(translate);
  bind_simulation(module);
  bind_bodies(module);
  bind_coupling(module);
  bind_accelerator(module);
  module.def("check", check, pybind11::arg("deck"), pybind11::arg("is_text"), pybind11::arg("comm"));
  pybind11::module_::import("atexit").attr("register")(pybind11::cpp_function(end_session));
}

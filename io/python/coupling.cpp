/// The side of a coupling for Python: motion of surfaces in, forces out, as NumPy arrays.
#include <fmt/format.h>
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "io/checkpoint/restart.hpp"
#include "io/coupling/participant.hpp"
#include "io/python/handle.hpp"
#include "io/python/numbers.hpp"

namespace scree::python {

namespace py = pybind11;

namespace {

using coupling::ForceOf;
using coupling::Status;
using coupling::Surface;

/// A participant with its communicator, closed with the session.
class Coupled : public Viewed {
 public:
  Coupled(Deck deck, const py::object& comm, coupling::Options options)
      : comm_(std::make_unique<Communicator>(comm)),
        prefix_(options.options_prefix, deck.model.solver.petsc_options),
        results_(options.write_outputs ? deck.model.output.directory : "") {
    options.options_prefix = prefix_.name();
    participant_ = std::make_unique<coupling::Participant>(std::move(deck), comm_->get(), std::move(options));
  }
  ~Coupled() override { Coupled::close(); }
  /// Of a participant that nobody has finished: what ended it is not known, so that its run is not complete.
  void close() override {
    release_arrays();
    if (participant_) participant_->note_failure();
    participant_.reset();
    prefix_.release();
    comm_.reset();
  }
  [[nodiscard]] const std::string& prefix() const { return prefix_.name(); }
  /// Where it writes its outputs; "" without outputs.
  [[nodiscard]] const std::string& results() const { return results_; }
  [[nodiscard]] bool is_open() const { return participant_ != nullptr; }
  [[nodiscard]] coupling::Participant& get() const {
    if (!participant_) throw RunError("the participant is closed");
    return *participant_;
  }
  /// For what changes the state.
  [[nodiscard]] coupling::Participant& changing() {
    release_arrays();
    return get();
  }
  /// At the end of the last solve_step(), or where that failed; after accept(), restore()... the accepted
  /// state.
  [[nodiscard]] Simulation& simulation() override { return get().simulation(); }
  [[nodiscard]] MPI_Comm comm() const {
    (void)get();  // what is closed has none
    return comm_->get();
  }

 private:
  std::unique_ptr<Communicator> comm_;
  OptionsPrefix prefix_;
  std::string results_;
  std::unique_ptr<coupling::Participant> participant_;
};

}  // namespace

template <>
inline constexpr bool kRefusedUntilMade<Coupled> = true;
template <>
inline constexpr bool kRefusedUntilMade<Surface> = true;
template <>
inline constexpr bool kRefusedUntilMade<coupling::Snapshot> = true;
template <>
inline constexpr bool kRefusedUntilMade<coupling::StepReport> = true;

namespace {

const char* name_of(Status status) {
  return status == Status::converged ? "converged" : status == Status::infeasible ? "infeasible" : "failed";
}

/// @param fill of 3 numbers per vertex of a surface.
template <class Fill>
py::array_t<double> per_vertex(const Coupled& self, Surface surface, Fill&& fill) {
  const std::size_t count = self.get().mesh(surface).reference.size();
  py::array_t<double> made({static_cast<py::ssize_t>(count / 3), py::ssize_t{3}});
  fill(std::span<double>(made.mutable_data(), count));
  return made;
}

/// @returns the numbers of an array (n, 3), or (3 n,). @throws ValueError on another shape: that of a
/// transposed array has the right size.
template <class T>
std::span<const T> in_threes(const Values<T>& values, const char* what) {
  const auto& array = values.array;
  if (array.size() > 0 &&
      (array.ndim() > 2 || array.ndim() == 0 || (array.ndim() == 2 && array.shape(1) != 3)))
    throw py::value_error(fmt::format("{}: got an array of shape {}; expected (n, 3).", what,
                                      std::string(py::str(array.attr("shape")))));
  return numbers(values);
}

Surface add_surface(const Coupled& self, const std::string& boundary, const std::optional<Numbers>& reference,
                    const std::optional<Integers>& triangles, const std::optional<Integers>& id) {
  coupling::SurfaceMesh mesh;
  if (reference) mesh.reference = in_threes(*reference, "reference");
  std::vector<int> corners;
  if (triangles) {
    // No vertex has a number beyond those of int: the check of all ranks names what is not one.
    using Limits = std::numeric_limits<int>;
    for (const std::int64_t corner : in_threes(*triangles, "triangles"))
      corners.push_back(static_cast<int>(std::clamp<std::int64_t>(corner, Limits::min(), Limits::max())));
    mesh.triangles = corners;
  }
  if (id) mesh.id = numbers(*id);
  // Empty arrays are a mesh: that of the deck is not what was meant.
  const bool is_given = reference || triangles || id;
  return is_given ? self.get().add_surface(boundary, mesh) : self.get().add_surface(boundary);
}

void resume_from(const Coupled& self, const std::filesystem::path& folder) {
  std::vector<std::string> skipped;
  checkpoint::SavedRun saved =
      interruptible(self.comm(), [&] { return checkpoint::read_newest(folder, self.comm(), skipped); });
  // Outputs after the checkpoint are removed, which must not happen to those of another run.
  std::error_code unseen;
  if (!self.results().empty() && !std::filesystem::equivalent(folder, self.results(), unseen))
    throw std::invalid_argument(
        fmt::format("resume: got the folder \"{}\"; with outputs=True expected the output directory of the "
                    "deck, \"{}\", where the outputs continue",
                    folder.string(), self.results()));
  for (const std::string& what : skipped)
    if (PyErr_WarnEx(PyExc_RuntimeWarning, (what + " The one before it is taken.").c_str(), 1) != 0)
      throw py::error_already_set();
  interruptible(self.comm(), [&] { return checkpoint::require_same_files(saved), true; });
  interruptible(self.comm(), [&] { return self.get().resume(saved), true; });
}

}  // namespace

void bind_coupling(py::module_& module) {
  const py::class_<Surface> type_of_surfaces(module, "Surface", "A coupled surface of a Participant.");
  py::class_<coupling::Snapshot>(module, "CoupledSnapshot",
                                 "A saved state of a Participant. == compares bitwise.")
      .def_property_readonly("size", &coupling::Snapshot::size, "[bytes]")
      .def(
          "__eq__", [](const coupling::Snapshot& a, const coupling::Snapshot& b) { return a == b; },
          py::is_operator());
  py::class_<coupling::StepReport>(module, "CoupledStepReport", "Result of Participant.solve_step().")
      .def_property_readonly("converged", &coupling::StepReport::converged,
                             "Whether the step may be accepted.")
      .def_property_readonly(
          "infeasible", [](const coupling::StepReport& self) { return self.status == Status::infeasible; },
          "The motion pushes a surface through bodies that cannot give way: shorten the increment.")
      .def_property_readonly(
          "status", [](const coupling::StepReport& self) { return name_of(self.status); },
          "\"converged\", \"infeasible\" or \"failed\".")
      .def_readonly("reached", &coupling::StepReport::reached, "Time up to which it could be solved [s].")
      .def_readonly("substeps", &coupling::StepReport::substeps, "Time steps of Scree within the step.")
      .def_readonly("newton", &coupling::StepReport::newton, "Newton iterations in all of them.")
      .def_readonly("min_gap", &coupling::StepReport::min_gap, "Smallest gap of a contact at the end [m].")
      .def_readonly("message", &coupling::StepReport::message, "Reason and remedy of a step that failed.")
      .def("__repr__", [](const coupling::StepReport& self) {
        return self.converged()
                   ? fmt::format("<CoupledStepReport: converged, {} time steps>", self.substeps)
                   : fmt::format("<CoupledStepReport: {}, {}>", name_of(self.status), self.message);
      });
  py::class_<Coupled, std::shared_ptr<Coupled>> type(module, "ParticipantBase");
  bind_views(type);
  type.def(py::init([](const std::string& deck, bool is_text, const py::object& comm, bool mean, bool outputs,
                       const std::string& prefix) {
             return std::make_shared<Coupled>(read_given_deck(deck, is_text, comm), comm,
                                              coupling::Options{.force = mean ? ForceOf::mean : ForceOf::end,
                                                                .write_outputs = outputs,
                                                                .options_prefix = prefix});
           }),
           py::arg("deck"), py::arg("is_text"), py::arg("comm"), py::arg("mean"), py::arg("outputs"),
           py::arg("options_prefix"))
      .def("add_surface", add_surface, py::arg("boundary"), py::arg("reference") = py::none(),
           py::arg("triangles") = py::none(), py::arg("id") = py::none(),
           "Couples a boundary with \"motion\": \"coupled\"; before initialize(). Collective.\n\nreference: "
           "(n, 3) vertices at rest [m], triangles: (m, 3) vertices of this rank, id: (n,) global vertex "
           "numbers. Default: the mesh of the deck. A rank without a part gives empty arrays or nothing; "
           "InputError if "
           "no rank has a triangle.")
      .def(
          "initialize",
          [](Coupled& self) { interruptible(self.comm(), [&] { return self.get().initialize(), true; }); },
          "Makes the simulation. Collective.")
      .def("resume", resume_from, py::arg("folder"),
           "Instead of initialize(): continues from the newest checkpoint in a results folder. "
           "Collective.\n\nThe deck and the calls of add_surface() are those of the run (RunError on a "
           "difference), forces() those of its last accepted step; with outputs=True "
           "the folder is the output directory of the deck, where the outputs continue. Warns "
           "(RuntimeWarning) of newer checkpoints that cannot be read.")
      .def_property_readonly("options_prefix", &Coupled::prefix,
                             "Prefix of the PETSc options of its solvers.")
      .def_property_readonly(
          "time", [](const Coupled& self) { return self.get().time(); }, "Of the last accepted state [s].")
      .def_property_readonly(
          "max_step", [](const Coupled& self) { return self.get().max_step(); },
          "Largest dt of the next step: to the end time of the deck [s].")
      .def_property_readonly(
          "warnings", [](const Coupled& self) { return dicts_of(self.get().warnings()); },
          "Warnings so far, those of the deck first: dicts with code, where, message and time [s]. What can "
          "only be judged at the end (created energy, overlap...) is among them after finish().")
      .def(
          "set_motion",
          [](const Coupled& self, Surface surface, const Numbers& u, const std::optional<Numbers>& v) {
            self.get().set_motion(surface, in_threes(u, "u"),
                                  v ? in_threes(*v, "v") : std::span<const double>{});
          },
          py::arg("surface"), py::arg("u"), py::arg("v") = py::none(),
          "Where a surface is at the end of the next step: total displacement u (n, 3) [m] and, for cubic "
          "motion within the step, velocity v (n, 3) [m/s].")
      .def(
          "solve_step",
          [](Coupled& self, double dt) {
            return interruptible(self.comm(), [&] { return self.changing().solve_step(dt); });
          },
          py::arg("dt"),
          "Solves from the last accepted state to dt [s] later; accepts nothing and may be repeated. "
          "Collective. Raises ValueError if dt is not in (0, max_step], or differs between ranks.")
      .def(
          "accept",
          [](Coupled& self) { interruptible(self.comm(), [&] { return self.changing().accept(), true; }); },
          "Commits the last step and writes the outputs that are due. Collective.")
      .def(
          "forces",
          [](const Coupled& self, Surface surface) {
            return per_vertex(self, surface, [&](std::span<double> to) { self.get().forces(surface, to); });
          },
          py::arg("surface"), "Forces of bodies on the vertices (n, 3) [N]. Collective.")
      .def(
          "tractions",
          [](const Coupled& self, Surface surface) {
            return per_vertex(self, surface,
                              [&](std::span<double> to) { self.get().tractions(surface, to); });
          },
          py::arg("surface"), "The same over the area of each vertex (n, 3) [Pa]. Collective.")
      .def(
          "resultant",
          [](const Coupled& self, Surface surface) {
            const Wrench sum = self.get().resultant(surface);
            py::array_t<double> force(3), moment(3);
            std::copy(sum.force.data(), sum.force.data() + 3, force.mutable_data());
            std::copy(sum.moment.data(), sum.moment.data() + 3, moment.mutable_data());
            return py::make_tuple(force, moment);
          },
          py::arg("surface"),
          "(force [N], moment about the origin [N m]) on a surface, with the vertices at the end of the "
          "step; of forces that are means over it, in the middle of their way.")
      .def(
          "apply_tangent",
          [](Coupled& self, Surface surface, const Numbers& du) {
            return per_vertex(self, surface, [&](std::span<double> to) {
              interruptible(self.comm(), [&] {
                return self.changing().apply_tangent(surface, in_threes(du, "du"), to), true;
              });
            });
          },
          py::arg("surface"), py::arg("du"),
          "Change of the forces (n, 3) [N] with a change du (n, 3) [m] of the displacements at the end of "
          "the "
          "step, to first order. Collective.")
      .def(
          "positions",
          [](const Coupled& self, Surface surface) {
            return per_vertex(self, surface, [&](std::span<double> to) {
              const std::vector<double> x = self.get().positions(surface);
              std::copy(x.begin(), x.end(), to.begin());
            });
          },
          py::arg("surface"), "Vertices of this rank (n, 3) [m].")
      .def(
          "reference",
          [](const Coupled& self, Surface surface) {
            return per_vertex(self, surface, [&](std::span<double> to) {
              const auto& x = self.get().mesh(surface).reference;
              std::copy(x.begin(), x.end(), to.begin());
            });
          },
          py::arg("surface"), "Vertices of this rank at rest (n, 3) [m].")
      .def(
          "triangles",
          [](const Coupled& self, Surface surface) {
            const auto& all = self.get().mesh(surface).triangles;
            py::array_t<int> made({static_cast<py::ssize_t>(all.size() / 3), py::ssize_t{3}});
            std::copy(all.begin(), all.end(), made.mutable_data());
            return made;
          },
          py::arg("surface"), "Triangles of this rank (m, 3), numbers of its vertices.")
      .def(
          "save",
          [](Coupled& self) { return interruptible(self.comm(), [&] { return self.changing().save(); }); },
          "Returns a snapshot of the accepted state. Collective.")
      .def(
          "restore",
          [](Coupled& self, const coupling::Snapshot& snapshot) {
            interruptible(self.comm(), [&] { return self.changing().restore(snapshot), true; });
          },
          py::arg("snapshot"),
          "Goes back to a saved state, in which surfaces stay: calls of set_motion() before are forgotten. "
          "Collective.")
      .def(
          "write_checkpoint",
          [](Coupled& self) {
            return interruptible(self.comm(), [&] { return self.changing().write_checkpoint(); });
          },
          "Writes the accepted state into the output directory and returns the file; \"\" without "
          "outputs=True, or if the output of the deck has no \"checkpoint\". A step that was not accepted "
          "is forgotten. Collective.")
      .def(
          "finish", [](Coupled& self) { self.changing().finish(); },
          "Ends the outputs. The run is complete, also before the end time of the deck, unless the last "
          "solve_step(), or accept() after it, failed. Collective.")
      .def(
          "close",
          [](Coupled& self) {
            try {
              if (self.is_open()) self.changing().finish();
            } catch (...) {
              self.close();
              throw;
            }
            self.close();
          },
          "Ends the outputs, as finish(), and frees the memory. Collective.")
      .def("_abandon", &Coupled::close);
}

}  // namespace scree::python

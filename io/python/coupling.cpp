/// The side of a coupling for Python: motion of surfaces in, forces out, as NumPy arrays.
#include <fmt/format.h>
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>

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
class Coupled : public Perishable {
 public:
  Coupled(const std::string& deck, bool is_text, const py::object& comm, coupling::Options options)
      : comm_(std::make_unique<Communicator>(comm)) {
    participant_ = interruptible(comm_->get(), [&] {
      return is_text ? std::make_unique<coupling::Participant>(
                           coupling::Participant::from_text(deck, "<dict>", comm_->get(), std::move(options)))
                     : std::make_unique<coupling::Participant>(deck, comm_->get(), std::move(options));
    });
  }
  ~Coupled() override { close(); }
  void close() override {
    participant_.reset();
    comm_.reset();
  }
  [[nodiscard]] coupling::Participant& get() const {
    if (!participant_) throw RunError("the participant is closed");
    return *participant_;
  }
  [[nodiscard]] MPI_Comm comm() const {
    (void)get();  // what is closed has none
    return comm_->get();
  }

 private:
  std::unique_ptr<Communicator> comm_;
  std::unique_ptr<coupling::Participant> participant_;
};

/// @param fill of 3 numbers per vertex of a surface.
template <class Fill>
py::array_t<double> per_vertex(const Coupled& self, Surface surface, Fill&& fill) {
  const std::size_t count = self.get().mesh(surface).reference.size();
  py::array_t<double> made({static_cast<py::ssize_t>(count / 3), py::ssize_t{3}});
  fill(std::span<double>(made.mutable_data(), count));
  return made;
}

Surface add_surface(
    const Coupled& self, const std::string& boundary, const std::optional<Numbers>& reference,
    const std::optional<py::array_t<int, py::array::c_style | py::array::forcecast>>& triangles,
    const std::optional<py::array_t<std::int64_t, py::array::c_style | py::array::forcecast>>& id) {
  coupling::SurfaceMesh mesh;
  if (reference) mesh.reference = numbers(*reference);
  if (triangles) mesh.triangles = {triangles->data(), static_cast<std::size_t>(triangles->size())};
  if (id) mesh.id = {id->data(), static_cast<std::size_t>(id->size())};
  return self.get().add_surface(boundary, mesh);
}

}  // namespace

void bind_coupling(py::module_& module) {
  py::class_<Surface>(module, "Surface", "A coupled surface of a Participant.");
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
          "status",
          [](const coupling::StepReport& self) {
            return self.status == Status::converged    ? "converged"
                   : self.status == Status::infeasible ? "infeasible"
                                                       : "failed";
          },
          "\"converged\", \"infeasible\" or \"failed\".")
      .def_readonly("reached", &coupling::StepReport::reached, "Time up to which it could be solved [s].")
      .def_readonly("substeps", &coupling::StepReport::substeps, "Time steps of Scree within the step.")
      .def_readonly("newton", &coupling::StepReport::newton, "Newton iterations in all of them.")
      .def_readonly("min_gap", &coupling::StepReport::min_gap, "Smallest gap of a contact at the end [m].")
      .def_readonly("message", &coupling::StepReport::message, "Reason and remedy of a step that failed.")
      .def("__repr__", [](const coupling::StepReport& self) {
        return self.converged() ? fmt::format("<CoupledStepReport: converged, {} time steps>", self.substeps)
                                : fmt::format("<CoupledStepReport: failed, {}>", self.message);
      });
  py::class_<Coupled, std::shared_ptr<Coupled>>(module, "ParticipantBase")
      .def(py::init([](const std::string& deck, bool is_text, const py::object& comm, bool mean, bool outputs,
                       const std::string& prefix) {
             start_session();
             return std::make_shared<Coupled>(deck, is_text, comm,
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
           "numbers. Default: the mesh of the deck.")
      .def(
          "initialize",
          [](Coupled& self) { interruptible(self.comm(), [&] { return self.get().initialize(), true; }); },
          "Makes the simulation. Collective.")
      .def_property_readonly(
          "time", [](const Coupled& self) { return self.get().time(); }, "Of the last accepted state [s].")
      .def_property_readonly(
          "max_step", [](const Coupled& self) { return self.get().max_step(); },
          "Largest dt of the next step: to the end time of the deck [s].")
      .def(
          "set_motion",
          [](const Coupled& self, Surface surface, const Numbers& u, const std::optional<Numbers>& v) {
            self.get().set_motion(surface, numbers(u), v ? numbers(*v) : std::span<const double>{});
          },
          py::arg("surface"), py::arg("u"), py::arg("v") = py::none(),
          "Where a surface is at the end of the next step: total displacement u (n, 3) [m] and, for cubic "
          "motion within the step, velocity v (n, 3) [m/s].")
      .def(
          "solve_step",
          [](const Coupled& self, double dt) {
            return interruptible(self.comm(), [&] { return self.get().solve_step(dt); });
          },
          py::arg("dt"),
          "Solves from the last accepted state to dt [s] later; accepts nothing and may be repeated. "
          "Collective.")
      .def(
          "accept",
          [](const Coupled& self) { interruptible(self.comm(), [&] { return self.get().accept(), true; }); },
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
          py::arg("surface"), "(force [N], moment about the origin [N m]) on a surface.")
      .def(
          "apply_tangent",
          [](const Coupled& self, Surface surface, const Numbers& du) {
            return per_vertex(self, surface, [&](std::span<double> to) {
              interruptible(self.comm(),
                            [&] { return self.get().apply_tangent(surface, numbers(du), to), true; });
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
          [](const Coupled& self) { return interruptible(self.comm(), [&] { return self.get().save(); }); },
          "Returns a snapshot of the accepted state. Collective.")
      .def(
          "restore",
          [](const Coupled& self, const coupling::Snapshot& snapshot) {
            interruptible(self.comm(), [&] { return self.get().restore(snapshot), true; });
          },
          py::arg("snapshot"), "Goes back to a saved state. Collective.")
      .def(
          "finish", [](const Coupled& self) { self.get().finish(); }, "Ends the outputs. Collective.")
      .def("close", &Coupled::close, "Ends the outputs and frees the memory. Collective.");
}

}  // namespace scree::python

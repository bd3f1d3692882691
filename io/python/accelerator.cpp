/// Iterations of coupled steps for Python.
#include "io/coupling/accelerator.hpp"

#include <pybind11/functional.h>
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "io/python/handle.hpp"
#include "io/python/numbers.hpp"

namespace scree::python {

namespace py = pybind11;

namespace {

/// @returns values in the shape of another array.
Numbers::Array shaped(std::span<const double> values, const Numbers& like) {
  if (values.size() != static_cast<std::size_t>(like.array.size()))
    throw std::invalid_argument("got an array of " + std::to_string(like.array.size()) +
                                " values; expected " + std::to_string(values.size()));
  Numbers::Array made(std::vector<py::ssize_t>(like.array.shape(), like.array.shape() + like.array.ndim()));
  std::copy(values.begin(), values.end(), made.mutable_data());
  return made;
}

/// With the communicator that it needs.
struct Iterations {
  Iterations(const coupling::AcceleratorOptions& options, const py::object& comm, std::vector<double> weights)
      : ranks(comm), accelerator(options, ranks.get(), std::move(weights)) {}
  Communicator ranks;
  coupling::Accelerator accelerator;
};

struct Predictor {
  explicit Predictor(const py::object& comm) : ranks(comm), predictor(ranks.get()) {}
  Communicator ranks;
  coupling::ForcePredictor predictor;
};

}  // namespace

template <>
inline constexpr bool kRefusedUntilMade<Iterations> = true;
template <>
inline constexpr bool kRefusedUntilMade<Predictor> = true;

namespace {

py::tuple iterate(Iterations& self, const py::function& image, const Numbers& start, double relative,
                  double absolute, int limit) {
  const std::span<const double> first = numbers(start);
  std::vector<double> x(first.begin(), first.end());
  const auto evaluate = [&](std::span<const double> from, std::span<double> to) {
    const py::object returned = image(shaped(from, start));
    py::detail::make_caster<Numbers> result;
    if (!result.load(returned, true))
      throw py::type_error("iterate: the function image returned " +
                           std::string(py::str(py::type::of(returned).attr("__name__"))) +
                           "; expected H(x), an array of " + std::to_string(to.size()) + " real numbers");
    const std::span<const double> found = numbers(py::detail::cast_op<Numbers&>(result));
    if (found.size() != to.size())
      throw std::invalid_argument("image of " + std::to_string(found.size()) + " values; expected " +
                                  std::to_string(to.size()));
    std::copy(found.begin(), found.end(), to.begin());
  };
  const coupling::CoupledStep step = coupling::iterate(
      self.accelerator, x, evaluate, {.relative = relative, .absolute = absolute, .iterations = limit});
  return py::make_tuple(shaped(x, start), step.converged, step.iterations);
}

}  // namespace

void bind_accelerator(py::module_& module) {
  using coupling::Accelerator;
  py::class_<Iterations>(
      module, "Accelerator",
      "Next iterates of a coupled step x = H(x): \"constant\" relaxation, \"aitken\", \"iqn-ils\".")
      .def(py::init([](const std::string& method, double initial, double filter, int reused_steps,
                       const py::object& comm, std::vector<double> weights) {
             start_session();
             return std::make_unique<Iterations>(
                 coupling::AcceleratorOptions{.method = coupling::acceleration_of(method),
                                              .initial = initial,
                                              .filter = filter,
                                              .reused_steps = reused_steps},
                 comm, std::move(weights));
           }),
           py::arg("method") = "aitken", py::arg("initial") = 0.5, py::arg("filter") = 1e-2,
           py::arg("reused_steps") = 0, py::arg("comm") = py::none(),
           py::arg("weights") = std::vector<double>{})
      .def(
          "next",
          [](Iterations& self, const Numbers& x, const Numbers& image) {
            return shaped(self.accelerator.next(numbers(x), numbers(image)), x);
          },
          py::arg("x"), py::arg("image"), "The iterate after x with H(x). Collective.")
      .def("iterate", iterate, py::arg("image"), py::arg("start"), py::arg("relative") = 1e-6,
           py::arg("absolute") = 1e-300, py::arg("iterations") = 50,
           "Iterates a step: image(x) returns H(x). Returns (x, converged, iterations). Collective.")
      .def(
          "new_step", [](Iterations& self) { self.accelerator.new_step(); },
          "Starts a step; iterate() does so itself.")
      .def(
          "forget", [](Iterations& self) { self.accelerator.forget(); },
          "Discards all of previous iterations: the contact set has changed.")
      .def_property_readonly(
          "residual", [](const Iterations& self) { return self.accelerator.residual(); }, "|H(x) - x|.")
      .def_property_readonly(
          "image", [](const Iterations& self) { return self.accelerator.image(); }, "|H(x)|.")
      .def_property_readonly(
          "relaxation", [](const Iterations& self) { return self.accelerator.relaxation(); }, "Last factor.");
  py::class_<Predictor>(module, "ForcePredictor", "Predicts the forces of the next coupled step.")
      .def(py::init([](const py::object& comm) {
             start_session();
             return std::make_unique<Predictor>(comm);
           }),
           py::arg("comm") = py::none())
      .def(
          "predict",
          [](const Predictor& self, const Numbers& like) {
            const std::vector<double> forces = self.predictor.predict();
            // `start` as a copy too: the caller may change what it gets.
            return forces.empty() ? shaped(numbers(like), like) : shaped(forces, like);
          },
          py::arg("start"), "Forces at the end of the next step; before the first one `start`.")
      .def(
          "accept", [](Predictor& self, const Numbers& forces) { self.predictor.accept(numbers(forces)); },
          py::arg("forces"), "Takes the forces of an accepted step. Collective.");
}

}  // namespace scree::python

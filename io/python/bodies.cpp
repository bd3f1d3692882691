/// The bodies of a rank as NumPy arrays.
#include <algorithm>
#include <array>
#include <vector>

#include "io/output/number_format.hpp"
#include "io/python/handle.hpp"

namespace scree::python {
namespace {

namespace py = pybind11;

constexpr auto kStateStride = static_cast<py::ssize_t>(sizeof(BodyState));

const Bodies& bodies_of(const BodiesOf& self) { return self.viewed->accepted().bodies(); }
const Model& model_of(const BodiesOf& self) { return self.viewed->simulation().model(); }

/// A vector of every owned body, where it stands.
template <Vec3 BodyState::*member>
py::array vectors(const BodiesOf& self) {
  const Bodies& bodies = bodies_of(self);
  const double* first = bodies.owned == 0 ? nullptr : (bodies.state.front().*member).data();
  return self.viewed->look(first, bodies.owned, 3, kStateStride);
}

/// A new array of one row per owned body.
template <std::size_t width, class Of>
py::array rows(const Bodies& bodies, Of&& of) {
  py::array_t<double> made({static_cast<py::ssize_t>(bodies.owned), static_cast<py::ssize_t>(width)});
  double* to = made.mutable_data();
  for (int i = 0; i < bodies.owned; ++i) {
    const std::array<double, width> row = of(i);
    to = std::copy(row.begin(), row.end(), to);
  }
  return made;
}

template <class T, class Of>
py::array_t<T> column(const Bodies& bodies, Of&& of) {
  py::array_t<T> made(static_cast<py::ssize_t>(bodies.owned));
  T* to = made.mutable_data();
  for (int i = 0; i < bodies.owned; ++i) to[i] = of(bodies.properties[static_cast<std::size_t>(i)]);
  return made;
}

py::array position(const BodiesOf& self) {
  const Bodies& bodies = bodies_of(self);
  // Poles leave a periodic cell until the next list rebuild: files and arrays show them wrapped.
  if (bodies.periodic.any()) {
    return rows<3>(bodies, [&](int i) {
      const Vec3 x = bodies.periodic.wrap(bodies.state[static_cast<std::size_t>(i)].x);
      return std::array{x.x(), x.y(), x.z()};
    });
  }
  return vectors<&BodyState::x>(self);
}

py::array orientation(const BodiesOf& self) {
  const Bodies& bodies = bodies_of(self);
  return rows<4>(bodies, [&](int i) {
    const Quat& q = bodies.state[static_cast<std::size_t>(i)].q;
    return std::array{q.w(), q.x(), q.y(), q.z()};
  });
}

template <Vec3 Wrench::*member>
py::array wrenches(const BodiesOf& self) {
  Simulation& simulation = self.viewed->accepted();
  const AcceptedState state = simulation.view(false, false);
  return rows<3>(*state.bodies, [&](int i) {
    const Vec3& v = (*state.body_wrench)[static_cast<std::size_t>(i)].*member;
    return std::array{v.x(), v.y(), v.z()};
  });
}

template <class Of>
py::list names(const BodiesOf& self, Of&& of) {
  py::list all;
  const Bodies& bodies = bodies_of(self);
  for (int i = 0; i < bodies.owned; ++i) all.append(of(bodies.properties[static_cast<std::size_t>(i)]));
  return all;
}

}  // namespace

void bind_bodies(py::module_& module) {
  py::class_<BodiesOf>(
      module, "Bodies",
      "Bodies that this rank owns, in ascending order of their ids; n is their number.\n\n"
      "Each attribute returns an array of the current accepted state. Arrays are read-only and keep "
      "showing that state after the next step; read the attribute again for the new state. "
      "position (without a periodic cell), velocity, angular_velocity, acceleration and "
      "angular_acceleration are views of the memory of the simulation, without a copy; an array "
      "that still exists at the next step costs one copy of the states then.")
      .def("__len__", [](const BodiesOf& self) { return bodies_of(self).owned; })
      .def_property_readonly(
          "id",
          [](const BodiesOf& self) {
            return column<BodyId>(bodies_of(self), [](const BodyProperties& body) { return body.id; });
          },
          "(n,) integers: number in the deck, then in the order of insertion.")
      .def_property_readonly("position", position, "(n, 3) centre of mass [m].")
      .def_property_readonly("orientation", orientation,
                             "(n, 4) unit quaternion w, x, y, z from the body's axes to the global ones.")
      .def_property_readonly("velocity", vectors<&BodyState::v>, "(n, 3) of the centre of mass [m/s].")
      .def_property_readonly("angular_velocity", vectors<&BodyState::w>, "(n, 3) global axes [rad/s].")
      .def_property_readonly("acceleration", vectors<&BodyState::a>, "(n, 3) [m/s^2].")
      .def_property_readonly("angular_acceleration", vectors<&BodyState::dw>, "(n, 3) [rad/s^2].")
      .def_property_readonly(
          "mass",
          [](const BodiesOf& self) {
            return column<double>(bodies_of(self), [](const BodyProperties& body) { return body.mass; });
          },
          "(n,) [kg].")
      .def_property_readonly("force", wrenches<&Wrench::force>,
                             "(n, 3) force of contacts and bonds, without weight and loads [N]. Collective.")
      .def_property_readonly(
          "moment", wrenches<&Wrench::moment>,
          "(n, 3) moment of contacts and bonds about the centre of mass [N m]. Collective.")
      .def_property_readonly(
          "name",
          [](const BodiesOf& self) {
            return names(self,
                         [&](const BodyProperties& body) { return body_label(model_of(self), body.id); });
          },
          "List of n names; the number of a body without name.")
      .def_property_readonly(
          "shape",
          [](const BodiesOf& self) {
            return names(self, [&](const BodyProperties& body) {
              return model_of(self).shapes[static_cast<std::size_t>(body.shape)].name;
            });
          },
          "List of n names of shapes.")
      .def_property_readonly(
          "material",
          [](const BodiesOf& self) {
            return names(self, [&](const BodyProperties& body) {
              return model_of(self).materials[static_cast<std::size_t>(body.material)].name;
            });
          },
          "List of n names of materials.");
}

}  // namespace scree::python

/// A simulation for Python: steps, saved states, and what there is to see beside bodies.
#include "solvers/simulation.hpp"

#include <fmt/format.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "assembly/agreement.hpp"
#include "io/output/history_writer.hpp"
#include "io/output/number_format.hpp"
#include "io/output/run_log.hpp"
#include "io/preflight.hpp"
#include "io/python/handle.hpp"
#include "solvers/world/boundary_motion.hpp"

namespace scree::python {

namespace py = pybind11;

namespace {

/// Terms of the energy balance by the names under which they are saved.
struct Fields {
  py::dict values;
  void operator()(const char* name, double value, const char* /*unit*/) { values[name] = value; }
};

template <std::size_t width>
py::array_t<double> table_of(std::size_t rows) {
  return py::array_t<double>({static_cast<py::ssize_t>(rows), static_cast<py::ssize_t>(width)});
}

}  // namespace

py::dict energy_of(Viewed& self) {
  const EnergyLedger& ledger = self.simulation().energy();
  Fields fields;
  EnergyLedger::visit(ledger, fields);
  fields.values["kinetic"] = ledger.kinetic();
  fields.values["total"] = ledger.total();
  fields.values["dissipated"] = ledger.dissipated();
  fields.values["closure_error"] = ledger.closure_error();
  return fields.values;
}

py::dict contacts_of(Viewed& self) {
  Simulation& simulation = self.accepted();
  auto kept = std::make_unique<std::vector<ContactRecord>>(
      interruptible(simulation.comm(), [&] { return simulation.contacts(); }));
  const auto n = static_cast<py::ssize_t>(kept->size());
  const ContactRecord* first = kept->data();
  std::vector<ContactRecord>* raw = kept.get();
  const py::capsule owner(raw, [](void* held) { delete static_cast<std::vector<ContactRecord>*>(held); });
  (void)kept.release();
  constexpr auto kStride = static_cast<py::ssize_t>(sizeof(ContactRecord));
  const auto look = [&](const double* at, py::ssize_t width) {
    return read_only(at, n, width, kStride, owner);
  };
  py::dict table;
  py::array_t<BodyId> a(n), b(n);
  py::array_t<double> force({n, py::ssize_t{3}});
  for (py::ssize_t k = 0; k < n; ++k) {
    const ContactRecord& contact = first[k];
    a.mutable_data()[k] = contact.body_a;
    b.mutable_data()[k] = contact.body_b;
    const Vec3 sum = contact.normal_force * contact.normal + contact.friction;
    std::copy(sum.data(), sum.data() + 3, force.mutable_data() + 3 * k);
  }
  table["body_a"] = a;
  table["body_b"] = b;
  table["force"] = force;
  // Members of a record that is not there have no address.
  const ContactRecord none;
  const ContactRecord& one = n > 0 ? *first : none;
  table["point"] = look(one.point.data(), 3);
  table["normal"] = look(one.normal.data(), 3);
  table["gap"] = look(&one.gap, 1);
  table["normal_force"] = look(&one.normal_force, 1);
  table["friction"] = look(one.friction.data(), 3);
  table["weight"] = look(&one.weight, 1);
  table["share"] = look(&one.share, 1);
  return table;
}

py::dict boundaries_of(Viewed& self) {
  Simulation& simulation = self.accepted();
  const Model& model = simulation.model();
  const AcceptedState state = simulation.view(false, false);
  const std::size_t n = model.boundaries.size();
  py::list names;
  auto position = table_of<3>(n), velocity = table_of<3>(n), spin = table_of<3>(n), force = table_of<3>(n),
       moment = table_of<3>(n), orientation = table_of<4>(n);
  for (std::size_t k = 0; k < n; ++k) {
    const BoundaryDescription& boundary = model.boundaries[k];
    const RigidMotion motion = boundary_motion(model, static_cast<int>(k), state.time, state.bodies);
    names.append(boundary_label(model, static_cast<int>(k)));
    const auto put = [k](py::array_t<double>& to, const Vec3& v) {
      std::copy(v.data(), v.data() + 3, to.mutable_data() + 3 * k);
    };
    if (boundary.motion.coupled) {
      const auto [place, speed] = mean_of_surface(state, static_cast<int>(k));
      put(position, place);
      put(velocity, speed);
    } else {
      const Vec3 place = motion.place(boundary.reference);
      put(position, place);
      put(velocity, motion.velocity + motion.spin.cross(place - (motion.about + motion.displacement)));
    }
    put(spin, motion.spin);
    const Quat q(motion.rotation);
    const std::array<double, 4> turned{q.w(), q.x(), q.y(), q.z()};
    std::copy(turned.begin(), turned.end(), orientation.mutable_data() + 4 * k);
    put(force, (*state.boundary_wrench)[k].force);
    put(moment, (*state.boundary_wrench)[k].moment);
  }
  py::dict table;
  table["name"] = names;
  table["position"] = position;
  table["orientation"] = orientation;
  table["velocity"] = velocity;
  table["angular_velocity"] = spin;
  table["force"] = force;
  table["moment"] = moment;
  return table;
}

namespace {

py::object report(Handle& self) {
  Simulation& simulation = self.accepted();
  int ranks = 1;
  MPI_Comm_size(self.comm(), &ranks);
  const RunReport figures = simulation.report();
  return py::module_::import("json").attr("loads")(report_json(self.model(), figures, ranks));
}

void bind_step_report(py::module_& module) {
  py::class_<StepReport>(module, "StepReport", "Result of one attempted step.")
      .def_property_readonly(
          "converged", [](const StepReport& self) { return self.outcome == StepOutcome::converged; },
          "Whether the step converged and may be accepted.")
      .def_readonly("cause", &StepReport::cause, "Reason of the failure, as text.")
      .def_readonly("detail", &StepReport::detail, "Blocking body, if `blocked`.")
      .def_readonly("blocked", &StepReport::blocked,
                    "A body would have passed through another body or a boundary: use a smaller step.")
      .def_readonly("newton", &StepReport::newton, "Newton iterations.")
      .def_readonly("krylov", &StepReport::krylov, "Iterations of the linear solver.")
      .def_readonly("residual", &StepReport::residual, "Largest component of the final residual [N].")
      .def_readonly("tolerance", &StepReport::tolerance, "Limit of the residual [N].")
      .def("__repr__", [](const StepReport& self) {
        return self.outcome == StepOutcome::converged
                   ? fmt::format("<StepReport: converged, {} Newton iterations>", self.newton)
                   : fmt::format("<StepReport: failed, {}>", self.cause);
      });
}

}  // namespace

py::array read_only(const double* first, py::ssize_t n, py::ssize_t width, py::ssize_t stride,
                    const py::object& owner) {
  constexpr auto kNumber = static_cast<py::ssize_t>(sizeof(double));
  std::vector<py::ssize_t> shape = {n}, strides = {stride};
  if (width > 1) {
    shape.push_back(width);
    strides.push_back(kNumber);
  }
  py::array made = n == 0 ? py::array(py::dtype::of<double>(), shape)
                          : py::array(py::dtype::of<double>(), shape, strides, first, owner);
  made.attr("setflags")(py::arg("write") = false);
  return made;
}

py::list dicts_of(const std::vector<Warning>& warnings) {
  py::list all;
  for (const Warning& warning : warnings) {
    py::dict one;
    one["code"] = warning.code;
    one["where"] = warning.where;
    one["message"] = warning.message;
    one["time"] = warning.time;
    all.append(one);
  }
  return all;
}

Deck read_given_deck(const std::string& deck, bool is_text, const py::object& comm) {
  require_one_deck(deck, Communicator(comm).get());
  return interruptible(MPI_COMM_NULL,
                       [&] { return is_text ? read_deck_text(deck, "<dict>") : read_deck(deck); });
}

Handle::Handle(Deck deck, const py::object& comm, const std::string& prefix)
    : comm_(std::make_unique<Communicator>(comm)), prefix_(prefix, deck.model.solver.petsc_options) {
  deck.model.warnings = deck.warnings;
  const std::filesystem::path file = deck.model.deck_file;
  if (deck.precice)
    throw InputError(fmt::format("{}: /coupling", file.string()),
                     "a Simulation takes no part in a coupling: its coupled boundaries would stand still. "
                     "Use \"scree run\", or scree.Participant.");
  const auto model = std::make_shared<Model>(std::move(deck.model));
  model_ = model;
  try {
    simulation_ = interruptible(comm_->get(), [&] {
      return of_deck(file, [&] {
        rehearse_deck(*model, {}, false, comm_->get(), prefix_.name());
        int rank = 0, ranks = 1;
        MPI_Comm_rank(comm_->get(), &rank);
        MPI_Comm_size(comm_->get(), &ranks);
        model->keep_own_block(rank, ranks);
        return std::make_unique<Simulation>(model, comm_->get(), prefix_.name());
      });
    });
  } catch (...) {
    clear_deck_options(*model, prefix_.name());
    throw;
  }
}

void Handle::close() {
  if (!simulation_) return;
  release_arrays();
  simulation_.reset();
  clear_deck_options(*model_, prefix_.name());
  prefix_.release();
  comm_.reset();
}

Simulation& Handle::simulation() {
  if (!simulation_) throw RunError("the simulation is closed");
  return *simulation_;
}

Simulation& Handle::changing() {
  release_arrays();
  return simulation();
}

Simulation& Viewed::accepted() {
  Simulation& viewed = simulation();
  if (viewed.attempted())
    throw RunError("an attempted step is neither accepted nor rejected: call accept() or reject() first");
  return viewed;
}

void Viewed::release_arrays() {
  if (const std::shared_ptr<Lease> lease = lease_.lock()) lease->kept = lease->of->release_states();
  lease_.reset();
}

py::array Viewed::look(const double* first, py::ssize_t n, py::ssize_t width, py::ssize_t stride) {
  std::shared_ptr<Lease> lease = lease_.lock();
  if (!lease) {
    lease_ = lease = std::make_shared<Lease>();
    lease->of = &simulation();
  }
  auto held = std::make_unique<std::shared_ptr<Lease>>(std::move(lease));
  const py::capsule owner(held.get(), [](void* one) { delete static_cast<std::shared_ptr<Lease>*>(one); });
  (void)held.release();
  return read_only(first, n, width, stride, owner);
}

void bind_simulation(py::module_& module) {
  bind_step_report(module);
  py::class_<Snapshot>(module, "Snapshot",
                       "A saved state of a simulation on one rank, in memory. == compares bitwise.")
      .def_property_readonly("size", &Snapshot::size, "[bytes]")
      .def(
          "__eq__", [](const Snapshot& a, const Snapshot& b) { return a == b; }, py::is_operator());
  py::class_<Handle, std::shared_ptr<Handle>> type(module, "SimulationBase");
  bind_views(type);
  type.def(py::init(
               [](const std::string& deck, bool is_text, const py::object& comm, const std::string& prefix) {
                 return std::make_shared<Handle>(read_given_deck(deck, is_text, comm), comm, prefix);
               }),
           py::arg("deck"), py::arg("is_text"), py::arg("comm"), py::arg("options_prefix"))
      .def_property_readonly(
          "time", [](Handle& self) { return self.simulation().time(); }, "Time of the accepted state [s].")
      .def_property_readonly(
          "end", [](const Handle& self) { return self.model().time.end; }, "End time of the deck [s].")
      .def_property_readonly(
          "finished", [](Handle& self) { return self.simulation().finished(); },
          "Whether the run of the deck is over: end time reached, or stop criterion (time/stop) met.")
      .def_property_readonly(
          "at_rest", [](Handle& self) { return self.simulation().at_rest(); },
          "Whether the stop criterion of the deck (time/stop) is met.")
      .def_property_readonly("options_prefix", &Handle::prefix, "Prefix of the PETSc options of its solvers.")
      .def_property_readonly(
          "largest_step", [](Handle& self) { return self.changing().largest_step(); },
          "Largest valid dt of solve(): time to the next event (activation, time point, insertion) [s].")
      .def(
          "step",
          [](Handle& self, std::optional<double> until) {
            Simulation& simulation = self.changing();
            return interruptible(self.comm(),
                                 [&] { return until ? simulation.step(*until) : simulation.step(); });
          },
          py::arg("until") = py::none(),
          "One accepted step; its size is that of the step control, limited by `until` [s].\n\n"
          "Collective. Raises RunError if the step fails, KeyboardInterrupt at Ctrl-C (in both cases the "
          "state is unchanged), ValueError if the run is over, or `until` is not after time or differs "
          "between "
          "ranks.")
      .def(
          "solve",
          [](Handle& self, double dt) {
            Simulation& simulation = self.changing();
            return interruptible(self.comm(), [&] { return simulation.solve(dt); });
          },
          py::arg("dt"),
          "Attempts a step of size dt [s] from the accepted state. Does not accept it; discards an earlier "
          "attempt.\n\nReturns a StepReport. Collective. Raises ValueError if dt is not in (0, "
          "largest_step], or differs between ranks.")
      .def(
          "accept",
          [](Handle& self) {
            Simulation& simulation = self.changing();
            interruptible(self.comm(), [&] { return simulation.accept(), true; });
          },
          "Accepts the attempted step of solve(). Collective. Raises ValueError without a converged attempt.")
      .def(
          "reject", [](Handle& self) { self.changing().reject(); },
          "Rejects the attempted step of solve(), if any. Collective.")
      .def(
          "save",
          [](Handle& self) {
            Simulation& simulation = self.changing();
            return interruptible(self.comm(), [&] { return simulation.save(); });
          },
          "Returns a Snapshot of the accepted state; an attempted step is discarded. Collective.\n\nThe "
          "simulation then continues bitwise like one that is restored from the snapshot.")
      .def(
          "restore",
          [](Handle& self, const Snapshot& snapshot) {
            Simulation& simulation = self.changing();
            interruptible(self.comm(), [&] { return simulation.restore(snapshot), true; });
          },
          py::arg("snapshot"),
          "Sets the state to a saved state of this simulation, or of another one of the same bodies and "
          "boundaries. Collective.\n\n"
          "Raises ValueError if the snapshot belongs to another model, or if the contact laws of this one do "
          "not allow the state; the state is then unchanged.")
      .def("close", &Handle::close, "Frees the memory. Arrays obtained before remain valid. Collective.")
      .def_property_readonly("warnings",
                             [](Handle& self) { return dicts_of(self.simulation().warnings().all()); })
      .def("_require_same_end",
           [](Handle& self, double until) { require_same(until, "run: got an end of", "s", self.comm()); })
      .def("report", report,
           "Returns the results of the run as a dict, as in report.json (docs/reference/output.md). "
           "Collective.");
}

}  // namespace scree::python

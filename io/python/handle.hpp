/// A simulation as Python holds it: with its communicator, its options for PETSc, and the arrays that look
/// into its memory; and what it has in common with a participant of a coupling.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <memory>
#include <string>
#include <vector>

#include "io/deck/deck.hpp"
#include "io/python/constructed.hpp"
#include "io/python/session.hpp"
#include "solvers/simulation.hpp"

namespace scree::python {

/// @param deck path or text, the same on all ranks. Collective. @throws InputError with everything that is
/// wrong.
Deck read_given_deck(const std::string& deck, bool is_text, const pybind11::object& comm);

/// What Python looks at the accepted state of: a simulation, also that within a participant.
class Viewed : public Perishable {
 public:
  /// @throws RunError if it was closed, std::logic_error before it was made.
  [[nodiscard]] virtual Simulation& simulation() = 0;
  /// For what looks at the accepted state. @throws RunError also while an attempt waits.
  [[nodiscard]] Simulation& accepted();

  /// @returns n rows of `width` numbers, `stride` bytes apart, from `first` in the accepted states of bodies:
  /// read-only, without a copy; it shows this state for ever.
  [[nodiscard]] pybind11::array look(const double* first, pybind11::ssize_t n, pybind11::ssize_t width,
                                     pybind11::ssize_t stride);

 protected:
  /// Before the state changes or goes: arrays that look into it keep the memory, and what they show.
  void release_arrays();

 private:
  /// What arrays hold on to: empty as long as the simulation has the memory.
  struct Lease {
    Simulation* of = nullptr;
    std::vector<BodyState> kept;
  };

  std::weak_ptr<Lease> lease_;
};

class Handle : public Viewed {
 public:
  /// @param prefix as OptionsPrefix has it. Collective over the communicator.
  Handle(Deck deck, const pybind11::object& comm, const std::string& prefix);
  ~Handle() override { close(); }
  void close() override;

  /// @throws RunError if the simulation was closed.
  [[nodiscard]] MPI_Comm comm() {
    (void)simulation();
    return comm_->get();
  }
  [[nodiscard]] const std::string& prefix() const { return prefix_.name(); }
  [[nodiscard]] const Model& model() const { return *model_; }
  /// @throws RunError if the simulation was closed.
  [[nodiscard]] Simulation& simulation() override;
  /// For what changes the state.
  [[nodiscard]] Simulation& changing();

 private:
  std::unique_ptr<Communicator> comm_;
  OptionsPrefix prefix_;
  std::shared_ptr<const Model> model_;
  std::unique_ptr<Simulation> simulation_;
};

/// @returns an array that cannot be written to. @param owner what keeps the memory.
pybind11::array read_only(const double* first, pybind11::ssize_t n, pybind11::ssize_t width,
                          pybind11::ssize_t stride, const pybind11::object& owner);

/// @returns dicts with code, where, message and time [s].
pybind11::list dicts_of(const std::vector<Warning>& warnings);

/// Bodies of this rank: attributes are arrays of the accepted state.
struct BodiesOf {
  std::shared_ptr<Viewed> viewed;
};

/// @returns energies by name [J].
pybind11::dict energy_of(Viewed& self);
/// @returns columns of the contacts of this rank: arrays that share one copy. Collective.
pybind11::dict contacts_of(Viewed& self);
/// @returns columns of the boundaries. Collective.
pybind11::dict boundaries_of(Viewed& self);

/// Adds what shows the accepted state; `_Views` in scree/__init__.py makes properties and tables of it.
template <class Of>
void bind_views(pybind11::class_<Of, std::shared_ptr<Of>>& type) {
  type.def_property_readonly("bodies", [](const std::shared_ptr<Of>& self) { return BodiesOf{self}; })
      .def_property_readonly("energy", [](Of& self) { return energy_of(self); })
      .def("_contacts", [](Of& self) { return contacts_of(self); })
      .def("_boundaries", [](Of& self) { return boundaries_of(self); });
}

template <>
inline constexpr bool kRefusedUntilMade<Handle> = true;
template <>
inline constexpr bool kRefusedUntilMade<BodiesOf> = true;
template <>
inline constexpr bool kRefusedUntilMade<Snapshot> = true;
template <>
inline constexpr bool kRefusedUntilMade<StepReport> = true;

void bind_simulation(pybind11::module_& module);
void bind_bodies(pybind11::module_& module);
void bind_coupling(pybind11::module_& module);
void bind_accelerator(pybind11::module_& module);

}  // namespace scree::python

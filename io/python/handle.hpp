/// A simulation as Python holds it: with its communicator, its options for PETSc, and the arrays that look
/// into its memory.
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

class Handle : public Perishable {
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
  [[nodiscard]] Simulation& simulation();
  /// For what looks at the accepted state. @throws RunError also while an attempt waits.
  [[nodiscard]] Simulation& accepted();
  /// For what changes the state: arrays that look into it keep the memory, and what they show.
  [[nodiscard]] Simulation& changing();

  /// @returns n rows of `width` numbers, `stride` bytes apart, from `first` in the accepted states of bodies:
  /// read-only, without a copy; it shows this state for ever.
  [[nodiscard]] pybind11::array look(const double* first, pybind11::ssize_t n, pybind11::ssize_t width,
                                     pybind11::ssize_t stride);

 private:
  /// What arrays hold on to: empty as long as the simulation has the memory.
  struct Lease {
    std::vector<BodyState> kept;
  };

  std::unique_ptr<Communicator> comm_;
  OptionsPrefix prefix_;
  std::shared_ptr<const Model> model_;
  std::unique_ptr<Simulation> simulation_;
  std::weak_ptr<Lease> lease_;
};

/// @returns an array that cannot be written to. @param owner what keeps the memory.
pybind11::array read_only(const double* first, pybind11::ssize_t n, pybind11::ssize_t width,
                          pybind11::ssize_t stride, const pybind11::object& owner);

/// @returns dicts with code, where, message and time [s].
pybind11::list dicts_of(const std::vector<Warning>& warnings);

/// Bodies of this rank: attributes are arrays of the accepted state.
struct BodiesOf {
  std::shared_ptr<Handle> handle;
};

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

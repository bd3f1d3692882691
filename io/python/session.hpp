/// PETSc, MPI and signals in a process that belongs to Python.
#pragma once

#include <mpi.h>
#include <pybind11/pybind11.h>

#include <csignal>
#include <optional>
#include <string>
#include <utility>

#include "core/interrupt.hpp"

namespace scree::python {

/// What has to go before MPI ends: simulations.
class Perishable {
 public:
  Perishable();
  virtual ~Perishable();
  Perishable(const Perishable&) = delete;
  Perishable& operator=(const Perishable&) = delete;
  Perishable(Perishable&&) = delete;
  Perishable& operator=(Perishable&&) = delete;
  virtual void close() = 0;
};

/// Starts MPI and PETSc, unless somebody has. @throws RunError if they have been ended. Collective over
/// MPI_COMM_WORLD the first time.
void start_session();
/// Closes what is perishable, the newest first; ends PETSc, and MPI, if this module has started them. At
/// Python's exit.
void end_session();

/// A communicator of our own with the ranks of another one; released with it, as long as MPI runs.
class Communicator {
 public:
  /// @param comm of mpi4py, or None: all ranks. Collective.
  explicit Communicator(const pybind11::object& comm);
  ~Communicator();
  Communicator(const Communicator&) = delete;
  Communicator& operator=(const Communicator&) = delete;
  Communicator(Communicator&&) = delete;
  Communicator& operator=(Communicator&&) = delete;
  [[nodiscard]] MPI_Comm get() const { return comm_; }

 private:
  MPI_Comm comm_ = MPI_COMM_NULL;
};

/// A prefix of options for PETSc. What lives under a prefix follows the options that a deck has set there.
class OptionsPrefix {
 public:
  /// @param chosen "": "scree_", or another one where that would share options. @param options of the deck.
  /// @throws ValueError if the name does not end with _, or another deck has set options under it.
  OptionsPrefix(const std::string& chosen, const std::string& options);
  ~OptionsPrefix() { release(); }
  OptionsPrefix(const OptionsPrefix&) = delete;
  OptionsPrefix& operator=(const OptionsPrefix&) = delete;
  OptionsPrefix(OptionsPrefix&&) = delete;
  OptionsPrefix& operator=(OptionsPrefix&&) = delete;
  [[nodiscard]] const std::string& name() const { return name_; }
  /// Nothing lives under it any more.
  void release();

 private:
  std::string name_;
  bool has_options_;
  bool lives_ = true;
};

/// Ranks whose scripts made different decks would mix them, or wait for each other for ever.
/// @param deck path or text. Collective. @throws InputError on all ranks if it differs.
void require_one_deck(const std::string& deck, MPI_Comm comm);

/// While it lives Ctrl-C asks the work under way to stop, instead of Python.
class InterruptWatch {
 public:
  InterruptWatch();
  ~InterruptWatch();
  InterruptWatch(const InterruptWatch&) = delete;
  InterruptWatch& operator=(const InterruptWatch&) = delete;
  InterruptWatch(InterruptWatch&&) = delete;
  InterruptWatch& operator=(InterruptWatch&&) = delete;

 private:
  struct sigaction before_ = {};
};

/// Hands Ctrl-C on to Python after work. @param stopped whether the work was given up for it; it does not
/// return then. @param comm of the work. @throws KeyboardInterrupt, or what Python's own handler throws.
void hand_on_interrupt(bool stopped, MPI_Comm comm);

/// @returns what `work` returns, which Ctrl-C may stop. @param comm of the work: all of its ranks stop
/// together.
template <class Work>
auto interruptible(MPI_Comm comm, Work&& work) {
  std::optional<decltype(work())> result;
  {
    const InterruptWatch watch;
    try {
      result.emplace(work());
    } catch (const Interrupted&) {  // of no result: see below
    }
  }
  if (!result || interrupt_requested()) hand_on_interrupt(!result, comm);
  return std::move(*result);
}

}  // namespace scree::python

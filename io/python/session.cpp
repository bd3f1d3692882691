#include "io/python/session.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "assembly/petsc.hpp"
#include "core/error.hpp"

namespace scree::python {
namespace {

namespace py = pybind11;

std::unique_ptr<petsc::Session>& session() {
  static std::unique_ptr<petsc::Session> the_one;
  return the_one;
}

bool ended = false;

/// In the order in which they were made: the same on all ranks.
std::vector<Perishable*>& perishables() {
  static std::vector<Perishable*> all;
  return all;
}

/// Prefixes of simulations and participants that live, and whether their decks have set options.
std::multiset<std::pair<std::string, bool>>& living_prefixes() {
  static std::multiset<std::pair<std::string, bool>> all;
  return all;
}

bool has_options_of_a_deck(const std::string& prefix) { return living_prefixes().contains({prefix, true}); }

/// @returns a prefix under which no other deck has set options; if this one does, nothing lives there.
std::string free_prefix(bool has_options) {
  std::string prefix = petsc::kOptionsPrefix;
  for (int k = 2;
       has_options_of_a_deck(prefix) || (has_options && living_prefixes().contains({prefix, false})); ++k)
    prefix = "scree" + std::to_string(k) + "_";
  return prefix;
}

bool mpi_runs() {
  int started = 0, finished = 0;
  MPI_Initialized(&started);
  MPI_Finalized(&finished);
  return started != 0 && finished == 0;
}

extern "C" void ask_to_stop(int /*signal*/) { request_interrupt(); }

}  // namespace

Perishable::Perishable() { perishables().push_back(this); }
Perishable::~Perishable() { std::erase(perishables(), this); }

void start_session() {
  if (session()) return;
  int finished = 0;
  MPI_Finalized(&finished);
  if (ended || finished != 0) throw RunError("MPI is finalized: no simulation can start in this process");
  session() = std::make_unique<petsc::Session>(nullptr, nullptr);
}

void end_session() {
  ended = true;
  // Closing is collective: by creation, the newest first, not by addresses, which differ between ranks.
  const std::vector<Perishable*> open = perishables();
  for (auto one = open.rbegin(); one != open.rend(); ++one) (*one)->close();
  session().reset();
}

Communicator::Communicator(const py::object& comm) {
  start_session();
  MPI_Comm all = MPI_COMM_WORLD;
  if (!comm.is_none()) {
    if (!py::hasattr(comm, "py2f"))
      throw py::type_error("comm: got " + py::repr(comm).cast<std::string>() +
                           "; expected a communicator of mpi4py, or None for all ranks");
    all = MPI_Comm_f2c(comm.attr("py2f")().cast<MPI_Fint>());
    if (all == MPI_COMM_NULL) throw py::value_error("comm: this rank is not in the communicator");
  }
  MPI_Comm_dup(all, &comm_);
}

Communicator::~Communicator() {
  if (mpi_runs()) MPI_Comm_free(&comm_);
}

OptionsPrefix::OptionsPrefix(const std::string& chosen, const std::string& options)
    : name_(chosen.empty() ? free_prefix(!options.empty()) : chosen), has_options_(!options.empty()) {
  if (!name_.ends_with('_'))
    throw py::value_error("options_prefix: got \"" + name_ + "\"; expected a name that ends with _");
  if (has_options_ && has_options_of_a_deck(name_))
    throw py::value_error("options_prefix: another open simulation uses the prefix \"" + name_ +
                          "\"; expected another prefix, or None");
  living_prefixes().insert({name_, has_options_});
}

void OptionsPrefix::release() {
  if (!std::exchange(lives_, false)) return;
  living_prefixes().erase(living_prefixes().find({name_, has_options_}));
}

void require_one_deck(const std::string& deck, MPI_Comm comm) {
  // Of the hash the largest and, by its complement, the smallest.
  const std::uint64_t own = std::hash<std::string>{}(deck);
  std::uint64_t ends[2] = {own, ~own};
  MPI_Allreduce(MPI_IN_PLACE, ends, 2, MPI_UINT64_T, MPI_MAX, comm);
  if (ends[0] != ~ends[1])
    throw InputError("deck",
                     "differs between the ranks; expected the same on all: make it on rank 0 and broadcast "
                     "it, or give random generators the same seed.");
}

InterruptWatch::InterruptWatch() {
  struct sigaction action = {};
  action.sa_handler = ask_to_stop;
  sigaction(SIGINT, nullptr, &before_);
  if (before_.sa_handler != SIG_IGN) sigaction(SIGINT, &action, nullptr);
}

InterruptWatch::~InterruptWatch() { sigaction(SIGINT, &before_, nullptr); }

void hand_on_interrupt(bool stopped, MPI_Comm comm) {
  int ranks = 1;
  if (comm != MPI_COMM_NULL) MPI_Comm_size(comm, &ranks);
  const bool asked = interrupt_requested();
  // The other ranks do not know yet: all learn of it in the next step, and leave it together.
  if (!stopped && ranks > 1) return;
  clear_interrupt();
  if (asked) {
    PyErr_SetInterrupt();  // what Python does at Ctrl-C is Python's business
    if (PyErr_CheckSignals() != 0) throw py::error_already_set();
  }
  if (!stopped) return;
  PyErr_SetNone(PyExc_KeyboardInterrupt);
  throw py::error_already_set();
}

}  // namespace scree::python

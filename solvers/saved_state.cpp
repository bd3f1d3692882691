#include "solvers/saved_state.hpp"

#include <algorithm>
#include <stdexcept>

#include "assembly/callback_guard.hpp"
#include "assembly/interrupt.hpp"
#include "core/archive.hpp"
#include "core/error.hpp"
#include "core/text.hpp"
#include "solvers/procedures.hpp"
#include "solvers/world/overlap.hpp"

namespace scree {
namespace {

/// Calls what may find on one rank alone that a state cannot be. @returns why, on all ranks; "" if nothing is
/// wrong. Collective.
template <class Work>
std::string fault_of_state(MPI_Comm comm, Work&& work) {
  try {
    petsc::CallbackGuard(comm).call(work);
  } catch (const RecoverableError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

StateKind::StateKind(const Model& model)
    : analysis(static_cast<int>(model.analysis)),
      shapes(model.shapes.size()),
      materials(model.materials.size()),
      interfaces(model.interfaces.size()),
      boundary_parts(model.boundary_parts.size()),
      inlets(model.inlets.size()),
      outlets(model.outlets.size()) {}

std::string StateKind::difference_from(const StateKind& other) const {
  if (analysis != other.analysis) return "this one has another analysis";
  const auto compared = [](const char* what, std::size_t here, std::size_t there) {
    return here == there ? ""
                         : text::join("this one has ", std::to_string(here), " ", what, ", not ",
                                      std::to_string(there));
  };
  for (const std::string& difference :
       {compared("shapes", shapes, other.shapes), compared("materials", materials, other.materials),
        compared("interfaces", interfaces, other.interfaces),
        compared("walls of boundaries", boundary_parts, other.boundary_parts),
        compared("inlets", inlets, other.inlets), compared("outlets", outlets, other.outlets)})
    if (!difference.empty()) return difference;
  return "";
}

std::size_t KeptState::size() const { return copy_.size() + run_.size(); }

bool KeptState::operator==(const KeptState& other) const {
  const auto bytes = [](const KeptState& kept) {
    std::vector<std::byte> all = kept.run_;
    ByteWriter writer(all);
    writer.put(kept.copy_.state());
    writer.put(kept.more_);
    writer.put(kept.solvers_);
    return all;
  };
  return bytes(*this) == bytes(other);
}

Resumed resume_world(const Model& model, const BodiesState& bodies, double time, MPI_Comm comm,
                     const std::string& options_prefix, PhaseClock& clock, RunReport& report,
                     const std::vector<char>& moved) {
  Resumed made;
  BodyId first = 0;
  std::string fault = fault_of_state(
      comm, [&] { made.world = std::make_shared<World>(model, bodies, comm, options_prefix); });
  // Before contacts are evaluated, as at a start: the search changes what pairs look at.
  if (fault.empty() && std::find(moved.begin(), moved.end(), 1) != moved.end()) {
    const std::string when = "where this deck has the boundary at t = " + text::number(time, 3) + " s";
    fault = describe_overlap(model, made.world->bodies(), made.world->contacts(), comm, when.c_str(), &moved,
                             first);
    check_interrupt(comm);  // the search may not have come to its end
  }
  if (fault.empty()) {
    made.procedure = make_procedure(*made.world, clock, report);
    fault = fault_of_state(comm, [&] { made.procedure->resume(bodies, time); });
    if (!fault.empty()) {
      const std::string overlap = describe_overlap(model, made.world->bodies(), made.world->contacts(), comm,
                                                   "in the saved state", nullptr, first);
      if (!overlap.empty()) fault = overlap;
    }
  }
  if (!fault.empty())
    throw std::invalid_argument(
        "restore: contact laws or motions of this deck do not allow the saved state: " + fault);
  return made;
}

}  // namespace scree

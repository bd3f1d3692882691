#include "solvers/world/overlap.hpp"

#include <cmath>
#include <cstdio>

#include "assembly/gather.hpp"
#include "contact/boundary_ids.hpp"
#include "contact/bounds/overlap_check.hpp"
#include "core/error.hpp"

namespace scree {
namespace {

std::string name_of(const Model& model, const BodyProperties& body) {
  if (body.id >= contact::kFirstBoundaryId) {
    const auto part = static_cast<std::size_t>(body.id - contact::kFirstBoundaryId);
    return "boundary \"" + model.boundaries[model.boundary_parts[part].boundary].name + "\"";
  }
  return model.body_in_words(body.id);
}

/// @returns the lowest rank that has a message; the number of ranks if none has. Collective.
int lowest_rank(MPI_Comm comm, bool speaks) {
  int rank = 0, ranks = 1;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &ranks);
  int speaker = speaks ? rank : ranks;
  MPI_Allreduce(MPI_IN_PLACE, &speaker, 1, MPI_INT, MPI_MIN, comm);
  return speaker;
}

}  // namespace

std::string describe_overlap(const Model& model, const Bodies& bodies, contact::Contacts& contacts,
                             MPI_Comm comm, const char* when, const std::vector<char>* boundaries,
                             BodyId& first) {
  std::string message;
  if (const auto overlap = contacts.overlaps().find(bodies, boundaries)) {
    const BodyProperties& body = bodies.properties[overlap->a];
    const double depth = overlap->depth;
    first = body.id;
    const contact::ContactModel& laws = contacts.model();
    const bool sharp =
        !laws.shape_of(bodies, overlap->a).faces.empty() || !laws.shape_of(bodies, overlap->b).faces.empty();
    char size[32];
    std::snprintf(size, sizeof size, "%.3g", depth);
    message =
        name_of(model, body) + " and " + name_of(model, bodies.properties[overlap->b]) +
        (overlap->behind ? ": the centre of mass lies " + std::string(size) + " m on the wrong side " + when +
                               "; move the body, or invert the boundary"
         : overlap->rigid
             ? (std::isfinite(depth) ? ": overlap of " + std::string(size) + " m " + when
                                     : std::string(": overlap ") + when + ", centres or axes coincide") +
                   "; \"rigid\" allows at most 1e-3 of the body size"
         : overlap->barrier
             ? (depth > 0 ? ": overlap of " + std::string(size) + " m " : std::string(": gap 0 ")) + when +
                   "; a barrier law requires a gap > 0 between all bodies and boundaries: move them apart, "
                   "or "
                   "start from a final state"
         : depth > 0
             ? ": overlap " + std::string(when) + " exceeds the rounding radii by " + size +
                   " m (0 without rounding); the contact law is undefined there"
             : (sharp ? ": sharp-edged parts without the rounding touch " : ": centres or axes coincide ") +
                   std::string(when) +
                   ", where contact forces have no direction; move one of the two, or remove it");
    if (overlap->through_face) message += ". They interact through a face of the periodic cell (/periodic)";
  }
  int ranks = 1;
  MPI_Comm_size(comm, &ranks);
  const int finder = lowest_rank(comm, !message.empty());
  if (finder == ranks) return "";
  broadcast(comm, finder, message);
  MPI_Bcast(&first, 1, MPI_INT64_T, finder, comm);
  return message;
}

void refuse_overlap(const Model& model, const Bodies& bodies, contact::Contacts& contacts, MPI_Comm comm) {
  BodyId first = 0;
  const std::string message = describe_overlap(model, bodies, contacts, comm, "at t = 0", nullptr, first);
  if (message.empty()) return;
  // Bodies have been distributed by position since: another rank may have its place in the deck.
  const BodyDescription* described = model.description_of(first);
  std::string where = described != nullptr ? described->where : "";
  const int keeper = lowest_rank(comm, described != nullptr);
  int ranks = 1;
  MPI_Comm_size(comm, &ranks);
  if (keeper < ranks) broadcast(comm, keeper, where);
  throw InputError(where, message);
}

}  // namespace scree

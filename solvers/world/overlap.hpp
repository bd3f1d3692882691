/// Bodies that overlap where a run cannot continue: at its start, or when a boundary becomes active.
#pragma once

#include <mpi.h>

#include <string>
#include <vector>

#include "contact/contacts.hpp"
#include "solvers/model.hpp"

namespace scree {

/// @param when "at t = 0" or similar. @param boundaries as in OverlapCheck::find. @param[out] first
/// ID of the body. @returns a message on the first overlap of all ranks, "" without one. Collective.
std::string describe_overlap(const Model& model, const Bodies& bodies, contact::Contacts& contacts,
                             MPI_Comm comm, const char* when, const std::vector<char>* boundaries,
                             BodyId& first);

/// @throws InputError, on all ranks, if bodies overlap initially. Collective.
void refuse_overlap(const Model& model, const Bodies& bodies, contact::Contacts& contacts, MPI_Comm comm);

}  // namespace scree

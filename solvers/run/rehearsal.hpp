/// The start of a run without the run: for the check of a deck.
#pragma once

#include <mpi.h>

#include <string>
#include <vector>

#include "assembly/petsc.hpp"
#include "solvers/model.hpp"

namespace scree {

/// Does what a run does before its first step, so that it refuses what a run refuses there: initial overlap,
/// bonds that join nothing. With options for PETSc (SolverDescription::petsc_option_names) it sets up the
/// solvers of the first step and of impacts too, lets those of contact dynamics read their options,
/// and refuses options that PETSc does not take, that no solver uses, or that solvers read and do not obey
/// (limits of a convergence test or of a line search that they replace). Costs a search for contacts; with
/// options an assembly and a factorisation. Collective.
/// @throws InputError with all faults of one kind, on all ranks.
void rehearse(const Model& model, MPI_Comm comm, const std::string& options_prefix = petsc::kOptionsPrefix);

/// @returns where the user gives an option: JSON pointer, or "command line". @param name "" for any.
std::string petsc_option_place(const std::string& name, const Model& model);

/// @returns the options of the model that PETSc has not read until now, without those that it reads
/// at its end (-log_view). The same on all ranks.
std::vector<std::string> unused_petsc_options(const Model& model);

}  // namespace scree

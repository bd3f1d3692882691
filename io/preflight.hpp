/// What is done with a deck that was read, before its first step: by the program and by the Python module.
#pragma once

#include <fmt/format.h>
#include <mpi.h>

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "assembly/petsc.hpp"
#include "core/error.hpp"
#include "io/deck/deck.hpp"

namespace scree {

/// Calls `work`. What it finds wrong with the deck names the deck, as what reading it finds does.
template <class Work>
auto of_deck(const std::filesystem::path& deck, Work&& work) {
  try {
    return work();
  } catch (const InputError& error) {
    std::vector<Diagnostic> found = error.diagnostics();
    for (Diagnostic& one : found) {
      if (one.where.starts_with('/')) one.where = fmt::format("{}: {}", deck.string(), one.where);
    }
    throw InputError(std::move(found));
  }
}

/// Checks all that a run of the deck would write, changes nothing; notes and warnings go to the deck. Not
/// collective, for one rank. @param file name of the deck in messages. @param ranks of the run.
/// @throws InputError with everything that is wrong.
void check_deck_output(Deck& deck, const std::filesystem::path& file, int ranks);

/// Gives PETSc the options of the deck, then `words`, which win, and names all of them in the model. Options
/// of the step's solvers (-scree_..., -cd_lcp_...) become those of `options_prefix`.
/// @param words of the command line. @throws InputError for words that are no options, or that name a file.
void set_petsc_options(Model& model, const std::vector<std::string>& words,
                       const std::string& options_prefix = petsc::kOptionsPrefix);

/// Takes the options of the deck back: PETSc would follow some at its end.
void clear_deck_options(const Model& model, const std::string& options_prefix = petsc::kOptionsPrefix);

/// Lets the ranks on one machine share its memory, in all checks that follow. Collective.
void share_memory_of_machine(MPI_Comm comm);

/// @returns bytes that a run takes at least on each rank.
double least_memory(const Model& model, int ranks);

/// Refuses more bodies than there is memory for on the machine of any rank. @throws InputError on all ranks.
/// Collective.
void check_memory(const Model& model, MPI_Comm comm);

/// @returns the warnings that a run of the model raises before its first step, without those of its deck.
/// Collective.
std::vector<Warning> warnings_at_start(const Model& model, MPI_Comm comm);

/// What a run does before its first step, with options for PETSc as `set_petsc_options`; these are removed
/// again where something is wrong. @param ends whether nothing follows. Collective.
/// @throws InputError as `rehearse`. @throws Interrupted on all ranks.
void rehearse_deck(Model& model, const std::vector<std::string>& words, bool ends, MPI_Comm comm,
                   const std::string& options_prefix = petsc::kOptionsPrefix);

/// What `scree check` does after the deck and its output: memory, a rehearsal, a library that the deck needs
/// and this build lacks. @returns warnings_at_start. Collective. @throws InputError, Interrupted as
/// rehearse_deck.
std::vector<Warning> check_start(Deck& deck, const std::vector<std::string>& words, MPI_Comm comm);

}  // namespace scree

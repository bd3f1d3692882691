/// Options for PETSc as a deck and the command line give them: read and judged before PETSc sees them. PETSc
/// itself skips words that it does not understand, and opens each file that an option names.
#pragma once

#include <string>
#include <vector>

namespace scree {

struct PetscOption {
  std::string name;   ///< without dash
  std::string value;  ///< "" for none
};

/// @returns the words of a text, which blanks part. A word that begins with ' or " ends with the same.
/// @param where JSON pointer, for the error. @throws InputError if a quote is not closed.
std::vector<std::string> petsc_words(const std::string& text, const std::string& where);

/// @returns the options that words stand for: "-name", or "-name" and a value. A negative number is a value.
/// @param where the words stand: JSON pointer, or "command line".
/// @throws InputError with all words that belong to no option, and all options that name a file: PETSc would
/// empty it, be it the deck, also where nothing is run.
std::vector<PetscOption> petsc_options(const std::vector<std::string>& words, const std::string& where);

/// What one place may give: PETSc takes the last of several values, and says nothing. Large and small letters
/// are the same to it. @param where as above. @throws InputError with all duplicate names.
void check_given_once(const std::vector<PetscOption>& options, const std::string& where);

}  // namespace scree

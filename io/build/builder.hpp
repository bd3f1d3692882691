/// From a checked deck to the model that is solved.
#pragma once

#include <filesystem>

#include "core/parameters/value.hpp"
#include "io/deck/diagnostics.hpp"
#include "solvers/model.hpp"

namespace scree {

/// Makes the model, looks at everything that concerns more than one key, reads the files that the deck names
/// and generates bodies. Parts of the deck that are null were wrong, are reported already and are skipped.
/// @param deck result of validate() against deck_specification(). @param deck_file where relative paths
/// start.
/// @param diagnostics gets what is wrong; the model may be used only if there are no errors.
Model build_model(const Value& deck, const std::filesystem::path& deck_file, Diagnostics& diagnostics);

}  // namespace scree

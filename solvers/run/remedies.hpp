/// Remedies in messages of a run, by the contact laws, the analysis and the integrator of its deck.
#pragma once

#include <string>

#include "contact/laws/normal_law_traits.hpp"
#include "solvers/model.hpp"

namespace scree {

/// @returns the keys that set the stiffness of those contact laws of a model whose traits `counts` says yes
/// to, in words: `"young" of the materials` under laws of moduli, `"stiffness" of the contact law` under the
/// others; with the laws if there are both.
[[nodiscard]] std::string stiffness_keys(const Model& model, bool (*counts)(const contact::LawTraits&));

}  // namespace scree

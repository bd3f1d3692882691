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

/// @returns "a lower ..." of these keys of all laws.
[[nodiscard]] std::string lower_stiffness(const Model& model);

/// Against Passage::kPathTooLong.
inline constexpr const char* kCheckUnits = "; check velocities and motions, often a unit is wrong.";
inline constexpr const char* kFrictionStiffness = "friction/stiffness near the normal stiffness";

/// @returns whether a step failed because Newton's method did not converge. @param cause StepReport::cause.
[[nodiscard]] bool newton_failed(const std::string& cause);

/// @returns the end of the advice "Try a smaller time/step" for a step of a dynamic analysis that failed:
/// ".", or other remedies against that cause. @param cause StepReport::cause. @param soft whether contacts of
/// the run so far are too soft (run_warnings.hpp).
[[nodiscard]] std::string remedies_of_step(const Model& model, bool soft, const std::string& cause);

}  // namespace scree

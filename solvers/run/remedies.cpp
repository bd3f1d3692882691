#include "solvers/run/remedies.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "contact/laws/parameters.hpp"
#include "contact/pair/term_gap.hpp"
#include "core/text.hpp"
#include "solvers/world/passage.hpp"

namespace scree {

std::string stiffness_keys(const Model& model, bool (*counts)(const contact::LawTraits&)) {
  std::vector<std::string> with_moduli, others;
  for (const contact::Interface& interface : model.interfaces) {
    const contact::LawTraits& law = interface.traits();
    if (law.rigid || !counts(law)) continue;
    std::vector<std::string>& names = law.moduli ? with_moduli : others;
    if (std::find(names.begin(), names.end(), law.name) == names.end()) names.emplace_back(law.name);
  }
  const std::string young = "\"young\" of the materials", stiffness = "\"stiffness\" of the contact law";
  if (with_moduli.empty()) return stiffness;
  if (others.empty()) return young;
  return text::join(young, " under ", text::enumeration(with_moduli, "and"), ", ", stiffness, " under ",
                    text::enumeration(others, "and"));
}

std::string lower_stiffness(const Model& model) {
  return text::join("a lower ", stiffness_keys(model, [](const contact::LawTraits&) { return true; }));
}

bool newton_failed(const std::string& cause) { return cause.starts_with("Newton: "); }

std::string remedies_of_step(const Model& model, bool soft, const std::string& cause) {
  if (cause == Passage::kPathTooLong) return kCheckUnits;
  std::vector<std::string> remedies;
  if (newton_failed(cause)) {
    // Energy steps need no damping, and are the least troubled by stiffness.
    const bool secant = model.integrator->secant_forces();
    if (!secant) remedies.emplace_back("a larger damping_ratio");
    if (model.has_friction()) remedies.emplace_back(kFrictionStiffness);
    if (!secant && !soft) remedies.push_back(lower_stiffness(model));
  } else if (cause.find(contact::kOverlapTooDeep) != std::string::npos) {
    remedies.push_back(text::join(
        "a larger ", stiffness_keys(model, [](const contact::LawTraits& law) { return law.overlap; })));
  }
  std::string all;
  for (std::size_t k = 0; k < remedies.size(); ++k)
    all += text::join(k + 1 == remedies.size() ? ", or " : ", ", remedies[k]);
  return all + ".";
}

}  // namespace scree

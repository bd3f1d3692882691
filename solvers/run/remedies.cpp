#include "solvers/run/remedies.hpp"

#include <algorithm>
#include <vector>

#include "contact/laws/parameters.hpp"
#include "core/text.hpp"

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

}  // namespace scree

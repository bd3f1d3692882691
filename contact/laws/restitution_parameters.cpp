#include "contact/laws/restitution_parameters.hpp"

#include "core/text.hpp"

namespace scree::contact {

ParameterSpec restitution_specification(const std::string& other) {
  return {.key = "restitution",
          .unit = "-",
          .description = "In place of \"" + other +
                         "\": speed of separation over speed of approach in a lone impact, with this "
                         "\"no_tension\". 0 is critical damping.",
          .range = {.low = 0, .high = 1},
          .scope = scope::dashpot()};
}

void refuse_both(const Value& values, const std::string& other, std::vector<Diagnostic>& faults) {
  if (!values.has(other) || !values.has("restitution")) return;
  faults.push_back({values.at("restitution").where(),
                    text::join("does not go with \"", other, "\" (", values.at(other).where(),
                               "): each says how much an impact dissipates.")});
}

}  // namespace scree::contact

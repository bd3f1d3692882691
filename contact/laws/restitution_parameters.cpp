#include "contact/laws/restitution_parameters.hpp"

#include "core/text.hpp"

namespace scree::contact {

ParameterSpec restitution_specification(const std::string& other) {
  return {.key = "restitution",
          .unit = "-",
          .description = "Instead of \"" + other +
                         "\": coefficient of restitution of a binary collision. 0: critical "
                         "damping.",
          .range = {.low = 0, .high = 1},
          .scope = scope::dashpot()};
}

void refuse_both(const Value& values, const std::string& other, std::vector<Diagnostic>& faults) {
  if (!values.has(other) || !values.has("restitution")) return;
  faults.push_back({values.at("restitution").where(),
                    text::join("cannot be combined with \"", other, "\" (", values.at(other).where(),
                               "): both define the dissipation of an impact.")});
}

}  // namespace scree::contact

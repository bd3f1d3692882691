/// Bonds and near-field forces of the deck.
#include <algorithm>

#include "io/build/builder_parts.hpp"
#include "io/deck/deck_validation.hpp"

namespace scree::builder {
namespace {

bool has_unknown_bodies(const Build& build) {
  return std::any_of(build.model.bodies.begin(), build.model.bodies.end(), [&](const BodyDescription& body) {
    return body.material < 0 || body.shape < 0 ||
           (body.shape < static_cast<int>(build.shape_good.size()) && build.shape_good[body.shape] == 0);
  });
}

}  // namespace

void add_near_field(Build& build, const Value& values) {
  std::vector<Diagnostic> faults;
  build.model.near_fields.push_back(contact::near_field_parameters(values, faults));
  for (const auto& fault : faults) build.diagnostics.error(fault.where, fault.message);
}

void add_bonds(Build& build) {
  const Value* values = build.deck.find("bonds");
  if (values == nullptr || !is_complete(*values)) return;
  build.model.bonds = contact::bond_parameters(*values);
  if (has_unknown_bodies(build)) return;  // they could be spheres
  add_faults(build, model_check::bonds);
}

}  // namespace scree::builder

/// Bonds and near-field forces of the deck.
#include <fmt/format.h>

#include <algorithm>

#include "io/build/builder_parts.hpp"
#include "io/deck/deck_validation.hpp"
#include "io/output/number_format.hpp"

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
  if (build.bonded_spheres == 0) return;
  const auto& bodies = build.model.bodies;
  const long spheres = std::count_if(bodies.begin(), bodies.end(), [&](const BodyDescription& body) {
    return build.model.shapes[body.shape].kind == ShapeKind::sphere;
  });
  if (spheres == build.bonded_spheres) return;
  build.diagnostics.note(values->at("within").where(),
                         fmt::format("has no effect: the bonds are those of the checkpoint; {} not from one "
                                     "with bonds {} without.",
                                     counted(spheres - build.bonded_spheres, "sphere", "spheres"),
                                     spheres - build.bonded_spheres == 1 ? "stays" : "stay"));
}

}  // namespace scree::builder

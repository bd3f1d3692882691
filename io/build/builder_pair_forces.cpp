/// Bonds and near-field forces of the deck.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "core/text.hpp"
#include "io/build/builder_parts.hpp"
#include "io/deck/deck_validation.hpp"

namespace scree::builder {
namespace {

/// Materials of spheres, and how many there are.
struct Spheres {
  long count = 0;
  std::set<int> materials;
  const BodyDescription* another = nullptr;  ///< the first body that is not a sphere
};

Spheres spheres_of(const Build& build) {
  Spheres spheres;
  for (const BodyDescription& body : build.model.bodies) {
    const Shape& shape = build.model.shapes[body.shape];
    if (shape.kind == ShapeKind::sphere) {
      ++spheres.count;
      spheres.materials.insert(body.material);
    } else if (spheres.another == nullptr) {
      spheres.another = &body;
    }
  }
  return spheres;
}

bool has_unknown_bodies(const Build& build) {
  return std::any_of(build.model.bodies.begin(), build.model.bodies.end(), [&](const BodyDescription& body) {
    return body.material < 0 || body.shape < 0 ||
           (body.shape < static_cast<int>(build.shape_good.size()) && build.shape_good[body.shape] == 0);
  });
}

/// A bond that breaks leaves a gap of break_force / stiffness to contact: inside of a barrier, contact would
/// begin with energy that nothing put in.
void check_gap_of_broken_bonds(Build& build, const Value& values, const std::set<int>& materials) {
  const Model& model = build.model;
  const double gap = model.bonds->break_force / model.bonds->stiffness;
  std::set<int> reported;
  for (const int a : materials) {
    for (const int b : materials) {
      const int number = model.interface_of[a][b];
      if (number < 0 || gap >= model.interfaces[number].threshold() || !reported.insert(number).second)
        continue;
      build.diagnostics.error(
          values.at("break_force").where(),
          fmt::format(
              "got {} N; bonds of {} N/m would break at a gap of {} m, inside the barrier, which creates "
              "energy; expected >= {} N = stiffness * threshold (threshold {} m, "
              "/interfaces/{}/normal/threshold).",
              text::number(model.bonds->break_force), text::number(model.bonds->stiffness), text::number(gap),
              text::number(model.interfaces[number].threshold() * model.bonds->stiffness),
              text::number(model.interfaces[number].threshold()), number));
    }
  }
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
  const Spheres spheres = spheres_of(build);
  if (spheres.count < 2) {
    const BodyDescription* other = spheres.another;
    build.diagnostics.error(
        values->where(),
        fmt::format(
            "bonds require at least two spheres; the deck has {}{}.", spheres.count == 1 ? "one" : "none",
            other == nullptr ? ""
                             : fmt::format("; {} has the shape {}", other->where,
                                           pointer_to("/shapes", build.model.shapes[other->shape].name))));
    return;
  }
  if (build.model.bonds->breakable()) check_gap_of_broken_bonds(build, *values, spheres.materials);
}

}  // namespace scree::builder

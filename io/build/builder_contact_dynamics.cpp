/// What "analysis": "contact-dynamics" asks of a deck.
#include <fmt/format.h>

#include "core/text.hpp"
#include "io/build/builder_parts.hpp"
#include "io/deck/deck_validation.hpp"

namespace scree::builder {
namespace {

bool asked_for(const Build& build) {
  const Value& analysis = build.deck.at("analysis");
  return is_complete(analysis) && analysis.string() == "contact-dynamics";
}

/// @returns the first interface with friction, null without one.
const Value* check_friction(Build& build) {
  const Value* first = nullptr;
  for (const Value& interface : build.deck.at("interfaces").items()) {
    const Value* friction = interface.kind() == Value::Kind::object ? interface.find("friction") : nullptr;
    if (friction == nullptr) continue;
    if (first == nullptr) first = friction;
    if (!is_complete(*friction)) continue;
    if (!friction->has("static") && friction->string("limit") == "none") {
      // "limit": "none" has no effect here, and does not replace it.
      build.diagnostics.error(friction->where(),
                              "\"static\" is missing; expected a number >= 0: contact dynamics requires the "
                              "coefficient of friction, whatever the \"limit\".");
    }
  }
  return first;
}

/// What the chosen method leaves without effect.
void check_method(Build& build, const Value& values, const Value* friction) {
  const SolverDescription& solver = build.model.solver;
  if (solver.method == RigidMethod::one_step) {
    const std::string why =
        values.string("method") == "one-step"
            ? fmt::format("\"one-step\", {}", values.at("method").where())
            : fmt::format("the one-step method, which the friction in {} requires", friction->where());
    for (const char* key : {"lcp", "lcp_tolerance", "compatibility"}) {
      const Value& value = values.at(key);
      if (value.is_default()) continue;
      build.diagnostics.error(value.where(), fmt::format("has no effect with {}: it solves no LCP, and its "
                                                         "forces are unique; remove it.",
                                                         why));
    }
    const Value& output = build.deck.at("output");
    const Value* contacts = output.kind() == Value::Kind::object ? output.find("contacts") : nullptr;
    if (contacts != nullptr && is_complete(*contacts) && contacts->boolean("lcp_forces")) {
      build.diagnostics.error(contacts->at("lcp_forces").where(),
                              fmt::format("has no effect with {}: it solves no LCP; remove it.", why));
    }
    return;
  }
  if (solver.compatibility != contact_dynamics::CompatibilityMethod::none) return;
  for (const Value& interface : build.deck.at("interfaces").items()) {
    if (!is_complete(interface) || interface.has("none") ||
        !contact::traits_of(interface.at("normal").string("law")).rigid)
      continue;
    // A note: decks are run with and without compatible forces, to compare them.
    for (const char* key : {"stiffness_ratio", "exponent"}) {
      const Value& value = interface.at("normal").at(key);
      if (value.is_default()) continue;
      build.diagnostics.note(value.where(),
                             fmt::format("has no effect with \"compatibility\": \"none\", {}: forces are "
                                         "those of the LCP.",
                                         values.at("compatibility").where()));
    }
  }
}

void add_choices(Build& build, const Value* friction) {
  const Value& values = build.deck.at("solver");
  if (!is_complete(values)) return;
  SolverDescription& solver = build.model.solver;
  const std::string& method = values.string("method");
  solver.method = method == "one-step"                          ? RigidMethod::one_step
                  : method == "two-step" || friction == nullptr ? RigidMethod::two_step
                                                                : RigidMethod::one_step;
  solver.lcp = contact_dynamics::lcp_method(values.string("lcp"), values.at("lcp").where());
  solver.lcp_tolerance = values.number("lcp_tolerance");
  solver.compatibility = contact_dynamics::compatibility_method(values.string("compatibility"),
                                                                values.at("compatibility").where());
  check_method(build, values, friction);
}

}  // namespace

void check_contact_dynamics(Build& build) {
  if (!asked_for(build)) return;
  build.model.analysis = Analysis::contact_dynamics;
  add_choices(build, check_friction(build));
  add_faults(build, model_check::contact_dynamics);
}

}  // namespace scree::builder

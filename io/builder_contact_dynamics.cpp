/// What "analysis": "contact-dynamics" asks of a deck.
#include <fmt/format.h>

#include "io/builder_parts.hpp"
#include "io/deck_validation.hpp"

namespace scree::builder {
namespace {

bool asked_for(const Build& build) {
  const Value& analysis = build.deck.at("analysis");
  return is_complete(analysis) && analysis.string() == "contact-dynamics";
}

/// Rigid contact and this analysis go together, and nothing else does. @returns the first interface with
/// friction, null if there is none.
const Value* check_laws(Build& build, bool rigid_analysis) {
  const Value* friction = nullptr;
  for (const Value& interface : build.deck.at("interfaces").items()) {
    if (!is_complete(interface) || !is_complete(interface.at("normal"))) continue;
    const Value& law = interface.at("normal").at("law");
    if (rigid_analysis && law.string() != "rigid") {
      build.diagnostics.error(
          law.where(), fmt::format("\"{}\" is compliant; \"contact-dynamics\" (/analysis) needs the law "
                                   "\"rigid\", or use \"analysis\": \"dynamic\".",
                                   law.string()));
    } else if (!rigid_analysis && law.string() == "rigid") {
      build.diagnostics.error(law.where(),
                              fmt::format("\"rigid\" needs \"analysis\": \"contact-dynamics\"; /analysis is "
                                          "\"{}\".",
                                          build.deck.at("analysis").string()));
    }
    if (!rigid_analysis) continue;
    if (const Value* values = interface.find("friction"); values != nullptr && friction == nullptr)
      friction = values;
    if (const Value* rolling = interface.find("rolling"); rolling != nullptr) {
      build.diagnostics.error(rolling->where(),
                              "rolling resistance is not there for rigid contact (/analysis: "
                              "\"contact-dynamics\").");
    }
  }
  return friction;
}

void check_bodies(Build& build) {
  for (const BodyDescription& body : build.model.bodies) {
    if (is_fixed(body) && (body.velocity.norm() > 0 || body.angular_velocity.norm() > 0)) {
      build.diagnostics.error(
          body.where,
          "is \"fixed\" and has a velocity; leave one of them out, or use a boundary with "
          "\"motion\".");
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
  if (friction != nullptr && method == "two-step") {
    build.diagnostics.error(
        values.at("method").where(),
        fmt::format(
            "\"two-step\" has no friction, and {} asks for it. Use \"one-step\", or leave the friction "
            "out.",
            friction->where()));
  }
}

}  // namespace

void check_contact_dynamics(Build& build) {
  if (!is_complete(build.deck.at("analysis"))) return;
  const bool rigid = asked_for(build);
  const Value* friction = check_laws(build, rigid);
  if (!rigid) return;
  build.model.analysis = Analysis::contact_dynamics;
  check_bodies(build);
  add_choices(build, friction);
  if (const Value* periodic = build.deck.find("periodic"); periodic != nullptr) {
    build.diagnostics.error(periodic->where(),
                            "\"contact-dynamics\" (/analysis) does not see through periodic faces yet. Use "
                            "boundaries, or \"dynamic\".");
  }
  if (const Value* bonds = build.deck.find("bonds"); bonds != nullptr) {
    build.diagnostics.error(bonds->where(),
                            "bonds are springs; \"contact-dynamics\" (/analysis) has none. Use \"dynamic\".");
  }
}

}  // namespace scree::builder

#include "contact/laws/friction_parameters.hpp"

#include "contact/laws/normal_laws.hpp"
#include "core/text.hpp"

namespace scree::contact {
namespace {

const std::string kRigid = "rigid friction has neither spring nor dashpot";

}  // namespace

Specification friction_specification() {
  const FrictionParameters defaults;
  Scope limited, spring = scope::not_contact_dynamics(false, kRigid), limiting = scope::dashpot();
  limited.beside = limiting.beside = "limit";
  limited.values = limiting.values = {"coulomb", "spring", "stored"};
  spring.beside = "stiffness";
  spring.values = {"mindlin", "paper"};
  const ParameterSpec interval{
      .kind = ParameterKind::vector, .unit = "s", .description = "[from, until].", .size = 2};
  return {
      "friction",
      "Coulomb friction with an elastic and viscous trial force.",
      {
          {.key = "static",
           .unit = "-",
           .description = "Static coefficient. Required unless \"limit\" is \"none\".",
           .range = range::not_negative(),
           .scope = limited},
          {.key = "dynamic",
           .unit = "-",
           .description = "Dynamic coefficient, at most the static one. Default: the static one. "
                          "Contact dynamics requires equal coefficients.",
           .range = range::not_negative(),
           .scope = limited},
          {.key = "stiffness",
           .kind = ParameterKind::any_of,
           .unit = "N/m",
           .description =
               "Tangential stiffness; recommended: the normal stiffness under the static load. 0: damping "
               "only. "
               "\"mindlin\" (with " +
               laws_in_words([](const LawTraits& law) { return law.moduli; }) +
               "): 8 G* sqrt(R* overlap) of the moduli; \"paper\": the same with 1/G* = 1/G_a + 1/G_b, "
               "without Mindlin's factors 2 - nu.",
           .fallback = defaults.stiffness,
           .members = {{.unit = "N/m", .range = range::not_negative()},
                       {.kind = ParameterKind::string, .choices = {"mindlin", "paper"}}},
           .scope = scope::not_contact_dynamics(false, kRigid)},
          {.key = "spring",
           .kind = ParameterKind::string,
           .description = "Update rule of the tangential spring if its stiffness k_t depends on the overlap. "
                          "\"dissipative\": force kept on loading, displacement kept on unloading; never "
                          "creates energy. "
                          "\"slip\": f = k_t * displacement, as in most DEM codes. \"force\": df = k_t * ds. "
                          "With the integrator \"energy\" always \"dissipative\".",
           .fallback = "dissipative",
           .choices = {"dissipative", "slip", "force"},
           .scope = spring},
          {.key = "damping",
           .unit = "N s/m",
           .description = "Tangential damping. No effect beside a spring with the integrator \"energy\".",
           .range = range::not_negative(),
           .fallback = defaults.damping,
           .scope = scope::dashpot()},
          {.key = "damping_ratio",
           .unit = "-",
           .description = "Tangential damping 2 * damping_ratio * sqrt(k_t m_eff), in addition to "
                          "\"damping\". No effect "
                          "with the integrator \"energy\".",
           .range = range::not_negative(),
           .fallback = defaults.damping_ratio,
           .scope = scope::dashpot()},
          {.key = "limit",
           .kind = ParameterKind::string,
           .description =
               "Forces to which the Coulomb limit applies. \"coulomb\": spring and dashpot together. "
               "\"spring\": the spring; the dashpot acts only while the contact sticks. \"stored\": as "
               "\"coulomb\", but a sliding contact stores the full limit force in its spring. \"none\": no "
               "limit. With the integrator \"energy\", \"spring\" and \"stored\" act as \"coulomb\".",
           .fallback = "coulomb",
           .choices = {"coulomb", "spring", "stored", "none"},
           .scope = scope::not_contact_dynamics(false, kRigid)},
          {.key = "limiting_force",
           .kind = ParameterKind::string,
           .description =
               "Normal force in the Coulomb limit: \"elastic\" (without damping) or \"total\". Default: "
               "\"elastic\" for the law \"barrier\", \"total\" for the others. No effect with the integrator "
               "\"energy\".",
           .choices = {"elastic", "total"},
           .scope = limiting},
          {.key = "active",
           .kind = ParameterKind::list,
           .unit = "s",
           .description = "Active intervals of friction. Default: always.",
           .size = 1,
           .members = {interval}},
      }};
}

FrictionParameters friction_parameters(const Value& values, std::vector<Diagnostic>& faults,
                                       bool needs_spring) {
  FrictionParameters friction;
  const std::string& limit = values.string("limit");
  friction.limit = limit == "none"     ? FrictionLimit::none
                   : limit == "spring" ? FrictionLimit::spring
                   : limit == "stored" ? FrictionLimit::stored
                                       : FrictionLimit::sum;
  if (values.has("limiting_force")) {
    friction.limiting_force =
        values.string("limiting_force") == "total" ? LimitingForce::total : LimitingForce::elastic;
  }
  if (values.has("static")) {
    friction.static_coefficient = values.number("static");
  } else if (friction.limited()) {
    faults.push_back(
        {values.where(), "\"static\" is missing; expected a number >= 0, or \"limit\": \"none\"."});
  }
  friction.dynamic_coefficient =
      values.has("dynamic") ? values.number("dynamic") : friction.static_coefficient;
  if (const Value& stiffness = values.at("stiffness"); stiffness.kind() == Value::Kind::string) {
    friction.rule =
        stiffness.string() == "mindlin" ? TangentialStiffness::mindlin : TangentialStiffness::paper;
  } else {
    friction.stiffness = stiffness.number();
  }
  friction.damping = values.number("damping");
  friction.damping_ratio = values.number("damping_ratio");
  const std::string& spring = values.string("spring");
  friction.carried = spring == "slip"    ? CarriedSpring::slip
                     : spring == "force" ? CarriedSpring::force
                                         : CarriedSpring::dissipative;
  if (values.has("static") && friction.dynamic_coefficient > friction.static_coefficient) {
    faults.push_back(
        {values.at("dynamic").where(), text::join("got ", text::number(friction.dynamic_coefficient),
                                                  "; expected at most the static coefficient, ",
                                                  text::number(friction.static_coefficient), ".")});
  }
  const bool acts = !friction.limited() || friction.static_coefficient > 0;
  const bool springs = friction.stiffness > 0 || friction.rule != TangentialStiffness::constant;
  if (needs_spring && acts && !springs && friction.damping == 0) {
    faults.push_back(
        {values.where(), "friction requires \"stiffness\" [N/m] > 0 or \"damping\" [N s/m] > 0."});
  }
  if (const Value* active = values.find("active")) {
    friction.active.clear();
    double last = 0;
    for (const auto& interval : active->items()) {
      const double from = interval.items()[0].number(), until = interval.items()[1].number();
      if (from < last || until <= from) {
        faults.push_back(
            {interval.where(), text::join("got ", to_text(interval),
                                          "; expected [from, until] [s] with from >= ", text::number(last),
                                          " (0, or the end of the interval before) and until > from.")});
      }
      last = until;
      friction.active.emplace_back(from, until);
    }
  }
  return friction;
}

}  // namespace scree::contact

#include <fmt/format.h>

#include <algorithm>

#include "core/text.hpp"
#include "elements/integrators/integrator_parameters.hpp"
#include "elements/integrators/newmark.hpp"
#include "io/build/builder_parts.hpp"
#include "io/deck/deck_validation.hpp"
#include "io/deck/petsc_options.hpp"
#include "io/output/number_format.hpp"

namespace scree::builder {
namespace {

/// Integrator and nonlinear solver have an effect in this analysis alone: what they require is asked there.
bool is_dynamic(const Build& build) {
  const Value& analysis = build.deck.at("analysis");
  return is_complete(analysis) && analysis.string() == scope::kDynamic;
}

/// Needs gravity, loads and interfaces.
void add_stop(Build& build) {
  const Value& time = build.deck.at("time");
  const Value* values = is_complete(time) ? time.find("stop") : nullptr;
  if (values == nullptr) return;
  Model& model = build.model;
  StopDescription& stop = model.time.stop;
  stop.wanted = values->string("when") == "at rest";
  if (values->has("kinetic_energy")) stop.kinetic_energy = values->number("kinetic_energy");
  if (values->has("unbalanced_force")) stop.unbalanced_force = values->number("unbalanced_force");
  stop.after = values->number("after");
  add_faults(build, model_check::stop);
}

/// Of the end of a run: with more steps the time plus a step rounds to the time.
constexpr double kMostSteps = 9007199254740992.0;  // 2^53

/// Steps of a run that has an end.
/// @param step the fixed step, or the largest.
void check_number_of_steps(Build& build, const Value& step) {
  constexpr double kMany = 1e9;
  const double end = build.model.time.end, steps = end / step.number();
  const std::string number = fmt::format("to \"end\", {} s, are {:.3g} steps", text::number(end), steps);
  if (steps > kMostSteps) {
    build.diagnostics.error(step.where(),
                            fmt::format("got {}; {}, which double precision does not resolve; expected at "
                                        "most 2^53 steps: at least {:.3g} s.",
                                        text::number(step.number()), number, end / kMostSteps));
  } else if (steps > kMany) {
    build.diagnostics.note(step.where(), fmt::format("{} or more: the run takes very long.", number));
  }
}

/// A step may shrink until the time no longer advances: a larger minimum ends the run instead.
void note_least_step(Build& build, const Value& least) {
  const double end = build.model.time.end;
  if (end / least.number() <= kMostSteps) return;
  build.diagnostics.note(
      least.where(),
      fmt::format("steps below {:.3g} s do not advance the time near \"end\", {} s; with a larger \"min\" "
                  "a run that requires smaller steps fails there.",
                  end / kMostSteps, text::number(end)));
}

void add_time(Build& build) {
  const Value& values = build.deck.at("time");
  if (!is_complete(values)) return;
  TimeDescription& time = build.model.time;
  time.end = values.number("end");
  const Value& step = values.at("step");
  time.adaptive = step.kind() == Value::Kind::object;
  if (time.adaptive) {
    time.step = step.number("initial");
    time.min = step.number("min");
    time.max = step.number("max");
    time.resolution = step.number("resolution");
  } else {
    time.step = step.number();
  }
  add_faults(build, model_check::time);
  check_number_of_steps(build, time.adaptive ? step.at("max") : step);
  if (time.adaptive) note_least_step(build, step.at("min"));
}

/// Which limits steps obey: only an integrator that makes no energy is safe beyond the impacts.
void add_step_control(Build& build) {
  TimeDescription& time = build.model.time;
  const Value& values = build.deck.at("time");
  if (!is_complete(values)) return;
  const bool safe = build.model.integrator->secant_forces();
  if (!time.adaptive) {
    // A method and a step that are both chosen are taken as they are.
    const bool chosen = !build.deck.at("integrator").is_default();
    time.control = safe || chosen ? StepMode::motion : StepMode::resolved;
    return;
  }
  const Value& step = values.at("step");
  time.control = safe ? StepMode::motion : StepMode::resolved;
  if (!step.has("control")) return;
  time.control = step.string("control") == "motion" ? StepMode::motion : StepMode::resolved;
  // Elsewhere the key has no effect, which a note says.
  if (is_dynamic(build)) add_faults(build, model_check::step_control);
}

void add_integrator(Build& build) {
  const Value& values = build.deck.at("integrator");
  if (!is_complete(values)) return;
  const std::string& type = values.string("type");
  std::vector<Diagnostic> faults;
  const std::shared_ptr<const elements::Integrator> integrator =
      find_registered(registered_integrators(), type)->make(values, faults);
  build.diagnostics.add(faults);
  if (!is_dynamic(build)) return;
  build.model.integrator = integrator;
  if (type == "newmark" && 2 * values.number("beta") < values.number("gamma")) {
    build.diagnostics.warning(
        values.at("beta").where(),
        fmt::format("beta = {} < gamma/2 = {}: Newmark is only conditionally stable.",
                    text::number(values.number("beta")), text::number(0.5 * values.number("gamma"))));
  }
  if (type == "trapezoidal" && values.number("phi") < 0.5) {
    build.diagnostics.warning(
        values.at("phi").where(),
        fmt::format("phi = {} < 1/2: the trapezoidal rule is only conditionally stable.",
                    text::number(values.number("phi"))));
  }
  add_faults(build, model_check::explicit_forces);
}

/// What has no meaning without velocities, besides keys, which have scopes. Needs everything else.
void check_quasi_static(Build& build) {
  const Value& deck = build.deck;
  Model& model = build.model;
  if (!is_complete(deck.at("analysis")) || deck.at("analysis").string() != "quasi-static") return;
  model.analysis = Analysis::quasi_static;
  add_faults(build, model_check::quasi_static);
  long moving = 0;
  const BodyDescription* first = nullptr;
  for (const BodyDescription& body : model.bodies) {
    const bool of_file = body.where.find(": ") != std::string::npos;  // a key is reported by its scope
    if (!of_file || (body.velocity.norm() == 0 && body.angular_velocity.norm() == 0)) continue;
    if (moving++ == 0) first = &body;
  }
  if (moving > 0) {
    build.diagnostics.note(first->where, fmt::format("initial velocities of {} have no effect "
                                                     "with \"analysis\": \"quasi-static\".",
                                                     counted(moving, "body", "bodies")));
  }
}

void add_load(Build& build, const Value& values) {
  if (values.string("type") == "near_field") return add_near_field(build, values);
  const auto* entry = find_registered(elements::registered_loads(), values.string("type"));
  const Value* body = values.find("body");
  const BodyId number = body != nullptr ? find_body(build, *body) : 0;
  std::vector<Diagnostic> faults;
  build.model.loads.push_back(entry->make(values, number, faults));
  build.diagnostics.add(faults);
}

void add_solver(Build& build) {
  const Value& values = build.deck.at("solver");
  if (!is_complete(values)) return;
  SolverDescription& solver = build.model.solver;
  const Value& newton = values.at("newton");
  solver.newton_relative = newton.number("relative");
  solver.newton_absolute = newton.number("absolute");
  solver.newton_max_iterations = newton.integer("max_iterations");
  const Value& fixed_point = values.at("fixed_point");
  solver.fixed_point_tolerance = fixed_point.number("tolerance");
  solver.fixed_point_max_iterations = fixed_point.integer("max_iterations");
  if (values.string("nonlinear") == "fixed-point" && is_dynamic(build)) {
    solver.nonlinear = NonlinearChoice::fixed_point;
    add_faults(build, model_check::fixed_point);
  }
  const std::string& linear = values.string("linear");
  solver.linear = linear == "direct"      ? LinearChoice::direct
                  : linear == "iterative" ? LinearChoice::iterative
                                          : LinearChoice::automatic;
  const Value& petsc = values.at("petsc_options");
  solver.petsc_options = petsc.string();
  (void)build.diagnostics.attempt(petsc.where(), "", [&] {
    check_given_once(petsc_options(petsc_words(solver.petsc_options, petsc.where()), petsc.where()),
                     petsc.where());
  });
}

}  // namespace

void add_analysis(Build& build) {
  if (const Value& title = build.deck.at("title"); is_complete(title)) build.model.title = title.string();
  // For editors only.
  if (const Value* schema = build.deck.find("$schema"); schema != nullptr && is_complete(*schema))
    (void)schema->string();
  // There is one system of units: nothing to convert.
  if (const Value& units = build.deck.at("units"); is_complete(units)) (void)units.string();
  if (const Value& gravity = build.deck.at("gravity"); is_complete(gravity))
    build.model.gravity = gravity.vector();
  add_time(build);
  add_integrator(build);
  add_step_control(build);
  for (const auto& load : build.deck.at("loads").items()) {
    if (is_complete(load)) add_load(build, load);
  }
  add_stop(build);
  add_solver(build);
  check_quasi_static(build);
}

namespace {

/// Keys of dashpots, which energy-consistent steps have none of beside springs (theory 11 section 6).
void note_dashpots(Build& build, const Value& interface) {
  const auto note = [&](const Value& in, const char* key, const char* why) {
    const Value* value = in.find(key);
    if (value == nullptr || value->is_default()) return;
    build.diagnostics.note(value->where(),
                           fmt::format("has no effect with the integrator \"energy\": {}.", why));
  };
  constexpr const char* kNoDashpots = "there are no tangential dashpots";
  const Value& normal = interface.at("normal");
  if (normal.has("restitution"))
    note(normal, "no_tension", "impacts have the \"restitution\", without a dashpot");
  const Value* friction = interface.find("friction");
  if (friction == nullptr) return;
  const Value& stiffness = friction->at("stiffness");
  const bool spring = stiffness.kind() == Value::Kind::string || stiffness.number() > 0;
  if (spring) {
    note(*friction, "damping", kNoDashpots);
    note(*friction, "damping_ratio", kNoDashpots);
  }
  if (friction->string("limit") != "none")
    note(*friction, "limit", spring ? kNoDashpots : "a dashpot without spring always has the Coulomb limit");
  if (stiffness.kind() == Value::Kind::string)
    note(*friction, "spring", "the spring is always \"dissipative\"");
  note(*friction, "limiting_force", "the limit follows the normal impulse after the impact");
}

}  // namespace

void check_integrator(Build& build) {
  const Value& integrator = build.deck.at("integrator");
  if (!is_complete(integrator)) return;
  const auto& boundaries = build.model.boundaries;
  const bool coupled = std::any_of(boundaries.begin(), boundaries.end(),
                                   [](const BoundaryDescription& one) { return one.motion.coupled; });
  if (coupled && integrator.is_default()) {
    build.model.integrator = std::make_shared<elements::Newmark>();
    add_step_control(build);
    if (is_dynamic(build)) {
      build.diagnostics.note(
          integrator.where(),
          "\"newmark\" is used beside coupled boundaries: its forces are those of the ends of "
          "steps, as most partners take them. Those of \"energy\" are means over steps.");
    }
    return;
  }
  if (!build.model.integrator->secant_forces()) {
    if (coupled || !is_dynamic(build)) return;
    build.diagnostics.note(
        integrator.where(),
        fmt::format("\"{}\" keeps the energy of impacts only where time steps resolve them; "
                    "\"energy\" does at any step.",
                    integrator.string("type")));
    return;
  }
  for (const Value& interface : build.deck.at("interfaces").items()) {
    if (is_complete(interface) && !interface.has("none")) note_dashpots(build, interface);
  }
}

}  // namespace scree::builder

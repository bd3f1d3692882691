#include <fmt/format.h>

#include <set>

#include "core/text.hpp"
#include "elements/integrators/integrator_parameters.hpp"
#include "io/builder_parts.hpp"
#include "io/deck_validation.hpp"

namespace scree::builder {
namespace {

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
    if (time.min > time.max) {
      build.diagnostics.error(step.at("min").where(),
                              fmt::format("got {}; expected at most \"max\", {} s.", text::number(time.min),
                                          text::number(time.max)));
    } else if (time.step < time.min || time.step > time.max) {
      build.diagnostics.error(
          step.at("initial").where(),
          fmt::format("got {}; expected a step [s] from \"min\", {}, to \"max\", {}.",
                      text::number(time.step), text::number(time.min), text::number(time.max)));
    }
  } else {
    time.step = step.number();
  }
  if (time.step > time.end) {
    const Value& place = time.adaptive ? step.at("initial") : step;
    build.diagnostics.error(place.where(), fmt::format("got {}; expected a step [s] at most \"end\", {}.",
                                                       text::number(time.step), text::number(time.end)));
  }
}

/// Theory 02 section 8: where elastic forces are those of the start of the step, nothing keeps a barrier's
/// gap open at the end of it.
void refuse_explicit_barrier(Build& build, const Value& integrator) {
  const elements::ForceStage stage = build.model.integrator->stage();
  if (stage != elements::ForceStage::start && stage != elements::ForceStage::given) return;
  const char* key = integrator.string("type") == "variational" ? "alpha" : "phi";
  for (const Value& interface : build.deck.at("interfaces").items()) {
    if (!is_complete(interface) || interface.at("normal").string("law") != "barrier") continue;
    build.diagnostics.error(
        integrator.at(key).where(),
        fmt::format(
            "0 takes the elastic forces from the start of the step; the barrier law of {} cannot keep "
            "bodies apart then. Use 0.5, or an overlap law.",
            interface.at("normal").where()));
  }
}

void add_integrator(Build& build) {
  const Value& values = build.deck.at("integrator");
  if (!is_complete(values)) return;
  const std::string& type = values.string("type");
  std::vector<Diagnostic> faults;
  build.model.integrator = find_registered(registered_integrators(), type)->make(values, faults);
  build.diagnostics.add(faults);
  if (type == "newmark" && 2 * values.number("beta") < values.number("gamma")) {
    build.diagnostics.warning(
        values.at("beta").where(),
        fmt::format("{} is below gamma/2 = {}: only small steps are stable.",
                    text::number(values.number("beta")), text::number(0.5 * values.number("gamma"))));
  }
  if (type == "trapezoidal" && values.number("phi") < 0.5) {
    build.diagnostics.warning(
        values.at("phi").where(),
        fmt::format("{} is below 1/2: only small steps are stable.", text::number(values.number("phi"))));
  }
  refuse_explicit_barrier(build, values);
}

void add_load(Build& build, const Value& values) {
  LoadDescription load;
  load.kind = values.string("type") == "force" ? LoadKind::force : LoadKind::moment;
  load.body = find_body(build, values.at("body"));
  load.value = values.vector("value");
  if (load.kind == LoadKind::force) load.point_B = values.vector("point");
  if (const Value* ramp = values.find("ramp")) {
    load.ramp.clear();
    for (const auto& row : ramp->items()) {
      const double time = row.items()[0].number();
      if (!load.ramp.empty() && time <= load.ramp.back().first) {
        build.diagnostics.error(row.where(),
                                fmt::format("got time {}; expected times [s] that increase: > {}.",
                                            text::number(time), text::number(load.ramp.back().first)));
      }
      load.ramp.emplace_back(time, row.items()[1].number());
    }
  }
  build.model.loads.push_back(std::move(load));
}

/// The fixed-point iteration is written for spheres under the trapezoidal rule (theory 04 section 4).
void refuse_fixed_point(Build& build, const Value& nonlinear) {
  const std::string place = nonlinear.where();
  const Value& integrator = build.deck.at("integrator");
  if (is_complete(integrator) && integrator.string("type") != "trapezoidal") {
    build.diagnostics.error(
        place, fmt::format("\"fixed-point\" needs the trapezoidal rule; {} is \"{}\". Use \"newton\", or "
                           "\"integrator\": {{\"type\": \"trapezoidal\"}}.",
                           integrator.where(), integrator.string("type")));
  }
  std::set<int> told;
  for (const BodyDescription& body : build.model.bodies) {
    if (body.shape < 0 || body.shape >= static_cast<int>(build.shape_good.size())) continue;
    if (build.shape_good[body.shape] == 0) continue;
    const Shape& shape = build.model.shapes[body.shape];
    if (shape.kind == ShapeKind::sphere || !told.insert(body.shape).second) continue;
    build.diagnostics.error(place,
                            fmt::format("\"fixed-point\" is for spheres; {} has the shape /shapes/{}. Use "
                                        "\"newton\".",
                                        body.where, shape.name));
  }
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
  if (values.string("nonlinear") == "fixed-point") {
    solver.nonlinear = NonlinearChoice::fixed_point;
    refuse_fixed_point(build, values.at("nonlinear"));
  }
  const std::string& linear = values.string("linear");
  solver.linear = linear == "direct"      ? LinearChoice::direct
                  : linear == "iterative" ? LinearChoice::iterative
                                          : LinearChoice::automatic;
  solver.petsc_options = values.string("petsc_options");
}

}  // namespace

void add_analysis(Build& build) {
  if (const Value& title = build.deck.at("title"); is_complete(title)) build.model.title = title.string();
  if (const Value& gravity = build.deck.at("gravity"); is_complete(gravity))
    build.model.gravity = gravity.vector();
  add_time(build);
  add_integrator(build);
  for (const auto& load : build.deck.at("loads").items()) {
    if (is_complete(load)) add_load(build, load);
  }
  add_solver(build);
}

}  // namespace scree::builder

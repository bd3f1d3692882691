#include <fmt/format.h>

#include "core/text.hpp"
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

void add_integrator(Build& build) {
  const Value& values = build.deck.at("integrator");
  if (!is_complete(values)) return;
  build.model.newmark = {.beta = values.number("beta"), .gamma = values.number("gamma")};
  if (2 * build.model.newmark.beta < build.model.newmark.gamma) {
    build.diagnostics.warning(
        values.at("beta").where(),
        fmt::format("{} is below gamma/2 = {}: only small steps are stable.",
                    text::number(build.model.newmark.beta), text::number(0.5 * build.model.newmark.gamma)));
  }
}

void add_load(Build& build, const Value& values) {
  if (values.string("type") == "near_field") return add_near_field(build, values);
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

void add_solver(Build& build) {
  const Value& values = build.deck.at("solver");
  if (!is_complete(values)) return;
  SolverDescription& solver = build.model.solver;
  const Value& newton = values.at("newton");
  solver.newton_relative = newton.number("relative");
  solver.newton_absolute = newton.number("absolute");
  solver.newton_max_iterations = newton.integer("max_iterations");
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

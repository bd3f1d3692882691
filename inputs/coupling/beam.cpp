/// A sphere on a simply supported steel beam: at rest, and striking it. ./scree couple beam [--across 4] ...
/// Bodies by Scree, the beam by deal.II. Expected values: theory 13 sections 4 and 5.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "coupled_run.hpp"
#include "program.hpp"

namespace {

using namespace scree;
using namespace scree::structure;
using nlohmann::json;

constexpr double kSide = 0.01, kRadius = 0.01;
const Elastic kSteel{.young = 215.8e9, .poisson = 0.29, .density = 7960.0};

struct Options : CommonOptions {
  int along = 32, across = 2;
};

ElasticSolid beam(double length, const Options& options, int along) {
  const auto end = [length](const Place& p) { return std::min(p[0], length - p[0]) < 1e-9; };
  // The ends cannot move vertically; the mid-line of the ends not sideways, and that of one end not along the
  // beam.
  return {MPI_COMM_WORLD,
          kSteel,
          Block{.corner = Place(0.0, -kSide / 2, -kSide),
                .elements = {equal_elements(length, along), equal_elements(kSide, options.across),
                             equal_elements(kSide, options.across)}},
          {{end, 2},
           {[end](const Place& p) { return end(p) && std::abs(p[1]) < 1e-9; }, 1},
           {[](const Place& p) { return p[0] < 1e-9 && std::abs(p[2] + kSide / 2) < 1e-9; }, 0}},
          options.spread};
}

/// Deflection of Timoshenko's beam under a force at its middle, kappa = 5/6 [m].
double timoshenko(double force, double length) {
  const double inertia = std::pow(kSide, 4) / 12.0, shear = kSteel.young / (2.0 * (1.0 + kSteel.poisson));
  return force * std::pow(length, 3) / (48.0 * kSteel.young * inertia) +
         force * length / (4.0 * 5.0 / 6.0 * shear * kSide * kSide);
}

/// Stiffness of Hertz's law F = k overlap^1.5, sphere and beam of the same material [N/m^1.5].
double hertz() {
  return 2.0 / 3.0 * kSteel.young / (1.0 - kSteel.poisson * kSteel.poisson) * std::sqrt(kRadius);
}

/// The sphere is laid on the beam. Steps far longer than its oscillations, with backward differences, end in
/// the equilibrium.
void rest(const Options& options, Report& report) {
  // Twice as long: at h/L = 1/15 a solid deflects 0.13 % less than Timoshenko's beam (theory 13 section 5).
  const double length = 0.3, gravity = 9.81, step = 0.01;
  ElasticSolid solid = beam(length, options, 2 * options.along);
  json input = sphere_deck("beam", kSteel, solid.surface(),
                           {.radius = kRadius, .x = length / 2, .height = 0, .speed = 0, .gravity = gravity}, step);
  input["integrator"] = {{"type", "newmark"}, {"beta", 1.0}, {"gamma", 1.0}};
  coupling::Participant bodies = participant(input, options.results);
  CoupledRun run(bodies, "beam", solid, MPI_COMM_WORLD, options.coupled());
  solid.hold();
  for (int k = 0; k < 40; ++k) run.step(step);
  const double weight = body(bodies, 0).mass * gravity;
  const double deflection = -solid.section_deflection(length / 2);
  report.add("rest: force over weight", -run.vertical_force() / weight, 1.0, 1e-6);
  report.add("rest: deflection over Timoshenko's", deflection / timoshenko(weight, length), 1.0, 1e-3);
  const double lowered = kRadius - body(bodies, 0).position[2];
  report.add("rest: sphere lowered, over deflection and Hertz's overlap",
             lowered / (timoshenko(weight, length) + std::pow(weight / hertz(), 2.0 / 3.0)), 1.0, 2e-3);
  report.tell("rest: iterations per step", run.mean_iterations());
}

void strike(const Options& options, Report& report) {
  const double length = 0.1535, speed = 0.01, step = options.step;
  ElasticSolid solid = beam(length, options, options.along);
  coupling::Participant bodies =
      participant(sphere_deck("beam", kSteel, solid.surface(),
                              {.radius = kRadius, .x = length / 2, .height = 0, .speed = speed, .gravity = 0}, step),
                  options.results);
  CoupledRun run(bodies, "beam", solid, MPI_COMM_WORLD, options.coupled());
  Impact impact;
  while (!impact.over() && bodies.time() < 1e-3) {
    run.step(step);
    impact.add(bodies.time(), -run.vertical_force());
  }
  const double energy = 0.5 * body(bodies, 0).mass * speed * speed;
  const double rebound = body(bodies, 0).velocity[2];
  report.add("strike: largest force [N]", impact.largest(), 4.924, 0.02 * 4.924);
  report.add("strike: contact time [us]", 1e6 * impact.duration(), 158.8, 0.02 * 158.8);
  report.add("strike: rebound velocity over impact velocity", rebound / -speed, -0.2988, 0.02 * 0.2988);
  report.add(
      "strike: energy at the end over energy before",
      (solid.kinetic_energy() + solid.strain_energy() + 0.5 * body(bodies, 0).mass * rebound * rebound) /
          energy,
      1.0, 5e-3);
  report.tell("strike: iterations per step", run.mean_iterations());
  report.tell("strike: time of coupling over time of both solvers", run.times().share());
}

}  // namespace

int main(int argc, char** argv) {
  return run_program(argc, argv, [](CLI::App& app) {
    auto options = std::make_shared<Options>(
        Options{{.spread = 0.005, .step = 2e-6, .results = "results/coupled_beam"}});
    app.description("A sphere at rest on an elastic beam, and striking it.");
    app.add_option("--along", options->along, "Elements along the beam of the impact")->capture_default_str();
    app.add_option("--across", options->across, "Elements in each direction of the section, even")
        ->capture_default_str();
    options->add_to(app);
    return [options] {
      Report report;
      rest(*options, report);
      strike(*options, report);
      return report.finish(options->results);
    };
  });
}

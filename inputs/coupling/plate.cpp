/// A steel sphere strikes a large steel plate: bending waves carry energy away. ./scree couple plate
/// Bodies by Scree, the plate by deal.II. Reference: Zener's equation (theory 13 section 6), for two
/// thicknesses.
#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>
#include <string>

#include "coupled_run.hpp"
#include "program.hpp"

namespace {

using namespace scree;
using namespace scree::structure;

constexpr double kRadius = 0.01, kSpeed = 1.0;
const Elastic kSteel{.young = 210e9, .poisson = 0.3, .density = 7800.0};

struct Options : CommonOptions {
  double size = 0.3, element = 0.004, growth = 1.15;
  int through = 1;
};

/// Zener's equation s'' + (1 + lambda d/dtau) s^1.5 = 0, s(0) = 0, s'(0) = 1 [Zener].
struct Zener {
  double lambda, mass, force, restitution, duration;  ///< [kg], largest force [N], contact time [s]

  explicit Zener(double thickness) {
    mass = 4.0 / 3.0 * std::numbers::pi * std::pow(kRadius, 3) * kSteel.density;
    const double plane = kSteel.young / (1.0 - kSteel.poisson * kSteel.poisson);
    const double stiffness = 4.0 / 3.0 * plane / 2.0 * std::sqrt(kRadius);
    const double bending = plane * std::pow(thickness, 3) / 12.0;
    const double impedance = 8.0 * std::sqrt(bending * kSteel.density * thickness);
    const double time = std::pow(mass / (stiffness * std::sqrt(kSpeed)), 0.4);
    lambda = mass / (time * impedance);
    double s = 0.0, v = 1.0, largest = 0.0, t = 0.0;
    const auto acceleration = [&](double x, double rate) {
      const double root = std::sqrt(std::max(x, 0.0));
      return -(x > 0.0 ? x * root : 0.0) - 1.5 * lambda * root * rate;
    };
    const double h = 1e-4;  // classical Runge-Kutta
    do {
      const double a1 = acceleration(s, v), v2 = v + h / 2 * a1;
      const double a2 = acceleration(s + h / 2 * v, v2), v3 = v + h / 2 * a2;
      const double a3 = acceleration(s + h / 2 * v2, v3), v4 = v + h * a3;
      const double a4 = acceleration(s + h * v3, v4);
      s += h / 6 * (v + 2 * v2 + 2 * v3 + v4);
      v += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
      t += h;
      largest = std::max(largest, std::pow(std::max(s, 0.0), 1.5));
    } while (s > 0.0);
    // The velocity of the sphere is that of s less that of the plate, lambda s^1.5, which is 0 at the end.
    restitution = -v;
    force = largest * mass * kSpeed / time;
    duration = t * time;
  }
};

void strike(double thickness, const Options& options, Report& report) {
  const Zener expected(thickness);
  const std::vector<double> elements = graded_elements(options.size, options.element, 4, options.growth);
  // No supports: no wave returns from the edges within the contact.
  ElasticSolid solid(MPI_COMM_WORLD, kSteel,
                     Block{.corner = Place(-options.size / 2, -options.size / 2, -thickness),
                           .elements = {elements, elements, equal_elements(thickness, options.through)}},
                     {}, options.spread);
  coupling::Participant bodies = participant(
      sphere_deck("plate", kSteel, solid.surface(),
                  {.radius = kRadius, .x = 0, .height = 0, .speed = kSpeed, .gravity = 0}, options.step),
      options.results);
  CoupledRun run(bodies, "plate", solid, MPI_COMM_WORLD, options.coupled());
  Impact impact;
  while (!impact.over() && bodies.time() < 5e-4) {
    run.step(options.step);
    impact.add(bodies.time(), -run.vertical_force());
  }
  const double mass = body(bodies, 0).mass, rebound = body(bodies, 0).velocity[2];
  const std::string name = std::to_string(static_cast<int>(std::lround(1e3 * thickness))) + " mm: ";
  report.tell(name + "lambda", expected.lambda);
  report.tell(name + "unknowns of the plate", solid.unknowns());
  report.add(name + "coefficient of restitution", rebound / kSpeed, expected.restitution,
             0.03 * expected.restitution);
  report.add(name + "largest force [N]", impact.largest(), expected.force, 0.03 * expected.force);
  report.tell(name + "contact time over Zener's", impact.duration() / expected.duration);
  report.add(name + "energy at the end over energy before",
             (solid.kinetic_energy() + solid.strain_energy() + 0.5 * mass * rebound * rebound) /
                 (0.5 * mass * kSpeed * kSpeed),
             1.0, 5e-3);
  report.tell(name + "iterations per step", run.mean_iterations());
  const CoupledTimes times = run.times();
  report.tell(name + "time of bodies [s]", times.bodies);
  report.tell(name + "time of the plate [s]", times.structure);
  report.tell(name + "time of coupling over time of both solvers", times.share());
}

}  // namespace

int main(int argc, char** argv) {
  return run_program(argc, argv, [](CLI::App& app) {
    auto options = std::make_shared<Options>(
        Options{{.spread = 0.008, .step = 5e-7, .results = "results/coupled_plate"}});
    app.description("A sphere strikes a large elastic plate, 10 mm and 5 mm thick.");
    app.add_option("--size", options->size, "Length of the sides [m]")->capture_default_str();
    app.add_option("--element", options->element, "Size of elements in the middle [m]")
        ->capture_default_str();
    app.add_option("--growth", options->growth, "Ratio of the sizes of neighbours")->capture_default_str();
    app.add_option("--through", options->through, "Elements through the thickness")
        ->check(CLI::PositiveNumber)
        ->capture_default_str();
    options->add_to(app);
    return [options] {
      Report report;
      strike(0.010, *options, report);
      strike(0.005, *options, report);
      return report.finish(options->results);
    };
  });
}

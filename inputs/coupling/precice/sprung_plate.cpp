/// A rigid plate on four springs: the second participant of a coupling with Scree by preCICE, or coupled with
/// Scree in this program, for comparison. ./scree couple precice runs both (run.py).
#include <mpi.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <memory>
#include <precice/precice.hpp>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "io/coupling/participant.hpp"

namespace {

constexpr double kHalf = 0.5;  ///< of a side [m]; springs are at the corners

/// Heave and two small rotations: three oscillators without coupling, trapezoidal rule.
struct Plate {
  static constexpr double kMass = 0.5, kStiffness = 2e4;  ///< [kg], [N/m] all springs together
  std::array<double, 3> q{}, v{}, a{};                    ///< [m, rad], ...

  /// @param load force [N], moments about x and y [N m] at the end of a step of h [s].
  void step(const std::array<double, 3>& load, double h) {
    // A plate of constant thickness, springs at the corners.
    const std::array<double, 3> inertia{kMass, kMass * kHalf * kHalf / 3, kMass * kHalf * kHalf / 3};
    const std::array<double, 3> stiffness{kStiffness, kStiffness * kHalf * kHalf, kStiffness * kHalf * kHalf};
    for (std::size_t i = 0; i < 3; ++i) {
      const double predicted = q[i] + h * v[i] + h * h / 4 * a[i], half = v[i] + h / 2 * a[i];
      a[i] = (load[i] - stiffness[i] * predicted) / (inertia[i] + h * h / 4 * stiffness[i]);
      q[i] = predicted + h * h / 4 * a[i];
      v[i] = half + h / 2 * a[i];
    }
  }
};

/// Displacements of places, 3 coordinates each [m].
std::vector<double> displaced(std::span<const double> places, const std::array<double, 3>& q) {
  std::vector<double> u(places.size(), 0.0);
  for (std::size_t k = 0; k < u.size(); k += 3) u[k + 2] = q[0] + q[1] * places[k + 1] - q[2] * places[k];
  return u;
}

/// Force and moments of forces on these places.
std::array<double, 3> resultant(std::span<const double> places, std::span<const double> forces) {
  std::array<double, 3> load{};
  for (std::size_t k = 0; k < places.size(); k += 3) {
    load[0] += forces[k + 2];
    load[1] += places[k + 1] * forces[k + 2];
    load[2] -= places[k] * forces[k + 2];
  }
  return load;
}

struct Options {
  std::string config = "precice-config.xml", deck, out = "plate.csv", start, save;
  double window = 1e-4, end = 8e-3;
  int substeps = 1;
  long stop_after = -1, spoil_after = -1;
};

/// One row per window: time, heave, rotations, force, solutions.
class Table {
 public:
  explicit Table(const std::string& name) : file_(name) {
    file_.precision(17);
    file_ << "time,heave,turn_x,turn_y,force,solutions\n";
  }
  void add(double time, const Plate& plate, double force, int solutions) {
    file_ << time << ',' << plate.q[0] << ',' << plate.q[1] << ',' << plate.q[2] << ',' << force << ','
          << solutions << std::endl;
  }

 private:
  std::ofstream file_;
};

Plate read_state(const std::string& name) {
  Plate plate;
  if (name.empty()) return plate;
  std::ifstream file(name);
  for (auto* list : {&plate.q, &plate.v, &plate.a})
    for (double& value : *list) file >> value;
  if (!file) throw std::runtime_error("cannot read " + name);
  return plate;
}

void write_state(const std::string& name, const Plate& plate) {
  if (name.empty()) return;
  std::ofstream file(name);
  file.precision(17);
  for (const auto* list : {&plate.q, &plate.v, &plate.a})
    for (const double value : *list) file << value << '\n';
  if (!file) throw std::runtime_error("cannot write " + name);
}

/// The plate as a participant of preCICE, with steps smaller than a window if so chosen.
void by_precice(const Options& options) {
  precice::Participant side("Plate", options.config, 0, 1);
  std::vector<double> places;
  constexpr int kPoints = 4;
  for (int j = 0; j < kPoints; ++j)
    for (int i = 0; i < kPoints; ++i)
      places.insert(places.end(),
                    {-kHalf + 2 * kHalf * i / (kPoints - 1), -kHalf + 2 * kHalf * j / (kPoints - 1), 0.0});
  std::vector<precice::VertexID> ids(places.size() / 3);
  side.setMeshVertices("Plate-Mesh", places, ids);
  Plate plate = read_state(options.start), accepted = plate;
  if (side.requiresInitialData())
    side.writeData("Plate-Mesh", "Displacement", ids, displaced(places, plate.q));
  side.initialize();
  Table table(options.out);
  std::vector<double> forces(places.size());
  double time = 0, start = 0;
  int solutions = 1;
  long windows = 0;
  while (side.isCouplingOngoing()) {
    if (side.requiresWritingCheckpoint()) {
      accepted = plate;
      start = time;
    }
    // The last window may be shorter.
    const double left = side.getMaxTimeStepSize();
    double h = options.window / options.substeps;
    if (h > left * (1 - 1e-9)) h = left;
    side.readData("Plate-Mesh", "Force", ids, h, forces);
    const std::array<double, 3> load = resultant(places, forces);
    plate.step(load, h);
    time += h;
    std::vector<double> u = displaced(places, plate.q);
    if (windows == options.spoil_after) u[2] = std::nan("");
    side.writeData("Plate-Mesh", "Displacement", ids, u);
    side.advance(h);
    if (side.requiresReadingCheckpoint()) {
      plate = accepted;
      time = start;
      ++solutions;
    } else if (side.isTimeWindowComplete()) {
      table.add(time, plate, load[0], solutions);
      solutions = 1;
      if (++windows == options.stop_after) std::_Exit(3);  // as if killed
    }
  }
  side.finalize();
  write_state(options.save, plate);
}

/// The same coupling in one process: what a converged window of preCICE has to give.
void alone(const Options& options) {
  using namespace scree::coupling;
  Participant bodies(options.deck, MPI_COMM_WORLD, {.write_outputs = false});
  const Surface surface = bodies.add_surface("plate");
  bodies.initialize();
  const std::vector<double>& places = bodies.mesh(surface).reference;
  std::vector<double> forces(places.size());
  Plate plate = read_state(options.start);
  std::array<double, 3> last{};
  Table table(options.out);
  for (double time = 0; time < options.end * (1 - 1e-12);) {
    const double window = std::min(options.window, options.end - time);
    std::array<double, 3> guess = plate.q, change{}, load{};
    double factor = 0.5;
    Plate next;
    int solutions = 1;
    for (;; ++solutions) {
      bodies.set_motion(surface, displaced(places, guess));
      const StepReport report = bodies.solve_step(window);
      if (!report.converged() || solutions == 100)
        throw std::runtime_error("no convergence " + report.message);
      bodies.forces(surface, forces);
      load = resultant(places, forces);
      next = plate;
      for (int k = 1; k <= options.substeps; ++k) {
        // preCICE interpolates between the ends of windows.
        const double part = static_cast<double>(k) / options.substeps;
        std::array<double, 3> now{};
        for (std::size_t i = 0; i < 3; ++i) now[i] = last[i] + part * (load[i] - last[i]);
        next.step(now, window / options.substeps);
      }
      std::array<double, 3> residual{};
      double error = 0, size = 0, dot = 0, square = 0;
      for (std::size_t i = 0; i < 3; ++i) {
        residual[i] = next.q[i] - guess[i];
        error += residual[i] * residual[i];
        size += next.q[i] * next.q[i];
        dot += change[i] * (residual[i] - change[i]);
        square += (residual[i] - change[i]) * (residual[i] - change[i]);
      }
      if (error <= 1e-24 * size) break;
      if (solutions > 1 && square > 0) factor *= -dot / square;  // Aitken
      for (std::size_t i = 0; i < 3; ++i) guess[i] += factor * residual[i];
      change = residual;
    }
    bodies.accept();
    plate = next;
    last = load;
    time += window;
    table.add(time, plate, load[0], solutions);
  }
  write_state(options.save, plate);
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("A plate on four springs, struck by bodies of Scree.");
  Options options;
  app.add_option("--config", options.config, "Configuration of preCICE")->capture_default_str();
  app.add_option("--deck", options.deck, "Deck of Scree: couple in this program, without preCICE");
  app.add_option("--window", options.window, "Time window [s]")->capture_default_str();
  app.add_option("--end", options.end, "End, without preCICE [s]")->capture_default_str();
  app.add_option("--substeps", options.substeps, "Steps of the plate in a window")->capture_default_str();
  app.add_option("--out", options.out, "Table")->capture_default_str();
  app.add_option("--start", options.start, "State to continue from");
  app.add_option("--save", options.save, "File for the state at the end");
  app.add_option("--stop-after", options.stop_after, "Disappear after so many windows");
  app.add_option("--spoil-after", options.spoil_after, "Write NaN after so many windows");
  CLI11_PARSE(app, argc, argv);
  MPI_Init(&argc, &argv);
  int status = 0;
  try {
    if (options.deck.empty())
      by_precice(options);
    else
      alone(options);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "sprung_plate: %s\n", error.what());
    status = 1;
  }
  MPI_Finalize();
  return status;
}

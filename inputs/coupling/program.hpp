/// What the coupled programs share: start and end, figures beside their references, bodies.
#pragma once

#include <CLI/CLI.hpp>
#include <array>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "coupled_run.hpp"
#include "elastic_solid.hpp"
#include "io/coupling/participant.hpp"

namespace scree::structure {

/// Starts MPI and PETSc, reads the command line and works. @param prepare adds options and @returns the work,
/// which
/// @returns the exit status. Errors are printed; the status is then 1.
int run_program(int argc, char** argv, const std::function<std::function<int()>(CLI::App&)>& prepare);

/// What the user may choose in all programs.
struct CommonOptions {
  double spread, step;  ///< radius of means [m], time step [s]
  std::string results, acceleration = "aitken";

  void add_to(CLI::App& app);
  [[nodiscard]] CoupledOptions coupled() const;
};

/// A sphere above the surface of a solid, of the same material.
struct Sphere {
  double radius, x, height;  ///< height of its lowest point, above y = 0 [m]
  double speed, gravity;     ///< downwards [m/s], [m/s^2]
};

/// @returns the deck of bodies on the boundary `name`, which moves with a solid: Hertz's law, Newmark's
/// method without damping.
nlohmann::json sphere_deck(const std::string& name, const Elastic& material, const UpperSurface& surface,
                           const Sphere& sphere, double step);

/// The entry of "boundaries" for a surface that moves with a solid.
nlohmann::json coupled_boundary(const std::string& name, const std::string& material,
                                const UpperSurface& surface);

/// @param deck with relative paths from `folder`. Collective.
coupling::Participant participant(const nlohmann::json& deck, const std::string& folder,
                                  coupling::Options options = {.write_outputs = false});

/// @returns whether this is rank 0.
bool root_rank();

struct BodyNow {
  double mass;                               ///< [kg]
  std::array<double, 3> position, velocity;  ///< [m], [m/s]
};
/// @param id of a body that exists. @returns its accepted state on all ranks. Collective.
BodyNow body(const coupling::Participant& bodies, long id);

/// Figures of a run: on standard output, and in measured.json.
class Report {
 public:
  void add(const std::string& quantity, double measured, double expected, double tolerance);
  void tell(const std::string& quantity, double measured);
  /// Writes `folder`/measured.json. @returns the exit status: 1 if a figure is beyond its tolerance.
  int finish(const std::string& folder) const;

 private:
  nlohmann::json all_ = nlohmann::json::array();
  bool passed_ = true;
};

/// Largest force and duration of the first contact.
class Impact {
 public:
  /// @param force at the end of a step [N].
  void add(double time, double force);
  [[nodiscard]] bool over() const { return over_; }
  [[nodiscard]] double largest() const { return largest_; }        ///< [N]
  [[nodiscard]] double duration() const { return end_ - begin_; }  ///< [s]

 private:
  double largest_ = 0.0, begin_ = -1.0, end_ = 0.0, time_ = 0.0;
  std::array<double, 2> times_{}, forces_{};  ///< of the last two steps with contact
  bool over_ = false;
};

}  // namespace scree::structure

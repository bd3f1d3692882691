/// Surfaces and steps of a coupled run as values.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace scree::coupling {

/// This rank's part of a coupled surface, as a partner gives it. Vertices that several ranks need repeat on
/// all of them, with the same number and place. Every rank may have all of it, or nothing.
struct SurfaceMesh {
  std::span<const double> reference;      ///< 3 per vertex [m]: at rest
  std::span<const std::int64_t> id = {};  ///< global number per vertex; empty: its place in `reference`
  std::span<const int> triangles = {};    ///< 3 local vertices each, anticlockwise seen from outside
};

/// The same, of one's own.
struct SurfaceCopy {
  std::vector<double> reference;
  std::vector<std::int64_t> id;
  std::vector<int> triangles;
};

/// A coupled surface of one participant, from Participant::add_surface.
struct Surface {
  int number = -1;
  const void* participant = nullptr;  ///< says whose it is
};

enum class Status {
  converged,   ///< the state at the end of the step waits for `accept`
  infeasible,  ///< the motion pushes the surface through bodies that cannot give way: shorten the increment
  failed       ///< solver failure: a smaller step, another tolerance
};

/// How Participant::solve_step ended; the same on all ranks.
struct StepReport {
  Status status = Status::failed;
  double reached = 0;   ///< time up to which it could be solved [s]
  int substeps = 0;     ///< of Scree within the step
  int newton = 0;       ///< Newton iterations in all of them
  double min_gap = 0;   ///< smallest gap of a contact at the end, negative: overlap; infinity without any [m]
  std::string message;  ///< of a step that did not converge: reason and remedy
  [[nodiscard]] bool converged() const { return status == Status::converged; }
};

/// Which forces `forces`, `tractions` and `resultant` mean.
enum class ForceOf {
  end,  ///< at the end of the step; with the integrator "energy" the mean as well
  /// The mean over the step: times dt the momentum that bodies gave to the surface. Exact for Newmark's
  /// method and the trapezoidal rule; of variational methods, whose forces are not those of the ends of their
  /// steps, to first order in the step.
  mean
};

struct Options {
  ForceOf force = ForceOf::end;
  bool write_outputs = true;  ///< report.json and all that the deck's "output" requests; `accept` writes
  bool write_log = false;     ///< start block, progress lines and summary on standard output
  /// Of its solvers in PETSc; "": "scree_". Participants that live at once, also the two of a move
  /// assignment, need different ones if their decks have petsc_options: the end of one takes its options
  /// back.
  std::string options_prefix{};
  std::vector<std::string> petsc_options{};  ///< of the command line: checkpoints keep them for a resume
};

}  // namespace scree::coupling

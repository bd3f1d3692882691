/// One Newton solve of a step by SNES: no iterate penetrates, and failing to converge is a normal outcome.
#pragma once

#include <optional>
#include <string>

#include "assembly/callback_guard.hpp"
#include "assembly/compact_matrix.hpp"
#include "assembly/petsc.hpp"
#include "solvers/compliant/compliant_problem.hpp"
#include "solvers/run/step_report.hpp"

namespace scree {

/// What Newton's method has to be prepared for, beside the choices of the deck.
struct NewtonStyle {
  /// "linear": "auto" takes a direct solver: without inertia, a pile is stiff and soft at once, and the
  /// iterative solver is not good at that.
  bool direct = false;
  int most_worse = 0;  ///< so many iterates in succession may be worse than the best one (by kWorse)
};

/// SNES with the prefix of the simulation (`-scree_`): Newton, line search limited to collision-free steps,
/// tolerances in newton.
class NonlinearStep {
 public:
  /// @param problem outlives this object.
  explicit NonlinearStep(CompliantProblem& problem, NewtonStyle style = {});

  /// Solves for the increment of the step that `CompliantProblem::prepare` set up. Collective.
  /// On success the problem's last evaluated state is the solution.
  StepReport solve();

  /// Makes the solver with this linear solver and sets it up with the tangent of the first guess, so that it
  /// reads its options.
  /// @returns false if the first guess could not be evaluated. Collective. @throws RunError if PETSc does not
  /// take an option.
  bool set_up(LinearChoice linear);

  /// Residual norms of the iterates of the last solve [N], first guess included: for tests of the order.
  [[nodiscard]] const std::vector<double>& history() const { return history_; }
  /// What was unusual in all solves so far. The same on all ranks.
  [[nodiscard]] const SolverNotes& notes() const { return notes_; }
  /// Notes that another solve of the last step needed a direct solver.
  void note_factored() { ++notes_.factored; }
  /// Continues counting from these.
  void set_notes(const SolverNotes& notes) { notes_ = notes; }

 private:
  static PetscErrorCode function(SNES snes, Vec y, Vec r, void* context);
  static PetscErrorCode jacobian(SNES snes, Vec y, Mat a, Mat p, void* context);
  static PetscErrorCode converged(SNES snes, PetscInt it, PetscReal xnorm, PetscReal snorm, PetscReal fnorm,
                                  SNESConvergedReason* reason, void* context);
  static PetscErrorCode line_search(SNESLineSearch search, void* context);
  void search_along(SNESLineSearch search);
  [[nodiscard]] LinearChoice linear_choice() const;
  void create(LinearChoice linear);
  /// Computes the tangent at y and what the linear solver is given. Collective.
  /// @param tolerance of the residual, see CompliantProblem::tangent [N].
  void update_tangent(Vec y, double tolerance);
  StepReport solve_once();
  /// @returns why the linear solver failed; notes in the report if no other step would help.
  [[nodiscard]] std::string linear_failure();
  bool try_state(Vec from, Vec direction, double lambda, Vec to, Vec residual);
  /// Whether the search may end at the trial state that was evaluated last.
  struct Search;
  [[nodiscard]] bool accepts(const Search& search, double lambda, double work) const;
  void take(SNESLineSearch search, Vec trial, Vec residual, double lambda);
  /// Whether the residual last evaluated is what rounding leaves. Collective.
  [[nodiscard]] bool is_at_floor() const;
  /// Takes the start of a search whose residual is what rounding leaves. @returns false if it is not, or the
  /// start cannot be evaluated again: the problem then stands at the start. Collective.
  bool take_start_at_floor(SNESLineSearch search);
  void note(const StepReport& report);

  CompliantProblem* problem_;
  NewtonStyle style_;
  petsc::CallbackGuard guard_;
  petsc::SnesHandle snes_;
  petsc::VecHandle y_, r_;
  petsc::VecHandle island_scale_;          ///< of weigh_islands
  petsc::MatHandle called_with_;           ///< what the last tangent may have replaced
  std::optional<CompactMatrix> factored_;  ///< what a direct solver of many unknowns is given
  bool direct_instead_ = false;
  double tolerance_ = 0;
  double best_merit_ = 0;          ///< of the iterates of this solve
  double largest_merit_ = 0;       ///< of the iterates of this solve
  int updates_ = 0;                ///< of this solve
  int worse_ = 0;                  ///< iterates in succession that were not better
  bool started_at_floor_ = false;  ///< the last search ended where it began
  StepReport report_;
  SolverNotes notes_;
  std::vector<double> history_;
};

}  // namespace scree

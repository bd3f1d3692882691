/// Where a time integrator evaluates the forces of a step, and the way from there to the end of the step
/// (theory 02 section 1).
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "contact/pair/pair_commit.hpp"
#include "elements/integrators/integrator.hpp"
#include "solvers/run/step_frame.hpp"
#include "solvers/world/passage.hpp"
#include "solvers/world/world.hpp"

namespace scree {

/// Contacts see a step that is not the integrator's: one that lasts so long that no dashpot acts.
struct LastingStep {
  double h = 0;  ///< [s]
  std::optional<double> switches_of =
      std::nullopt;  ///< a time within the step, for what is switched in time [s]
};

class StepStage {
 public:
  /// @param world outlives this object.
  StepStage(World& world, std::shared_ptr<const elements::Integrator> integrator);

  [[nodiscard]] const elements::Integrator& integrator() const { return *integrator_; }
  [[nodiscard]] elements::ForceStage stage() const { return integrator_->stage(); }
  [[nodiscard]] const StepFrame& frame() const { return frame_; }
  /// Whether bodies are elsewhere than in the accepted state when the forces of the step are evaluated.
  [[nodiscard]] bool moves_bodies() const;

  /// Contacts see such a step from now on, for every integrator's step.
  void set_lasting(const LastingStep& lasting) { lasting_ = lasting; }
  [[nodiscard]] bool is_lasting() const { return lasting_.has_value(); }

  /// Sets the times of the forces of a step, for loads and contacts.
  void begin(const StepFrame& frame);
  /// For stage `start`: evaluates the conservative part of the forces, at the accepted state.
  void keep_conservative_forces();
  /// For steps whose forces are secants: evaluates the loads at the accepted state.
  void keep_loads_at_start();
  /// Evaluates the forces at the trial state into the world's residual. @param moved per body: its trial
  /// state is not that of the last evaluation.
  void evaluate(const std::vector<char>& moved);
  /// Adds inertia and the tangent of the forces last evaluated to the world's rows that are assembled.
  void add_tangent();

  /// Evaluates all forces of the accepted state at `time` [s], for step limits and outputs. Trial states must
  /// be the accepted ones. @param meanwhile called while contacts that only just began are known.
  void evaluate_accepted(double time, const std::function<void()>& meanwhile = {});
  /// The same at the start of the step, which is rejected, with the states that were accepted then.
  /// @throws RunError on all ranks where it cannot be evaluated again on one of them. Collective.
  void return_to_start();

  /// At the solution of the step, for stages but `end`: keeps what the forces there do.
  void keep_impulses();
  /// @returns an obstacle between the stage and the end of the step. Collective.
  [[nodiscard]] Obstacle obstacle_to_end(Passage& passage);
  /// Moves bodies to the end of the step, with the velocities that the impulses make, and evaluates the
  /// forces there. @returns the reason of a failure, on all ranks; "" on success. Collective.
  [[nodiscard]] std::string move_to_end();
  /// States at the start of the step: those that are accepted, unless `move_to_end` has changed them.
  [[nodiscard]] const std::vector<BodyState>& states_at_start() const;

  /// Losses of the step by the forces of the stage, where they are other than those at its end.
  void correct_losses(contact::StepLosses& losses) const;
  /// Accepts the states at the end of the step. Collective.
  void commit();

 private:
  /// Times of loads and contacts at the stage.
  void set_times();
  void begin_contacts(double time, double h);
  void evaluate_all();
  void evaluate_forces(const std::vector<char>& moved);
  [[nodiscard]] double time_of_loads() const;
  /// Whether loads act with the mean of their values at both ends of the step, as their work is.
  [[nodiscard]] bool mean_loads() const;
  void set_still();
  void add_dissipative_impulses();
  void accept_end_velocities();
  /// Runs on all ranks. @returns the first failure of this rank, or that another rank failed; "" on
  /// success. Collective.
  template <class Evaluate>
  std::string failure_anywhere(Evaluate&& evaluate) const;

  World* world_;
  std::shared_ptr<const elements::Integrator> integrator_;
  std::optional<LastingStep> lasting_;
  StepFrame frame_;                     ///< of the step under way
  std::vector<double> forces_;          ///< residual of contacts and loads at the stage, virtual spins
  std::vector<double> loads_at_start_;  ///< residual of the loads, in steps whose forces are secants
  std::vector<double> conservative_;    ///< their conservative part at the accepted state (stage `start`)
  contact::StepLosses work_;      ///< of the step, with the energy in springs at its start (stage `middle`)
  std::vector<Vec6> impulses_;    ///< per owned body over the step [N s], [N m s]
  std::vector<BodyState> start_;  ///< between move_to_end and the end of the step: where it began
};

}  // namespace scree

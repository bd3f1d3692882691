/// How large the next step may be, and why (theory 09 section 4; deck: time/step).
#pragma once

#include <algorithm>
#include <limits>
#include <map>
#include <string>

#include "contact/bounds/step_limits.hpp"
#include "solvers/model.hpp"
#include "solvers/run/pace.hpp"
#include "solvers/run/step_report.hpp"

namespace scree {

/// Chooses step sizes. The same on all ranks if its inputs are.
class StepControl {
 public:
  /// Cause of rejections that are a part of the method.
  static constexpr const char* kTurned = "rotation by an impact";

  /// @param closing name of the limit StepLimits::closing in the summary.
  explicit StepControl(const TimeDescription& time, const char* closing = "gap closure")
      : time_(time), closing_(closing), next_(time.step) {}

  /// Size of the next step from `now`. @param event next time that a step has to meet exactly [s].
  /// @param limits of the accepted state, the smallest over ranks (adaptive steps only).
  double next(double now, double event, const contact::StepLimits& limits);

  /// The step under way ends where its caller wants: the next one grows from its size. (Windows of a coupling
  /// are solved again and again: from a larger step the number of steps in them would change.)
  void grow_from_taken() { proposed_ = 0; }

  /// Adaptive steps: what the next one is at most, whatever the limits [s].
  [[nodiscard]] double longest() const { return std::min({next_, time_.max, pace_.longest()}); }
  /// An attempt to solve a step took so many iterations.
  void spent(int iterations) { pace_.spent(iterations); }

  /// Error of a step in the energy of a contact over what is tolerated: up to 1 the step is to be taken.
  /// @param reference energy of the run (EnergyLedger::reference) [J].
  [[nodiscard]] double excess(const EnergyErrors& errors, double reference) const;
  /// Tension of a bond above the one that breaks it, over what is tolerated: as above. 0 with fixed steps.
  /// @param load tension over the breaking force.
  [[nodiscard]] double excess_of_bonds(double load) const;
  /// Angle by which impacts turn a body further or less far than its spin before, over what is tolerated: as
  /// above (theory 11 section 7). @param turn StepReport::impact_turn [rad].
  [[nodiscard]] double excess_of_turn(double turn) const;
  /// The worst of a converged step.
  struct Coarseness {
    double excess = 0;         ///< as above
    double beside_energy = 0;  ///< of what is no energy error
    const char* cause = "";    ///< of a rejection
  };
  /// @param reference as above.
  [[nodiscard]] Coarseness coarseness(const StepReport& step, double reference) const;
  /// Adaptive steps: whether the energy error of a rejected step is a jump, which did not fall as the step
  /// was reduced twice, and one that is nothing to the run. Then the step is to be taken: no other is better.
  /// @param taken its size [s]. @param reference as above.
  bool is_jump(double now, double taken, const EnergyErrors& errors, double reference);
  /// The step was accepted. @param taken its size [s]. @param excess of its energy errors.
  /// @returns whether a smaller one would have been better, but could not be had.
  bool accepted(double now, double taken, double excess);
  /// The step failed. @param excess of its energy errors, if that is why; 0: it failed otherwise.
  /// @returns false if it cannot be cut further.
  bool cut(double now, double taken, double excess = 0);

  /// The size of the step under way is not from next(): why.
  void set_cause(const char* cause) {
    cause_ = cause;
    proposed_ = 0;
    overruled_ = 0;
    at_event_ = false;
  }

  /// How often which limit set the size of an accepted adaptive step.
  [[nodiscard]] const std::map<std::string, long>& limit_causes() const { return causes_; }
  /// Accepted steps for which the deck's smallest step was longer than a limit by gaps or oscillation.
  [[nodiscard]] const Overrules& overrules() const { return overrules_; }

  template <class Self, class Archive>
  static void visit(Self& self, Archive& archive) {
    archive("next", self.next_, "s");
    archive("grid", self.grid_, "");
    archive("halvings", self.halvings_, "");
    archive("soft", self.soft_, "");
    archive("first", self.first_, "");
    archive("cut", self.cut_, "");
    archive("overrules", self.overrules_, "");
    archive("causes", self.causes_, "");
    archive("pace", self.pace_, "");
  }

 private:
  /// Fixed steps: `grid_` is the last point of the grid that `now` has reached.
  void find_on_grid(double now);

  TimeDescription time_;
  const char* closing_;
  double proposed_ = 0;              ///< adaptive: size of the step under way but for the next event
  double next_ = 0;                  ///< adaptive: size before limits; fixed: unused
  long grid_ = 0;                    ///< fixed: points of the grid that were reached
  int halvings_ = 0;                 ///< fixed: of the step under way
  int soft_ = 0;                     ///< fixed: of these, as the step was too coarse, not unsolved
  int more_ = 0;                     ///< fixed: halvings that it may have beyond those of a whole step
  bool at_event_ = false;            ///< the step under way ends at the next event
  bool first_ = true, cut_ = false;  ///< adaptive: no step yet; the step is a repeated, smaller one
  const char* cause_ = "";           ///< adaptive: of the size of the step under way
  /// Attempts from one time, each smaller than the one before, that were rejected for their energy errors.
  struct Rejected {
    double from = -std::numeric_limits<double>::infinity();  ///< [s]
    double first = 0, last = 0;                              ///< sizes [s]
    double error = 0;                                        ///< EnergyErrors::relative of the last one
    int same = 0;                                            ///< how often in a row it did not fall
  };
  Rejected rejected_;
  double after_jump_ = 0;  ///< size of the step after the one under way [s]; 0: as its error says
  double overruled_ = 0;   ///< of the step under way: size over the limit; 0 if not overruled
  Overrules overrules_;
  std::map<std::string, long> causes_;
  Pace pace_;
};

}  // namespace scree

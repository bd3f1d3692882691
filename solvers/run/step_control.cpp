#include "solvers/run/step_control.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>

namespace scree {
namespace {

/// What sets sizes of steps, as in the summary.
constexpr const char* kMaximum = "maximum step";
constexpr const char* kCut = "cutback";
constexpr const char* kGrown = "step growth";
constexpr const char* kPaced = "cost of Newton iterations";

/// Growth from the step actually taken (theory 09 section 4, limit 3).
constexpr double kGrowth = 1.4;
constexpr int kMostHalvings = 10;

/// Errors in the energy of a contact that a step may make (theory 09 section 4): of the energy at play in it,
/// and, for contacts that matter to the whole, of the reference energy of the run.
constexpr double kOfContact = 2e-2;
constexpr double kOfRun = 1e-3;
/// An error that remains more than this part as the step is reduced to half or less, so often in a row, is a
/// jump. What it may be of the reference energy of the run to be let pass.
constexpr double kRemains = 0.8;
constexpr int kSame = 2;
constexpr double kOfJump = 1e-5;
/// Part by which the tension of a bond may exceed the force that breaks it.
constexpr double kOvershoot = 0.05;
/// Change of spin by an impact times the step (theory 11 section 7) [rad]: errors of its impulse stay below 5
/// %.
constexpr double kTurnOfImpact = 0.03;
/// Steps aim at this part of it.
constexpr double kAim = 0.5;
/// The size of a rejected step is reduced to this part of its size at least.
constexpr double kShortest = 0.1;

/// Factor by which a step should be longer: its error goes with the third power of its size. One of few, so
/// that sizes do not follow the round-off of errors.
double better(double excess) {
  constexpr double kPerDoubling = 4;
  constexpr double kRoundOff = 1e-9;
  return std::exp2(std::floor(kPerDoubling * std::log2(std::cbrt(kAim / excess)) + kRoundOff) / kPerDoubling);
}

}  // namespace

double StepControl::excess(const EnergyErrors& errors, double reference) const {
  // Coarse steps are chosen where nobody wants single impacts resolved.
  const double coarse = time_.adaptive ? std::max(time_.resolution, 1.0) : 1.0;
  const double of_run = reference > 0 ? errors.absolute / (kOfRun * reference) : 0;
  return std::max(errors.relative / kOfContact, std::min(errors.relative / kOfRun, of_run)) /
         (coarse * coarse * coarse);
}

double StepControl::excess_of_bonds(double load) const {
  if (!time_.adaptive) return 0;
  return std::max(load - 1, 0.0) / (kOvershoot * std::max(time_.resolution, 1.0));
}

double StepControl::excess_of_turn(double turn) const {
  // Of first order in the step, and reduced as an energy error is.
  const double ratio = turn / (kTurnOfImpact * time_.resolution);
  return ratio * ratio * ratio;
}

StepControl::Coarseness StepControl::coarseness(const StepReport& step, double reference) const {
  const double of_bonds = excess_of_bonds(step.bond_load);
  const double of_turn = excess_of_turn(step.impact_turn);
  const double of_energy = excess(step.energy_errors, reference);
  const double beside_energy = std::max(of_bonds, of_turn);
  if (of_energy > beside_energy) return {of_energy, beside_energy, "energy error of a contact"};
  return {beside_energy, beside_energy, of_turn > of_bonds ? kTurned : "bond breaks above its force"};
}

double StepControl::next(double now, double event, const contact::StepLimits& limits) {
  double h = 0;
  overruled_ = 0;
  if (time_.adaptive) {
    h = longest();
    cause_ = !(h < time_.max) ? kMaximum : cut_ ? kCut : first_ ? "initial step" : kGrown;
    if (pace_.longest() < std::min(next_, time_.max)) cause_ = kPaced;
    if (limits.closing < h) {
      h = limits.closing;
      cause_ = closing_;
    }
    if (limits.oscillation < h) {
      h = limits.oscillation;
      cause_ = "contact oscillation";
    }
    if (limits.turning < h) {
      h = limits.turning;
      cause_ = "rotation";
    }
    if (h < time_.min) {
      // The minimum of the deck overrules step-size limits below it.
      if (std::min(limits.closing, limits.oscillation) < time_.min)
        overruled_ = time_.min / std::min(limits.closing, limits.oscillation);
      h = time_.min;
      cause_ = "minimum step";
    }
  } else {
    find_on_grid(now);
    const double target = time_.step * static_cast<double>(grid_ + 1);
    h = std::ldexp(time_.step, -halvings_);
    if (now + h > target * (1 - 1e-12)) h = target - now;
  }
  proposed_ = h;
  // Avoids a tiny last step before an event: this step extends to the event, or the remainder is halved.
  const double left = std::min(event, time_.end) - now;
  at_event_ = h > left * (1 - 1e-9);
  if (at_event_)
    h = left;
  else if (time_.adaptive && 2 * h > left)
    h = 0.5 * left;
  else
    return h;
  cause_ = "next event or end time";
  return h;
}

bool StepControl::is_jump(double now, double taken, const EnergyErrors& errors, double reference) {
  if (!time_.adaptive) return false;
  // One that is not smaller begins anew, as after a restore.
  if (now != rejected_.from || taken >= rejected_.last) rejected_ = {.from = now, .first = taken};
  const bool remains =
      rejected_.last > 0 && taken <= 0.5 * rejected_.last && errors.relative >= kRemains * rejected_.error;
  rejected_.same = remains ? rejected_.same + 1 : 0;
  rejected_.last = taken;
  rejected_.error = errors.relative;
  if (rejected_.same < kSame || errors.absolute > kOfJump * reference) return false;
  after_jump_ = rejected_.first;
  return true;
}

bool StepControl::accepted(double now, double taken, double excess) {
  if (time_.adaptive) {
    ++causes_[cause_];
    const std::string_view cause = cause_;
    pace_.accepted(taken, time_.max,
                   cause == kPaced || cause == kMaximum || cause == kCut || cause == kGrown);
    overrules_.note(overruled_);
    cut_ = first_ = false;
    // An event that ended it sooner is no reason for the next one to be as short.
    next_ = kGrowth * std::max(taken, proposed_);
    proposed_ = 0;
    if (after_jump_ > 0) {
      next_ = after_jump_;
      after_jump_ = 0;
      return false;
    }
    if (excess > 0) next_ = std::min(next_, std::max(kShortest, better(excess)) * taken);
  } else {
    find_on_grid(now);
    // What made a piece so short ends here: the rest of the step of the grid is no part of it.
    if (at_event_ && halvings_ > kMostHalvings) halvings_ = more_ = soft_ = 0;
    // An impact is over sooner than the step of the grid: pieces get longer where two of them fit.
    constexpr double kRoundOff = 1e-6;
    for (; soft_ > 0; --soft_, --halvings_) {
      const double pieces =
          (now - time_.step * static_cast<double>(grid_)) / std::ldexp(time_.step, 1 - halvings_);
      if (std::abs(pieces - std::round(pieces)) > kRoundOff) break;
    }
  }
  return excess > 1;
}

void StepControl::find_on_grid(double now) {
  // Sums of steps miss the points of the grid by round-off, which grows with their number.
  const auto has_reached = [&](long point) {
    const auto number = static_cast<double>(point);
    return now > time_.step * (number - std::max(1e-9, 4e-15 * number));
  };
  if (has_reached(grid_) && !has_reached(grid_ + 1)) return;
  // Time may have passed without a step, or the state is that of a run with other steps.
  grid_ = std::max(0L, static_cast<long>(now / time_.step) - 1);
  while (has_reached(grid_ + 1)) ++grid_;
  halvings_ = more_ = soft_ = 0;
}

bool StepControl::cut(double /*now*/, double taken, double excess) {
  if (time_.adaptive) {
    if (taken <= time_.min * (1 + 1e-9)) return false;
    cut_ = true;
    if (!(excess > 0)) pace_.failed(taken, time_.max);
    const double part = excess > 0 ? std::clamp(better(excess), kShortest, 0.5) : 0.5;
    next_ = std::max(part * taken, time_.min);
    return true;
  }
  // One that an event or the caller had shortened might be the same again with one halving more.
  int halvings = halvings_ + 1;
  while (!(std::ldexp(time_.step, -halvings) < taken * (1 - 1e-9))) ++halvings;
  const int most = kMostHalvings + more_;
  if (halvings > most) {
    if (!(taken < std::ldexp(time_.step, -most) * (1 - 1e-9))) return false;
    more_ = halvings - 1;  // shorter than any from the start: it is halved as often as a whole one
  }
  if (excess > 0) soft_ += halvings - halvings_;
  halvings_ = halvings;
  return true;
}

}  // namespace scree

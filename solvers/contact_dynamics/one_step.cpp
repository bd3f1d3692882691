#include "solvers/contact_dynamics/one_step.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>

#include "solvers/contact_dynamics/contact_newton.hpp"
#include "solvers/contact_dynamics/delassus.hpp"

namespace scree::contact_dynamics {
namespace {

using petsc::check;

constexpr const char* kSolvingOneStep = "solving a step with stiffening contacts";

constexpr double kFirstOfOneStep = 10;  ///< h^2 k / m to begin with
constexpr double kDecade = 10;          ///< from a level to the next
constexpr int kOrders = 2;              ///< of 1/lambda that extrapolation takes off
/// Of the gradient, by the forces of contacts that approach: aimed at, and taken where round-off stops it.
constexpr double kToleranceOfOneStep = 1e-13, kGoodEnoughForAStep = 1e-8;
/// Forces that settle no better than this have not.
constexpr double kSettledChange = 1e-6;
/// Convergence criteria do not resolve the force of a contact below this part of the force that stops its
/// bodies within the step: where nothing presses, all forces are round-off. That of velocities changes forces
/// by up to 2e-12 of the stopping force (measured: a box at a wall), which is less than kSettledChange here.
constexpr double kLeastForce = 1e-5;
/// Error of the normal velocities of sliding contacts, as part of the change of velocity that the mean force
/// makes in a step (kLeastForce at least): aimed at. Solutions at most (3 are common), and the part of a
/// change that is made.
constexpr double kSlipTolerance = 1e-3;
constexpr int kMostSolutions = 40;
constexpr double kSlipAccuracy = 1e-5;  ///< of forces, while the slip is looked for
constexpr double kLeastPart = 0.1, kLargestPart = 3;

std::string prefix_of_one_step(const StepProblem& problem) { return problem.options_prefix + "one_step_"; }

/// Sizes that make lambda a number: of forces, of masses and of the contacts' stiffness under such a force.
struct StepScales {
  double force = 0, mass = 1, stiffness = 1, contacts = 0;
  std::vector<double> least;  ///< per contact: convergence criteria take smaller forces for this one [N]
};

/// kLeastForce times the force that stops the bodies of a contact within the step, with the mass that this
/// contact moves: light bodies are judged by their own mass. Both speeds count in full, because round-off is
/// that of the velocities and not of their difference. Collective.
std::vector<double> least_forces(const StepProblem& problem, const ContactOperator& op,
                                 const std::vector<int>& contacts) {
  constexpr int kSpeeds = 2;  // of the pole, and of the rotation
  BodyValues speeds(problem, kSpeeds);
  {
    const petsc::ConstVecValues free(op.free_velocities());
    for (std::ptrdiff_t b = 0; b < problem.owned; ++b) {
      const Vec6& start = problem.bodies[b].velocity;
      const Eigen::Map<const Vec6> end(free.data() + kBodyUnknowns * b);
      speeds.data()[kSpeeds * b] = std::max(start.head<3>().norm(), end.head<3>().norm());
      speeds.data()[kSpeeds * b + 1] = std::max(start.tail<3>().norm(), end.tail<3>().norm());
    }
  }
  speeds.copy_owners_to_ghosts();
  const auto speed = [&](std::ptrdiff_t body, const Vec3& arm) {
    return speeds.data()[kSpeeds * body] + arm.norm() * speeds.data()[kSpeeds * body + 1];
  };
  std::vector<double> least;
  for (const int i : contacts) {
    const Constraint& contact = problem.constraints[i];
    double sum = speed(contact.a, contact.arm_a) + contact.drift.norm();
    if (contact.b >= 0) sum += speed(contact.b, contact.arm_b);
    least.push_back(kLeastForce * sum / own_delassus(problem, contact));
  }
  return least;
}

StepScales scales_of_step(const StepProblem& problem, const ContactOperator& op,
                          const std::vector<int>& contacts) {
  const petsc::VecHandle p = op.per_contact();
  op.offset(problem, p);
  const petsc::ConstVecValues rate(p);
  std::array<double, 5> sum{};  // approaching, their force squared, contacts, masses, stiffness
  const auto all = [&] {
    MPI_Allreduce(MPI_IN_PLACE, sum.data(), static_cast<int>(sum.size()), MPI_DOUBLE, MPI_SUM, problem.comm);
  };
  for (const int i : contacts) {
    const double own = own_delassus(problem, problem.constraints[i]);
    const double force = std::max(0.0, -rate.data()[i]) / own;
    sum[0] += force > 0 ? 1 : 0;
    sum[1] += force * force;
    sum[2] += 1;
    sum[3] += problem.h / own;
  }
  all();
  StepScales scales;
  if (sum[0] == 0) return scales;
  scales.force = std::sqrt(sum[1] / sum[0]);
  scales.contacts = sum[2];
  scales.mass = sum[3] / sum[2];
  scales.least = least_forces(problem, op, contacts);
  sum = {};
  for (const double least : scales.least) sum[1] += least * least;
  all();
  scales.force = std::max(scales.force, std::sqrt(sum[1] / scales.contacts));
  sum = {};
  for (const int i : contacts) {
    const Constraint& contact = problem.constraints[i];
    const ElasticLaw law{contact.stiffness_ratio, contact.exponent, contact.friction};
    sum[4] += law.exponent * secant(law, compression_of(law, scales.force));
  }
  all();
  scales.stiffness = sum[4] / scales.contacts;
  return scales;
}

/// Richardson's table over levels a decade apart: row m has the error terms up to 1/lambda^m taken off.
class Extrapolation {
 public:
  /// @param least of the values that are judged, the first ones: a smaller size counts as this one.
  /// @returns the change of each row from the last level to this one, over ranks: the largest of the judged
  /// values, each by the larger of the largest value and its own least one. Infinity where there is nothing
  /// to compare.
  std::array<double, kOrders + 1> add(const std::vector<double>& values, const std::vector<double>& least,
                                      MPI_Comm comm) {
    std::array<std::vector<double>, kOrders + 1> rows;
    rows[0] = values;
    double power = 1;
    for (int m = 1; m <= std::min(kOrders, levels_); ++m) {
      power *= kDecade;
      rows[m].resize(values.size());
      for (std::size_t i = 0; i < values.size(); ++i)
        rows[m][i] = rows[m - 1][i] + (rows[m - 1][i] - rows_[m - 1][i]) / (power - 1);
    }
    double largest = std::numeric_limits<double>::min();  // no division by zero
    for (std::size_t i = 0; i < least.size(); ++i) largest = std::max(largest, std::abs(values[i]));
    MPI_Allreduce(MPI_IN_PLACE, &largest, 1, MPI_DOUBLE, MPI_MAX, comm);
    std::array<double, kOrders + 1> change{};
    for (int m = 0; m <= kOrders; ++m) {
      if (m >= levels_) change[m] = std::numeric_limits<double>::infinity();
      for (std::size_t i = 0; m < levels_ && i < least.size(); ++i)
        change[m] = std::max(change[m], std::abs(rows[m][i] - rows_[m][i]) / std::max(largest, least[i]));
    }
    MPI_Allreduce(MPI_IN_PLACE, change.data(), kOrders + 1, MPI_DOUBLE, MPI_MAX, comm);
    rows_ = std::move(rows);
    ++levels_;
    return change;
  }
  /// Values with m orders taken off, at most as many as there are.
  [[nodiscard]] const std::vector<double>& row(int m) const {
    return rows_[std::min({m, kOrders, levels_ - 1})];
  }
  [[nodiscard]] int levels() const { return levels_; }

 private:
  std::array<std::vector<double>, kOrders + 1> rows_;
  int levels_ = 0;
};

/// A step by continuation; what `solve_one_step` does, in parts.
class OneStep {
 public:
  OneStep(const StepProblem& problem, const ContactOperator& op, const OneStepOptions& options,
          const std::vector<int>& contacts, const StepScales& scales)
      : problem_(&problem),
        options_(&options),
        scales_(scales),
        energy_(problem, contacts, rubs(problem)),
        newton_(energy_, prefix_of_one_step(problem), options.preconditioning) {
    free_ = energy_.displacements();
    z_ = energy_.displacements();
    first_ = energy_.displacements();
    energy_.from_motions(op.free_velocities(), free_);
    tolerance_ = kSlipTolerance * problem.h * scales.force / scales.mass;
    const petsc::VecHandle target = op.per_contact();
    op.target(problem, target);
    const petsc::ConstVecValues r(target);
    for (std::size_t k = 0; k < contacts.size(); ++k) {
      const int i = contacts[k];
      least_.insert(least_.end(), static_cast<std::size_t>(energy_.rows()), scales.least[k]);
      target_.push_back(r.data()[i]);
      if (energy_.rows() == 1) continue;
      // Rows across the normal are those of ContactEnergy: their drift is what the boundary's motion adds.
      const Vec3& n = problem.constraints[i].normal;
      const Vec3 first = n.unitOrthogonal();
      target_.push_back(first.dot(problem.constraints[i].drift));
      target_.push_back(n.cross(first).dot(problem.constraints[i].drift));
    }
  }

  /// Coulomb's law: the cone is that of a normal velocity raised by mu times the slip speed, so that sliding
  /// contacts do not part (theory 07 section 5). The slip is a fixed point, begun at that of the step's
  /// start.
  void run(OneStepResult& result) {
    OneStepReport& report = result.report;
    if (energy_.rows() == 1 || !options_->coulomb) {
      solve(options_->accuracy, result);
      return;
    }
    {
      const petsc::VecHandle start = energy_.displacements();
      const petsc::VecHandle motions = result_like(result.velocities);
      {
        const petsc::VecValues v(motions);
        for (int i = 0; i < problem_->owned; ++i)
          Eigen::Map<Vec6>(v.data() + kBodyUnknowns * static_cast<std::ptrdiff_t>(i)) =
              problem_->bodies[i].velocity;
      }
      energy_.from_motions(motions, start);
      raised_ = slip_terms(start, rates_);
    }
    std::vector<double> before;  // changes of the last solution
    double part = 1;
    // The first has the final accuracy: most often nothing slides. The search for the slip has a lower one.
    bool fine = true, settled = false;
    for (int k = 0; k < kMostSolutions; ++k) {
      table_ = {};
      solve(fine ? options_->accuracy : std::max(options_->accuracy, kSlipAccuracy), result);
      ++report.solutions;
      std::vector<double> change = slip_terms(z_, rates_);
      double error = 0;
      std::array<double, 2> along{};  // change before by the difference of changes; that difference squared
      {
        const petsc::ConstVecValues normal(result.normal);
        for (std::size_t i = 0; i < change.size(); ++i) {
          change[i] -= raised_[i];
          const bool closed = normal.data()[energy_.contacts()[i]] > 0;
          error = std::max(error, closed ? std::abs(change[i]) : std::min(-rates_[i], std::abs(change[i])));
          if (before.empty()) continue;
          const double difference = change[i] - before[i];
          along[0] += before[i] * difference;
          along[1] += difference * difference;
        }
      }
      MPI_Allreduce(MPI_IN_PLACE, &error, 1, MPI_DOUBLE, MPI_MAX, problem_->comm);
      MPI_Allreduce(MPI_IN_PLACE, along.data(), 2, MPI_DOUBLE, MPI_SUM, problem_->comm);
      report.slip_error = kSlipTolerance * error / tolerance_;
      if (error <= tolerance_) {
        if (fine) return;
        fine = settled = true;
        continue;
      }
      fine = settled || k + 2 == kMostSolutions;
      // Aitken's relaxation (Irons and Tuck, 1969): one contact that slides is then exact after three.
      if (along[1] > 0) part = std::clamp(-part * along[0] / along[1], kLeastPart, kLargestPart);
      for (std::size_t i = 0; i < change.size(); ++i) raised_[i] += part * change[i];
      before = std::move(change);
    }
  }

 private:
  static petsc::VecHandle result_like(Vec vec) {
    petsc::VecHandle copy;
    check(VecDuplicate(vec, copy.put()), kSolvingOneStep);
    check(VecSet(copy, 0), kSolvingOneStep);
    return copy;
  }

  /// mu times the slip speed of the contacts, at velocities. @param[out] rates of their gaps, with the gap
  /// over the step: negative where they would overlap [m/s].
  std::vector<double> slip_terms(Vec velocities, std::vector<double>& rates) {
    energy_.offsets(target_);
    std::vector<double> x;
    energy_.compressions(velocities, x);
    const std::size_t count = energy_.contacts().size();
    std::vector<double> terms(count);
    rates.resize(count);
    for (std::size_t i = 0; i < count; ++i) {
      rates[i] = -x[3 * i];
      const double term =
          problem_->constraints[energy_.contacts()[i]].friction * std::hypot(x[3 * i + 1], x[3 * i + 2]);
      // What sticks has none: stiff contacts would take the least of it for a gap, and carry other forces.
      terms[i] = term > tolerance_ ? term : 0;
    }
    return terms;
  }

  void solve(double accuracy, OneStepResult& result) {
    OneStepReport& report = result.report;
    std::vector<double> best;
    report.change = std::numeric_limits<double>::infinity();
    bool reached = true;
    int worse = 0;
    const int most =
        1 + static_cast<int>(std::lround(std::log(options_->stiffest / kFirstOfOneStep) / std::log(kDecade)));
    double ratio = kFirstOfOneStep / kDecade;
    for (int k = 0; k < most; ++k) {
      ratio *= kDecade;
      const bool met = level(ratio, report);
      // Round-off stops Newton where slip is fast: what less stiff contacts gave stays.
      if (!met && report.change <= kSettledChange) break;
      reached = reached && met;
      if (k == 0) {
        check(VecCopy(z_, first_), kSolvingOneStep);
        has_first_ = true;
      }
      const auto change = table_.add(values_, least_, problem_->comm);
      const auto least = std::min_element(change.begin(), change.end());
      if (k == 0 || *least < report.change) {  // the same on all ranks, also without values
        best = table_.row(static_cast<int>(least - change.begin()));
        report.change = *least;
        report.stiffness = ratio;
        worse = 0;
      } else {
        ++worse;
      }
      // Beyond, round-off of the gaps grows tenfold with each level (theory 07 section 5).
      if (report.change <= accuracy || (worse >= 2 && report.change < kSettledChange)) break;
    }
    report.levels = table_.levels();
    report.converged = reached && report.change <= kSettledChange;
    hand_over(best, result);
  }

  static bool rubs(const StepProblem& problem) {
    int any = 0;
    for (const Constraint& contact : problem.constraints) any |= contact.friction > 0 ? 1 : 0;
    MPI_Allreduce(MPI_IN_PLACE, &any, 1, MPI_INT, MPI_MAX, problem.comm);
    return any != 0;
  }

  /// The minimum for one lambda: forces, then velocities into `values_`. @returns whether Newton converged,
  /// at least to what forces are compared by.
  bool level(double ratio, OneStepReport& report) {
    const double h = problem_->h;
    const double lambda = ratio * scales_.mass / (h * h * scales_.stiffness);
    const double factor = lambda * h;
    energy_.inertia(1 / (lambda * h * h));
    std::vector<double> offsets = target_;
    for (std::size_t i = 0; i < raised_.size(); ++i) offsets[3 * i] += raised_[i];
    for (double& value : offsets) value *= factor;
    energy_.offsets(std::move(offsets));
    const petsc::VecHandle centre = energy_.displacements();
    check(VecAXPY(centre, factor, free_), kSolvingOneStep);
    energy_.centre(centre);
    start(factor);
    const double size = scales_.force * std::sqrt(scales_.contacts);
    const NewtonReport run =
        newton_.minimise(z_, kToleranceOfOneStep * size, kGoodEnoughForAStep * size, table_.levels() > 1);
    report.newton += run.newton;
    report.krylov += run.krylov;
    report.method = run.preconditioner;
    std::vector<double> x;
    energy_.compressions(z_, x);
    energy_.forces(x, values_);
    count_ = values_.size();
    const petsc::ConstVecValues z(z_);
    const int unknowns = energy_.block() * problem_->owned;
    for (int k = 0; k < unknowns; ++k) values_.push_back(z.data()[k] / factor);
    return run.converged || run.residual <= kSettledChange * size;
  }

  /// z = lambda h v with the velocities of a line in 1/lambda through the last two levels.
  void start(double factor) {
    if (table_.levels() == 0) {
      check(VecCopy(has_first_ ? first_ : free_, z_), kSolvingOneStep);
      if (!has_first_) check(VecScale(z_, factor), kSolvingOneStep);
      return;
    }
    const std::vector<double>& last = table_.row(0);
    const std::vector<double>& limit = table_.row(1);
    const petsc::VecValues z(z_);
    for (std::size_t k = count_; k < last.size(); ++k)
      z.data()[k - count_] = factor * (limit[k] + (last[k] - limit[k]) / kDecade);
  }

  void hand_over(const std::vector<double>& best, OneStepResult& result) {
    {
      const petsc::VecValues z(z_);
      std::copy(best.begin() + static_cast<std::ptrdiff_t>(count_), best.end(), z.data());
    }
    energy_.to_motions(z_, result.velocities);
    const petsc::VecValues normal(result.normal);
    const auto rows = static_cast<std::size_t>(energy_.rows());
    for (std::size_t i = 0; i < energy_.contacts().size(); ++i) {
      const int at = energy_.contacts()[i];
      normal.data()[at] = std::max(0.0, best[rows * i]);
      if (rows == 1) continue;
      const Vec3& n = problem_->constraints[at].normal;
      const Vec3 first = n.unitOrthogonal();
      result.tangential[at] = best[rows * i + 1] * first + best[rows * i + 2] * n.cross(first);
    }
  }

  const StepProblem* problem_;
  const OneStepOptions* options_;
  StepScales scales_;
  ContactEnergy energy_;
  ContactNewton newton_;
  petsc::VecHandle free_, z_;
  petsc::VecHandle first_;  ///< of the first level of the last solution
  bool has_first_ = false;
  std::vector<double> target_, values_;
  std::vector<double> least_;           ///< StepScales::least, per component of a force [N]
  std::vector<double> raised_, rates_;  ///< per contact, with friction: what slip adds to its rate [m/s]
  double tolerance_ = 0;                ///< of the same
  std::size_t count_ = 0;               ///< of forces among the values, then come velocities
  Extrapolation table_;
};

}  // namespace

void read_one_step_options(ContactEnergy& energy, const OneStepOptions& options) {
  ContactNewton(energy, prefix_of_one_step(energy.problem()), options.preconditioning).set_up();
}

OneStepResult solve_one_step(const StepProblem& problem, const ContactOperator& op,
                             const OneStepOptions& options) {
  static const petsc::LogEvent event("ScreeOneStep");
  const petsc::LogScope scope(event);
  OneStepResult result;
  result.velocities = op.per_body();
  result.normal = op.per_contact();
  result.tangential.assign(problem.constraints.size(), Vec3::Zero());
  check(VecCopy(op.free_velocities(), result.velocities), kSolvingOneStep);
  std::vector<int> contacts;
  for (std::size_t i = 0; i < problem.constraints.size(); ++i)
    if (own_delassus(problem, problem.constraints[i]) > 0) contacts.push_back(static_cast<int>(i));
  const StepScales scales = scales_of_step(problem, op, contacts);
  if (scales.force > 0) OneStep(problem, op, options, contacts, scales).run(result);
  return result;
}

}  // namespace scree::contact_dynamics

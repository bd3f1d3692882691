#include "io/coupling/accelerator.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <limits>
#include <numbers>
#include <span>
#include <stdexcept>
#include <vector>

#include "assembly/test_ranks.hpp"
#include "core/test_extremes.hpp"
#include "io/coupling/test_hertz_sphere.hpp"

namespace scree::coupling {
namespace {

/// The unknowns k = rank, rank + ranks, ... of `total`.
class Distribution {
 public:
  explicit Distribution(int total) {
    for (int k = ranks::this_rank(); k < total; k += ranks::rank_count()) mine_.push_back(k);
    total_ = total;
  }
  [[nodiscard]] Eigen::VectorXd all(std::span<const double> part) const {
    Eigen::VectorXd full = Eigen::VectorXd::Zero(total_);
    for (std::size_t k = 0; k < mine_.size(); ++k) full[mine_[k]] = part[k];
    MPI_Allreduce(MPI_IN_PLACE, full.data(), total_, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return full;
  }
  void take(const Eigen::VectorXd& full, std::span<double> part) const {
    for (std::size_t k = 0; k < mine_.size(); ++k) part[k] = full[mine_[k]];
  }
  [[nodiscard]] std::size_t size() const { return mine_.size(); }

 private:
  std::vector<int> mine_;
  int total_ = 0;
};

/// Iterations of x = A x + b from 0, and the error of the result.
struct LinearProblem {
  Eigen::MatrixXd a;
  Eigen::VectorXd b;

  [[nodiscard]] CoupledStep solve(Accelerator& accelerator, double* error = nullptr, int limit = 200) const {
    const Distribution distribution(static_cast<int>(b.size()));
    std::vector<double> x(distribution.size(), 0.0);
    const auto image = [&](std::span<const double> from, std::span<double> to) {
      distribution.take(a * distribution.all(from) + b, to);
    };
    const CoupledStep step = iterate(accelerator, x, image, {.relative = 1e-10, .iterations = limit});
    const Eigen::MatrixXd identity = Eigen::MatrixXd::Identity(b.size(), b.size());
    const Eigen::VectorXd exact = (identity - a).partialPivLu().solve(b);
    if (error != nullptr) *error = (distribution.all(x) - exact).norm() / exact.norm();
    return step;
  }
};

/// The contraction of `eigenvalues` in a basis that is not orthogonal.
LinearProblem problem_of(const Eigen::VectorXd& eigenvalues) {
  const auto n = eigenvalues.size();
  Eigen::MatrixXd basis = Eigen::MatrixXd::Identity(n, n);
  Eigen::VectorXd b(n);
  for (Eigen::Index i = 0; i < n; ++i) {
    b[i] = 1.0 + 0.3 * std::cos(static_cast<double>(i));
    for (Eigen::Index j = 0; j < n; ++j)
      basis(i, j) += 0.2 * std::sin(1.0 + static_cast<double>(3 * i + 7 * j));
  }
  return {.a = basis * eigenvalues.asDiagonal() * basis.inverse(), .b = b};
}

Accelerator accelerator_of(const AcceleratorOptions& options) { return {options, MPI_COMM_WORLD}; }

TEST(Accelerator, ConstantRelaxationContractsByTheKnownFactor) {
  // x <- x + w (H(x) - x) with H' = q has the factor 1 - w (1 - q): theory 13 section 1.
  for (const double q : {-0.34, -1.65}) {
    Accelerator accelerator = accelerator_of({.method = Acceleration::constant, .initial = 0.5});
    const LinearProblem problem = problem_of(Eigen::VectorXd::Constant(5, q));
    const CoupledStep step = problem.solve(accelerator);
    EXPECT_TRUE(step.converged);
    const double factor = std::abs(1.0 - 0.5 * (1.0 - q));
    // The residual starts at the size of b and ends at 1e-10 of the solution.
    EXPECT_NEAR(step.iterations, 1.0 + std::log(1e-10 / (1.0 - q)) / std::log(factor), 2.0) << q;
  }
}

TEST(Accelerator, ConstantRelaxationDivergesBeyondItsLimit) {
  Accelerator accelerator = accelerator_of({.method = Acceleration::constant, .initial = 1.0});
  EXPECT_FALSE(problem_of(Eigen::VectorXd::Constant(3, -1.65)).solve(accelerator).converged);
}

TEST(Accelerator, AitkenIsExactAfterTwoIterationsWithOneEigenvalue) {
  for (const double q : {-0.34, -1.65, -27.0, 0.9}) {
    Accelerator accelerator = accelerator_of({});
    double error = 1.0;
    const CoupledStep step = problem_of(Eigen::VectorXd::Constant(4, q)).solve(accelerator, &error);
    EXPECT_TRUE(step.converged) << q;
    EXPECT_LE(step.iterations, 3) << q;
    EXPECT_LT(error, 1e-9) << q;
    EXPECT_NEAR(accelerator.relaxation(), 1.0 / (1.0 - q), 1e-9) << q;
  }
}

TEST(Accelerator, QuasiNewtonEndsAfterAsManyIterationsAsThereAreEigenvalues) {
  const Eigen::VectorXd eigenvalues{{-12.0, -5.0, -2.0, -0.5, 0.3}};
  Accelerator accelerator = accelerator_of({.method = Acceleration::iqn_ils, .filter = 1e-6});
  double error = 1.0;
  const CoupledStep step = problem_of(eigenvalues).solve(accelerator, &error);
  EXPECT_TRUE(step.converged);
  EXPECT_LE(step.iterations, 7);  // relaxation, five columns, confirmation
  EXPECT_LT(error, 1e-9);
  EXPECT_EQ(accelerator.fallbacks(), 0);
}

TEST(Accelerator, ColumnsOfThePreviousStepSaveIterations) {
  const LinearProblem problem = problem_of(Eigen::VectorXd{{-12.0, -5.0, -2.0, -0.5}});
  Accelerator fresh = accelerator_of({.method = Acceleration::iqn_ils, .filter = 1e-6});
  Accelerator reusing = accelerator_of({.method = Acceleration::iqn_ils, .filter = 1e-6, .reused_steps = 1});
  (void)problem.solve(fresh);
  (void)problem.solve(reusing);
  const LinearProblem next = {.a = problem.a, .b = 2.0 * problem.b};
  EXPECT_GE(next.solve(fresh).iterations, 6);
  EXPECT_LE(next.solve(reusing).iterations, 3);
  reusing.forget();
  EXPECT_GE(next.solve(reusing).iterations, 5);
}

TEST(Accelerator, ForgottenRelaxationStartsFromTheInitialFactor) {
  Accelerator accelerator = accelerator_of({});
  const LinearProblem problem = problem_of(Eigen::VectorXd::Constant(4, -27.0));
  (void)problem.solve(accelerator);
  EXPECT_LE(problem.solve(accelerator).iterations, 2);  // with the factor of the last step
  accelerator.forget();
  EXPECT_EQ(accelerator.relaxation(), 0.5);
  EXPECT_EQ(problem.solve(accelerator).iterations, 3);
}

TEST(Accelerator, ColumnsThatDependOnOthersAreDroppedAndAitkenTakesOver) {
  // The residual moves in one direction only, with a derivative that changes: the second column depends on
  // the first.
  Accelerator accelerator = accelerator_of({.method = Acceleration::iqn_ils});
  const Distribution distribution(6);
  std::vector<double> x(distribution.size(), 1.0);
  const auto image = [&](std::span<const double> from, std::span<double> to) {
    for (std::size_t k = 0; k < from.size(); ++k) to[k] = -std::expm1(3.0 * from[k]);
  };
  const CoupledStep step = iterate(accelerator, x, image, {.relative = 1e-10, .absolute = 1e-12});
  EXPECT_TRUE(step.converged);
  EXPECT_GE(accelerator.dropped(), 3);
  EXPECT_EQ(accelerator.fallbacks(), 1);
  EXPECT_EQ(accelerator.columns(), 0);
}

TEST(Accelerator, SharedUnknownsCountOnce) {
  // Vertex 0 is on all ranks, the others on one.
  const int rank = ranks::this_rank(), count = ranks::rank_count();
  const std::vector<std::int64_t> ids = {100 + rank, 0};
  const std::vector<double> weights = shared_weights(ids, 3, MPI_COMM_WORLD);
  ASSERT_EQ(weights.size(), 6);
  EXPECT_EQ(weights[2], 1.0);
  EXPECT_EQ(weights[3], 1.0 / count);
  Accelerator accelerator({}, MPI_COMM_WORLD, weights);
  (void)accelerator.next(std::vector<double>(6, 0.0), std::vector<double>{0, 0, 0, 3, 0, 4});
  EXPECT_DOUBLE_EQ(accelerator.residual(), 5.0);
}

TEST(Accelerator, RejectsInvalidOptionsAndVectors) {
  EXPECT_THROW(accelerator_of({.initial = 0.0}), std::invalid_argument);
  EXPECT_THROW(accelerator_of({.initial = std::numeric_limits<double>::quiet_NaN()}), std::invalid_argument);
  EXPECT_THROW(accelerator_of({.filter = 1.0}), std::invalid_argument);
  EXPECT_THROW(accelerator_of({.reused_steps = -1}), std::invalid_argument);
  EXPECT_THROW((void)acceleration_of("broyden"), std::invalid_argument);
  EXPECT_EQ(acceleration_of("iqn-ils"), Acceleration::iqn_ils);

  Accelerator accelerator = accelerator_of({});
  const std::vector<double> two(2, 0.0), three(3, 0.0);
  // A difference on one rank is an error on all.
  const auto& image = ranks::this_rank() == 0 ? three : two;
  EXPECT_THROW((void)accelerator.next(two, image), std::invalid_argument);
  std::vector<double> broken = two;
  if (ranks::this_rank() == 0) broken[1] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW((void)accelerator.next(two, broken), std::domain_error);
}

TEST(Accelerator, RejectsWeightsThatWeighNothing) {
  for (const double weight : {-1.0, 0.0, std::numeric_limits<double>::quiet_NaN()})
    EXPECT_THROW(Accelerator({}, MPI_COMM_WORLD, {weight, weight}), std::invalid_argument) << weight;
  EXPECT_NO_THROW(Accelerator({}, MPI_COMM_WORLD, {0.0, 1.0}));
}

TEST(ForcePredictor, MayHaveRanksWithoutVertices) {
  ForcePredictor predictor(MPI_COMM_WORLD);
  const std::size_t own = ranks::this_rank() == 0 ? 1 : 0;
  for (int k = 1; k <= 4; ++k) predictor.accept(std::vector<double>(own, 2.0 * k));
  EXPECT_EQ(predictor.predict(), std::vector<double>(own, 10.0));
}

TEST(ForcePredictor, RejectsForcesThatCannotFollowThoseBefore) {
  ForcePredictor predictor(MPI_COMM_WORLD);
  predictor.accept(std::vector<double>(3, 1.0));
  std::vector<double> next(3, 2.0);
  if (ranks::this_rank() == 0) next.resize(6);
  EXPECT_THROW(predictor.accept(next), std::invalid_argument);
  next.assign(3, 2.0);
  if (ranks::this_rank() == 0) next[1] = std::numeric_limits<double>::infinity();
  EXPECT_THROW(predictor.accept(next), std::domain_error);
  predictor.accept(std::vector<double>(3, 2.0));
  EXPECT_EQ(predictor.predict(), std::vector<double>(3, 3.0));
}

/// A simply supported Timoshenko beam in its modes: deflection and rotation of w = W sin(k x),
/// psi = P cos(k x), k = n pi/L. Newmark with beta = 1/4, gamma = 1/2.
class ModalBeam {
 public:
  static constexpr double kLength = 0.1535, kSide = 0.01, kYoung = 215.8e9, kPoisson = 0.29,
                          kDensity = 7960.0;
  static constexpr double kMass = kDensity * kLength * kSide * kSide;
  static constexpr int kModes = 61;

  ModalBeam() : modes_(kModes) {}

  /// @returns the deflection at `places` [m] at the end of a step of h [s] with the force [N] at the middle
  /// there.
  Eigen::VectorXd solve(double force, double h, const Eigen::VectorXd& places) {
    Eigen::VectorXd deflection = Eigen::VectorXd::Zero(places.size());
    for (int n = 1; n <= kModes; n += 2) {  // the others have a node at the middle
      Mode& mode = modes_[n - 1];
      const double k = n * std::numbers::pi / kLength;
      const double shear = 5.0 / 6.0 * kYoung / (2.0 * (1.0 + kPoisson)) * kSide * kSide;
      const double inertia = std::pow(kSide, 4) / 12.0;
      Eigen::Matrix2d stiffness;
      stiffness << shear * k * k, -shear * k, -shear * k, shear + kYoung * inertia * k * k;
      Eigen::Matrix2d mass = Eigen::Vector2d(kDensity * kSide * kSide, kDensity * inertia).asDiagonal();
      stiffness *= kLength / 2.0;
      mass *= kLength / 2.0;
      const Eigen::Vector2d load(force * std::sin(n * std::numbers::pi / 2.0), 0.0);
      const Eigen::Vector2d predicted = mode.u + h * mode.v + h * h / 4.0 * mode.a;
      mode.end = (stiffness + 4.0 / (h * h) * mass).inverse() * (load + 4.0 / (h * h) * (mass * predicted));
      for (Eigen::Index p = 0; p < places.size(); ++p) deflection[p] += mode.end[0] * std::sin(k * places[p]);
    }
    return deflection;
  }
  void accept(double h) {
    for (Mode& mode : modes_) {
      const Eigen::Vector2d a = 4.0 / (h * h) * (mode.end - mode.u - h * mode.v) - mode.a;
      mode.v += h / 2.0 * (mode.a + a);
      mode.a = a;
      mode.u = mode.end;
    }
  }

 private:
  struct Mode {
    Eigen::Vector2d u = Eigen::Vector2d::Zero(), v = u, a = u, end = u;
  };
  std::vector<Mode> modes_;
};

struct ImpactRun {
  bool converged = true;
  int contacts = 0;                                  ///< steps with contact
  double iterations = 0.0;                           ///< mean of the steps with contact
  double peak = 0.0, duration = 0.0, rebound = 0.0;  ///< of the first contact [N], [s], part of the approach
};

/// The impact of theory 13 section 1: unknowns are displacements of all nodes, distributed over the ranks.
/// @param phase part of a step before the contact.
ImpactRun strike(double mass_ratio, double h, double end, const AcceleratorOptions& options,
                 double phase = 0.0) {
  const int nodes = 31, middle = nodes / 2;
  const Eigen::VectorXd places = Eigen::VectorXd::LinSpaced(nodes, 0.0, ModalBeam::kLength);
  const Distribution distribution(nodes);
  ModalBeam beam;
  const double speed = 0.01;
  HertzSphere sphere{.mass = mass_ratio * ModalBeam::kMass,
                     .stiffness = 2.0 / 3.0 * ModalBeam::kYoung / (1.0 - 0.29 * 0.29) * std::sqrt(0.01),
                     .u = -phase * speed * h,
                     .v = speed};
  Accelerator accelerator(options, MPI_COMM_WORLD);
  ForcePredictor predictor(MPI_COMM_WORLD);
  std::vector<double> x(distribution.size(), 0.0), forces = x;
  const auto image = [&](std::span<const double> from, std::span<double> to) {
    const double surface = distribution.all(from)[middle];
    distribution.take(beam.solve(sphere.solve(surface, h), h, places), to);
  };
  ImpactRun run;
  int iterations = 0;
  bool was_in_contact = false;
  for (double time = h; time < end; time += h) {
    const std::vector<double> predicted = predictor.predict();
    const double force = time == h ? 0.0 : distribution.all(predicted)[middle];
    distribution.take(beam.solve(force, h, places), x);
    const CoupledStep step =
        iterate(accelerator, x, image, {.relative = 1e-6, .absolute = 1e-15, .iterations = 100});
    run.converged = step.converged;
    if (!step.converged) return run;
    sphere.accept(h);
    beam.accept(h);
    Eigen::VectorXd nodal = Eigen::VectorXd::Zero(nodes);
    nodal[middle] = sphere.force;
    distribution.take(nodal, forces);
    predictor.accept(forces);
    const bool in_contact = sphere.force > 0.0;
    if (in_contact) {
      ++run.contacts;
      iterations += step.iterations;
      test::keep_largest(run.peak, sphere.force);
      if (run.rebound == 0.0) run.duration += h;
    } else if (was_in_contact && run.rebound == 0.0) {
      run.rebound = sphere.v / speed;
    }
    if (in_contact != was_in_contact) accelerator.forget();
    was_in_contact = in_contact;
  }
  run.iterations = static_cast<double>(iterations) / run.contacts;
  return run;
}

TEST(CoupledStep, RefusesTolerancesThatNothingCanMeet) {
  Accelerator accelerator({}, MPI_COMM_WORLD);
  std::vector<double> x(3, 1.0);
  int calls = 0;
  const auto image = [&calls](std::span<const double> from, std::span<double> to) {
    ++calls;
    for (std::size_t k = 0; k < from.size(); ++k) to[k] = from[k];
  };
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  for (const CoupledTolerance& wrong :
       {CoupledTolerance{.relative = kNan}, CoupledTolerance{.relative = -1e-6},
        CoupledTolerance{.absolute = kNan}, CoupledTolerance{.absolute = -1.0},
        CoupledTolerance{.iterations = 0}})
    EXPECT_THROW((void)iterate(accelerator, x, image, wrong), std::invalid_argument);
  EXPECT_EQ(calls, 0);
  EXPECT_TRUE(iterate(accelerator, x, image, {.relative = 0, .absolute = 0, .iterations = 1}).converged);
}

TEST(BeamImpact, MatchesTheModalReference) {
  const ImpactRun run =
      strike(4.0 / 3.0 * std::numbers::pi * 1e-6 * ModalBeam::kDensity / ModalBeam::kMass, 0.5e-6, 2e-4, {});
  ASSERT_TRUE(run.converged);
  EXPECT_NEAR(run.peak, 4.924, 0.005);
  EXPECT_NEAR(run.duration, 158.8e-6, 1e-6);
  EXPECT_NEAR(run.rebound, -0.2988, 0.001);
}

/// Mean iterations per step with contact. The fixed point has the contraction k_D/k_S of theory 13 section 1.
TEST(BeamImpact, NeedsFewIterationsWithAitkenAtAnyMassRatio) {
  struct Row {
    double ratio, h, fixed_point, relaxed, aitken, quasi_newton;  // infinity: diverges
  };
  constexpr double kDiverges = std::numeric_limits<double>::infinity();
  constexpr int kPhases = 10;
  for (const Row& row :
       {Row{0.027, 2e-5, 5.0, 20.0, 3.7, 3.7}, Row{0.27, 2e-4, 14.0, 15.0, 4.5, 4.5},
        Row{27.0, 2e-5, 3.9, 9.0, 2.6, 2.6}, Row{27.0, 2e-4, kDiverges, kDiverges, 6.0, 6.0}}) {
    SCOPED_TRACE(testing::Message() << "mass ratio " << row.ratio << ", step " << row.h << " s");
    const auto judge = [&](const char* method, const AcceleratorOptions& options, double limit) {
      double iterations = 0.0, contacts = 0.0;
      for (int phase = 0; phase < kPhases; ++phase) {
        const ImpactRun run = strike(row.ratio, row.h, 0.005, options, static_cast<double>(phase) / kPhases);
        ASSERT_EQ(run.converged, std::isfinite(limit)) << method;
        iterations += run.iterations * run.contacts;
        contacts += run.contacts;
      }
      if (!std::isfinite(limit)) return;
      EXPECT_LE(iterations / contacts, limit) << method;
      EXPECT_GE(iterations / contacts, 0.85 * limit) << method << ": update the limit";
    };
    judge("Aitken", {}, row.aitken);
    judge("IQN-ILS", {.method = Acceleration::iqn_ils}, row.quasi_newton);
    if (ranks::rank_count() > 1) continue;  // many small reductions: minutes with more ranks than cores
    judge("fixed point", {.method = Acceleration::constant, .initial = 1.0}, row.fixed_point);
    judge("relaxation 0.5", {.method = Acceleration::constant}, row.relaxed);
  }
}

}  // namespace
}  // namespace scree::coupling

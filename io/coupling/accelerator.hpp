/// Accelerators of implicit coupling: relaxation and quasi-Newton methods for the fixed point x = H(x) of two
/// solvers.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace scree::coupling {

enum class Acceleration {
  constant,  ///< x + omega (H(x) - x) with a fixed omega
  aitken,    ///< omega from the last two residuals [Kuettler]
  iqn_ils,   ///< quasi-Newton with the inverse Jacobian from least squares [Degroote], filtered [Haelterman]
};

/// @returns the method of this name: "constant", "aitken" or "iqn-ils". @throws std::invalid_argument
/// otherwise.
Acceleration acceleration_of(std::string_view name);

struct AcceleratorOptions {
  Acceleration method = Acceleration::aitken;
  double initial =
      0.5;  ///< relaxation factor of "constant", and of the first iteration of the others, in (0, 1]
  double filter = 1e-2;  ///< QR2: columns with a smaller independent part are dropped, relative to their norm
  int reused_steps = 0;  ///< iqn-ils: number of previous steps whose columns are used
  bool operator==(const AcceleratorOptions&) const = default;
};

/// Computes the next iterate of a coupled step from the last one and its image. Vectors are distributed: each
/// rank passes its part. All coefficients are equal on all ranks.
class Accelerator {
 public:
  /// @param weights of this rank's unknowns in scalar products; empty: 1. Unknowns that several ranks hold
  /// have the weight 1/(number of ranks), so that the result does not depend on the partition: see
  /// `shared_weights`.
  /// @throws std::invalid_argument on options out of range.
  Accelerator(AcceleratorOptions options, MPI_Comm comm, std::vector<double> weights = {});

  /// @param x iterate. @param image H(x), of the same size. @returns the next iterate. Collective.
  /// @throws std::invalid_argument if sizes differ from each other, from the weights, or from those of the
  /// previous call; std::domain_error, on all ranks, if a value is not finite.
  std::vector<double> next(std::span<const double> x, std::span<const double> image);

  /// Starts a time step: residuals of the last one are not compared with new ones. The relaxation factor is
  /// kept.
  void new_step();
  /// Discards everything of previous iterations and steps, for instance because the contact set has changed:
  /// the derivative of H is another one (theory 13 section 1).
  void forget();

  [[nodiscard]] const AcceleratorOptions& options() const { return options_; }
  [[nodiscard]] double residual() const { return residual_norm_; }  ///< |H(x) - x| of the last call
  [[nodiscard]] double image() const { return image_norm_; }        ///< |H(x)| of the last call
  [[nodiscard]] double relaxation() const { return omega_; }   ///< factor of the last call, without columns
  [[nodiscard]] int columns() const { return used_columns_; }  ///< used by the last call of iqn-ils
  [[nodiscard]] long dropped() const { return dropped_; }      ///< columns dropped by the filter so far
  [[nodiscard]] long fallbacks() const { return fallbacks_; }  ///< steps that iqn-ils left to Aitken

 private:
  /// Differences of two successive iterations.
  struct Column {
    std::vector<double> residual, image;
    int age = 0;    ///< steps
    int drops = 0;  ///< in this step
  };

  void check_sizes(std::span<const double> x, std::span<const double> image);
  /// Scalar products of `pairs` of distributed vectors, with one reduction.
  [[nodiscard]] std::vector<double> dot(
      const std::vector<std::pair<std::span<const double>, std::span<const double>>>& pairs) const;
  [[nodiscard]] std::vector<double> relax(std::span<const double> x) const;
  void update_omega(std::span<const double> x);
  void store_column(std::span<const double> image);
  /// @returns coefficients of the columns that pass the filter, newest first.
  std::vector<double> solve_least_squares();

  AcceleratorOptions options_;
  MPI_Comm comm_;
  std::vector<double> weights_;
  std::vector<double> residual_, last_x_, last_residual_, last_image_;
  bool has_last_ = false;  ///< a previous iteration of this step
  bool fell_back_ = false;
  double omega_, residual_norm_ = 0.0, image_norm_ = 0.0;
  std::deque<Column> columns_;  ///< newest first
  int used_columns_ = 0;
  long dropped_ = 0, fallbacks_ = 0;
};

/// Predicts the contact forces of the next step: linear extrapolation, or the last forces where contacts
/// close and open within few steps. The one with the smaller error in previous steps is used. The
/// displacement of the structure under predicted forces is a start from which all iterates differ by
/// responses to forces only: a start that also differs otherwise costs iterations of Aitken's method
/// (theory 13 section 1).
class ForcePredictor {
 public:
  explicit ForcePredictor(MPI_Comm comm) : comm_(comm) {}

  /// @returns forces at the end of the next step, of the size of the last `accept`; before the first one:
  /// empty.
  [[nodiscard]] std::vector<double> predict() const;
  /// Takes the forces of an accepted step. Collective. @throws std::invalid_argument if there are not as many
  /// as before, std::domain_error if one is not finite.
  void accept(std::span<const double> forces);
  [[nodiscard]] bool extrapolates() const { return linear_error_ <= constant_error_; }

 private:
  MPI_Comm comm_;
  std::vector<double> last_, before_;
  long accepted_ = 0;                                 ///< steps
  double linear_error_ = 0.0, constant_error_ = 0.0;  ///< sums that forget
};

/// @param ids of this rank's vertices, each at most once per rank. @param components unknowns of a vertex.
/// @returns 1/(number of ranks that hold the vertex) for each unknown. Collective.
std::vector<double> shared_weights(std::span<const std::int64_t> ids, int components, MPI_Comm comm);

struct CoupledTolerance {
  double relative = 1e-6;    ///< of |H(x)|
  double absolute = 1e-300;  ///< of |H(x) - x|, in the unit of x
  int iterations = 50;       ///< limit
};

struct CoupledStep {
  bool converged = false;
  int iterations = 0;     ///< evaluations of H
  double residual = 0.0;  ///< |H(x) - x|
};

/// Iterates x = H(x) to the tolerance. @param x start, then the last H(x) if converged. @param image writes
/// H(x), of the size of x. @returns whether |H(x) - x| <= max(relative |H(x)|, absolute). Collective.
/// @throws std::invalid_argument on a tolerance that is no number >= 0 or a limit below 1, and what `image`
/// and `Accelerator::next` throw.
CoupledStep iterate(Accelerator& accelerator, std::vector<double>& x,
                    const std::function<void(std::span<const double>, std::span<double>)>& image,
                    const CoupledTolerance& tolerance = {});

}  // namespace scree::coupling

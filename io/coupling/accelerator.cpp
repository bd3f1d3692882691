#include "io/coupling/accelerator.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <stdexcept>
#include <utility>

namespace scree::coupling {

namespace {

void subtract(std::span<const double> a, std::span<const double> b, std::vector<double>& result) {
  result.resize(a.size());
  for (std::size_t k = 0; k < a.size(); ++k) result[k] = a[k] - b[k];
}

void add(double factor, std::span<const double> a, std::vector<double>& to) {
  for (std::size_t k = 0; k < a.size(); ++k) to[k] += factor * a[k];
}

}  // namespace

Acceleration acceleration_of(std::string_view name) {
  if (name == "constant") return Acceleration::constant;
  if (name == "aitken") return Acceleration::aitken;
  if (name == "iqn-ils") return Acceleration::iqn_ils;
  throw std::invalid_argument(
      fmt::format("unknown acceleration \"{}\"; expected \"constant\", \"aitken\" or \"iqn-ils\"", name));
}

Accelerator::Accelerator(AcceleratorOptions options, MPI_Comm comm, std::vector<double> weights)
    : options_(options), comm_(comm), weights_(std::move(weights)), omega_(options.initial) {
  if (!(options.initial > 0.0 && options.initial <= 1.0))
    throw std::invalid_argument(
        fmt::format("initial relaxation factor {}; expected a number in (0, 1]", options.initial));
  if (!(options.filter >= 0.0 && options.filter < 1.0))
    throw std::invalid_argument(
        fmt::format("filter limit of iqn-ils {}; expected a number in [0, 1)", options.filter));
  if (options.reused_steps < 0)
    throw std::invalid_argument(
        fmt::format("{} reused steps of iqn-ils; expected 0 or more", options.reused_steps));
  const auto is_weight = [](double weight) { return weight >= 0.0 && std::isfinite(weight); };
  // Weights, those above 0, and faults. A rank may have no vertices, or none that count there: not all ranks.
  long counts[3] = {std::ssize(weights_), 0, 0};
  for (const double weight : weights_) {
    if (weight > 0.0) ++counts[1];
    if (!is_weight(weight)) ++counts[2];
  }
  MPI_Allreduce(MPI_IN_PLACE, counts, 3, MPI_LONG, MPI_SUM, comm_);
  if (counts[2] > 0 || (counts[0] > 0 && counts[1] == 0))
    throw std::invalid_argument("weights of coupled values: expected finite numbers >= 0, not all of them 0");
}

void Accelerator::new_step() {
  has_last_ = false;
  fell_back_ = false;
  for (Column& column : columns_) {
    ++column.age;
    column.drops = 0;
  }
  std::erase_if(columns_, [this](const Column& column) { return column.age > options_.reused_steps; });
  // A factor beyond (0, 1] belongs to one iteration of a nonlinear problem: as a start it would move away
  // from the fixed point of a contact (theory 13 section 1).
  if (!(omega_ > 0.0 && omega_ <= 1.0)) omega_ = options_.initial;
}

void Accelerator::forget() {
  has_last_ = false;
  columns_.clear();
  omega_ = options_.initial;
}

std::vector<double> Accelerator::dot(
    const std::vector<std::pair<std::span<const double>, std::span<const double>>>& pairs) const {
  std::vector<double> sums(pairs.size(), 0.0);
  for (std::size_t p = 0; p < pairs.size(); ++p) {
    const auto& [a, b] = pairs[p];
    for (std::size_t k = 0; k < a.size(); ++k)
      sums[p] += (weights_.empty() ? 1.0 : weights_[k]) * a[k] * b[k];
  }
  MPI_Allreduce(MPI_IN_PLACE, sums.data(), static_cast<int>(sums.size()), MPI_DOUBLE, MPI_SUM, comm_);
  return sums;
}

void Accelerator::check_sizes(std::span<const double> x, std::span<const double> image) {
  std::size_t expected = x.size();
  if (!weights_.empty()) expected = weights_.size();
  if (has_last_ || !columns_.empty()) expected = residual_.size();
  // All ranks throw, or none: the others would wait in the reduction.
  int differs = x.size() != expected || image.size() != expected;
  MPI_Allreduce(MPI_IN_PLACE, &differs, 1, MPI_INT, MPI_MAX, comm_);
  if (differs != 0)
    throw std::invalid_argument(
        fmt::format("coupled vectors of {} (iterate) and {} (image) values; expected {}", x.size(),
                    image.size(), expected));
}

std::vector<double> Accelerator::relax(std::span<const double> x) const {
  std::vector<double> result(x.begin(), x.end());
  add(omega_, residual_, result);
  return result;
}

void Accelerator::update_omega(std::span<const double> x) {
  std::vector<double> change, step;
  subtract(residual_, last_residual_, change);
  subtract(x, last_x_, step);
  const std::vector<double> products = dot({{step, change}, {change, change}});
  // [Kuettler]: omega <- -omega r_old (r - r_old) / |r - r_old|^2, where omega r_old is the last step. The
  // step itself also holds after a quasi-Newton update.
  const double omega = -products[0] / products[1];
  if (std::isfinite(omega) && omega != 0.0) omega_ = omega;
}

void Accelerator::store_column(std::span<const double> image) {
  Column column;
  subtract(residual_, last_residual_, column.residual);
  subtract(image, last_image_, column.image);
  columns_.push_front(std::move(column));
}

std::vector<double> Accelerator::solve_least_squares() {
  // Modified Gram-Schmidt, newest column first. QR2 [Haelterman]: a column of which the earlier ones leave
  // less than `filter` has a direction that is noise.
  std::vector<std::vector<double>> q;
  std::vector<std::vector<double>> r;  // columns of the triangle
  std::vector<std::size_t> kept;
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    std::vector<double> v = columns_[c].residual;
    const double norm = std::sqrt(dot({{v, v}})[0]);
    std::vector<double> triangle;
    for (const auto& direction : q) {
      triangle.push_back(dot({{direction, v}})[0]);
      add(-triangle.back(), direction, v);
    }
    const double rest = std::sqrt(dot({{v, v}})[0]);
    if (!(rest > options_.filter * norm)) {
      ++columns_[c].drops;
      ++dropped_;
      continue;
    }
    for (double& value : v) value /= rest;
    triangle.push_back(rest);
    q.push_back(std::move(v));
    r.push_back(std::move(triangle));
    kept.push_back(c);
  }
  const std::size_t n = q.size();
  std::vector<double> alpha(n);
  for (std::size_t i = n; i-- > 0;) {
    alpha[i] = -dot({{q[i], residual_}})[0];
    for (std::size_t j = i + 1; j < n; ++j) alpha[i] -= r[j][i] * alpha[j];
    alpha[i] /= r[i][i];
  }
  std::vector<double> coefficients(columns_.size(), 0.0);
  for (std::size_t i = 0; i < n; ++i) coefficients[kept[i]] = alpha[i];
  used_columns_ = static_cast<int>(n);
  return coefficients;
}

std::vector<double> Accelerator::next(std::span<const double> x, std::span<const double> image) {
  check_sizes(x, image);
  subtract(image, x, residual_);
  const std::vector<double> squares = dot({{residual_, residual_}, {image, image}});
  if (!std::isfinite(squares[0]) || !std::isfinite(squares[1]))
    throw std::domain_error("coupled vectors contain a value that is not finite (NaN or infinite)");
  residual_norm_ = std::sqrt(squares[0]);
  image_norm_ = std::sqrt(squares[1]);
  used_columns_ = 0;

  std::vector<double> result;
  if (has_last_ && options_.method != Acceleration::constant) update_omega(x);
  if (options_.method == Acceleration::iqn_ils && !fell_back_) {
    if (has_last_) store_column(image);
    if (!columns_.empty()) {
      const std::vector<double> coefficients = solve_least_squares();
      fell_back_ = std::any_of(columns_.begin(), columns_.end(),
                               [](const Column& column) { return column.age == 0 && column.drops >= 2; });
      if (fell_back_) {
        ++fallbacks_;
        columns_.clear();
      } else if (used_columns_ > 0) {
        result.assign(image.begin(), image.end());  // [Degroote]: x <- H(x) + W c, c of least |V c + r|
        std::size_t c = 0;
        for (const Column& column : columns_) add(coefficients[c++], column.image, result);
      }
      // Columns of previous steps that newer ones replace are of no more use.
      std::erase_if(columns_, [](const Column& column) { return column.age > 0 && column.drops > 0; });
    }
  }
  if (result.empty()) result = relax(x);
  last_x_.assign(x.begin(), x.end());
  last_residual_ = residual_;
  last_image_.assign(image.begin(), image.end());
  has_last_ = true;
  return result;
}

std::vector<double> ForcePredictor::predict() const {
  std::vector<double> forces = last_;
  for (std::size_t k = 0; k < forces.size(); ++k) {
    if (extrapolates() && !before_.empty()) forces[k] += last_[k] - before_[k];
  }
  return forces;
}

void ForcePredictor::accept(std::span<const double> forces) {
  // Several steps decide: forces of single steps alternate where contacts close and open.
  constexpr double kMemory = 0.8;
  const bool differs = accepted_ > 0 && forces.size() != last_.size();
  int faulty = differs                                                                                ? 2
               : std::all_of(forces.begin(), forces.end(), [](double f) { return std::isfinite(f); }) ? 0
                                                                                                      : 1;
  MPI_Allreduce(MPI_IN_PLACE, &faulty, 1, MPI_INT, MPI_MAX, comm_);
  if (faulty == 2)
    throw std::invalid_argument(
        fmt::format("predicted forces: got {} values; expected {}, as in the step before, on "
                    "every rank",
                    forces.size(), last_.size()));
  if (faulty == 1)
    throw std::domain_error("predicted forces: got a value that is not finite (NaN or infinite)");
  // Not by what this rank has: it may have no vertices, and all ranks sum.
  if (accepted_ > 1) {
    std::vector<double> errors(2, 0.0);
    for (std::size_t k = 0; k < forces.size(); ++k) {
      errors[0] += std::pow(2.0 * last_[k] - before_[k] - forces[k], 2);
      errors[1] += std::pow(last_[k] - forces[k], 2);
    }
    MPI_Allreduce(MPI_IN_PLACE, errors.data(), 2, MPI_DOUBLE, MPI_SUM, comm_);
    linear_error_ = kMemory * linear_error_ + std::sqrt(errors[0]);
    constant_error_ = kMemory * constant_error_ + std::sqrt(errors[1]);
  }
  before_ = std::exchange(last_, std::vector<double>(forces.begin(), forces.end()));
  ++accepted_;
}

std::vector<double> shared_weights(std::span<const std::int64_t> ids, int components, MPI_Comm comm) {
  int ranks = 1;
  MPI_Comm_size(comm, &ranks);
  // Surfaces are small beside the bodies, and this runs once: every rank sees all ids.
  const int count = static_cast<int>(ids.size());
  std::vector<int> counts(ranks), offsets(ranks, 0);
  MPI_Allgather(&count, 1, MPI_INT, counts.data(), 1, MPI_INT, comm);
  for (int rank = 1; rank < ranks; ++rank) offsets[rank] = offsets[rank - 1] + counts[rank - 1];
  std::vector<std::int64_t> all(static_cast<std::size_t>(offsets.back()) + counts.back());
  MPI_Allgatherv(ids.data(), count, MPI_INT64_T, all.data(), counts.data(), offsets.data(), MPI_INT64_T,
                 comm);
  std::sort(all.begin(), all.end());
  std::vector<double> weights;
  weights.reserve(ids.size() * components);
  for (const std::int64_t id : ids) {
    const auto range = std::equal_range(all.begin(), all.end(), id);
    weights.insert(weights.end(), components, 1.0 / static_cast<double>(range.second - range.first));
  }
  return weights;
}

CoupledStep iterate(Accelerator& accelerator, std::vector<double>& x,
                    const std::function<void(std::span<const double>, std::span<double>)>& image,
                    const CoupledTolerance& tolerance) {
  if (!(tolerance.relative >= 0.0))
    throw std::invalid_argument(
        fmt::format("relative tolerance of a coupled step {}; expected a number >= 0", tolerance.relative));
  if (!(tolerance.absolute >= 0.0))
    throw std::invalid_argument(
        fmt::format("absolute tolerance of a coupled step {}; expected a number >= 0", tolerance.absolute));
  if (tolerance.iterations < 1)
    throw std::invalid_argument(
        fmt::format("{} iterations of a coupled step; expected 1 or more", tolerance.iterations));
  CoupledStep step;
  std::vector<double> of_x(x.size());
  accelerator.new_step();
  while (step.iterations < tolerance.iterations) {
    image(x, of_x);
    ++step.iterations;
    std::vector<double> better = accelerator.next(x, of_x);
    step.residual = accelerator.residual();
    step.converged = step.residual <= std::max(tolerance.relative * accelerator.image(), tolerance.absolute);
    x = step.converged ? of_x : std::move(better);
    if (step.converged) break;
  }
  return step;
}

}  // namespace scree::coupling

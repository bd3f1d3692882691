#include "solvers/contact_dynamics/delassus.hpp"

#include <algorithm>
#include <cmath>

#include "assembly/ghosted_vec.hpp"
#include "solvers/contact_dynamics/contact_operator.hpp"

namespace scree::contact_dynamics {
namespace {

using petsc::check;

constexpr const char* kPacking = "packing the rows of the contacts";
constexpr const char* kExchanging = "exchanging velocities of bodies between ranks";

/// Inverse masses of all bodies, which owners know: ghosts of a problem need not carry theirs.
std::vector<Mat6> inverse_masses(const StepProblem& problem) {
  constexpr std::ptrdiff_t kEntries = Mat6::SizeAtCompileTime;
  BodyValues entries(problem, static_cast<int>(kEntries));
  for (int i = 0; i < problem.owned; ++i) {
    Eigen::Map<Mat6>(entries.data() + kEntries * i) = problem.bodies[i].inverse_mass;
  }
  entries.copy_owners_to_ghosts();
  std::vector<Mat6> masses(problem.bodies.size() + 1, Mat6::Zero());
  for (std::size_t i = 0; i < problem.bodies.size(); ++i) {
    masses[i] = Eigen::Map<const Mat6>(entries.data() + kEntries * i);
  }
  return masses;
}

/// Whether forces at contacts turn nothing: no moments about the poles, and no mass that ties turning to
/// translation. The same on every rank.
bool translates_only(const StepProblem& problem, const std::vector<Mat6>& inverse_mass) {
  const auto still = [&](int body) { return body < 0 || inverse_mass[body].isZero(0); };
  int answer = 1;
  for (const Mat6& block : inverse_mass) {
    if (!block.topRightCorner<3, 3>().isZero(0) || !block.bottomLeftCorner<3, 3>().isZero(0)) answer = 0;
  }
  for (const Constraint& contact : problem.constraints) {
    if (!still(contact.a) && !row_of_a(contact).tail<3>().isZero(0)) answer = 0;
    if (!still(contact.b) && !row_of_b(contact).tail<3>().isZero(0)) answer = 0;
  }
  MPI_Allreduce(MPI_IN_PLACE, &answer, 1, MPI_INT, MPI_MIN, problem.comm);
  return answer == 1;
}

template <int W>
PackedRows<W> pack(const StepProblem& problem, const std::vector<Mat6>& inverse_mass) {
  using Packed = PackedRows<W>;
  Packed packed;
  packed.owned = problem.owned;
  for (const Mat6& block : inverse_mass) {
    packed.inverse_mass.push_back(problem.h * block.topLeftCorner<W, W>());
  }
  const int fixed = packed.bodies() - 1;
  const auto place = [&](int body) { return body < 0 || inverse_mass[body].isZero(0) ? fixed : body; };
  packed.rows.resize(Packed::kRow * problem.constraints.size());
  double* row = packed.rows.data();
  for (const Constraint& contact : problem.constraints) {
    packed.a.push_back(place(contact.a));
    packed.b.push_back(place(contact.b));
    Packed::of(row, 0) = row_of_a(contact).template head<W>();
    if constexpr (W == 6) Packed::of(row, 1) = row_of_b(contact);
    row += Packed::kRow;
  }
  return packed;
}

template <int W>
std::vector<double> diagonal_of(const PackedRows<W>& rows) {
  std::vector<double> diagonal(rows.contacts());
  for (int i = 0; i < rows.contacts(); ++i) {
    diagonal[i] = rows.row_a(i).dot(rows.inverse_mass[rows.a[i]] * rows.row_a(i)) +
                  rows.row_b(i).dot(rows.inverse_mass[rows.b[i]] * rows.row_b(i));
  }
  return diagonal;
}

}  // namespace

BodyValues::BodyValues(const StepProblem& problem, int width)
    : owned_values_(width * problem.owned), values_(width * (problem.bodies.size() + 1)) {
  int ranks = 1;
  MPI_Comm_size(problem.comm, &ranks);
  if (ranks == 1) return;
  std::vector<PetscInt> ghosts;
  for (std::size_t i = problem.owned; i < problem.bodies.size(); ++i)
    ghosts.push_back(problem.bodies[i].number);
  check(VecCreateGhostBlockWithArray(problem.comm, width, owned_values_, PETSC_DECIDE,
                                     static_cast<PetscInt>(ghosts.size()), ghosts.data(), values_.data(),
                                     ghosted_.put()),
        kPacking);
}

void BodyValues::clear() { std::fill(values_.begin(), values_.end(), 0.0); }

void BodyValues::add_ghosts_to_owners() {
  if (!ghosted_) return;
  petsc::add_ghosts_to_owners(ghosted_, kExchanging);
}

void BodyValues::copy_owners_to_ghosts() {
  if (!ghosted_) return;
  petsc::copy_owners_to_ghosts(ghosted_, kExchanging);
}

void BodyValues::raise_owners_to_ghosts() {
  if (!ghosted_) return;
  petsc::raise_owners_to_ghosts(ghosted_, kExchanging);
}

Delassus::Delassus(const StepProblem& problem) : problem_(&problem), comm_(problem.comm) {
  const std::vector<Mat6> masses = inverse_masses(problem);
  if (translates_only(problem, masses)) {
    rows_ = pack<3>(problem, masses);
  } else {
    rows_ = pack<6>(problem, masses);
  }
  std::visit(
      [&](const auto& rows) {
        diagonal_ = diagonal_of(rows);
        impulse_ = BodyValues(problem, rows.kWidth);
        velocity_ = BodyValues(problem, rows.kWidth);
      },
      rows_);
}

void Delassus::scale(std::span<const double> factors) {
  std::visit(
      [&](auto& rows) {
        for (int i = 0; i < rows.contacts(); ++i) {
          for (int k = 0; k < rows.kRow; ++k) rows.rows[rows.kRow * i + k] *= factors[i];
          diagonal_[i] *= factors[i] * factors[i];
        }
      },
      rows_);
}

void Delassus::velocities(const double* f, BodyValues& velocity) {
  std::visit(
      [&](const auto& rows) {
        using Packed = std::decay_t<decltype(rows)>;
        impulse_.clear();
        double* impulse = impulse_.data();
        for (int i = 0; i < rows.contacts(); ++i) {
          Packed::of(impulse, rows.a[i]) += f[i] * rows.row_a(i);
          Packed::of(impulse, rows.b[i]) += f[i] * rows.row_b(i);
        }
        impulse_.add_ghosts_to_owners();
        for (int body = 0; body < rows.owned; ++body) {
          Packed::of(velocity.data(), body).noalias() = rows.inverse_mass[body] * Packed::of(impulse, body);
        }
        velocity.copy_owners_to_ghosts();
      },
      rows_);
}

void Delassus::apply(const double* f, double* result) {
  static const petsc::LogEvent event("ScreeDelassus");
  const petsc::LogScope scope(event);
  velocities(f, velocity_);
  std::visit(
      [&](const auto& rows) {
        const double* velocity = velocity_.data();
        for (int i = 0; i < rows.contacts(); ++i) result[i] = rows.rate(i, velocity);
      },
      rows_);
}

}  // namespace scree::contact_dynamics

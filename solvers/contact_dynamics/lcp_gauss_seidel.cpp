/// Projected Gauss-Seidel on the rows of B (theory 07 section 2): contact by contact, the force that makes
/// its own complementarity hold, with the velocities of its bodies kept up to date.
///
/// On several ranks it stays a Gauss-Seidel: contacts whose bodies no other rank touches are visited by all
/// ranks at once; the others by colours of ranks, where ranks that touch a common body never have the same
/// colour, and velocities are exchanged after each colour. (All at once, block Jacobi between ranks, does not
/// converge as such.) The order of contacts, and with it the forces, depends on the number of ranks.
#include <algorithm>
#include <array>
#include <set>

#include "assembly/interrupt.hpp"
#include "solvers/contact_dynamics/lcp_methods.hpp"

namespace scree::contact_dynamics {
namespace {

/// Sweeps measure on the way, with forces of before and after mixed; below this much of the tolerance the
/// measure itself is taken, and now and then in any case.
constexpr double kNear = 2;
constexpr int kOften = 25;

/// The bodies of other ranks that a rank holds, as their owners; of all ranks.
std::vector<std::set<int>> groups_of_ranks(const StepProblem& problem) {
  int rank = 0, ranks = 1;
  MPI_Comm_rank(problem.comm, &rank);
  MPI_Comm_size(problem.comm, &ranks);
  std::vector<int> counts(ranks), places(ranks), lengths(ranks);
  MPI_Allgather(&problem.owned, 1, MPI_INT, counts.data(), 1, MPI_INT, problem.comm);
  std::vector<PetscInt> ends(ranks);
  PetscInt end = 0;
  for (int r = 0; r < ranks; ++r) ends[r] = end += counts[r];
  std::set<int> mine{rank};
  for (std::size_t i = problem.owned; i < problem.bodies.size(); ++i) {
    const auto above = std::upper_bound(ends.begin(), ends.end(), problem.bodies[i].number);
    mine.insert(static_cast<int>(above - ends.begin()));
  }
  const std::vector<int> list(mine.begin(), mine.end());
  const int length = static_cast<int>(list.size());
  MPI_Allgather(&length, 1, MPI_INT, lengths.data(), 1, MPI_INT, problem.comm);
  for (int r = 1; r < ranks; ++r) places[r] = places[r - 1] + lengths[r - 1];
  std::vector<int> all(places.back() + lengths.back());
  MPI_Allgatherv(list.data(), length, MPI_INT, all.data(), lengths.data(), places.data(), MPI_INT,
                 problem.comm);
  std::vector<std::set<int>> groups(ranks);
  for (int r = 0; r < ranks; ++r) groups[r] = {all.begin() + places[r], all.begin() + places[r] + lengths[r]};
  return groups;
}

/// A colour per rank; ranks that hold bodies of a common owner differ. The same on every rank.
std::vector<int> colours_of_ranks(const StepProblem& problem) {
  const std::vector<std::set<int>> groups = groups_of_ranks(problem);
  std::vector<std::set<int>> holders(groups.size());  // of bodies of an owner
  for (std::size_t r = 0; r < groups.size(); ++r) {
    for (const int owner : groups[r]) holders[owner].insert(static_cast<int>(r));
  }
  std::vector<int> colours(groups.size(), -1);
  for (std::size_t r = 0; r < groups.size(); ++r) {
    std::set<int> taken;
    for (const int owner : groups[r]) {
      for (const int other : holders[owner]) taken.insert(colours[other]);
    }
    while (taken.contains(++colours[r])) {
    }
  }
  return colours;
}

template <class Rows>
class GaussSeidel {
 public:
  GaussSeidel(const ScaledLcp& lcp, const Rows& rows, std::span<double> y)
      : lcp_(lcp),
        rows_(rows),
        y_(y),
        velocity_(lcp.n->problem(), kWidth),
        change_(lcp.n->problem(), kWidth),
        w_(lcp.size()) {
    respond();
    int ranks = 1, rank = 0;
    MPI_Comm_size(lcp.n->comm(), &ranks);
    MPI_Comm_rank(lcp.n->comm(), &rank);
    if (ranks > 1) {
      const std::vector<int> colours = colours_of_ranks(lcp.n->problem());
      colours_ = 1 + *std::max_element(colours.begin(), colours.end());
      colour_ = colours[rank];
    }
    sort_contacts(ranks > 1);
  }

  MethodReport solve() {
    MethodReport report;
    double seen = measure();
    while (seen > lcp_.tolerance) {
      if (report.iterations == lcp_.max_iterations) {
        report.cause = "iteration limit";
        break;
      }
      ++report.iterations;
      const double largest = max_or_interrupt(sweep(), lcp_.n->comm());
      const bool look = largest <= kNear * lcp_.tolerance || report.iterations % kOften == 0;
      if (look) seen = measure();
    }
    report.products = report.iterations;
    return report;
  }

 private:
  static constexpr int kWidth = Rows::kWidth;
  static constexpr std::ptrdiff_t kResponse = std::ptrdiff_t{2} * kWidth;

  /// h M^-1 times the rows: what a force does to the velocities of its bodies.
  void respond() {
    response_.resize(kResponse * lcp_.size());
    for (int i = 0; i < rows_.contacts(); ++i) {
      double* at = response_.data() + kResponse * i;
      Rows::of(at, 0) = rows_.inverse_mass[rows_.a[i]] * rows_.row_a(i);
      Rows::of(at, 1) = rows_.inverse_mass[rows_.b[i]] * rows_.row_b(i);
    }
  }

  /// Contacts that share a body with another rank go apart.
  void sort_contacts(bool several_ranks) {
    std::vector<char> shared(rows_.bodies(), 0);
    if (several_ranks) {
      BodyValues held(lcp_.n->problem(), 1);  // by how many other ranks
      for (int body = rows_.owned; body + 1 < rows_.bodies(); ++body) held.data()[body] = shared[body] = 1;
      held.add_ghosts_to_owners();
      for (int body = 0; body < rows_.owned; ++body) shared[body] = held.data()[body] > 0;
    }
    for (int i = 0; i < rows_.contacts(); ++i) {
      if (lcp_.n->diagonal()[i] == 0) continue;
      (shared[rows_.a[i]] || shared[rows_.b[i]] ? across_ : within_).push_back(i);
    }
  }

  /// r, from velocities computed anew.
  double measure() {
    lcp_.n->velocities(y_.data(), velocity_);
    for (int i = 0; i < rows_.contacts(); ++i) w_[i] = rows_.rate(i, velocity_.data()) + lcp_.p[i];
    return lcp_.measure(y_, w_);
  }

  double sweep() {
    double largest = visit(within_);
    for (int colour = 0; colour < colours_; ++colour) {
      change_.clear();
      if (colour == colour_) {
        remember_ghosts(-1);
        largest = std::max(largest, visit(across_));
        remember_ghosts(1);
      }
      change_.add_ghosts_to_owners();
      for (int k = 0; k < kWidth * rows_.owned; ++k) velocity_.data()[k] += change_.data()[k];
      velocity_.copy_owners_to_ghosts();
    }
    return largest;
  }

  void remember_ghosts(double sign) {
    const int end = kWidth * (rows_.bodies() - 1);
    for (int k = kWidth * rows_.owned; k < end; ++k) change_.data()[k] += sign * velocity_.data()[k];
  }

  /// @returns the largest part of r met.
  double visit(const std::vector<int>& contacts) {
    double largest = 0;
    double* velocity = velocity_.data();
    for (const int i : contacts) {
      const double w = rows_.rate(i, velocity) + lcp_.p[i];  // N_ii = 1
      largest = std::max(largest, lcp_.part(i, y_[i], w));
      const double step = std::max(-y_[i], -w);
      if (step == 0) continue;
      y_[i] += step;
      const double* response = response_.data() + kResponse * i;
      Rows::of(velocity, rows_.a[i]) += step * Rows::of(response, 0);
      Rows::of(velocity, rows_.b[i]) += step * Rows::of(response, 1);
    }
    return largest;
  }

  const ScaledLcp& lcp_;
  const Rows& rows_;
  std::span<double> y_;
  BodyValues velocity_, change_;
  std::vector<double> w_, response_;
  std::vector<int> within_, across_;
  int colours_ = 0, colour_ = 0;
};

}  // namespace

MethodReport solve_gauss_seidel(const ScaledLcp& lcp, std::span<double> y) {
  return std::visit(
      [&](const auto& rows) { return GaussSeidel<std::decay_t<decltype(rows)>>(lcp, rows, y).solve(); },
      lcp.n->rows());
}

}  // namespace scree::contact_dynamics

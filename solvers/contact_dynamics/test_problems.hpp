/// Steps of contact dynamics whose geometry is known in closed form, dealt over ranks; for tests and
/// benchmarks.
#pragma once

#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <random>
#include <vector>

#include "core/test_extremes.hpp"
#include "solvers/contact_dynamics/contact_operator.hpp"

namespace scree::contact_dynamics::problems {

/// A body that may move. @param inertia about its axes [kg m^2].
inline StepBody moving_body(double mass, const Vec3& inertia, const Vec3& force = Vec3::Zero()) {
  StepBody body;
  body.mass.diagonal() << mass, mass, mass, inertia;
  body.inverse_mass.diagonal() = body.mass.diagonal().cwiseInverse();
  body.force.head<3>() = force;
  return body;
}
inline StepBody moving_body(double mass, double inertia, const Vec3& force = Vec3::Zero()) {
  return moving_body(mass, Vec3::Constant(inertia), force);
}

inline void number(StepProblem& problem) {
  problem.owned = static_cast<int>(problem.bodies.size());
  for (int b = 0; b < problem.owned; ++b) problem.bodies[b].id = problem.bodies[b].number = b;
  for (std::size_t i = 0; i < problem.constraints.size(); ++i) problem.constraints[i].key = i;
}

/// The share of this rank of a problem that every rank knows: bodies in equal blocks.
inline StepProblem dealt(const StepProblem& whole, MPI_Comm comm = MPI_COMM_WORLD) {
  int ranks = 1, rank = 0;
  MPI_Comm_size(comm, &ranks);
  MPI_Comm_rank(comm, &rank);
  const auto all = static_cast<int>(whole.bodies.size());
  const int from = all * rank / ranks, to = all * (rank + 1) / ranks;
  StepProblem mine;
  mine.comm = comm;
  mine.h = whole.h;
  mine.owned = to - from;
  const auto take = [&](int body) {
    mine.bodies.push_back(whole.bodies[body]);
    mine.bodies.back().number = body;
  };
  for (int body = from; body < to; ++body) take(body);
  std::map<int, int> ghosts;
  for (const Constraint& contact : whole.constraints) {
    if (contact.a < from || contact.a >= to) continue;
    Constraint own = contact;
    own.a -= from;
    if (contact.b >= from && contact.b < to) {
      own.b -= from;
    } else if (contact.b >= 0) {
      const auto [at, added] = ghosts.try_emplace(contact.b, static_cast<int>(mine.bodies.size()));
      if (added) take(contact.b);
      own.b = at->second;
    }
    mine.constraints.push_back(own);
  }
  return mine;
}

/// Values per contact of all ranks, by the contacts' keys. Collective.
inline std::vector<double> by_key(const StepProblem& mine, Vec per_contact, std::size_t contacts) {
  std::vector<double> all(contacts, 0);
  const petsc::ConstVecValues values(per_contact);
  for (std::size_t i = 0; i < mine.constraints.size(); ++i) all[mine.constraints[i].key] = values.data()[i];
  MPI_Allreduce(MPI_IN_PLACE, all.data(), static_cast<int>(contacts), MPI_DOUBLE, MPI_SUM, mine.comm);
  return all;
}

/// Six per body: what contacts have to carry at rest, -F.
inline petsc::VecHandle weights(const StepProblem& mine, const ContactOperator& op) {
  petsc::VecHandle load = op.per_body();
  const petsc::VecValues to(load);
  for (int b = 0; b < mine.owned; ++b)
    for (int k = 0; k < 6; ++k)
      if (mine.bodies[b].inverse_mass(k, k) > 0) to.data()[6 * b + k] = -mine.bodies[b].force[k];
  return load;
}

/// A thin beam of weight 10 N (g = 10, 1 kg, length 2) on supports at x = -1, 0, 1 below it (theory 07
/// section 3); the middle one lower by `middle_gap`.
inline StepProblem beam(const std::vector<double>& stiffness = {1, 1, 1}, double exponent = 1,
                        double middle_gap = 0) {
  StepProblem problem;
  problem.h = 1e-3;
  problem.bodies = {moving_body(1, Vec3(0.01, 1.0 / 3, 1.0 / 3), {0, 0, -10})};
  for (int k = 0; k < 3; ++k) {
    Constraint contact;
    contact.arm_a = Vec3(k - 1.0, 0, -0.1);
    contact.stiffness_ratio = stiffness[k];
    contact.exponent = exponent;
    contact.gap = k == 1 ? middle_gap : 0;
    problem.constraints.push_back(contact);
  }
  number(problem);
  return problem;
}

/// A table of weight 10 N on four legs, at the corners of a square of side 2.
inline StepProblem table() {
  StepProblem problem;
  problem.h = 1e-3;
  problem.bodies = {moving_body(1, 0.4, {0, 0, -10})};
  for (const double x : {-1.0, 1.0})
    for (const double y : {-1.0, 1.0}) {
      Constraint contact;
      contact.arm_a = Vec3(x, y, -0.5);
      problem.constraints.push_back(contact);
    }
  number(problem);
  return problem;
}

/// A contact of spheres of radius r at x_a and x_b.
inline Constraint sphere_contact(int a, int b, const Vec3& x_a, const Vec3& x_b, double r) {
  Constraint contact;
  contact.a = a;
  contact.b = b;
  contact.normal = (x_a - x_b).normalized();
  contact.arm_a = -r * contact.normal;
  contact.arm_b = r * contact.normal;
  contact.gap = (x_a - x_b).norm() - 2 * r;
  return contact;
}

enum class Kind { hooke, hertz, two_species };

/// What the spheres of a pyramid are.
struct Spheres {
  double diameter = 1, mass = 1, gravity = 1;
};
/// The grains of verification/cases/cannonball.
inline constexpr Spheres kGrains{2.5e-3, 2000 * M_PI * 2.5e-3 * 2.5e-3 * 2.5e-3 / 6, 9.81};

/// The pyramid of verification/cases/cannonball, numbered as there: n spheres along the base, which is
/// held; contacts between spheres of the base are left out.
inline StepProblem pyramid(int n, Kind kind = Kind::hooke, const Spheres& spheres = {}) {
  StepProblem problem;
  problem.h = 1e-3;
  const double d = spheres.diameter;
  std::vector<Vec3> centre;
  std::vector<std::vector<int>> first(n);  // of a layer: index of its row j
  for (int k = 0; k < n; ++k)
    for (int j = 0; j < n - k; ++j) {
      first[k].push_back(static_cast<int>(centre.size()));
      for (int i = 0; i < n - k; ++i)
        centre.emplace_back(
            d * Vec3(i + k / 2.0 - (n - 1) / 2.0, j + k / 2.0 - (n - 1) / 2.0, k / std::sqrt(2.0)));
    }
  for (std::size_t b = 0; b < centre.size(); ++b) {
    problem.bodies.push_back(
        moving_body(spheres.mass, 0.1 * spheres.mass * d * d, {0, 0, -spheres.mass * spheres.gravity}));
    if (static_cast<int>(b) >= n * n) continue;
    problem.bodies.back().mass.setZero();
    problem.bodies.back().inverse_mass.setZero();
  }
  std::vector<std::pair<int, int>> pairs;
  for (int k = 1; k < n; ++k)
    for (int j = 0; j < n - k; ++j)
      for (int i = 0; i < n - k; ++i) {
        const int self = first[k][j] + i;
        for (const int dj : {0, 1})
          for (const int di : {0, 1}) pairs.emplace_back(first[k - 1][j + dj] + i + di, self);
        if (i + 1 < n - k) pairs.emplace_back(self, self + 1);
        if (j + 1 < n - k) pairs.emplace_back(self, first[k][j + 1] + i);
      }
  std::sort(pairs.begin(), pairs.end());
  for (const auto& [i, j] : pairs) {
    Constraint contact = sphere_contact(i, j, centre[i], centre[j], 0.5 * d);
    contact.gap = 0;  // by construction; what is computed is round-off
    contact.exponent = kind == Kind::hertz ? 1.5 : 1;
    const int odd = i % 2 + j % 2;
    if (kind == Kind::two_species) contact.stiffness_ratio = odd == 0 ? 0.2 : odd == 1 ? 1.0 / 3 : 1;
    problem.constraints.push_back(contact);
  }
  number(problem);
  return problem;
}

/// All bodies that move get a random velocity, each component uniform in +-speed.
inline void shake(StepProblem& whole, double speed, unsigned seed = 3) {
  std::mt19937 draw(seed);
  // Not uniform_real_distribution, which differs between libraries.
  const auto unit = [&] { return 2.0 * static_cast<double>(draw()) / std::mt19937::max() - 1; };
  for (StepBody& body : whole.bodies) {
    if (body.mass.isZero(0)) continue;
    body.velocity.head<3>() = speed * Vec3(unit(), unit(), unit());
  }
}

/// All gaps, e.g. for a step in which spheres come into contact.
inline void spread(StepProblem& whole, double gap) {
  for (Constraint& contact : whole.constraints) contact.gap = gap;
}

/// A column of `count` cubes of 1 cm and 1 kg (g = 10) on a floor, four contacts each from the bottom up, and
/// a body of `mass` on a contact of its own: on the floor beside them, or on the uppermost.
inline StepProblem column_and_body(double mass, bool on_top, int count = 8) {
  StepProblem whole;
  whole.h = 2e-3;
  const double half = 0.005;
  for (int i = 0; i < count; ++i) {
    whole.bodies.push_back(moving_body(1, 4 * half * half / 6, {0, 0, -10}));
    for (const double x : {-half, half})
      for (const double y : {-half, half}) {
        Constraint contact;
        contact.a = i;
        contact.b = i - 1;
        contact.arm_a = Vec3(x, y, -half);
        contact.arm_b = Vec3(x, y, half);
        whole.constraints.push_back(contact);
      }
  }
  whole.bodies.push_back(moving_body(mass, 0.4 * mass, {0, 0, -10 * mass}));
  Constraint contact;
  contact.a = count;
  contact.b = on_top ? count - 1 : -1;
  contact.arm_a = Vec3(0, 0, -1);
  contact.arm_b = Vec3(0, 0, half);
  whole.constraints.push_back(contact);
  number(whole);
  return whole;
}

/// Equal spheres in a row that touch, along x, no gravity; the first comes with `speed` (Newton's cradle).
inline StepProblem cradle(int count, double speed, double restitution) {
  StepProblem whole;
  whole.h = 1e-3;
  for (int i = 0; i < count; ++i) {
    whole.bodies.push_back(moving_body(0.1, 1e-5));
    if (i == 0) continue;
    Constraint contact = sphere_contact(i, i - 1, Vec3(0.02 * i, 0, 0), Vec3(0.02 * (i - 1), 0, 0), 0.01);
    contact.gap = 0;
    contact.restitution = restitution;
    whole.constraints.push_back(contact);
  }
  number(whole);
  whole.bodies[0].velocity.x() = speed;
  return whole;
}

/// The LCP of a problem known to every rank, by projected Gauss-Seidel over rows of B in the given order:
/// forces that depend on the order, rates that do not ([CD] section 6).
struct Solved {
  std::vector<double> forces, rates;
};
inline Solved gauss_seidel(const StepProblem& whole, double tolerance = 1e-13, int most = 200000) {
  std::vector<Vec6> v;
  for (const StepBody& body : whole.bodies)
    v.emplace_back(body.velocity + whole.h * (body.inverse_mass * body.force));
  const std::size_t count = whole.constraints.size();
  Solved out{std::vector<double>(count, 0), std::vector<double>(count, 0)};
  std::vector<double> own(count);
  const auto rate = [&](const Constraint& c) {
    return c.gap / whole.h + row_of_a(c).dot(v[c.a]) + (c.b >= 0 ? row_of_b(c).dot(v[c.b]) : 0) +
           c.normal.dot(c.drift);
  };
  for (int sweep = 0; sweep < most; ++sweep) {
    double moved = 0, largest = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const Constraint& c = whole.constraints[i];
      const Vec6 push_a = whole.h * (whole.bodies[c.a].inverse_mass * row_of_a(c));
      Vec6 push_b = Vec6::Zero();
      own[i] = row_of_a(c).dot(push_a);
      if (c.b >= 0) {
        push_b = whole.h * (whole.bodies[c.b].inverse_mass * row_of_b(c));
        own[i] += row_of_b(c).dot(push_b);
      }
      const double f = std::max(0.0, out.forces[i] - rate(c) / own[i]);
      const double change = f - out.forces[i];
      v[c.a] += change * push_a;
      if (c.b >= 0) v[c.b] += change * push_b;
      out.forces[i] = f;
      test::keep_largest(moved, std::abs(change));
      test::keep_largest(largest, f);
    }
    if (moved <= tolerance * largest) break;
  }
  for (std::size_t i = 0; i < count; ++i) out.rates[i] = rate(whole.constraints[i]);
  return out;
}

/// Values by key as a vector of this rank's contacts.
inline petsc::VecHandle of_keys(const StepProblem& mine, const ContactOperator& op,
                                const std::vector<double>& by_keys) {
  petsc::VecHandle vec = op.per_contact();
  const petsc::VecValues to(vec);
  for (std::size_t i = 0; i < mine.constraints.size(); ++i) to.data()[i] = by_keys[mine.constraints[i].key];
  return vec;
}

}  // namespace scree::contact_dynamics::problems

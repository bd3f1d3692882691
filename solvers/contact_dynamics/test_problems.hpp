/// Steps of contact dynamics whose geometry is known in closed form; for tests and benchmarks.
#pragma once

#include <cmath>
#include <map>
#include <random>
#include <vector>

#include "solvers/contact_dynamics/step_problem.hpp"

namespace scree::contact_dynamics::problems {

/// A step on no rank in particular: constraints name bodies by their place, -1 for the ground.
struct Whole {
  double h = 1e-3;
  std::vector<StepBody> bodies;
  std::vector<Constraint> constraints;
};

inline StepBody moving_body(double mass, const Vec3& inertia, const Vec3& force) {
  StepBody body;
  body.mass.diagonal() << mass, mass, mass, inertia;
  body.inverse_mass.diagonal() = body.mass.diagonal().cwiseInverse();
  body.force.head<3>() = force;
  return body;
}

/// The share of this rank: bodies in equal runs, a contact with the owner of its body a.
inline StepProblem share(const Whole& whole, MPI_Comm comm) {
  int rank = 0, ranks = 1;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &ranks);
  const auto count = static_cast<long>(whole.bodies.size());
  const int first = static_cast<int>(count * rank / ranks);
  const int end = static_cast<int>(count * (rank + 1) / ranks);
  StepProblem problem;
  problem.comm = comm;
  problem.h = whole.h;
  problem.owned = end - first;
  std::map<int, int> place;
  const auto hold = [&](int body) {
    if (body < 0) return -1;
    const auto [entry, is_new] = place.try_emplace(body, static_cast<int>(problem.bodies.size()));
    if (is_new) {
      problem.bodies.push_back(whole.bodies[body]);
      problem.bodies.back().number = body;
    }
    return entry->second;
  };
  for (int body = first; body < end; ++body) hold(body);
  for (const Constraint& contact : whole.constraints) {
    if (contact.a < first || contact.a >= end) continue;
    problem.constraints.push_back(contact);
    problem.constraints.back().a = hold(contact.a);
    problem.constraints.back().b = hold(contact.b);
  }
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

/// The cannonball pyramid of ../shared/references/cannonball: n spheres along the base, base fixed, contacts
/// between spheres of the base left out; numbered by layer, then y, then x.
struct Pyramid {
  static constexpr double kDiameter = 2.5e-3, kDensity = 2000, kGravity = 9.81;
  static constexpr double kMass = kDensity * M_PI * kDiameter * kDiameter * kDiameter / 6;
};

inline Whole pyramid(int n, double h = 1e-3) {
  using P = Pyramid;
  Whole whole;
  whole.h = h;
  const double d = P::kDiameter, inertia = 0.1 * P::kMass * d * d;
  std::vector<Vec3> x;
  std::vector<int> layer_starts;
  for (int k = 0; k < n; ++k) {
    layer_starts.push_back(static_cast<int>(x.size()));
    for (int j = 0; j < n - k; ++j) {
      for (int i = 0; i < n - k; ++i) {
        x.push_back(d * Vec3(i + 0.5 * (k - n + 1), j + 0.5 * (k - n + 1), k / std::sqrt(2.0)));
        whole.bodies.push_back(
            k == 0 ? StepBody{}
                   : moving_body(P::kMass, Vec3::Constant(inertia), Vec3(0, 0, -P::kMass * P::kGravity)));
      }
    }
  }
  const auto touch = [&](int a, int b) {
    whole.constraints.push_back(sphere_contact(a, b, x[a], x[b], d / 2));
    whole.constraints.back().gap = 0;  // by construction; what is computed is round-off
  };
  for (int k = 0; k < n; ++k) {
    const int side = n - k;
    for (int j = 0; j < side; ++j) {
      for (int i = 0; i < side; ++i) {
        const int body = layer_starts[k] + j * side + i;
        if (k > 0 && i + 1 < side) touch(body, body + 1);
        if (k > 0 && j + 1 < side) touch(body, body + side);
        if (k + 1 == n) continue;
        for (int corner = 0; corner < 4; ++corner) {  // of the four spheres above that rest on this one
          const int up = i - corner % 2, over = j - corner / 2;
          if (up < 0 || over < 0 || up >= side - 1 || over >= side - 1) continue;
          touch(body, layer_starts[k + 1] + over * (side - 1) + up);
        }
      }
    }
  }
  return whole;
}

/// All bodies that move get a random velocity, each component uniform in +-speed.
inline void shake(Whole& whole, double speed, unsigned seed = 3) {
  std::mt19937 draw(seed);
  // Not uniform_real_distribution, which differs between libraries.
  const auto unit = [&] { return 2.0 * static_cast<double>(draw()) / std::mt19937::max() - 1; };
  for (StepBody& body : whole.bodies) {
    if (body.mass.isZero(0)) continue;
    body.velocity.head<3>() = speed * Vec3(unit(), unit(), unit());
  }
}

/// All gaps, e.g. for a step in which spheres come into contact.
inline void spread(Whole& whole, double gap) {
  for (Constraint& contact : whole.constraints) contact.gap = gap;
}

/// A rigid beam of weight 10 and length 2 on supports at its ends and its middle (theory 07 section 3); the
/// middle one lower by `middle_gap`.
inline Whole beam(double middle_gap = 0, double h = 0.01) {
  Whole whole;
  whole.h = h;
  whole.bodies.push_back(moving_body(1, Vec3(0.01, 1.0 / 3, 1.0 / 3), Vec3(0, 0, -10)));
  for (int k = 0; k < 3; ++k) {
    Constraint contact;
    contact.key = k;
    contact.arm_a = Vec3(k - 1.0, 0, 0);
    contact.gap = k == 1 ? middle_gap : 0;
    whole.constraints.push_back(contact);
  }
  return whole;
}

/// Equal spheres in a row that touch, along x, no gravity; the first comes with `speed` (Newton's cradle).
inline Whole cradle(int count, double speed, double restitution) {
  Whole whole;
  for (int i = 0; i < count; ++i) {
    whole.bodies.push_back(moving_body(0.1, Vec3::Constant(1e-5), Vec3::Zero()));
    if (i == 0) continue;
    Constraint contact = sphere_contact(i, i - 1, Vec3(0.02 * i, 0, 0), Vec3(0.02 * (i - 1), 0, 0), 0.01);
    contact.gap = 0;
    contact.restitution = restitution;
    whole.constraints.push_back(contact);
  }
  whole.bodies[0].velocity.x() = speed;
  return whole;
}

}  // namespace scree::contact_dynamics::problems

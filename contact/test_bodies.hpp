/// Bodies for tests of contact: a shape with a trial state whose velocities follow the increment linearly,
/// as every integrator's do.
#pragma once

#include <array>
#include <cmath>
#include <numbers>
#include <random>
#include <vector>

#include "contact/pair/pair.hpp"
#include "core/rotation.hpp"
#include "core/test_random.hpp"

namespace scree::contact::testing {

using test::random_vector;

struct TestBody {
  const Shape* shape = nullptr;
  BodyState state;
  double rate = 0;  ///< dv/du [1/s]
  BodyTrial trial;
  std::vector<Vec3> vertices;

  void set(const Vec3& u, const Vec3& alpha) {
    trial.u = u;
    trial.alpha = alpha;
    trial.x_n = state.x;
    trial.R_n = state.q.toRotationMatrix();
    trial.x = state.x + u;
    trial.Q = rotation::matrix(alpha);
    trial.R = trial.Q * trial.R_n;
    trial.Xi = rotation::spin_map(alpha);
    trial.v = rate * u + state.v;
    trial.w = trial.Q * (rate * alpha + state.w);
    trial.dv_du = rate;
    trial.dw_dtheta = -rotation::skew(trial.w) + rate * trial.Q * rotation::inverse_spin_map(alpha);
    place_vertices();
  }
  /// Back to the accepted pose, with the velocities of the trial (StepContext::frozen).
  void freeze() {
    trial.u = trial.alpha = Vec3::Zero();
    trial.x = trial.x_n = state.x;
    trial.R_n = state.q.toRotationMatrix();
    trial.Q = Mat3::Identity();
    trial.R = state.q.toRotationMatrix();
    place_vertices();
  }
  void place_vertices() {
    vertices.clear();
    for (const Vec3& v : shape->vertices) vertices.emplace_back(trial.x + trial.R * v);
  }
  [[nodiscard]] BodyView view() const { return {shape, &trial, vertices.data()}; }
};

/// @returns a trial state of a step of 1 ms from rest, to first order in the rotation: for tests that compare
/// a system with itself.
inline BodyTrial trial_from_rest(const BodyState& state, const Vec3& u, const Vec3& alpha) {
  constexpr double kRate = 1e3;
  BodyTrial trial;
  trial.u = u;
  trial.alpha = alpha;
  trial.x_n = state.x;
  trial.R_n = state.q.toRotationMatrix();
  trial.x = state.x + u;
  trial.Q = rotation::matrix(alpha);
  trial.R = trial.Q * trial.R_n;
  trial.Xi = rotation::spin_map(alpha);
  trial.v = u * kRate;
  trial.w = alpha * kRate;
  trial.dv_du = kRate;
  trial.dw_dtheta = kRate * Mat3::Identity();
  return trial;
}

inline Quat random_rotation(std::mt19937_64& engine) {
  std::normal_distribution<double> normal;
  const double w = normal(engine);
  const double x = normal(engine);
  const double y = normal(engine);
  const double z = normal(engine);
  return Quat(w, x, y, z).normalized();
}

/// Tetrahedron whose faces are pushed in to a corner each, as a tetrapod: four spikes with acute edges,
/// concave edges between them. @param size of the spikes from the middle [m].
inline Shape star(double size) {
  const double tip = size / std::sqrt(3.0), inner = 0.25 * tip;
  std::vector<Vec3> v = {{tip, tip, tip}, {tip, -tip, -tip}, {-tip, tip, -tip}, {-tip, -tip, tip}};
  for (int k = 0; k < 4; ++k) v.emplace_back(-inner / tip * v[k]);
  std::vector<std::vector<int>> faces;
  for (const auto& [a, b, c, pushed] : {std::array{1, 3, 2, 4}, {0, 2, 3, 5}, {0, 3, 1, 6}, {0, 1, 2, 7}}) {
    faces.push_back({a, b, pushed});
    faces.push_back({b, c, pushed});
    faces.push_back({c, a, pushed});
  }
  return make_polyhedron("star", v, faces);
}

/// A staple, not convex: legs downwards, the inside of its back in the plane z = 0, the slot |x| < 0.05,
/// |y| < 0.05 thick, in the coordinates that `shift` refers to.
inline Shape staple() {
  std::vector<Vec3> vertices;
  constexpr double kOutline[8][2] = {{-0.15, -0.2}, {-0.05, -0.2}, {-0.05, 0},  {0.05, 0},
                                     {0.05, -0.2},  {0.15, -0.2},  {0.15, 0.1}, {-0.15, 0.1}};
  for (const double y : {-0.05, 0.05}) {
    for (const auto& p : kOutline) vertices.emplace_back(p[0], y, p[1]);
  }
  // Front (y < 0) and back as three quadrangles each, then the sides.
  std::vector<std::vector<int>> faces{{0, 1, 2, 7}, {2, 3, 6, 7}, {3, 4, 5, 6}};
  const auto front = faces;
  for (const std::vector<int>& face : front) {
    std::vector<int> back(face.rbegin(), face.rend());
    for (int& v : back) v += 8;
    faces.push_back(back);
  }
  for (int k = 0; k < 8; ++k) faces.push_back({(k + 1) % 8, k, k + 8, (k + 1) % 8 + 8});
  return make_polyhedron("staple", vertices, faces);
}

/// An egg of 2 n (n - 1) triangles. @param lumps heights over its radius: 0 is convex.
inline Shape egg(int n, double lumps = 0) {
  std::vector<Vec3> vertices = {{0, 0, 0.13}};
  std::vector<std::vector<int>> faces;
  for (int row = 1; row < n; ++row) {
    const double polar = std::numbers::pi * row / n;
    for (int k = 0; k < n; ++k) {
      const double angle = 2 * std::numbers::pi * (k + 0.5 * (row % 2)) / n;
      const double out = 1 + lumps * std::sin(5 * polar) * std::sin(4 * angle);
      vertices.emplace_back(out * 0.1 * std::sin(polar) * std::cos(angle),
                            out * 0.1 * std::sin(polar) * std::sin(angle), out * 0.13 * std::cos(polar));
    }
  }
  vertices.emplace_back(0, 0, -0.13);
  const int last = static_cast<int>(vertices.size()) - 1;
  const auto at = [n](int row, int k) { return 1 + (row - 1) * n + (k + n) % n; };
  for (int k = 0; k < n; ++k) {
    faces.push_back({0, at(1, k), at(1, k + 1)});
    for (int row = 1; row + 1 < n; ++row) {
      const int shift = row % 2;  // the next row is half an angle further, or back
      faces.push_back({at(row, k), at(row + 1, k + shift), at(row, k + 1)});
      faces.push_back({at(row + 1, k + shift), at(row + 1, k + 1 + shift), at(row, k + 1)});
    }
    faces.push_back({at(n - 1, k), last, at(n - 1, k + 1)});
  }
  return make_polyhedron("egg", vertices, faces);
}

}  // namespace scree::contact::testing

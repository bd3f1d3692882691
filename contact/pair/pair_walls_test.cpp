/// Bodies against the curved and triangulated walls: gaps, exact tangents with a wall that moves, energy.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <map>
#include <string>

#include "contact/pair/pair_evaluate.hpp"
#include "contact/search/candidates.hpp"
#include "contact/search/far_items.hpp"
#include "contact/test_bodies.hpp"
#include "core/test_extremes.hpp"

namespace scree::contact {
namespace {

using testing::random_rotation;
using testing::random_vector;
using testing::TestBody;

constexpr double kWallThreshold = 0.02;

Interface interface_of(double damping_ratio, double mu) {
  Interface i;
  i.normal = BarrierParameters{
      .threshold = kWallThreshold, .stiffness = 3e9, .exponent = 3, .damping_ratio = damping_ratio};
  i.friction.static_coefficient = mu;
  i.friction.dynamic_coefficient = mu;
  i.friction.stiffness = 3e5;
  i.friction.damping = 20;
  return i;
}

Shape chevron() {
  const double s = 0.1;
  std::vector<Vec3> v;
  for (const double z : {-s, s}) {
    for (const auto& [x, y] : {std::pair{0., 0.}, {2 * s, 0.}, {2 * s, s}, {s, s}, {s, 2 * s}, {0., 2 * s}})
      v.emplace_back(x, y, z);
  }
  std::vector<std::vector<int>> faces = {{0, 3, 2}, {0, 2, 1}, {0, 5, 4},   {0, 4, 3},
                                         {6, 8, 9}, {6, 7, 8}, {6, 10, 11}, {6, 9, 10}};
  for (int k = 0; k < 6; ++k) faces.push_back({k, (k + 1) % 6, 6 + (k + 1) % 6, 6 + k});
  return make_polyhedron("chevron", v, faces);
}

/// Strip of the surface z = bend |x| with borders, of triangles.
Shape folded_sheet(double bend) {
  std::vector<Vec3> v;
  for (int j = 0; j < 4; ++j) {
    for (int i = -2; i <= 2; ++i) v.emplace_back(0.25 * i, 0.3 * j - 0.45, bend * std::abs(0.25 * i));
  }
  std::vector<std::vector<int>> faces;
  for (int j = 0; j < 3; ++j) {
    for (int i = 0; i < 4; ++i) {
      const int k = 5 * j + i;
      faces.push_back({k, k + 1, k + 6});
      faces.push_back({k, k + 6, k + 5});
    }
  }
  return make_surface("sheet", v, faces);
}

const std::map<std::string, Shape>& bodies() {
  static const std::map<std::string, Shape> all = {
      {"box", make_box("box", {0.2, 0.24, 0.3})},
      {"sphere", make_sphere("sphere", 0.12)},
      {"capsule", make_capsule("capsule", 0.07, 0.3)},
      {"chevron", chevron()},
      {"tablet", make_superquadric("tablet", {0.15, 0.12, 0.09}, 5, 3, 10)},
      {"ellipsoid", make_superquadric("ellipsoid", {0.1, 0.14, 0.19}, 2, 2, 30)}};
  return all;
}

const std::map<std::string, Shape>& walls() {
  static const std::map<std::string, Shape> all = {
      {"plane", make_plane("plane")},     {"cylinder", make_cylinder("cylinder", 0.3)},
      {"bore", make_bore("bore", 0.7)},   {"cavity", make_cavity("cavity", 0.7)},
      {"ball", make_sphere("ball", 0.4)}, {"sheet", folded_sheet(0.5)}};
  return all;
}

struct WallPair {
  TestBody a, b;
  BodyPair pair;
  InterfaceLaw law;
  StepContext step{1e-3, 0};
  Vec3 d_u = Vec3::Zero(), d_alpha = Vec3::Zero();  ///< increment of A

  WallPair(const Shape& body, const Shape& wall, const Interface& i) : law(i) {
    a.shape = &body;
    b.shape = &wall;
    pair.m_star = 1.3;
    b.set(Vec3::Zero(), Vec3::Zero());
  }
  double gap() {
    a.set(d_u, d_alpha);
    build_items(pair, a.view(), b.view(), 0.5);
    return smallest_gap(pair, a.view(), b.view());
  }
  Vec6 residual(const Vec3& u, const Vec3& alpha) {
    a.set(u, alpha);
    const PairWrench w = evaluate(pair, a.view(), b.view(), law, step);
    Vec6 all;
    all << w.force, w.moment;
    return all;
  }
  /// Moves A from where it is free along `way` (local to the wall) until the gap is `wanted`. @returns
  /// whether it is.
  bool bring(const Vec3& from, const Vec3& way, double wanted) {
    const auto at = [&](double t) {
      a.state.x = b.trial.x + b.trial.R * (from + t * way) - d_u;
      return gap();
    };
    double lo = 0, hi = 0;
    if (at(0) < wanted) return false;
    for (hi = 0.01; hi < 1.5 && at(hi) >= wanted; hi += 0.01) lo = hi;
    if (hi >= 1.5) return false;
    for (int k = 0; k < 40; ++k) {
      const double mid = 0.5 * (lo + hi);
      (at(mid) >= wanted ? lo : hi) = mid;
    }
    return std::abs(at(lo) - wanted) < 1e-6;
  }
};

/// Where a body is free, and a way to the wall.
std::pair<Vec3, Vec3> approach_of(const std::string& wall, std::mt19937_64& engine) {
  Vec3 way = random_vector(engine, 1).normalized();
  if (wall == "plane") return {random_vector(engine, 0.3) + Vec3(0, 0, 1), Vec3(0, 0, -1)};
  if (wall == "bore") return {Vec3(0, 0, way.z()), Vec3(way.x(), way.y(), 0).normalized()};
  if (wall == "cavity") return {random_vector(engine, 0.05), way};
  if (wall == "cylinder") {
    way.z() *= 0.2;
    return {-1.0 * Vec3(way.x(), way.y(), 0).normalized() + Vec3(0, 0, 3 * way.z()), way.normalized()};
  }
  if (wall == "ball") return {-1.0 * way, way};
  // Both sides of the sheet, its borders too.
  const double side = way.z() > 0 ? 1 : -1;
  return {Vec3(0.7 * way.x(), 0.7 * way.y(), 1.0 * side), Vec3(0, 0, -side)};
}

void randomise(WallPair& t, std::mt19937_64& engine, bool aligned) {
  t.b.state.q = random_rotation(engine);
  t.b.state.x = random_vector(engine, 1);
  t.b.state.v = random_vector(engine, 0.5);
  t.b.state.w = random_vector(engine, 2);
  t.b.set(random_vector(engine, 1e-3), random_vector(engine, 1e-3));
  t.a.state.q = aligned ? Quat(t.b.state.q * rotation::quaternion(random_vector(engine, 0.03)))
                        : random_rotation(engine);
  t.a.state.v = random_vector(engine, 0.5);
  t.a.state.w = random_vector(engine, 2);
  t.a.rate = 1600;
  t.d_u = random_vector(engine, 1e-4);
  t.d_alpha = random_vector(engine, 1e-3);
}

TEST(WallTangent, MatchesDifferencesForEveryBodyAndWallThatMoves) {
  std::mt19937_64 engine(3);
  double worst = 0;
  int states = 0;
  for (const auto& [wall_name, wall] : walls()) {
    for (const auto& [body_name, body] : bodies()) {
      for (const auto& [damping, mu] : {std::pair{0.0, 0.0}, {0.3, 0.0}, {0.0, 0.4}, {0.3, 0.4}}) {
        int here = 0;
        for (int trial = 0; trial < 400 && here < 10; ++trial) {
          WallPair t(body, wall, interface_of(damping, mu));
          randomise(t, engine, trial % 3 == 0);
          const auto [from, way] = approach_of(wall_name, engine);
          if (!t.bring(from, way, (0.37 + 0.05 * (trial % 10)) * kWallThreshold)) continue;
          t.residual(t.d_u, t.d_alpha);
          for (HistoryEntry& h : t.pair.history) {
            const Vec3 slip = random_vector(engine, 3e-5);
            h.slip = slip - h.n * h.n.dot(slip);
          }
          const Vec6 r0 = t.residual(t.d_u, t.d_alpha);
          const std::size_t active = t.pair.active.size();
          ASSERT_GT(active, 0u);
          PairTangent k;
          evaluate_tangent(t.pair, t.a.view(), t.b.view(), t.law, t.step, k);
          Mat6 exact = k.leftCols<6>();
          exact.rightCols<3>() = (exact.rightCols<3>() * t.a.trial.Xi).eval();
          Mat6 numeric;
          const double e = 5e-8;
          bool smooth = true;
          for (int c = 0; c < 6; ++c) {
            const auto at = [&](double steps) {
              const Vec6 step = steps * e * Vec6::Unit(c);
              Vec6 r = t.residual(t.d_u + step.head<3>(), t.d_alpha + step.tail<3>());
              smooth = smooth && t.pair.active.size() == active;
              return r;
            };
            numeric.col(c) = (8 * (at(1) - at(-1)) - (at(2) - at(-2))) / (12 * e);
          }
          if (!smooth) continue;  // a difference across a kink says nothing
          const double error = (numeric - exact).norm() / (1e3 + exact.norm());
          EXPECT_LT(error, 2e-7) << body_name << " at " << wall_name << " damping " << damping << " mu " << mu
                                 << " force " << r0.head<3>().norm();
          test::keep_largest(worst, error);
          ++here;
          ++states;
        }
        EXPECT_GE(here, 5) << body_name << " at " << wall_name;
      }
    }
  }
  std::printf("%d states, worst relative difference %.1e\n", states, worst);
}

/// Points all over the surface of a body, rounding left out.
std::vector<Vec3> sampled(const BodyView& body) {
  std::vector<Vec3> points(body.vertices, body.vertices + body.shape->vertices.size());
  constexpr int kSamples = 60;
  for (const Edge& e : body.shape->edges) {
    for (int k = 0; k <= kSamples; ++k)
      points.emplace_back(body.vertices[e.v0] +
                          (static_cast<double>(k) / kSamples) * (body.vertices[e.v1] - body.vertices[e.v0]));
  }
  for (const auto& [p, q, r] : body.shape->triangles) {
    for (int i = 0; i <= kSamples; ++i) {
      for (int j = 0; i + j <= kSamples; ++j)
        points.emplace_back(body.vertices[p] +
                            (static_cast<double>(i) / kSamples) * (body.vertices[q] - body.vertices[p]) +
                            (static_cast<double>(j) / kSamples) * (body.vertices[r] - body.vertices[p]));
    }
  }
  return points;
}

double distance_by_hand(const std::string& wall, const Vec3& p) {
  if (wall == "plane") return p.z();
  if (wall == "cylinder") return std::sqrt(p.x() * p.x() + p.y() * p.y()) - 0.3;
  if (wall == "bore") return 0.7 - std::sqrt(p.x() * p.x() + p.y() * p.y());
  if (wall == "cavity") return 0.7 - p.norm();
  return p.norm() - 0.4;
}

TEST(WallGap, IsTheSmallestDistanceOfAllPointsOfTheBody) {
  std::mt19937_64 engine(4);
  int states = 0;
  for (const auto& [wall_name, wall] : walls()) {
    if (wall_name == "sheet") continue;
    for (const auto& [body_name, body] : bodies()) {
      if (is_smooth(body)) continue;  // below
      for (int trial = 0; trial < 30; ++trial) {
        WallPair t(body, wall, interface_of(0, 0));
        randomise(t, engine, trial % 3 == 0);
        const auto [from, way] = approach_of(wall_name, engine);
        if (!t.bring(from, way, 0.5 * kWallThreshold)) continue;
        double smallest = 1;
        for (const Vec3& p : sampled(t.a.view()))
          test::keep_smallest(
              smallest,
              distance_by_hand(wall_name, t.b.trial.R.transpose() * (p - t.b.trial.x)) - body.radius);
        // The samples are 5 mm apart: beside the nearest point the distance grows by 2.5 mm squared over 2 R.
        EXPECT_GE(smallest, t.gap() - 1e-12) << body_name << " at " << wall_name;
        EXPECT_LE(smallest, t.gap() + 2e-5) << body_name << " at " << wall_name;
        ++states;
      }
    }
  }
  EXPECT_GT(states, 400);
}

/// The same for superquadrics, over their support points: random normals, then random changes of the best
/// ones that get smaller. It knows neither derivatives nor where contacts may be.
TEST(WallGap, OfASuperquadricIsTheSmallestDistanceThatASearchFinds) {
  std::mt19937_64 engine(14);
  int states = 0;
  double worst = 0;
  for (const auto& [name, wall] : walls()) {
    const std::string& wall_name = name;  // clang 14 has no bindings in lambdas
    if (wall_name == "sheet") continue;
    for (const auto& [body_name, shape] : bodies()) {
      const Shape& body = shape;
      if (!is_smooth(body)) continue;
      for (int trial = 0; trial < 15; ++trial) {
        WallPair t(body, wall, interface_of(0, 0));
        randomise(t, engine, trial % 3 == 0);
        const auto [from, way] = approach_of(wall_name, engine);
        if (!t.bring(from, way, 0.5 * kWallThreshold)) continue;
        const double gap = t.gap();
        const auto height = [&](const Vec3& m) {
          const Vec3 p = t.a.trial.x + t.a.trial.R * body.superquadric.support_point(m).point;
          return distance_by_hand(wall_name, t.b.trial.R.transpose() * (p - t.b.trial.x));
        };
        double smallest = 1;
        for (int start = 0; start < 40; ++start) {
          Vec3 best = random_vector(engine, 1).normalized();
          double lowest = height(best);
          for (double size = 0.5; size > 1e-7; size *= 0.93) {
            for (int k = 0; k < 4; ++k) {
              const Vec3 m = (best + random_vector(engine, size)).normalized();
              const double h = height(m);
              if (h >= lowest) continue;
              lowest = h;
              best = m;
            }
          }
          test::keep_smallest(smallest, lowest);
        }
        EXPECT_GE(smallest, gap - 1e-12) << body_name << " at " << wall_name;
        EXPECT_LE(smallest, gap + 1e-6) << body_name << " at " << wall_name;
        test::keep_largest(worst, smallest - gap);
        ++states;
      }
    }
  }
  EXPECT_GT(states, 120);
  std::printf("%d states, search ends at most %.1e above\n", states, worst);
}

TEST(SheetEnergy, IsContinuousAroundFoldsAndBordersAndOncePerFace) {
  const Shape sheet = folded_sheet(0.5);
  const Shape ball = make_sphere("ball", 0.05);
  WallPair t(ball, sheet, interface_of(0, 0));
  std::mt19937_64 engine(6);
  const auto energy_at = [&](const Vec3& x, double& gap) {
    t.a.state.x = x;
    gap = t.gap();
    if (gap < 0.2 * kWallThreshold) return -1.0;
    t.residual(Vec3::Zero(), Vec3::Zero());
    return normal_energy(t.pair);
  };
  int states = 0, borders = 0;
  double lowest = 10, highest = 0;
  for (int path = 0; path < 1500; ++path) {
    Vec3 x = random_vector(engine, 0.7);
    if (path % 3 == 0) x.x() *= 0.05;  // at the fold
    const Vec3 way = random_vector(engine, 1).normalized();
    double gap = 0;
    double before = energy_at(x, gap);
    const double step = 1e-4;
    for (int k = 1; k < 300; ++k) {
      const double now = energy_at(x + k * step * way, gap);
      if (before >= 0 && now >= 0) {
        // The energy changes by no more than the largest force (of the law at the smallest gap, up to two
        // faces) times the way.
        const double most = 2.5 * t.law.normal.at(std::max(gap - step, 0.15 * kWallThreshold)).force * step;
        EXPECT_LE(std::abs(now - before), most + 1e-12) << (x + k * step * way).transpose();
      }
      if (now > 0) {
        ++states;
        const double ratio = now / t.law.normal.at(gap).energy;
        test::keep_smallest(lowest, ratio);
        test::keep_largest(highest, ratio);
        for (const Active& c : t.pair.active) {
          if (t.pair.terms[c.first].kind != TermKind::vf) ++borders;
        }
      }
      before = now;
    }
  }
  std::printf("%d states, %d at edges; energy %.3f to %.3f of the law's\n", states, borders, lowest, highest);
  EXPECT_GT(states, 1000);
  EXPECT_GT(borders, 200);
  EXPECT_GE(lowest, 1 - 1e-9);
  EXPECT_LE(highest, 2 + 1e-9);
}

TEST(SheetEnergy, BothSidesOfAGrooveAct) {
  const Shape sheet = folded_sheet(0.5);
  const Shape ball = make_sphere("ball", 0.05);
  WallPair t(ball, sheet, interface_of(0, 0));
  const double gap = 0.5 * kWallThreshold, slope = std::sqrt(1 + 0.25);
  for (const double side : {1.0, -1.0}) {
    // In the fold and on the ridge on its other side.
    const double height = side > 0 ? (0.05 + gap) * slope : -0.05 - gap;
    t.a.state.x = Vec3(0, 0.02, height) - sheet.shift;
    EXPECT_NEAR(t.gap(), gap, 1e-12);
    const Vec6 r = t.residual(Vec3::Zero(), Vec3::Zero());
    const LawValue law = t.law.normal.at(gap), edge = t.law.normal.at((0.05 + gap) * slope - 0.05);
    // In the fold two faces less the edge between them, which is further away (theory 03 section 4.1).
    EXPECT_NEAR(-r[2], side > 0 ? 2 * law.force / slope - edge.force : -law.force, 1e-9 * law.force);
    EXPECT_NEAR(normal_energy(t.pair), side > 0 ? 2 * law.energy - edge.energy : law.energy,
                1e-9 * law.energy);
  }
}

/// Square plate of triangles with a corner cut out, so that it is not convex and the triangles stay.
Shape flat_sheet() {
  std::vector<Vec3> v;
  std::vector<std::vector<int>> faces;
  for (int j = 0; j <= 4; ++j) {
    for (int i = 0; i <= 4; ++i) v.emplace_back(0.25 * i, 0.25 * j, 0.0);
  }
  for (int j = 0; j < 4; ++j) {
    for (int i = 0; i < 4; ++i) {
      if (i == 3 && j == 3) continue;
      const int k = 5 * j + i;
      faces.push_back({k, k + 1, k + 6});
      faces.push_back({k, k + 6, k + 5});
    }
  }
  return make_surface("sheet", v, faces);
}

TEST(Sheet, CoplanarTrianglesActAsTheirPlane) {
  // The energy is that of the plane to round-off, also exactly above edges and vertices, and it is one
  // contact with one key.
  const Shape sheet = flat_sheet();
  const Shape ball = make_sphere("ball", 0.05);
  WallPair t(ball, sheet, interface_of(0.2, 0.3));
  const double gap = 0.5 * kWallThreshold;
  std::uint64_t key = 0;
  for (int k = 0; k <= 300; ++k) {
    const double s = 0.1 + 0.6 * k / 300;  // along the diagonals, exactly above edges and vertices
    t.a.state.x = Vec3(s, s, 0.05 + gap) - sheet.shift;
    ASSERT_NEAR(t.gap(), gap, 1e-12);
    t.pair.history.clear();
    const Vec6 r = t.residual(Vec3::Zero(), Vec3::Zero());
    EXPECT_NEAR(-r[2] / t.law.normal.at(gap).force, 1, 1e-9);
    ASSERT_EQ(t.pair.active.size(), 1u) << s;
    if (t.pair.terms[0].kind != TermKind::vf) continue;  // exactly above a vertex
    if (key == 0) key = t.pair.active[0].key;
    EXPECT_EQ(t.pair.active[0].key, key);
  }
}

/// For a superquadric at any orientation foot and closest features are found, not given.
TEST(Sheet, CoplanarTrianglesActAsTheirPlaneOnASuperquadric) {
  const Shape sheet = flat_sheet();
  std::mt19937_64 engine(16);
  int edges = 0, states = 0;
  for (const auto& [name, body] : bodies()) {
    if (!is_smooth(body)) continue;
    for (int trial = 0; trial < 30; ++trial) {
      WallPair t(body, sheet, interface_of(0.2, 0.3));
      t.a.state.q = trial == 0 ? Quat::Identity() : random_rotation(engine);
      const double gap = 0.5 * kWallThreshold;
      const Vec3 down = t.a.state.q.conjugate() * Vec3(0, 0, -1);
      const SupportValue lowest = body.superquadric.support_point(down);
      const Vec3 foot = t.a.state.q * lowest.point;
      for (int k = 0; k <= 60; ++k) {
        const double s = 0.15 + 0.5 * k / 60;  // the foot goes along the diagonals, above edges and vertices
        t.a.state.x = Vec3(s - foot.x(), s - foot.y(), lowest.h + gap) - sheet.shift;
        ASSERT_NEAR(t.gap(), gap, 1e-12) << name << " " << s;
        t.pair.history.clear();
        const Vec6 r = t.residual(Vec3::Zero(), Vec3::Zero());
        ASSERT_NEAR(-r[2] / t.law.normal.at(gap).force, 1, 1e-9) << name << " " << s;
        ASSERT_EQ(t.pair.active.size(), 1u) << name << " " << s;
        edges += t.pair.terms[0].rank > 0 ? 1 : 0;
        ++states;
      }
    }
  }
  std::printf("%d states, %d of them at edges to round-off\n", states, edges);
}

TEST(WallMotion, BoundsTheChangeOfDistanceAndVanishesInItself) {
  std::mt19937_64 engine(8);
  for (const auto& [name, wall] : walls()) {
    for (int trial = 0; trial < 200; ++trial) {
      const Mat3 r0 = random_rotation(engine).toRotationMatrix();
      const Mat3 r1 = rotation::matrix(random_vector(engine, 0.1)) * r0;
      const Vec3 x0 = random_vector(engine, 1), x1 = x0 + random_vector(engine, 0.05);
      const Vec3 at = x0 + random_vector(engine, 1), p = at + 0.2 * random_vector(engine, 1).normalized();
      const double before = distance_to_shape(wall, r0.transpose() * (p - x0));
      const double after = distance_to_shape(wall, r1.transpose() * (p - x1));
      EXPECT_LE(std::abs(after - before), wall_motion(wall, x0, r0, x1, r1, at, 0.2) + 1e-12) << name;
    }
  }
  const Mat3 r = random_rotation(engine).toRotationMatrix();
  const Mat3 spun = r * rotation::matrix({0, 0, 0.3});
  const Vec3 x(1, 2, 3), at(1.2, 2.1, 3.3);
  EXPECT_LT(wall_motion(walls().at("plane"), x, r, x + r * Vec3(2, 1, 0), spun, at, 1), 1e-14);
  EXPECT_LT(wall_motion(walls().at("bore"), x, r, x + r * Vec3(0, 0, 2), spun, at, 1), 1e-14);
  EXPECT_GT(wall_motion(walls().at("bore"), x, r, x + r * Vec3(0.1, 0, 2), spun, at, 1), 0.09);
}

}  // namespace
}  // namespace scree::contact

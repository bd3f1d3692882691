/// The energy of a pair as a function of pose: counted once, continuous, repulsive, and without forces that
/// exceed the law's (theory 03 section 4; docs/contact.md).
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <numbers>
#include <vector>

#include "contact/pair/pair_evaluate.hpp"
#include "contact/search/candidates.hpp"
#include "contact/search/far_items.hpp"
#include "contact/test_bodies.hpp"
#include "core/test_extremes.hpp"

namespace scree::contact {
namespace {

using testing::random_rotation;
using testing::random_vector;
using testing::star;
using testing::TestBody;

constexpr double kEnergyThreshold = 1e-3;

Interface plain_interface() {
  Interface i;
  i.normal = BarrierParameters{.threshold = kEnergyThreshold, .stiffness = 2.8e13};
  return i;
}

struct Probe {
  TestBody a, b;
  BodyPair pair;
  InterfaceLaw law{plain_interface()};

  Probe(const Shape& sa, const Shape& sb) {
    a.shape = &sa;
    b.shape = &sb;
    pair.m_star = 1;
  }
  /// Pose of A relative to B, which stays at the origin. @returns smallest gap.
  double place(const Vec3& x, const Quat& q) {
    a.state.x = x;
    a.state.q = q.normalized();
    a.set(Vec3::Zero(), Vec3::Zero());
    b.set(Vec3::Zero(), Vec3::Zero());
    build_items(pair, a.view(), b.view(), 10 * kEnergyThreshold);
    return smallest_gap(pair, a.view(), b.view());
  }
  PairWrench wrench() { return evaluate(pair, a.view(), b.view(), law, {1e-3, 0}); }
  double energy() {
    wrench();
    return normal_energy(pair);
  }
  [[nodiscard]] double law_energy(double gap) const { return law.normal.at(gap).energy; }
};

Shape block() { return make_box("block", {0.1, 0.1, 0.1}); }

/// Corners of the overlap of two unit-proportioned squares of side 0.1, the upper one moved and turned: by
/// clipping (Sutherland-Hodgman), an algorithm that the contact kernel does not use.
int overlap_corners(double dx, double dy, double angle) {
  std::vector<Eigen::Vector2d> polygon;
  for (const auto& [sx, sy] : {std::pair{-1, -1}, {1, -1}, {1, 1}, {-1, 1}}) {
    const double x = 0.05 * sx, y = 0.05 * sy;
    polygon.emplace_back(dx + std::cos(angle) * x - std::sin(angle) * y,
                         dy + std::sin(angle) * x + std::cos(angle) * y);
  }
  for (int side = 0; side < 4; ++side) {
    const int k = side / 2;
    const double sign = side % 2 == 0 ? 1 : -1;
    std::vector<Eigen::Vector2d> kept;
    for (std::size_t i = 0; i < polygon.size(); ++i) {
      const Eigen::Vector2d p = polygon[i], q = polygon[(i + 1) % polygon.size()];
      const double hp = 0.05 - sign * p[k], hq = 0.05 - sign * q[k];
      if (hp >= 0) kept.push_back(p);
      if ((hp >= 0) != (hq >= 0)) kept.emplace_back(p + hp / (hp - hq) * (q - p));
    }
    polygon = kept;
  }
  return static_cast<int>(polygon.size());
}

TEST(PairEnergy, FaceOnFaceCountsEachCornerOfTheOverlapOnce) {
  const Shape cube = block();
  Probe probe(cube, cube);
  std::mt19937_64 engine(5);
  std::uniform_real_distribution<double> uniform(0, 1);
  const double gap = 0.8 * kEnergyThreshold;
  double worst = 0;
  int eight = 0, checked = 0;
  for (int k = 0; k < 400; ++k) {
    const double dx = 0.08 * (uniform(engine) - 0.5), dy = 0.08 * (uniform(engine) - 0.5);
    const double angle = 0.12 + 0.6 * uniform(engine);
    const Quat q(Eigen::AngleAxisd(angle, Vec3::UnitZ()));
    probe.place({dx, dy, 0.1 + gap}, q);
    const double energy = probe.energy();
    // Corners that come within a threshold of an edge are in between two numbers, by design.
    bool between = false;
    for (const Active& c : probe.pair.active) between = between || c.terms > 1 || c.window < 1;
    if (between) continue;
    ++checked;
    const int corners = overlap_corners(dx, dy, angle);
    eight += corners == 8 ? 1 : 0;
    test::keep_largest(worst, std::abs(energy / (corners * probe.law_energy(gap)) - 1));
  }
  std::printf("%d overlaps, %d of them octagons, worst relative error %.1e\n", checked, eight, worst);
  EXPECT_GT(checked, 200);
  EXPECT_GT(eight, 5);
  EXPECT_LT(worst, 1e-9);
}

TEST(PairEnergy, ASphereAtACornerActsOnceWhicheverOfThemComesFirst) {
  const Shape cube = block(), ball = make_sphere("ball", 0.03);
  const double gap = 0.6 * kEnergyThreshold;
  for (const Vec3& way : {Vec3(1, 1, 1), Vec3(1, 2, 3), Vec3(0, 1, 1), Vec3(0, 0, 1)}) {
    const Vec3 corner = 0.05 * way.cwiseSign();
    const Vec3 x = corner + (0.03 + gap) * way.normalized();
    Probe cube_first(cube, ball), ball_first(ball, cube);
    EXPECT_NEAR(cube_first.place(-x, Quat::Identity()), gap, 1e-12);
    EXPECT_NEAR(ball_first.place(x, Quat::Identity()), gap, 1e-12);
    EXPECT_NEAR(cube_first.energy() / cube_first.law_energy(gap), 1, 1e-9) << way.transpose();
    EXPECT_NEAR(ball_first.energy() / ball_first.law_energy(gap), 1, 1e-9) << way.transpose();
  }
}

TEST(PairEnergy, AlignedBlocksHaveFourContactsAtAnyOffsetOfTheirCorners) {
  const Shape cube = block();
  Probe probe(cube, cube);
  const double gap = 0.8 * kEnergyThreshold;
  // Corner on corner, edge on edge, and everything up to some thresholds besides: always one contact per
  // corner of the overlap, and no force along the faces.
  for (const double dx : {0.0, 1e-5, 2e-4, -7e-4, 9e-4, 3e-3}) {
    for (const double dy : {0.0, -1e-5, 3e-4, -6e-4, 2e-3}) {
      probe.place({dx, dy, 0.1 + gap}, Quat::Identity());
      const PairWrench w = probe.wrench();
      const double law = probe.law.normal.at(gap).force;
      EXPECT_NEAR(normal_energy(probe.pair) / probe.law_energy(gap), 4, 1e-9) << dx << " " << dy;
      EXPECT_NEAR(-w.force.z() / law, 4, 1e-9) << dx << " " << dy;
      EXPECT_LT(w.force.head<2>().norm() / law, 1e-9) << dx << " " << dy;
    }
  }
}

/// Largest jump of the energy along a straight path of poses, found by bisection down to 1e-12 of the path.
double largest_jump(Probe& probe, const Vec3& x0, const Vec3& x1, const Quat& q0, const Quat& q1,
                    double unit) {
  const auto energy = [&](double t, double& gap) {
    gap = probe.place(x0 + t * (x1 - x0), q0.slerp(t, q1));
    return gap > 0.1 * kEnergyThreshold ? probe.energy() : -1.0;
  };
  double worst = 0;
  const int samples = 400;
  double gap = 0;
  double before = energy(0, gap);
  for (int k = 1; k <= samples; ++k) {
    double lo = static_cast<double>(k - 1) / samples, hi = static_cast<double>(k) / samples;
    const double now = energy(hi, gap);
    double e_lo = before, e_hi = now;
    before = now;
    if (e_lo < 0 || e_hi < 0) continue;
    for (int it = 0; it < 36 && std::abs(e_hi - e_lo) > 1e-9 * unit; ++it) {
      const double mid = 0.5 * (lo + hi);
      const double e = energy(mid, gap);
      if (e < 0) break;
      if (std::abs(e - e_lo) > std::abs(e_hi - e)) {
        hi = mid;
        e_hi = e;
      } else {
        lo = mid;
        e_lo = e;
      }
    }
    if (hi - lo < 1e-10) test::keep_largest(worst, std::abs(e_hi - e_lo) / unit);
  }
  return worst;
}

/// An L with a vertex inside of a straight edge, which merging keeps since the L's faces are not convex.
Shape bracket() {
  std::vector<Vec3> v;
  for (const double z : {0.0, 0.1}) {
    for (const auto& [x, y] :
         {std::pair{0.0, 0.0}, {0.1, 0.0}, {0.2, 0.0}, {0.2, 0.1}, {0.1, 0.1}, {0.1, 0.2}, {0.0, 0.2}})
      v.emplace_back(x, y, z);
  }
  std::vector<std::vector<int>> faces;
  for (const auto& t : {std::array{0, 1, 4}, {1, 2, 3}, {1, 3, 4}, {0, 4, 6}, {4, 5, 6}}) {
    faces.push_back({t[0] + 7, t[1] + 7, t[2] + 7});
    faces.push_back({t[2], t[1], t[0]});
  }
  for (int k = 0; k < 7; ++k) faces.push_back({k, (k + 1) % 7, (k + 1) % 7 + 7, k + 7});
  return make_polyhedron("bracket", v, faces);
}

TEST(PairEnergy, ACrossingAtAVertexInsideOfAStraightEdgeCountsOnce) {
  const Shape el = bracket();
  const Shape stick = make_box("stick", {0.03, 0.03, 0.3});
  const double gap = 0.6 * kEnergyThreshold;
  // The stick's edge crosses that of the L, which has its outer side at (0, -1, 1).
  const Vec3 out = Vec3(0, -1, 1).normalized();
  const Quat upright(Eigen::AngleAxisd(0.4, out) * Eigen::AngleAxisd(-std::numbers::pi / 4, Vec3::UnitX()) *
                     Eigen::AngleAxisd(std::numbers::pi / 4, Vec3::UnitZ()));
  for (const bool first : {true, false}) {
    Probe probe(first ? stick : el, first ? el : stick);
    double worst = 0;
    for (const double off : {-0.03, -1e-3, -1e-4, -1e-6, 0.0, 1e-9, 1e-5, 3e-4, 2e-3, 0.03}) {
      const Vec3 x = Vec3(0.1 + off, 0, 0.1) - el.shift + (gap + 0.03 / std::numbers::sqrt2) * out;
      if (first) {
        probe.place(x, upright);
      } else {
        probe.place(upright.conjugate() * -x, upright.conjugate());
      }
      test::keep_largest(worst, std::abs(probe.energy() / probe.law_energy(gap) - 1));
    }
    EXPECT_LT(worst, 1e-9) << (first ? "stick first" : "L first");
  }
}

TEST(PairEnergy, IsContinuousAlongRandomPathsAndNeverAttracts) {
  const Shape cube = block();
  const Shape wedge = make_polyhedron(
      "wedge", {{0, 0, 0}, {0.1, 0, 0}, {0.1, 0.08, 0}, {0, 0.08, 0}, {0.02, 0.02, 0.06}, {0.02, 0.06, 0.06}},
      {{0, 3, 2, 1}, {0, 1, 4}, {1, 2, 5, 4}, {2, 3, 5}, {3, 0, 4, 5}});
  std::mt19937_64 engine(11);
  double worst = 0, lowest = 1e9, highest = 0;
  int states = 0, paths = 0;
  for (const auto& [sa, sb] : {std::pair{&cube, &cube}, {&wedge, &cube}, {&wedge, &wedge}}) {
    Probe probe(*sa, *sb);
    const double unit = probe.law_energy(0.1 * kEnergyThreshold);
    for (int trial = 0; trial < 400 && paths < 200; ++trial) {
      // Flat on each other half of the time: there the features change fastest.
      const bool flat = trial % 2 == 0;
      const Quat turn(Eigen::AngleAxisd(0.2 * (trial % 7), Vec3::UnitZ()));
      const Quat q0 =
          flat ? Quat(turn * rotation::quaternion(random_vector(engine, 0.01))) : random_rotation(engine);
      const Quat q1 = Quat(q0 * rotation::quaternion(random_vector(engine, flat ? 0.02 : 0.3)));
      Vec3 x = flat ? Vec3(0, 0, 1).eval() : random_vector(engine, 1).normalized();
      x += random_vector(engine, flat ? 0.4 : 0.1);
      // Down to the surface, then along it.
      double lo = 0, hi = 1;
      for (int it = 0; it < 40; ++it) {
        const double mid = 0.5 * (lo + hi);
        (probe.place(mid * x, q0) > 0.4 * kEnergyThreshold ? hi : lo) = mid;
      }
      const Vec3 x0 = hi * x;
      Vec3 along = random_vector(engine, 0.03);
      along -= 0.98 * x * x.dot(along) / x.squaredNorm();
      test::keep_largest(worst, largest_jump(probe, x0, x0 + along, q0, q1, unit));
      ++paths;
      for (int k = 0; k < 60; ++k) {
        const double gap = probe.place(x0 + random_vector(engine, 2e-3), q0.slerp(0.02 * k, q1));
        if (gap < 0.1 * kEnergyThreshold || gap > 0.7 * kEnergyThreshold) continue;
        const double ratio = probe.energy() / probe.law_energy(gap);
        test::keep_smallest(lowest, ratio);
        test::keep_largest(highest, ratio);
        ++states;
      }
    }
    paths = 0;
  }
  std::printf(
      "largest jump %.1e of V(0.1 threshold); %d states: energy %.3f to %.3f of the law's at the gap\n",
      worst, states, lowest, highest);
  EXPECT_LT(worst, 1e-6);
  EXPECT_GT(states, 1000);
  EXPECT_GT(lowest, 0.7);
}

/// A plate whose face towards the other one has a vertex at the middle of a rim. @param side 1: it is above,
/// z > 0.
Shape folded_plate(double side, double height) {
  std::vector<Vec3> vertices{{-0.4, -0.05, 0},          {0.4, -0.05, 0},          {0.4, 0.05, 0},
                             {0, 0.05, -side * height}, {-0.4, 0.05, 0},          {-0.4, -0.05, 0.3 * side},
                             {0.4, -0.05, 0.3 * side},  {-0.4, 0.05, 0.3 * side}, {0.4, 0.05, 0.3 * side}};
  std::vector<std::vector<int>> faces{{0, 3, 1},    {1, 3, 2},    {0, 4, 3},    {5, 6, 8, 7},
                                      {0, 1, 6, 5}, {1, 2, 8, 6}, {4, 0, 5, 7}, {2, 3, 4, 7, 8}};
  if (side < 0)
    for (std::vector<int>& face : faces) std::reverse(face.begin(), face.end());
  return make_polyhedron("plate", vertices, faces);
}

/// Pairs of edges that take off more than they add: several of them meet where the vertices of both folds do.
/// Without their limit the lowest energy is -0.9 of V(0.5 threshold).
TEST(PairEnergy, DoesNotAttractWhereFoldsOfTwoFacesMeet) {
  std::mt19937_64 engine(5);
  double lowest = 1e9, worst = 0;
  int states = 0, limited = 0;
  for (const double height : {0.0006, 0.0015, 0.003}) {
    const Shape below = folded_plate(-1, height), above = folded_plate(1, height);
    Probe probe(above, below);
    const double unit = probe.law_energy(0.5 * kEnergyThreshold);
    for (int trial = 0; trial < 400; ++trial) {
      const Quat q = rotation::quaternion(random_vector(engine, 2e-3));
      const Vec3 off = random_vector(engine, 1e-3);
      double lo = 0.25, hi = 0.35;  // between the centres of mass
      for (int it = 0; it < 40; ++it) {
        const double mid = 0.5 * (lo + hi);
        (probe.place({off.x(), off.y(), mid}, q) > 0.4 * kEnergyThreshold ? hi : lo) = mid;
      }
      probe.place({off.x(), off.y(), hi}, q);
      test::keep_smallest(lowest, probe.energy() / unit);
      ++states;
      for (const Active& contact : probe.pair.active) limited += contact.part < 1 ? 1 : 0;
      // The force is the gradient, also where a part acts.
      const PairWrench at = probe.wrench();
      constexpr double kStep = 1e-9;
      const auto moved = [&](double way) {
        probe.a.state.x = Vec3(off.x() + way, off.y(), hi);
        probe.a.set(Vec3::Zero(), Vec3::Zero());
        return probe.energy();
      };
      const double slope = (moved(kStep) - moved(-kStep)) / (2 * kStep);
      test::keep_largest(worst, std::abs(slope - at.force.x()) * kEnergyThreshold / unit);
    }
  }
  std::printf(
      "%d states, %d edge pairs limited: lowest energy %.3f, error of the gradient %.1e, of V(0.5 "
      "threshold)\n",
      states, limited, lowest, worst);
  EXPECT_GT(limited, 100);
  EXPECT_GT(lowest, 0.5);
  EXPECT_LT(worst, 1e-3);
}

TEST(PairEnergy, ForcesAreItsGradientWhereFacesAreSeenThroughThinSpikes) {
  // Spikes of a few thresholds: a vertex beside an acute edge is within reach of the face beyond it, from
  // behind.
  const Shape spiky = star(6 * kEnergyThreshold),
              cube = make_box("cube", Vec3::Constant(5 * kEnergyThreshold)),
              bean = make_superquadric(
                  "bean", {2 * kEnergyThreshold, 3 * kEnergyThreshold, 4 * kEnergyThreshold}, 2, 3, 10);
  std::mt19937_64 engine(17);
  constexpr double kStep = 1e-8;
  double worst = 0;
  int states = 0, behind = 0;
  for (const auto& [sa, sb] :
       {std::pair{&spiky, &spiky}, {&spiky, &cube}, {&cube, &spiky}, {&bean, &spiky}}) {
    Probe probe(*sa, *sb);
    for (int trial = 0; trial < 1000; ++trial) {
      const Vec3 x = random_vector(engine, 9 * kEnergyThreshold);
      const Quat q = random_rotation(engine);
      const double gap = probe.place(x, q);
      if (gap < 0.1 * kEnergyThreshold || gap > 0.9 * kEnergyThreshold) continue;
      const PairWrench w = probe.wrench();
      const double unit = probe.law.normal.at(gap).force;
      for (const Term& term : probe.pair.terms) {
        const testing::TestBody& owner = term.kind == TermKind::vf ? probe.b : probe.a;
        const Vec3 way =
            term.kind == TermKind::vf ? term.n : Vec3(-term.n);  // from the surface to the vertex
        if (term.kind != TermKind::vf && term.kind != TermKind::fv) continue;
        const Vec3 local = owner.trial.R.transpose() * way;
        behind += std::any_of(owner.shape->faces.begin(), owner.shape->faces.end(),
                              [&](const Face& f) { return (f.normal + local).norm() < 1e-9; });
      }
      Vec6 gradient;
      for (int k = 0; k < 6; ++k) {
        const Vec3 d = kStep * Vec3::Unit(k % 3);
        const double length = k < 3 ? 1.0 : spiky.bounding_radius;
        const auto moved = [&](double side) {
          probe.place(k < 3 ? Vec3(x + side * d) : x,
                      k < 3 ? q : Quat(rotation::quaternion(side / length * d) * q));
          return probe.energy();
        };
        gradient[k] = (moved(1) - moved(-1)) / (2 * kStep) * length;
      }
      test::keep_largest(worst, {(gradient.head<3>() - w.force).norm() / unit,
                                 (gradient.tail<3>() - w.moment).norm() / (unit * spiky.bounding_radius)});
      ++states;
    }
  }
  std::printf("%d states, %d faces seen from behind, worst relative difference %.1e\n", states, behind,
              worst);
  EXPECT_GT(states, 300);
  EXPECT_GT(behind, 50);
  EXPECT_LT(worst, 1e-3);
}

TEST(PairEnergy, NoEdgePairPushesHarderThanTheLawAtItsGap) {
  // What the smooth windows of theory 03 section 4.3 do without bound: V grad(window) against the window's
  // own force. Here the share taken out is a contact of the same law further away.
  const Shape cube = block();
  Probe probe(cube, cube);
  std::mt19937_64 engine(13);
  double net = 0, small = 0;
  int pairs = 0;
  for (int trial = 0; trial < 60000 && pairs < 4000; ++trial) {
    const Quat q(Eigen::AngleAxisd(0.05 + 0.02 * (trial % 35), Vec3::UnitZ()));
    const Quat tilt = rotation::quaternion(random_vector(engine, 0.004));
    const double gap = probe.place(
        Vec3(0, 0, 0.1003) + random_vector(engine, 1).cwiseProduct(Vec3(0.08, 0.08, 3e-4)), tilt * q);
    if (gap < 0.2 * kEnergyThreshold) continue;
    probe.wrench();
    for (const Active& c : probe.pair.active) {
      const Term& main = probe.pair.terms[c.first];
      if (main.kind != TermKind::ee || c.window < 1 || main.law.force < 1) continue;
      Vec3 force = Vec3::Zero();
      for (int t = c.first; t < c.first + c.terms; ++t) {
        force += probe.pair.terms[t].sign * probe.pair.terms[t].law.force * probe.pair.terms[t].n;
      }
      ++pairs;
      test::keep_largest(net, force.norm() / main.law.force);
      if (c.energy < 0.2 * main.law.energy) test::keep_largest(small, force.norm() / main.law.force);
    }
  }
  std::printf(
      "%d edge pairs: net force at most %.3f of the law's, %.3f where the pair counts less than 0.2\n", pairs,
      net, small);
  EXPECT_GT(pairs, 1000);
  EXPECT_LT(net, 1.05);
  EXPECT_LT(small, 1.0);
}

}  // namespace
}  // namespace scree::contact

/// What trees find near bodies against a look at every feature: candidates, gaps, forces, edges through
/// faces. Equal to the last bit, as trees only say what need not be looked at.
#include "contact/geometry/near_features.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numbers>
#include <string>
#include <tuple>

#include "contact/geometry/piercing.hpp"
#include "contact/pair/pair_evaluate.hpp"
#include "contact/search/candidates.hpp"
#include "contact/search/far_items.hpp"
#include "contact/secant/secant_pair.hpp"
#include "contact/test_bodies.hpp"
#include "contact/test_sheet.hpp"
#include "core/infinity.hpp"
#include "core/test_extremes.hpp"

namespace scree::contact {
namespace {

using testing::random_rotation;
using testing::random_vector;
using testing::TestBody;

constexpr double kNearThreshold = 0.004;
constexpr double kReach = 0.016;

/// A ring: closed, concave inside. @param n, m faces around and across.
Shape ring(int n, int m) {
  std::vector<Vec3> vertices;
  std::vector<std::vector<int>> faces;
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < m; ++j) {
      const double a = 2 * std::numbers::pi * i / n, b = 2 * std::numbers::pi * j / m;
      const double r = 0.2 + 0.05 * std::cos(b);
      vertices.emplace_back(r * std::cos(a), r * std::sin(a), 0.05 * std::sin(b));
      const int e = (i + 1) % n, s = (j + 1) % m;
      faces.push_back({m * i + j, m * e + j, m * e + s});
      faces.push_back({m * i + j, m * e + s, m * i + s});
    }
  }
  return make_polyhedron("ring", vertices, faces);
}

/// A square plate of 1 mm with a square hole. @param cuts parts of a quarter of its outline.
Shape frame(int cuts) {
  std::vector<std::array<double, 2>> outline;
  const std::array<double, 2> corners[4] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
  for (int k = 0; k < 4; ++k) {
    for (int c = 0; c < cuts; ++c) {
      const double t = static_cast<double>(c) / cuts;
      const auto &p = corners[k], &q = corners[(k + 1) % 4];
      outline.push_back({p[0] + t * (q[0] - p[0]), p[1] + t * (q[1] - p[1])});
    }
  }
  const int n = static_cast<int>(outline.size());
  std::vector<Vec3> vertices;
  // Loops of outer and inner outline below, then above; a little bent, so that faces are not merged.
  for (const double z : {0.0, 1e-3}) {
    for (const double size : {0.2, 0.12}) {
      for (const auto& p : outline)
        vertices.emplace_back(size * p[0], size * p[1], z + 0.02 * size * std::sin(5 * p[0] + 3 * p[1]));
    }
  }
  std::vector<std::vector<int>> faces;
  const auto quad = [&](int a, int b, int c, int d) {
    faces.push_back({a, b, c});
    faces.push_back({a, c, d});
  };
  for (int k = 0; k < n; ++k) {
    const int e = (k + 1) % n;
    quad(2 * n + k, 2 * n + e, 3 * n + e, 3 * n + k);  // above
    quad(k, n + k, n + e, e);                          // below
    quad(k, e, 2 * n + e, 2 * n + k);                  // outer side
    quad(n + k, 3 * n + k, 3 * n + e, n + e);          // side of the hole
  }
  return make_polyhedron("frame", vertices, faces);
}

/// Folded and rough, with borders. @param n squares in a row.
Shape near_sheet(int n) {
  std::vector<Vec3> vertices;
  for (int j = 0; j <= n; ++j) {
    for (int i = 0; i <= n; ++i)
      vertices.emplace_back(0.8 * i / n - 0.4, 0.8 * j / n - 0.4, 0.06 * std::sin(2.0 * i * (j + 3)));
  }
  return make_surface("sheet", vertices, testing::triangles_of_squares(n));
}

const std::map<std::string, Shape>& near_shapes() {
  static const std::map<std::string, Shape> all = {{"ring", ring(18, 10)},
                                                   {"coarse ring", scaled(ring(7, 4), "coarse ring", 0.7)},
                                                   {"frame", frame(5)},
                                                   {"star", testing::star(0.25)},
                                                   {"staple", testing::staple()},
                                                   {"box", make_box("box", {0.1, 0.14, 0.2})},
                                                   {"sphere", make_sphere("sphere", 0.06)},
                                                   {"capsule", make_capsule("capsule", 0.03, 0.2)},
                                                   {"sheet", near_sheet(9)},
                                                   {"plane", make_plane("plane")},
                                                   {"cylinder", make_cylinder("cylinder", 0.1)},
                                                   {"bore", make_bore("bore", 0.3)},
                                                   {"cavity", make_cavity("cavity", 0.3)}};
  return all;
}

/// Every body that is no wall against every shape, one of which has a tree.
std::vector<std::pair<std::string, std::string>> pairs_with_a_tree() {
  std::vector<std::pair<std::string, std::string>> pairs;
  for (const auto& [name_a, a] : near_shapes()) {
    if (is_wall(a)) continue;
    for (const auto& [name_b, b] : near_shapes())
      if (has_face_tree(a) || has_face_tree(b)) pairs.emplace_back(name_a, name_b);
  }
  return pairs;
}

/// Reference: the closed features of a surface that a point is near.
int add_all_closed(BodyPair& pair, const Shape& surface, const Vec3& p, double limit) {
  const auto is_on_border = [&](int v) {
    const auto& edges = surface.vertex_edges[v];
    return std::any_of(edges.begin(), edges.end(), [&](int e) { return surface.edges[e].f1 < 0; });
  };
  const std::size_t before = pair.closed.size();
  for (int f = 0; f < static_cast<int>(surface.faces.size()); ++f)
    if (nearest_on_face(surface, f, p).distance < limit) pair.closed.push_back({FeatureKind::face, f});
  for (int e = 0; e < static_cast<int>(surface.edges.size()); ++e) {
    if (surface.open && surface.edges[e].f1 < 0) continue;
    if (nearest_on_edge(surface, e, p).distance < limit) pair.closed.push_back({FeatureKind::edge, e});
  }
  for (int v = 0; v < static_cast<int>(surface.vertices.size()); ++v) {
    if (surface.open && is_on_border(v)) continue;
    if ((p - surface.vertices[v]).norm() < limit) pair.closed.push_back({FeatureKind::vertex, v});
  }
  return static_cast<int>(pair.closed.size() - before);
}

/// Reference: the candidates of a pair by a look at every vertex against every feature and at every two
/// edges.
void build_all(BodyPair& pair, const BodyView& a, const BodyView& b, double reach) {
  pair.items.clear();
  pair.closed.clear();
  pair.reach = reach;
  pair.built = true;
  const double limit = reach + a.shape->radius + b.shape->radius;
  const auto add_vertices = [&](ItemKind kind, const BodyView& points, const BodyView& surface) {
    for (int v = 0; v < static_cast<int>(points.shape->vertices.size()); ++v) {
      if (points.shape->vertex_acts[v] == 0) continue;
      const Vec3 p = surface.to_local(points.vertices[v]);
      Item item{kind};
      (kind == ItemKind::vertex_of_a ? item.a : item.b) = v;
      if (surface.shape->convex) {
        if (nearest_on_convex(*surface.shape, p, item.hint).distance < limit) pair.items.push_back(item);
        continue;
      }
      (kind == ItemKind::vertex_of_a ? item.b : item.a) = static_cast<int>(pair.closed.size());
      item.count = add_all_closed(pair, *surface.shape, p, limit);
      if (item.count > 0) pair.items.push_back(item);
    }
  };
  const bool sphere_a = a.shape->vertices.size() == 1, sphere_b = b.shape->vertices.size() == 1;
  if (!sphere_b) add_vertices(ItemKind::vertex_of_a, a, b);
  if (sphere_a) return;
  add_vertices(ItemKind::vertex_of_b, b, a);
  for (int i = 0; i < static_cast<int>(a.shape->edges.size()); ++i) {
    if (a.shape->edges[i].kind != EdgeKind::convex) continue;
    for (int j = 0; j < static_cast<int>(b.shape->edges.size()); ++j) {
      const Edge &e = a.shape->edges[i], &f = b.shape->edges[j];
      if (f.kind != EdgeKind::convex) continue;
      const Vec3 q = f.v0 < 0 ? b.trial->x - 1e3 * (b.trial->R * f.direction) : b.vertices[f.v0];
      const Vec3 p = a.vertices[e.v0], pe = a.trial->R * e.direction, qf = b.trial->R * f.direction;
      const double length = f.v0 < 0 ? 2e3 : f.length;
      const SegmentPair near = nearest_on_segments(p, pe, e.length, q, qf, length);
      if ((p + near.s * pe - (q + near.t * qf)).norm() < limit)
        pair.items.push_back({ItemKind::edges, i, j, 0, -1});
    }
  }
}

using ItemContent = std::tuple<ItemKind, int, int, std::vector<std::pair<FeatureKind, int>>>;
std::vector<ItemContent> content(const BodyPair& pair) {
  std::vector<ItemContent> all;
  for (const Item& item : pair.items) {
    std::vector<std::pair<FeatureKind, int>> closed;
    const bool on_b = item.kind == ItemKind::vertex_of_a;
    for (int c = 0; c < item.count; ++c) {
      const ClosedFeature& feature = pair.closed[(on_b ? item.b : item.a) + c];
      closed.emplace_back(feature.kind, feature.feature);
    }
    all.emplace_back(item.kind, item.count > 0 && !on_b ? 0 : item.a, item.count > 0 && on_b ? 0 : item.b,
                     closed);
  }
  return all;
}

Interface near_barrier() {
  Interface interface;
  interface.normal = BarrierParameters{.threshold = kNearThreshold, .stiffness = 1e6, .exponent = 3};
  return interface;
}

/// Two bodies near each other.
struct NearBodies {
  TestBody a, b;
  BodyPair tree, all;
  std::mt19937_64 engine;
  InterfaceLaw law;
  StepContext step{1e-3, 0};

  NearBodies(const Shape& body, const Shape& other, std::uint64_t seed) : engine(seed), law(near_barrier()) {
    a.shape = &body;
    b.shape = &other;
    tree.m_star = all.m_star = 1;
  }
  void next() {
    std::uniform_real_distribution<double> part(0, 1);
    b.state.x = random_vector(engine, 0.2);
    b.state.q = random_rotation(engine);
    a.state.q = random_rotation(engine);
    if (part(engine) < 0.2) a.state.q = b.state.q * rotation::quaternion(random_vector(engine, 1e-3));
    const double most =
        is_wall(*b.shape) ? 0.5 : a.shape->bounding_radius + b.shape->bounding_radius + 2 * kReach;
    a.state.x = b.state.x + most * std::cbrt(part(engine)) * random_vector(engine, 1).normalized();
    a.set(Vec3::Zero(), Vec3::Zero());
    b.set(Vec3::Zero(), Vec3::Zero());
  }
  /// @param size of the motion of any point [m].
  void move(double size) {
    const double turn = 0.15 * size / a.shape->bounding_radius;
    const double turn_b = is_wall(*b.shape) ? 0 : 0.15 * size / b.shape->bounding_radius;
    a.set(random_vector(engine, 0.15 * size), random_vector(engine, turn));
    b.set(is_wall(*b.shape) ? Vec3(Vec3::Zero()) : random_vector(engine, 0.15 * size),
          random_vector(engine, turn_b));
  }
  /// The trial state becomes the start of the next step.
  void accept() {
    for (TestBody* body : {&a, &b}) {
      body->state.x = body->trial.x;
      body->state.q = Quat(body->trial.R);
      body->set(Vec3::Zero(), Vec3::Zero());
    }
  }
  void build(double reach) {
    build_items(tree, a.view(), b.view(), reach);
    build_all(all, a.view(), b.view(), reach);
  }
  /// @returns force and moment of a pair, zero where features touch. @param placed vertices of large surfaces
  /// are placed in advance too.
  [[nodiscard]] std::pair<Vec3, Vec3> force(BodyPair& pair, bool placed = true) const {
    const auto view = [&](const TestBody& body) {
      BodyView seen = body.view();
      if (!placed && !body.shape->convex) seen.vertices = nullptr;
      return seen;
    };
    pair.history.clear();
    try {
      const PairWrench w = step.secant ? evaluate_secant(pair, view(a), view(b), law, step)
                                       : evaluate(pair, view(a), view(b), law, step);
      return {w.force, w.moment};
    } catch (const RecoverableError&) {
      return {Vec3::Zero(), Vec3::Zero()};
    }
  }
};

TEST(NearFeatures, CandidatesOfTreesAreThoseOfALookAtEverything) {
  int some = 0, none = 0;
  std::uint64_t seed = 1;
  for (const auto& [name_a, name_b] : pairs_with_a_tree()) {
    SCOPED_TRACE(name_a + " and " + name_b);
    NearBodies scene(near_shapes().at(name_a), near_shapes().at(name_b), seed++);
    for (int k = 0; k < 40; ++k) {
      scene.next();
      scene.build(k % 4 == 0 ? 5 * kReach : kReach);
      ASSERT_EQ(content(scene.tree), content(scene.all)) << k;
      (scene.all.items.empty() ? none : some) += 1;
      if (scene.all.items.empty()) {
        // Where nothing is near the pair says how far that holds.
        ASSERT_GE(scene.tree.reach, scene.all.reach);
        build_all(scene.all, scene.a.view(), scene.b.view(), scene.tree.reach);
        ASSERT_TRUE(scene.all.items.empty()) << k << ": nothing within " << scene.tree.reach;
      }
    }
  }
  EXPECT_GT(some, 500);
  EXPECT_GT(none, 500);
}

TEST(NearFeatures, ForcesAndGapsStayThoseOfALookAtEverythingWhileListsLast) {
  int forces = 0;
  std::uint64_t seed = 100;
  for (const auto& [name_a, name_b] : pairs_with_a_tree()) {
    SCOPED_TRACE(name_a + " and " + name_b);
    NearBodies scene(near_shapes().at(name_a), near_shapes().at(name_b), seed++);
    for (int k = 0; k < 30; ++k) {
      scene.next();
      build_items(scene.tree, scene.a.view(), scene.b.view(), kReach);
      for (int m = 0; m < 3; ++m) {
        const double room = kReach - kNearThreshold;
        scene.move(room);
        const double motion = motion_since_build(scene.tree, scene.a.view(), scene.b.view());
        ASSERT_LT(motion, room);
        build_all(scene.all, scene.a.view(), scene.b.view(), kReach);
        const auto [force, moment] = scene.force(scene.tree);
        const auto [force_all, moment_all] = scene.force(scene.all);
        ASSERT_EQ(force, force_all) << k;
        ASSERT_EQ(moment, moment_all) << k;
        ASSERT_EQ(scene.force(scene.tree, false), scene.force(scene.all)) << k;
        if (!force.isZero(0)) ++forces;
        const double covered = scene.tree.reach - motion;
        const double gap = std::min(covered, smallest_gap(scene.tree, scene.a.view(), scene.b.view()));
        ASSERT_EQ(gap < kNearThreshold ? gap : 0,
                  scene.tree.items.empty() || gap >= kNearThreshold
                      ? 0
                      : smallest_gap(scene.all, scene.a.view(), scene.b.view()));
        // A list that is empty keeps the bound of the way to the other body.
        ASSERT_GE(smallest_gap(scene.all, scene.a.view(), scene.b.view()), std::min(gap, kReach));
      }
    }
  }
  EXPECT_GT(forces, 500);
}

TEST(NearFeatures, WhatIsFarInALongListMakesNoDifference) {
  // Several states of several steps per list, out of order, as those of line searches and paths are.
  long skipped = 0, items = 0;
  int forces = 0;
  std::uint64_t seed = 200;
  for (const auto& [name_a, name_b] : pairs_with_a_tree()) {
    SCOPED_TRACE(name_a + " and " + name_b);
    NearBodies scene(near_shapes().at(name_a), near_shapes().at(name_b), seed++);
    for (int k = 0; k < 30; ++k) {
      scene.next();
      build_items(scene.tree, scene.a.view(), scene.b.view(), 2 * kReach);
      const BodyState first_a = scene.a.state, first_b = scene.b.state;
      for (int m = 0; m < 12; ++m) {
        scene.step.secant = m % 3 != 0;
        if (m % 4 == 1) scene.accept();
        if (m % 8 == 7) {  // as after a restore
          scene.a.state = first_a;
          scene.b.state = first_b;
        }
        scene.move((m % 2 == 0 ? 0.1 : 1) * (kReach - kNearThreshold));
        BodyPair all = scene.tree;
        all.bounds.clear();
        const auto force_all = scene.force(all);
        ASSERT_EQ(scene.force(scene.tree), force_all) << k;
        if (!force_all.first.isZero(0)) ++forces;
        FarItems far(scene.tree, scene.a.view(), scene.b.view());
        const double gap = smallest_gap(all, scene.a.view(), scene.b.view());
        for (std::size_t i = 0; i < all.items.size(); ++i) {
          ++items;
          ASSERT_LE(far.least(i), gap_of(all, all.items[i], scene.a.view(), scene.b.view()));
          if (far.skips(i, kNearThreshold, gap)) ++skipped;
        }
        ASSERT_EQ(smallest_gap(scene.tree, scene.a.view(), scene.b.view(), 1, far), gap) << k;
      }
    }
  }
  std::printf("%ld of %ld items skipped\n", skipped, items);
  EXPECT_GT(forces, 500);
  EXPECT_GT(4 * skipped, items);
}

TEST(NearFeatures, WhatIsKnownOfTheStartOfAStepHoldsForStepsThatStartElsewhere) {
  int ends = 0, starts = 0;
  const Shape fine = ring(18, 12);
  NearBodies scene(fine, fine, 300);
  const double size = 0.2 * kReach;
  for (int k = 0; k < 40; ++k) {
    scene.next();
    build_items(scene.tree, scene.a.view(), scene.b.view(), 2 * kReach);
    const Vec3 from = scene.a.state.x;
    for (int m = 0; m < 8; ++m) {
      scene.move(10 * kReach);  // a path that leads far away
      FarItems(scene.tree, scene.a.view(), scene.b.view());
      scene.a.state.x = from + random_vector(scene.engine, size);
      scene.move(size);
      const BodyOverStep a(scene.a.view()), b(scene.b.view());
      FarItems far(scene.tree, a.start(), b.start(), a.end, b.end);
      for (std::size_t i = 0; i < scene.tree.items.size(); ++i) {
        const Item& item = scene.tree.items[i];
        const double gap = gap_of(scene.tree, item, a.end, b.end);
        const double gap_n = gap_of(scene.tree, item, a.start(), b.start());
        (gap < gap_n ? ends : starts) += 1;
        ASSERT_FALSE(far.skips(i, std::min(gap, gap_n) + 1e-9, -kInfinity)) << k << " " << m;
        far.saw(i, gap, gap_n);
      }
    }
  }
  EXPECT_GT(ends, 500);
  EXPECT_GT(starts, 500);
}

TEST(NearFeatures, VerticesCountedFromBothSidesAreTakenOutOnce) {
  const Shape fine = ring(18, 12);  // with vertices on top
  NearBodies scene(fine, fine, 7);
  int found = 0;
  for (int k = 0; k < 100; ++k) {
    scene.next();
    scene.b.state.q = scene.a.state.q;
    // Vertex over vertex: the top of one ring on that of the other.
    scene.b.state.x = scene.a.state.x + scene.a.state.q * Vec3(0, 0, 0.1 + 0.8 * kNearThreshold) +
                      random_vector(scene.engine, 0.1 * kNearThreshold);
    scene.a.set(Vec3::Zero(), Vec3::Zero());
    scene.b.set(Vec3::Zero(), Vec3::Zero());
    scene.build(kReach);
    EXPECT_FALSE(scene.force(scene.tree).first.isZero(0));
    int subtracted = 0, expected = 0;
    for (const Active& contact : scene.tree.active)
      if (contact.key >> 62 == static_cast<std::uint64_t>(ItemKind::vertex_of_b))
        subtracted += contact.terms - 1;
    for (std::size_t w = 0; w < fine.vertices.size(); ++w) {
      if (fine.vertex_acts[w] == 0) continue;
      for (std::size_t v = 0; v < fine.vertices.size(); ++v)
        if (fine.vertex_acts[v] != 0 && (scene.a.vertices[v] - scene.b.vertices[w]).norm() < kNearThreshold)
          ++expected;
    }
    ASSERT_EQ(subtracted, expected) << k;
    found += expected;
  }
  EXPECT_GT(found, 1000);
}

TEST(NearFeatures, EdgesThroughFacesAreThoseOfALookAtEverything) {
  int crossed = 0;
  std::uint64_t seed = 200;
  for (const auto& [name_a, name_b] : pairs_with_a_tree()) {
    SCOPED_TRACE(name_a + " and " + name_b);
    const Shape &shape_a = near_shapes().at(name_a), &shape_b = near_shapes().at(name_b);
    NearBodies scene(shape_a, shape_b, seed++);
    for (int k = 0; k < 20; ++k) {
      scene.next();
      const auto largest = [](const BodyView& edges, const BodyView& faces) {
        double way = 0;
        if (is_wall(*faces.shape) && !faces.shape->open) return way;
        for (int e = 0; e < static_cast<int>(edges.shape->edges.size()); ++e)
          for (int f = 0; f < static_cast<int>(faces.shape->faces.size()); ++f)
            test::keep_largest(way, way_past(edges, e, faces, f));
        return way;
      };
      const BodyView a = scene.a.view(), b = scene.b.view();
      const double expected = std::max(largest(a, b), largest(b, a));
      ASSERT_EQ(largest_way_past(a, b), expected) << k;
      if (expected == 0) continue;
      ++crossed;
      if (is_wall(shape_b) && !shape_b.open) continue;
      EXPECT_GE(piercing_depth(a, b), (1 - 1e-12) * expected);
    }
  }
  EXPECT_GT(crossed, 200);
}

TEST(NearFeatures, NearestPlaceOnAClosedSurfaceIsThatOfALookAtEveryFace) {
  std::mt19937_64 engine(3);
  int inside = 0;
  const Mat3 turn(Eigen::AngleAxisd(0.7, Vec3(1, 2, 3).normalized()));
  for (const char* name : {"ring", "coarse ring", "frame", "star", "staple"}) {
    const Shape& shape = near_shapes().at(name);
    for (int k = 0; k < 500; ++k) {
      Vec3 p = random_vector(engine, 1.2 * shape.bounding_radius);
      if (k % 5 == 0) p = shape.vertices[k % shape.vertices.size()] * (k % 2 == 0 ? 1.1 : 0.9);
      if (k % 5 == 1) {  // on a face, as where bodies touch
        const std::vector<int>& loop = shape.faces[k % shape.faces.size()].loop;
        const Vec3 w = random_vector(engine, 1).cwiseAbs();
        p = w[0] * shape.vertices[loop[0]] + w[1] * shape.vertices[loop[1]] + w[2] * shape.vertices[loop[2]];
        p = turn.transpose() * (turn * p) / w.sum();
      }
      SurfacePoint expected;
      expected.distance = kInfinity;
      for (int f = 0; f < static_cast<int>(shape.faces.size()); ++f) {
        const SurfacePoint found = nearest_on_face(shape, f, p);
        if (found.distance < expected.distance) expected = found;
      }
      const SurfacePoint found = nearest_on_closed(shape, p);
      ASSERT_EQ(std::abs(found.distance), expected.distance) << name;
      ASSERT_EQ(found.kind, expected.kind) << name;
      ASSERT_EQ(found.feature, expected.feature) << name;
      ASSERT_EQ(distance_to_shape(shape, p), found.distance) << name;
      inside += found.distance < 0 ? 1 : 0;
    }
  }
  EXPECT_GT(inside, 50);
}

}  // namespace
}  // namespace scree::contact

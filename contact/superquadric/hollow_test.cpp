/// Superquadrics inside of cylinders and spheres: places, and what they store in all.
#include "contact/superquadric/hollow.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <map>
#include <numeric>
#include <set>

#include "contact/pair/test_pair.hpp"
#include "contact/search/candidates.hpp"
#include "contact/superquadric/reach_places.hpp"
#include "contact/superquadric/smooth_terms.hpp"
#include "core/error.hpp"
#include "core/test_extremes.hpp"

namespace scree::contact {
namespace {

using testing::random_rotation;
using testing::random_vector;
using testing::TestPair;
using testing::Vec12;

/// What a place stores whose distance is below the reach.
double potential(double distance, double reach) {
  return distance < reach ? std::pow(reach - distance, 2) : 0;
}

double stored(const std::vector<HollowTouch>& touches, double reach) {
  double sum = 0;
  for (const HollowTouch& one : touches) sum += one.sign * potential(one.touch.distance, reach);
  return sum;
}

/// Directions all around, each with its neighbours.
struct Directions {
  std::vector<Vec3> u;
  std::vector<std::vector<int>> next;
};

/// Triangles of an icosahedron, each cut into four again and again.
Directions sphere_of_directions(int cuts) {
  Directions all;
  const double g = (1 + std::sqrt(5)) / 2;
  for (const Vec3& v :
       {Vec3(-1, g, 0), Vec3(1, g, 0), Vec3(-1, -g, 0), Vec3(1, -g, 0), Vec3(0, -1, g), Vec3(0, 1, g),
        Vec3(0, -1, -g), Vec3(0, 1, -g), Vec3(g, 0, -1), Vec3(g, 0, 1), Vec3(-g, 0, -1), Vec3(-g, 0, 1)})
    all.u.push_back(v.normalized());
  std::vector<std::array<int, 3>> faces = {{0, 11, 5}, {0, 5, 1},  {0, 1, 7},   {0, 7, 10}, {0, 10, 11},
                                           {1, 5, 9},  {5, 11, 4}, {11, 10, 2}, {10, 7, 6}, {7, 1, 8},
                                           {3, 9, 4},  {3, 4, 2},  {3, 2, 6},   {3, 6, 8},  {3, 8, 9},
                                           {4, 9, 5},  {2, 4, 11}, {6, 2, 10},  {8, 6, 7},  {9, 8, 1}};
  for (int cut = 0; cut < cuts; ++cut) {
    std::map<std::pair<int, int>, int> middles;
    const auto middle = [&](int a, int b) {
      const auto [it, fresh] = middles.try_emplace(std::minmax(a, b), static_cast<int>(all.u.size()));
      if (fresh) all.u.push_back((all.u[a] + all.u[b]).normalized());
      return it->second;
    };
    std::vector<std::array<int, 3>> finer;
    for (const auto& [a, b, c] : faces) {
      const int ab = middle(a, b), bc = middle(b, c), ca = middle(c, a);
      finer.insert(finer.end(), {{a, ab, ca}, {b, bc, ab}, {c, ca, bc}, {ab, bc, ca}});
    }
    faces = finer;
  }
  all.next.resize(all.u.size());
  for (const auto& face : faces)
    for (int k = 0; k < 3; ++k) all.next[face[k]].push_back(face[(k + 1) % 3]);
  return all;
}

Directions circle_of_directions(int count) {
  Directions all;
  for (int k = 0; k < count; ++k) {
    const double angle = 2 * std::acos(-1) * k / count;
    all.u.emplace_back(std::cos(angle), std::sin(angle), 0);
    all.next.push_back({(k + 1) % count, (k + count - 1) % count});
  }
  return all;
}

/// Rises and falls of a function that is known at directions: each part above a level is born at its maximum
/// and ends where it meets a higher one (elder rule). @returns births and ends; the highest has no end.
std::vector<std::array<double, 2>> lives(const Directions& all, const std::vector<double>& value) {
  std::vector<int> order(value.size()), parent(value.size(), -1);
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](int a, int b) { return value[a] > value[b]; });
  const auto top_of = [&](int k) {
    while (parent[k] != k) k = parent[k] = parent[parent[k]];
    return k;
  };
  std::vector<std::array<double, 2>> found;
  for (const int k : order) {
    parent[k] = k;
    for (const int next : all.next[k]) {
      if (parent[next] < 0) continue;
      const int a = top_of(k), b = top_of(next);
      if (a == b) continue;
      const int lower = value[a] > value[b] ? b : a;
      if (value[lower] > value[k]) found.push_back({value[lower], value[k]});
      parent[lower] = lower == a ? b : a;
    }
  }
  found.push_back({*std::max_element(value.begin(), value.end()), -1e300});
  return found;
}

/// What the body stores by the function of all directions alone: the highest maximum, each other one less the
/// saddle at which it meets a higher one, and each rim around a minimum less the minimum.
double stored_by_directions(const Smooth& body, const BodyView& wall, double reach, const Directions& all) {
  const bool bore = wall.shape->kind == ShapeKind::bore;
  Vec3 c = wall.trial->R.transpose() * (body.x - wall.trial->x);
  if (bore) c.z() = 0;
  std::vector<double> value;
  for (const Vec3& u : all.u) value.push_back(u.dot(c) + body.support_point(wall.trial->R * u).h);
  const double radius = wall.shape->hollow_radius;
  double sum = 0;
  for (const auto& [birth, end] : lives(all, value))
    sum += potential(radius - birth, reach) - potential(radius - end, reach);
  if (bore) return sum;
  for (double& one : value) one = -one;
  for (const auto& [birth, end] : lives(all, value)) {
    if (end > -1e300) sum += potential(radius + end, reach) - potential(radius + birth, reach);
  }
  return sum;
}

Shape random_superquadric(std::mt19937_64& engine) {
  std::uniform_real_distribution<double> axis(0.04, 0.08), blockiness(2, 6);
  const bool round = std::uniform_int_distribution<int>(0, 2)(engine) == 0;
  return make_superquadric("body", {axis(engine), axis(engine), axis(engine)}, blockiness(engine),
                           round ? 2.0 : blockiness(engine), 10);
}

/// A body near the wall: its least distance is a part of the reach.
Smooth random_place(const Shape& shape, const BodyView& wall, double reach, std::mt19937_64& engine) {
  Smooth body(shape.superquadric, Vec3::Zero(), random_rotation(engine).toRotationMatrix(),
              shape.bounding_radius);
  const Vec3 way = random_vector(engine, 1).normalized();
  const double wanted = std::uniform_real_distribution<double>(0.05, 0.7)(engine) * reach;
  double near = 0, far = wall.shape->hollow_radius + 0.5 * shape.bounding_radius;
  for (int k = 0; k < 40; ++k) {
    const double middle = 0.5 * (near + far);
    body.x = wall.trial->x + middle * (wall.trial->R * way);
    (nearest_in_hollow(body, wall).distance > wanted ? near : far) = middle;
  }
  return body;
}

void compare_with_directions(const Shape& wall_shape, const Directions& all, int poses, double tolerance) {
  std::mt19937_64 engine(5);
  const Shape any = make_sphere("any", 0.1);
  TestPair t(any, wall_shape, Interface{});
  t.set(Vec12::Zero());
  const BodyView wall = t.b.view();
  int several = 0, wrong = 0;
  double worst = 0;
  std::vector<HollowTouch> touches;
  for (int k = 0; k < poses; ++k) {
    const Shape shape = random_superquadric(engine);
    const double reach = std::pow(10, std::uniform_real_distribution<double>(-3.5, -1)(engine));
    const Smooth body = random_place(shape, wall, reach, engine);
    touch_hollow(body, wall, reach, touches);
    several += touches.size() > 1 ? 1 : 0;
    const double expected = stored_by_directions(body, wall, reach, all);
    const double error = std::abs(stored(touches, reach) - expected) / potential(0, reach);
    const double allowed = tolerance / reach;
    wrong += error > allowed ? 1 : 0;
    test::keep_largest(worst, error / allowed);
    if (error > allowed && wrong < 10)
      std::printf("pose %d: %g, expected %g, reach %g\n", k, stored(touches, reach), expected, reach);
  }
  EXPECT_EQ(wrong, 0);
  EXPECT_GT(several, poses / 20);
  std::printf("%s: %d of %d poses touch at several places, worst %.2g of what is allowed\n",
              wall_shape.name.c_str(), several, poses, worst);
}

/// A round flat end touches the wall all around its rim. As it tilts, the moment by which the wall turns it
/// back grows with the tilt, alike in all directions, from round-off on: theory 06 section 13.
TEST(Hollow, ARoundEndThatTiltsIsHeldAllAround) {
  const Shape shape = make_superquadric("pill", {0.05, 0.05, 0.05}, 4, 2, 30);
  const Shape any = make_sphere("any", 0.1), cavity = make_cavity("cavity", 0.2);
  TestPair t(any, cavity, Interface{});
  t.set(Vec12::Zero());
  const BodyView wall = t.b.view();
  const double reach = 1e-3;
  std::vector<HollowTouch> touches;
  double stiffness = 0;
  for (const double tilt : {1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10, 0.0}) {
    for (const double azimuth : {0.0, 0.3, 1.0, 2.2, 4.0}) {
      const Vec3 axis(std::cos(azimuth), std::sin(azimuth), 0);
      Smooth body(shape.superquadric, Vec3(0, 0, -0.14), Eigen::AngleAxisd(tilt, axis).toRotationMatrix(),
                  shape.bounding_radius);
      body.x.z() -= nearest_in_hollow(body, wall).distance - 0.5 * reach;
      touch_hollow(body, wall, reach, touches);
      Vec3 moment = Vec3::Zero();
      for (const HollowTouch& one : touches) {
        EXPECT_EQ(one.sign, 1);
        moment += one.touch.on_body.cross((reach - one.touch.distance) / reach * one.touch.n);
      }
      ASSERT_EQ(touches.size(), 2U) << tilt;
      if (stiffness == 0) stiffness = -moment.dot(axis) / tilt;
      EXPECT_GT(stiffness, 0.5);
      EXPECT_NEAR(moment.dot(axis), -stiffness * tilt, 2e-4 * stiffness * tilt + 1e-12) << tilt;
      EXPECT_LT(std::abs(moment.dot(axis.cross(Vec3::UnitZ()))), 1e-5 * stiffness * tilt + 1e-12) << tilt;
    }
  }
}

/// A cube with rounded edges in the middle of a hollow: corners, middles of edges and of faces are all places
/// where the distance is stationary.
TEST(Hollow, SignsOfAllPlacesHaveTheSumOne) {
  const Shape cube = make_superquadric("cube", {0.1, 0.1, 0.1}, 4, 4, 30);
  for (const bool bore : {false, true}) {
    const Shape wall = bore ? make_bore("bore", 0.2) : make_cavity("cavity", 0.2);
    TestPair t(cube, wall, Interface{});
    t.set(Vec12::Zero());
    const BodyView va = t.a.view(), vb = t.b.view();
    std::vector<HollowTouch> touches;
    const double nearest = touch_hollow(Smooth(va), vb, 0.15, touches);
    int corners = 0;
    double sum = 0;
    std::set<int> contacts;
    for (const HollowTouch& one : touches) {
      EXPECT_LT(one.touch.distance, 0.15);
      EXPECT_GE(one.touch.distance, nearest);
      for (const HollowTouch& other : touches)
        EXPECT_TRUE(&one == &other || (one.touch.n - other.touch.n).norm() > 0.1);
      corners += one.touch.distance < nearest + 1e-9 ? 1 : 0;
      sum += one.sign;
      contacts.insert(one.contact);
    }
    EXPECT_EQ(sum, 1);
    EXPECT_EQ(corners, bore ? 4 : 8);
    // Corners; saddles between all but one of them; in a sphere, the other edges and all but one of the
    // faces.
    EXPECT_EQ(touches.size(), bore ? 7U : 8U + 7U + 5U + 5U);
    EXPECT_EQ(contacts.size(), bore ? 4U : 8U + 5U);
    build_items(t.pair, va, vb, 0.15);
    ASSERT_EQ(t.pair.items.size(), 1U);
    VertexContacts found;
    t.pair.terms.clear();
    smooth_terms(t.pair, t.pair.items[0], va, vb, 0.15, found);
    EXPECT_EQ(found.contacts.size(), contacts.size());
    EXPECT_EQ(t.pair.terms.size(), touches.size());
    std::set<int> keys;
    for (const VertexContacts::Contact& contact : found.contacts) keys.insert(contact.feature);
    EXPECT_EQ(keys.size(), found.contacts.size());
  }
}

/// A cylinder that lies askew in a bore whose radius is that of its own edge there: the distance is flat
/// along the wall to the last digits.
TEST(Hollow, APlaceAsRoundAsTheWallIsOneContact) {
  const Shape grain = make_superquadric("grain", {0.004, 0.004, 0.00265}, 8, 2, 30);
  Mat3 turn;
  turn << 0.81829143562389051, -0.55112922805458009, 0.16326573543935902,  //
      -0.52539026220998475, -0.60192507942139706, 0.60137448494134571,     //
      -0.23316131488631556, -0.57787781818262229, -0.78210806701694191;
  const Shape bore = make_bore("bore", 0.0254);
  TestPair t(grain, bore, Interface{});
  t.set(Vec12::Zero());
  const BodyView wall = t.b.view();
  const Vec3 place(0.020780043200937945, -0.0055967567019476238, 0.029479839684585427);
  const Smooth body(grain.superquadric, wall.trial->x + wall.trial->R * place, wall.trial->R * turn,
                    grain.bounding_radius);
  std::vector<HollowTouch> touches;
  touch_hollow(body, wall, 1e-3, touches);
  ASSERT_EQ(touches.size(), 1U);  // the flat place is neither a maximum nor a saddle
  EXPECT_NEAR(touches[0].touch.distance, -1.22312e-4, 1e-9);
  const double all = stored_by_directions(body, wall, 1e-3, circle_of_directions(100000));
  EXPECT_NEAR(stored(touches, 1e-3), all, 1e-6 * all);
}

/// A ball in the middle of a sphere that is little larger: everything is stationary.
TEST(Hollow, ABallThatFillsASphereHasNumbersForAllThatItAsks) {
  const Shape ball = make_superquadric("ball", {0.1, 0.1, 0.1}, 2, 2, 30);
  for (const bool bore : {false, true}) {
    const Shape hollow = bore ? make_bore("bore", 0.1005) : make_cavity("cavity", 0.1005);
    TestPair t(ball, hollow, Interface{});
    t.set(Vec12::Zero());
    const BodyView va = t.a.view(), vb = t.b.view();
    std::vector<HollowTouch> touches;
    touch_hollow(Smooth(va), vb, 1e-3, touches);
    double sum = 0;
    for (const HollowTouch& one : touches) {
      EXPECT_NEAR(one.touch.distance, 5e-4, 1e-12);
      sum += one.sign;
    }
    EXPECT_EQ(sum, 1);
    build_items(t.pair, va, vb, 1e-3);
    ASSERT_EQ(t.pair.items.size(), 1U);
    VertexContacts found;
    t.pair.terms.clear();
    smooth_terms(t.pair, t.pair.items[0], va, vb, 1e-3, found);
    for (const Term& term : t.pair.terms) {
      const SmoothMotion motion = smooth_motion(t.pair, term, term.p - va.trial->x, va, vb);
      EXPECT_TRUE(motion.normal.allFinite() && motion.shift.allFinite());
      EXPECT_LT(motion.normal.norm(), 1e9);
    }
  }
}

TEST(Hollow, APoseThatIsNoNumberCutsTheStep) {
  const Shape shape = make_superquadric("pill", {0.05, 0.05, 0.05}, 4, 2, 30);
  const Shape any = make_sphere("any", 0.1), cavity = make_cavity("cavity", 0.2);
  TestPair t(any, cavity, Interface{});
  t.set(Vec12::Zero());
  const Smooth body(shape.superquadric, Vec3::Constant(std::numeric_limits<double>::quiet_NaN()),
                    Mat3::Identity(), shape.bounding_radius);
  std::vector<HollowTouch> touches;
  EXPECT_THROW(touch_hollow(body, t.b.view(), 1, touches), RecoverableError);
  EXPECT_THROW(nearest_in_hollow(body, t.b.view()), RecoverableError);
}

TEST(Hollow, EnergyInACylinderIsThatOfAllDirections) {
  compare_with_directions(make_bore("bore", 0.15), circle_of_directions(20000), 400, 1e-8);
}

TEST(Hollow, EnergyInASphereIsThatOfAllDirections) {
  compare_with_directions(make_cavity("cavity", 0.15), sphere_of_directions(7), 30, 2e-5);
}

}  // namespace
}  // namespace scree::contact

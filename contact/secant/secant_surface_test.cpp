/// Steps of bodies on a surface that deforms: work, momenta, and motion as a whole.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <vector>

#include "contact/pair/test_pair.hpp"
#include "contact/secant/secant_pair.hpp"
#include "contact/secant/secant_vertices.hpp"
#include "contact/surface/deforming_surface.hpp"
#include "contact/test_sheet.hpp"
#include "core/shapes/coupled_surface.hpp"

namespace scree::contact {
namespace {

using testing::random_rotation;
using testing::random_vector;

constexpr int kSquares = 6;

/// A sheet over [-0.15, 0.15]^2 m of triangles as large as the bodies. @param bumps [m]; 0: flat.
Shape sheet_with(double bumps) {
  std::vector<Vec3> vertices;
  for (int j = 0; j <= kSquares; ++j)
    for (int i = 0; i <= kSquares; ++i)
      vertices.emplace_back(0.05 * i - 0.15, 0.05 * j - 0.15, bumps * std::sin(2.0 * i + 3.0 * j));
  return make_coupled_surface("sheet", vertices, testing::triangles_of_squares(kSquares));
}

Interface law_of(bool barrier, bool friction) {
  Interface i;
  if (barrier) {
    i.normal = BarrierParameters{.threshold = 1e-3, .stiffness = 2.8e13};
  } else {
    i.normal = HookeParameters{.stiffness = 1e6};
  }
  if (!friction) return i;
  i.friction.static_coefficient = 0.5;
  i.friction.dynamic_coefficient = 0.4;
  i.friction.stiffness = 5e5;
  return i;
}

struct SheetKind {
  const char* name;
  Shape body;
  bool barrier;
};

std::vector<SheetKind> sheet_kinds() {
  const Shape box = make_box("box", {0.1, 0.08, 0.06});
  const Shape tablet = make_superquadric("tablet", {0.05, 0.04, 0.03}, 2.5, 3, 10);
  const Shape ball = make_sphere("ball", 0.04);
  return {{"ball", ball, true},
          {"ball at overlap", ball, false},
          {"box", box, true},
          {"capsule", make_capsule("capsule", 0.02, 0.08), true},
          {"star", testing::star(0.08), true},
          {"tablet", tablet, true},
          {"tablet at overlap", tablet, false}};
}

/// A body in a random place near the sheet, whose vertices it sees in random motion.
struct OnSheet {
  Shape sheet;
  DeformingSurface surface{sheet};
  testing::TestBody a;
  BodyTrial of_sheet;
  BodyPair pair;
  InterfaceLaw law;
  StepContext step{1e-3, 0};

  OnSheet(const Shape& body, const Interface& i, double bumps = 0.004) : sheet(sheet_with(bumps)), law(i) {
    a.shape = &body;
    pair.m_star = 1.3;
    law.normal.set_scale(1e-3);
    step.secant = true;
  }
  [[nodiscard]] BodyView view_b() const {
    return {&surface.at(of_sheet.phase), &of_sheet, nullptr, &surface};
  }
  void go(const Vec3& u, const Vec3& alpha, double phase) {
    a.set(u, alpha);
    of_sheet.phase = phase;
  }
  PairWrench evaluate() { return evaluate_secant(pair, a.view(), view_b(), law, step); }
  /// Moves the body down until its gap is between the given ones. @returns whether it gets there.
  bool approach(double least, double most) {
    for (int k = 0; k < 200; ++k) {
      go(Vec3::Zero(), Vec3::Zero(), 0);
      build_items(pair, a.view(), view_b(), 0.12);
      const double now = smallest_gap(pair, a.view(), view_b());
      if (now < least) return false;
      if (now < most) return true;
      a.state.x.z() -= std::min(0.7 * (now - most + 0.1 * std::abs(most)), 0.02);
    }
    return false;
  }
};

double stored_in(const BodyPair& pair) {
  double sum = 0;
  for (const Active& contact : pair.active) sum += contact.window * contact.energy;
  return sum;
}

/// Random motion of the vertices: of all together, and of each.
std::vector<Vec3> moved_vertices(const Shape& sheet, double size, std::mt19937_64& engine) {
  const Vec3 way = random_vector(engine, size), turn = random_vector(engine, 5 * size);
  std::vector<Vec3> x = sheet.vertices;
  for (Vec3& one : x) one = way + rotation::matrix(turn) * one + random_vector(engine, size);
  return x;
}

struct SheetBalance {
  int acting = 0, slid = 0;
  double energy = 0;           ///< work less what is stored and lost, of the energy
  double sum = 0, moment = 0;  ///< of the forces on vertices against that on the body, of the force
  double largest = 0;          ///< force on a vertex, of the force
};

SheetBalance steps_on_sheet(const SheetKind& kind, bool friction, double bumps, std::mt19937_64& engine) {
  constexpr double size = 3e-4;
  SheetBalance found;
  for (int k = 0; k < 50; ++k) {
    OnSheet t(kind.body, law_of(kind.barrier, friction), bumps);
    t.a.state.q = random_rotation(engine);
    t.a.state.x = random_vector(engine, 0.06) + Vec3(0, 0, 0.2);
    if (!t.approach(kind.barrier ? 1e-4 : -2e-3, kind.barrier ? 9e-4 : -1e-5)) continue;
    const std::vector<Vec3> x = moved_vertices(t.sheet, size, engine);
    std::vector<Vec3> v(x.size());
    for (Vec3& one : v) one = random_vector(engine, 1);
    t.surface.set_end(x, v);
    build_items(t.pair, t.a.view(), t.view_b(), 0.02 + 20 * size);
    t.evaluate();
    const double before = stored_in(t.pair);
    for (HistoryEntry& entry : t.pair.history) {
      entry.fresh = false;
      entry.normal_n = 10;
      entry.slip = random_vector(engine, 1e-5);
      entry.slip -= entry.n * entry.n.dot(entry.slip);
    }
    t.go(random_vector(engine, size), random_vector(engine, 10 * size), 1);
    PairWrench w;
    try {
      w = t.evaluate();
    } catch (const RecoverableError&) {
      continue;
    }
    if (t.pair.active.empty()) continue;
    std::vector<Vec3> forces(x.size(), Vec3::Zero());
    add_secant_forces(t.pair, t.a.view(), t.view_b(), t.law, t.step, forces);
    const Vec3 pole = t.a.trial.x - 0.5 * t.a.trial.u;
    double work = w.force.dot(t.a.trial.u) + w.moment.dot(t.a.trial.alpha);
    Vec3 sum = -w.force, moment = -w.moment - pole.cross(w.force);
    for (std::size_t i = 0; i < forces.size(); ++i) {
      // The residual of the body is what it does to the surface.
      work -= forces[i].dot(t.surface.way_of(static_cast<int>(i)));
      sum += forces[i];
      test::keep_largest(found.largest, forces[i].norm() / (1 + w.force.norm()));
      moment += t.surface.position(static_cast<int>(i), 0.5).cross(forces[i]);
    }
    const double after = stored_in(t.pair);
    for (const Active& contact : t.pair.active) found.slid += contact.slips ? 1 : 0;
    const double springs_n = friction_energy(t.pair, t.law);
    const double lost = commit_secant(t.pair, t.a.view(), t.view_b(), t.law, t.step).friction;
    const double springs = friction_energy(t.pair, t.law);
    const double scale = std::abs(before) + std::abs(after) + std::abs(lost) + springs + 1e-9;
    ++found.acting;
    test::keep_largest(found.energy,
                       std::abs(work - (after - before) - lost - (springs - springs_n)) / scale);
    test::keep_largest(found.sum, sum.norm() / (1 + w.force.norm()));
    test::keep_largest(found.moment, moment.norm() / (1 + w.force.norm()));
  }
  std::printf("%-18s%s %3d steps, %3d contacts slide: energy %.1e, sum %.1e, moment %.1e, largest %.2f\n",
              kind.name, friction ? ", friction" : "", found.acting, found.slid, found.energy, found.sum,
              found.moment, found.largest);
  return found;
}

TEST(SecantSurface, WorkOnBodyAndVerticesIsWhatContactsStoreAndFrictionTakes) {
  std::mt19937_64 engine(11);
  for (const SheetKind& kind : sheet_kinds()) {
    for (const bool friction : {false, true}) {
      SCOPED_TRACE(kind.name);
      // Triangles of one plane are one place of contact, until they bend.
      const SheetBalance found = steps_on_sheet(kind, friction, friction ? 0.004 : 0.0, engine);
      EXPECT_GT(found.acting, 30);
      EXPECT_LT(found.energy, 1e-7);
      EXPECT_LT(found.sum, 1e-11);
      EXPECT_LT(found.moment, 1e-11);
      EXPECT_LT(found.largest, 2);
      EXPECT_TRUE(!friction || found.slid > 10) << found.slid;
    }
  }
}

TEST(SecantSurface, ThatMovesAsAWholeIsARigidBoundary) {
  std::mt19937_64 engine(12);
  for (const SheetKind& kind : sheet_kinds()) {
    SCOPED_TRACE(kind.name);
    double force = 0, moment = 0;
    int acting = 0;
    for (int k = 0; k < 40; ++k) {
      OnSheet t(kind.body, law_of(kind.barrier, true));
      t.a.state.q = random_rotation(engine);
      t.a.state.x = random_vector(engine, 0.06) + Vec3(0, 0, 0.2);
      if (!t.approach(kind.barrier ? 1e-4 : -2e-3, kind.barrier ? 9e-4 : -1e-5)) continue;
      const Shape as_it_was = t.sheet;
      const Vec3 way = random_vector(engine, 3e-4), turn = random_vector(engine, 3e-3);
      std::vector<Vec3> x = t.sheet.vertices;
      for (Vec3& one : x) one = way + rotation::matrix(turn) * one;
      t.surface.set_end(x, std::vector<Vec3>(x.size(), Vec3::Zero()));
      build_items(t.pair, t.a.view(), t.view_b(), 0.05);
      t.go(random_vector(engine, 3e-4), random_vector(engine, 3e-3), 1);
      testing::TestBody wall;
      wall.shape = &as_it_was;
      wall.set(way, turn);
      BodyPair same = t.pair;
      PairWrench w, rigid;
      try {
        w = t.evaluate();
        rigid = evaluate_secant(same, t.a.view(), wall.view(), t.law, t.step);
      } catch (const RecoverableError&) {
        continue;
      }
      if (t.pair.active.empty()) continue;
      ++acting;
      test::keep_largest(force, (w.force - rigid.force).norm() / (1 + w.force.norm()));
      test::keep_largest(moment, (w.moment - rigid.moment).norm() / (1 + w.force.norm()));
    }
    EXPECT_GT(acting, 30);
    EXPECT_LT(force, 1e-8);
    EXPECT_LT(moment, 1e-8);
  }
}

}  // namespace
}  // namespace scree::contact

/// Coupled runs: motion of surfaces in, forces out, steps that are repeated.
#include "io/coupling/participant.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <limits>
#include <ostream>
#include <string>
#include <vector>

#include "core/archive.hpp"
#include "core/error.hpp"
#include "core/test_extremes.hpp"
#include "core/text.hpp"

namespace scree::coupling {
namespace {

using testing::HasSubstr;

/// A sheet of n x n squares of two triangles each, over [-0.5, 0.5]^2 m.
struct Sheet {
  explicit Sheet(int n, double bumps = 0) {
    for (int j = 0; j <= n; ++j) {
      for (int i = 0; i <= n; ++i) {
        const double x = double(i) / n - 0.5, y = double(j) / n - 0.5;
        for (const double c : {x, y, bumps * std::sin(13 * x + 1) * std::cos(11 * y + 2)}) reference.push_back(c);
      }
    }
    for (int j = 0; j < n; ++j) {
      for (int i = 0; i < n; ++i) {
        const int k = (n + 1) * j + i;
        for (const int v : {k, k + 1, k + n + 2, k, k + n + 2, k + n + 1}) triangles.push_back(v);
      }
    }
  }
  [[nodiscard]] SurfaceMesh mesh() const { return {reference, {}, triangles}; }
  [[nodiscard]] std::string text() const {
    std::string all = R"("vertices": [)";
    for (std::size_t k = 0; k < reference.size(); k += 3)
      all += (k > 0 ? ", [" : "[") + text::number(reference[k], 17) + ", " + text::number(reference[k + 1], 17) +
             ", " + text::number(reference[k + 2], 17) + "]";
    all += R"(], "faces": [)";
    for (std::size_t k = 0; k < triangles.size(); k += 3)
      all += (k > 0 ? ", [" : "[") + std::to_string(triangles[k]) + ", " + std::to_string(triangles[k + 1]) + ", " +
             std::to_string(triangles[k + 2]) + "]";
    return all + "]";
  }
  std::vector<double> reference;
  std::vector<int> triangles;
};

const char* const kBarrier =
    R"("normal": {"law": "barrier", "threshold": 1e-3, "stiffness": 2.8e11, "restitution": 0.5},
       "friction": {"static": 0.5, "dynamic": 0.4, "stiffness": 3e5})";
const char* const kHooke = R"("normal": {"law": "hooke", "stiffness": 2e5, "damping": 20},
                              "friction": {"static": 0.5, "dynamic": 0.4, "stiffness": 1e5})";
const char* const kHertz =
    R"("normal": {"law": "hertz", "restitution": 0.6}, "friction": {"static": 0.5, "dynamic": 0.4, "stiffness": "mindlin"})";

const char* const kBall = R"("ball": {"type": "sphere", "radius": 0.05})";
const char* const kBlock = R"("block": {"type": "box", "size": [0.1, 0.12, 0.08]})";
const char* const kTablet =
    R"("tablet": {"type": "superquadric", "half_axes": [0.06, 0.05, 0.04], "blockiness": [2, 2]})";

/// A body of each shape above the sheet.
std::string deck(const std::string& law, const std::string& shapes, const std::string& bodies,
                 const std::string& surface, const std::string& more = "", double end = 1,
                 const std::string& step = R"({"initial": 1e-5, "min": 1e-10, "max": 1e-3})") {
  return R"({"time": {"end": )" + text::number(end) + R"(, "step": )" + step + R"(}, "gravity": [0, 0, -9.81],
  "solver": {"newton": {"relative": 1e-11}},
  "materials": {"rock": {"density": 2500, "young": 1e7, "poisson": 0.25}}, "shapes": {)" +
         shapes + R"(}, "bodies": [)" + bodies + R"(], "boundaries": [{"name": "plate", "type": "surface",
  "material": "rock", )" +
         surface + R"(}], "interfaces": [{"between": ["*", "*"], )" + law + "}]" + more + "}";
}

int ranks() {
  int count = 1;
  MPI_Comm_size(MPI_COMM_WORLD, &count);
  return count;
}

/// Steps of a test: as many on one rank, fewer on more.
int steps(int count) { return ranks() == 1 ? count : count / 4; }

Participant participant(const std::string& text, Options options = {.write_outputs = false}) {
  return Participant::from_text(text, std::filesystem::temp_directory_path() / "coupled.json", MPI_COMM_WORLD,
                                std::move(options));
}

/// States of all bodies, by ID: position and velocity.
std::vector<Vec3> bodies_of(const Simulation& simulation, int count) {
  std::vector<Vec3> all(static_cast<std::size_t>(3 * count), Vec3::Zero());
  const Bodies& bodies = simulation.bodies();
  for (int i = 0; i < bodies.owned; ++i) {
    const auto k = static_cast<std::size_t>(3 * bodies.properties[i].id);
    all[k] = bodies.state[i].x;
    all[k + 1] = bodies.state[i].v;
    all[k + 2] = bodies.state[i].q.vec();
  }
  MPI_Allreduce(MPI_IN_PLACE, all.data(), static_cast<int>(3 * all.size()), MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return all;
}

double difference(const std::vector<Vec3>& a, const std::vector<Vec3>& b) {
  double largest = 0;
  for (std::size_t k = 0; k < a.size(); ++k) test::keep_largest(largest, (a[k] - b[k]).norm());
  return largest;
}

struct Law {
  const char* name;
  std::string law, shapes, bodies;
};
std::ostream& operator<<(std::ostream& stream, const Law& one) { return stream << one.name; }

class RigidMotion : public testing::TestWithParam<Law> {};

TEST_P(RigidMotion, ThroughSetMotionEqualsTheSameMotionOfTheDeck) {
  const Law& one = GetParam();
  const Sheet sheet(6, 0.02);
  constexpr double kDt = 1e-3;
  // A motion that is linear within each step, as the deck has it, has to be met exactly.
  const std::string motion = R"(, "motion": {"velocity": [0.4, 0.1, 0.8]})";
  Participant prescribed =
      participant(deck(one.law, one.shapes, one.bodies, sheet.text() + motion, "", 1, "1e-4"));
  prescribed.initialize();
  Participant coupled =
      participant(deck(one.law, one.shapes, one.bodies, sheet.text() + R"(, "motion": "coupled")", "", 1, "1e-4"));
  const Surface plate = coupled.add_surface("plate");
  coupled.initialize();
  const std::size_t nv = coupled.mesh(plate).reference.size() / 3;
  double largest = 0;
  for (int k = 1; k <= steps(40); ++k) {
    ASSERT_TRUE(prescribed.solve_step(kDt).converged());
    prescribed.accept();
    std::vector<double> u;
    for (std::size_t i = 0; i < nv; ++i)
      for (const double v : {0.4, 0.1, 0.8}) u.push_back(v * k * kDt);
    coupled.set_motion(plate, u);
    const StepReport report = coupled.solve_step(kDt);
    ASSERT_TRUE(report.converged()) << report.message;
    coupled.accept();
    test::keep_largest(largest, coupled.resultant(plate).force.norm());
  }
  EXPECT_EQ(coupled.simulation().steps(), prescribed.simulation().steps());
  if (ranks() == 1) EXPECT_GT(largest, 10);
  EXPECT_LT(difference(bodies_of(coupled.simulation(), 2), bodies_of(prescribed.simulation(), 2)), 2e-7);
  const std::vector<Wrench> wrench = *prescribed.simulation().view(false, false).boundary_wrench;
  EXPECT_LT((coupled.resultant(plate).force - wrench[0].force).norm(), 1e-4 * (1 + wrench[0].force.norm()));
}

const std::string kTwoBalls = R"({"shape": "ball", "material": "rock", "position": [0.03, 0.02, 0.075], "velocity": [0.1, 0, -1]},
  {"shape": "ball", "material": "rock", "position": [-0.2, 0.1, 0.075], "velocity": [0.3, 0, -0.5]})";
const std::string kTwoBlocks = R"({"shape": "block", "material": "rock", "position": [0.03, 0.02, 0.07], "velocity": [0.1, 0, -1]},
  {"shape": "block", "material": "rock", "position": [-0.2, 0.1, 0.09], "velocity": [0.3, 0, -0.5],
   "orientation": {"axis": [1, 1, 0], "angle_deg": 20}})";
const std::string kTwoTablets = R"({"shape": "tablet", "material": "rock", "position": [0.03, 0.02, 0.065], "velocity": [0.1, 0, -1]},
  {"shape": "tablet", "material": "rock", "position": [-0.2, 0.1, 0.07], "velocity": [0.3, 0, -0.5],
   "orientation": {"axis": [1, 1, 0], "angle_deg": 20}})";

INSTANTIATE_TEST_SUITE_P(Coupled, RigidMotion,
                         testing::Values(Law{"hooke_balls", kHooke, kBall, kTwoBalls},
                                         Law{"hertz_balls", kHertz, kBall, kTwoBalls},
                                         Law{"barrier_balls", kBarrier, kBall, kTwoBalls},
                                         Law{"barrier_blocks", kBarrier, kBlock, kTwoBlocks},
                                         Law{"hooke_tablets", kHooke, kTablet, kTwoTablets}),
                         [](const auto& one) { return std::string(one.param.name); });

/// Displacements of a sheet that bends and stretches in time.
std::vector<double> waves(const std::vector<double>& reference, double t, double size) {
  std::vector<double> u;
  for (std::size_t k = 0; k < reference.size(); k += 3) {
    const double x = reference[k], y = reference[k + 1];
    u.push_back(0.2 * size * std::sin(30 * t) * x);
    u.push_back(0.1 * size * std::sin(25 * t) * x * y);
    u.push_back(size * std::sin(40 * t + 3 * x) * std::cos(2 * y));
  }
  return u;
}

Vec3 weight_moment(const Simulation& simulation, int count, double mass) {
  const std::vector<Vec3> bodies = bodies_of(simulation, count);
  Vec3 moment = Vec3::Zero();
  for (int i = 0; i < count; ++i)
    moment += bodies[static_cast<std::size_t>(3 * i)].cross(Vec3(0, 0, -9.81 * mass));
  return moment;
}

class Forces : public testing::TestWithParam<Law> {};

TEST_P(Forces, OnVerticesHaveTheSumAndTheMomentOfThoseOfTheBodies) {
  const Law& one = GetParam();
  const Sheet sheet(5, 0.02);
  Participant coupled = participant(
      deck(one.law, one.shapes, one.bodies, sheet.text() + R"(, "motion": "coupled")"));
  const Surface plate = coupled.add_surface("plate");
  coupled.initialize();
  double force_error = 0, moment_error = 0, largest = 0;
  for (int k = 1; k <= steps(40); ++k) {
    coupled.set_motion(plate, waves(coupled.mesh(plate).reference, 1e-3 * k, 0.004));
    const StepReport report = coupled.solve_step(1e-3);
    ASSERT_TRUE(report.converged()) << report.message;
    coupled.accept();
    const std::vector<Wrench> wrench = *coupled.simulation().view(false, false).boundary_wrench;
    const Wrench sum = coupled.resultant(plate);
    test::keep_largest(force_error, (sum.force - wrench[0].force).norm());
    test::keep_largest(moment_error, (sum.moment - wrench[0].moment).norm());
    test::keep_largest(largest, wrench[0].force.norm());
  }
  if (ranks() == 1) EXPECT_GT(largest, 10);
  EXPECT_LT(force_error, 1e-13 * (1 + largest));
  EXPECT_LT(moment_error, 1e-13 * (1 + largest));
}

INSTANTIATE_TEST_SUITE_P(Coupled, Forces,
                         testing::Values(Law{"hooke_balls", kHooke, kBall, kTwoBalls},
                                         Law{"hertz_balls", kHertz, kBall, kTwoBalls},
                                         Law{"barrier_blocks", kBarrier, kBlock, kTwoBlocks},
                                         Law{"hooke_tablets", kHooke, kTablet, kTwoTablets}),
                         [](const auto& one) { return std::string(one.param.name); });

TEST(Participant, GivesTheSameBitsForTheSameStepWhateverWasTriedInBetween) {
  const Sheet sheet(5, 0.02);
  Participant coupled = participant(
      deck(kBarrier, kBlock, kTwoBlocks, sheet.text() + R"(, "motion": "coupled")"));
  const Surface plate = coupled.add_surface("plate");
  coupled.initialize();
  const std::vector<double>& reference = coupled.mesh(plate).reference;
  const auto states = [&] {
    const Bodies& bodies = coupled.simulation().bodies();
    std::vector<std::byte> all = to_bytes(std::vector<BodyState>(bodies.state.begin(), bodies.state.begin() + bodies.owned));
    std::vector<double> f(reference.size());
    coupled.forces(plate, f);
    const std::vector<std::byte> forces = to_bytes(f);
    all.insert(all.end(), forces.begin(), forces.end());
    return all;
  };
  long friction = 0, others = 0;
  for (int k = 1; k <= (ranks() == 1 ? 60 : 36); ++k) {
    const Snapshot before = coupled.save();
    coupled.set_motion(plate, waves(reference, 1e-3 * k, 0.004));
    ASSERT_TRUE(coupled.solve_step(1e-3).converged());
    const auto first = states();
    coupled.set_motion(plate, waves(reference, 1e-3 * k + 2e-4, 0.004));  // another iterate
    ASSERT_TRUE(coupled.solve_step(1e-3).converged());
    if (!(states() == first)) ++others;
    coupled.restore(before);
    coupled.set_motion(plate, waves(reference, 1e-3 * k, 0.004));
    ASSERT_TRUE(coupled.solve_step(1e-3).converged());
    EXPECT_TRUE(states() == first) << "step " << k;
    coupled.set_motion(plate, waves(reference, 1e-3 * k, 0.004));
    ASSERT_TRUE(coupled.solve_step(1e-3).converged());
    EXPECT_TRUE(states() == first) << "step " << k;
    coupled.accept();
    EXPECT_NEAR(coupled.time(), 1e-3 * k, 1e-12);
    if (coupled.simulation().energy().friction_elastic > 0) ++friction;
  }
  EXPECT_GT(friction, 5);  // history was there to be lost
  EXPECT_GT(others, 5);
}

TEST(Participant, BalancesTheWeightOfABodyAtRestOnADeformedSurface) {
  const Sheet sheet(8);
  std::string text =
      deck(R"("normal": {"law": "barrier", "threshold": 1e-3, "stiffness": 1e9}, "friction": {"static": 0.8, "dynamic": 0.8, "stiffness": 1e5})",
           kBlock, R"({"shape": "block", "material": "rock", "position": [0.012, -0.007, 0.0405],
                       "orientation": {"axis": [0, 0, 1], "angle_deg": 17}})",
           sheet.text() + R"(, "motion": "coupled")", "", 1, R"({"initial": 0.02, "min": 1e-6, "max": 0.02})");
  text.insert(1, R"("analysis": "quasi-static", )");
  Participant coupled = participant(text);
  const Surface plate = coupled.add_surface("plate");
  coupled.initialize();
  const double mass = 2500 * 0.1 * 0.12 * 0.08;
  const std::vector<double>& x = coupled.mesh(plate).reference;
  for (int k = 1; k <= 5; ++k) {
    std::vector<double> u;  // it tilts, bulges and is stretched
    for (std::size_t i = 0; i < x.size(); i += 3) {
      u.push_back(0.02 * k * x[i] * x[i]);
      u.push_back(0.01 * k * x[i]);
      u.push_back(k * (0.004 * x[i] + 0.02 * (x[i] * x[i] - 0.7 * x[i + 1] * x[i + 1])));
    }
    coupled.set_motion(plate, u);
    const StepReport report = coupled.solve_step(0.02);
    ASSERT_TRUE(report.converged()) << report.message;
    coupled.accept();
    const Wrench sum = coupled.resultant(plate);
    EXPECT_LT((sum.force - Vec3(0, 0, -9.81 * mass)).norm(), 1e-10 * 9.81 * mass) << k;
    EXPECT_LT((sum.moment - weight_moment(coupled.simulation(), 1, mass)).norm(), 1e-10 * 9.81 * mass) << k;
  }
}

TEST(Participant, ClosesTheEnergyBalanceOfASurfaceThatBreathesUnderBodies) {
  if (ranks() > 1) GTEST_SKIP() << "the same on any number of ranks, and long";
  const Sheet sheet(6, 0.01);
  double errors[2] = {};
  double works[2] = {};
  for (const int fine : {0, 1}) {
    const std::string step = fine == 0 ? "4e-5" : "1e-5";
    Participant coupled = participant(
        deck(kHooke, kBall, kTwoBalls, sheet.text() + R"(, "motion": "coupled")", "", 1, step));
    const Surface plate = coupled.add_surface("plate");
    coupled.initialize();
    const auto& reference = coupled.mesh(plate).reference;
    for (int k = 1; k <= 60; ++k) {
      coupled.set_motion(plate, waves(reference, 2e-3 * k, 0.003));
      const StepReport report = coupled.solve_step(2e-3);
      ASSERT_TRUE(report.converged()) << report.message;
      coupled.accept();
    }
    const EnergyLedger& energy = coupled.simulation().energy();
    errors[fine] = std::max(energy.largest_error, -energy.smallest_error);
    works[fine] = std::abs(energy.work_of_boundaries);
    EXPECT_LT(errors[fine], 1e-2 * energy.reference) << step;
  }
  EXPECT_GT(works[0], 20 * errors[0]) << works[0] << " J, error " << errors[0] << " J";
  EXPECT_LT(errors[1], 0.5 * errors[0]);
}

TEST(Participant, NeverLetsABodyThroughAFastSurface) {
  // In one step the sheet goes further than the ball is large.
  for (const char* law : {kHooke, kBarrier}) {
    const Sheet sheet(4, 0.01);
    Participant coupled = participant(
        deck(law, kBall, R"({"shape": "ball", "material": "rock", "position": [0.01, 0.02, 0.2]})",
             sheet.text() + R"(, "motion": "coupled")", "", 1,
             R"({"initial": 1e-3, "min": 1e-9, "max": 1e-2})"));
    const Surface plate = coupled.add_surface("plate");
    coupled.initialize();
    const std::size_t nv = coupled.mesh(plate).reference.size() / 3;
    double up = 0;
    for (int k = 1; k <= 4; ++k) {
      std::vector<double> u(3 * nv, 0.0);
      up += 0.2;
      for (std::size_t i = 0; i < nv; ++i) u[3 * i + 2] = up;
      coupled.set_motion(plate, u);
      const StepReport report = coupled.solve_step(0.01);
      ASSERT_TRUE(report.converged()) << report.message;
      coupled.accept();
      EXPECT_GT(bodies_of(coupled.simulation(), 1)[0].z(), up) << law << ", step " << k;
    }
  }
}

TEST(Participant, IsInfeasibleWhereASurfaceIsPushedThroughATrappedBody) {
  const Sheet sheet(4, 0.01);
  const std::string ceiling = R"({"name": "ceiling", "type": "plane", "point": [0, 0, 0.15], "normal": [0, 0, -1], "material": "rock"})";
  std::string text = deck(kBarrier, kBall, R"({"shape": "ball", "material": "rock", "position": [0.01, 0.02, 0.07]})",
                          sheet.text() + R"(, "motion": "coupled")", "", 1, R"({"initial": 1e-4, "min": 1e-6, "max": 1e-3})");
  text.insert(text.find(R"("boundaries": [)") + 15, ceiling + ", ");
  Participant coupled = participant(text);
  const Surface plate = coupled.add_surface("plate");
  coupled.initialize();
  const std::size_t nv = coupled.mesh(plate).reference.size() / 3;
  const auto push = [&](double up) {
    std::vector<double> u(3 * nv, 0.0);
    for (std::size_t i = 0; i < nv; ++i) u[3 * i + 2] = up;
    coupled.set_motion(plate, u);
    return coupled.solve_step(0.01);
  };
  const StepReport report = push(0.2);
  EXPECT_EQ(report.status, Status::infeasible);
  EXPECT_GT(report.reached, 0);
  EXPECT_LT(report.reached, 0.01);
  EXPECT_THAT(report.message, HasSubstr("boundary \"plate\""));
  EXPECT_THROW(coupled.accept(), std::logic_error);
  EXPECT_EQ(coupled.time(), 0);
  EXPECT_TRUE(push(0.01).converged());  // and goes on from where it was
  coupled.accept();
  EXPECT_NEAR(coupled.time(), 0.01, 1e-12);
}

TEST(Participant, GivesTheMomentumThatBodiesLoseAsMeanForces) {
  const Sheet sheet(4);
  Participant coupled = participant(deck(kHooke, kBall,
                                         R"({"shape": "ball", "material": "rock", "position": [0.01, 0.02, 0.0502], "velocity": [0.2, 0, -1]})",
                                         sheet.text() + R"(, "motion": "coupled")"),
                                    {.force = ForceOf::mean, .write_outputs = false});
  const Surface plate = coupled.add_surface("plate");
  coupled.initialize();
  const double mass = 2500 * 4.0 / 3.0 * M_PI * 0.05 * 0.05 * 0.05;
  Vec3 given = Vec3::Zero();
  const Vec3 first = bodies_of(coupled.simulation(), 1)[1];
  constexpr double kDt = 2e-3;
  for (int k = 0; k < 20; ++k) {
    ASSERT_TRUE(coupled.solve_step(kDt).converged());
    coupled.accept();
    given += kDt * coupled.resultant(plate).force;
  }
  const Vec3 lost = mass * (first - bodies_of(coupled.simulation(), 1)[1] + 20 * kDt * Vec3(0, 0, -9.81));
  EXPECT_GT(lost.norm(), mass);
  EXPECT_LT((given - lost).norm(), 1e-9 * lost.norm());
}

TEST(Participant, AppliesTheDerivativeOfForcesByTheMotion) {
  // A ball that is pressed: contact of stiffness k in series with inertia m / (beta h^2).
  const Sheet sheet(4);
  Participant coupled = participant(deck(
      R"("normal": {"law": "hooke", "stiffness": 2e5})", kBall,
      R"({"shape": "ball", "material": "rock", "position": [0.06, 0.05, 0.0495]})", sheet.text() + R"(, "motion": "coupled")",
      "", 1, "1e-3"));
  const Surface plate = coupled.add_surface("plate");
  coupled.initialize();
  std::vector<double> du(coupled.mesh(plate).reference.size(), 0.0), df(du.size()), before(du.size()), after(du.size());
  for (std::size_t k = 2; k < du.size(); k += 3) du[k] = 3;
  EXPECT_THROW(coupled.apply_tangent(plate, du, df), std::logic_error);
  ASSERT_TRUE(coupled.solve_step(1e-3).converged());
  coupled.forces(plate, before);
  coupled.apply_tangent(plate, du, df);
  coupled.forces(plate, after);
  EXPECT_EQ(before, after);
  double sum = 0;
  for (std::size_t k = 2; k < df.size(); k += 3) sum += df[k];
  const double mass = 2500 * 4.0 / 3.0 * M_PI * 0.05 * 0.05 * 0.05;
  const double stiffness = 1 / (1 / 2e5 + 0.3 * 1e-6 / mass);
  EXPECT_NEAR(sum, -3 * stiffness, 1e-5 * 3 * stiffness);
  coupled.accept();
  EXPECT_NEAR(coupled.time(), 1e-3, 1e-15);
}

TEST(Participant, TakesAMeshInPartsFromRanks) {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const Sheet sheet(4);
  const std::string text = deck(kHooke, kBall, kTwoBalls, Sheet(2).text() + R"(, "motion": "coupled")");
  // Triangles are dealt out; each rank has the vertices of its own, under numbers with gaps.
  std::vector<double> reference;
  std::vector<std::int64_t> id;
  std::vector<int> triangles, local(25, -1);
  for (std::size_t t = 0; t < sheet.triangles.size() / 3; ++t) {
    if (static_cast<int>(t) % ranks() != rank) continue;
    for (std::size_t i = 0; i < 3; ++i) {
      const int v = sheet.triangles[3 * t + i];
      if (local[static_cast<std::size_t>(v)] < 0) {
        local[static_cast<std::size_t>(v)] = static_cast<int>(id.size());
        id.push_back(7 * v + 3);
        for (int c = 0; c < 3; ++c) reference.push_back(sheet.reference[static_cast<std::size_t>(3 * v + c)]);
      }
      triangles.push_back(local[static_cast<std::size_t>(v)]);
    }
  }
  Participant parts = participant(text), whole = participant(text);
  const Surface a = parts.add_surface("plate", {reference, id, triangles});
  const Surface b = whole.add_surface("plate", sheet.mesh());
  parts.initialize();
  whole.initialize();
  double largest = 0;
  for (int k = 1; k <= 30; ++k) {
    parts.set_motion(a, waves(parts.mesh(a).reference, 1e-3 * k, 0.004));
    whole.set_motion(b, waves(whole.mesh(b).reference, 1e-3 * k, 0.004));
    ASSERT_TRUE(parts.solve_step(1e-3).converged());
    ASSERT_TRUE(whole.solve_step(1e-3).converged());
    parts.accept();
    whole.accept();
    std::vector<double> own(reference.size()), all(sheet.reference.size());
    parts.forces(a, own);
    whole.forces(b, all);
    test::keep_largest(largest, whole.resultant(b).force.norm());
    for (std::size_t i = 0; i < id.size(); ++i) {
      const auto v = static_cast<std::size_t>((id[i] - 3) / 7);
      for (std::size_t c = 0; c < 3; ++c) EXPECT_NEAR(own[3 * i + c], all[3 * v + c], 1e-7 * largest);
    }
  }
  EXPECT_GT(largest, 1);
}

TEST(Participant, ReportsWhatIsWrongWithAMotionAndKeepsItsState) {
  const Sheet sheet(4);
  Participant coupled = participant(
      deck(kHooke, kBall, kTwoBalls, sheet.text() + R"(, "motion": "coupled")", "", 1,
           R"({"initial": 1e-4, "min": 1e-6, "max": 1e-3})"));
  EXPECT_THROW(coupled.add_surface("floor"), InputError);
  const Surface plate = coupled.add_surface("plate");
  EXPECT_THROW(coupled.add_surface("plate"), InputError);
  coupled.initialize();
  const std::vector<double>& reference = coupled.mesh(plate).reference;
  const Snapshot before = coupled.save();
  const auto error_of = [&](const std::vector<double>& u, double dt) -> std::string {
    coupled.set_motion(plate, u);
    try {
      coupled.solve_step(dt);
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_THROW(coupled.set_motion(plate, std::vector<double>(5)), std::invalid_argument);
  EXPECT_THROW(coupled.solve_step(0), std::invalid_argument);
  EXPECT_THROW(coupled.solve_step(2), std::invalid_argument);
  std::vector<double> u(reference.size(), 0.0);
  u[7] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THAT(error_of(u, 1e-3), HasSubstr("surface \"plate\": got nan as displacement [m] of vertex 2"));
  u.assign(reference.size(), 0.0);
  for (std::size_t c = 0; c < 3; ++c) u[3 * 12 + c] = reference[3 * 13 + c] - reference[3 * 12 + c];
  EXPECT_THAT(error_of(u, 1e-3), HasSubstr("degenerates"));
  u.assign(reference.size(), 0.0);
  for (std::size_t c = 0; c < 3; ++c) u[c] = 1.9 * (reference[3 * 6 + c] - reference[c]);
  u[2] = 1e-3;
  EXPECT_THAT(error_of(u, 1e-3), HasSubstr("fold onto each other"));
  u.assign(reference.size(), 0.0);
  for (std::size_t k = 2; k < u.size(); k += 3) u[k] = 1e4;
  EXPECT_THAT(error_of(u, 1e-3), HasSubstr("times the shortest edge"));
  EXPECT_TRUE(coupled.save() == before);
  EXPECT_EQ(coupled.time(), 0);
}

TEST(Participant, RefusesWhatCannotFollowACoupledBoundary) {
  const Sheet sheet(2);
  const std::string good = deck(kHooke, kBall, kTwoBalls, sheet.text() + R"(, "motion": "coupled")");
  const auto error_of = [](const std::string& text) -> std::string {
    try {
      participant(text).initialize();
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(error_of(good), "");
  std::string energy = good;
  energy.insert(1, R"("integrator": {"type": "energy"}, )");
  EXPECT_THAT(error_of(energy), HasSubstr("integrator \"energy\""));
  EXPECT_THAT(error_of(R"({"time": {"end": 1, "step": 1e-3}, "materials": {"rock": {"density": 1}},
    "shapes": {"ball": {"type": "sphere", "radius": 1}}, "bodies": [{"shape": "ball", "material": "rock", "position": [0, 0, 2]}],
    "boundaries": [{"type": "plane", "point": [0, 0, 0], "normal": [0, 0, 1], "material": "rock", "motion": "coupled"}],
    "interfaces": [{"between": ["*", "*"], "normal": {"law": "hooke", "stiffness": 1e4}}]})"),
              HasSubstr("requires a boundary of type \"surface\""));
}

}  // namespace
}  // namespace scree::coupling

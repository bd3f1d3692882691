#include "contact/forces/pair_forces.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <random>

#include "core/error.hpp"
#include "core/test_extremes.hpp"

namespace scree::contact {
namespace {

/// Bodies of this rank, spheres of radii around 0.05, somewhere in a box.
struct Crowd {
  std::vector<Shape> shapes;
  Bodies bodies;

  Crowd(int count, double box, std::uint64_t seed) {
    std::mt19937_64 engine(seed);
    std::uniform_real_distribution<double> uniform(-box, box);
    shapes = {make_sphere("small", 0.04), make_sphere("large", 0.06)};
    bodies.owned = count;
    for (int i = 0; i < count; ++i) {
      BodyProperties properties;
      properties.id = i;
      properties.shape = i % 2;
      properties.mass = 1 + 0.1 * i;
      properties.length = shapes[properties.shape].radius;
      BodyState state;
      for (int k = 0; k < 3; ++k) state.x[k] = uniform(engine);
      bodies.properties.push_back(properties);
      bodies.state.push_back(state);
    }
    bodies.trial.resize(bodies.state.size());
    settle();
  }
  void settle() {
    for (int i = 0; i < bodies.all(); ++i) bodies.trial[i].x = bodies.state[i].x + bodies.trial[i].u;
  }
};

/// A system of rows with the couplings that the forces require.
LocalSystem system_for(PairForces& forces, const Bodies& bodies) {
  LocalSystem system;
  system.set_entities(bodies.owned,
                      std::vector<int>(static_cast<std::size_t>(bodies.moving()), kBodyUnknowns));
  std::vector<LocalSystem::Coupling> couplings;
  forces.couplings(couplings);
  system.set_couplings(std::move(couplings));
  forces.locate_blocks(bodies, system);
  return system;
}

std::vector<double> residual_at(PairForces& forces, Crowd& crowd, LocalSystem& system, int body, int axis,
                                double step, Configuration where = Configuration::trial) {
  crowd.bodies.trial[body].u[axis] += step;
  crowd.settle();
  system.clear_residual();
  forces.residual(crowd.bodies, where, system);
  crowd.bodies.trial[body].u[axis] -= step;
  crowd.settle();
  return system.residual;
}

/// Largest difference of the tangent to differences of the residual, relative to its largest entry.
double tangent_error(PairForces& forces, Crowd& crowd, Configuration where = Configuration::trial) {
  LocalSystem system = system_for(forces, crowd.bodies);
  system.clear_residual();
  forces.residual(crowd.bodies, where, system);
  system.clear_tangent();
  forces.tangent(system);
  const auto entry = [&](int row, int col, int r, int c) {
    if (row == col) return system.diagonal(row)[6 * r + c];
    const int coupling = system.find(row, col);
    return coupling < 0 ? 0.0 : system.coupling(coupling)[6 * r + c];
  };
  double worst = 0, largest = 0;
  const double e = 1e-5;
  for (int col = 0; col < crowd.bodies.owned; ++col) {
    for (int c = 0; c < 3; ++c) {
      // Fourth order, so that the difference is limited by round-off.
      const auto p1 = residual_at(forces, crowd, system, col, c, e, where);
      const auto m1 = residual_at(forces, crowd, system, col, c, -e, where);
      const auto p2 = residual_at(forces, crowd, system, col, c, 2 * e, where);
      const auto m2 = residual_at(forces, crowd, system, col, c, -2 * e, where);
      for (int row = 0; row < crowd.bodies.owned; ++row) {
        for (int r = 0; r < 6; ++r) {
          const int k = system.offset[row] + r;
          const double numeric = (8 * (p1[k] - m1[k]) - (p2[k] - m2[k])) / (12 * e);
          test::keep_largest(largest, std::abs(numeric));
          test::keep_largest(worst, std::abs(entry(row, col, r, c) - numeric));
        }
      }
    }
  }
  return largest > 0 ? worst / largest : 1;
}

const std::vector<NearFieldParameters> kFields = {
    {2.0, 0.3, 0, 2, 0.25, AtCutoff::jump},       // a constant attraction
    {1e-2, 1e-4, 1, 3, 0.25, AtCutoff::jump},     // the logarithm
    {1e-3, 1e-5, 2.5, 4, 0.25, AtCutoff::jump},   // broken exponents
    {1e-2, 1e-4, 1, 3, 0.25, AtCutoff::shifted},  // without a jump
    {0, 1e-3, 0, 1, 0.25, AtCutoff::shifted},     // repulsion alone
};

TEST(NearFieldLaw, ForceIsThatOfThePaperAndTheDerivativeOfItsEnergy) {
  for (const NearFieldParameters& p : kFields) {
    const NearFieldLaw law(p);
    for (const double d : {0.08, 0.13, 0.24}) {
      const double e = 1e-4 * d;
      const auto derivative = [&](auto member) {
        return (8 * (law.at(d + e).*member - law.at(d - e).*member) -
                (law.at(d + 2 * e).*member - law.at(d - 2 * e).*member)) /
               (12 * e);
      };
      const CentralForce f = law.at(d);
      const auto paper = [&](double x) {
        return p.attraction * std::pow(x, -p.attraction_exponent) -
               p.repulsion * std::pow(x, -p.repulsion_exponent);
      };
      const double shift = p.at_cutoff == AtCutoff::shifted ? paper(p.cutoff) : 0;
      EXPECT_NEAR(f.slope, paper(d) - shift, 1e-13 * std::abs(paper(d)));
      EXPECT_NEAR(derivative(&CentralForce::energy), f.slope, 1e-9 * std::abs(f.slope) + 1e-11);
      EXPECT_NEAR(derivative(&CentralForce::slope), f.curvature, 1e-9 * std::abs(f.curvature) + 1e-11);
    }
    EXPECT_NEAR(law.at(p.cutoff).energy, 0, 1e-16);
    if (p.at_cutoff == AtCutoff::shifted) {
      EXPECT_NEAR(law.at(p.cutoff).slope, 0, 1e-16);
    }
  }
}

/// Bonds, or near-field law k.
PairForces one_kind(Crowd& crowd, std::size_t k) {
  const bool bonded = k == kFields.size();
  PairForces forces(
      crowd.shapes,
      bonded ? std::optional<BondParameters>(BondParameters{.stiffness = 1e4, .within = 0.4}) : std::nullopt,
      bonded ? std::vector<NearFieldParameters>{} : std::vector{kFields[k]});
  if (bonded) forces.make_bonds(crowd.bodies);
  forces.search(crowd.bodies, 0.05);
  return forces;
}

void move_randomly(Crowd& crowd, double size, std::uint64_t seed) {
  std::mt19937_64 engine(seed);
  std::uniform_real_distribution<double> uniform(-size, size);
  for (BodyTrial& trial : crowd.bodies.trial) {
    for (int c = 0; c < 3; ++c) trial.u[c] = uniform(engine);
  }
  crowd.settle();
}

TEST(PairForces, TangentMatchesDifferencesOfTheResidual) {
  double worst = 0;
  for (std::size_t k = 0; k <= kFields.size(); ++k) {
    for (const std::uint64_t seed : {1, 2, 3}) {
      Crowd crowd(12, 0.12, seed);
      PairForces forces = one_kind(crowd, k);
      move_randomly(crowd, 1e-3, seed);
      const double error = tangent_error(forces, crowd);
      test::keep_largest(worst, error);
      EXPECT_LT(error, 1e-8) << "law " << k << " seed " << seed;
    }
  }
  std::printf("worst relative difference %.1e\n", worst);
}

TEST(PairForces, OverAStepTangentMatchesDifferencesOfTheResidual) {
  double worst = 0;
  for (std::size_t k = 0; k <= kFields.size(); ++k) {
    for (const double size : {1e-3, 2e-2}) {
      for (const std::uint64_t seed : {1, 2, 3}) {
        Crowd crowd(12, 0.12, seed);
        PairForces forces = one_kind(crowd, k);
        move_randomly(crowd, size, seed);
        const double error = tangent_error(forces, crowd, Configuration::step);
        test::keep_largest(worst, error);
        EXPECT_LT(error, 1e-7) << "law " << k << ", steps of " << size << ", seed " << seed;
      }
    }
  }
  std::printf("worst relative difference %.1e\n", worst);
}

TEST(PairForces, OverAStepTheirWorkIsWhatTheyStoreAndMomentaStay) {
  // Whatever the step: from some round-off of the distance to beyond the cut-off and back.
  double work_error = 0, momentum_error = 0;
  for (std::size_t k = 0; k <= kFields.size(); ++k) {
    for (const double size : {1e-9, 1e-6, 1e-3, 5e-2}) {
      Crowd crowd(20, 0.12, k + 1);
      PairForces forces = one_kind(crowd, k);
      LocalSystem system = system_for(forces, crowd.bodies);
      const auto stored = [&] {
        system.clear_residual();
        forces.residual(crowd.bodies, Configuration::step, system);
        const PairForceTotals totals = forces.totals(crowd.bodies);
        return totals.bond_energy + totals.near_field_energy;
      };
      const double before = stored();
      move_randomly(crowd, size, 7);
      const double after = stored();
      double work = 0, force_size = 0;
      Vec3 force = Vec3::Zero(), moment = Vec3::Zero();
      for (int i = 0; i < crowd.bodies.owned; ++i) {
        const Eigen::Map<const Vec6> r(system.residual_of(i));
        const BodyTrial& trial = crowd.bodies.trial[i];
        work += r.head<3>().dot(trial.u);
        force += r.head<3>();
        moment += (trial.x - 0.5 * trial.u).cross(r.head<3>()) + r.tail<3>();
        force_size += r.head<3>().norm();
      }
      test::keep_largest(work_error, std::abs(work - (after - before)) /
                                         (std::abs(after) + std::abs(before) + force_size * 0.1));
      test::keep_largest(momentum_error, (force.norm() + moment.norm()) / force_size);
    }
  }
  std::printf("work %.1e of the energy, momenta %.1e of the forces\n", work_error, momentum_error);
  EXPECT_LT(work_error, 1e-14);
  EXPECT_LT(momentum_error, 1e-14);
}

TEST(NearFieldLaw, OverAStepItHasTheDifferenceOfTheEnergiesAlsoAcrossTheCutoff) {
  std::mt19937_64 engine(3);
  std::uniform_real_distribution<double> any(0.1, 0.4);
  double work = 0, slope = 0;
  for (const NearFieldParameters& p : kFields) {
    const NearFieldLaw law(p);
    const auto energy = [&](double d) { return d < p.cutoff ? law.at(d).energy : 0.0; };
    for (int k = 0; k < 2000; ++k) {
      const double from = any(engine), to = any(engine);
      const CentralForce f = law.over(from, to - from);
      const double size = std::abs(energy(from)) + std::abs(energy(to)) + std::abs(energy(0.1));
      test::keep_largest(work, std::abs(f.slope * (to - from) - (energy(to) - energy(from))) / size);
      EXPECT_EQ(f.energy, energy(from + (to - from)));
      constexpr double kStep = 1e-7;
      if (std::abs(to - p.cutoff) < 2 * kStep || std::abs(to - from) < 1e-3) continue;
      const double numeric =
          (law.over(from, to - from + kStep).slope - law.over(from, to - from - kStep).slope) / (2 * kStep);
      test::keep_largest(slope, std::abs(numeric - f.curvature) /
                                    (std::abs(f.curvature) + std::abs(f.slope) / std::abs(to - from) + 1e-6));
    }
    // A step along which the distance stays.
    EXPECT_NEAR(law.over(0.2, 0).slope, law.at(0.2).slope, 1e-15);
    EXPECT_NEAR(law.over(0.2, 0).curvature, 0.5 * law.at(0.2).curvature, 1e-12);
  }
  std::printf("work %.1e, slope %.1e\n", work, slope);
  EXPECT_LT(work, 1e-12);
  EXPECT_LT(slope, 1e-5);
}

TEST(PairForces, KeepMomentumAndAngularMomentum) {
  Crowd crowd(20, 0.12, 5);
  PairForces forces(crowd.shapes, BondParameters{.stiffness = 1e4, .within = 0.4}, kFields);
  forces.make_bonds(crowd.bodies);
  forces.search(crowd.bodies, 0);
  ASSERT_GT(forces.bonds().size(), 10u);
  LocalSystem system = system_for(forces, crowd.bodies);
  system.clear_residual();
  forces.residual(crowd.bodies, Configuration::trial, system);
  Vec3 force = Vec3::Zero(), moment = Vec3::Zero();
  double size = 0;
  for (int i = 0; i < crowd.bodies.owned; ++i) {
    const Eigen::Map<const Vec6> r(system.residual_of(i));
    force += r.head<3>();
    moment += crowd.bodies.trial[i].x.cross(r.head<3>()) + r.tail<3>();
    size += r.head<3>().norm();
    EXPECT_EQ(r.tail<3>().norm(), 0);
  }
  EXPECT_LT(force.norm(), 1e-15 * size);
  EXPECT_LT(moment.norm(), 1e-15 * size);
}

TEST(PairForces, OfTheAcceptedConfigurationDoNotDependOnTheTrialState) {
  Crowd crowd(12, 0.12, 2);
  PairForces forces(crowd.shapes, BondParameters{.stiffness = 1e4, .within = 0.4}, kFields);
  forces.make_bonds(crowd.bodies);
  forces.search(crowd.bodies, 0.01);
  LocalSystem system = system_for(forces, crowd.bodies);
  const auto here = residual_at(forces, crowd, system, 0, 0, 0);
  EXPECT_EQ(residual_at(forces, crowd, system, 0, 0, 5e-3, Configuration::accepted), here);
  EXPECT_NE(residual_at(forces, crowd, system, 0, 0, 5e-3), here);
}

TEST(PairForces, AssembleTheRowsOfMovedBodiesAndOfThoseThatTheyActOnAndNoOthers) {
  Crowd crowd(12, 0.12, 2);
  PairForces forces(crowd.shapes, BondParameters{.stiffness = 1e4, .within = 0.4}, {});
  forces.make_bonds(crowd.bodies);
  forces.search(crowd.bodies, 0);
  LocalSystem system = system_for(forces, crowd.bodies);
  system.clear_residual();
  forces.residual(crowd.bodies, Configuration::trial, system);
  forces.tangent(system);
  const std::vector<double> all = system.values;
  const int mover = static_cast<int>(forces.bonds().front().id_a);
  std::vector<char> moved(12, 0);
  moved[mover] = 1;
  system.assembling = moved;
  forces.mark_rows(crowd.bodies, moved, system.assembling);
  std::vector<char> expected = moved;
  for (const CentralPair& bond : forces.bonds()) {
    if (bond.a == mover) expected[bond.b] = 1;
    if (bond.b == mover) expected[bond.a] = 1;
  }
  EXPECT_EQ(system.assembling, expected);
  ASSERT_NE(std::count(expected.begin(), expected.end(), 0), 0);
  // What is not assembled keeps its values.
  system.clear_tangent();
  forces.tangent(system);
  EXPECT_EQ(system.values, all);
}

TEST(NearField, FindsWhatIsWithinTheCutoffAndNothingElse) {
  Crowd crowd(60, 0.4, 9);
  NearField field({1, 0, 0, 0, 0.3, AtCutoff::jump});
  field.search(crowd.bodies, crowd.shapes, 0);
  std::size_t expected = 0;
  for (int i = 0; i < 60; ++i) {
    for (int j = 0; j < i; ++j)
      expected += (crowd.bodies.state[i].x - crowd.bodies.state[j].x).norm() < 0.3 ? 1 : 0;
  }
  ASSERT_GT(expected, 50u);
  EXPECT_EQ(field.pairs().size(), expected);
}

TEST(NearField, AJumpIsDecidedAtTheAcceptedStateAndTheEnergyByTheConfiguration) {
  Crowd crowd(2, 0.1, 1);
  const NearFieldParameters parameters{2, 0, 1, 0, 0.2, AtCutoff::jump};
  NearField field(parameters);
  crowd.bodies.state[0].x = {0, 0, 0};
  crowd.bodies.state[1].x = {0.199, 0, 0};
  crowd.bodies.trial[1].u = {0.002, 0, 0};
  crowd.settle();
  field.search(crowd.bodies, crowd.shapes, 0.01);
  field.evaluate(crowd.bodies, Configuration::trial);
  ASSERT_EQ(field.pairs().size(), 1u);
  EXPECT_DOUBLE_EQ(field.pairs()[0].force.slope, 2 / 0.201);
  EXPECT_EQ(field.pairs()[0].force.energy, 0);
  crowd.bodies.state[1].x = {0.201, 0, 0};
  crowd.bodies.trial[1].u = {-0.002, 0, 0};
  crowd.settle();
  field.evaluate(crowd.bodies, Configuration::trial);
  EXPECT_EQ(field.pairs()[0].force.slope, 0);
  EXPECT_NEAR(field.pairs()[0].force.energy, 2 * std::log(0.199 / 0.2), 1e-15);
}

TEST(Bonds, JoinSpheresWhoseGapIsLessThanAPartOfTheirMeanDiameter) {
  Crowd crowd(4, 0.1, 1);
  crowd.shapes.push_back(make_box("block", {0.1, 0.1, 0.1}));
  // Radii 0.04, 0.06, 0.04 and a block; mean diameter 0.1: bonded below a gap of 1e-3.
  crowd.bodies.state[0].x = {0, 0, 0};
  crowd.bodies.state[1].x = {0.1009, 0, 0};
  crowd.bodies.state[2].x = {0.1009 + 0.1011, 0, 0};
  crowd.bodies.state[3].x = {0, 0.05, 0};
  crowd.bodies.properties[3].shape = 2;
  Bonds bonds(crowd.shapes, BondParameters{.stiffness = 5, .within = 0.01});
  bonds.make(crowd.bodies);
  ASSERT_EQ(bonds.pairs().size(), 1u);
  EXPECT_EQ(bonds.pairs()[0].id_a, 0);
  EXPECT_EQ(bonds.pairs()[0].id_b, 1);
  EXPECT_DOUBLE_EQ(bonds.pairs()[0].rest, 0.1);
}

TEST(Bonds, BreakInTensionAboveTheBreakingForceAndOnlyThere) {
  for (const auto& [distance, breaks] :
       {std::pair(0.1099, false), std::pair(0.1101, true), std::pair(0.05, false)}) {
    Crowd crowd(2, 0.1, 1);
    crowd.bodies.state[0].x = {0, 0, 0};
    crowd.bodies.state[1].x = {0, 0, 0.1};
    Bonds bonds(crowd.shapes, BondParameters{.stiffness = 1e3, .within = 0.01, .break_force = 10});
    bonds.make(crowd.bodies);
    ASSERT_EQ(bonds.pairs().size(), 1u);
    crowd.bodies.trial[1].u = {0, 0, distance - 0.1};
    crowd.settle();
    const BondLosses losses = bonds.commit(crowd.bodies, true);
    EXPECT_EQ(losses.broken, breaks ? 1 : 0) << distance;
    EXPECT_EQ(bonds.pairs().empty(), breaks) << distance;
    if (breaks) {
      EXPECT_NEAR(losses.energy, 500 * 0.0101 * 0.0101, 1e-12);
    }
  }
}

TEST(Bonds, ABondThatCameWithOneBodyAndWasThereForTheOtherIsOne) {
  Crowd crowd(3, 0.1, 1);
  for (int i = 0; i < 3; ++i) crowd.bodies.state[i].x = {0.1 * i, 0, 0};
  Bonds bonds(crowd.shapes, BondParameters{.stiffness = 1, .within = 0.3});
  bonds.make(crowd.bodies);
  ASSERT_EQ(bonds.pairs().size(), 2u);
  bonds.remember(bonds.memory(1));
  bonds.remember(bonds.memory(0));
  bonds.locate(crowd.bodies);
  EXPECT_EQ(bonds.pairs().size(), 2u);
  // This rank keeps the first body and knows the second; the last one went away, and with it its bond.
  crowd.bodies.owned = 1;
  crowd.bodies.ghosts = 2;
  bonds.locate(crowd.bodies);
  ASSERT_EQ(bonds.pairs().size(), 1u);
  EXPECT_EQ(bonds.pairs()[0].id_b, 1);
}

TEST(PairForces, PolesThatCoincideAreNoState) {
  Crowd crowd(2, 0.1, 1);
  PairForces forces(crowd.shapes, std::nullopt, kFields);
  crowd.bodies.state[1].x = crowd.bodies.state[0].x;
  crowd.settle();
  forces.search(crowd.bodies, 0);
  LocalSystem system = system_for(forces, crowd.bodies);
  EXPECT_THROW(forces.residual(crowd.bodies, Configuration::trial, system), RecoverableError);
}

}  // namespace
}  // namespace scree::contact

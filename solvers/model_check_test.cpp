/// A model that is built by hand is refused with the messages that a deck gets.
#include "solvers/model_check.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "elements/integrators/trapezoidal.hpp"
#include "elements/integrators/variational_start.hpp"
#include "solvers/test_models.hpp"

namespace scree {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// Two cubes; the barrier has friction with a stiffness.
Model two_cubes() {
  Model model = test::cubes_on_floor(0.3, 0.3);
  test::add_cube(model, {0, 0, 0.1});
  test::add_cube(model, {0, 0, 0.3});
  model.time.end = 1;
  return model;
}

/// The same with spheres, whose bonds may break.
Model two_spheres() {
  Model model = two_cubes();
  model.shapes = {make_sphere("ball", 0.05)};
  model.bonds = contact::BondParameters{};
  model.bonds->stiffness = 1e5;
  return model;
}

void take_adaptive(Model& model) {
  model.time.adaptive = true;
  model.time.min = 1e-6;
  model.time.step = 1e-4;
  model.time.max = 1e-3;
}

struct Fault {
  std::string name;
  std::function<void(Model&)> make;
  std::string where;
  std::string message;
};

void PrintTo(const Fault& fault, std::ostream* out) { *out << fault.name; }

class FaultyModel : public ::testing::TestWithParam<Fault> {};

TEST_P(FaultyModel, IsRefusedWithOneMessage) {
  Model model = two_cubes();
  ASSERT_THAT(faults_of(model), IsEmpty());
  GetParam().make(model);
  const std::vector<Diagnostic> faults = faults_of(model);
  ASSERT_EQ(faults.size(), 1u);
  EXPECT_EQ(faults[0].where, GetParam().where);
  EXPECT_THAT(faults[0].message, HasSubstr(GetParam().message));
  EXPECT_THROW((void)checked(model), InputError);
}

INSTANTIATE_TEST_SUITE_P(
    Time, FaultyModel,
    ::testing::Values(
        Fault{"StepBeyondTheEnd", [](Model& model) { model.time.step = 2; }, "/time/step",
              "got 2; expected a step [s] at most \"end\", 1."},
        Fault{"MinAboveMax",
              [](Model& model) {
                take_adaptive(model);
                model.time.min = 0.01;
              },
              "/time/step/min", "got 0.01; expected at most \"max\", 0.001 s."},
        Fault{"InitialStepAboveMax",
              [](Model& model) {
                take_adaptive(model);
                model.time.step = 0.1;
              },
              "/time/step/initial", "got 0.1; expected a step [s] from \"min\", 1e-06, to \"max\", 0.001."},
        Fault{"StepsByMotionThatCreateEnergy",
              [](Model& model) {
                take_adaptive(model);
                model.time.control = StepMode::motion;
              },
              "/time/step/control", "contacts have to be resolved"},
        Fault{"RestWithoutALimitAndWeight",
              [](Model& model) {
                model.gravity.setZero();
                model.time.stop.wanted = true;
              },
              "/time/stop", "requires \"kinetic_energy\" [J]"},
        Fault{"RestAfterTheEnd",
              [](Model& model) { model.time.stop = {.wanted = true, .kinetic_energy = 1, .after = 3}; },
              "/time/stop/after", "got 3; expected a time [s] before /time/end, 1."},
        Fault{"UnbalancedForceOfNothing",
              [](Model& model) {
                model.gravity.setZero();
                model.interface_of = {{-1}};
                model.time.stop = {.wanted = true, .unbalanced_force = 1e-3};
              },
              "/time/stop/unbalanced_force", "/gravity is zero"},
        Fault{"RestWithoutLoadsOrAnEnergy",
              [](Model& model) {
                model.gravity.setZero();
                model.time.stop = {.wanted = true, .unbalanced_force = 1e-3};
              },
              "/time/stop", "requires \"kinetic_energy\" [J]"}),
    [](const auto& one) { return one.param.name; });

INSTANTIATE_TEST_SUITE_P(
    Methods, FaultyModel,
    ::testing::Values(
        Fault{"BarrierWithForcesAtTheStart",
              [](Model& model) { model.integrator = std::make_shared<elements::VariationalStart>(); },
              "/integrator/alpha", "the barrier law /interfaces/0/normal cannot prevent intersections"},
        Fault{"BarrierUnderExplicitEuler",
              [](Model& model) { model.integrator = std::make_shared<elements::ExplicitEuler>(); },
              "/integrator/phi", "the barrier law /interfaces/0/normal cannot prevent intersections"},
        Fault{"FixedPointUnderNewmark",
              [](Model& model) {
                model.shapes = {make_sphere("ball", 0.05)};
                model.solver.nonlinear = NonlinearChoice::fixed_point;
              },
              "/solver/nonlinear", "requires the trapezoidal rule"},
        Fault{"FixedPointOfCubes",
              [](Model& model) {
                model.integrator = std::make_shared<elements::Trapezoidal>(0.5);
                model.solver.nonlinear = NonlinearChoice::fixed_point;
              },
              "/solver/nonlinear", "supports spheres only, but body 0 has the shape /shapes/block"},
        Fault{"QuasiStaticFrictionWithoutStiffness",
              [](Model& model) {
                model.analysis = Analysis::quasi_static;
                model.interfaces[0].friction.stiffness = 0;
              },
              "/interfaces/0/friction/stiffness", "got 0; expected a stiffness [N/m] > 0"},
        Fault{"CompliantLawInContactDynamics",
              [](Model& model) { model.analysis = Analysis::contact_dynamics; }, "/interfaces/0/normal/law",
              "\"barrier\" cannot be combined with"},
        Fault{"RigidLawInDynamics",
              [](Model& model) { model.interfaces[0].normal = contact::RigidParameters{}; },
              "/interfaces/0/normal/law", "\"rigid\" is a law of \"analysis\": \"contact-dynamics\""},
        Fault{"TwoCoefficientsOfRigidFriction",
              [](Model& model) {
                model.analysis = Analysis::contact_dynamics;
                model.interfaces[0].normal = contact::RigidParameters{};
                model.interfaces[0].friction.dynamic_coefficient = 0.2;
              },
              "/interfaces/0/friction/static", "got 0.3, but \"dynamic\" is 0.2"},
        Fault{"TwoStepWithFriction",
              [](Model& model) {
                model.analysis = Analysis::contact_dynamics;
                model.interfaces[0].normal = contact::RigidParameters{};
                model.solver.method = RigidMethod::two_step;
              },
              "/solver/method", "\"two-step\" does not support friction (/interfaces/0/friction)"}),
    [](const auto& one) { return one.param.name; });

INSTANTIATE_TEST_SUITE_P(
    Bonds, FaultyModel,
    ::testing::Values(Fault{"OfCubes", [](Model& model) { model.bonds = contact::BondParameters{}; },
                            "/bonds",
                            "bonds require at least two spheres; the deck has none; body 0 has the shape "
                            "/shapes/block"},
                      Fault{"ThatBreakInsideTheBarrier",
                            [](Model& model) {
                              model = two_spheres();
                              model.bonds->break_force = 10;
                            },
                            "/bonds/break_force", "would break at a gap of 1e-04 m, inside the barrier"}),
    [](const auto& one) { return one.param.name; });

TEST(FaultyModels, GetAllMessagesAtOnce) {
  Model model = two_cubes();
  model.time.step = 2;
  model.solver.nonlinear = NonlinearChoice::fixed_point;
  std::vector<std::string> places;
  for (const Diagnostic& fault : faults_of(model)) places.push_back(fault.where);
  EXPECT_THAT(places, ElementsAre("/time/step", "/solver/nonlinear", "/solver/nonlinear"));
}

TEST(FaultyModels, AreNotThoseThatKeepTheirBondsOrTheirBodiesElsewhere) {
  EXPECT_THAT(faults_of(two_spheres()), IsEmpty());
  Model cut = two_cubes();
  cut.bonds = contact::BondParameters{};
  cut.keep_own_block(1, 2);  // this rank cannot know
  EXPECT_THAT(faults_of(cut), IsEmpty());
}

}  // namespace
}  // namespace scree

/// What the check of a deck finds by doing what a run does before its first step, on 1, 2 and 4 ranks.
#include "solvers/run/rehearsal.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>

#include "assembly/petsc.hpp"
#include "core/error.hpp"
#include "elements/integrators/energy_consistent.hpp"
#include "elements/integrators/newmark.hpp"
#include "solvers/test_models.hpp"

namespace scree {
namespace {

using test::add_cube;
using test::cubes_on_floor;
using ::testing::HasSubstr;

Model two_cubes(double distance) {
  Model model = cubes_on_floor(0, 0);
  model.time.step = 1e-4;
  add_cube(model, {0, 0, 1});
  add_cube(model, {distance, 0, 1});
  for (std::size_t k = 0; k < 2; ++k) model.bodies[k].where = "/bodies/" + std::to_string(k);
  return model;
}

std::string refusal(const Model& model) {
  try {
    rehearse(model, MPI_COMM_WORLD);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

/// Options for PETSc while it lives, as the deck gives them.
class Options {
 public:
  Options(Model& model, const std::vector<std::pair<std::string, std::string>>& options) {
    for (const auto& [name, value] : options) {
      petsc::check(PetscOptionsSetValue(nullptr, ('-' + name).c_str(), value.c_str()), "setting an option");
      model.solver.petsc_option_names.push_back(name);
      model.solver.petsc_options.append("-").append(name).append(" ").append(value).append(" ");
      names_.push_back(name);
    }
  }
  ~Options() {
    for (const std::string& name : names_) (void)PetscOptionsClearValue(nullptr, ('-' + name).c_str());
  }
  Options(const Options&) = delete;
  Options& operator=(const Options&) = delete;
  Options(Options&&) = delete;
  Options& operator=(Options&&) = delete;

 private:
  std::vector<std::string> names_;
};

TEST(Rehearsal, FindsWhatOverlapsAtTheStart) {
  EXPECT_EQ(refusal(two_cubes(0.2)), "");
  EXPECT_THAT(refusal(two_cubes(0.09)), HasSubstr("overlap of 0.01 m at t = 0"));
  EXPECT_THAT(refusal(two_cubes(0)), HasSubstr("body 0 and body 1: overlap"));
  Model sunk = two_cubes(0.2);
  sunk.bodies[1].position.z() = 0.01;  // through the floor, with its middle above
  EXPECT_THAT(refusal(sunk), HasSubstr("/bodies/1: body 1 and boundary \"floor\": overlap"));
}

TEST(Rehearsal, FindsABodyInsideOfASolidThatIsNotConvexButNotInItsHollow) {
  Model model = two_cubes(0);
  // A block of 1 m with a notch of 0.4 m that is open to x.
  model.shapes.push_back(make_polyhedron("C",
                                         {{-.5, -.5, -.5},
                                          {.5, -.5, -.5},
                                          {.5, -.2, -.5},
                                          {-.1, -.2, -.5},
                                          {-.1, .2, -.5},
                                          {.5, .2, -.5},
                                          {.5, .5, -.5},
                                          {-.5, .5, -.5},
                                          {-.5, -.5, .5},
                                          {.5, -.5, .5},
                                          {.5, -.2, .5},
                                          {-.1, -.2, .5},
                                          {-.1, .2, .5},
                                          {.5, .2, .5},
                                          {.5, .5, .5},
                                          {-.5, .5, .5}},
                                         {{7, 6, 5, 4},
                                          {7, 4, 3, 0},
                                          {3, 2, 1, 0},
                                          {12, 13, 14, 15},
                                          {8, 11, 12, 15},
                                          {8, 9, 10, 11},
                                          {0, 1, 9, 8},
                                          {1, 2, 10, 9},
                                          {2, 3, 11, 10},
                                          {3, 4, 12, 11},
                                          {4, 5, 13, 12},
                                          {5, 6, 14, 13},
                                          {6, 7, 15, 14},
                                          {7, 0, 8, 15}}));
  model.bodies[1].shape = 1;
  model.bodies[1].position = Vec3(0, 0, 1);
  for (const bool rigid : {false, true}) {
    if (rigid) {
      model.interfaces[0].normal = contact::RigidParameters{};
      model.analysis = Analysis::contact_dynamics;
    }
    model.bodies[0].position = Vec3(-0.3, 0, 1);
    EXPECT_THAT(refusal(model), HasSubstr("/bodies/0: body 0 and body 1: overlap")) << rigid;
    model.bodies[0].position = Vec3(0.2, 0, 1);
    EXPECT_EQ(refusal(model), "") << rigid;
  }
}

TEST(Rehearsal, FindsRoundBodiesAtOnePlace) {
  Model model = two_cubes(0);
  model.shapes[0] = make_sphere("ball", 0.05);
  model.interfaces[0].normal = contact::HookeParameters{.stiffness = 1e5};
  EXPECT_THAT(refusal(model), HasSubstr("/bodies/0: body 0 and body 1: centres or axes coincide at t = 0"));
  model.shapes.push_back(make_box("box", {0.1, 0.1, 0.1}));
  model.bodies[1].shape = 1;
  model.bodies[1].position = model.bodies[0].position + Vec3(0, 0, 0.05);
  EXPECT_THAT(refusal(model), HasSubstr("sharp-edged parts without the rounding touch at t = 0"));
  model.bodies[1].shape = 0;
  model.bodies[1].position = model.bodies[0].position;
  model.interfaces[0].normal = contact::RigidParameters{};
  model.analysis = Analysis::contact_dynamics;
  EXPECT_THAT(refusal(model), HasSubstr("/bodies/0: body 0 and body 1: overlap at t = 0, centres or "
                                        "axes coincide"));
}

TEST(Rehearsal, FindsOptionsThatNoSolverAsksFor) {
  for (const Analysis analysis : {Analysis::dynamic, Analysis::quasi_static}) {
    Model model = two_cubes(0.2);
    model.analysis = analysis;
    model.solver.linear = LinearChoice::iterative;
    const Options options(model, {{"scree_ksp_type", "bcgs"},
                                  {"scree_pc_type", "bjacobi"},
                                  {"scree_sub_pc_type", "lu"},
                                  {"scree_ksp_rtoll", "1e-5"},
                                  {"ksp_rtol", "1e-5"},
                                  {"log_view", ""}});
    const std::string all = refusal(model);
    EXPECT_THAT(
        all, HasSubstr("/solver/petsc_options: no solver of this run uses the option \"-scree_ksp_rtoll\""));
    EXPECT_THAT(all,
                HasSubstr("\"-ksp_rtol\"; options of the solvers of a step have the prefix scree_, as in "
                          "\"-scree_ksp_rtol\""));
    EXPECT_EQ(std::count(all.begin(), all.end(), '\n'), 1) << all;
    EXPECT_EQ(unused_petsc_options(model).size(), 2U);
  }
}

TEST(Rehearsal, KnowsTheOptionsOfBothSolversThatAutoMayTake) {
  Model model = two_cubes(0.2);  // so small that "auto" begins with factors
  const Options options(model, {{"scree_ksp_rtol", "1e-5"}, {"scree_pc_factor_zeropivot", "1e-30"}});
  EXPECT_EQ(refusal(model), "");
  EXPECT_TRUE(unused_petsc_options(model).empty());
}

TEST(Rehearsal, FindsValuesThatPetscDoesNotTake) {
  Model model = two_cubes(0.2);
  const Options options(model, {{"scree_ksp_type", "gmrees"}});
  EXPECT_THAT(refusal(model), HasSubstr("/solver/petsc_options: while reading Newton options"));
  EXPECT_THAT(refusal(model), HasSubstr("gmrees"));
}

TEST(Rehearsal, FindsLimitsThatPetscDoesNotLookAt) {
  for (const auto& [name, value] : {std::pair("scree_snes_max_it", "-5"), std::pair("scree_ksp_max_it", "-3"),
                                    std::pair("scree_ksp_rtol", "-5")}) {
    Model model = two_cubes(0.2);
    model.solver.linear = LinearChoice::iterative;
    const Options options(model, {{name, value}});
    EXPECT_THAT(refusal(model), HasSubstr("must be")) << name;
  }
}

TEST(Rehearsal, RefusesLimitsOfTestsAndLineSearchesThatNewtonReplaces) {
  for (const Analysis analysis : {Analysis::dynamic, Analysis::quasi_static}) {
    for (const char* name : {"scree_snes_rtol", "scree_snes_atol", "scree_snes_stol", "scree_SNES_rtol",
                             "scree_snes_divergence_tolerance", "scree_snes_max_funcs"}) {
      Model model = two_cubes(0.2);
      model.analysis = analysis;
      const Options options(model, {{name, "1"}});
      EXPECT_THAT(refusal(model), HasSubstr("/solver/petsc_options: \"-" + std::string(name) +
                                            "\" has no effect: Newton's method obeys "
                                            "/solver/newton/relative, absolute and max_iterations"));
    }
    Model model = two_cubes(0.2);
    model.analysis = analysis;
    const Options options(model,
                          {{"scree_snes_linesearch_max_it", "3"}, {"scree_snes_linesearch_order", "2"}});
    const std::string all = refusal(model);
    EXPECT_THAT(all, HasSubstr("\"-scree_snes_linesearch_max_it\" has no effect: it requires a line search "
                               "of PETSc as well, as in \"-scree_snes_linesearch_type bt\""));
    EXPECT_THAT(all, HasSubstr("scree_snes_linesearch_order"));
  }
}

TEST(Rehearsal, TakesLimitsOfTestsAndLineSearchesOfPetscThatAreChosen) {
  Model model = two_cubes(0.2);
  const Options options(model, {{"scree_snes_linesearch_type", "bt"},
                                {"scree_snes_linesearch_max_it", "3"},
                                {"scree_snes_convergence_test", "default"},
                                {"scree_snes_rtol", "1e-9"}});
  EXPECT_EQ(refusal(model), "");
}

TEST(Rehearsal, RefusesLimitsThatSolversOfContactDynamicsReplace) {
  for (const auto& [name, why] :
       {std::pair("scree_one_step_snes_rtol", "Newton's method obeys a tolerance that is fixed"),
        std::pair("scree_one_step_ksp_rtol", "each Newton iteration sets the limits of its linear solver"),
        std::pair("scree_compatibility_snes_atol", "Newton's method obeys a tolerance that is fixed"),
        std::pair("cd_lcp_newton_snes_rtol", "Newton's method obeys /solver/lcp_tolerance"),
        std::pair("cd_lcp_newton_snes_linesearch_damping",
                  "as in \"-cd_lcp_newton_snes_linesearch_type bt\""),
        std::pair("cd_lcp_tao_gatol", "TAO obeys /solver/lcp_tolerance and \"-cd_lcp_max_it\"")}) {
    Model model = two_cubes(0.2);
    model.analysis = Analysis::contact_dynamics;
    model.interfaces[0].normal = contact::RigidParameters{};
    const Options options(model, {{name, "1"}});
    EXPECT_THAT(refusal(model), HasSubstr("has no effect: ")) << name;
    EXPECT_THAT(refusal(model), HasSubstr(why)) << name;
  }
}

TEST(Rehearsal, LeavesWhatShowsLaterToTheEndOfTheRun) {
  Model model = two_cubes(0.2);
  const Options options(model, {{"scree_ksp_vieww", ""}});
  EXPECT_EQ(refusal(model), "");
  EXPECT_EQ(unused_petsc_options(model), std::vector<std::string>{"scree_ksp_vieww"});
  model.analysis = Analysis::contact_dynamics;  // its solvers are made when there are contacts
  contact::RigidParameters rigid;
  model.interfaces[0].normal = rigid;
  EXPECT_EQ(refusal(model), "");
}

TEST(Rehearsal, TakesOptionsOfImpactsWhereThereAreImpacts) {
  Model model = two_cubes(0.2);
  const Options options(model, {{"scree_impact_ksp_rtol", "1e-9"}});
  model.integrator = std::make_shared<elements::Newmark>();
  EXPECT_THAT(refusal(model), HasSubstr("no solver of this run uses the option"));
  model.integrator = std::make_shared<elements::EnergyConsistent>();
  EXPECT_EQ(refusal(model), "");
}

TEST(Rehearsal, FindsMisspeltOptionsOfImpacts) {
  for (const auto& [name, right] : {std::pair("scree_impact_ksp_typ", "scree_impact_ksp_type"),
                                    std::pair("scree_impact_pc_tpye", "scree_impact_pc_type"),
                                    std::pair("scree_impact_ksp_monitr", "scree_impact_ksp_monitor"),
                                    std::pair("scree_ksp_typ", "scree_ksp_type")}) {
    Model model = two_cubes(0.2);
    model.integrator = std::make_shared<elements::EnergyConsistent>();
    const Options options(model, {{name, "cg"}});
    EXPECT_THAT(refusal(model),
                HasSubstr("no solver of this run uses the option \"-" + std::string(name) +
                          "\"; it is misspelt, or belongs to a solver that was not chosen. Did you mean \"-" +
                          right + "\"?"));
  }
}

TEST(Rehearsal, TakesOptionsThatPartsOfTheSolverOfImpactsRead) {
  Model model = two_cubes(0.2);
  model.integrator = std::make_shared<elements::EnergyConsistent>();
  const Options options(model, {{"scree_impact_pc_type", "bjacobi"},
                                {"scree_impact_sub_pc_type", "lu"},
                                {"scree_impact_sub_pc_factor_zeropivot", "1e-30"},
                                {"scree_impact_ksp_type", "gmres"},
                                {"scree_impact_ksp_gmres_restart", "20"},
                                {"scree_impact_ksp_view", ""},
                                {"scree_impact_ksp_converged_reason", ""}});
  EXPECT_EQ(refusal(model), "");
  // What shows how a solution ended is read when there is one.
  EXPECT_EQ(unused_petsc_options(model), std::vector<std::string>{"scree_impact_ksp_converged_reason"});
}

TEST(Rehearsal, FindsMisspeltOptionsOfContactDynamics) {
  struct Case {
    const char* name;
    RigidMethod method;
  };
  for (const auto& [name, method] : {Case{"scree_one_step_ksp_typ", RigidMethod::one_step},
                                     Case{"scree_one_step_ksp_type", RigidMethod::two_step},
                                     Case{"scree_compatibility_pc_typ", RigidMethod::two_step},
                                     Case{"cd_lcp_newton_snes_tpye", RigidMethod::two_step}}) {
    Model model = two_cubes(0.2);
    model.analysis = Analysis::contact_dynamics;
    model.interfaces[0].normal = contact::RigidParameters{};
    model.solver.method = method;
    const Options options(model, {{name, "cg"}});
    EXPECT_THAT(refusal(model), HasSubstr("no solver of this run uses the option \"-" + std::string(name)));
    model.bodies.clear();  // of inlets alone: nothing can be set up
    EXPECT_EQ(refusal(model), "") << name;
  }
}

TEST(Rehearsal, FindsValuesThatTheSolverOfImpactsDoesNotTake) {
  for (const auto& [name, value] :
       {std::pair("scree_impact_ksp_type", "gmress"), std::pair("scree_impact_pc_type", "foo"),
        std::pair("scree_impact_ksp_rtol", "x")}) {
    Model model = two_cubes(0.2);
    model.integrator = std::make_shared<elements::EnergyConsistent>();
    const Options options(model, {{name, value}});
    EXPECT_THAT(refusal(model), HasSubstr("/solver/petsc_options: while reading options of the solver for "
                                          "velocities after impacts"))
        << name;
    EXPECT_THAT(refusal(model), HasSubstr(value)) << name;
  }
}

TEST(Rehearsal, FindsValuesThatSolversOfContactDynamicsDoNotTake) {
  using contact_dynamics::CompatibilityMethod;
  using contact_dynamics::LcpMethod;
  struct Case {
    const char* name;
    const char* value;
    RigidMethod method = RigidMethod::two_step;
    LcpMethod lcp = LcpMethod::automatic;
    CompatibilityMethod compatibility = CompatibilityMethod::dual;
  };
  for (const Case& one : {Case{"scree_one_step_ksp_type", "foo", RigidMethod::one_step},
                          Case{"scree_one_step_inner_pc_type", "foo", RigidMethod::one_step},
                          Case{"cd_lcp_newton_ksp_type", "foo"}, Case{"cd_lcp_max_it", "foo"},
                          Case{"scree_compatibility_snes_type", "foo"},
                          Case{"cd_lcp_tao_type", "foo", RigidMethod::two_step, LcpMethod::bncg},
                          Case{"cd_lcp_ksp_type", "foo", RigidMethod::two_step, LcpMethod::bqpip},
                          Case{"cd_lcp_ksp_type", "foo", RigidMethod::two_step, LcpMethod::tron},
                          Case{"scree_compatibility_primal_tao_type", "foo", RigidMethod::two_step,
                               LcpMethod::automatic, CompatibilityMethod::primal}}) {
    Model model = two_cubes(0.2);
    model.analysis = Analysis::contact_dynamics;
    model.interfaces[0].normal = contact::RigidParameters{};
    model.solver.method = one.method;
    model.solver.lcp = one.lcp;
    model.solver.compatibility = one.compatibility;
    {
      const Options options(model, {{one.name, one.value}});
      EXPECT_THAT(refusal(model), HasSubstr("/solver/petsc_options: while ")) << one.name;
      EXPECT_THAT(refusal(model), HasSubstr("foo")) << one.name;
    }
    model.solver.petsc_option_names.clear();
    const Options options(model, {{"scree_one_step_snes_monitor", ""}});  // of no solver that is made here
    EXPECT_EQ(refusal(model), "") << one.name;
  }
}

TEST(Rehearsal, NamesThePrefixOfTheLcp) {
  Model model = two_cubes(0.2);
  model.analysis = Analysis::contact_dynamics;
  contact::RigidParameters rigid;
  model.interfaces[0].normal = rigid;
  const Options options(model, {{"lcp_max_it", "5000"}, {"cd_lcp_max_it", "5000"}});
  const std::string all = refusal(model);
  EXPECT_THAT(all, HasSubstr("have the prefix cd_lcp_, as in \"-cd_lcp_max_it\""));
  EXPECT_EQ(std::count(all.begin(), all.end(), '\n'), 0) << all;
}

TEST(Rehearsal, RefusesOptionsWhereThereIsNoSolverOfPetsc) {
  Model model = two_cubes(0.2);
  model.solver.nonlinear = NonlinearChoice::fixed_point;
  const Options options(model, {{"scree_snes_monitor", ""}});
  EXPECT_THAT(refusal(model), HasSubstr("no effect with \"nonlinear\": \"fixed-point\""));
}

}  // namespace
}  // namespace scree

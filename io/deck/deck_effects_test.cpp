/// Keys without effect, one by one: what is reported, where, and what is not.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/parameters/parameters.hpp"
#include "io/deck/deck_fixture.hpp"

namespace scree {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
using ::testing::Not;

/// A deck that runs with the analysis.
json deck_for(const std::string& analysis) {
  json deck = json::parse(R"({
    "gravity": [0, 0, -9.81], "time": {"end": 1, "step": 1e-3},
    "materials": {"rock": {"density": 2000}},
    "shapes": {"ball": {"type": "sphere", "radius": 0.05}},
    "bodies": [{"name": "a", "shape": "ball", "material": "rock", "position": [0, 0, 1]},
               {"name": "b", "shape": "ball", "material": "rock", "position": [0, 0, 2]}],
    "boundaries": [{"name": "floor", "type": "plane", "point": [0, 0, 0], "normal": [0, 0, 1],
                    "material": "rock"}],
    "interfaces": [{"between": ["*", "*"], "normal": {"law": "hooke", "stiffness": 1e5}}],
    "output": {"histories": [{"file": "all.csv", "columns": ["time"]}]}
  })");
  deck["analysis"] = analysis;
  if (analysis == scope::kContactDynamics) deck["interfaces"][0]["normal"] = {{"law", "rigid"}};
  return deck;
}

/// What one more key comes to.
struct Case {
  const char* name;
  std::string analysis;
  const char* patch;  ///< merged into the deck (RFC 7386)
  const char* where;  ///< pointer of the report; "" for none
  const char* says;
  bool is_note = false;
};

std::ostream& operator<<(std::ostream& out, const Case& c) { return out << c.name; }

class KeyWithoutEffect : public ::testing::TestWithParam<Case> {};

TEST_P(KeyWithoutEffect, IsReported) {
  const Case& c = GetParam();
  json deck = deck_for(c.analysis);
  const test::Folder folder;
  ASSERT_EQ(test::complaints(folder, deck.dump()), "");
  deck.merge_patch(json::parse(c.patch));
  std::string errors, notes;
  try {
    for (const std::string& note : test::read(folder, deck).model.notes) notes += note + '\n';
  } catch (const InputError& error) {
    errors = error.what();
  }
  if (c.is_note) {
    EXPECT_EQ(errors, "");
    EXPECT_THAT(notes, HasSubstr(std::string(c.where) + ": "));
    EXPECT_THAT(notes, HasSubstr(c.says));
  } else if (*c.where != '\0') {
    EXPECT_THAT(errors, HasSubstr(std::string("deck.json: ") + c.where + ": "));
    EXPECT_THAT(errors, HasSubstr(c.says));
    EXPECT_EQ(std::count(errors.begin(), errors.end(), '\n'), 0) << errors;
  } else {
    EXPECT_EQ(errors, "");
    EXPECT_THAT(notes, Not(HasSubstr(c.says)));
  }
}

const std::string kD = scope::kDynamic, kQ = scope::kQuasiStatic, kR = scope::kContactDynamics;

INSTANTIATE_TEST_SUITE_P(
    UnderAnotherAnalysis, KeyWithoutEffect,
    ::testing::Values(
        Case{"lcp", kD, R"({"solver": {"lcp": "pgs"}})", "/solver/lcp",
             "no effect with \"analysis\": \"dynamic\"", true},
        Case{"lcp_used", kR, R"({"solver": {"lcp": "pgs"}})", "", "no effect"},
        Case{"method", kQ, R"({"solver": {"method": "two-step"}})", "/solver/method",
             "Valid with \"contact-dynamics\"", true},
        Case{"compatibility", kD, R"({"solver": {"compatibility": "none"}})", "/solver/compatibility",
             "no effect", true},
        Case{"integrator", kR, R"({"integrator": {"type": "newmark", "beta": 0.25}})", "/integrator",
             "no effect with \"analysis\": \"contact-dynamics\"", true},
        Case{"newton", kR, R"({"solver": {"newton": {"relative": 1e-3}}})", "/solver/newton", "no effect",
             true},
        Case{"newton_used", kQ, R"({"solver": {"newton": {"relative": 1e-3}}})", "", "newton"},
        Case{"explicit_integrator_that_is_not_used", kQ,
             R"({"integrator": {"type": "trapezoidal", "phi": 0}})", "/integrator", "no effect", true},
        Case{"velocity", kQ, R"({"bodies": [{"shape": "ball", "material": "rock", "position": [0, 0, 1],
                                               "velocity": [1, 0, 0]}]})",
             "/bodies/0/velocity", "an equilibrium has no velocities", true},
        Case{"control_of_steps", kQ,
             R"({"time": {"step": {"initial": 1e-3, "min": 1e-6, "max": 1e-3, "control": "motion"}}})",
             "/time/step/control", "no effect", true},
        Case{"stop", kQ, R"({"time": {"stop": {"when": "at rest", "kinetic_energy": 1}}})", "/time/stop",
             "every accepted state is in equilibrium"},
        Case{"lcp_forces", kD, R"({"output": {"contacts": {"every": 1, "lcp_forces": true}}})",
             "/output/contacts/lcp_forces", "Valid with \"contact-dynamics\""},
        Case{"lcp_forces_not_wanted", kD, R"({"output": {"contacts": {"every": 1, "lcp_forces": false}}})",
             "/output/contacts/lcp_forces", "no effect", true},
        Case{"rigid_column", kD,
             R"({"output": {"histories": [{"file": "a.csv", "columns": ["time", "gap_at_end"]}]}})",
             "/output/histories/0/columns/1", "applies to rigid contact"},
        Case{"bonds", kR, R"({"bonds": {"stiffness": 1, "within": 20}})", "/bonds",
             "rigid contact does not support"},
        Case{"outlets", kQ, R"({"outlets": [{"region": {"min": [0, 0, 0], "max": [1, 1, 1]}}]})", "/outlets",
             "no physical time"},
        Case{"magnus", kQ, R"({"loads": [{"type": "magnus", "coefficient": 1}]})", "/loads/0/type",
             "no effect", true}));

INSTANTIATE_TEST_SUITE_P(
    BesideAnotherKey, KeyWithoutEffect,
    ::testing::Values(
        Case{"two_coefficients", kR,
             R"({"interfaces": [{"between": ["*", "*"], "normal": {"law": "rigid"},
                                 "friction": {"static": 0.8, "dynamic": 0.2}}]})",
             "/interfaces/0/friction/static", "got 0.8, but \"dynamic\" is 0.2; contact dynamics has one"},
        Case{"no_coefficient", kR,
             R"({"interfaces": [{"between": ["*", "*"], "normal": {"law": "rigid"},
                                 "friction": {"limit": "none"}}]})",
             "/interfaces/0/friction", "\"static\" is missing"},
        Case{"spring_of_friction", kR,
             R"({"interfaces": [{"between": ["*", "*"], "normal": {"law": "rigid"},
                                 "friction": {"static": 0.8, "stiffness": 1e5}}]})",
             "/interfaces/0/friction/stiffness", "neither spring nor dashpot", true},
        Case{"lcp_of_one_step", kR, R"({"solver": {"method": "one-step", "lcp": "pgs"}})", "/solver/lcp",
             "no effect with \"one-step\", /solver/method"},
        Case{
            "tolerance_with_friction", kR,
            R"({"interfaces": [{"between": ["*", "*"], "normal": {"law": "rigid"}, "friction": {"static": 0.8}}],
                 "solver": {"lcp_tolerance": 1e-6}})",
            "/solver/lcp_tolerance", "which the friction in /interfaces/0/friction requires"},
        Case{
            "lcp_forces_of_one_step", kR,
            R"({"solver": {"method": "one-step"}, "output": {"contacts": {"every": 1, "lcp_forces": true}}})",
            "/output/contacts/lcp_forces", "solves no LCP"},
        Case{"ratio_of_forces_left_open", kR,
             R"({"interfaces": [{"between": ["*", "*"], "normal": {"law": "rigid", "stiffness_ratio": 2}}],
                 "solver": {"compatibility": "none"}})",
             "/interfaces/0/normal/stiffness_ratio", "no effect with \"compatibility\": \"none\"", true},
        Case{"ratio_without_another", kR,
             R"({"interfaces": [{"between": ["*", "*"], "normal": {"law": "rigid", "stiffness_ratio": 2}}]})",
             "/interfaces/0/normal/stiffness_ratio", "no other interface is in use", true},
        Case{"fixed_point", kD, R"({"solver": {"fixed_point": {"tolerance": 1e-3}}})", "/solver/fixed_point",
             "has no effect with \"nonlinear\": \"newton\" (its default); requires \"nonlinear\" "
             "\"fixed-point\""},
        Case{
            "linear_of_fixed_point", kD,
            R"({"integrator": {"type": "trapezoidal"}, "solver": {"nonlinear": "fixed-point", "linear": "direct"}})",
            "/solver/linear", "no effect with \"nonlinear\": \"fixed-point\""},
        Case{"coefficients_without_limit", kD,
             R"({"interfaces": [{"between": ["*", "*"], "normal": {"law": "hooke", "stiffness": 1e5},
                                 "friction": {"dynamic": 0.4, "limit": "none", "damping": 1}}]})",
             "/interfaces/0/friction/dynamic", "no effect with \"limit\": \"none\""},
        Case{"spring_rule", kD,
             R"({"interfaces": [{"between": ["*", "*"], "normal": {"law": "hooke", "stiffness": 1e5},
                                 "friction": {"static": 0.4, "stiffness": 1e4, "spring": "dissipative"}}]})",
             "/interfaces/0/friction/spring", "no effect with \"stiffness\": 10000; requires"},
        Case{"interface_overridden", kD,
             R"({"interfaces": [{"between": ["rock", "rock"], "normal": {"law": "hooke", "stiffness": 1e6}},
                                {"between": ["*", "*"], "normal": {"law": "hooke", "stiffness": 1e5}}]})",
             "/interfaces/0", "later entries match all of its materials"},
        Case{"velocity_of_a_fixed_body", kD,
             R"({"bodies": [{"shape": "ball", "material": "rock", "position": [0, 0, 1], "fixed": true,
                             "velocity": [0, 2, 0]}]})",
             "/bodies/0", "velocity along y is 2 m/s, but \"fixed\" contains \"y\""},
        Case{"spin_about_a_held_axis", kR,
             R"({"bodies": [{"shape": "ball", "material": "rock", "position": [0, 0, 1], "fixed": ["rz"],
                             "angular_velocity": [0, 0, 2]}]})",
             "/bodies/0", "angular velocity about z is 2 rad/s, but \"fixed\" contains \"rz\""},
        Case{"spin_about_a_free_axis", kD,
             R"({"bodies": [{"shape": "ball", "material": "rock", "position": [0, 0, 1], "fixed": ["rz"],
                             "angular_velocity": [0, 2, 0]}]})",
             "", "fixed"},
        Case{
            "inertia_of_what_cannot_turn", kD,
            R"({"bodies": [{"shape": "ball", "material": "rock", "position": [0, 0, 1], "fixed": ["rx", "ry", "rz"],
                             "inertia": [1, 1, 1]}]})",
            "/bodies/0/inertia", "contains all rotations"},
        Case{
            "mass_of_what_cannot_move", kD,
            R"({"bodies": [{"shape": "ball", "material": "rock", "position": [0, 0, 1], "fixed": true, "mass": 7}]})",
            "/bodies/0/mass", "has no effect: \"fixed\" contains all translations", true},
        Case{"mass_of_many_sizes", kD,
             R"({"bodies": [{"shape": "ball", "material": "rock", "count": 9, "mass": 1,
                             "region": {"min": [0, 0, 1], "max": [3, 3, 4]}, "sizes": [[0.1, 0.5], [0.05, 0.5]]}]})",
             "/bodies/0/mass", "is that of each body, whatever its size", true},
        Case{
            "held_twice", kD,
            R"({"bodies": [{"shape": "ball", "material": "rock", "position": [0, 0, 1], "fixed": ["x", "x"]}]})",
            "/bodies/0/fixed/1", "duplicate entry \"x\""},
        Case{
            "force_on_a_fixed_body", kD,
            R"({"bodies": [{"name": "a", "shape": "ball", "material": "rock", "position": [0, 0, 1], "fixed": true}],
                 "loads": [{"type": "force", "body": "a", "value": [1, 0, 0]}]})",
            "/loads/0", "\"fixed\" of body \"a\", /bodies/0, contains all directions"},
        Case{"force_along_a_free_direction", kD,
             R"({"bodies": [{"name": "a", "shape": "ball", "material": "rock", "position": [0, 0, 1],
                             "fixed": ["y", "z", "rx", "ry", "rz"]}],
                 "loads": [{"type": "force", "body": "a", "value": [1, 1, 0]}]})",
             "", "fixed"},
        Case{"arm_of_a_force_on_what_cannot_turn", kD,
             R"({"bodies": [{"name": "a", "shape": "ball", "material": "rock", "position": [0, 0, 1],
                             "fixed": ["rx", "ry", "rz"]}],
                 "loads": [{"type": "force", "body": "a", "value": [1, 1, 0], "point": [0, 0, 1]}]})",
             "/loads/0/point", "contains all rotations"},
        Case{"moment_about_a_held_axis", kD,
             R"({"bodies": [{"name": "a", "shape": "ball", "material": "rock", "position": [0, 0, 1],
                             "fixed": ["rx"]}],
                 "loads": [{"type": "moment", "body": "a", "value": [1, 0, 0]}]})",
             "/loads/0", "contains all directions"},
        Case{"about_without_rotation", kD,
             R"({"boundaries": [{"type": "plane", "point": [0, 0, 0], "normal": [0, 0, 1], "material": "rock",
                                 "motion": {"velocity": [1, 0, 0], "about": [0, 0, 1]}}]})",
             "/boundaries/0/motion/about", "the motion has no rotation"},
        Case{"box_without_sides", kD,
             R"({"boundaries": [{"type": "box", "min": [-1, -1, 0], "max": [1, 1, 3], "material": "rock",
                                 "open": ["-x", "+x", "-y", "+y", "-z", "+z"]}]})",
             "/boundaries/0/open", "all six sides are open"},
        Case{"side_open_twice", kD,
             R"({"boundaries": [{"type": "box", "min": [-1, -1, 0], "max": [1, 1, 3], "material": "rock",
                                 "open": ["-x", "-x"]}]})",
             "/boundaries/0/open/1", "duplicate entry \"-x\""},
        Case{"length_of_an_open_drum", kD,
             R"({"boundaries": [{"type": "cylinder", "point": [0, 0, 0], "axis": [0, 0, 1], "radius": 1,
                                 "inside": true, "length": 8, "open": ["-", "+"], "material": "rock"}]})",
             "/boundaries/0/open", "\"length\", /boundaries/0/length, has no effect"},
        Case{"three_names_in_an_interval", kR,
             R"({"output": {"contacts": {"every": 1, "intervals": [["a", "b", "floor"]]}}})",
             "/output/contacts/intervals/0", "got 3 items; expected 2"},
        Case{"interval_of_one_body", kR, R"({"output": {"contacts": {"every": 1, "intervals": [["a", 0]]}}})",
             "/output/contacts/intervals/0", "a body has no contact with itself"},
        Case{"interval_of_boundaries", kR,
             R"({"output": {"contacts": {"every": 1, "intervals": [["floor", "floor"]]}}})",
             "/output/contacts/intervals/0", "has no contact with itself"},
        Case{"interval_twice", kR,
             R"({"output": {"contacts": {"every": 1, "intervals": [["a", "floor"], ["floor", 0]]}}})",
             "/output/contacts/intervals/1", "duplicate pair"},
        Case{
            "three_materials", kD,
            R"({"interfaces": [{"between": ["*", "*", "*"], "normal": {"law": "hooke", "stiffness": 1e5}}]})",
            "/interfaces/0/between", "got 3 items; expected 2"}));

INSTANTIATE_TEST_SUITE_P(
    InTheScene, KeyWithoutEffect,
    ::testing::Values(
        Case{"material", kD, R"({"materials": {"ice": {}}})", "/materials", "unused materials: \"ice\"",
             true},
        Case{"shape", kD, R"({"shapes": {"pin": {"type": "sphere", "radius": 1}}})", "/shapes",
             "unused shapes: \"pin\"", true},
        Case{"moduli", kD, R"({"materials": {"rock": {"young": 1e9, "poisson": 0.2}}})", "/materials",
             "\"young\" and \"poisson\" of \"rock\" have no effect", true},
        Case{"moduli_used", kD,
             R"({"materials": {"rock": {"young": 1e9, "poisson": 0.2}},
                 "interfaces": [{"between": ["*", "*"], "normal": {"law": "hertz"}}]})",
             "", "no effect"},
        Case{"density", kD,
             R"({"materials": {"rock": {"density": 1}, "steel": {"density": 7800}},
                 "boundaries": [{"type": "plane", "point": [0, 0, 0], "normal": [0, 0, 1], "material": "steel"}]})",
             "/materials", "\"density\" of \"steel\" has no effect in this deck: no body is made of it",
             true},
        Case{"interface", kD,
             R"({"materials": {"rock": {"density": 1}, "ice": {}},
                 "interfaces": [{"between": ["*", "*"], "normal": {"law": "hooke", "stiffness": 1}},
                                {"between": ["ice", "ice"], "normal": {"law": "hooke", "stiffness": 2}}]})",
             "/interfaces/1", "these materials cannot come into contact", true},
        Case{"radius_of_curvature", kD,
             R"({"materials": {"rock": {"young": 1e9, "poisson": 0.2}},
                 "interfaces": [{"between": ["*", "*"], "normal": {"law": "hertz", "radius": "mean"}}]})",
             "/interfaces/0/normal/radius", "it applies to superquadrics only", true},
        Case{"superquadric", kD, R"({"solver": {"superquadric": "midway"}})", "/solver/superquadric",
             "no two superquadrics can come into contact", true},
        Case{"no_tension", kD,
             R"({"interfaces": [{"between": ["*", "*"],
                                 "normal": {"law": "hooke", "stiffness": 1e5, "no_tension": true}}]})",
             "/interfaces/0/normal/no_tension", "without damping", true},
        Case{"default_beside_a_coupled_boundary", kD,
             R"({"boundaries": [{"name": "plate", "type": "surface", "material": "rock", "motion": "coupled",
                                 "vertices": [[0, 0, 0], [1, 0, 0], [0, 1, 0]], "faces": [[0, 1, 2]]}]})",
             "/integrator", "\"newmark\" is used beside coupled boundaries", true},
        Case{"default_elsewhere", kD, "{}", "", "newmark"},
        Case{"coupled_without_a_partner", kD,
             R"({"boundaries": [{"name": "plate", "type": "surface", "material": "rock", "motion": "coupled",
                                 "vertices": [[0, 0, 0], [1, 0, 0], [0, 1, 0]], "faces": [[0, 1, 2]]}]})",
             "/boundaries/0/motion", "has no effect in \"scree run\", where the surface stands still", true},
        Case{"coupled_with_a_partner", kD,
             R"({"boundaries": [{"name": "plate", "type": "surface", "material": "rock", "motion": "coupled",
                                 "vertices": [[0, 0, 0], [1, 0, 0], [0, 1, 0]], "faces": [[0, 1, 2]]}],
                 "coupling": {"type": "precice", "config": "c.xml", "participant": "Scree",
                              "surfaces": [{"boundary": "plate", "mesh": "m", "displacement": "u",
                                            "force": "f"}]}})",
             "", "the surface stands still"},
        Case{"limit_of_energy", kD,
             R"({"integrator": {"type": "energy"},
                 "interfaces": [{"between": ["*", "*"], "normal": {"law": "hooke", "stiffness": 1e5},
                                 "friction": {"static": 1, "stiffness": 1, "limit": "stored"}}]})",
             "/interfaces/0/friction/limit", "there are no tangential dashpots", true},
        Case{"limiting_force_of_energy", kD,
             R"({"integrator": {"type": "energy"},
                 "interfaces": [{"between": ["*", "*"], "normal": {"law": "hooke", "stiffness": 1e5},
                                 "friction": {"static": 1, "stiffness": 1, "limiting_force": "elastic"}}]})",
             "/interfaces/0/friction/limiting_force", "follows the normal impulse", true},
        Case{"damping_of_energy", kD,
             R"({"integrator": {"type": "energy"},
                 "interfaces": [{"between": ["*", "*"], "normal": {"law": "hooke", "stiffness": 1e5},
                                 "friction": {"static": 1, "stiffness": 1, "damping": 2}}]})",
             "/interfaces/0/friction/damping", "there are no tangential dashpots", true},
        Case{"spring_of_energy", kD,
             R"({"integrator": {"type": "energy"}, "materials": {"rock": {"young": 1e7, "poisson": 0.2}},
                 "interfaces": [{"between": ["*", "*"], "normal": {"law": "hertz"},
                                 "friction": {"static": 1, "stiffness": "mindlin", "spring": "slip"}}]})",
             "/interfaces/0/friction/spring", "the spring is always \"dissipative\"", true},
        Case{"limit_of_a_dashpot_of_energy", kD,
             R"({"integrator": {"type": "energy"},
                 "interfaces": [{"between": ["*", "*"], "normal": {"law": "hooke", "stiffness": 1e5},
                                 "friction": {"static": 1, "stiffness": 0, "damping": 5, "limit": "spring"}}]})",
             "/interfaces/0/friction/limit", "a dashpot without spring always has the Coulomb limit", true},
        Case{"limit_without_damping", kD,
             R"({"integrator": {"type": "newmark"},
                 "interfaces": [{"between": ["*", "*"], "normal": {"law": "hooke", "stiffness": 1e5},
                                 "friction": {"static": 1, "stiffness": 1, "limit": "spring"}}]})",
             "/interfaces/0/friction/limit", "without tangential damping", true},
        Case{"limit_of_quasi_static", kQ,
             R"({"interfaces": [{"between": ["*", "*"], "normal": {"law": "hooke", "stiffness": 1e5},
                                 "friction": {"static": 1, "stiffness": 1, "limit": "stored"}}]})",
             "/interfaces/0/friction/limit", "without tangential damping", true},
        Case{"limit_with_damping", kD,
             R"({"integrator": {"type": "newmark"},
                 "interfaces": [{"between": ["*", "*"], "normal": {"law": "hooke", "stiffness": 1e5},
                                 "friction": {"static": 1, "stiffness": 1, "damping": 1, "limit": "spring"}}]})",
             "", "without tangential damping"},
        Case{"limiting_force_without_damping", kD,
             R"({"integrator": {"type": "newmark"},
                 "interfaces": [{"between": ["*", "*"], "normal": {"law": "hooke", "stiffness": 1e5},
                                 "friction": {"static": 1, "stiffness": 1, "limiting_force": "elastic"}}]})",
             "/interfaces/0/friction/limiting_force", "without normal damping", true},
        Case{"limiting_force_with_damping", kD,
             R"({"integrator": {"type": "newmark"},
                 "interfaces": [{"between": ["*", "*"],
                                 "normal": {"law": "hooke", "stiffness": 1e5, "damping": 1},
                                 "friction": {"static": 1, "stiffness": 1, "limiting_force": "elastic"}}]})",
             "", "without normal damping"},
        Case{"friction_of_zero", kD,
             R"({"interfaces": [{"between": ["*", "*"], "normal": {"law": "hooke", "stiffness": 1e5},
                                 "friction": {"static": 0, "stiffness": 1}}]})",
             "/interfaces/0/friction", "there is no friction", true},
        Case{"damping_ratio_of_no_spring", kD,
             R"({"interfaces": [{"between": ["*", "*"], "normal": {"law": "hooke", "stiffness": 1e5},
                                 "friction": {"static": 1, "damping": 1, "stiffness": 0, "damping_ratio": 1}}]})",
             "/interfaces/0/friction/damping_ratio", "\"stiffness\" is 0", true},
        Case{"rolling_of_zero", kD,
             R"({"interfaces": [{"between": ["*", "*"], "normal": {"law": "hooke", "stiffness": 1e5},
                                 "rolling": {"coefficient": 0, "stiffness": 1}}]})",
             "/interfaces/0/rolling", "there is no rolling resistance", true},
        Case{"boundary_after_the_end", kD,
             R"({"boundaries": [{"type": "plane", "point": [0, 0, 0], "normal": [0, 0, 1], "material": "rock",
                                 "active": [1, 2]}]})",
             "/boundaries/0", "before the end of the run, 1 s: it becomes active at 1 s", true},
        Case{"friction_after_the_end", kD,
             R"({"interfaces": [{"between": ["*", "*"], "normal": {"law": "hooke", "stiffness": 1e5},
                                 "friction": {"static": 1, "stiffness": 1, "active": [[2, 3]]}}]})",
             "/interfaces/0/friction", "friction becomes active at 2 s", true},
        Case{"inlet_after_the_end", kD,
             R"({"inlets": [{"region": {"min": [0, 0, 2], "max": [1, 1, 3]}, "rate": {"number": 2}, "from": 2,
                             "until": 3, "shape": "ball", "material": "rock"}]})",
             "/inlets/0", "the first body is inserted at 2 s", true},
        Case{"near_field_within_bodies_that_barriers_keep_apart", kD,
             R"({"interfaces": [{"between": ["*", "*"],
                                 "normal": {"law": "barrier", "threshold": 1e-3, "stiffness": 1e5}}],
                 "loads": [{"type": "near_field", "kappa": [1, 0], "lambda": [1, 1], "cutoff": 0.1}]})",
             "/loads/0/cutoff", "barriers keep all of them at least 0.1 m apart", true},
        Case{"near_field_within_boxes", kD,
             R"({"shapes": {"ball": {"type": "box", "radius": null, "size": [0.1, 0.2, 0.3]}},
                 "interfaces": [{"between": ["*", "*"],
                                 "normal": {"law": "barrier", "threshold": 1e-3, "stiffness": 1e5}}],
                 "loads": [{"type": "near_field", "kappa": [1, 0], "lambda": [1, 1], "cutoff": 0.09}]})",
             "/loads/0/cutoff", "barriers keep all of them", true},
        Case{"near_field_beyond_bodies", kD,
             R"({"interfaces": [{"between": ["*", "*"],
                                 "normal": {"law": "barrier", "threshold": 1e-3, "stiffness": 1e5}}],
                 "loads": [{"type": "near_field", "kappa": [1, 0], "lambda": [1, 1], "cutoff": 0.11}]})",
             "", "barriers keep"},
        Case{"near_field_within_bodies_that_may_overlap", kD,
             R"({"loads": [{"type": "near_field", "kappa": [1, 0], "lambda": [1, 1], "cutoff": 0.01}]})", "",
             "barriers keep"},
        Case{"near_field_of_one", kD,
             R"({"bodies": [{"shape": "ball", "material": "rock", "position": [0, 0, 1]}],
                 "loads": [{"type": "near_field", "kappa": [1, 0], "lambda": [1, 1], "cutoff": 1}]})",
             "/loads/0", "it acts between bodies, and the deck has one", true},
        Case{"resolution_of_one_step_size", kD,
             R"({"time": {"step": {"initial": 1e-3, "min": 1e-3, "max": 1e-3, "resolution": 0.5}}})",
             "/time/step/resolution", "no effect on the time steps: \"min\" and \"max\" are equal", true},
        Case{"resolution_of_steps_that_vary", kD,
             R"({"time": {"step": {"initial": 1e-3, "min": 1e-4, "max": 1e-3, "resolution": 0.5}}})", "",
             "/resolution"},
        Case{"resolution_that_rejects_rigid_steps", kR,
             R"({"time": {"step": {"initial": 1e-3, "min": 1e-3, "max": 1e-3, "resolution": 0.5}}})", "",
             "/resolution"},
        Case{"load_of_zero", kD, R"({"loads": [{"type": "force", "body": "a", "value": [0, 0, 0]}]})",
             "/loads/0", "\"value\" is 0", true},
        Case{"load_after_the_end", kD,
             R"({"loads": [{"type": "force", "body": "a", "value": [0, 0, 1],
                            "ramp": [[0, 0], [1, 0], [2, 1]]}]})",
             "/loads/0/ramp", "no effect before the end of the run, 1 s", true},
        Case{"load_that_rises_to_the_end", kD,
             R"({"loads": [{"type": "force", "body": "a", "value": [0, 0, 1], "ramp": [[0, 0], [2, 1]]}]})",
             "", "/ramp"},
        Case{"load_within_the_run", kD,
             R"({"loads": [{"type": "near_field", "kappa": [1, 0], "lambda": [1, 1], "cutoff": 1},
                           {"type": "force", "body": "a", "value": [0, 0, 1],
                            "ramp": [[0, 0], [0.5, 1], [1, 0]]}]})",
             "", "/ramp"},
        Case{"motion_of_zero", kD,
             R"({"boundaries": [{"type": "plane", "point": [0, 0, 0], "normal": [0, 0, 1], "material": "rock",
                                 "motion": {"velocity": [0, 0, 0]}}]})",
             "/boundaries/0/motion", "has no effect: its velocities are 0", true},
        Case{"fixed_in_no_direction", kD,
             R"({"bodies": [{"name": "a", "shape": "ball", "material": "rock", "position": [0, 0, 1],
                             "fixed": []}]})",
             "/bodies/0/fixed", "the list is empty", true},
        Case{"rounded_faces_of_an_ellipsoid", kD,
             R"({"shapes": {"ball": {"type": "superquadric", "radius": null, "half_axes": [1, 2, 3],
                                     "blockiness": [2, 2], "face_radius": 3}},
                 "bodies": [{"shape": "ball", "material": "rock", "position": [0, 0, 9], "mass": 1}]})",
             "/shapes/ball/face_radius", "there are no flat faces", true},
        Case{"rounded_faces_of_a_block", kD,
             R"({"shapes": {"ball": {"type": "superquadric", "radius": null, "half_axes": [1, 2, 3],
                                     "blockiness": [2, 4], "face_radius": 3}},
                 "bodies": [{"shape": "ball", "material": "rock", "position": [0, 0, 9], "mass": 1}]})",
             "", "face_radius"},
        Case{"drag_at_rest", kQ, R"({"loads": [{"type": "drag", "coefficient": 1}]})", "/loads/0",
             "drag requires velocities", true},
        Case{"drag_by_a_flow", kQ,
             R"({"loads": [{"type": "drag", "coefficient": 1, "fluid_velocity": [1, 0, 0]}]})", "",
             "velocity"}));

TEST(KeyWithoutEffect, ATableOfWhatDoesNotMove) {
  json deck = deck_for(kD);
  deck["boundaries"][0]["motion"]["table"] = "m.csv";
  const test::Folder folder;
  const auto notes_with = [&](const char* rows) {
    folder.write("m.csv", std::string("time,x,y,z\n") + rows);
    return test::read(folder, deck).model.notes;
  };
  const std::string where = "/boundaries/0/motion: ";
  using ::testing::Contains;
  EXPECT_THAT(notes_with("0,0,0,0\n5,0,0,0\n"),
              Contains(HasSubstr(where + "has no effect: all values of the table are 0")));
  EXPECT_THAT(notes_with("0,0,0,-0.1\n"), Contains(HasSubstr(where + "has no motion: a table with one row")));
  EXPECT_THAT(notes_with("0,0,0,-0.1\n1,0,0,-0.1\n"), Contains(HasSubstr(where + "has no motion: all rows")));
  EXPECT_THAT(notes_with("0,0,0,0\n1,0,0,-0.1\n"), Not(Contains(HasSubstr(where))));
}

TEST(DeckInWords, OneIsNotWrittenAsMany) {
  const test::Folder folder;
  const Deck deck = test::read(folder, deck_for(kD));
  EXPECT_EQ(describe(deck.model), "2 bodies (2 x ball), 1 boundary, 1 interface, 0 loads, to t = 1 s");
}

}  // namespace
}  // namespace scree

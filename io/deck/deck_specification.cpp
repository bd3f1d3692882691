#include "io/deck/deck_specification.hpp"

#include "contact/forces/bond_parameters.hpp"
#include "contact/forces/near_field_parameters.hpp"
#include "contact/laws/friction_parameters.hpp"
#include "contact/laws/law_parameters.hpp"
#include "contact/laws/rolling_parameters.hpp"
#include "core/parameters/periodic_parameters.hpp"
#include "core/shapes/shape_parameters.hpp"
#include "core/text.hpp"
#include "elements/integrators/integrator_parameters.hpp"
#include "elements/loads/load_types.hpp"
#include "io/coupling/precice_parameters.hpp"
#include "solvers/model.hpp"

namespace scree {
namespace {

ParameterSpec stop_specification() {
  const StopDescription defaults;
  return {
      .key = "stop",
      .kind = ParameterKind::object,
      .description =
          "Stop criterion: ends the run when both limits hold in five successive time steps. Not before the "
          "last insertion of an inlet, interval \"active\", row of a motion table and "
          "row of a \"ramp\" that lies before the end of the run.",
      .members = {{.key = "when",
                   .kind = ParameterKind::string,
                   .description = "Kind of stop criterion: static equilibrium.",
                   .required = true,
                   .choices = {"at rest"}},
                  {.key = "kinetic_energy",
                   .unit = "J",
                   .description = "Limit on the kinetic energy of all bodies. Default: 1e-5 of the work of "
                                  "weight and loads over the bounding radii of all bodies; required beside "
                                  "\"unbalanced_force\" without weight and loads.",
                   .range = range::not_negative()},
                  {.key = "unbalanced_force",
                   .unit = "-",
                   .description = "Limit on the unbalanced force ratio: largest resultant of contact forces, "
                                  "weight and loads on a "
                                  "body, divided by its weight or, if something touches it, by the largest "
                                  "load; without weight and loads by the largest contact force on a body. "
                                  "Default: 0.1. A body in free flight is never at rest.",
                   .range = range::positive()},
                  {.key = "after",
                   .unit = "s",
                   .description = "Earliest time at which the criterion is checked.",
                   .range = range::not_negative(),
                   .fallback = defaults.after}},
      .scope = scope::not_quasi_static(true, "every accepted state is in equilibrium")};
}

ParameterSpec time_specification() {
  const TimeDescription defaults;
  const ParameterSpec adaptive{
      .kind = ParameterKind::object,
      .description = "Adaptive step size.",
      .members = {
          {.key = "initial",
           .unit = "s",
           .description = "Upper limit of the first step; the step-size limits apply to it, too.",
           .range = range::positive(),
           .required = true},
          {.key = "min",
           .unit = "s",
           .description = "Smallest step; a step that fails at this size ends the run.",
           .range = range::positive(),
           .required = true},
          {.key = "max",
           .unit = "s",
           .description = "Largest step.",
           .range = range::positive(),
           .required = true},
          {.key = "control",
           .kind = ParameterKind::string,
           .description =
               "Step-size control. \"resolved\": impacts and contact oscillations are resolved. "
               "\"motion\": limits by displacement and rotation, independent of the stiffness; only "
               "with the integrator \"energy\". Default: \"motion\" with that integrator, otherwise "
               "\"resolved\".",
           .choices = {"motion", "resolved"},
           .scope = scope::dynamic_only("other analyses have their own step limits")},
          {.key = "resolution",
           .unit = "-",
           .description =
               "Resolution factor: scales the step-size limits. With \"control\" \"resolved\": gap "
               "closure per step as part of the threshold, part of the contact period; for " +
               text::enumeration(contact::law_names(
                                     [](const contact::LawTraits& law) { return law.overlap && !law.rigid; }),
                                 "and") +
               " 1/20 of the contact duration. With \"motion\": approach of bodies beyond the gap by "
               "2 % of their size, in contact sliding by 25 % and rotation by 0.1 rad. With other "
               "integrators than \"energy\", smaller values reduce the energy balance error, and values "
               "above 2 do not resolve single impacts: use them only for beds that settle.",
           .range = {.low = 0, .high = 20, .low_open = true},
           .fallback = defaults.resolution,
           .scope = scope::not_quasi_static(
               false, "load steps have no limits by gap closure or contact oscillation")}}};
  return {
      .key = "time",
      .kind = ParameterKind::object,
      .description = "Simulated time and time steps.",
      .required = true,
      .members = {{.key = "end",
                   .unit = "s",
                   .description = "End of the run.",
                   .range = range::positive(),
                   .required = true},
                  {.key = "step",
                   .kind = ParameterKind::any_of,
                   .unit = "s",
                   .description = "Fixed step size, or limits of an adaptive one.",
                   .required = true,
                   .members = {{.unit = "s", .description = "Fixed step size.", .range = range::positive()},
                               adaptive}},
                  stop_specification()}};
}

ParameterSpec materials_specification() {
  const ParameterSpec material{
      .kind = ParameterKind::object,
      .members = {
          {.key = "density",
           .unit = "kg/m^3",
           .description = "Required for bodies without \"mass\".",
           .range = range::positive()},
          {.key = "young", .unit = "Pa", .description = "Young's modulus.", .range = range::positive()},
          {.key = "poisson",
           .unit = "-",
           .description = "Poisson's ratio.",
           .range = {.low = -1, .high = 0.5, .low_open = true}}}};
  return {.key = "materials",
          .kind = ParameterKind::map,
          .description = "Materials by name; bodies, boundaries and interfaces refer to these names.",
          .required = true,
          .members = {material}};
}

ParameterSpec shapes_specification() {
  const ParameterSpec shape{
      .kind = ParameterKind::variant, .variants = shape_specifications(), .selector = "type"};
  return {.key = "shapes",
          .kind = ParameterKind::map,
          .description = "Shapes by name; bodies refer to these names.",
          .required = true,
          .members = {shape}};
}

ParameterSpec integrator_specification() {
  Value energy = Value::object();
  energy.append("type", "energy");
  return {.key = "integrator",
          .kind = ParameterKind::variant,
          .description =
              "Time integrator. A deck that names none and has coupled boundaries has \"newmark\", "
              "with a note.",
          .fallback = energy,
          .variants = integrator_specifications(),
          .selector = "type",
          .scope = scope::dynamic_only(
              "only a dynamic analysis integrates equations of motion with contact forces")};
}

ParameterSpec interfaces_specification() {
  const Specification friction = contact::friction_specification();
  const Specification rolling = contact::rolling_specification();
  const auto pair = [](const std::string& key, const std::string& description, const std::string& item) {
    return ParameterSpec{.key = key,
                         .kind = ParameterKind::list,
                         .description = description,
                         .size = 2,
                         .most = 2,
                         .members = {{.kind = ParameterKind::string, .description = item}}};
  };
  ParameterSpec between =
      pair("between", "Pair of materials; \"*\" matches all.", "Name of a material, or \"*\".");
  const ParameterSpec materials = between;
  between.required = true;
  const Specification none{
      "none",
      "No contact between materials, or between groups of bodies and boundaries. Groups have the last word: "
      "no "
      "other entry brings the contact back.",
      {materials,
       pair("groups", "Pair of groups instead of \"between\"; \"*\" matches all, also what has no group.",
            "Name of a group (key \"group\" of bodies, inlets and boundaries), or \"*\"."),
       {.key = "none", .kind = ParameterKind::boolean, .description = "true.", .required = true}}};
  const Specification law{"normal",
                          "Contact law of a pair of materials.",
                          {between,
                           {.key = "normal",
                            .kind = ParameterKind::variant,
                            .description = "Normal contact law.",
                            .required = true,
                            .variants = contact::normal_law_specifications(),
                            .selector = "law"},
                           {.key = "friction",
                            .kind = ParameterKind::object,
                            .description = friction.description + " Default: no friction.",
                            .members = friction.parameters},
                           {.key = "rolling",
                            .kind = ParameterKind::object,
                            .description = rolling.description + " Default: no rolling resistance.",
                            .members = rolling.parameters,
                            .scope = rolling.scope}}};
  return {.key = "interfaces",
          .kind = ParameterKind::list,
          .description =
              "Contact laws by material pair. If several entries match, the last one applies. Fixed "
              "bodies never interact with each other, nor with boundaries at rest.",
          .fallback = Value::list_of({}),
          .members = {{.kind = ParameterKind::variant, .variants = {none, law}}}};
}

std::vector<Specification> all_loads() {
  std::vector<Specification> loads = elements::load_specifications();
  loads.push_back(contact::near_field_specification());
  return loads;
}

ParameterSpec solver_specification() {
  const SolverDescription defaults;
  Scope newton_only = scope::not_contact_dynamics(false, "contact dynamics has its own solvers");
  newton_only.beside = "nonlinear";
  newton_only.values = {"newton"};
  Scope fixed_point_only = scope::dynamic_only("the fixed-point iteration supports dynamic steps only");
  fixed_point_only.beside = "nonlinear";
  fixed_point_only.values = {"fixed-point"};
  const Scope rigid = scope::contact_dynamics_only(false, "it applies to rigid contact");
  const ParameterSpec newton{
      .key = "newton",
      .kind = ParameterKind::object,
      .description = "Newton's method of each time step.",
      .fallback = Value::object(),
      .members =
          {{.key = "relative",
            .unit = "-",
            .description =
                "Relative residual tolerance; reference force: the weight of each body, its loads, or the "
                "forces of its impacts. "
                "If round-off leaves a larger residual, the step is accepted with it; the summary "
                "reports how often.",
            .range = {.low = 0, .high = 1, .low_open = true, .high_open = true},
            .fallback = defaults.newton_relative},
           {.key = "absolute",
            .unit = "N",
            .description = "Absolute residual tolerance; moments are divided by the body's bounding radius.",
            .range = range::not_negative(),
            .fallback = defaults.newton_absolute},
           {.key = "max_iterations",
            .kind = ParameterKind::integer,
            .description = "Maximum number of iterations; the step is then rejected and its size reduced.",
            .range = {.low = 1, .high = 1000},
            .fallback = defaults.newton_max_iterations}},
      .scope = newton_only};
  const ParameterSpec fixed_point{
      .key = "fixed_point",
      .kind = ParameterKind::object,
      .description = "Fixed-point iteration of each time step.",
      .fallback = Value::object(),
      .members =
          {{.key = "tolerance",
            .unit = "-",
            .description =
                "Change of positions, velocities, angular velocities and rotations in a sweep, relative to "
                "their change in the step.",
            .range = {.low = 0, .high = 1, .low_open = true, .high_open = true},
            .fallback = defaults.fixed_point_tolerance},
           {.key = "max_iterations",
            .kind = ParameterKind::integer,
            .description = "Maximum number of sweeps; the step is then rejected and its size reduced.",
            .range = {.low = 1, .high = 10000},
            .fallback = defaults.fixed_point_max_iterations}},
      .scope = fixed_point_only};
  return {
      .key = "solver",
      .kind = ParameterKind::object,
      .description = "Nonlinear and linear solvers.",
      .fallback = Value::object(),
      .members = {
          newton,
          {.key = "nonlinear",
           .kind = ParameterKind::string,
           .description =
               "Nonlinear solver. The fixed-point iteration supports spheres under the trapezoidal "
               "rule only; it converges for small steps.",
           .fallback = "newton",
           .choices = {"newton", "fixed-point"},
           .scope = scope::dynamic_only("the other analyses have one nonlinear solver each")},
          fixed_point,
          {.key = "linear",
           .kind = ParameterKind::string,
           .description = "Linear solver.",
           .fallback = "auto",
           .choices = {"auto", "direct", "iterative"},
           .scope = newton_only},
          {.key = "petsc_options",
           .kind = ParameterKind::string,
           .description = "PETSc options; options of the command line take precedence.",
           .fallback = ""},
          {.key = "method",
           .kind = ParameterKind::string,
           .description =
               "Contact dynamics: solution of a step. \"two-step\": LCP, then compatible forces (those of "
               "elastic bodies). \"one-step\": both together, with friction. "
               "\"auto\": \"one-step\" if an interface has friction, else \"two-step\".",
           .fallback = "auto",
           .choices = {"auto", "two-step", "one-step"},
           .scope = rigid},
          {.key = "lcp",
           .kind = ParameterKind::string,
           .description =
               "Contact dynamics: solver of the linear complementarity problem (LCP). \"auto\": \"apgd\", "
               "and \"newton\" if it does not converge. \"bncg\", "
               "\"bqpip\" and \"tron\" are solvers of PETSc/TAO.",
           .fallback = "auto",
           .choices = contact_dynamics::lcp_names(),
           .scope = rigid},
          {.key = "lcp_tolerance",
           .unit = "-",
           .description = "Contact dynamics: tolerance of the scaled residual of the LCP.",
           .range = {.low = 0, .high = 1, .low_open = true, .high_open = true},
           .fallback = defaults.lcp_tolerance,
           .scope = rigid},
          {.key = "compatibility",
           .kind = ParameterKind::string,
           .description =
               "Contact dynamics: method that computes compatible (unique) forces. \"none\": forces of the "
               "LCP, which are not unique.",
           .fallback = "dual",
           .choices = contact_dynamics::compatibility_names(),
           .scope = rigid},
          {.key = "superquadric",
           .kind = ParameterKind::string,
           .description =
               "Contact detection of two superquadrics. \"support\": largest separation of their support "
               "functions. \"midway\": midway point of LIGGGHTS, for comparison (overlap-based laws).",
           .fallback = "support",
           .choices = {"support", "midway"},
           .scope = scope::not_contact_dynamics(false, "superquadrics in rigid contact use \"support\"")}}};
}

}  // namespace

const ParameterSpec& deck_specification() {
  static const ParameterSpec deck{
      .kind = ParameterKind::object,
      .description = "Input deck of Scree. SI units; angles in degrees only if the key ends in _deg.",
      .members = {
          {.key = "title",
           .kind = ParameterKind::string,
           .description = "Printed at the beginning of the log.",
           .fallback = ""},
          {.key = "$schema",
           .kind = ParameterKind::string,
           .description = "File or address of the JSON Schema, for editors (`scree schema`). No effect on "
                          "the run."},
          {.key = "units",
           .kind = ParameterKind::string,
           .description = "Units of all values.",
           .fallback = "SI",
           .choices = {"SI"}},
          {.key = "analysis",
           .kind = ParameterKind::string,
           .description =
               "Type of analysis. \"quasi-static\": sequence of equilibria in load steps, without inertia. "
               "\"contact-dynamics\": rigid contact (law \"rigid\"), large steps.",
           .fallback = "dynamic",
           .choices = {"dynamic", "quasi-static", "contact-dynamics"}},
          {.key = "gravity",
           .kind = ParameterKind::vector,
           .unit = "m/s^2",
           .description = "Acceleration of gravity.",
           .fallback = Vec3(Vec3::Zero()),
           .size = 3},
          time_specification(),
          integrator_specification(),
          materials_specification(),
          shapes_specification(),
          bodies_specification(),
          inlets_specification(),
          outlets_specification(),
          boundaries_specification(),
          periodic_specification(),
          interfaces_specification(),
          {.key = "loads",
           .kind = ParameterKind::list,
           .description = "Loads on bodies, in addition to gravity.",
           .fallback = Value::list_of({}),
           .members = {{.kind = ParameterKind::variant, .variants = all_loads(), .selector = "type"}}},
          contact::bond_specification(),
          solver_specification(),
          output_specification(),
          coupling::coupling_specification(),
      }};
  return deck;
}

}  // namespace scree

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
#include "solvers/model.hpp"

namespace scree {
namespace {

ParameterSpec stop_specification() {
  const StopDescription defaults;
  return {
      .key = "stop",
      .kind = ParameterKind::object,
      .description =
          "Ends the run before its time when the criteria that are given hold together, for some steps.",
      .members =
          {{.key = "when",
            .kind = ParameterKind::string,
            .description = "What ends the run.",
            .required = true,
            .choices = {"at rest"}},
           {.key = "kinetic_energy",
            .unit = "J",
            .description = "Kinetic energy of all bodies, at most.",
            .range = range::not_negative()},
           {.key = "unbalanced_force",
            .unit = "-",
            .description =
                "Largest sum of contact forces, weight and loads on a body, as part of its weight or of the "
                "largest load, at most.",
            .range = range::positive()},
           {.key = "after",
            .unit = "s",
            .description = "Not before this time.",
            .range = range::not_negative(),
            .fallback = defaults.after}},
      .scope = scope::not_quasi_static(true, "every state of the run is at rest")};
}

ParameterSpec time_specification() {
  const TimeDescription defaults;
  const ParameterSpec adaptive{
      .kind = ParameterKind::object,
      .description = "Adaptive: the step grows and shrinks with the contacts.",
      .members = {
          {.key = "initial",
           .unit = "s",
           .description = "Most that the first step may be; it obeys the limits as every other.",
           .range = range::positive(),
           .required = true},
          {.key = "min",
           .unit = "s",
           .description = "A step that fails at this size ends the run.",
           .range = range::positive(),
           .required = true},
          {.key = "max",
           .unit = "s",
           .description = "Largest step.",
           .range = range::positive(),
           .required = true},
          {.key = "control",
           .kind = ParameterKind::string,
           .description = "What limits steps. \"resolved\": impacts and oscillations of contacts, in detail. "
                          "\"motion\": how far bodies move and turn, whatever the stiffness; only with "
                          "the integrator \"energy\". Default: \"motion\" with that integrator, otherwise "
                          "\"resolved\".",
           .choices = {"motion", "resolved"},
           .scope = scope::dynamic_only("other analyses have step limits of their own")},
          {.key = "resolution",
           .unit = "-",
           .description = "Part of the threshold that bodies may close, and part of a contact's period, in "
                          "one step; under " +
                          text::enumeration(contact::law_names([](const contact::LawTraits& law) {
                                              return law.overlap && !law.rigid;
                                            }),
                                            "and") +
                          " part of a twentieth of an impact. Smaller keeps energy better; above 2 "
                          "single impacts are no longer resolved, which beds that come to rest hardly show.",
           .range = {.low = 0, .high = 20, .low_open = true},
           .fallback = defaults.resolution,
           .scope = scope::not_quasi_static(false, "nothing closes or oscillates in a load step")}}};
  return {
      .key = "time",
      .kind = ParameterKind::object,
      .description = "Span and steps.",
      .required = true,
      .members = {{.key = "end",
                   .unit = "s",
                   .description = "End of the run.",
                   .range = range::positive(),
                   .required = true},
                  {.key = "step",
                   .kind = ParameterKind::any_of,
                   .unit = "s",
                   .description = "A fixed step, or the bounds of an adaptive one.",
                   .required = true,
                   .members = {{.unit = "s", .description = "Fixed.", .range = range::positive()}, adaptive}},
                  stop_specification()}};
}

ParameterSpec materials_specification() {
  const ParameterSpec material{
      .kind = ParameterKind::object,
      .members = {
          {.key = "density",
           .unit = "kg/m^3",
           .description = "Needed by bodies that do not say their mass.",
           .range = range::positive()},
          {.key = "young", .unit = "Pa", .description = "Young's modulus.", .range = range::positive()},
          {.key = "poisson",
           .unit = "-",
           .description = "Poisson's ratio.",
           .range = {.low = -1, .high = 0.5, .low_open = true}}}};
  return {.key = "materials",
          .kind = ParameterKind::map,
          .description = "Names that bodies, boundaries and interfaces refer to.",
          .required = true,
          .members = {material}};
}

ParameterSpec shapes_specification() {
  const ParameterSpec shape{
      .kind = ParameterKind::variant, .variants = shape_specifications(), .selector = "type"};
  return {.key = "shapes",
          .kind = ParameterKind::map,
          .description = "Names that bodies refer to.",
          .required = true,
          .members = {shape}};
}

ParameterSpec integrator_specification() {
  Value newmark = Value::object();
  newmark.append("type", "newmark");
  return {
      .key = "integrator",
      .kind = ParameterKind::variant,
      .description = "Time integrator.",
      .fallback = newmark,
      .variants = integrator_specifications(),
      .selector = "type",
      .scope = scope::dynamic_only("only it integrates equations of motion with contact forces over time")};
}

ParameterSpec interfaces_specification() {
  const Specification friction = contact::friction_specification();
  const Specification rolling = contact::rolling_specification();
  const ParameterSpec interface {
    .kind = ParameterKind::object, .members = {
      {.key = "between",
       .kind = ParameterKind::list,
       .description = "Two materials; \"*\" matches all.",
       .required = true,
       .size = 2,
       .most = 2,
       .members = {{.kind = ParameterKind::string, .description = "Name of a material, or \"*\"."}}},
      {.key = "normal",
       .kind = ParameterKind::variant,
       .description = "Normal law.",
       .required = true,
       .variants = contact::normal_law_specifications(),
       .selector = "law"},
      {.key = "friction",
       .kind = ParameterKind::object,
       .description = friction.description + " No friction where it is left out.",
       .members = friction.parameters},
      {.key = "rolling",
       .kind = ParameterKind::object,
       .description = rolling.description + " None where it is left out.",
       .members = rolling.parameters,
       .scope = rolling.scope}
    }
  };
  return {.key = "interfaces",
          .kind = ParameterKind::list,
          .description = "What acts between two materials. The last match wins.",
          .fallback = Value::list_of({}),
          .members = {interface}};
}

std::vector<Specification> all_loads() {
  std::vector<Specification> loads = elements::load_specifications();
  loads.push_back(contact::near_field_specification());
  return loads;
}

ParameterSpec solver_specification() {
  const SolverDescription defaults;
  Scope newton_only = scope::not_contact_dynamics(false, "it has solvers of its own");
  newton_only.beside = "nonlinear";
  newton_only.values = {"newton"};
  Scope fixed_point_only = scope::dynamic_only("the fixed-point iteration is for dynamic steps");
  fixed_point_only.beside = "nonlinear";
  fixed_point_only.values = {"fixed-point"};
  const Scope rigid = scope::contact_dynamics_only(false, "it is about rigid contact");
  const ParameterSpec newton{
      .key = "newton",
      .kind = ParameterKind::object,
      .description = "Newton's method in each step.",
      .fallback = Value::object(),
      .members = {{.key = "relative",
                   .unit = "-",
                   .description =
                       "Tolerance as part of the force scale: the weight of a body, or the forces of the "
                       "impact. Where rounding leaves more, the step is accepted there, and the summary says "
                       "how often.",
                   .range = {.low = 0, .high = 1, .low_open = true, .high_open = true},
                   .fallback = defaults.newton_relative},
                  {.key = "absolute",
                   .unit = "N",
                   .description = "Tolerance as a force; moments are divided by the body's bounding radius.",
                   .range = range::not_negative(),
                   .fallback = defaults.newton_absolute},
                  {.key = "max_iterations",
                   .kind = ParameterKind::integer,
                   .description = "Iterations after which the step is cut.",
                   .range = {.low = 1, .high = 1000},
                   .fallback = defaults.newton_max_iterations}},
      .scope = newton_only};
  const ParameterSpec fixed_point{
      .key = "fixed_point",
      .kind = ParameterKind::object,
      .description = "The fixed-point iteration of each step.",
      .fallback = Value::object(),
      .members = {{.key = "tolerance",
                   .unit = "-",
                   .description =
                       "Change of positions, velocities, spins and rotations in a sweep, as part of their "
                       "change in the step.",
                   .range = {.low = 0, .high = 1, .low_open = true, .high_open = true},
                   .fallback = defaults.fixed_point_tolerance},
                  {.key = "max_iterations",
                   .kind = ParameterKind::integer,
                   .description = "Sweeps after which the step is cut.",
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
           .description = "Nonlinear solver. The fixed-point iteration is for spheres under the trapezoidal "
                          "rule, and for small steps.",
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
           .description = "Options for PETSc; those of the command line win.",
           .fallback = ""},
          {.key = "method",
           .kind = ParameterKind::string,
           .description = "Contact dynamics. \"two-step\": complementarity, then the forces that "
                          "elastic bodies would have. \"one-step\": both together, with friction. "
                          "\"auto\": one-step where there is friction.",
           .fallback = "auto",
           .choices = {"auto", "two-step", "one-step"},
           .scope = rigid},
          {.key = "lcp",
           .kind = ParameterKind::string,
           .description = "Contact dynamics: solver of the complementarity problem. \"auto\": \"apgd\", "
                          "and \"newton\" where that does not get there. \"bncg\", "
                          "\"bqpip\" and \"tron\" are PETSc\'s TAO\'s.",
           .fallback = "auto",
           .choices = contact_dynamics::lcp_names(),
           .scope = rigid},
          {.key = "lcp_tolerance",
           .unit = "-",
           .description = "Contact dynamics: largest scaled residual of the complementarity "
                          "problem.",
           .range = {.low = 0, .high = 1, .low_open = true, .high_open = true},
           .fallback = defaults.lcp_tolerance,
           .scope = rigid},
          {.key = "compatibility",
           .kind = ParameterKind::string,
           .description = "Contact dynamics: how forces are made unique. \"none\": not at all.",
           .fallback = "dual",
           .choices = contact_dynamics::compatibility_names(),
           .scope = rigid},
          {.key = "superquadric",
           .kind = ParameterKind::string,
           .description = "How superquadrics touch each other: by the largest separation of their support "
                          "functions, or by the midway point of LIGGGHTS, for comparison (laws at overlap).",
           .fallback = "support",
           .choices = {"support", "midway"},
           .scope =
               scope::not_contact_dynamics(false, "superquadrics in rigid contact meet by \"support\"")}}};
}

}  // namespace

const ParameterSpec& deck_specification() {
  static const ParameterSpec deck{
      .kind = ParameterKind::object,
      .description = "Input of Scree. SI units; angles in degrees only where the key says so.",
      .members = {
          {.key = "title", .kind = ParameterKind::string, .description = "Shown by the run.", .fallback = ""},
          {.key = "units",
           .kind = ParameterKind::string,
           .description = "Units of all values.",
           .fallback = "SI",
           .choices = {"SI"}},
          {.key = "analysis",
           .kind = ParameterKind::string,
           .description =
               "Kind of analysis. \"quasi-static\": equilibria, load step by load step, without inertia. "
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
           .description = "Loads on bodies, besides gravity.",
           .fallback = Value::list_of({}),
           .members = {{.kind = ParameterKind::variant, .variants = all_loads(), .selector = "type"}}},
          contact::bond_specification(),
          solver_specification(),
          output_specification(),
      }};
  return deck;
}

}  // namespace scree

#include "io/deck/deck_specification.hpp"

#include "core/parameters/wall_parameters.hpp"
#include "solvers/world/motion_parameters.hpp"

namespace scree {
namespace {

const std::string kNoTime = "time only drives the loads of an equilibrium";

ParameterSpec name_of(const std::string& key, const std::string& description, bool required) {
  return {.key = key, .kind = ParameterKind::string, .description = description, .required = required};
}

ParameterSpec three(const std::string& key, const std::string& unit, const std::string& description,
                    bool required = false) {
  return {.key = key,
          .kind = ParameterKind::vector,
          .unit = unit,
          .description = description,
          .required = required,
          .size = 3};
}

ParameterSpec orientation() {
  return {
      .key = "orientation",
      .kind = ParameterKind::variant,
      .description = "Of the body frame; the global frame where it is left out.",
      .variants = {{"quaternion",
                    "A quaternion, normalised when read.",
                    {{.key = "quaternion",
                      .kind = ParameterKind::vector,
                      .unit = "-",
                      .description = "[w, x, y, z], not zero.",
                      .required = true,
                      .size = 4}}},
                   {"rodrigues",
                    "A Rodrigues vector 2 tan(angle/2) axis.",
                    {three("rodrigues", "-", "2 tan(angle/2) axis.", true)}},
                   {"axis",
                    "An axis and an angle.",
                    {three("axis", "-", "Axis of rotation, not zero.", true),
                     {.key = "angle_deg", .unit = "degrees", .description = "Angle.", .required = true}}}}};
}

std::vector<ParameterSpec> mass_and_supports() {
  const ParameterSpec axis{.kind = ParameterKind::string, .choices = {"x", "y", "z", "rx", "ry", "rz"}};
  return {
      {.key = "mass",
       .unit = "kg",
       .description = "In place of density times volume; scales the inertia of the shape.",
       .range = range::positive()},
      {.key = "inertia",
       .kind = ParameterKind::vector,
       .unit = "kg m^2",
       .description = "Principal moments about the axes of the body frame, in place of those of the shape.",
       .range = range::positive(),
       .size = 3},
      {.key = "fixed",
       .kind = ParameterKind::any_of,
       .description =
           "true: the body does not move. A list: displacements and rotations about global axes that are "
           "held.",
       .fallback = false,
       .members = {{.kind = ParameterKind::boolean},
                   {.kind = ParameterKind::list, .description = "Held directions.", .members = {axis}}}},
  };
}

std::vector<ParameterSpec> velocities() {
  ParameterSpec velocity = three("velocity", "m/s", "Of the pole, global axes.");
  ParameterSpec spin = three("angular_velocity", "rad/s", "Global axes.");
  velocity.fallback = Vec3(Vec3::Zero());
  spin.fallback = Vec3(Vec3::Zero());
  velocity.scope = spin.scope = scope::not_quasi_static();
  return {velocity, spin};
}

template <class... Lists>
std::vector<ParameterSpec> chain(std::vector<ParameterSpec> first, const Lists&... more) {
  (first.insert(first.end(), more.begin(), more.end()), ...);
  return first;
}

Specification single_body() {
  return {"position", "One body.",
          chain({name_of("name", "Unique; unnamed bodies go by their number from 0 in the order of the deck.",
                         false),
                 name_of("shape", "Name of a shape.", true), name_of("material", "Name of a material.", true),
                 three("position", "m", "Centre of mass.", true), orientation()},
                velocities(), mass_and_supports())};
}

Specification bodies_of_a_file() {
  return {"file", "Bodies of a CSV file, a row each.",
          chain({{.key = "file",
                  .kind = ParameterKind::string,
                  .description =
                      "CSV file, relative to the deck; columns x,y,z[,qw,qx,qy,qz][,vx,vy,vz][,wx,wy,wz]"
                      "[,radius][,name][,shape][,material], as in \"final_state\" of a run. \"radius\" "
                      "[m] makes the body a sphere.",
                  .required = true},
                 name_of("shape", "Shape of bodies without one in the file.", false),
                 name_of("material", "Material of bodies without one in the file.", false)},
                mass_and_supports())};
}

Specification bodies_of_a_checkpoint() {
  return {
      "checkpoint",
      "Bodies of a checkpoint of another run, with the history of their contacts and their bonds.",
      {{.key = "checkpoint",
        .kind = ParameterKind::string,
        .description = "Checkpoint file, relative to the deck. Shapes and materials of the bodies are those "
                       "of this deck by name; contacts with boundaries continue where this deck has one of "
                       "the same name. The log names what does not fit.",
        .required = true}}};
}

ParameterSpec region_of(const std::string& description) {
  return {.key = "region",
          .kind = ParameterKind::object,
          .description = description,
          .required = true,
          .members = {three("min", "m", "Lower corner.", true), three("max", "m", "Upper corner.", true)}};
}

/// What is drawn by chance: shapes and sizes.
std::vector<ParameterSpec> drawn_bodies() {
  return {{.key = "seed",
           .kind = ParameterKind::integer,
           .description = "The same seed gives the same bodies.",
           .range = range::not_negative(),
           .fallback = 1},
          {.key = "shape",
           .kind = ParameterKind::any_of,
           .description = "Name of a shape, or names with their fractions by number, which add up to 1.",
           .required = true,
           .members = {{.kind = ParameterKind::string},
                       {.kind = ParameterKind::map, .members = {{.range = {.low = 0, .high = 1}}}}}},
          name_of("material", "Name of a material.", true),
          {.key = "scale",
           .kind = ParameterKind::object,
           .unit = "-",
           .description = "How large bodies are beside their shape.",
           .members = {{.key = "uniform",
                        .kind = ParameterKind::vector,
                        .unit = "-",
                        .description = "Factors between these two, uniformly by number.",
                        .range = range::positive(),
                        .required = true,
                        .size = 2}}},
          {.key = "sizes",
           .kind = ParameterKind::list,
           .description = "In place of \"scale\": [diameter [m], mass fraction] of each class; the fractions "
                          "add up to 1. The diameter is that of the sphere of the body's volume.",
           .size = 1,
           .members = {{.kind = ParameterKind::vector, .range = range::not_negative(), .size = 2}}}};
}

Specification generated_bodies() {
  return {"count", "Bodies generated at random places with random orientations, without overlap.",
          chain({{.key = "count",
                  .kind = ParameterKind::integer,
                  .description = "Number of bodies.",
                  .range = {.low = 1, .high = 1e7},
                  .required = true},
                 region_of("Where the centres of mass lie. The bodies stay clear of each other and of all "
                           "boundaries.")},
                drawn_bodies(), velocities(), mass_and_supports())};
}

}  // namespace

ParameterSpec bodies_specification() {
  return {.key = "bodies",
          .kind = ParameterKind::list,
          .description = "Bodies, numbered from 0 in this order. May be left out where there are inlets.",
          .fallback = Value::list_of({}),
          .members = {{.kind = ParameterKind::variant,
                       .variants = {generated_bodies(), bodies_of_a_file(), bodies_of_a_checkpoint(),
                                    single_body()}}}};
}

ParameterSpec inlets_specification() {
  const auto time = [](const std::string& key, const std::string& description) {
    return ParameterSpec{.key = key, .unit = "s", .description = description, .range = range::not_negative()};
  };
  const auto per_second = [](const std::string& key, const std::string& unit, const std::string& what) {
    return Specification{key,
                         what + " per second.",
                         {{.key = key,
                           .unit = unit,
                           .description = what + " per second.",
                           .range = range::positive(),
                           .required = true}}};
  };
  ParameterSpec from = time("from", "When the first body is due.");
  from.fallback = 0.0;
  return {.key = "inlets",
          .kind = ParameterKind::list,
          .description =
              "Where bodies enter while time goes on, one after the other at a constant rate, at "
              "random places with random orientations. One that is due waits until there is room, "
              "and those behind it with it. They take the next numbers of bodies.",
          .fallback = Value::list_of({}),
          .members = {{.kind = ParameterKind::object,
                       .members = chain(
                           {name_of("name", "Unique; \"inlet 0\" and so on where it is left out.", false),
                            region_of("Where the centres of mass lie when bodies enter, clear of others and "
                                      "of all boundaries."),
                            {.key = "rate",
                             .kind = ParameterKind::variant,
                             .description = "How much is due in a second.",
                             .required = true,
                             .variants = {per_second("mass", "kg/s", "Mass"),
                                          per_second("number", "1/s", "Bodies")}},
                            from,
                            time("until", "When no more is due; the end of the run, if left out.")},
                           drawn_bodies(), velocities())}},
          .scope = scope::not_quasi_static(true, kNoTime)};
}

ParameterSpec outlets_specification() {
  return {
      .key = "outlets",
      .kind = ParameterKind::list,
      .description =
          "Where bodies leave: those whose centre of mass is in the region after a step are "
          "counted and taken out.",
      .fallback = Value::list_of({}),
      .members = {{.kind = ParameterKind::object,
                   .members = {name_of("name", "Unique; \"outlet 0\" and so on where it is left out.", false),
                               region_of("Box, its sides included.")}}},
      .scope = scope::not_quasi_static(true, kNoTime)};
}

ParameterSpec boundaries_specification() {
  const std::vector<ParameterSpec> first = {
      name_of("name", "Unique; \"boundary 0\" and so on where it is left out.", false),
      name_of("material", "Name of a material.", true)};
  const std::vector<ParameterSpec> last = {
      {.key = "active",
       .kind = ParameterKind::vector,
       .unit = "s",
       .description = "[from, until]: when it is there. Always, where it is left out.",
       .range = range::not_negative(),
       .size = 2},
      motion_specification()};
  std::vector<Specification> types = wall_specifications();
  for (Specification& type : types) {
    if (type.available) type.parameters = chain(first, type.parameters, last);
  }
  return {.key = "boundaries",
          .kind = ParameterKind::list,
          .description = "Walls: fixed, or with a prescribed motion.",
          .fallback = Value::list_of({}),
          .members = {{.kind = ParameterKind::variant, .variants = types, .selector = "type"}}};
}

ParameterSpec output_specification() {
  const auto every = [](bool required) {
    ParameterSpec p{.key = "every",
                    .unit = "s",
                    .description = "Simulated time between two; 0: each accepted step.",
                    .range = range::not_negative(),
                    .required = required};
    if (!required) p.fallback = 0.0;
    return p;
  };
  const Scope rigid = scope::contact_dynamics_only(true, "it is about rigid contact");
  const ParameterSpec history{
      .kind = ParameterKind::object,
      .members = {{.key = "file",
                   .kind = ParameterKind::string,
                   .description = "CSV file in the directory.",
                   .required = true},
                  {.key = "body",
                   .kind = ParameterKind::any_of,
                   .description = "Of this body: name, or number from 0.",
                   .members = {{.kind = ParameterKind::string},
                               {.kind = ParameterKind::integer, .range = range::not_negative()}}},
                  name_of("boundary", "Of this boundary: name.", false),
                  name_of("outlet", "Of this outlet: name.", false),
                  every(false),
                  {.key = "columns",
                   .kind = ParameterKind::list,
                   .description = "Columns; all of them where it is left out.",
                   .size = 1,
                   .members = {{.kind = ParameterKind::string, .description = "Name of a column."}}}}};
  return {
      .key = "output",
      .kind = ParameterKind::object,
      .description = "What a run writes.",
      .fallback = Value::object(),
      .members = {
          {.key = "directory",
           .kind = ParameterKind::string,
           .description =
               "Relative to the working directory; \"results/\" and the deck's name where it is left out."},
          {.key = "vtk",
           .kind = ParameterKind::object,
           .description = "Bodies, boundaries and contacts for ParaView.",
           .members = {every(true)}},
          {.key = "histories",
           .kind = ParameterKind::list,
           .description = "CSV files with a row for each sampled state: of the system, of a body, a boundary "
                          "or an outlet.",
           .fallback = Value::list_of({}),
           .members = {history}},
          {.key = "contacts",
           .kind = ParameterKind::object,
           .description = "CSV files of all contacts.",
           .members = {every(true),
                       {.key = "lcp_forces",
                        .kind = ParameterKind::boolean,
                        .description = "Contact dynamics: a column \"fn_lcp\" with the normal forces as the "
                                       "complementarity problem's solver had them.",
                        .fallback = false,
                        .scope = rigid},
                       {.key = "intervals",
                        .kind = ParameterKind::list,
                        .description =
                            "Contact dynamics: pairs of bodies, or body and boundary; columns \"fn_min\" and "
                            "\"fn_max\" give the range in which their normal forces could lie.",
                        .fallback = Value::list_of({}),
                        .members = {{.kind = ParameterKind::list,
                                     .description = "Two of them.",
                                     .size = 2,
                                     .most = 2,
                                     .members = {{.kind = ParameterKind::any_of,
                                                  .description = "Name, or number of a body.",
                                                  .members = {{.kind = ParameterKind::string},
                                                              {.kind = ParameterKind::integer,
                                                               .range = range::not_negative()}}}}}},
                        .scope = rigid}}},
          {.key = "final_state",
           .kind = ParameterKind::string,
           .description = "CSV file of the last state; bodies can be read back from it."},
          {.key = "checkpoint",
           .kind = ParameterKind::object,
           .description =
               "States from which the run can be continued (scree resume), or another run can start. Written "
               "in these intervals, and when the run ends, also by Ctrl-C or an error.",
           .members = {
               {.key = "every",
                .unit = "s",
                .description = "Simulated time between two; 0: each accepted step.",
                .range = range::not_negative()},
               {.key = "wall_clock",
                .unit = "s",
                .description = "Wall-clock time after which one is due. The bits of a run then depend on "
                               "the speed of the machine.",
                .range = range::positive()},
               {.key = "keep",
                .kind = ParameterKind::integer,
                .description = "Number of files; older ones are removed.",
                .range = {.low = 1, .high = 1000000},
                .fallback = 2},
               {.key = "on_failure",
                .kind = ParameterKind::string,
                .description = "If one cannot be written: the run ends (\"stop\"), or continues with a "
                               "warning (\"continue\"). The ones before are whole in both cases.",
                .fallback = "stop",
                .choices = {"stop", "continue"}}}}}};
}

}  // namespace scree

#include "io/deck/deck_specification.hpp"

#include "core/parameters/wall_parameters.hpp"
#include "solvers/world/motion_parameters.hpp"

namespace scree {
namespace {

const std::string kNoTime = "a quasi-static analysis has no physical time";

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
      .description = "Orientation of the body frame. Default: global frame.",
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

ParameterSpec group() {
  return name_of("group", "Name of a group, for \"none\" of interfaces. Default: no group.", false);
}

ParameterSpec position_of() {
  return {.key = "position_of",
          .kind = ParameterKind::string,
          .description =
              "Point of the body whose position is given: its centre of mass, or the origin of the "
              "coordinates of its mesh. Velocities are those of the centre of mass.",
          .fallback = "centre of mass",
          .choices = {"centre of mass", "mesh origin"}};
}

std::vector<ParameterSpec> mass_and_supports() {
  const ParameterSpec axis{.kind = ParameterKind::string, .choices = {"x", "y", "z", "rx", "ry", "rz"}};
  return {
      {.key = "mass",
       .unit = "kg",
       .description =
           "Mass of each body. Default: density * volume. The inertia of the shape is scaled to it.",
       .range = range::positive()},
      {.key = "inertia",
       .kind = ParameterKind::vector,
       .unit = "kg m^2",
       .description =
           "Principal moments of inertia about the axes of the body frame. Default: those of the shape.",
       .range = range::positive(),
       .size = 3},
      {.key = "fixed",
       .kind = ParameterKind::any_of,
       .description =
           "true: all degrees of freedom are fixed. A list: fixed displacements and rotations, global "
           "axes.",
       .fallback = false,
       .members = {{.kind = ParameterKind::boolean},
                   {.kind = ParameterKind::list,
                    .description = "Fixed degrees of freedom.",
                    .members = {axis}}}},
  };
}

std::vector<ParameterSpec> velocities() {
  ParameterSpec velocity = three("velocity", "m/s", "Initial velocity of the centre of mass, global axes.");
  ParameterSpec spin = three("angular_velocity", "rad/s", "Initial angular velocity, global axes.");
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
  return {
      "position", "One body.",
      chain(
          {name_of(
               "name",
               "Unique name. Bodies without name are identified by their number, from 0 in the order of the "
               "deck.",
               false),
           name_of("shape", "Name of a shape.", true), name_of("material", "Name of a material.", true),
           group(), three("position", "m", "Position.", true), position_of(), orientation()},
          velocities(), mass_and_supports())};
}

Specification body_with_motion() {
  ParameterSpec motion = motion_specification(false);
  motion.required = true;
  motion.description =
      "Prescribed motion relative to the position in the deck. Rotation is about the centre of mass unless "
      "\"about\" is given.";
  return {
      "motion",
      "Solid with prescribed motion and infinite mass: a boundary with the shape of a body. It has no number "
      "among the bodies; outputs and histories list it as a boundary.",
      {name_of("name",
               "Unique name among boundaries. Default: \"boundary 0\", ..., after those of "
               "\"boundaries\".",
               false),
       name_of("shape", "Name of a shape; superquadrics are not supported.", true),
       name_of("material", "Name of a material.", true), group(), three("position", "m", "Position.", true),
       position_of(), orientation(), motion}};
}

Specification bodies_of_a_file() {
  return {"file", "Bodies of a CSV file, one per row.",
          chain({{.key = "file",
                  .kind = ParameterKind::string,
                  .description =
                      "CSV file, relative to the deck; columns x,y,z[,qw,qx,qy,qz][,vx,vy,vz][,wx,wy,wz]"
                      "[,radius][,name][,shape][,material], as in \"final_state\" of a run. \"radius\" "
                      "[m] makes the body a sphere.",
                  .required = true},
                 name_of("shape", "Shape, if the file has no such column.", false),
                 name_of("material", "Material, if the file has no such column.", false),
                 group(),
                 position_of()},
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

/// Random shapes and sizes.
std::vector<ParameterSpec> drawn_bodies() {
  return {
      {.key = "seed",
       .kind = ParameterKind::integer,
       .description = "Seed of the random numbers; the same seed generates the same bodies.",
       .range = range::not_negative(),
       .fallback = 1},
      {.key = "shape",
       .kind = ParameterKind::any_of,
       .description = "Name of a shape, or names with number fractions, which sum to 1.",
       .required = true,
       .members = {{.kind = ParameterKind::string},
                   {.kind = ParameterKind::map, .members = {{.range = {.low = 0, .high = 1}}}}}},
      name_of("material", "Name of a material.", true),
      group(),
      {.key = "scale",
       .kind = ParameterKind::object,
       .unit = "-",
       .description = "Random size factor of each body.",
       .members = {{.key = "uniform",
                    .kind = ParameterKind::vector,
                    .unit = "-",
                    .description = "[low, high]: uniform distribution by number.",
                    .range = range::positive(),
                    .required = true,
                    .size = 2}}},
      {.key = "sizes",
       .kind = ParameterKind::list,
       .description = "Size classes [diameter [m], mass fraction], instead of \"scale\"; the mass fractions "
                      "sum to 1. Diameter: that of the sphere of equal volume.",
       .size = 1,
       .members = {{.kind = ParameterKind::vector, .range = range::not_negative(), .size = 2}}}};
}

Specification generated_bodies() {
  return {
      "count", "Bodies generated at random positions with random orientations, without overlap.",
      chain({{.key = "count",
              .kind = ParameterKind::integer,
              .description = "Number of bodies.",
              .range = {.low = 1, .high = 1e7},
              .required = true},
             region_of("Box of the centres of mass. Bodies are generated without overlap with each other and "
                       "with boundaries.")},
            drawn_bodies(), velocities(), mass_and_supports())};
}

}  // namespace

ParameterSpec bodies_specification() {
  return {.key = "bodies",
          .kind = ParameterKind::list,
          .description = "Bodies, numbered from 0 in this order. Optional if the deck has inlets.",
          .fallback = Value::list_of({}),
          .members = {{.kind = ParameterKind::variant,
                       .variants = {generated_bodies(), bodies_of_a_file(), bodies_of_a_checkpoint(),
                                    body_with_motion(), single_body()}}}};
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
  ParameterSpec from = time("from", "Insertion time of the first body.");
  from.fallback = 0.0;
  return {
      .key = "inlets",
      .kind = ParameterKind::list,
      .description =
          "Regions in which bodies are inserted at a constant rate, with random position and orientation. "
          "A body without a free position stays pending and delays the bodies scheduled after it. "
          "Inserted bodies are numbered after those of the deck.",
      .fallback = Value::list_of({}),
      .members = {{.kind = ParameterKind::object,
                   .members = chain(
                       {name_of("name", "Unique name. Default: \"inlet 0\", ...", false),
                        region_of("Box of the centres of mass at insertion, without overlap with bodies and "
                                  "boundaries."),
                        {.key = "rate",
                         .kind = ParameterKind::variant,
                         .description = "Mass or number of bodies per second.",
                         .required = true,
                         .variants = {per_second("mass", "kg/s", "Mass"),
                                      per_second("number", "1/s", "Bodies")}},
                        from,
                        time("until", "End of insertion. Default: end of the run.")},
                       drawn_bodies(), velocities())}},
      .scope = scope::not_quasi_static(true, kNoTime)};
}

ParameterSpec outlets_specification() {
  return {
      .key = "outlets",
      .kind = ParameterKind::list,
      .description =
          "Regions in which bodies are removed: a body whose centre of mass lies inside after a time step "
          "is counted and removed.",
      .fallback = Value::list_of({}),
      .members = {{.kind = ParameterKind::object,
                   .members = {name_of("name", "Unique name. Default: \"outlet 0\", ...", false),
                               region_of("Box, including its faces.")}}},
      .scope = scope::not_quasi_static(true, kNoTime)};
}

ParameterSpec boundaries_specification() {
  const std::vector<ParameterSpec> first = {
      name_of("name", "Unique name. Default: \"boundary 0\", ...", false),
      name_of("material", "Name of a material.", true), group()};
  const ParameterSpec active{.key = "active",
                             .kind = ParameterKind::vector,
                             .unit = "s",
                             .description = "Active interval [from, until]. Default: always.",
                             .range = range::not_negative(),
                             .size = 2};
  std::vector<Specification> types = wall_specifications();
  for (Specification& type : types) {
    const std::vector<ParameterSpec> last = {active, motion_specification(type.name == "surface")};
    if (type.available) type.parameters = chain(first, type.parameters, last);
  }
  return {.key = "boundaries",
          .kind = ParameterKind::list,
          .description = "Walls, fixed or with prescribed motion.",
          .fallback = Value::list_of({}),
          .members = {{.kind = ParameterKind::variant, .variants = types, .selector = "type"}}};
}

ParameterSpec output_specification() {
  const auto every = [](bool required) {
    ParameterSpec p{.key = "every",
                    .unit = "s",
                    .description = "Simulated time between outputs; 0: every accepted step.",
                    .range = range::not_negative(),
                    .required = required};
    if (!required) p.fallback = 0.0;
    return p;
  };
  const Scope rigid = scope::contact_dynamics_only(true, "it applies to rigid contact");
  const ParameterSpec history{
      .kind = ParameterKind::object,
      .members = {{.key = "file",
                   .kind = ParameterKind::string,
                   .description = "CSV file in the output directory.",
                   .required = true},
                  {.key = "body",
                   .kind = ParameterKind::any_of,
                   .description = "History of a body: name, or number from 0.",
                   .members = {{.kind = ParameterKind::string},
                               {.kind = ParameterKind::integer, .range = range::not_negative()}}},
                  name_of("boundary", "History of a boundary: name.", false),
                  name_of("outlet", "History of an outlet: name.", false),
                  every(false),
                  {.key = "columns",
                   .kind = ParameterKind::list,
                   .description = "Columns. Default: all.",
                   .size = 1,
                   .members = {{.kind = ParameterKind::string, .description = "Name of a column."}}}}};
  return {
      .key = "output",
      .kind = ParameterKind::object,
      .description = "Output of a run.",
      .fallback = Value::object(),
      .members = {
          {.key = "directory",
           .kind = ParameterKind::string,
           .description = "Output directory, relative to the working directory. Default: \"results/\" and "
                          "the deck's name."},
          {.key = "vtk",
           .kind = ParameterKind::object,
           .description = "Bodies, boundaries and contacts for ParaView.",
           .members = {every(true)}},
          {.key = "histories",
           .kind = ParameterKind::list,
           .description = "History output: CSV time series of the system, a body, a boundary or an outlet.",
           .fallback = Value::list_of({}),
           .members = {history}},
          {.key = "contacts",
           .kind = ParameterKind::object,
           .description = "CSV files of all contacts.",
           .members = {every(true),
                       {.key = "lcp_forces",
                        .kind = ParameterKind::boolean,
                        .description =
                            "Contact dynamics: column \"fn_lcp\" with the normal forces of the LCP, before "
                            "compatibility.",
                        .fallback = false,
                        .scope = rigid},
                       {.key = "intervals",
                        .kind = ParameterKind::list,
                        .description =
                            "Contact dynamics: pairs of bodies, or body and boundary; columns \"fn_min\" and "
                            "\"fn_max\" contain the interval of admissible normal forces.",
                        .fallback = Value::list_of({}),
                        .members = {{.kind = ParameterKind::list,
                                     .description = "Pair.",
                                     .size = 2,
                                     .most = 2,
                                     .members = {{.kind = ParameterKind::any_of,
                                                  .description =
                                                      "Name of a body or boundary, or number of a body.",
                                                  .members = {{.kind = ParameterKind::string},
                                                              {.kind = ParameterKind::integer,
                                                               .range = range::not_negative()}}}}}},
                        .scope = rigid}}},
          {.key = "final_state",
           .kind = ParameterKind::string,
           .description = "CSV file of the final state; \"bodies\" can read it."},
          {.key = "checkpoint",
           .kind = ParameterKind::object,
           .description =
               "States from which the run can be continued (scree resume) or another run can start. Written "
               "at these intervals and at the end of the run, also after Ctrl-C or an error.",
           .members =
               {{.key = "every",
                 .unit = "s",
                 .description = "Interval in simulated time; 0: each accepted step.",
                 .range = range::not_negative()},
                {.key = "wall_clock",
                 .unit = "s",
                 .description =
                     "Interval in wall-clock time. The results of the run then depend on the speed of the "
                     "machine to the last bits.",
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
                 .choices = {"stop", "continue"}}}},
          unavailable_parameter("states")}};
}

}  // namespace scree

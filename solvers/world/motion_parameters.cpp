#include "solvers/world/motion_parameters.hpp"

#include <utility>

#include "core/error.hpp"

namespace scree {
namespace {

ParameterSpec three(const std::string& key, const std::string& unit, const std::string& description) {
  return {.key = key, .kind = ParameterKind::vector, .unit = unit, .description = description, .size = 3};
}

ParameterSpec about() {
  return three(
      "about", "m",
      "Centre of rotation at time 0; it moves with the displacement. Default: the \"point\" of the boundary "
      "(centre of a box, origin of a mesh, centre of mass of a body).");
}

}  // namespace

ParameterSpec motion_specification(bool may_be_coupled) {
  ParameterSpec motion{
      .key = "motion",
      .kind = ParameterKind::variant,
      .description = "Prescribed motion relative to the position in the deck. Default: fixed.",
      .variants = {
          {"table",
           "Motion table.",
           {{.key = "table",
             .kind = ParameterKind::string,
             .description = "CSV file, relative to the deck; columns time,x,y,z[,rx,ry,rz]: displacement [m] "
                            "and rotation vector [rad] relative to the position in the deck, linear between "
                            "the rows, constant before the first and after the last one.",
             .required = true},
            about()}},
          {"velocity",
           "Constant velocities.",
           {three("velocity", "m/s", "Velocity of the point \"about\"."),
            three("angular_velocity", "rad/s", "Angular velocity, global axes."), about()}}}};
  if (!may_be_coupled) return motion;
  return {
      .key = motion.key,
      .kind = ParameterKind::any_of,
      .description =
          "Prescribed motion relative to the position in the deck. \"coupled\": the vertices are moved by "
          "another program (docs/howto/coupling.md). Default: fixed.",
      .members = {{.kind = ParameterKind::string, .choices = {"coupled"}},
                  {.kind = ParameterKind::variant, .variants = std::move(motion.variants)}}};
}

BoundaryMotion motion_of(const Value& values, const Vec3& reference, const MotionTableReader& read_table) {
  BoundaryMotion motion;
  if (values.kind() == Value::Kind::string) {
    motion.coupled = values.string() == "coupled";
    return motion;
  }
  motion.about = values.has("about") ? values.vector("about") : reference;
  if (values.has("table")) {
    motion.table = read_table(values.at("table"));
    return motion;
  }
  if (!values.has("velocity") && !values.has("angular_velocity")) {
    throw InputError(values.where(),
                     "no motion defined; expected \"velocity\", \"angular_velocity\" or \"table\".");
  }
  if (values.has("velocity")) motion.velocity = values.vector("velocity");
  if (values.has("angular_velocity")) motion.angular_velocity = values.vector("angular_velocity");
  return motion;
}

}  // namespace scree

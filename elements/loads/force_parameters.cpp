#include "elements/loads/force_parameters.hpp"

#include "elements/loads/load_parameters.hpp"

namespace scree {

Specification force_specification() {
  Specification specification{"force", "A dead force at a point of a body.", dead_load_parameters("N")};
  specification.parameters.push_back({.key = "point",
                                      .kind = ParameterKind::vector,
                                      .unit = "m",
                                      .description = "Where it acts: body frame, from the centre of mass.",
                                      .fallback = Vec3(Vec3::Zero()),
                                      .size = 3});
  return specification;
}

}  // namespace scree

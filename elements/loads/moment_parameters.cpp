#include "elements/loads/moment_parameters.hpp"

#include "elements/loads/load_parameters.hpp"

namespace scree {

Specification moment_specification() {
  return {"moment", "A dead moment on a body.", dead_load_parameters("N m")};
}

}  // namespace scree

#include "contact/laws/law_parameters.hpp"

#include "contact/laws/barrier_parameters.hpp"

namespace scree::contact {

const std::vector<Registered<NormalLawFactory>>& registered_normal_laws() {
  static const std::vector<Registered<NormalLawFactory>> entries = {
      {barrier_specification(),
       [](const Value& values, Interface& interface) { interface.normal = barrier_parameters(values); }},
  };
  return entries;
}

std::vector<Specification> normal_law_specifications() {
  return specifications(registered_normal_laws(), {"hooke", "hertz", "rigid"});
}

}  // namespace scree::contact

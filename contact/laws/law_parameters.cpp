#include "contact/laws/law_parameters.hpp"

#include "contact/laws/barrier_parameters.hpp"
#include "contact/laws/hertz_parameters.hpp"
#include "contact/laws/hooke_parameters.hpp"
#include "contact/laws/rigid_parameters.hpp"

namespace scree::contact {

const std::vector<Registered<NormalLawFactory>>& registered_normal_laws() {
  static const std::vector<Registered<NormalLawFactory>> entries = {
      {barrier_specification(),
       [](const Value& values, Interface& interface, std::vector<Diagnostic>&) {
         interface.normal = barrier_parameters(values);
       }},
      {hooke_specification(),
       [](const Value& values, Interface& interface, std::vector<Diagnostic>& faults) {
         interface.overlap = hooke_parameters(values, faults);
       }},
      {hertz_specification(),
       [](const Value& values, Interface& interface, std::vector<Diagnostic>& faults) {
         interface.overlap = hertz_parameters(values, faults);
       }},
      {rigid_specification(),
       [](const Value& values, Interface& interface, std::vector<Diagnostic>& faults) {
         interface.overlap = rigid_parameters(values, faults);
       }},
  };
  return entries;
}

std::vector<Specification> normal_law_specifications() {
  return specifications(registered_normal_laws(), {});
}

}  // namespace scree::contact

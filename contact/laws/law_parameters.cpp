#include "contact/laws/law_parameters.hpp"

namespace scree::contact {
namespace {

template <class... Laws>
std::vector<Registered<NormalLawFactory>> entries_of(TypeList<Laws...> /*laws*/) {
  return {
      {Laws::specification(), [](const Value& values, Interface& interface, std::vector<Diagnostic>& faults) {
         interface.normal = Laws::parameters(values, faults);
       }}...};
}

}  // namespace

const std::vector<Registered<NormalLawFactory>>& registered_normal_laws() {
  static const std::vector<Registered<NormalLawFactory>> entries = entries_of(NormalLaws{});
  return entries;
}

std::vector<Specification> normal_law_specifications() {
  return specifications(registered_normal_laws(), {});
}

}  // namespace scree::contact

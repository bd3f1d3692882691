#include "contact/laws/law_parameters.hpp"

#include "core/text.hpp"

namespace scree::contact {
namespace {

template <class Law>
Specification specification_of() {
  Specification specification = Law::specification();
  if (Law::kTraits.rigid) {
    const auto others = law_names([](const LawTraits& law) { return !law.rigid; });
    specification.scope = scope::contact_dynamics_only(
        true, text::join("rigid contact has no stiffness; use ", text::enumeration(others, "or")));
  }
  return specification;
}

template <class... Laws>
std::vector<Registered<NormalLawFactory>> entries_of(TypeList<Laws...> /*laws*/) {
  return {{specification_of<Laws>(),
           [](const Value& values, Interface& interface, std::vector<Diagnostic>& faults) {
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

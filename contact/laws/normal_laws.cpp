#include "contact/laws/normal_laws.hpp"

#include <stdexcept>

#include "core/text.hpp"

namespace scree::contact {
namespace {

template <class Law, class... Others>
AnyNormalLaw make(const NormalParameters& parameters, TypeList<Law, Others...> /*laws*/) {
  if constexpr (sizeof...(Others) > 0) {
    if (!std::holds_alternative<typename Law::Parameters>(parameters))
      return make(parameters, TypeList<Others...>{});
  }
  return Law(std::get<typename Law::Parameters>(parameters));
}

template <class... Laws>
std::vector<const LawTraits*> all_traits(TypeList<Laws...> /*laws*/) {
  return {&Laws::kTraits...};
}

}  // namespace

AnyNormalLaw make_law(const NormalParameters& parameters) { return make(parameters, NormalLaws{}); }

const LawTraits& traits_of(const NormalParameters& parameters) {
  return *all_traits(NormalLaws{})[parameters.index()];
}

const LawTraits& traits_of(const std::string& name) {
  for (const LawTraits* traits : all_traits(NormalLaws{})) {
    if (name == traits->name) return *traits;
  }
  throw std::logic_error("unknown law " + name);
}

std::vector<std::string> law_names(bool (*is)(const LawTraits&)) {
  std::vector<std::string> names;
  for (const LawTraits* traits : all_traits(NormalLaws{})) {
    if (is(*traits)) names.emplace_back(traits->name);
  }
  return names;
}

std::string laws_in_words(bool (*is)(const LawTraits&)) {
  const std::vector<std::string> names = law_names(is);
  return (names.size() == 1 ? "the law " : "the laws ") + text::enumeration(names, "and");
}

}  // namespace scree::contact

#include "elements/loads/load_types.hpp"

namespace scree::elements {
namespace {

template <class Type>
Load make(const Value& values, [[maybe_unused]] BodyId body, std::vector<Diagnostic>& faults) {
  Type load = Type::read(values, faults);
  if constexpr (Type::kTraits.one_body) load.body = body;
  return load;
}

template <class... Types>
std::vector<Registered<LoadFactory>> entries_of(TypeList<Types...> /*loads*/) {
  return {{Types::specification(), &make<Types>}...};
}

template <class... Types>
std::vector<LoadTraits> all_traits(TypeList<Types...> /*loads*/) {
  return {Types::kTraits...};
}

}  // namespace

const std::vector<Registered<LoadFactory>>& registered_loads() {
  static const std::vector<Registered<LoadFactory>> entries = entries_of(LoadTypes{});
  return entries;
}

std::vector<Specification> load_specifications() { return specifications(registered_loads(), {}); }

std::vector<std::string> load_names(bool (*is)(const LoadTraits&)) {
  std::vector<std::string> names;
  for (const LoadTraits& traits : all_traits(LoadTypes{})) {
    if (is(traits)) names.emplace_back(traits.name);
  }
  return names;
}

}  // namespace scree::elements

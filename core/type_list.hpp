/// A closed set of types, written once: variants, tables of names and visits are made from it.
#pragma once

#include <utility>
#include <variant>

namespace scree {

template <class... Types>
struct TypeList {
  template <template <class...> class Template>
  using Into = Template<Types...>;
  /// The same of what `Of` makes of each type.
  template <template <class...> class Template, template <class> class Of>
  using IntoEach = Template<Of<Types>...>;
};

/// Calls `f` with what a variant holds. Unlike std::visit it compares inline and calls nothing through a
/// table: for hot paths. @returns what `f` returns, the same type for all alternatives.
template <std::size_t At = 0, class Variant, class F>
auto dispatch(Variant& variant, F&& f) -> decltype(f(std::get<0>(variant))) {
  if constexpr (At + 1 == std::variant_size_v<std::remove_const_t<Variant>>) {
    return f(*std::get_if<At>(&variant));
  } else {
    if (auto* held = std::get_if<At>(&variant)) return f(*held);
    return dispatch<At + 1>(variant, std::forward<F>(f));
  }
}

}  // namespace scree

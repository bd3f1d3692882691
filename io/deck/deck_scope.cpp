#include "io/deck/deck_scope.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "core/text.hpp"
#include "io/deck/deck_validation.hpp"

namespace scree {
namespace {

class ScopeCheck {
 public:
  ScopeCheck(std::string analysis, Diagnostics& diagnostics)
      : analysis_(std::move(analysis)), diagnostics_(diagnostics) {}

  void check(const Value& value, const ParameterSpec& parameter) {
    switch (parameter.kind) {
      case ParameterKind::object:
        check_members(value, parameter.members);
        break;
      case ParameterKind::list:
      case ParameterKind::map:
        for (const Value& item : value.items()) check(item, parameter.members.front());
        break;
      case ParameterKind::any_of:
        for (const ParameterSpec& member : parameter.members)
          if (is_of_kind(value, member)) return check(value, member);
        break;
      case ParameterKind::variant:
        check_variant(value, parameter);
        break;
      default:
        break;
    }
  }

  /// One note for all places of a key.
  void add_notes() {
    for (const Found& found : notes_) {
      const long more = found.count - 1;
      diagnostics_.note(
          found.where,
          more == 0 ? found.message : fmt::format("{} The same applies to {} more.", found.message, more));
    }
  }

 private:
  struct Found {
    std::string where, message;
    long count = 0;
  };

  void check_members(const Value& object, const std::vector<ParameterSpec>& members) {
    for (std::size_t k = 0; k < object.items().size(); ++k) {
      const Value& item = object.items()[k];
      if (item.is_default() || !is_complete(item)) continue;
      const auto spec = std::find_if(members.begin(), members.end(),
                                     [&](const ParameterSpec& m) { return m.key == object.keys()[k]; });
      if (spec == members.end()) continue;  // the selector of a variant
      // An explicit default requires nothing that could be missing.
      const auto is_off = [&] { return spec->fallback && to_text(item) == to_text(*spec->fallback); };
      if (!has_effect(spec->scope, item.where(), "", is_off)) {
        read_all(item);
      } else if (goes_with(object, members, *spec, item)) {
        check(item, *spec);
      }
    }
  }

  void check_variant(const Value& value, const ParameterSpec& parameter) {
    const Specification* variant = find_variant(value, parameter);
    if (variant == nullptr) return;
    const bool named = !parameter.selector.empty();
    const std::string where = named ? value.at(parameter.selector).where() : value.where();
    const std::string what = named ? fmt::format("\"{}\" ", variant->name) : "";
    if (has_effect(variant->scope, where, what, [] { return false; })) {
      check_members(value, variant->parameters);
    } else {
      read_all(value);
    }
  }

  /// @param what begins the message. @param is_off whether to make a note of what is refused otherwise.
  /// @returns false after a report.
  template <class IsOff>
  bool has_effect(const Scope& scope, const std::string& where, const std::string& what, IsOff&& is_off) {
    if (scope.includes(analysis_)) return true;
    if (scope.refused && !is_off()) {
      diagnostics_.error(
          where, fmt::format("{}cannot be combined with \"analysis\": \"{}\": {}. Valid with {}.", what,
                             analysis_, scope.reason, text::list(scope.analyses)));
    } else {
      const auto [it, is_new] = note_of_.try_emplace(&scope, notes_.size());
      if (is_new) notes_.emplace_back();
      Found& found = notes_[it->second];
      if (found.count++ == 0) {
        found.where = where;
        found.message = fmt::format("{}has no effect with \"analysis\": \"{}\": {}. Valid with {}.", what,
                                    analysis_, scope.reason, text::list(scope.analyses));
      }
    }
    return false;
  }

  /// Whether the key beside it that a key requires has one of the values that it may have.
  bool goes_with(const Value& object, const std::vector<ParameterSpec>& members, const ParameterSpec& spec,
                 const Value& item) {
    const Scope& scope = spec.scope;
    if (scope.beside.empty()) return true;
    const auto beside = std::find_if(members.begin(), members.end(),
                                     [&](const ParameterSpec& m) { return m.key == scope.beside; });
    if (!beside->scope.includes(analysis_)) return true;  // that key does not decide anything here
    const Value* other = object.find(scope.beside);
    if (other != nullptr && !is_complete(*other)) return true;
    const bool fits =
        other != nullptr && (scope.values.empty() || (other->kind() == Value::Kind::string &&
                                                      std::find(scope.values.begin(), scope.values.end(),
                                                                other->string()) != scope.values.end()));
    if (fits) return true;
    const std::string have = other == nullptr
                                 ? fmt::format("without \"{}\"", scope.beside)
                                 : fmt::format("with \"{}\": {}{}", scope.beside, to_text(*other),
                                               other->is_default() ? " (its default)" : "");
    diagnostics_.error(
        item.where(),
        fmt::format("has no effect {}; requires \"{}\"{}.", have, scope.beside,
                    scope.values.empty() ? std::string() : text::join(" ", text::list(scope.values))));
    return false;
  }

  /// What was reported is not reported again for not being read.
  static void read_all(const Value& value) {
    for (const Value& item : value.items()) read_all(item);
    if (value.kind() == Value::Kind::boolean) (void)value.boolean();
    if (value.kind() == Value::Kind::number) (void)value.number();
    if (value.kind() == Value::Kind::string) (void)value.string();
  }

  static bool is_of_kind(const Value& value, const ParameterSpec& parameter) {
    switch (parameter.kind) {
      case ParameterKind::object:
      case ParameterKind::variant:
      case ParameterKind::map:
        return value.kind() == Value::Kind::object;
      case ParameterKind::list:
      case ParameterKind::vector:
        return value.kind() == Value::Kind::list;
      default:
        return false;  // has no members
    }
  }

  std::string analysis_;
  Diagnostics& diagnostics_;
  std::vector<Found> notes_;
  std::map<const Scope*, std::size_t> note_of_;
};

}  // namespace

void check_scopes(const Value& deck, const ParameterSpec& specification, Diagnostics& diagnostics) {
  const Value* analysis = deck.find("analysis");
  if (analysis == nullptr || !is_complete(*analysis)) return;
  ScopeCheck check(analysis->string(), diagnostics);
  check.check(deck, specification);
  check.add_notes();
}

void check_all_read(const Value& deck, Diagnostics& diagnostics) {
  if (deck.is_default()) return;
  for (const Value& item : deck.items()) check_all_read(item, diagnostics);
  const bool is_leaf = deck.kind() == Value::Kind::boolean || deck.kind() == Value::Kind::number ||
                       deck.kind() == Value::Kind::string;
  if (!is_leaf || deck.was_read()) return;
  diagnostics.error(deck.where(), fmt::format("{} has no effect in this deck; remove it.", to_text(deck)));
}

}  // namespace scree

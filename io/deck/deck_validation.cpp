#include "io/deck/deck_validation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/text.hpp"

namespace scree {
namespace {

/// Unknown keys of an object that are reported one by one.
constexpr int kUnknownShown = 20;
/// Of what is named, and of the group that it is in.
constexpr const char* kNameKey = "name";
constexpr const char* kGroupKey = "group";
constexpr double kLargestInteger = 9007199254740992.0;  // 2^53

/// What stands for a value that is wrong.
Value wrong(const std::string& where) {
  Value value;
  value.set_where(where);
  return value;
}

Value::Kind kind_of(ParameterKind kind) {
  switch (kind) {
    case ParameterKind::boolean:
      return Value::Kind::boolean;
    case ParameterKind::number:
    case ParameterKind::integer:
      return Value::Kind::number;
    case ParameterKind::string:
      return Value::Kind::string;
    case ParameterKind::vector:
    case ParameterKind::list:
      return Value::Kind::list;
    case ParameterKind::map:
    case ParameterKind::object:
    case ParameterKind::variant:
      return Value::Kind::object;
    case ParameterKind::any_of:
      break;
  }
  return Value::Kind::null;
}

template <class Named>
std::vector<std::string> available_names(const std::vector<Named>& all) {
  std::vector<std::string> names;
  for (const auto& one : all) {
    if (!one.available) continue;
    if constexpr (requires { one.key; }) {
      names.push_back(one.key);
    } else {
      names.push_back(one.name);
    }
  }
  return names;
}

std::string not_available(const std::string& name, const std::vector<std::string>& available) {
  return fmt::format("\"{}\" is not available in this version; available: {}.", text::shortened(name),
                     available.empty() ? "none" : text::list(available));
}

/// A name out of a list of valid ones, as messages call it. @returns false after an error.
bool check_name(const Value& given, const std::vector<std::string>& available,
                const std::vector<std::string>& unavailable, Diagnostics& diagnostics) {
  const std::string& name = given.string();
  if (std::find(available.begin(), available.end(), name) != available.end()) return true;
  if (std::find(unavailable.begin(), unavailable.end(), name) != unavailable.end()) {
    diagnostics.error(given.where(), not_available(name, available));
    return false;
  }
  const std::string near = text::nearest(name, available);
  diagnostics.error(given.where(),
                    fmt::format("got \"{}\"; expected {}{}.{}", text::shortened(name),
                                available.size() == 1 ? "" : "one of ", text::list(available),
                                near.empty() ? "" : fmt::format(" Did you mean \"{}\"?", near)));
  return false;
}

Value mismatch(const Value& given, const ParameterSpec& specification, Diagnostics& diagnostics) {
  diagnostics.error(given.where(),
                    fmt::format("got {}; expected {}.", to_text(given), expectation(specification)));
  return wrong(given.where());
}

Value not_computable(const Value& given, Diagnostics& diagnostics) {
  diagnostics.error(given.where(), not_computable_fault(to_text(given)));
  return wrong(given.where());
}

/// @returns what is wrong with the name or the group that an entry gets; "" if nothing is, or for other keys.
std::string label_fault(const std::string& key, const std::string& label) {
  if (key == kGroupKey) return group_fault(label);
  if (key != kNameKey) return "";
  if (label.empty()) return "got \"\"; expected a name that is not empty.";
  return text::has_control_character(label) ? control_character_fault(label) : "";
}

bool is_whole(double value) { return std::floor(value) == value && std::abs(value) <= kLargestInteger; }

Value validate_number(const Value& given, const ParameterSpec& specification, Diagnostics& diagnostics) {
  const double value = given.number();
  const bool whole = specification.kind != ParameterKind::integer || is_whole(value);
  if (whole && std::isfinite(value) && specification.range.contains(value))
    return is_computable(value) ? given : not_computable(given, diagnostics);
  if (!whole && std::floor(value) == value && specification.range.contains(value)) {
    diagnostics.error(given.where(), fmt::format("got {}; expected {}, at most 2^53 in size.", to_text(given),
                                                 expectation(specification)));
    return wrong(given.where());
  }
  return mismatch(given, specification, diagnostics);
}

Value validate_vector(const Value& given, const ParameterSpec& specification, Diagnostics& diagnostics) {
  const auto& items = given.items();
  const bool good = static_cast<int>(items.size()) == specification.size &&
                    std::all_of(items.begin(), items.end(), [&](const Value& item) {
                      return item.kind() == Value::Kind::number && std::isfinite(item.number()) &&
                             specification.range.contains(item.number());
                    });
  if (!good) return mismatch(given, specification, diagnostics);
  const bool computable =
      std::all_of(items.begin(), items.end(), [](const Value& item) { return is_computable(item.number()); });
  return computable ? given : not_computable(given, diagnostics);
}

Value validate_list(const Value& given, const ParameterSpec& specification, Diagnostics& diagnostics) {
  const auto count = static_cast<int>(given.items().size());
  if (count < specification.size || (specification.most > 0 && count > specification.most)) {
    diagnostics.error(given.where(),
                      fmt::format("got {} items; expected {}.", count, item_count(specification)));
    return wrong(given.where());
  }
  Value checked = Value::list_of({});
  checked.set_where(given.where());
  for (const auto& item : given.items()) {
    checked.append(validate(item, specification.members.front(), diagnostics));
  }
  return checked;
}

Value validate_map(const Value& given, const ParameterSpec& specification, Diagnostics& diagnostics) {
  Value checked = Value::object();
  checked.set_where(given.where());
  for (std::size_t k = 0; k < given.items().size(); ++k) {
    const std::string& name = given.keys()[k];
    if (name.empty() || name == "*") {
      diagnostics.error(given.items()[k].where(), fmt::format("\"{}\" cannot be a name.", name));
    } else if (text::has_control_character(name)) {
      diagnostics.error(given.items()[k].where(), control_character_fault(name));
    }
    checked.append(name, validate(given.items()[k], specification.members.front(), diagnostics));
  }
  return checked;
}

/// Of an object that may have several forms.
struct OtherForms {
  std::vector<std::string> keys;     ///< of all forms
  std::string marker;                ///< key, or value of a key, that says which form this is
  std::vector<std::string> choices;  ///< markers of the others, where this form was taken for want of any
};

/// Puts checked members into `checked`.
void validate_members(const Value& given, const std::vector<ParameterSpec>& members, Value& checked,
                      const OtherForms& others, Diagnostics& diagnostics) {
  const auto valid = available_names(members);
  int unknown = 0;
  for (std::size_t k = 0; k < given.items().size(); ++k) {
    const Value& item = given.items()[k];
    const std::string& key = given.keys()[k];
    if (checked.has(key)) continue;
    const auto it =
        std::find_if(members.begin(), members.end(), [&](const ParameterSpec& m) { return m.key == key; });
    if (it != members.end() && it->available) {
      checked.append(key, validate(item, *it, diagnostics));
    } else if (it != members.end()) {
      diagnostics.error(item.where(), not_available(key, valid));
    } else if (std::find(others.keys.begin(), others.keys.end(), key) != others.keys.end()) {
      diagnostics.error(
          item.where(),
          fmt::format("not a key of \"{}\"{}.{}", others.marker,
                      valid.empty() ? ", which has none" : fmt::format(". Valid: {}", text::list(valid)),
                      given.has(others.marker) ? " Remove one of the two." : ""));
    } else if (++unknown <= kUnknownShown) {
      diagnostics.error(item.where(),
                        "unknown key." + text::suggestion(key, others.choices.empty() ? valid : others.keys));
    }
  }
  if (unknown > kUnknownShown)
    diagnostics.error(given.where(), fmt::format("{} more unknown keys.", unknown - kUnknownShown));
  for (const auto& member : members) {
    if (given.has(member.key) || !member.available) continue;
    if (member.required) {
      const bool marks = !others.choices.empty() && member.key == others.marker;
      diagnostics.error(given.where(),
                        fmt::format("\"{}\" is missing; expected {}{}.", member.key, expectation(member),
                                    marks ? fmt::format(" (or {})", text::list(others.choices)) : ""));
      checked.append(member.key, wrong(pointer_to(given.where(), member.key)));
    } else if (member.fallback) {
      // The default of a part is checked too: it may have defaults of its own.
      Value fallback = *member.fallback;
      fallback.set_where(pointer_to(given.where(), member.key));
      Value value = validate(fallback, member, diagnostics);
      value.set_default();
      checked.append(member.key, std::move(value));
    }
  }
}

/// @returns the keys that would say another form; none if a form needs no such key.
std::vector<std::string> other_markers(const std::vector<Specification>& variants,
                                       const Specification& taken) {
  std::vector<std::string> markers;
  for (const auto& variant : variants) {
    const bool marked =
        std::any_of(variant.parameters.begin(), variant.parameters.end(),
                    [&](const ParameterSpec& p) { return p.key == variant.name && p.required; });
    if (!marked) return {};
    if (variant.name != taken.name) markers.push_back(variant.name);
  }
  return markers;
}

const Specification* chosen_variant(const Value& given, const ParameterSpec& specification,
                                    Diagnostics& diagnostics) {
  if (const Specification* variant = find_variant(given, specification)) return variant;
  const auto available = available_names(specification.variants);
  const Value* name = given.find(specification.selector);
  if (name == nullptr) {
    diagnostics.error(given.where(), fmt::format("\"{}\" is missing; expected one of {}.",
                                                 specification.selector, text::list(available)));
    return nullptr;
  }
  if (name->kind() != Value::Kind::string) {
    diagnostics.error(name->where(),
                      fmt::format("got {}; expected one of {}.", to_text(*name), text::list(available)));
    return nullptr;
  }
  std::vector<std::string> unavailable;
  for (const auto& v : specification.variants) {
    if (!v.available) unavailable.push_back(v.name);
  }
  (void)check_name(*name, available, unavailable, diagnostics);
  return nullptr;
}

Value validate_variant(const Value& given, const ParameterSpec& specification, Diagnostics& diagnostics) {
  const Specification* variant = chosen_variant(given, specification, diagnostics);
  if (variant == nullptr) return wrong(given.where());
  Value checked = Value::object();
  checked.set_where(given.where());
  if (!specification.selector.empty())
    checked.append(specification.selector, given.at(specification.selector));
  OtherForms others;
  for (const auto& other : specification.variants) {
    for (const auto& parameter : other.parameters) {
      const bool known =
          std::find(others.keys.begin(), others.keys.end(), parameter.key) != others.keys.end();
      if (!known) others.keys.push_back(parameter.key);
    }
  }
  others.marker = specification.selector.empty() ? variant->name : given.at(specification.selector).string();
  if (specification.selector.empty() && !given.has(variant->name))
    others.choices = other_markers(specification.variants, *variant);
  validate_members(given, variant->parameters, checked, others, diagnostics);
  return checked;
}

Value validate_any_of(const Value& given, const ParameterSpec& specification, Diagnostics& diagnostics) {
  for (const auto& alternative : specification.members) {
    if (kind_of(alternative.kind) != given.kind()) continue;
    const std::vector<std::string>& choices = alternative.choices;
    const bool is_choice = given.kind() != Value::Kind::string || choices.empty() ||
                           std::find(choices.begin(), choices.end(), given.string()) != choices.end();
    if (alternative.available && !is_choice && text::nearest(given.string(), choices).empty())
      return mismatch(given, specification, diagnostics);
    if (alternative.available) return validate(given, alternative, diagnostics);
    diagnostics.error(given.where(), fmt::format("{} is not available in this version; available: {}.",
                                                 to_text(given), expectation(specification)));
    return wrong(given.where());
  }
  return mismatch(given, specification, diagnostics);
}

}  // namespace

Value validate(const Value& given, const ParameterSpec& specification, Diagnostics& diagnostics) {
  if (specification.kind == ParameterKind::any_of) return validate_any_of(given, specification, diagnostics);
  if (given.kind() != kind_of(specification.kind)) return mismatch(given, specification, diagnostics);
  switch (specification.kind) {
    case ParameterKind::number:
    case ParameterKind::integer:
      return validate_number(given, specification, diagnostics);
    case ParameterKind::vector:
      return validate_vector(given, specification, diagnostics);
    case ParameterKind::list:
      return validate_list(given, specification, diagnostics);
    case ParameterKind::map:
      return validate_map(given, specification, diagnostics);
    case ParameterKind::variant:
      return validate_variant(given, specification, diagnostics);
    case ParameterKind::string:
      if (const std::string fault = label_fault(specification.key, given.string()); !fault.empty()) {
        diagnostics.error(given.where(), fault);
        return wrong(given.where());
      }
      if (specification.choices.empty() || check_name(given, specification.choices, {}, diagnostics)) {
        return given;
      }
      return wrong(given.where());
    case ParameterKind::object: {
      Value checked = Value::object();
      checked.set_where(given.where());
      validate_members(given, specification.members, checked, {}, diagnostics);
      return checked;
    }
    case ParameterKind::boolean:
    case ParameterKind::any_of:
      break;
  }
  return given;
}

std::string control_character_fault(const std::string& name) {
  return fmt::format("got \"{}\"; expected a name without control characters.",
                     text::printable(text::shortened(name)));
}

std::string group_fault(const std::string& group) {
  if (!group.empty() && group.find_first_of("@*") == std::string::npos && !text::has_control_character(group))
    return "";
  return fmt::format("got \"{}\"; expected a name{} without control characters, \"@\" and \"*\".",
                     text::printable(text::shortened(group)), group.empty() ? " that is not empty," : "");
}

bool is_computable(double value) {
  const double size = std::abs(value);
  return size == 0 || (size >= kLeastNumber && size <= kLargestNumber);
}

std::string not_computable_fault(const std::string& number) {
  return fmt::format(
      "got {}; expected 0 or a magnitude between {} and {}: products of numbers beyond these do "
      "not fit into double precision.",
      text::shortened(number), kLeastNumber, kLargestNumber);
}

bool is_complete(const Value& value) {
  return value.kind() != Value::Kind::null &&
         std::all_of(value.items().begin(), value.items().end(), is_complete);
}

}  // namespace scree

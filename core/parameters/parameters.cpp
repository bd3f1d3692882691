#include "core/parameters/parameters.hpp"

#include <algorithm>
#include <cmath>

#include "core/text.hpp"

namespace scree {
namespace {

std::string with_unit_and_range(std::string what, const ParameterSpec& parameter) {
  if (!parameter.unit.empty() && parameter.unit != "-") what += text::join(" [", parameter.unit, ']');
  if (const std::string range = parameter.range.to_text(); !range.empty())
    what += (parameter.range.only.empty() ? " " : ": ") + range;
  return what;
}

std::string count(int number, const std::string& what) {
  if (number == 2) return "two " + what;
  if (number == 3) return "three " + what;
  return text::join(std::to_string(number), ' ', what);
}

}  // namespace

bool Range::contains(double value) const {
  if (!only.empty()) return std::find(only.begin(), only.end(), value) != only.end();
  const bool above = low_open ? value > low : value >= low;
  const bool below = high_open ? value < high : value <= high;
  return above && below;
}

std::string Range::to_text() const {
  if (!only.empty()) {
    std::vector<std::string> numbers;
    for (const double number : only) numbers.push_back(text::number(number));
    return text::enumeration(numbers, "or", false);
  }
  if (std::isinf(low) && std::isinf(high)) return "";
  if (std::isinf(high)) return text::join(low_open ? "> " : ">= ", text::number(low));
  if (std::isinf(low)) return text::join(high_open ? "< " : "<= ", text::number(high));
  return text::join("in ", low_open ? '(' : '[', text::number(low), ", ", text::number(high),
                    high_open ? ')' : ']');
}

bool Scope::includes(const std::string& analysis) const {
  return analyses.empty() || std::find(analyses.begin(), analyses.end(), analysis) != analyses.end();
}

const Specification* find_variant(const Value& value, const ParameterSpec& parameter) {
  const auto& variants = parameter.variants;
  if (parameter.selector.empty()) {
    const auto it = std::find_if(variants.begin(), variants.end(),
                                 [&](const Specification& v) { return value.has(v.name); });
    return it == variants.end() ? &variants.back() : &*it;
  }
  const Value* name = value.find(parameter.selector);
  if (name == nullptr || name->kind() != Value::Kind::string) return nullptr;
  const auto it = std::find_if(variants.begin(), variants.end(), [&](const Specification& v) {
    return v.available && v.name == name->string();
  });
  return it == variants.end() ? nullptr : &*it;
}

Specification unavailable_specification(const std::string& name) {
  return {.name = name, .description = "", .parameters = {}, .available = false};
}

ParameterSpec unavailable_parameter(const std::string& key) { return {.key = key, .available = false}; }

std::string scope_text(const Scope& scope) {
  std::string all;
  if (!scope.analyses.empty()) {
    all = text::join("Only with \"analysis\" ", text::list(scope.analyses), ", otherwise ",
                     scope.refused ? "an error." : "a note.");
  }
  if (scope.beside.empty()) return all;
  return text::join(all, all.empty() ? "" : " ", "Requires \"", scope.beside, '"',
                    scope.values.empty() ? std::string() : text::join(" ", text::list(scope.values)), '.');
}

std::string item_count(const ParameterSpec& list) {
  if (list.most > 0 && list.most == list.size) return std::to_string(list.size);
  if (list.most > 0) return text::join(std::to_string(list.size), " to ", std::to_string(list.most));
  return list.size > 0 ? text::join("at least ", std::to_string(list.size)) : "";
}

std::string expectation(const ParameterSpec& parameter) {
  switch (parameter.kind) {
    case ParameterKind::boolean:
      return "true or false";
    case ParameterKind::number:
      return with_unit_and_range("a number", parameter);
    case ParameterKind::integer:
      return with_unit_and_range("an integer", parameter);
    case ParameterKind::string:
      return parameter.choices.empty() ? "a string" : "one of " + text::list(parameter.choices);
    case ParameterKind::vector:
      return with_unit_and_range(count(parameter.size, "numbers"), parameter);
    case ParameterKind::list: {
      const std::string number = item_count(parameter);
      return text::join("a list", number.empty() ? "" : " of " + number, ": ",
                        expectation(parameter.members.front()));
    }
    case ParameterKind::map:
      return "an object with user-defined names";
    case ParameterKind::object: {
      std::vector<std::string> keys;
      for (const auto& member : parameter.members) {
        if (member.available) keys.push_back(member.key);
      }
      return "an object with " + text::list(keys);
    }
    case ParameterKind::any_of: {
      std::string all;
      for (const auto& member : parameter.members) {
        if (!member.available) continue;
        if (!all.empty()) all += ", or ";
        all += expectation(member);
      }
      return all;
    }
    case ParameterKind::variant: {
      std::vector<std::string> names;
      for (const auto& variant : parameter.variants) {
        if (variant.available) names.push_back(variant.name);
      }
      return parameter.selector.empty()
                 ? "an object with one of " + text::list(names)
                 : text::join("an object with \"", parameter.selector, "\" one of ", text::list(names));
    }
  }
  return "";
}

}  // namespace scree

#include "core/parameters.hpp"

#include <cmath>

#include "core/text.hpp"

namespace scree {
namespace {

std::string with_unit_and_range(std::string what, const ParameterSpec& parameter) {
  if (!parameter.unit.empty() && parameter.unit != "-") what += text::join(" [", parameter.unit, ']');
  if (const std::string range = parameter.range.to_text(); !range.empty()) what += ' ' + range;
  return what;
}

std::string count(int number, const std::string& what) {
  if (number == 2) return "two " + what;
  if (number == 3) return "three " + what;
  return text::join(std::to_string(number), ' ', what);
}

}  // namespace

bool Range::contains(double value) const {
  const bool above = low_open ? value > low : value >= low;
  const bool below = high_open ? value < high : value <= high;
  return above && below;
}

std::string Range::to_text() const {
  if (std::isinf(low) && std::isinf(high)) return "";
  if (std::isinf(high)) return text::join(low_open ? "> " : ">= ", text::number(low));
  if (std::isinf(low)) return text::join(high_open ? "< " : "<= ", text::number(high));
  return text::join("in ", low_open ? '(' : '[', text::number(low), ", ", text::number(high),
                    high_open ? ')' : ']');
}

Specification unavailable_specification(const std::string& name) {
  return {.name = name, .description = "", .parameters = {}, .available = false};
}

ParameterSpec unavailable_parameter(const std::string& key) { return {.key = key, .available = false}; }

std::string expectation(const ParameterSpec& parameter) {
  switch (parameter.kind) {
    case ParameterKind::boolean:
      return "true or false";
    case ParameterKind::number:
      return with_unit_and_range("a number", parameter);
    case ParameterKind::integer:
      return with_unit_and_range("a whole number", parameter);
    case ParameterKind::string:
      return parameter.choices.empty() ? "a string" : "one of " + text::list(parameter.choices);
    case ParameterKind::vector:
      return with_unit_and_range(count(parameter.size, "numbers"), parameter);
    case ParameterKind::list: {
      const std::string least =
          parameter.size > 0 ? text::join(" of ", std::to_string(parameter.size), " or more") : "";
      return text::join("a list", least, ": ", expectation(parameter.members.front()));
    }
    case ParameterKind::map:
      return "an object of names";
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

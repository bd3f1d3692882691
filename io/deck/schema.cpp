#include "io/deck/schema.hpp"

#include <cmath>
#include <nlohmann/json.hpp>

#include "io/deck/deck_specification.hpp"

namespace scree {
namespace {

using Json = nlohmann::ordered_json;

Json schema_of(const ParameterSpec& parameter);

Json json_of(const Value& value) {
  switch (value.kind()) {
    case Value::Kind::boolean:
      return value.boolean();
    case Value::Kind::number:
      if (std::floor(value.number()) == value.number()) return static_cast<long>(value.number());
      return value.number();
    case Value::Kind::string:
      return value.string();
    case Value::Kind::list: {
      Json list = Json::array();
      for (const auto& item : value.items()) list.push_back(json_of(item));
      return list;
    }
    case Value::Kind::object: {
      Json object = Json::object();
      for (std::size_t k = 0; k < value.items().size(); ++k)
        object[value.keys()[k]] = json_of(value.items()[k]);
      return object;
    }
    case Value::Kind::null:
      break;
  }
  return nullptr;
}

void add_range(Json& schema, const Range& range) {
  if (!range.only.empty()) schema["enum"] = std::vector<double>(range.only.begin(), range.only.end());
  if (std::isfinite(range.low)) schema[range.low_open ? "exclusiveMinimum" : "minimum"] = range.low;
  if (std::isfinite(range.high)) schema[range.high_open ? "exclusiveMaximum" : "maximum"] = range.high;
}

/// Where the thing has an effect: for readers, and for programs.
void add_scope(Json& schema, std::string& description, const Scope& scope) {
  const std::string text = scope_text(scope);
  if (!text.empty()) description += (description.empty() ? "" : " ") + text;
  if (!scope.analyses.empty())
    schema["x-analysis"] = {{"effect", scope.analyses}, {"otherwise", scope.refused ? "error" : "note"}};
  if (!scope.beside.empty()) schema["x-requires"] = {{scope.beside, scope.values}};
}

/// An object with these keys and no others. @param selector with the variant's name, "" for none.
Json object_of(const std::vector<ParameterSpec>& members, const std::string& selector,
               const std::string& variant) {
  Json properties = Json::object(), required = Json::array();
  if (!selector.empty()) {
    properties[selector] = {{"const", variant}};
    required.push_back(selector);
  }
  for (const auto& member : members) {
    if (!member.available) continue;
    properties[member.key] = schema_of(member);
    if (member.required) required.push_back(member.key);
  }
  return {{"type", "object"},
          {"properties", properties},
          {"required", required},
          {"additionalProperties", false}};
}

Json variants_of(const ParameterSpec& parameter) {
  Json alternatives = Json::array();
  for (const auto& variant : parameter.variants) {
    if (!variant.available) continue;
    Json one = object_of(variant.parameters, parameter.selector, variant.name);
    std::string description = variant.description;
    add_scope(one, description, variant.scope);
    one["description"] = description;
    alternatives.push_back(std::move(one));
  }
  return {{"oneOf", alternatives}};
}

Json alternatives_of(const ParameterSpec& parameter) {
  Json alternatives = Json::array();
  for (const auto& member : parameter.members) {
    if (member.available) alternatives.push_back(schema_of(member));
  }
  return {{"anyOf", alternatives}};
}

Json bare_schema_of(const ParameterSpec& parameter) {
  switch (parameter.kind) {
    case ParameterKind::boolean:
      return {{"type", "boolean"}};
    case ParameterKind::number:
    case ParameterKind::integer: {
      Json schema = {{"type", parameter.kind == ParameterKind::integer ? "integer" : "number"}};
      add_range(schema, parameter.range);
      return schema;
    }
    case ParameterKind::string: {
      Json schema = {{"type", "string"}};
      if (!parameter.choices.empty()) schema["enum"] = parameter.choices;
      return schema;
    }
    case ParameterKind::vector: {
      Json item = {{"type", "number"}};
      add_range(item, parameter.range);
      return {{"type", "array"}, {"items", item}, {"minItems", parameter.size}, {"maxItems", parameter.size}};
    }
    case ParameterKind::list: {
      Json schema = {{"type", "array"}, {"items", schema_of(parameter.members.front())}};
      if (parameter.size > 0) schema["minItems"] = parameter.size;
      if (parameter.most > 0) schema["maxItems"] = parameter.most;
      return schema;
    }
    case ParameterKind::map:
      return {{"type", "object"}, {"additionalProperties", schema_of(parameter.members.front())}};
    case ParameterKind::object:
      return object_of(parameter.members, "", "");
    case ParameterKind::any_of:
      return alternatives_of(parameter);
    case ParameterKind::variant:
      break;
  }
  return variants_of(parameter);
}

Json schema_of(const ParameterSpec& parameter) {
  Json schema = bare_schema_of(parameter);
  std::string description = parameter.description;
  if (!parameter.unit.empty()) description += (description.empty() ? "[" : " [") + parameter.unit + "]";
  add_scope(schema, description, parameter.scope);
  if (!description.empty()) schema["description"] = description;
  if (parameter.fallback) schema["default"] = json_of(*parameter.fallback);
  return schema;
}

}  // namespace

std::string json_schema() {
  Json schema = {{"$schema", "https://json-schema.org/draft/2020-12/schema"}, {"title", "Scree deck"}};
  schema.update(schema_of(deck_specification()));
  return schema.dump(2) + "\n";
}

}  // namespace scree

#include "io/deck/schema.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "io/deck/deck_fixture.hpp"
#include "io/deck/deck_specification.hpp"
#include "io/deck/input_file.hpp"

namespace scree {
namespace {

using nlohmann::json;

/// The part of JSON Schema that ours uses. @returns whether the value is allowed.
bool allows(const json& schema, const json& value) {
  const auto count = [&](const char* key) {
    return std::count_if(schema[key].begin(), schema[key].end(),
                         [&](const json& s) { return allows(s, value); });
  };
  if (schema.contains("oneOf") && count("oneOf") != 1) return false;
  if (schema.contains("anyOf") && count("anyOf") == 0) return false;
  if (schema.contains("const") && schema["const"] != value) return false;
  if (schema.contains("enum") &&
      std::find(schema["enum"].begin(), schema["enum"].end(), value) == schema["enum"].end()) {
    return false;
  }
  const std::string type = schema.value("type", "");
  if (type == "string" && !value.is_string()) return false;
  if (type == "boolean" && !value.is_boolean()) return false;
  if (type == "number" || type == "integer") {
    if (!value.is_number()) return false;
    const double x = value.get<double>();
    if (type == "integer" && std::floor(x) != x) return false;
    if (schema.contains("minimum") && x < schema["minimum"].get<double>()) return false;
    if (schema.contains("maximum") && x > schema["maximum"].get<double>()) return false;
    if (schema.contains("exclusiveMinimum") && x <= schema["exclusiveMinimum"].get<double>()) return false;
    if (schema.contains("exclusiveMaximum") && x >= schema["exclusiveMaximum"].get<double>()) return false;
  }
  if (type == "array") {
    if (!value.is_array() || value.size() < schema.value("minItems", 0u)) return false;
    if (schema.contains("maxItems") && value.size() > schema["maxItems"].get<std::size_t>()) return false;
    return std::all_of(value.begin(), value.end(), [&](const json& v) { return allows(schema["items"], v); });
  }
  if (type != "object") return true;
  if (!value.is_object()) return false;
  const json none = json::object();
  const json& properties = schema.contains("properties") ? schema["properties"] : none;
  for (const auto& key : schema.value("required", json::array())) {
    if (!value.contains(key.get<std::string>())) return false;
  }
  return std::all_of(value.items().begin(), value.items().end(), [&](const auto& item) {
    if (properties.contains(item.key())) return allows(properties[item.key()], item.value());
    const json& more = schema["additionalProperties"];
    return more.is_object() && allows(more, item.value());
  });
}

void expect_keys(const json& schema, const std::vector<ParameterSpec>& members, const std::string& path);

/// Every key of the specification is in the schema, at its place; no unavailable one is.
void expect_described(const json& schema, const ParameterSpec& p, const std::string& path) {
  switch (p.kind) {
    case ParameterKind::object:
      expect_keys(schema, p.members, path);
      break;
    case ParameterKind::list:
      expect_described(schema["items"], p.members.front(), path + "[]");
      break;
    case ParameterKind::map:
      expect_described(schema["additionalProperties"], p.members.front(), path + ".*");
      break;
    case ParameterKind::any_of: {
      std::size_t at = 0;
      for (const auto& member : p.members) {
        if (member.available) expect_described(schema["anyOf"][at++], member, path);
      }
      EXPECT_EQ(schema["anyOf"].size(), at) << path;
      break;
    }
    case ParameterKind::variant: {
      std::size_t at = 0;
      for (const auto& variant : p.variants) {
        if (variant.available)
          expect_keys(schema["oneOf"][at++], variant.parameters, path + ":" + variant.name);
      }
      EXPECT_EQ(schema["oneOf"].size(), at) << path;
      break;
    }
    default:
      EXPECT_TRUE(schema.contains("type")) << path;
  }
}

void expect_keys(const json& schema, const std::vector<ParameterSpec>& members, const std::string& path) {
  for (const auto& member : members) {
    const std::string below = path + "/" + member.key;
    ASSERT_EQ(schema["properties"].contains(member.key), member.available) << below;
    if (!member.available) continue;
    const auto& required = schema["required"];
    EXPECT_EQ(std::find(required.begin(), required.end(), member.key) != required.end(), member.required)
        << below;
    EXPECT_EQ(schema["properties"][member.key].contains("default"), member.fallback.has_value()) << below;
    expect_described(schema["properties"][member.key], member, below);
  }
}

TEST(Schema, HasEveryKeyOfTheSpecification) {
  const json schema = json::parse(json_schema());
  EXPECT_EQ(schema["$schema"], "https://json-schema.org/draft/2020-12/schema");
  expect_described(schema, deck_specification(), "");
}

TEST(Schema, AllowsTheGoodDeckAndThoseOfThisRepository) {
  const json schema = json::parse(json_schema());
  EXPECT_TRUE(allows(schema, test::good_deck()));
  for (const auto& entry : std::filesystem::recursive_directory_iterator(SCREE_SOURCE_DIR "/inputs")) {
    if (entry.path().extension() != ".json") continue;
    const auto text = read_text_file(entry.path(), entry.path().string());
    EXPECT_TRUE(allows(schema, json::parse(text, nullptr, true, true))) << entry.path();
  }
}

TEST(Schema, MayBeNamedByTheDeck) {
  json deck = test::good_deck();
  deck["$schema"] = "scree.schema.json";
  EXPECT_TRUE(allows(json::parse(json_schema()), deck));
  const test::Folder folder;
  EXPECT_EQ(test::complaints(folder, deck.dump()), "");
}

TEST(Schema, RefusesWhatTheValidatorRefuses) {
  const json schema = json::parse(json_schema());
  const test::Folder folder;
  for (const auto& [pointer, value] :
       std::vector<std::pair<const char*, const char*>>{{"/wind", "1"},
                                                        {"/time/end", "0"},
                                                        {"/time/step", "-1"},
                                                        {"/gravity", "[0, 1]"},
                                                        {"/units", "\"mm\""},
                                                        {"/materials/rock/poisson", "0.7"},
                                                        {"/shapes/ball/type", "\"cone\""},
                                                        {"/shapes/ball/size", "1"},
                                                        {"/bodies/2/count", "1.5"},
                                                        {"/bodies/0/fixed", "[\"w\"]"},
                                                        {"/bodies/0/region", "{}"},
                                                        {"/interfaces/0/normal/barrier_fraction", "1"},
                                                        {"/interfaces/0/normal/law", "\"hooke\""},
                                                        {"/boundaries/0/motion", "1"},
                                                        {"/boundaries/0/motion", "\"coupled\""},
                                                        {"/solver/linear", "\"fast\""},
                                                        {"/output/vtk", "{}"}}) {
    json deck = test::good_deck();
    deck[json::json_pointer(pointer)] = json::parse(value);
    EXPECT_FALSE(allows(schema, deck)) << pointer;
    EXPECT_NE(test::complaints(folder, deck.dump()), "") << pointer;
  }
}

TEST(Reference, InputPageIsThatOfThisProgram) {
  const std::string page = read_text_file(SCREE_SOURCE_DIR "/docs/input.md", "docs/input.md");
  EXPECT_TRUE(page == input_reference()) << "docs/input.md is stale: scree schema --markdown > docs/input.md";
}

}  // namespace
}  // namespace scree

/// Keys without effect: reported by the table in the specification, whatever the key.
#include "io/deck/deck_scope.hpp"

#include <gtest/gtest.h>

#include <map>

#include "io/deck/deck_fixture.hpp"
#include "io/deck/deck_specification.hpp"
#include "io/deck/deck_validation.hpp"
#include "io/deck/json_reader.hpp"

namespace scree {
namespace {

using nlohmann::json;

const std::vector<std::string> kAnalyses = {scope::kDynamic, scope::kQuasiStatic, scope::kContactDynamics};

/// A value that a key may have; what it means does not matter here.
json sample(const ParameterSpec& parameter);

json members_of(const std::vector<ParameterSpec>& members) {
  json object = json::object();
  for (const ParameterSpec& member : members)
    if (member.required && member.available) object[member.key] = sample(member);
  return object;
}

json variant_of(const ParameterSpec& parameter, const Specification& variant) {
  json object = members_of(variant.parameters);
  if (!parameter.selector.empty()) object[parameter.selector] = variant.name;
  return object;
}

double number_in(const Range& range) {
  if (range.contains(1)) return 1;
  if (range.contains(0.5)) return 0.5;
  return std::isfinite(range.low) ? range.low + (range.low_open ? 1 : 0) : range.high - 1;
}

json sample(const ParameterSpec& parameter) {
  switch (parameter.kind) {
    case ParameterKind::boolean:
      return true;
    case ParameterKind::number:
    case ParameterKind::integer:
      return number_in(parameter.range);
    case ParameterKind::string:
      return parameter.choices.empty() ? "name" : parameter.choices.back();
    case ParameterKind::vector:
      return json(std::vector<double>(static_cast<std::size_t>(parameter.size), number_in(parameter.range)));
    case ParameterKind::list: {
      json list = json::array();
      for (int k = 0; k < std::max(parameter.size, 1); ++k) list.push_back(sample(parameter.members.front()));
      return list;
    }
    case ParameterKind::map:
      return {{"name", sample(parameter.members.front())}};
    case ParameterKind::object:
      return members_of(parameter.members);
    case ParameterKind::any_of:
      return sample(parameter.members.front());
    case ParameterKind::variant:
      break;
  }
  return variant_of(parameter, parameter.variants.back());
}

/// Decks, each with one key that not every run has use for.
struct Use {
  json deck;            ///< without "analysis"
  std::string pointer;  ///< where a report of it stands
  Scope scope;
  bool is_default = false;  ///< the value is the key's default
};

/// Goes through the specification, and makes a deck for each key with a scope.
class Uses {
 public:
  Uses() { members(deck_specification().members, members_of(deck_specification().members), ""); }

  std::vector<Use> all;

 private:
  void members(const std::vector<ParameterSpec>& list, const json& object, const std::string& path) {
    for (const ParameterSpec& member : list) {
      if (!member.available) continue;
      const json value = sample(member);
      put(path, object);
      put(path + '/' + member.key, value);
      if (!member.scope.beside.empty() && !member.scope.values.empty())
        put(path + '/' + member.scope.beside, member.scope.values.front());
      const json before = deck_;
      if (!member.scope.analyses.empty())
        all.push_back(
            {deck_, path + '/' + member.key, member.scope, member.fallback && number_or_text(member, value)});
      if (member.scope.analyses.empty()) below(member, path + '/' + member.key);
      deck_ = before;
      take(path + '/' + member.key);
    }
  }

  static bool number_or_text(const ParameterSpec& member, const json& value) {
    const auto& fallback = *member.fallback;
    if (value.is_number()) return value.get<double>() == fallback.number();
    return value.is_string() && value.get<std::string>() == fallback.string();
  }

  void below(const ParameterSpec& parameter, const std::string& path) {
    switch (parameter.kind) {
      case ParameterKind::object:
        members(parameter.members, members_of(parameter.members), path);
        break;
      case ParameterKind::list:
        below(parameter.members.front(), path + "/0");
        break;
      case ParameterKind::map:
        below(parameter.members.front(), path + "/name");
        break;
      case ParameterKind::any_of:
        for (const auto& member : parameter.members) {
          if (member.kind != ParameterKind::object && member.kind != ParameterKind::list) continue;
          put(path, sample(member));
          below(member, path);
        }
        break;
      case ParameterKind::variant:
        for (const auto& variant : parameter.variants) {
          if (!variant.available) continue;
          const json object = variant_of(parameter, variant);
          put(path, object);
          if (!variant.scope.analyses.empty())
            all.push_back({deck_, path + '/' + parameter.selector, variant.scope});
          members(variant.parameters, object, path);
        }
        break;
      default:
        break;
    }
  }

  void put(const std::string& path, const json& value) { deck_[json::json_pointer(path)] = value; }
  void take(const std::string& path) {
    const json::json_pointer pointer(path);
    deck_[pointer.parent_pointer()].erase(pointer.back());
  }

  json deck_ = json::object();
};

TEST(Scopes, EveryKeyIsReportedWithTheAnalysesInWhichItHasNoEffectAndWithNoOther) {
  const Uses uses;
  ASSERT_GT(uses.all.size(), 40U);
  std::map<std::string, int> outcomes;
  for (const Use& use : uses.all) {
    for (const std::string& analysis : kAnalyses) {
      json deck = use.deck;
      deck["analysis"] = analysis;
      Diagnostics diagnostics("d");
      const Value checked =
          validate(parse_json(deck.dump(), "d", diagnostics), deck_specification(), diagnostics);
      ASSERT_NO_THROW(diagnostics.throw_errors()) << deck;
      check_scopes(checked, deck_specification(), diagnostics);
      std::string errors, notes;
      try {
        diagnostics.throw_errors();
      } catch (const InputError& error) {
        errors = std::string(error.what()) + '\n';
      }
      for (const std::string& note : diagnostics.notes()) notes += note + '\n';
      const std::string place = use.pointer + ": ";
      const bool is_error = errors.find("d: " + place) != std::string::npos;
      const bool is_note = notes.find(place) != std::string::npos;
      // A law or load that is refused itself says nothing of its keys.
      const bool is_covered = errors.find("cannot be combined") != std::string::npos ||
                              notes.find("has no effect") != std::string::npos;
      const bool has_effect = use.scope.includes(analysis);
      const bool refused = use.scope.refused && !use.is_default;
      if (has_effect) {
        EXPECT_FALSE(is_error || is_note) << place << analysis << '\n' << errors << notes;
      } else if (refused) {
        EXPECT_TRUE(is_error || is_covered) << place << analysis << '\n' << deck;
        EXPECT_FALSE(is_note) << place << analysis;
      } else {
        EXPECT_TRUE(is_note || is_covered) << place << analysis << '\n' << deck;
        EXPECT_FALSE(is_error) << errors;
      }
      ++outcomes[is_error ? "error" : is_note ? "note" : "effect"];
    }
  }
  EXPECT_GT(outcomes["error"], 10);
  EXPECT_GT(outcomes["note"], 20);
  EXPECT_GT(outcomes["effect"], 40);
}

TEST(Scopes, AKeyThatNothingReadIsAnError) {
  const ParameterSpec specification{
      .kind = ParameterKind::object,
      .members = {{.key = "read"}, {.key = "forgotten"}, {.key = "left_out", .fallback = 1.0}}};
  Diagnostics diagnostics("d");
  const Value given = parse_json(R"({"read": 1, "forgotten": 2})", "d", diagnostics);
  const Value checked = validate(given, specification, diagnostics);
  EXPECT_EQ(checked.number("read"), 1);
  check_all_read(checked, diagnostics);
  try {
    diagnostics.throw_errors();
    FAIL() << "nothing was reported";
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(), "d: /forgotten: 2 has no effect in this deck; remove it.");
  }
}

}  // namespace
}  // namespace scree

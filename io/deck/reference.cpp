#include <fmt/format.h>

#include <set>

#include "core/text.hpp"
#include "io/deck/deck_specification.hpp"
#include "io/deck/schema.hpp"

namespace scree {
namespace {

std::string type_of(const ParameterSpec& parameter) {
  switch (parameter.kind) {
    case ParameterKind::boolean:
      return "true or false";
    case ParameterKind::number:
      return "number";
    case ParameterKind::integer:
      return "integer";
    case ParameterKind::string:
      return parameter.choices.empty() ? "string" : text::list(parameter.choices);
    case ParameterKind::vector:
      return fmt::format("{} numbers", parameter.size);
    case ParameterKind::list:
      return fmt::format("list of: {}", type_of(parameter.members.front()));
    case ParameterKind::map:
      return "object: name to object";
    case ParameterKind::object:
    case ParameterKind::variant:
      return "object";
    case ParameterKind::any_of:
      break;
  }
  std::string all;
  for (const auto& member : parameter.members) {
    if (member.available) all += (all.empty() ? "" : ", or ") + type_of(member);
  }
  return all;
}

/// Range of a number, or of the first alternative that has one.
std::string range_of(const ParameterSpec& parameter) {
  std::string range = parameter.range.to_text();
  if (parameter.kind != ParameterKind::any_of) return range;
  for (const auto& member : parameter.members) {
    if (member.available && range.empty()) range = member.range.to_text();
  }
  return range;
}

std::string default_of(const ParameterSpec& parameter) {
  if (parameter.required) return "required";
  if (!parameter.fallback) return "";
  return text::join('`', to_text(*parameter.fallback), '`');
}

std::string with_scope(const std::string& description, const Scope& scope) {
  const std::string limits = scope_text(scope);
  return description + (description.empty() || limits.empty() ? "" : " ") + limits;
}

/// One row for each key, or variant, that has no effect in some analysis.
class ScopeTable {
 public:
  void add(const std::string& path, const ParameterSpec& parameter) {
    if (!parameter.available || add_row(path, parameter.scope)) return;
    switch (parameter.kind) {
      case ParameterKind::object:
        for (const auto& member : parameter.members) add(path + "." + member.key, member);
        break;
      case ParameterKind::list:
        add(path + "[]", parameter.members.front());
        break;
      case ParameterKind::map:
        add(path + ".NAME", parameter.members.front());
        break;
      case ParameterKind::any_of:
        for (const auto& member : parameter.members) add(path, member);
        break;
      case ParameterKind::variant:
        for (const auto& variant : parameter.variants) {
          const std::string one =
              parameter.selector.empty() ? path : fmt::format("{}({})", path, variant.name);
          (void)add_row(one, variant.scope);
          for (const auto& member : variant.parameters) add(one + "." + member.key, member);
        }
        break;
      default:
        break;
    }
  }

  [[nodiscard]] const std::string& rows() const { return rows_; }

 private:
  /// @returns whether the key itself has a row: then what is below it has none.
  bool add_row(const std::string& path, const Scope& scope) {
    if (scope.analyses.empty()) return false;
    std::string row = fmt::format("| `{}`", path);
    for (const std::string& analysis : {scope::kDynamic, scope::kQuasiStatic, scope::kContactDynamics})
      row += scope.includes(analysis) ? " | yes" : scope.refused ? " | error" : " | note";
    row += fmt::format(" | {} |\n", scope.reason);
    if (seen_.insert(row).second) rows_ += row;  // forms of one entry share keys
    return true;
  }

  std::set<std::string> seen_;
  std::string rows_;
};

/// Notes of io/build/builder_analysis.cpp (check_integrator).
constexpr const char* kOfEnergy = R"(
| without effect with `"integrator": {"type": "energy"}` | condition | why |
| --- | --- | --- |
| `interfaces[].normal.no_tension` | beside `restitution` | impacts have this restitution, without a dashpot |
| `interfaces[].friction.damping` | beside a spring | no tangential dashpots |
| `interfaces[].friction.damping_ratio` | always | no tangential dashpots; without spring it is 0 |
| `interfaces[].friction.limit` | "spring", "stored" | no tangential dashpots |
| `interfaces[].friction.spring` | "slip", "force" | the spring is always "dissipative" |
| `interfaces[].friction.limiting_force` | always | the limit follows the normal impulse after the impact |
)";

std::string scope_section() {
  ScopeTable table;
  for (const auto& member : deck_specification().members) table.add(member.key, member);
  return "\n## Keys without effect\n\n"
         "No key is ignored. A key that has no effect because of another key of the deck (a law, a type, a "
         "value beside it) is an error.\nA key of a contact law that has no effect with the integrator "
         "\"energy\" is a note; they are in the table at the end.\n"
         "A key that has no effect because of `analysis` is a note in the log if the run still does what the "
         "deck "
         "describes, so that one deck\ncan serve several analyses; otherwise it is an error. Unused parts (a "
         "material, an interface between materials\nthat never come into contact, an interval that "
         "begins after the end, a coefficient of 0, a motion of 0, "
         "\"no_tension\" without damping,\n\"damping_ratio\" of friction without \"stiffness\", "
         "\"limit\" and \"limiting_force\" of friction without damping, \"mass\" of a fixed body, "
         "\"face_radius\" of an ellipsoid, \"shape\" and \"material\" beside such columns of a file) are "
         "notes.\n"
         "`scree check` prints the notes and finds all errors that `scree run` finds before its first "
         "step.\n\n"
         "| key | dynamic | quasi-static | contact-dynamics | why |\n| --- | --- | --- | --- | --- |\n" +
         table.rows() + kOfEnergy;
}

/// Pages of one key after the other: a table, then what is below each of its rows.
class Page {
 public:
  void add_members(const std::string& path, const std::vector<ParameterSpec>& members) {
    std::string missing;
    text_ += "\n| key | type | unit | range | default | meaning |\n| --- | --- | --- | --- | --- | --- |\n";
    for (const auto& m : members) {
      if (!m.available) {
        missing += fmt::format("{}`{}`", missing.empty() ? "" : ", ", m.key);
        continue;
      }
      text_ += fmt::format("| `{}` | {} | {} | {} | {} | {} |\n", m.key, type_of(m), m.unit, range_of(m),
                           default_of(m), with_scope(m.description, m.scope));
    }
    if (!missing.empty()) text_ += fmt::format("\nNot available in this version: {}.\n", missing);
    for (const auto& m : members) {
      if (m.available) add_below(path.empty() ? m.key : path + "." + m.key, m);
    }
  }

  std::string take() { return std::move(text_); }

 private:
  void heading(const std::string& path, const std::string& description) {
    text_ += fmt::format("\n## `{}`\n{}{}", path, description.empty() ? "" : "\n" + description,
                         description.empty() ? "" : "\n");
  }

  void add_below(const std::string& path, const ParameterSpec& parameter) {
    switch (parameter.kind) {
      case ParameterKind::object:
        heading(path, parameter.description);
        add_members(path, parameter.members);
        break;
      case ParameterKind::list:
        add_below(path + "[]", parameter.members.front());
        break;
      case ParameterKind::map:
        add_below(path + ".NAME", parameter.members.front());
        break;
      case ParameterKind::any_of:
        for (const auto& member : parameter.members) {
          if (member.available) add_below(path, member);
        }
        break;
      case ParameterKind::variant:
        add_variants(path, parameter);
        break;
      default:
        break;
    }
  }

  void add_variants(const std::string& path, const ParameterSpec& parameter) {
    std::string missing;
    for (const auto& variant : parameter.variants) {
      const std::string mark = parameter.selector.empty()
                                   ? fmt::format("with \"{}\"", variant.name)
                                   : fmt::format("\"{}\": \"{}\"", parameter.selector, variant.name);
      if (!variant.available) {
        missing += fmt::format("{}`{}`", missing.empty() ? "" : ", ", variant.name);
        continue;
      }
      heading(fmt::format("{} {}", path, mark), with_scope(variant.description, variant.scope));
      add_members(path, variant.parameters);
    }
    if (!missing.empty()) text_ += fmt::format("\n`{}` not available in this version: {}.\n", path, missing);
  }

  std::string text_;
};

}  // namespace

std::string input_reference() {
  Page page;
  page.add_members("", deck_specification().members);
  return "# Input\n\n<!-- Written by `scree schema --markdown`: do not edit. -->\n\n"
         "A deck is one JSON file; comments `//` and `/* */` are allowed. SI units; angles in degrees only "
         "if "
         "the key ends in\n`_deg`. Input files are relative to the deck, `output.directory` to the working "
         "directory, all other output files to\n`output.directory`. `scree check DECK` reports all errors of "
         "a "
         "deck at once.\n" +
         page.take() + scope_section();
}

}  // namespace scree

/// For tests of contact laws: interfaces made from the specification of every registered law and of
/// friction, so that a law that is registered is tested without writing a test.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "contact/laws/friction_parameters.hpp"
#include "contact/laws/interface_law.hpp"
#include "contact/laws/law_parameters.hpp"
#include "contact/laws/rolling_parameters.hpp"

namespace scree::contact::testing {

struct NamedInterface {
  std::string name;
  Interface interface;
};

/// Some value in the range of a key, of a size that suits bodies of about 0.1 m.
inline Value sample(const ParameterSpec& p) {
  if (!p.choices.empty()) return p.choices.front();
  if (p.kind == ParameterKind::boolean) return Value(!p.fallback->boolean());
  if (p.unit == "m") return 0.02;
  if (p.unit == "N/m") return 3e5;
  if (p.unit == "N/m^exponent") return 3e9;
  if (p.unit == "1/s") return 300.0;
  if (p.unit == "N s/m") return 20.0;
  if (p.unit == "N m/rad") return 1e3;
  if (p.unit == "J/m^2") return 30.0;
  if (p.range.contains(0.3)) return 0.3;
  return std::isfinite(p.range.low) ? Value(p.range.low + 1) : Value(p.range.high - 1);
}

/// Required keys sampled, optional ones left at their defaults.
inline Value sample_of(const Specification& specification) {
  Value values = Value::object();
  for (const auto& p : specification.parameters) {
    if (p.required) {
      values.append(p.key, sample(p));
    } else if (p.fallback) {
      values.append(p.key, *p.fallback);
    }
  }
  return values;
}

/// The same with one key set.
inline Value with(const Value& values, const std::string& key, const Value& value) {
  Value changed = Value::object();
  for (std::size_t k = 0; k < values.keys().size(); ++k) {
    if (values.keys()[k] != key) changed.append(values.keys()[k], values.items()[k]);
  }
  changed.append(key, value);
  return changed;
}

/// Every registered law with its defaults, and with each optional key given; but for rigid contact, which has
/// no force at a gap.
inline std::vector<NamedInterface> normal_laws() {
  std::vector<NamedInterface> all;
  std::vector<Diagnostic> faults;
  for (const auto& entry : registered_normal_laws()) {
    const Value values = sample_of(entry.specification);
    Interface usual;
    entry.make(values, usual, faults);
    if (usual.traits().rigid) continue;
    all.push_back({entry.specification.name, usual});
    for (const auto& p : entry.specification.parameters) {
      if (p.required || !p.available) continue;
      all.push_back({entry.specification.name + " with " + p.key, {}});
      entry.make(with(values, p.key, sample(p)), all.back().interface, faults);
    }
  }
  return all;
}

/// Friction of each rule of stiffness, of its spring, and each limit, damped; and none.
inline std::vector<std::pair<std::string, FrictionParameters>> frictions() {
  std::vector<std::pair<std::string, FrictionParameters>> all = {{"no friction", {}}};
  std::vector<Diagnostic> faults;
  const Specification specification = friction_specification();
  Value values = with(with(sample_of(specification), "static", 0.5), "damping", 20.0);
  values = with(values, "dynamic", 0.3);
  std::vector<Value> rules, limits, springs, forces;
  for (const auto& p : specification.parameters) {
    if (p.key == "limit") limits.insert(limits.end(), p.choices.begin(), p.choices.end());
    if (p.key == "limiting_force") forces.insert(forces.end(), p.choices.begin(), p.choices.end());
    if (p.key == "spring") springs.insert(springs.end(), p.choices.begin(), p.choices.end());
    if (p.key != "stiffness") continue;
    for (const auto& member : p.members) {
      if (member.choices.empty()) rules.push_back(sample(member));
      rules.insert(rules.end(), member.choices.begin(), member.choices.end());
    }
  }
  for (const Value& rule : rules) {
    for (const Value& limit : limits) {
      for (const Value& spring : springs) {
        const bool constant = rule.kind() != Value::Kind::string;
        if (constant && spring.string() != springs.front().string()) continue;
        const Value given =
            with(with(with(values, "stiffness", rule), "limit", limit), "spring", spring.string());
        all.emplace_back(
            "stiffness " + to_text(rule) + ", spring " + spring.string() + ", limit " + limit.string(),
            friction_parameters(given, faults));
      }
    }
  }
  // Not every key with every other one: each value once, beside dashpots that follow the stiffness.
  for (const Value& rule : rules) {
    for (const Value& limit : limits) {
      const Value& force = forces[all.size() % forces.size()];
      const Value given =
          with(with(with(with(values, "stiffness", rule), "limit", limit), "damping_ratio", 0.2),
               "limiting_force", force);
      all.emplace_back("stiffness " + to_text(rule) + ", limit " + limit.string() + " of the " +
                           force.string() + " force, damping ratio",
                       friction_parameters(given, faults));
    }
  }
  return all;
}

inline RollingParameters some_rolling() {
  return rolling_parameters(with(sample_of(rolling_specification()), "damping_ratio", 0.2));
}

}  // namespace scree::contact::testing

/// For tests of whole steps: every registered integrator, with the orders that theory 02 gives it.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/text.hpp"
#include "elements/integrators/integrator_parameters.hpp"

namespace scree::test {

struct IntegratorEntry {
  std::string name;
  std::shared_ptr<const elements::Integrator> integrator;
  double order;  ///< for smooth motion under forces

  [[nodiscard]] bool takes_barrier() const {
    const elements::ForceStage stage = integrator->stage();
    return stage == elements::ForceStage::end || stage == elements::ForceStage::middle;
  }
  /// Whether dashpots act: otherwise a restitution is imposed after the step (theory 11 section 6).
  [[nodiscard]] bool takes_dashpots() const { return !integrator->secant_forces(); }
};

/// @returns every registered integrator at the parameters that tests look at. One whose orders nobody has
/// written down here fails the test that asks, so that none is registered and left out.
inline std::vector<IntegratorEntry> registered_integrator_entries() {
  using Parameters = std::vector<std::pair<std::string, double>>;
  static const std::multimap<std::string, std::pair<Parameters, double>> orders = {
      {"newmark", {{{"beta", 0.3}, {"gamma", 0.5}}, 2}},
      {"variational", {{{"alpha", 0.5}}, 2}},
      {"variational", {{{"alpha", 0}}, 1}},
      {"trapezoidal", {{{"phi", 0.5}}, 2}},
      {"trapezoidal", {{{"phi", 1}}, 1}},
      {"trapezoidal", {{{"phi", 0}}, 1}},
      {"energy", {{}, 2}}};
  std::vector<IntegratorEntry> all;
  for (const auto& registered : registered_integrators()) {
    const std::string& type = registered.specification.name;
    const auto [first, last] = orders.equal_range(type);
    EXPECT_NE(first, last) << "\"" << type << "\" is registered; which order has it?";
    for (auto known = first; known != last; ++known) {
      const auto& [given, order] = known->second;
      Value values = Value::object();
      std::string name = type;
      for (const auto& [key, number] : given) {
        values.append(key, number);
        name = text::join(name, " ", to_text(Value(number)));
      }
      for (const ParameterSpec& p : registered.specification.parameters)
        EXPECT_TRUE(values.has(p.key)) << type << " has a new key, " << p.key;
      std::vector<Diagnostic> faults;
      all.push_back({name, registered.make(values, faults), order});
      EXPECT_TRUE(faults.empty());
    }
  }
  return all;
}

}  // namespace scree::test

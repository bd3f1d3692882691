#include "contact/laws/law_parameters.hpp"

#include <gtest/gtest.h>

#include "contact/laws/friction_parameters.hpp"

namespace scree::contact {
namespace {

/// Values that a deck would give with every key left out that may be.
Value defaults_of(const Specification& specification) {
  Value values = Value::object();
  for (const auto& p : specification.parameters) {
    if (p.fallback) values.append(p.key, *p.fallback);
  }
  return values;
}

TEST(LawParameters, DefaultsOfTheDeckAreThoseOfTheCode) {
  Value values = defaults_of(BarrierLaw::specification());
  const BarrierParameters code;
  values.append("threshold", code.threshold);
  values.append("stiffness", 1.0);
  std::vector<Diagnostic> faults;
  const BarrierParameters deck = BarrierLaw::parameters(values, faults);
  EXPECT_EQ(deck.exponent, code.exponent);
  EXPECT_EQ(deck.barrier_fraction, code.barrier_fraction);
  EXPECT_EQ(deck.barrier_exponent, code.barrier_exponent);
  EXPECT_EQ(deck.damping_ratio, code.damping_ratio);
}

TEST(LawParameters, EveryLawIsRegisteredOrUnavailable) {
  for (const auto& specification : normal_law_specifications()) {
    EXPECT_EQ(specification.available,
              find_registered(registered_normal_laws(), specification.name) != nullptr);
  }
}

TEST(FrictionParameters, DynamicIsStaticWhereItIsLeftOut) {
  Value values = defaults_of(friction_specification());
  values.append("static", 0.5);
  std::vector<Diagnostic> faults;
  EXPECT_EQ(friction_parameters(values, faults).dynamic_coefficient, 0.5);
  // No stiffness and no damping: nothing would hold.
  ASSERT_EQ(faults.size(), 1u);
}

}  // namespace
}  // namespace scree::contact

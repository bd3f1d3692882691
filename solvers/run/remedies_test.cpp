#include "solvers/run/remedies.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>

#include "contact/laws/parameters.hpp"
#include "contact/pair/term_gap.hpp"
#include "elements/integrators/energy_consistent.hpp"
#include "solvers/world/passage.hpp"

namespace scree {
namespace {

bool every_law(const contact::LawTraits& /*law*/) { return true; }
bool laws_of_overlap(const contact::LawTraits& law) { return law.overlap; }

TEST(Remedies, TheKeyOfTheStiffnessIsThatOfTheLaw) {
  Model model;
  EXPECT_EQ(stiffness_keys(model, every_law), "\"stiffness\" of the contact law");
  model.interfaces.emplace_back().normal = contact::HertzParameters{};
  EXPECT_EQ(stiffness_keys(model, every_law), "\"young\" of the materials");
  model.interfaces.emplace_back().normal = contact::BarrierParameters{};
  EXPECT_EQ(stiffness_keys(model, laws_of_overlap), "\"young\" of the materials");
  model.interfaces.emplace_back().normal = contact::HookeParameters{};
  model.interfaces.emplace_back().normal = contact::DmtParameters{};
  model.interfaces.emplace_back().normal = contact::HertzParameters{};
  EXPECT_EQ(stiffness_keys(model, laws_of_overlap),
            "\"young\" of the materials under \"hertz\" and \"dmt\", \"stiffness\" of the contact law under "
            "\"hooke\"");
}

/// A lower stiffness is no remedy against contacts that are too soft, nor damping against a unit that is
/// wrong.
TEST(Remedies, AStepThatFailsGetsAdviceAgainstItsCause) {
  Model model;
  model.interfaces.emplace_back().normal = contact::HertzParameters{};
  bool soft = false;
  const auto advice = [&](const char* cause) { return remedies_of_step(model, soft, cause); };
  EXPECT_EQ(advice("Newton: line search failed"),
            ", a larger damping_ratio, or a lower \"young\" of the materials.");
  soft = true;
  EXPECT_EQ(advice("Newton: iteration limit"), ", or a larger damping_ratio.");
  model.interfaces[0].friction.static_coefficient = 0.3;
  EXPECT_EQ(advice("Newton: iteration limit"),
            ", a larger damping_ratio, or friction/stiffness near the normal stiffness.");
  EXPECT_EQ(advice(contact::kOverlapTooDeep), ", or a larger \"young\" of the materials.");
  EXPECT_EQ(advice(Passage::kPathTooLong), "; check velocities and motions, often a unit is wrong.");
  for (const char* cause : {"linear solver: iteration limit", "rotation increment above 90 degrees",
                            "gap <= 0 under a barrier law", "neighbour list exceeded"})
    EXPECT_EQ(advice(cause), ".");
  model.integrator = std::make_shared<elements::EnergyConsistent>();
  EXPECT_EQ(advice("Newton: iteration limit"), ", or friction/stiffness near the normal stiffness.");
}

}  // namespace
}  // namespace scree

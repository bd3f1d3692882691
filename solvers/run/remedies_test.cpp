#include "solvers/run/remedies.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "contact/laws/parameters.hpp"

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

}  // namespace
}  // namespace scree

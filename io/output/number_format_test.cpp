#include "io/output/number_format.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace scree {
namespace {

std::string written(double value) {
  std::string text;
  append_number(text, value);
  return text;
}

TEST(AppendNumber, ReadsBackEveryBit) {
  std::mt19937_64 random(7);
  for (int k = 0; k < 20000; ++k) {
    const std::uint64_t bits = random();
    double value = 0;
    std::memcpy(&value, &bits, sizeof value);
    if (std::isnan(value)) continue;
    const std::string text = written(value);
    const double back = std::strtod(text.c_str(), nullptr);
    std::uint64_t back_bits = 0;
    std::memcpy(&back_bits, &back, sizeof back);
    ASSERT_EQ(back_bits, bits) << text;
  }
}

TEST(AppendNumber, IsShortAndKeepsIntegersWhole) {
  EXPECT_EQ(written(0.1), "0.1");
  EXPECT_EQ(written(100000), "100000");
  EXPECT_EQ(written(-42), "-42");
  EXPECT_EQ(written(0.0), "0");
  EXPECT_EQ(written(-0.0), "-0");
  EXPECT_EQ(written(1e300), "1e+300");
  EXPECT_EQ(written(std::numeric_limits<double>::infinity()), "inf");
}

TEST(CsvField, QuotesOnlyWhatWouldBreakARow) {
  EXPECT_EQ(csv_field("block 1"), "block 1");
  EXPECT_EQ(csv_field(""), "");
  EXPECT_EQ(csv_field("no #1"), "no #1");
  EXPECT_EQ(csv_field("#1"), "\"#1\"");
  EXPECT_EQ(csv_field("a,b"), "\"a,b\"");
  EXPECT_EQ(csv_field("the \"big\" one"), "\"the \"\"big\"\" one\"");
}

TEST(Labels, NamedThingsHaveTheirNameOthersTheirNumber) {
  Model model;
  model.bodies.resize(2);
  model.bodies[0].name = "b1";
  model.boundaries.resize(2);
  model.boundaries[0].name = "floor";
  EXPECT_EQ(body_label(model, 0), "b1");
  EXPECT_EQ(body_label(model, 1), "1");
  EXPECT_EQ(body_label(model, 77), "77");  // came during the run
  model.keep_own_block(1, 2);
  EXPECT_EQ(body_label(model, 0), "b1");
  EXPECT_EQ(body_label(model, 1), "1");
  EXPECT_EQ(boundary_label(model, 0), "floor");
  EXPECT_EQ(boundary_label(model, 1), "boundary 1");
}

TEST(ShapeFamilies, SizesAreOfTheShapesOfTheDeckInItsOrder) {
  Model model;
  const auto add = [&](const char* name) { model.shapes.emplace_back().name = name; };
  for (const char* name : {"octa", "ball", "octa*0.9", "sphere 0.02", "ball*1.1"}) add(name);
  const ShapeFamilies families = shape_families(model);
  EXPECT_EQ(families.names, (std::vector<std::string>{"octa", "ball", "sphere 0.02"}));
  EXPECT_EQ(families.of_shape, (std::vector<int>{0, 1, 0, 2, 1}));
  model.bodies.resize(3);
  for (std::size_t k = 0; k < 3; ++k) model.bodies[k].shape = k == 0 ? 3 : 2;
  EXPECT_EQ(bodies_by_family(model),
            (std::vector<std::pair<std::string, long>>{{"octa", 2}, {"sphere 0.02", 1}}));
}

TEST(DurationText, ChangesUnitAsItGrows) {
  EXPECT_EQ(duration_text(0.42), "0.42 s");
  EXPECT_EQ(duration_text(59.4), "59 s");
  EXPECT_EQ(duration_text(59.6), "1 min 00 s");
  EXPECT_EQ(duration_text(185), "3 min 05 s");
  EXPECT_EQ(duration_text(7630), "2 h 07 min");
  EXPECT_EQ(duration_text(273600), "3 d 04 h");
}

TEST(NumberFormat, BytesReadAtAGlance) {
  EXPECT_EQ(bytes_text(950), "950 B");
  EXPECT_EQ(bytes_text(1234), "1.2 kB");
  EXPECT_EQ(bytes_text(12345678), "12 MB");
  EXPECT_EQ(bytes_text(999.6e6), "1.0 GB");
  EXPECT_EQ(bytes_text(9.96e9), "10 GB");
  EXPECT_EQ(bytes_text(2.5e12), "2.5 TB");
  EXPECT_EQ(bytes_text(1.8e17), "1.8e+05 TB");
}

}  // namespace
}  // namespace scree

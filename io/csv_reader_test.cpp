#include "io/csv_reader.hpp"

#include <gtest/gtest.h>

#include "core/error.hpp"

namespace scree {
namespace {

TEST(CsvReader, CellsAreTrimmedQuotedAndCounted) {
  const auto table = parse_csv("a, b\r\n# no row\n 1 ,\"x, \"\"y\"\"\"\r\n\n3,4", "t.csv", {"a", "b"});
  ASSERT_EQ(table.rows.size(), 2u);
  EXPECT_EQ(table.rows[0].cells, (std::vector<std::string>{"1", "x, \"y\""}));
  EXPECT_EQ(table.rows[0].line, 3);
  EXPECT_EQ(table.rows[1].line, 5);
  EXPECT_EQ(table.column("b"), 1);
  EXPECT_EQ(table.column("c"), -1);
}

TEST(CsvReader, AllFaultsAreTold) {
  try {
    parse_csv("a,a,c\n1,2\n1,2,3,4\n", "t.csv", {"a", "b"});
    FAIL() << "the table was taken";
  } catch (const InputError& error) {
    ASSERT_EQ(error.diagnostics().size(), 4u);
    EXPECT_EQ(error.diagnostics()[0].message, "the column \"a\" is there twice.");
    EXPECT_EQ(error.diagnostics()[1].where, "t.csv:1");
    EXPECT_EQ(error.diagnostics()[3].where, "t.csv:3");
  }
}

TEST(CsvReader, NumbersAreWholeCells) {
  EXPECT_EQ(parse_number("-1.5e-3"), -1.5e-3);
  EXPECT_EQ(parse_number("+2"), 2.0);
  for (const char* wrong : {"", "1 2", "1,5", "0x10", "nan", "inf", "1e999", "+", "two"}) {
    EXPECT_FALSE(parse_number(wrong)) << wrong;
  }
}

}  // namespace
}  // namespace scree

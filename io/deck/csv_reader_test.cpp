#include "io/deck/csv_reader.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.hpp"
#include "io/output/number_format.hpp"

namespace scree {
namespace {

using ::testing::HasSubstr;

TEST(CsvReader, CellsAreTrimmedQuotedAndCounted) {
  const auto table = parse_csv("a, b\r\n# no row\n 1 ,\"x, \"\"y\"\"\"\r\n\n3,4", "t.csv", {"a", "b"});
  ASSERT_EQ(table.rows.size(), 2u);
  EXPECT_EQ(table.rows[0].cells, (std::vector<std::string>{"1", "x, \"y\""}));
  EXPECT_EQ(table.rows[0].line, 3);
  EXPECT_EQ(table.rows[1].line, 5);
  EXPECT_EQ(table.column("b"), 1);
  EXPECT_EQ(table.column("c"), -1);
}

TEST(CsvReader, QuotedCellsAreNeitherCommentsNorTrimmed) {
  for (const std::string name : {"#1", " #1", " x ", "\ty"}) {
    const std::string row = csv_field(name) + ',' + csv_field("") + '\n';
    const auto table = parse_csv("a,b\n" + row + " # a comment\n", "t.csv", {"a", "b"});
    ASSERT_EQ(table.rows.size(), 1u) << name;
    EXPECT_EQ(table.rows[0].cells, (std::vector<std::string>{name, ""}));
  }
}

TEST(CsvReader, AllFaultsAreTold) {
  try {
    parse_csv("a,a,c\n1,2\n1,2,3,4\n", "t.csv", {"a", "b"});
    FAIL() << "the table was taken";
  } catch (const InputError& error) {
    ASSERT_EQ(error.diagnostics().size(), 4u);
    EXPECT_EQ(error.diagnostics()[0].message, "duplicate column \"a\".");
    EXPECT_EQ(error.diagnostics()[1].where, "t.csv:1");
    EXPECT_EQ(error.diagnostics()[3].where, "t.csv:3");
  }
}

std::string complaint_of_table(const std::string& text) {
  try {
    parse_csv(text, "t.csv", {"a", "b"});
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(CsvReader, QuotesAreClosedAndAroundWholeCells) {
  EXPECT_EQ(complaint_of_table("a,b\n1,\"a\n"), "t.csv:2: cell 2: its quote is not closed on this line.");
  EXPECT_THAT(complaint_of_table("a,b\n1,2\n\"c\"d\",2\n"),
              HasSubstr("t.csv:3: cell 1: text after the closing quote"));
  EXPECT_THAT(complaint_of_table("a,b\n1\"2,3\n"), HasSubstr("t.csv:2: cell 1: a quote inside the cell"));
  EXPECT_EQ(complaint_of_table("a,b\n \"1,\"\"\" , \"\"\n"), "");
}

TEST(CsvReader, OtherSeparatorsAndLineEndsAreNamed) {
  EXPECT_THAT(complaint_of_table("a;b\n1;2\n"),
              HasSubstr("column \"a;b\". Columns are separated by commas, not by \";\"."));
  EXPECT_THAT(complaint_of_table("a\tb\n"), HasSubstr("separated by commas, not by tabs."));
  EXPECT_THAT(complaint_of_table("a,b\r1,2\r"),
              HasSubstr("t.csv:1: a line ends in CR alone; expected LF or CR LF"));
  EXPECT_THAT(complaint_of_table("# a\ra,b\r1,2\r"), HasSubstr("CR alone"));
  EXPECT_EQ(complaint_of_table("a,b\r\n1,2\r\n"), "");
  EXPECT_THAT(complaint_of_table("a,b\n1\n"), HasSubstr("got 1 cell; expected 2"));
}

TEST(CsvReader, NumbersOutOfRangeAreCalledSo) {
  EXPECT_EQ(number_fault("1e400"), "got \"1e400\", out of the range of double precision; expected a number.");
  EXPECT_EQ(number_fault("1e400x"), "got \"1e400x\"; expected a number.");
  EXPECT_EQ(number_fault("inf"), "got \"inf\"; expected a number.");
  EXPECT_FALSE(parse_deck_number("1e61"));
  EXPECT_FALSE(parse_deck_number("-1e-61"));
  EXPECT_EQ(parse_deck_number("-1e-60"), -1e-60);
  EXPECT_EQ(parse_deck_number("0"), 0);
  EXPECT_THAT(number_fault("1e61"), HasSubstr("got 1e61; expected 0 or a magnitude between 1e-60 and 1e+60"));
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

#include "io/checkpoint/columns.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>

#include "solvers/world/state.hpp"

namespace scree::checkpoint {
namespace {

struct Leaf {
  int number = 0;
  std::vector<double> values;

  template <class Self, class Archive>
  static void visit(Self& self, Archive& archive) {
    archive("number", self.number, "");
    archive("values", self.values, "m");
  }
  bool operator==(const Leaf&) const = default;
};

struct Tree {
  std::vector<Leaf> leaves;
  std::map<std::string, Leaf> named;
  std::vector<std::string> words;
  std::optional<double> maybe, never;
  std::array<bool, 3> flags{};
  std::string text;

  template <class Self, class Archive>
  static void visit(Self& self, Archive& archive) {
    archive("leaves", self.leaves, "");
    archive("named", self.named, "");
    archive("words", self.words, "");
    archive("maybe", self.maybe, "s");
    archive("never", self.never, "s");
    archive("flags", self.flags, "");
    archive("text", self.text, "");
  }
  bool operator==(const Tree&) const = default;
};

Tree example() {
  return {{{1, {0.5, -0.0}}, {2, {}}, {3, {1e-300}}},
          {{"a", {4, {2}}}, {"", {5, {}}}},
          {"one", "", "three"},
          0.25,
          {},
          {true, false, true},
          "text"};
}

std::vector<Column> columns_of(const Tree& tree) {
  ColumnWriter writer;
  writer("tree", tree, "");
  return writer.columns();
}

const Column& named(const std::vector<Column>& columns, const std::string& name) {
  for (const Column& column : columns)
    if (column.name == name) return column;
  throw std::out_of_range(name);
}

Tree tree_of(const std::vector<Column>& columns) {
  ColumnReader reader(columns);
  Tree tree;
  reader("tree", tree, "");
  reader.finish();
  return tree;
}

TEST(Columns, GiveBackWhatWasPut) { EXPECT_EQ(tree_of(columns_of(example())), example()); }

TEST(Columns, AreTheSameOnesOfEmptyLists) {
  const std::vector<Column> full = columns_of(example()), empty = columns_of({});
  ASSERT_EQ(full.size(), empty.size());
  for (std::size_t k = 0; k < full.size(); ++k) {
    EXPECT_EQ(full[k].name, empty[k].name);
    EXPECT_EQ(full[k].unit, empty[k].unit);
    EXPECT_EQ(full[k].width, empty[k].width);
  }
  EXPECT_EQ(tree_of(empty), Tree());
}

TEST(Columns, HaveARowPerElementOfAllLists) {
  const std::vector<Column> columns = columns_of(example());
  EXPECT_EQ(named(columns, "tree/leaves/values").rows(), 3u);
  EXPECT_EQ(named(columns, "tree/leaves/values").unit, "m");
  EXPECT_EQ(named(columns, "tree/leaves/values.count").rows(), 3u);
  EXPECT_EQ(named(columns, "tree/flags").width, 3u);
  EXPECT_EQ(named(columns, "tree/text").rows(), 4u);
}

TEST(Columns, HoldBodiesWithComponentsInARow) {
  BodiesState state;
  state.bodies.resize(2);
  state.bodies[1].x = {1, 2, 3};
  state.memory.contacts.resize(1);
  state.memory.contacts[0].entries.resize(3);
  ColumnWriter writer;
  writer("world", state, "");
  const Column& position = named(writer.columns(), "world/bodies/position");
  EXPECT_EQ(position.width, 3u);
  EXPECT_EQ(position.unit, "m");
  EXPECT_EQ(position.type, Scalar::float64);
  double x[6];
  ASSERT_EQ(position.bytes.size(), sizeof x);
  std::memcpy(x, position.bytes.data(), sizeof x);
  EXPECT_THAT(x, ::testing::ElementsAre(0, 0, 0, 1, 2, 3));
  EXPECT_EQ(named(writer.columns(), "world/memory/contacts/entries/slip").rows(), 3u);
  ColumnReader reader(writer.columns());
  BodiesState back;
  reader("world", back, "");
  reader.finish();
  EXPECT_EQ(to_bytes(back), to_bytes(state));
}

TEST(Columns, ThatEndTooEarlyAreRefused) {
  for (std::size_t k = 0; k < columns_of(example()).size(); ++k) {
    std::vector<Column> columns = columns_of(example());
    if (columns[k].rows() == 0) continue;
    columns[k].bytes.resize(columns[k].bytes.size() - columns[k].row_bytes());
    EXPECT_THROW(tree_of(columns), std::out_of_range) << columns[k].name;
  }
}

TEST(Columns, ThatAreLongerMissingOrOfAnotherTypeAreRefused) {
  std::vector<Column> columns = columns_of(example());
  columns[0].bytes.resize(columns[0].bytes.size() + columns[0].row_bytes());
  EXPECT_THROW(tree_of(columns), std::out_of_range);
  columns = columns_of(example());
  columns.pop_back();
  EXPECT_THROW(tree_of(columns), std::out_of_range);
  columns = columns_of(example());
  columns.back().type = Scalar::int32;
  EXPECT_THROW(tree_of(columns), std::out_of_range);
}

TEST(Columns, WithNegativeCountsAreRefused) {
  std::vector<Column> columns = columns_of(example());
  const std::int64_t negative = -1;
  std::memcpy(columns[0].bytes.data(), &negative, sizeof negative);
  EXPECT_THROW(tree_of(columns), std::out_of_range);
}

}  // namespace
}  // namespace scree::checkpoint

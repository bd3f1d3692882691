#include "core/archive.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "core/body.hpp"

namespace scree {
namespace {

struct Inner {
  int number = 0;
  std::string text;

  template <class Self, class Archive>
  static void visit(Self& self, Archive& archive) {
    archive("number", self.number, "");
    archive("text", self.text, "");
  }
  bool operator==(const Inner&) const = default;
};

struct Outer {
  std::vector<Inner> inner;
  std::map<std::string, long> counts;
  std::optional<Inner> one, none;
  std::vector<double> numbers;
  std::vector<std::byte> bytes;

  template <class Self, class Archive>
  static void visit(Self& self, Archive& archive) {
    archive("inner", self.inner, "");
    archive("counts", self.counts, "");
    archive("one", self.one, "");
    archive("none", self.none, "");
    archive("numbers", self.numbers, "m");
    archive("bytes", self.bytes, "");
  }
  bool operator==(const Outer&) const = default;
};

Outer filled() {
  return {.inner = {{1, "a"}, {2, ""}},
          .counts = {{"cut", 3}, {"", -1}},
          .one = Inner{7, "seven"},
          .none = {},
          .numbers = {1.5, -0.0, 1e300},
          .bytes = {std::byte{0}, std::byte{255}}};
}

TEST(Archive, GivesBackWhatItWasGiven) {
  EXPECT_EQ(from_bytes<Outer>(to_bytes(filled())), filled());
  EXPECT_EQ(from_bytes<Outer>(to_bytes(Outer{})), Outer{});
}

TEST(Archive, AnObjectThatHeldSomethingElseHoldsNothingOfItAfterwards) {
  Outer value = filled();
  const std::vector<std::byte> empty = to_bytes(Outer{});
  ByteReader reader(empty);
  reader.take(value);
  EXPECT_EQ(value, Outer{});
}

TEST(Archive, RefusesBytesThatAreTooFewOrTooMany) {
  std::vector<std::byte> bytes = to_bytes(filled());
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    const std::vector<std::byte> part(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size));
    EXPECT_THROW((void)from_bytes<Outer>(part), std::out_of_range) << size;
  }
  bytes.push_back(std::byte{0});
  EXPECT_THROW((void)from_bytes<Outer>(bytes), std::out_of_range);
}

TEST(Archive, RefusesACountThatNoMessageCouldHold) {
  const std::vector<std::byte> bytes = to_bytes(std::size_t{1} << 62);
  EXPECT_THROW((void)from_bytes<std::vector<double>>(bytes), std::out_of_range);
  EXPECT_THROW((void)from_bytes<std::string>(bytes), std::out_of_range);
}

TEST(Archive, ABodyComesBackToTheBit) {
  BodyState state;
  state.x = Vec3(1.0 / 3, -0.0, 1e-310);
  state.q = Quat(0.1, 0.2, 0.3, 0.4);
  state.cell = {1, -2, 3};
  const auto back = from_bytes<BodyState>(to_bytes(state));
  EXPECT_EQ(to_bytes(back), to_bytes(state));
  EXPECT_EQ(back.cell, state.cell);
  EXPECT_TRUE(std::signbit(back.x.y()));
}

}  // namespace
}  // namespace scree

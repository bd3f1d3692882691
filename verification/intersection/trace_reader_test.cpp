#include "trace_reader.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <limits>
#include <stdexcept>

namespace intersection {
namespace {

/// A trace of one body and one wall in one state (layout: io/output/trace_writer.hpp).
class Trace {
 public:
  Trace(double place, double quaternion, double wall)
      : name_(
            (std::filesystem::temp_directory_path() / ("scree_trace_" + std::to_string(getpid()))).string()) {
    std::ofstream out(name_ + ".0", std::ios::binary);
    const auto put = [&out](auto... values) {
      (out.write(reinterpret_cast<const char*>(&values), sizeof values), ...);
    };
    const auto put_solid = [&put](std::int64_t kind) {
      put(kind, std::int64_t{1}, 0.5, std::int64_t{1}, 0.0, 0.0, 0.0, std::int64_t{0});
    };
    out.write("SCREETR2", 8);
    put(std::int64_t{1}, std::int64_t{0});  // ranks, rank
    put(std::int64_t{1});
    put_solid(0);
    put(std::int64_t{1}, std::int64_t{0});  // solids of bodies
    put(std::int64_t{1});
    put_solid(static_cast<std::int64_t>(WallKind::sphere));
    put(0.0, 1.0);  // the wall acts from, until
    put(0.25, std::int64_t{1}, std::int64_t{0});
    put(0.0, 0.0, place, quaternion, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0);
    put(wall, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0);
  }
  ~Trace() { std::filesystem::remove(name_ + ".0"); }
  Trace(const Trace&) = delete;
  Trace& operator=(const Trace&) = delete;
  Trace(Trace&&) = delete;
  Trace& operator=(Trace&&) = delete;

  [[nodiscard]] const std::string& name() const { return name_; }

 private:
  std::string name_;
};

TEST(TraceReader, TakesFinitePosesAndRefusesOthers) {
  const double nan = std::nan(""), infinite = std::numeric_limits<double>::infinity();
  const auto read = [](double place, double quaternion, double wall) {
    const Trace trace(place, quaternion, wall);
    TraceReader reader(trace.name());
    State state;
    EXPECT_TRUE(reader.next(state));
    EXPECT_EQ(state.poses.at(0).x.z(), place);
    EXPECT_FALSE(reader.next(state));
  };
  read(2, 1, 0);
  for (const double wrong : {nan, infinite}) {
    EXPECT_THROW(read(wrong, 1, 0), std::runtime_error);
    EXPECT_THROW(read(2, wrong, 0), std::runtime_error);
    EXPECT_THROW(read(2, 1, wrong), std::runtime_error);
  }
}

}  // namespace
}  // namespace intersection

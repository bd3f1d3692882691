#include "core/memory.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <string>

namespace scree {
namespace {

using ::testing::HasSubstr;

/// Files of a system that does not exist.
class Memory : public ::testing::Test {
 protected:
  Memory() {
    std::string pattern = (std::filesystem::temp_directory_path() / "scree_memory_XXXXXX").string();
    root_ = mkdtemp(pattern.data());
  }
  ~Memory() override {
    std::filesystem::remove_all(root_);
    share_memory_among(1);
  }
  void write(const std::string& path, const std::string& text) const {
    std::filesystem::create_directories(std::filesystem::path(root_ + path).parent_path());
    std::ofstream(root_ + path) << text;
  }
  std::string root_;
};

TEST_F(Memory, IsWhatTheSystemHasFreeWithoutALimit) {
  write("/proc/meminfo", "MemTotal:  9000 kB\nMemAvailable:  4000 kB\n");
  EXPECT_EQ(memory_left(root_).bytes, 4000 * 1024.0);
  EXPECT_EQ(memory_left(root_).limit, "free memory");
}

TEST_F(Memory, IsUnboundedWhereTheSystemDoesNotSay) { EXPECT_TRUE(std::isinf(memory_left(root_).bytes)); }

TEST_F(Memory, ObeysTheControlGroupAndThoseAboveIt) {
  write("/proc/meminfo", "MemAvailable:  4000000 kB\n");
  write("/proc/self/cgroup", "0::/user/job\n");
  write("/sys/fs/cgroup/user/job/memory.max", "max\n");
  write("/sys/fs/cgroup/user/job/memory.current", "10\n");
  EXPECT_EQ(memory_left(root_).limit, "free memory");
  write("/sys/fs/cgroup/user/memory.max", "5000\n");
  write("/sys/fs/cgroup/user/memory.current", "3000\n");
  EXPECT_EQ(memory_left(root_).bytes, 2000);
  EXPECT_EQ(memory_left(root_).limit, "memory limit of the control group");
  // Caches are given up.
  write("/sys/fs/cgroup/user/memory.stat", "anon 7\ninactive_file 500\n");
  EXPECT_EQ(memory_left(root_).bytes, 2500);
}

TEST_F(Memory, ObeysTheFirstVersionOfControlGroups) {
  write("/proc/self/cgroup", "12:cpu,cpuacct:/x\n9:memory:/outside/of/the/container\n");
  write("/sys/fs/cgroup/memory/memory.limit_in_bytes", "1000\n");
  write("/sys/fs/cgroup/memory/memory.usage_in_bytes", "400\n");
  EXPECT_EQ(memory_left(root_).bytes, 600);
}

TEST_F(Memory, ObeysTheLimitOfTheProcess) {
  struct rlimit before = {};
  ASSERT_EQ(getrlimit(RLIMIT_AS, &before), 0);
  const double without = memory_left().bytes;
  rlimit tight = before;
  tight.rlim_cur = std::min<rlim_t>(before.rlim_max, rlim_t{1} << 40U);
  ASSERT_EQ(setrlimit(RLIMIT_AS, &tight), 0);
  write("/proc/self/statm", "0 0 0 0 0 0 0\n");
  EXPECT_EQ(memory_left(root_).bytes, std::pow(2.0, 40));
  EXPECT_EQ(memory_left(root_).limit, "ulimit -v");
  setrlimit(RLIMIT_AS, &before);
  EXPECT_GT(without, 0);
}

TEST_F(Memory, ShortageNamesNeedAndLimit) {
  EXPECT_EQ(memory_shortage(1, "one body"), "");
  const std::string text = memory_shortage(1e18, "10 bodies");
  EXPECT_THAT(text, HasSubstr("requires at least 1e+09 GB of memory for 10 bodies, but "));
  share_memory_among(4);
  EXPECT_THAT(memory_shortage(1e18, "10 bodies"),
              HasSubstr("4e+09 GB of memory for 10 bodies on the 4 ranks"));
}

}  // namespace
}  // namespace scree

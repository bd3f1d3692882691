#include "core/memory.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <sstream>

#include "core/infinity.hpp"

namespace scree {
namespace {

int sharing = 1;

/// @returns the first number of a file; infinity without one ("max").
double number_in(const std::string& file) {
  std::ifstream in(file);
  double value = 0;
  return in >> value ? value : kInfinity;
}

/// @returns the number behind a word at the start of a line; `otherwise` if it is not there.
double number_behind(const std::string& file, const std::string& word, double otherwise) {
  std::ifstream in(file);
  std::string line;
  while (std::getline(in, line)) {
    std::istringstream words(line);
    std::string first;
    double value = 0;
    if (words >> first >> value && first == word) return value;
  }
  return otherwise;
}

/// What a control group may still take: caches of files are given up when memory runs short.
double left_in_group(const std::string& folder, const char* limit, const char* usage, const char* cache) {
  const double most = number_in(folder + limit), used = number_in(folder + usage);
  if (most == kInfinity || used == kInfinity) return kInfinity;
  return most - used + number_behind(folder + "/memory.stat", cache, 0);
}

/// The group of this process and those above it.
double left_in_groups(const std::string& root) {
  double least = kInfinity;
  std::ifstream groups(root + "/proc/self/cgroup");
  std::string line;
  while (std::getline(groups, line)) {
    // "0::/user.slice" (v2) or "9:memory:/docker/4f" (v1)
    const std::size_t first = line.find(':'), second = line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    const bool v2 = controllers.empty();
    if (!v2 && ("," + controllers + ",").find(",memory,") == std::string::npos) continue;
    const std::string base = root + (v2 ? "/sys/fs/cgroup" : "/sys/fs/cgroup/memory");
    std::string path = line.substr(second + 1);
    // In a container the path may be that outside of it: groups that are not there have no limit.
    for (;;) {
      if (path == "/") path.clear();
      const std::string folder = base + path;
      least = std::min(least, v2 ? left_in_group(folder, "/memory.max", "/memory.current", "inactive_file")
                                 : left_in_group(folder, "/memory.limit_in_bytes", "/memory.usage_in_bytes",
                                                 "total_inactive_file"));
      if (path.empty()) break;
      path.erase(path.rfind('/') == std::string::npos ? 0 : path.rfind('/'));
    }
  }
  return least;
}

/// What a limit of this process leaves. @param field of /proc/self/statm: what the limit counts.
double left_of_limit(const std::string& root, decltype(RLIMIT_AS) which, int field) {
  struct rlimit limit = {};
  if (getrlimit(which, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return kInfinity;
  std::ifstream in(root + "/proc/self/statm");
  double pages = 0;
  for (int k = 0; k <= field; ++k) in >> pages;
  return static_cast<double>(limit.rlim_cur) - pages * static_cast<double>(sysconf(_SC_PAGESIZE));
}

std::string gigabytes(double bytes) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g GB", std::max(bytes, 0.0) * 1e-9);
  return text;
}

}  // namespace

MemoryLeft memory_left(const std::string& root) {
  constexpr int kTotal = 0, kData = 5;
  MemoryLeft left{kInfinity, ""};
  const auto lower = [&left](double bytes, const char* limit) {
    if (bytes < left.bytes) left = {std::max(bytes, 0.0), limit};
  };
  lower(1024 * number_behind(root + "/proc/meminfo", "MemAvailable:", kInfinity), "free memory");
  lower(left_in_groups(root), "memory limit of the control group");
  lower(sharing * left_of_limit(root, RLIMIT_AS, kTotal), "ulimit -v");
  lower(sharing * left_of_limit(root, RLIMIT_DATA, kData), "ulimit -d");
  return left;
}

void share_memory_among(int processes) { sharing = std::max(processes, 1); }

std::string memory_shortage(double bytes, const std::string& what) {
  const MemoryLeft left = memory_left();
  if (sharing * bytes <= left.bytes) return "";
  const std::string ranks =
      sharing > 1 ? " on the " + std::to_string(sharing) + " ranks of this machine" : "";
  return "requires at least " + gigabytes(sharing * bytes) + " of memory for " + what + ranks + ", but " +
         gigabytes(left.bytes) + " are available (" + left.limit + ").";
}

}  // namespace scree

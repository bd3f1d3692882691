/// How much memory this process may still take, so that a model that is too large is refused by a message
/// and not by std::bad_alloc or the system's killer.
#pragma once

#include <string>

namespace scree {

struct MemoryLeft {
  double bytes = 0;   ///< infinity where the system does not say
  std::string limit;  ///< what sets it, for messages: "free memory", "memory limit of the container", ...
};

/// @param root in front of /proc and /sys: for tests. @returns what all processes that share a limit may
/// still take: the least of the system's free memory (/proc/meminfo), the control group's limit (cgroup v1
/// and v2, with all groups above), and the limits of this process (RLIMIT_AS, RLIMIT_DATA).
MemoryLeft memory_left(const std::string& root = "");

/// Processes of this program on this machine, which take memory alike. 1 at the start.
void share_memory_among(int processes);

/// @param bytes that this process is about to take at least. @param what for: "10000000 bodies".
/// @returns "needs 12 GB of memory for ..., 3.1 GB ..."; "" if there is enough.
std::string memory_shortage(double bytes, const std::string& what);

}  // namespace scree

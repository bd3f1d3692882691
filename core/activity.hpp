/// Lengthy work in words: for progress lines, and for the message when memory runs out in it or it is
/// stopped.
#pragma once

#include <chrono>
#include <string>

namespace scree {

/// Names the work of a scope. Activities nest; the innermost one is the current one.
///
///   Activity activity("checking the surface of \"hull.stl\"");
///   for (std::size_t k = 0; k < n; ++k) {
///     if (k % 256 == 0) activity.advance(static_cast<double>(k) / n);
///     ...
///   }
class Activity {
 public:
  /// Seconds after which progress is reported first, and between reports.
  static constexpr double kSecondsBetweenReports = 5;

  /// @param what in progressive form: "reading deck.json".
  explicit Activity(std::string what);
  ~Activity();
  Activity(const Activity&) = delete;
  Activity& operator=(const Activity&) = delete;

  /// Reports progress now and then. Costs a look at the clock: call it about every millisecond.
  /// @param done part of the work, 0 to 1. @param detail in words, may be empty. Not collective.
  /// @throws Interrupted on this rank if it was asked to stop: only for work that does not communicate.
  void advance(double done, const std::string& detail = "");
  /// The same for work that communicates: a request to stop is left to others.
  void report(double done, const std::string& detail);

 private:
  using Clock = std::chrono::steady_clock;
  std::string what_;
  Activity* outer_;
  int exceptions_;
  Clock::time_point start_ = Clock::now(), reported_ = start_;
};

/// @returns the first activity that an exception has ended since the last call: the innermost one; "" if
/// none.
[[nodiscard]] std::string take_failed_activity();

/// Callback for progress. @param done 0 to 1; negative: not known. @param detail may be empty. @param seconds
/// since the start.
using ActivityListener = void (*)(const std::string& what, double done, const std::string& detail,
                                  double seconds);
/// @param listener nullptr: nobody, as at the start of the program.
void listen_to_activities(ActivityListener listener);

}  // namespace scree

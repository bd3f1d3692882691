#include "core/activity.hpp"

#include <exception>
#include <utility>

#include "core/interrupt.hpp"

namespace scree {
namespace {

Activity* current = nullptr;
ActivityListener told = nullptr;

std::string& failed_name() {
  static std::string name;
  return name;
}

}  // namespace

Activity::Activity(std::string what)
    : what_(std::move(what)), outer_(current), exceptions_(std::uncaught_exceptions()) {
  current = this;
}

Activity::~Activity() {
  // Where memory ran out, a copy might fail: the name is moved.
  if (std::uncaught_exceptions() > exceptions_ && failed_name().empty()) failed_name() = std::move(what_);
  current = outer_;
}

void Activity::advance(double done, const std::string& detail) {
  check_interrupt();
  report(done, detail);
}

void Activity::report(double done, const std::string& detail) {
  if (told == nullptr) return;
  const Clock::time_point now = Clock::now();
  if (std::chrono::duration<double>(now - reported_).count() < kSecondsBetweenReports) return;
  reported_ = now;
  told(what_, done, detail, std::chrono::duration<double>(now - start_).count());
}

std::string take_failed_activity() { return std::exchange(failed_name(), ""); }

void listen_to_activities(ActivityListener listener) { told = listener; }

}  // namespace scree

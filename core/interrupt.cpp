#include "core/interrupt.hpp"

#include <atomic>

namespace scree {
namespace {

// Global, as the signals are that set it.
std::atomic<bool> requested{false};
std::atomic<int> shields{0};
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler sets it");

}  // namespace

void request_interrupt() noexcept { requested.store(true, std::memory_order_relaxed); }
void clear_interrupt() noexcept { requested.store(false, std::memory_order_relaxed); }

bool interrupt_requested() noexcept {
  return requested.load(std::memory_order_relaxed) && shields.load(std::memory_order_relaxed) == 0;
}

InterruptShield::InterruptShield() noexcept { ++shields; }
InterruptShield::~InterruptShield() { --shields; }

}  // namespace scree

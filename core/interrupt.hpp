/// Requests to stop the program (Ctrl-C, SIGTERM), and the exception that ends the work under way.
///
/// Work that does not communicate calls `check_interrupt()` every few milliseconds; ranks then leave one by
/// one and meet where the outcome is reduced. Work that communicates must not: a rank that throws alone
/// leaves the others in a reduction. It uses the collective checks of assembly/interrupt.hpp, where all ranks
/// throw together.
#pragma once

#include <exception>

namespace scree {

/// The user asked the program to stop: exit status 130. Neither an error of the input nor of the run, and
/// nothing that code which tries other ways may swallow: it derives from neither InputError nor RunError.
class Interrupted : public std::exception {
 public:
  [[nodiscard]] const char* what() const noexcept override { return "interrupted"; }
};

/// Records the request. Async-signal-safe.
void request_interrupt() noexcept;

/// Clears the request. For tests that continue in the same process.
void clear_interrupt() noexcept;

/// @returns whether this rank was asked to stop; false while an InterruptShield lives. Costs one atomic load.
[[nodiscard]] bool interrupt_requested() noexcept;

/// For work without communication. @throws Interrupted on this rank if it was asked to stop.
inline void check_interrupt() {
  if (interrupt_requested()) throw Interrupted();
}

/// `check_interrupt()` at the first call and at every 4096th after it: for short rounds of long loops, and
/// for comparisons of long sorts. For work without communication.
class InterruptLook {
 public:
  /// @throws Interrupted on this rank if it was asked to stop.
  void operator()() {
    if (calls_++ % kBetweenLooks == 0) check_interrupt();
  }

 private:
  static constexpr unsigned kBetweenLooks = 4096;
  unsigned calls_ = 0;
};

/// Work that has to be finished although the user asked to stop, such as saving the last state. Nests.
class InterruptShield {
 public:
  InterruptShield() noexcept;
  ~InterruptShield();
  InterruptShield(const InterruptShield&) = delete;
  InterruptShield& operator=(const InterruptShield&) = delete;
};

}  // namespace scree

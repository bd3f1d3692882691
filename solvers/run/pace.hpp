/// Which steps cost least: iterations per simulated time (theory 09 section 4).
#pragma once

#include <limits>

namespace scree {

/// Bounds adaptive steps where long ones cost more than short ones: where Newton's method needs many
/// iterations, or fails, two steps of half the size may be cheaper. Compares the iterations per simulated
/// time of windows of steps, and goes with the bound in the direction that is cheaper.
class Pace {
 public:
  /// @returns bound on the size of the next step [s]; infinite: none.
  [[nodiscard]] double longest() const { return bound_; }
  /// An attempt to solve a step took so many iterations.
  void spent(int iterations) { attempts_ += iterations; }
  /// A step was accepted. @param size its size [s]. @param most largest size that the deck allows [s].
  /// @param free whether nothing but this bound or the deck's set the size.
  void accepted(double size, double most, bool free);
  /// A step could not be solved. @param size, most as above.
  void failed(double size, double most);

  template <class Self, class Archive>
  static void visit(Self& self, Archive& archive) {
    archive("bound", self.bound_, "s");
    archive("attempts", self.attempts_, "");
    archive("iterations", self.iterations_, "");
    archive("steps", self.steps_, "");
    archive("time", self.time_, "s");
    archive("before", self.before_, "1/s");
    archive("direction", self.direction_, "");
    archive("turn", self.turn_, "");
    archive("grown", self.grown_, "");
    archive("waits", self.waits_, "");
    archive("patience", self.patience_, "");
  }

 private:
  void judge(double most);
  void begin_window();
  /// The bound stays for some windows, each time longer.
  void pause();
  void set(double bound, double most);

  double bound_ = std::numeric_limits<double>::infinity();
  int attempts_ = 0;     ///< iterations since the last accepted step
  long iterations_ = 0;  ///< of the window, attempts that failed included
  int steps_ = 0;        ///< accepted in it
  double time_ = 0;      ///< simulated in it [s]
  double before_ = 0;    ///< iterations per time of the window before the last change of the bound; 0: none
  int direction_ = 0;    ///< of that change: -1, 1; 0: none
  int turn_ = 1;         ///< direction in which it is tried to change next
  bool grown_ = false;   ///< the bound grew after the last window, as its steps took few iterations
  int waits_ = 0;        ///< windows for which the bound stays
  int patience_ = 1;     ///< windows that the next pause has
};

}  // namespace scree

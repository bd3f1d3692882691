/// Warnings of a run: raised where they are found, printed and written by io.
#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace scree {

/// One line "warning: <where>: <message>". The results are complete all the same.
struct Warning {
  std::string code;     ///< kind, for programs: "energy_created"
  std::string where;    ///< JSON pointer, file:line, or what it concerns: "energy balance"
  std::string message;  ///< quantity = value (limit): consequence; try remedy
  double time = 0;      ///< simulated time at which it was first raised [s]

  template <class Self, class Archive>
  static void visit(Self& self, Archive& archive) {
    archive("code", self.code, "");
    archive("where", self.where, "");
    archive("message", self.message, "");
    archive("time", self.time, "s");
  }
};

/// The warnings of one run, in the order in which they were first raised. The same on all ranks if they are
/// raised on all of them: reduce what decides, and the numbers in the text, before.
class Warnings {
 public:
  /// @param before warnings of the deck check, which the run repeats at its end.
  explicit Warnings(std::vector<Warning> before = {}) : all_(std::move(before)) {}

  /// Raises a warning. One with the same code and place takes the text and keeps its rank and first time:
  /// the text at the end of the run has the final numbers.
  void raise(Warning warning) {
    const auto known = std::find_if(all_.begin(), all_.end(), [&](const Warning& other) {
      return other.code == warning.code && other.where == warning.where;
    });
    if (known == all_.end() || warning.code == kDeckWarning) {
      all_.push_back(std::move(warning));
    } else {
      known->message = std::move(warning.message);
    }
  }
  [[nodiscard]] const std::vector<Warning>& all() const { return all_; }

  template <class Self, class Archive>
  static void visit(Self& self, Archive& archive) {
    archive("all", self.all_, "");
  }

  /// Code of what the deck check finds: there may be several at one place.
  static constexpr const char* kDeckWarning = "deck";

 private:
  std::vector<Warning> all_;
};

}  // namespace scree

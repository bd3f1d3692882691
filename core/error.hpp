/// The kinds of failure, by who can remedy them.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace scree {

/// One thing that is wrong with the input, and what would be right.
struct Diagnostic {
  std::string where;    ///< JSON pointer into the deck, or a file name (and line)
  std::string message;  ///< value found, expectation with unit and range, nearest valid name
};

/// The deck, its data or the command line is wrong: exit status 2. Carries every error found.
class InputError : public std::runtime_error {
 public:
  explicit InputError(std::vector<Diagnostic> diagnostics)
      : std::runtime_error(join(diagnostics)), diagnostics_(std::move(diagnostics)) {}
  InputError(std::string where, std::string message)
      : InputError(std::vector<Diagnostic>{{std::move(where), std::move(message)}}) {}

  [[nodiscard]] const std::vector<Diagnostic>& diagnostics() const { return diagnostics_; }

 private:
  static std::string join(const std::vector<Diagnostic>& diagnostics) {
    std::string text;
    for (const auto& d : diagnostics) {
      if (!text.empty()) text += '\n';
      text += d.where.empty() ? d.message : d.where + ": " + d.message;
    }
    return text;
  }

  std::vector<Diagnostic> diagnostics_;
};

/// A trial state cannot be evaluated (gap closed, NaN): the update is shortened or the step rejected.
class RecoverableError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The run cannot be finished: exit status 1. The last accepted state has been saved when it is shown.
class RunError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace scree

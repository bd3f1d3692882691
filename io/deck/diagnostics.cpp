#include "io/deck/diagnostics.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/text.hpp"
#include "io/output/number_format.hpp"

namespace scree {
namespace {

/// Errors of a deck that are printed: the same mistake in each row of a long list would flood the terminal.
constexpr std::ptrdiff_t kMostShown = 100;

}  // namespace

void Diagnostics::error(const std::string& pointer, const std::string& message) {
  errors_.push_back({place(pointer), message});
}

void Diagnostics::warning(const std::string& pointer, const std::string& message) {
  warnings_.push_back({Warnings::kDeckWarning, place(pointer), message});
}

void Diagnostics::note(const std::string& pointer, const std::string& message) {
  notes_.push_back(fmt::format("{}: {}", pointer, message));
}

void Diagnostics::add(const std::vector<Diagnostic>& errors) {
  for (const auto& d : errors) error(d.where, d.message);
}

void Diagnostics::add_of_file(const std::string& pointer, const std::string& file, const Diagnostic& found) {
  const std::string above = pointer.substr(0, pointer.rfind('/') + 1);
  if (found.where.starts_with('/') && (pointer.starts_with(found.where) || found.where.starts_with(above))) {
    error(found.where, found.message);
    return;
  }
  const bool has_line = !file.empty() && found.where.starts_with(file);
  const std::string& prefix = has_line ? found.where : file;
  error(pointer, prefix.empty() ? found.message : fmt::format("{}: {}", prefix, found.message));
}

void Diagnostics::throw_errors(const std::vector<std::string>& notes) const {
  if (has_errors()) throw RefusedDeck(errors_, notes, warnings_);
}

std::string Diagnostics::place(const std::string& pointer) const {
  return pointer.empty() ? file_ : fmt::format("{}: {}", file_, pointer);
}

std::string report(const InputError& error) {
  const auto n = static_cast<std::ptrdiff_t>(error.diagnostics().size());
  std::string text;
  if (const auto* deck = dynamic_cast<const RefusedDeck*>(&error))
    text = report_notes(deck->notes()) + report_warnings(deck->warnings());
  for (std::ptrdiff_t k = 0; k < std::min(n, kMostShown); ++k) {
    const auto& [where, message] = error.diagnostics()[static_cast<std::size_t>(k)];
    text += text::one_line(where.empty() ? message : where + ": " + message) + '\n';
  }
  if (n > kMostShown) text += fmt::format("... and {} more\n", n - kMostShown);
  return fmt::format("{}{}; nothing was run.\n", text, counted(n, "error", "errors"));
}

std::string report_notes(const std::vector<std::string>& notes) {
  std::string all;
  for (const std::string& note : notes) all += fmt::format("note: {}\n", text::one_line(note));
  return all;
}

std::string report_warnings(const std::vector<Warning>& warnings, std::size_t first) {
  std::string all;
  for (std::size_t k = first; k < warnings.size(); ++k)
    all += fmt::format("warning: {}\n", text::one_line(warnings[k].where + ": " + warnings[k].message));
  return all;
}

}  // namespace scree

#include "io/deck/csv_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <sstream>
#include <string_view>

#include "core/activity.hpp"
#include "core/error.hpp"
#include "core/memory.hpp"
#include "core/text.hpp"
#include "io/deck/deck_validation.hpp"
#include "io/output/number_format.hpp"

namespace scree {
namespace {

/// Lines between two looks at requests to stop.
constexpr int kRowsBetweenLooks = 1024;

std::string trimmed(const std::string& text) {
  const auto first = text.find_first_not_of(" \t\r");
  if (first == std::string::npos) return "";
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

/// Cells of a line; cells in double quotes may contain commas, and quotes twice.
/// @param fault what is wrong with the quotes; empty where nothing is.
std::vector<std::string> split(const std::string& line, std::string& fault) {
  enum class Part : std::uint8_t { before, plain, quoted, after };
  std::vector<std::string> cells(1);
  Part part = Part::before;
  const auto blame = [&](const char* what) {
    if (fault.empty()) fault = fmt::format("cell {}: {}", cells.size(), what);
  };
  for (std::size_t k = 0; k < line.size(); ++k) {
    const char c = line[k];
    const bool blank = c == ' ' || c == '\t' || c == '\r';
    if (part == Part::quoted) {
      if (c != '"') {
        cells.back() += c;
      } else if (k + 1 < line.size() && line[k + 1] == '"') {
        cells.back() += line[++k];
      } else {
        part = Part::after;
      }
    } else if (c == ',') {
      if (part == Part::plain) cells.back() = trimmed(cells.back());
      cells.emplace_back();
      part = Part::before;
    } else if (c == '"' && part == Part::before) {
      part = Part::quoted;
    } else if (part == Part::after && !blank) {
      blame("text after the closing quote; inside a quoted cell, double each quote.");
    } else if (c == '"') {
      blame("a quote inside the cell; quote the whole cell and double each quote in it.");
    } else if (part != Part::after && !(blank && part == Part::before)) {
      cells.back() += c;
      part = Part::plain;
    }
  }
  if (part == Part::quoted) blame("its quote is not closed on this line.");
  if (part == Part::plain) cells.back() = trimmed(cells.back());
  return cells;
}

/// @returns a hint where names in a header are not separated by commas.
std::string separator_hint(const std::string& name) {
  const auto at = name.find_first_of(";\t|");
  if (at == std::string::npos) return "";
  return fmt::format(" Columns are separated by commas, not by {}.",
                     name[at] == '\t' ? std::string("tabs") : fmt::format("\"{}\"", name[at]));
}

}  // namespace

int CsvTable::column(const std::string& name) const {
  const auto it = std::find(columns.begin(), columns.end(), name);
  return it == columns.end() ? -1 : static_cast<int>(it - columns.begin());
}

CsvTable parse_csv(const std::string& text, const std::string& file, const std::vector<std::string>& valid) {
  CsvTable table;
  table.file = file;
  std::vector<Diagnostic> faults;
  const auto cells_in = static_cast<double>(std::count(text.begin(), text.end(), ','));
  if (const std::string shortage = memory_shortage(cells_in * sizeof(std::string), "the cells of the table");
      !shortage.empty())
    throw InputError(file, shortage);
  Activity activity("reading " + file);
  std::istringstream lines(text);
  std::string line;
  for (int number = 1; std::getline(lines, line); ++number) {
    if (number % kRowsBetweenLooks == 0)
      activity.advance(static_cast<double>(lines.tellg()) / static_cast<double>(text.size()));
    const std::string where = fmt::format("{}:{}", file, number);
    const std::string content = trimmed(line);
    if (content.find('\r') != std::string::npos) {
      throw InputError(where,
                       "a line ends in CR alone; expected LF or CR LF: save the file with line ends of "
                       "Unix or Windows.");
    }
    if (content.empty() || content.starts_with('#')) continue;
    std::string fault;
    auto cells = split(line, fault);
    if (!fault.empty()) faults.push_back({where, fault});
    if (!table.columns.empty()) {
      if (!fault.empty()) continue;  // there may be more cells or fewer
      if (cells.size() == table.columns.size()) {
        table.rows.push_back({number, std::move(cells)});
      } else {
        faults.push_back({where, fmt::format("got {}; expected {}, as in the header.",
                                             counted(static_cast<long>(cells.size()), "cell", "cells"),
                                             table.columns.size())});
      }
      continue;
    }
    for (const auto& name : cells) {
      if (std::find(valid.begin(), valid.end(), name) == valid.end()) {
        const std::string hint = separator_hint(name);
        faults.push_back({where, fmt::format("unknown column \"{}\".{}", text::shortened(name),
                                             hint.empty() ? text::suggestion(name, valid) : hint)});
      } else if (table.column(name) >= 0) {
        faults.push_back({where, fmt::format("duplicate column \"{}\".", name)});
      }
      table.columns.push_back(name);
    }
  }
  if (table.columns.empty()) faults.push_back({file, "is empty; expected a header and rows."});
  if (!faults.empty()) throw InputError(std::move(faults));
  return table;
}

std::optional<double> parse_number(const std::string& cell) {
  double value = 0;
  const std::string_view digits = std::string_view(cell).substr(cell.starts_with('+') ? 1 : 0);
  const auto result = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (digits.empty() || result.ec != std::errc() || result.ptr != digits.data() + digits.size()) return {};
  if (!std::isfinite(value)) return {};
  return value;
}

std::optional<double> parse_deck_number(const std::string& cell) {
  const std::optional<double> value = parse_number(cell);
  return value && is_computable(*value) ? value : std::nullopt;
}

std::string number_fault(std::string_view cell) {
  if (parse_number(std::string(cell))) return not_computable_fault(std::string(cell));
  double value = 0;
  const std::string_view digits = cell.substr(cell.starts_with('+') ? 1 : 0);
  const auto result = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  const bool number = !digits.empty() && result.ptr == digits.data() + digits.size();
  const bool too_large = number && result.ec == std::errc::result_out_of_range;
  return fmt::format("got \"{}\"{}; expected a number.", text::shortened(cell),
                     too_large ? ", out of the range of double precision" : "");
}

}  // namespace scree

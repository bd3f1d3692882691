#include "io/csv_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <sstream>
#include <string_view>

#include "core/activity.hpp"
#include "core/error.hpp"
#include "core/memory.hpp"
#include "core/text.hpp"

namespace scree {
namespace {

/// Lines between two looks at requests to stop.
constexpr int kBetweenLooks = 1024;

std::string trimmed(const std::string& text) {
  const auto first = text.find_first_not_of(" \t\r");
  if (first == std::string::npos) return "";
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

/// Cells of a line; cells in double quotes may contain commas, and quotes twice.
std::vector<std::string> split(const std::string& line) {
  std::vector<std::string> cells(1);
  bool quoted = false;
  for (std::size_t k = 0; k < line.size(); ++k) {
    const char c = line[k];
    if (c == '"' && quoted && k + 1 < line.size() && line[k + 1] == '"') {
      cells.back() += c;
      ++k;
    } else if (c == '"') {
      quoted = !quoted;
    } else if (c == ',' && !quoted) {
      cells.emplace_back();
    } else {
      cells.back() += c;
    }
  }
  for (auto& cell : cells) cell = trimmed(cell);
  return cells;
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
    if (number % kBetweenLooks == 0)
      activity.advance(static_cast<double>(lines.tellg()) / static_cast<double>(text.size()));
    if (const std::string content = trimmed(line); content.empty() || content.starts_with('#')) continue;
    auto cells = split(line);
    const std::string where = fmt::format("{}:{}", file, number);
    if (!table.columns.empty()) {
      if (cells.size() == table.columns.size()) {
        table.rows.push_back({number, std::move(cells)});
      } else {
        faults.push_back({where, fmt::format("got {} cells; expected {}, as in the header.", cells.size(),
                                             table.columns.size())});
      }
      continue;
    }
    for (const auto& name : cells) {
      if (std::find(valid.begin(), valid.end(), name) == valid.end()) {
        faults.push_back(
            {where, fmt::format("unknown column \"{}\".{}", name, text::suggestion(name, valid))});
      } else if (table.column(name) >= 0) {
        faults.push_back({where, fmt::format("the column \"{}\" is there twice.", name)});
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

}  // namespace scree

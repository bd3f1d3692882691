/// Tables of comma-separated values with a strict header.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace scree {

/// A table as read: every row has as many cells as there are columns.
class CsvTable {
 public:
  struct Row {
    int line = 0;  ///< in the file, from 1
    std::vector<std::string> cells;
  };

  std::string file;
  std::vector<std::string> columns;
  std::vector<Row> rows;

  /// @returns position of the column, -1 if unknown.
  [[nodiscard]] int column(const std::string& name) const;
};

/// Reads a table: a header, then rows; empty lines and lines that begin with # are skipped, blanks around
/// cells too. A cell in quotes is as it is between them.
/// @param text of the file. @param file name for messages. @param valid columns that may be there.
/// @throws InputError with every fault found: unknown columns (with the nearest name), columns that are there
///   twice, rows with another number of cells, quotes that are not closed or stand within a cell, line ends
///   of CR alone (file:line); more cells than there is memory for.
/// @throws Interrupted if the user asked to stop.
CsvTable parse_csv(const std::string& text, const std::string& file, const std::vector<std::string>& valid);

/// @returns the number in a cell, nothing if it is not a finite number.
std::optional<double> parse_number(const std::string& cell);

/// @returns the number in a cell of a table that a deck names, nothing if a deck may not hold it either.
std::optional<double> parse_deck_number(const std::string& cell);

/// @returns what is wrong with a cell that parse_number() or parse_deck_number() does not take.
std::string number_fault(std::string_view cell);

}  // namespace scree

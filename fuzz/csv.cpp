/// Any bytes as a table of comma-separated values.
#include <cstdlib>

#include "core/error.hpp"
#include "fuzz/target.hpp"
#include "io/deck/csv_reader.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const auto table = scree::parse_csv(scree::fuzz::text_of(data, size), "t.csv", {"x", "y", "name"});
    for (const auto& row : table.rows) {
      if (row.cells.size() != table.columns.size() || row.line < 1) std::abort();
      for (const auto& cell : row.cells) scree::parse_number(cell);
    }
  } catch (const scree::InputError&) {
  }
  return 0;
}

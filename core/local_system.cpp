#include "core/local_system.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <stdexcept>
#include <utility>

#include "core/error.hpp"

namespace scree {
namespace {

/// @returns total as an index into values. @throws RunError if this rank has too many of them.
int checked(std::size_t total) {
  if (total > static_cast<std::size_t>(std::numeric_limits<int>::max()))
    throw RunError("this rank's part of the tangent has more than 2^31 entries; use more ranks");
  return static_cast<int>(total);
}

/// Lays out the values row by row, the diagonal block before the couplings of its row, as the copy into a
/// sparse matrix reads them; the scratch blocks of ghosts come last.
void lay_out_values(LocalSystem& system) {
  std::size_t total = 0;
  std::size_t next = 0;
  for (int row = 0; row < std::ssize(system.size); ++row) {
    const auto rows = static_cast<std::size_t>(system.size[row]);
    system.diagonal_at[row] = checked(total);
    total += rows * rows;
    for (; next < system.couplings.size() && system.couplings[next].row == row; ++next) {
      system.couplings[next].at = checked(total);
      total += rows * static_cast<std::size_t>(system.size[system.couplings[next].col]);
    }
  }
  checked(total);
  system.values.assign(total, 0.0);
}

}  // namespace

void LocalSystem::set_entities(int owned_entities, std::vector<int> sizes) {
  if (owned_entities < 0 || owned_entities > std::ssize(sizes))
    throw std::invalid_argument("LocalSystem: more owned entities than entities");
  owned = owned_entities;
  size = std::move(sizes);
  offset.assign(size.size() + 1, 0);
  for (std::size_t i = 0; i < size.size(); ++i) {
    if (size[i] < 0) throw std::invalid_argument("LocalSystem: an entity of negative size");
    offset[i + 1] = checked(static_cast<std::size_t>(offset[i]) + static_cast<std::size_t>(size[i]));
  }
  scale.assign(offset.back(), 1.0);
  residual.assign(offset.back(), 0.0);
  diagonal_at.assign(size.size(), 0);
  assembling.assign(static_cast<std::size_t>(owned), 1);
  stiffness.assign(static_cast<std::size_t>(owned), 0.0);
  couplings.clear();
  lay_out_values(*this);
}

void LocalSystem::set_couplings(std::vector<Coupling> pairs) {
  for (const Coupling& pair : pairs)
    if (pair.row < 0 || pair.col < 0 || pair.row >= std::ssize(size) || pair.col >= std::ssize(size))
      throw std::invalid_argument("LocalSystem: coupling with an unknown entity");
  std::erase_if(pairs, [this](const Coupling& pair) { return pair.row >= owned || pair.row == pair.col; });
  // Rows are buckets of some ten columns each: counting, then sorting within rows, beats one large sort.
  std::vector<std::size_t> begin(static_cast<std::size_t>(owned) + 1, 0);
  for (const Coupling& pair : pairs) ++begin[pair.row + 1];
  for (std::size_t row = 1; row < begin.size(); ++row) begin[row] += begin[row - 1];
  std::vector<int> columns(begin.back());
  std::vector<std::size_t> next(begin.begin(), begin.end() - 1);
  for (const Coupling& pair : pairs) columns[next[pair.row]++] = pair.col;

  couplings.clear();
  couplings.reserve(columns.size());
  for (int row = 0; row < owned; ++row) {
    const auto first = columns.begin() + static_cast<std::ptrdiff_t>(begin[row]);
    const auto last = columns.begin() + static_cast<std::ptrdiff_t>(begin[row + 1]);
    std::sort(first, last);
    const auto end = std::unique(first, last);
    for (auto col = first; col != end; ++col) couplings.push_back({row, *col, 0});
  }
  lay_out_values(*this);
}

void LocalSystem::add_couplings(std::vector<Coupling> pairs) {
  const std::vector<double> old_values = std::exchange(values, {});
  const std::vector<Coupling> old_couplings = couplings;
  const std::vector<int> old_diagonals = diagonal_at;
  pairs.insert(pairs.end(), old_couplings.begin(), old_couplings.end());
  set_couplings(std::move(pairs));
  const auto keep = [&](int from, int to, int row, int col) {
    std::copy_n(&old_values[from], static_cast<std::size_t>(size[row]) * static_cast<std::size_t>(size[col]),
                &values[to]);
  };
  for (int i = 0; i < std::ssize(size); ++i) keep(old_diagonals[i], diagonal_at[i], i, i);
  auto now = couplings.begin();
  for (const Coupling& old : old_couplings) {
    while (now->row != old.row || now->col != old.col) ++now;
    keep(old.at, now->at, old.row, old.col);
  }
}

int LocalSystem::first_coupling(int row) const {
  const auto found = std::lower_bound(couplings.begin(), couplings.end(), row,
                                      [](const Coupling& c, int key) { return c.row < key; });
  return static_cast<int>(found - couplings.begin());
}

int LocalSystem::find(int row, int col) const {
  const auto found = std::lower_bound(
      couplings.begin(), couplings.end(), std::pair(row, col),
      [](const Coupling& c, const std::pair<int, int>& key) { return std::pair(c.row, c.col) < key; });
  if (found == couplings.end() || found->row != row || found->col != col) return -1;
  return static_cast<int>(found - couplings.begin());
}

void LocalSystem::clear_residual() { std::fill(residual.begin(), residual.end(), 0.0); }

void LocalSystem::clear_tangent() {
  // Values lie row by row, so a row is one stretch, from its diagonal block to that of the next row.
  for (int row = 0; row < owned; ++row) {
    if (assembling[row] == 0) continue;
    const std::size_t next = static_cast<std::size_t>(row) + 1;
    const auto end = next < diagonal_at.size() ? values.begin() + diagonal_at[next] : values.end();
    std::fill(values.begin() + diagonal_at[row], end, 0.0);
  }
}

}  // namespace scree

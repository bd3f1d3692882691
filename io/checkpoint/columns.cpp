#include "io/checkpoint/columns.hpp"

namespace scree::checkpoint {
namespace {

constexpr const char* kCount = ".count";

}  // namespace

std::size_t size_of(Scalar type) {
  switch (type) {
    case Scalar::int8:
    case Scalar::uint8:
      return 1;
    case Scalar::int32:
      return 4;
    case Scalar::int64:
    case Scalar::uint64:
    case Scalar::float64:
      break;
  }
  return 8;
}

Place& Place::member(std::size_t number, const std::string& member_name, const char* member_unit) {
  if (number == members.size()) {
    members.push_back(std::make_unique<Place>());
    members.back()->name = name.empty() ? member_name : name + '/' + member_name;
    members.back()->unit = member_unit;
  }
  return *members[number];
}

void ColumnWriter::put_count(Place& place, std::size_t count, bool dry) {
  if (place.count < 0) {
    place.count = static_cast<int>(columns_.size());
    columns_.push_back({place.name + kCount, "", Scalar::int64, 1, {}});
  }
  if (dry) return;
  std::vector<std::byte>& bytes = columns_[place.count].bytes;
  const auto number = static_cast<std::int64_t>(count);
  bytes.resize(bytes.size() + sizeof number);
  std::memcpy(bytes.data() + bytes.size() - sizeof number, &number, sizeof number);
}

void ColumnWriter::put_rows(Place& place, Scalar type, std::size_t width, const void* data,
                            std::size_t rows) {
  if (place.column < 0) {
    place.column = static_cast<int>(columns_.size());
    columns_.push_back({place.name, place.unit, type, width, {}});
  }
  if (rows == 0) return;
  Column& column = columns_[place.column];
  const std::size_t at = column.bytes.size(), size = rows * column.row_bytes();
  column.bytes.resize(at + size);
  std::memcpy(column.bytes.data() + at, data, size);
}

ColumnReader::ColumnReader(const std::vector<Column>& columns)
    : columns_(columns), taken_(columns.size(), 0) {
  for (std::size_t k = 0; k < columns.size(); ++k) numbers_[columns[k].name] = static_cast<int>(k);
}

void ColumnReader::finish() const {
  for (std::size_t k = 0; k < columns_.size(); ++k)
    if (taken_[k] != columns_[k].rows()) throw std::out_of_range(columns_[k].name + " has too many rows");
}

int ColumnReader::find(const std::string& name, Scalar type, std::size_t width) const {
  const auto found = numbers_.find(name);
  if (found == numbers_.end()) throw std::out_of_range("there is no " + name);
  const Column& column = columns_[found->second];
  if (column.type != type || column.width != width)
    throw std::out_of_range(name + " has another type or width");
  return found->second;
}

const void* ColumnReader::advance(int column, std::size_t rows) {
  const Column& of = columns_[column];
  if (rows > of.rows() - taken_[column]) throw std::out_of_range(of.name + " has too few rows");
  const void* data = of.bytes.data() + taken_[column] * of.row_bytes();
  taken_[column] += rows;
  return data;
}

std::size_t ColumnReader::take_count(Place& place) {
  if (place.count < 0) place.count = find(place.name + kCount, Scalar::int64, 1);
  std::int64_t count = 0;
  std::memcpy(&count, advance(place.count, 1), sizeof count);
  if (count < 0) throw std::out_of_range(place.name + ".count is negative");
  return static_cast<std::size_t>(count);
}

const void* ColumnReader::take_rows(Place& place, Scalar type, std::size_t width, std::size_t rows) {
  if (place.column < 0) place.column = find(place.name, type, width);
  return advance(place.column, rows);
}

}  // namespace scree::checkpoint

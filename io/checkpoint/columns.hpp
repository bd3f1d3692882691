/// State as columns of numbers, one per member, as a checkpoint file stores it.
///
/// A member with a type of its own becomes a folder of columns. A list becomes one row per element, for the
/// elements of all lists of that name one after the other; "NAME.count" has the length of each list. Text is
/// a list of bytes, maps and optional values are lists.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/archive.hpp"
#include "core/types.hpp"

namespace scree::checkpoint {

enum class Scalar : std::uint8_t { int8, uint8, int32, int64, uint64, float64 };

/// @returns bytes of one number.
std::size_t size_of(Scalar type);

struct Column {
  std::string name;  ///< "world/bodies/position"
  std::string unit;  ///< "" without
  Scalar type = Scalar::float64;
  std::size_t width = 1;  ///< numbers per row
  std::vector<std::byte> bytes;

  [[nodiscard]] std::size_t row_bytes() const { return width * size_of(type); }
  [[nodiscard]] std::size_t rows() const { return bytes.size() / row_bytes(); }
};

/// How values that are stored as their bytes consist of numbers.
template <class T>
struct Layout {
  static_assert(std::is_arithmetic_v<T> || std::is_enum_v<T>, "this type needs a visit() or a layout");
  static constexpr std::size_t kWidth = 1;
  static constexpr Scalar type() {
    if constexpr (std::is_floating_point_v<T>) {
      static_assert(sizeof(T) == sizeof(double));
      return Scalar::float64;
    } else if constexpr (std::is_enum_v<T>) {
      return Layout<std::underlying_type_t<T>>::type();
    } else if constexpr (sizeof(T) == 1) {
      return std::is_signed_v<T> ? Scalar::int8 : Scalar::uint8;
    } else if constexpr (sizeof(T) == 4) {
      static_assert(std::is_signed_v<T>);
      return Scalar::int32;
    } else {
      static_assert(sizeof(T) == 8);
      return std::is_signed_v<T> ? Scalar::int64 : Scalar::uint64;
    }
  }
};
template <class T, std::size_t N>
struct Layout<std::array<T, N>> {
  static constexpr std::size_t kWidth = N * Layout<T>::kWidth;
  static constexpr Scalar type() { return Layout<T>::type(); }
};
template <class T, int R, int C>
struct Layout<Eigen::Matrix<T, R, C>> {
  static_assert(R > 0 && C > 0);
  static constexpr std::size_t kWidth = static_cast<std::size_t>(R * C);
  static constexpr Scalar type() { return Layout<T>::type(); }
};
template <class T>
struct Layout<Eigen::Quaternion<T>> {
  static constexpr std::size_t kWidth = 4;
  static constexpr Scalar type() { return Layout<T>::type(); }
};

/// Where a member stands among the columns. Members are visited in the same order each time: their places are
/// found by name once only.
struct Place {
  std::string name, unit;
  int column = -1, count = -1;
  std::vector<std::unique_ptr<Place>> members;

  Place& member(std::size_t number, const std::string& member_name, const char* member_unit);
};

/// Adds members to columns.
class ColumnWriter {
 public:
  template <class T>
  void operator()(const char* name, const T& value, const char* unit) {
    put(root_.member(next_++, name, unit), value, false);
  }

  [[nodiscard]] const std::vector<Column>& columns() const { return columns_; }
  /// Keeps the columns alone: of what is the same on all ranks, one writes the rows.
  void clear_rows() {
    for (Column& column : columns_) column.bytes.clear();
  }

 private:
  class Members {
   public:
    Members(ColumnWriter& writer, Place& place, bool dry) : writer_(writer), place_(place), dry_(dry) {}
    template <class T>
    void operator()(const char* name, const T& value, const char* unit) {
      writer_.put(place_.member(next_++, name, unit), value, dry_);
    }

   private:
    ColumnWriter& writer_;
    Place& place_;
    bool dry_;
    std::size_t next_ = 0;
  };

  /// @param dry makes the columns alone: a file has those of empty lists, too, and all ranks the same.
  template <class T>
  void put(Place& place, const T& value, bool dry) {
    if constexpr (archive::Described<T>) {
      Members members(*this, place, dry);
      T::visit(value, members);
    } else if constexpr (std::is_same_v<T, std::string>) {
      put_count(place, value.size(), dry);
      put_rows(place, Scalar::uint8, 1, value.data(), dry ? 0 : value.size());
    } else if constexpr (archive::IsVector<T>::value) {
      using Element = typename T::value_type;
      put_count(place, value.size(), dry);
      if constexpr (archive::kPlain<Element>) {
        put_rows(place, Layout<Element>::type(), Layout<Element>::kWidth, value.data(),
                 dry ? 0 : value.size());
      } else {
        if (place.members.empty()) put_element(place, Element{}, true);
        if (dry) return;
        for (const auto& element : value) put_element(place, element, false);
      }
    } else if constexpr (archive::IsMap<T>::value) {
      put_count(place, value.size(), dry);
      if (place.members.empty()) {
        put(place.member(0, "key", ""), typename T::key_type{}, true);
        put(place.member(1, "value", ""), typename T::mapped_type{}, true);
      }
      if (dry) return;
      for (const auto& [key, element] : value) {
        put(place.member(0, "key", ""), key, false);
        put(place.member(1, "value", ""), element, false);
      }
    } else if constexpr (archive::IsOptional<T>::value) {
      put_count(place, value.has_value() ? 1 : 0, dry);
      if (place.members.empty()) put_element(place, typename T::value_type{}, true);
      if (value && !dry) put_element(place, *value, false);
    } else {
      static_assert(kStoredAsBytes<T>);
      put_rows(place, Layout<T>::type(), Layout<T>::kWidth, &value, dry ? 0 : 1);
    }
  }

  template <class T>
  void put_element(Place& place, const T& value, bool dry) {
    if constexpr (archive::Described<T>) {
      put(place, value, dry);
    } else {
      put(place.member(0, "item", ""), value, dry);
    }
  }

  void put_count(Place& place, std::size_t count, bool dry);
  void put_rows(Place& place, Scalar type, std::size_t width, const void* data, std::size_t rows);

  Place root_;
  std::size_t next_ = 0;
  std::vector<Column> columns_;
};

/// Takes members from columns, in the order in which they were written. The columns must outlive the reader.
/// Its functions throw std::out_of_range if a column is not there, has another type, or ends too early.
class ColumnReader {
 public:
  explicit ColumnReader(const std::vector<Column>& columns);

  template <class T>
  void operator()(const char* name, T& value, const char* unit) {
    take(root_.member(next_++, name, unit), value);
  }
  /// @throws std::out_of_range if a column has more rows than were taken.
  void finish() const;

 private:
  class Members {
   public:
    Members(ColumnReader& reader, Place& place) : reader_(reader), place_(place) {}
    template <class T>
    void operator()(const char* name, T& value, const char* unit) {
      reader_.take(place_.member(next_++, name, unit), value);
    }

   private:
    ColumnReader& reader_;
    Place& place_;
    std::size_t next_ = 0;
  };

  template <class T>
  void take(Place& place, T& value) {
    if constexpr (archive::Described<T>) {
      Members members(*this, place);
      T::visit(value, members);
    } else if constexpr (std::is_same_v<T, std::string>) {
      const std::size_t size = take_count(place);
      const void* data = take_rows(place, Scalar::uint8, 1, size);
      value.assign(static_cast<const char*>(data), size);
    } else if constexpr (archive::IsVector<T>::value) {
      using Element = typename T::value_type;
      const std::size_t size = take_count(place);
      value.clear();
      if constexpr (archive::kPlain<Element>) {
        const void* data = take_rows(place, Layout<Element>::type(), Layout<Element>::kWidth, size);
        value.resize(size);
        if (size > 0) std::memcpy(static_cast<void*>(value.data()), data, size * sizeof(Element));
      } else {
        for (std::size_t k = 0; k < size; ++k) {
          Element element{};
          take_element(place, element);
          value.push_back(std::move(element));
        }
      }
    } else if constexpr (archive::IsMap<T>::value) {
      const std::size_t size = take_count(place);
      value.clear();
      for (std::size_t k = 0; k < size; ++k) {
        typename T::key_type key{};
        typename T::mapped_type element{};
        take(place.member(0, "key", ""), key);
        take(place.member(1, "value", ""), element);
        value.emplace(std::move(key), std::move(element));
      }
    } else if constexpr (archive::IsOptional<T>::value) {
      value.reset();
      if (take_count(place) == 0) return;
      typename T::value_type element{};
      take_element(place, element);
      value = std::move(element);
    } else {
      std::memcpy(static_cast<void*>(&value), take_rows(place, Layout<T>::type(), Layout<T>::kWidth, 1),
                  sizeof(T));
    }
  }

  template <class T>
  void take_element(Place& place, T& value) {
    if constexpr (archive::Described<T>) {
      take(place, value);
    } else {
      take(place.member(0, "item", ""), value);
    }
  }

  int find(const std::string& name, Scalar type, std::size_t width) const;
  std::size_t take_count(Place& place);
  const void* take_rows(Place& place, Scalar type, std::size_t width, std::size_t rows);
  const void* advance(int column, std::size_t rows);

  const std::vector<Column>& columns_;
  std::map<std::string, int> numbers_;
  std::vector<std::size_t> taken_;  ///< rows, per column
  Place root_;
  std::size_t next_ = 0;
};

}  // namespace scree::checkpoint

/// One description per type of what outlives a step, for every way to store it.
///
/// A type lists its members once, in a static function template
///     template <class Self, class Archive>
///     static void visit(Self& self, Archive& archive) { archive("x", self.x, "m"); ... }
/// with a name and a unit for each ("" without unit). Self is const when an archive reads from the object.
/// Archives: ByteWriter and ByteReader here (migration, load steps, snapshots); io has one for files.
#pragma once

#include <array>
#include <cstddef>
#include <cstring>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace scree {

/// Whether values of T may be stored as their bytes: nothing in them points elsewhere. (Eigen's fixed-size
/// types are that, though not trivially copyable by the letter.)
template <class T>
inline constexpr bool kStoredAsBytes = std::is_trivially_destructible_v<T>&& std::is_standard_layout_v<T>;

namespace archive {

struct AnyArchive {
  template <class T>
  void operator()(const char* /*name*/, T& /*member*/, const char* /*unit*/) {}
};

/// Whether T describes its members with visit().
template <class T>
concept Described = requires(T& value, AnyArchive& any) {
  T::visit(value, any);
};

/// Elements of this type lie in a vector as they are stored.
template <class T>
inline constexpr bool kPlain = kStoredAsBytes<T> && !Described<T> && !std::is_same_v<T, bool>;

template <class T>
struct IsVector : std::false_type {};
template <class T>
struct IsVector<std::vector<T>> : std::true_type {};

template <class T>
struct IsMap : std::false_type {};
template <class K, class V>
struct IsMap<std::map<K, V>> : std::true_type {};

template <class T>
struct IsOptional : std::false_type {};
template <class T>
struct IsOptional<std::optional<T>> : std::true_type {};

}  // namespace archive

/// Appends members to bytes.
class ByteWriter {
 public:
  explicit ByteWriter(std::vector<std::byte>& bytes) : bytes_(bytes) {}

  template <class T>
  void operator()(const char* /*name*/, const T& value, const char* /*unit*/) {
    put(value);
  }

  template <class T>
  void put(const T& value) {
    if constexpr (archive::Described<T>) {
      T::visit(value, *this);
    } else if constexpr (std::is_same_v<T, std::string>) {
      put(value.size());
      put_bytes(value.data(), value.size());
    } else if constexpr (archive::IsVector<T>::value) {
      put(value.size());
      if constexpr (archive::kPlain<typename T::value_type>) {
        put_bytes(value.data(), value.size() * sizeof(typename T::value_type));
      } else {
        for (const auto& element : value) put(element);
      }
    } else if constexpr (archive::IsMap<T>::value) {
      put(value.size());
      for (const auto& [key, element] : value) {
        put(key);
        put(element);
      }
    } else if constexpr (archive::IsOptional<T>::value) {
      put(value.has_value());
      if (value) put(*value);
    } else {
      static_assert(kStoredAsBytes<T>, "this type needs a visit()");
      put_bytes(&value, sizeof(T));
    }
  }

 private:
  void put_bytes(const void* data, std::size_t size) {
    const std::size_t at = bytes_.size();
    bytes_.resize(at + size);
    if (size > 0) std::memcpy(bytes_.data() + at, data, size);
  }

  std::vector<std::byte>& bytes_;
};

/// Reads members in the order in which they were written. The bytes must outlive the reader.
class ByteReader {
 public:
  explicit ByteReader(const std::vector<std::byte>& bytes) : bytes_(bytes) {}
  [[nodiscard]] bool done() const { return at_ == bytes_.size(); }

  /// @throws std::out_of_range if fewer bytes are left than the member has.
  template <class T>
  void operator()(const char* /*name*/, T& value, const char* /*unit*/) {
    take(value);
  }

  /// @throws std::out_of_range if fewer bytes are left.
  template <class T>
  T next() {
    T value;
    take(value);
    return value;
  }

  template <class T>
  void take(T& value) {
    if constexpr (archive::Described<T>) {
      T::visit(value, *this);
    } else if constexpr (std::is_same_v<T, std::string>) {
      value.resize(next_count(1));
      take_bytes(value.data(), value.size());
    } else if constexpr (archive::IsVector<T>::value) {
      using Element = typename T::value_type;
      if constexpr (archive::kPlain<Element>) {
        value.resize(next_count(sizeof(Element)));
        take_bytes(static_cast<void*>(value.data()), value.size() * sizeof(Element));
      } else {
        const std::size_t size = next_count(1);
        value.clear();
        for (std::size_t k = 0; k < size; ++k) value.push_back(next<Element>());
      }
    } else if constexpr (archive::IsMap<T>::value) {
      const std::size_t size = next_count(1);
      value.clear();
      for (std::size_t k = 0; k < size; ++k) {
        auto key = next<typename T::key_type>();
        value.emplace(std::move(key), next<typename T::mapped_type>());
      }
    } else if constexpr (archive::IsOptional<T>::value) {
      value.reset();
      if (next<bool>()) value = next<typename T::value_type>();
    } else {
      static_assert(kStoredAsBytes<T>, "this type needs a visit()");
      take_bytes(static_cast<void*>(&value), sizeof(T));
    }
  }

 private:
  /// A count of elements of at least `least` bytes each: more than are left is a message of something else.
  std::size_t next_count(std::size_t least) {
    std::size_t count = 0;
    take_bytes(&count, sizeof count);
    if (count > (bytes_.size() - at_) / least)
      throw std::out_of_range("ByteReader: more elements than the message has bytes");
    return count;
  }
  void take_bytes(void* data, std::size_t size) {
    if (size > bytes_.size() - at_) throw std::out_of_range("ByteReader: the message is too short");
    if (size > 0) std::memcpy(data, bytes_.data() + at_, size);
    at_ += size;
  }

  const std::vector<std::byte>& bytes_;
  std::size_t at_ = 0;
};

/// @returns the bytes of one value.
template <class T>
std::vector<std::byte> to_bytes(const T& value) {
  std::vector<std::byte> bytes;
  ByteWriter(bytes).put(value);
  return bytes;
}

/// @returns the value that `bytes` holds, and nothing else. @throws std::out_of_range if they do not fit.
template <class T>
T from_bytes(const std::vector<std::byte>& bytes) {
  ByteReader reader(bytes);
  T value = reader.next<T>();
  if (!reader.done()) throw std::out_of_range("from_bytes: the message is too long");
  return value;
}

}  // namespace scree

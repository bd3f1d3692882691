/// A tree of values as a deck gives them: what physics reads its parameters from. Knows no file format.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/types.hpp"

namespace scree {

/// Null, boolean, number, string, list, or object with members in the order of the deck.
/// Access by the wrong kind, or to a key that is not there, is a mistake of the program (std::logic_error):
/// values are checked against a specification before they are read.
class Value {
 public:
  enum class Kind : std::uint8_t { null, boolean, number, string, list, object };

  Value() = default;
  Value(bool value) : kind_(Kind::boolean), number_(value ? 1 : 0) {}  // NOLINT: defaults read as literals
  Value(double value) : kind_(Kind::number), number_(value) {}         // NOLINT
  Value(int value) : Value(static_cast<double>(value)) {}              // NOLINT
  Value(std::string value) : kind_(Kind::string), text_(std::move(value)) {}       // NOLINT
  Value(const char* value) : Value(std::string(value)) {}                          // NOLINT
  Value(const Vec3& value) : Value(list_of({value.x(), value.y(), value.z()})) {}  // NOLINT

  static Value list_of(std::vector<Value> items);
  static Value object();

  [[nodiscard]] Kind kind() const { return kind_; }
  /// @returns JSON pointer into the deck; "" for a default.
  [[nodiscard]] const std::string& where() const { return where_; }
  void set_where(std::string pointer) { where_ = std::move(pointer); }
  /// @returns whether the deck leaves it out: it is the default of its specification.
  [[nodiscard]] bool is_default() const { return is_default_; }
  void set_default() { is_default_ = true; }
  /// @returns whether boolean(), number() or string() was called since it was made or copied.
  [[nodiscard]] bool was_read() const { return read_.set; }

  [[nodiscard]] bool boolean() const;
  [[nodiscard]] double number() const;
  [[nodiscard]] int integer() const { return static_cast<int>(number()); }
  [[nodiscard]] const std::string& string() const;
  [[nodiscard]] Vec3 vector() const;  ///< of a list of three numbers
  /// @returns items of a list, or values of an object's members.
  [[nodiscard]] const std::vector<Value>& items() const { return items_; }
  /// @returns keys of an object's members, in the order of items().
  [[nodiscard]] const std::vector<std::string>& keys() const { return keys_; }

  /// @returns the member, nullptr without one.
  [[nodiscard]] const Value* find(const std::string& key) const;
  [[nodiscard]] bool has(const std::string& key) const { return find(key) != nullptr; }
  /// @returns the member. @throws std::logic_error without one.
  [[nodiscard]] const Value& at(const std::string& key) const;
  [[nodiscard]] double number(const std::string& key) const { return at(key).number(); }
  [[nodiscard]] int integer(const std::string& key) const { return at(key).integer(); }
  [[nodiscard]] bool boolean(const std::string& key) const { return at(key).boolean(); }
  [[nodiscard]] const std::string& string(const std::string& key) const { return at(key).string(); }
  [[nodiscard]] Vec3 vector(const std::string& key) const { return at(key).vector(); }

  /// Appends to a list.
  void append(Value item) { items_.push_back(std::move(item)); }
  /// Appends a member to an object; the key must be new.
  void append(std::string key, Value value);

 private:
  void require(Kind kind) const;

  /// A mark that does not go with copies: a copy has not been read.
  struct ReadMark {
    bool set = false;
    ReadMark() = default;
    ~ReadMark() = default;
    ReadMark(const ReadMark& /*other*/) noexcept {}
    ReadMark(ReadMark&& /*other*/) noexcept {}
    ReadMark& operator=(const ReadMark& /*other*/) noexcept {  // NOLINT: nothing is taken over
      set = false;
      return *this;
    }
    ReadMark& operator=(ReadMark&& /*other*/) noexcept {
      set = false;
      return *this;
    }
  };

  Kind kind_ = Kind::null;
  bool is_default_ = false;
  mutable ReadMark read_;
  double number_ = 0;
  std::string text_;
  std::vector<std::string> keys_;
  std::vector<Value> items_;
  std::string where_;
};

/// @returns pointer of a member or item: `parent` + "/" + `key`, with ~ and / escaped (RFC 6901).
std::string pointer_to(const std::string& parent, const std::string& key);

/// @returns the value as a message shows it: JSON in one line, long lists and objects cut short.
std::string to_text(const Value& value);

/// @returns "a number", "a list", ... for messages.
std::string kind_name(Value::Kind kind);

}  // namespace scree

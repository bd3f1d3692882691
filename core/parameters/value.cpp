#include "core/parameters/value.hpp"

#include <algorithm>
#include <stdexcept>

#include "core/text.hpp"

namespace scree {

Value Value::list_of(std::vector<Value> items) {
  Value list;
  list.kind_ = Kind::list;
  list.items_ = std::move(items);
  return list;
}

Value Value::object() {
  Value object;
  object.kind_ = Kind::object;
  return object;
}

bool Value::boolean() const {
  require(Kind::boolean);
  read_.set = true;
  return number_ != 0;
}

double Value::number() const {
  require(Kind::number);
  read_.set = true;
  return number_;
}

const std::string& Value::string() const {
  require(Kind::string);
  read_.set = true;
  return text_;
}

Vec3 Value::vector() const {
  require(Kind::list);
  if (items_.size() != 3) throw std::logic_error(text::join(where_, ": not three numbers"));
  return {items_[0].number(), items_[1].number(), items_[2].number()};
}

const Value* Value::find(const std::string& key) const {
  const auto it = std::find(keys_.begin(), keys_.end(), key);
  return it == keys_.end() ? nullptr : &items_[it - keys_.begin()];
}

const Value& Value::at(const std::string& key) const {
  const Value* value = find(key);
  if (value == nullptr)
    throw std::logic_error(text::join(where_, ": \"", key, "\" is read but not specified"));
  return *value;
}

void Value::append(std::string key, Value value) {
  keys_.push_back(std::move(key));
  items_.push_back(std::move(value));
}

void Value::require(Kind kind) const {
  if (kind_ != kind) {
    throw std::logic_error(text::join(where_, ": is read as ", kind_name(kind), ", is ", kind_name(kind_)));
  }
}

std::string pointer_to(const std::string& parent, const std::string& key) {
  std::string pointer = parent + '/';
  for (const char c : key) {
    if (c == '~') {
      pointer += "~0";
    } else if (c == '/') {
      pointer += "~1";
    } else {
      pointer += c;
    }
  }
  return pointer;
}

std::string to_text(const Value& value) {
  constexpr std::size_t kShown = 4;
  switch (value.kind()) {
    case Value::Kind::null:
      return "null";
    case Value::Kind::boolean:
      return value.boolean() ? "true" : "false";
    case Value::Kind::number:
      return text::number(value.number());
    case Value::Kind::string:
      return text::join('"', text::shortened(value.string()), '"');
    case Value::Kind::list:
    case Value::Kind::object:
      break;
  }
  const bool object = value.kind() == Value::Kind::object;
  std::string all = object ? "{" : "[";
  for (std::size_t k = 0; k < value.items().size(); ++k) {
    if (k > 0) all += ", ";
    if (k == kShown) {
      all += "...";
      break;
    }
    if (object) all += text::join('"', value.keys()[k], "\": ");
    all += to_text(value.items()[k]);
  }
  return all + (object ? "}" : "]");
}

std::string kind_name(Value::Kind kind) {
  switch (kind) {
    case Value::Kind::boolean:
      return "true or false";
    case Value::Kind::number:
      return "a number";
    case Value::Kind::string:
      return "a string";
    case Value::Kind::list:
      return "a list";
    case Value::Kind::object:
      return "an object";
    case Value::Kind::null:
      break;
  }
  return "null";
}

}  // namespace scree

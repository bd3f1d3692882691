#include "io/deck/json_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>
#include <unordered_set>
#include <vector>

#include "core/activity.hpp"
#include "core/interrupt.hpp"
#include "core/memory.hpp"
#include "core/text.hpp"
#include "io/deck/deck_validation.hpp"

namespace scree {
namespace {

using ReadJson = nlohmann::json;

/// Deeper than any deck. A value knows its pointer, whose length grows with the depth, and what walks through
/// values calls itself.
constexpr int kDeepest = 100;

/// A value exists as read, and as a checked copy. Memory at least [bytes], without pointers.
constexpr double kCopies = 2;
constexpr double kPerValue = kCopies * sizeof(Value);

/// Of an item's pointer behind that of its list: "/0" at least.
constexpr double kIndex = 2;

/// Values and pieces of text between two looks at requests to stop.
constexpr std::size_t kValuesBetweenLooks = 4096;

/// @returns line and column of a place in a text, from 1, as messages have them.
std::string place_in(const std::string& text, std::size_t at) {
  const auto line = 1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n');
  const std::size_t start = at == 0 ? std::string::npos : text.rfind('\n', at - 1);
  return fmt::format("{}:{}", line, start == std::string::npos ? at + 1 : at - start);
}

/// Behind it the parser's messages have the text that it does not understand, however long.
constexpr const char* kLastRead = "last read: ";

bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }

/// @returns the letters around a place.
std::string word_at(const std::string& text, std::size_t at) {
  std::size_t first = std::min(at, text.size()), last = first;
  while (first > 0 && is_letter(text[first - 1])) --first;
  while (last < text.size() && is_letter(text[last])) ++last;
  return text.substr(first, last - first);
}

/// Whether other programs write this in place of a number.
bool is_no_number(std::string word) {
  std::transform(word.begin(), word.end(), word.begin(), [](unsigned char c) { return std::tolower(c); });
  return word == "nan" || word == "inf" || word == "infinity";
}

/// An object or list that is open in a text.
struct OpenBracket {
  bool list = false;
  double pointer = 0;  ///< its length
  double member = 0;   ///< that of the member at hand
};

/// Refuses what would take too much memory before the parser takes it: brackets within each other, and more
/// values than there is room for, with their pointers: that of a value in a list below a long key is as long.
/// Knows strings and comments, and leaves all other faults to the parser.
/// @throws InputError (where = "file:line:column").
void check_structure(const std::string& text, const std::string& file) {
  std::vector<OpenBracket> open(1);
  double values = 1, pointers = 0;
  double last_string = 0;
  for (std::size_t k = 0; k < text.size(); ++k) {
    if (k % kValuesBetweenLooks == 0) check_interrupt();
    OpenBracket& inner = open.back();
    switch (text[k]) {
      case '"': {
        const std::size_t start = k;
        while (++k < text.size() && text[k] != '"') {
          if (text[k] == '\\') ++k;
        }
        last_string = static_cast<double>(k - start);  // with its "/" in place of the quotes
        break;
      }
      case ':':
        inner.member = inner.pointer + last_string;
        pointers += inner.member;
        break;
      case '/':
        if (text.compare(k, 2, "//") == 0) k = std::min(text.find('\n', k), text.size());
        if (text.compare(k, 2, "/*") == 0) k = std::min(text.find("*/", k + 2), text.size());
        break;
      case '[':
      case '{':
        ++values;
        if (std::ssize(open) > kDeepest) {
          throw InputError(fmt::format("{}:{}", file, place_in(text, k)),
                           fmt::format("brackets nested more than {} deep.", kDeepest));
        }
        open.push_back({text[k] == '[', inner.member, inner.member + kIndex});
        if (open.back().list) pointers += open.back().member;
        break;
      case ']':
      case '}':
        if (open.size() > 1) open.pop_back();
        break;
      case ',':
        ++values;
        if (inner.list) pointers += inner.member;
        break;
      default:
        break;
    }
  }
  const std::string shortage =
      memory_shortage(kPerValue * values + kCopies * pointers, fmt::format("{:.0f} values", values));
  if (!shortage.empty()) throw InputError(file, shortage);
}

/// Builds the tree event by event: a finished JSON object would have lost duplicate keys.
class TreeBuilder : public nlohmann::json_sax<ReadJson> {
 public:
  TreeBuilder(const std::string& text, std::string file, Diagnostics& diagnostics)
      : text_(text), file_(std::move(file)), diagnostics_(diagnostics) {}

  bool null() override { return put(Value()); }
  bool boolean(bool value) override { return put(Value(value)); }
  bool number_integer(number_integer_t value) override { return put(Value(static_cast<double>(value))); }
  bool number_unsigned(number_unsigned_t value) override { return put(Value(static_cast<double>(value))); }
  bool number_float(number_float_t value, const string_t& digits) override {
    // What double precision does not have would be taken for the 0 that it rounds to.
    const bool is_zero =
        digits.substr(0, digits.find_first_of("eE")).find_first_of("123456789") == std::string::npos;
    if (value == 0 && !is_zero) diagnostics_.error(next_pointer(), not_computable_fault(digits));
    return put(Value(value));
  }
  bool string(string_t& value) override { return put(Value(value)); }
  bool binary(binary_t& /*value*/) override { return false; }
  bool start_object(std::size_t /*elements*/) override { return open(Value::object()); }
  bool start_array(std::size_t /*elements*/) override { return open(Value::list_of({})); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }
  bool key(string_t& value) override {
    open_.back().key = value;
    return true;
  }
  bool parse_error(std::size_t position, const std::string& /*token*/,
                   const ReadJson::exception& error) override {
    const std::size_t end = std::min(position > 0 ? position - 1 : 0, text_.size());
    std::string message = error.what();
    // "[json.exception.parse_error.101] parse error at line 1, column 2: syntax error while ..."
    if (const auto at = message.find(": "); at != std::string::npos) message.erase(0, at + 2);
    if (const auto at = message.find("] "); message.starts_with('[') && at != std::string::npos)
      message.erase(0, at + 2);
    if (const std::string word = word_at(text_, end); is_no_number(word)) {
      message = fmt::format("{} is not a number in JSON", word);
    } else if (message.find("ill-formed UTF-8") != std::string::npos) {
      message = "ill-formed UTF-8: save the file as UTF-8";
    } else if (const auto token = message.find(kLastRead); token != std::string::npos) {
      const std::size_t start = token + std::string_view(kLastRead).size();
      message = text::join(message.substr(0, start), text::shortened(message.substr(start)));
    }
    throw InputError(fmt::format("{}:{}", file_, place_in(text_, end)), message + ".");
  }

  Value take() { return std::move(root_); }

 private:
  struct Open {
    Value value;
    std::string key;
    std::unordered_set<std::string> keys;  ///< of an object
  };

  [[nodiscard]] std::string next_pointer() const {
    if (open_.empty()) return "";
    const Open& parent = open_.back();
    const bool object = parent.value.kind() == Value::Kind::object;
    return pointer_to(parent.value.where(),
                      object ? parent.key : std::to_string(parent.value.items().size()));
  }

  bool open(Value value) {
    value.set_where(next_pointer());
    open_.push_back({std::move(value), "", {}});
    return true;
  }

  bool close() {
    Value value = std::move(open_.back().value);
    open_.pop_back();
    return attach(std::move(value));
  }

  bool put(Value value) {
    value.set_where(next_pointer());
    return attach(std::move(value));
  }

  bool attach(Value value) {
    if (++values_ % kValuesBetweenLooks == 0) check_interrupt();
    if (open_.empty()) {
      root_ = std::move(value);
      return true;
    }
    Open& parent = open_.back();
    if (parent.value.kind() == Value::Kind::list) {
      parent.value.append(std::move(value));
    } else if (!parent.keys.insert(parent.key).second) {
      diagnostics_.error(value.where(), fmt::format("duplicate key \"{}\".", parent.key));
    } else {
      parent.value.append(parent.key, std::move(value));
    }
    return true;
  }

  const std::string& text_;
  std::string file_;
  Diagnostics& diagnostics_;
  std::vector<Open> open_;
  Value root_;
  std::size_t values_ = 0;
};

}  // namespace

Value parse_json(const std::string& text, const std::string& file, Diagnostics& diagnostics) {
  const Activity activity("reading " + file);
  check_structure(text, file);
  TreeBuilder builder(text, file, diagnostics);
  constexpr bool kWholeText = true, kComments = true;
  ReadJson::sax_parse(text, &builder, nlohmann::detail::input_format_t::json, kWholeText, kComments);
  return builder.take();
}

}  // namespace scree

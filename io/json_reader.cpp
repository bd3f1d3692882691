#include "io/json_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

namespace scree {
namespace {

using Json = nlohmann::json;

/// Builds the tree event by event: a finished JSON object would have lost keys that are there twice.
class TreeBuilder : public nlohmann::json_sax<Json> {
 public:
  TreeBuilder(const std::string& text, std::string file, Diagnostics& diagnostics)
      : text_(text), file_(std::move(file)), diagnostics_(diagnostics) {}

  bool null() override { return put(Value()); }
  bool boolean(bool value) override { return put(Value(value)); }
  bool number_integer(number_integer_t value) override { return put(Value(static_cast<double>(value))); }
  bool number_unsigned(number_unsigned_t value) override { return put(Value(static_cast<double>(value))); }
  bool number_float(number_float_t value, const string_t& /*digits*/) override { return put(Value(value)); }
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
                   const Json::exception& error) override {
    const std::size_t end = std::min(position > 0 ? position - 1 : 0, text_.size());
    const auto line = 1 + std::count(text_.begin(), text_.begin() + end, '\n');
    const std::size_t start = end == 0 ? std::string::npos : text_.rfind('\n', end - 1);
    const std::size_t column = start == std::string::npos ? end + 1 : end - start;
    std::string message = error.what();
    // "[json.exception.parse_error.101] parse error at line 1, column 2: syntax error while ..."
    if (const auto at = message.find(": "); at != std::string::npos) message.erase(0, at + 2);
    if (const auto at = message.find("] "); message.starts_with('[') && at != std::string::npos)
      message.erase(0, at + 2);
    throw InputError(fmt::format("{}:{}:{}", file_, line, column), message + ".");
  }

  Value take() { return std::move(root_); }

 private:
  struct Open {
    Value value;
    std::string key;
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
    open_.push_back({std::move(value), ""});
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
    if (open_.empty()) {
      root_ = std::move(value);
      return true;
    }
    Open& parent = open_.back();
    if (parent.value.kind() == Value::Kind::list) {
      parent.value.append(std::move(value));
    } else if (parent.value.has(parent.key)) {
      diagnostics_.error(value.where(), fmt::format("the key \"{}\" is there twice.", parent.key));
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
};

}  // namespace

Value parse_json(const std::string& text, const std::string& file, Diagnostics& diagnostics) {
  TreeBuilder builder(text, file, diagnostics);
  constexpr bool kWholeText = true, kComments = true;
  Json::sax_parse(text, &builder, nlohmann::detail::input_format_t::json, kWholeText, kComments);
  return builder.take();
}

std::string read_text_file(const std::filesystem::path& file, const std::string& shown) {
  const auto fail = [&](const std::string& reason) {
    throw InputError(shown, fmt::format("cannot be read: {}.", reason));
  };
  if (std::filesystem::is_directory(file)) fail("it is a folder");
  errno = 0;
  std::ifstream in(file, std::ios::binary);
  if (!in) fail(errno != 0 ? std::strerror(errno) : "it cannot be opened");
  std::ostringstream text;
  text << in.rdbuf();
  if (in.bad()) fail("reading failed");
  return text.str();
}

}  // namespace scree

#include "fuzz/target.hpp"

#include <unistd.h>

#include <cstdlib>
#include <fstream>

#include "core/error.hpp"
#include "io/build/builder.hpp"
#include "io/deck/deck_specification.hpp"
#include "io/deck/deck_validation.hpp"
#include "io/deck/diagnostics.hpp"
#include "io/deck/json_reader.hpp"

namespace scree::fuzz {
namespace {

double number_at(const Value& values, const std::string& key, double otherwise) {
  const Value* found = values.find(key);
  return found != nullptr && found->kind() == Value::Kind::number ? found->number() : otherwise;
}

bool asks_for_many(const Value& deck) {
  if (deck.kind() != Value::Kind::object) return false;
  double bodies = 0;
  if (const Value* entries = deck.find("bodies"); entries != nullptr) {
    for (const Value& entry : entries->items())
      if (entry.kind() == Value::Kind::object) bodies += number_at(entry, "count", 1);
  }
  if (const Value* inlets = deck.find("inlets"); inlets != nullptr && !inlets->items().empty()) {
    const Value* time = deck.find("time");
    const double end =
        time != nullptr && time->kind() == Value::Kind::object ? number_at(*time, "end", 0) : 0;
    for (const Value& inlet : inlets->items()) {
      const Value* rate = inlet.kind() == Value::Kind::object ? inlet.find("rate") : nullptr;
      if (rate == nullptr || rate->kind() != Value::Kind::object) continue;
      if (rate->has("mass")) return true;  // how many that are, the model would tell
      const double until = number_at(inlet, "until", end);
      bodies += number_at(*rate, "number", 0) * (until - number_at(inlet, "from", 0));
    }
  }
  return !(bodies <= kMostBodies);
}

struct Scratch {
  std::filesystem::path path;
  Scratch() {
    std::string pattern = (std::filesystem::temp_directory_path() / "scree_fuzz_XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr) std::abort();
    path = pattern;
  }
  ~Scratch() {
    std::error_code ignored;
    std::filesystem::remove_all(path, ignored);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  Scratch(Scratch&&) = delete;
  Scratch& operator=(Scratch&&) = delete;
};

}  // namespace

const std::filesystem::path& scratch() {
  static const Scratch folder;
  return folder.path;
}

void write_file(const std::string& name, const std::string& bytes) {
  std::ofstream(scratch() / name, std::ios::binary) << bytes;
}

void read_as_deck(const std::string& deck, const std::filesystem::path& folder) {
  try {
    Diagnostics diagnostics("deck.json");
    const Value given = parse_json(deck, "deck.json", diagnostics);
    const Value checked = validate(given, deck_specification(), diagnostics);
    if (checked.kind() == Value::Kind::object && !asks_for_many(checked))
      build_model(checked, folder / "deck.json", diagnostics);
    diagnostics.throw_errors();
  } catch (const InputError& error) {
    const std::string said = report(error);
    if (said.empty()) std::abort();  // wrong input, and not a word about it
  }
}

}  // namespace scree::fuzz

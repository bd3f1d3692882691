/// Any text as a deck. Half of the changes are made to the tree and not to its bytes, with keys and choices
/// of the specification, so that the checks behind the JSON reader are reached.
#include <algorithm>
#include <array>
#include <cstring>
#include <nlohmann/json.hpp>
#include <random>
#include <vector>

#include "core/parameters/parameters.hpp"
#include "fuzz/target.hpp"
#include "io/deck/deck_specification.hpp"

// Names and signatures of libFuzzer.
extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);

namespace {

using Json = nlohmann::json;
using Random = std::minstd_rand;

std::size_t below(Random& random, std::size_t count) { return random() % count; }

/// All keys and all strings with a meaning.
struct Words {
  std::vector<std::string> keys, strings;

  void collect(const scree::ParameterSpec& parameter) {
    keys.push_back(parameter.key);
    strings.insert(strings.end(), parameter.choices.begin(), parameter.choices.end());
    for (const auto& member : parameter.members) collect(member);
    for (const auto& variant : parameter.variants) {
      strings.push_back(variant.name);
      for (const auto& member : variant.parameters) collect(member);
    }
  }
  static const Words& all() {
    static const Words words = [] {
      Words made;
      made.collect(scree::deck_specification());
      for (auto* list : {&made.keys, &made.strings}) {
        std::sort(list->begin(), list->end());
        list->erase(std::unique(list->begin(), list->end()), list->end());
      }
      for (const char* name : {"*", "part.stl", "bodies.csv", "floor", "x"}) made.strings.emplace_back(name);
      return made;
    }();
    return words;
  }
};

void nodes_of(Json& node, std::vector<Json*>& nodes) {
  nodes.push_back(&node);
  if (node.is_structured()) {
    for (Json& child : node) nodes_of(child, nodes);
  }
}

Json number_near(const Json& old, Random& random) {
  constexpr std::array kSpecial = {0.0,   -0.0,         1.0,    -1.0, 2.0,   3.0,    0.5,   1e-3,
                                   1e-12, 1e-300,       5e-324, 1e12, 1e300, -1e300, 1e9,   2147483648.0,
                                   -1e-9, 4294967296.0, 1e19,   90.0, 360.0, 10.0,   100.0, 0.25};
  const double value = old.is_number() ? old.get<double>() : 1.0;
  switch (below(random, 4)) {
    case 0:
      return kSpecial[below(random, kSpecial.size())];
    case 1:
      return value * 2;
    case 2:
      return value / 10;
    default:
      return -value;
  }
}

void change(Json& deck, Random& random) {
  std::vector<Json*> nodes;
  nodes_of(deck, nodes);
  Json& node = *nodes[below(random, nodes.size())];
  const Words& words = Words::all();
  switch (below(random, 8)) {
    case 0:
      node = number_near(node, random);
      break;
    case 1:
      node = words.strings[below(random, words.strings.size())];
      break;
    case 2:
    case 3: {
      const Json other = *nodes[below(random, nodes.size())];
      if (node.is_object()) {
        node[words.keys[below(random, words.keys.size())]] = other;
      } else if (node.is_array()) {
        node.push_back(other);
      } else {
        node = other;
      }
      break;
    }
    case 4:
      if (node.is_structured() && !node.empty()) {
        auto it = node.begin();
        std::advance(it, below(random, node.size()));
        node.erase(it);
      }
      break;
    case 5:
      node = Json(below(random, 2) == 0);
      break;
    case 6:
      if (node.is_object()) node[words.keys[below(random, words.keys.size())]] = number_near(1.0, random);
      if (node.is_string()) node = words.strings[below(random, words.strings.size())];
      break;
    default:
      if (node.is_number()) node = number_near(node, random);
      break;
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const bool written = [] {
    scree::fuzz::write_file("bodies.csv", "x,y,z,radius\n0,0,1,0.1\n1,0,1,0.2\n");
    scree::fuzz::write_file("part.stl",
                            "solid t\nfacet\nvertex 0 0 0\nvertex 0 1 0\nvertex 1 0 0\nendfacet\n"
                            "facet\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 0 1\nendfacet\n"
                            "facet\nvertex 0 0 0\nvertex 0 0 1\nvertex 0 1 0\nendfacet\n"
                            "facet\nvertex 1 0 0\nvertex 0 1 0\nvertex 0 0 1\nendfacet\nendsolid t\n");
    return true;
  }();
  static_cast<void>(written);
  scree::fuzz::read_as_deck(scree::fuzz::text_of(data, size), scree::fuzz::scratch());
  return 0;
}

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t most,
                                               unsigned seed) {
  Random random(seed);
  if (below(random, 2) == 0) return LLVMFuzzerMutate(data, size, most);
  Json deck = Json::parse(data, data + size, nullptr, false, true);
  if (deck.is_discarded()) return LLVMFuzzerMutate(data, size, most);
  for (std::size_t changes = 1 + below(random, 3); changes > 0; --changes) change(deck, random);
  const std::string text = deck.dump(-1, ' ', false, Json::error_handler_t::replace);
  if (text.size() > most) return LLVMFuzzerMutate(data, size, most);
  std::memcpy(data, text.data(), text.size());
  return text.size();
}

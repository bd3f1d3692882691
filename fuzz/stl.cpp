/// Any bytes as the mesh of a body and of a boundary: the first of them tell the format.
#include <string_view>

#include "fuzz/target.hpp"

namespace {

const char* const kDeck = R"({
  "time": {"end": 1, "step": 1e-4},
  "materials": {"rock": {"density": 2000}},
  "shapes": {"part": {"type": "polyhedron", "file": "part.stl"}, "ball": {"type": "sphere", "radius": 0.05}},
  "bodies": [{"shape": "part", "material": "rock", "position": [0, 0, 1e3]},
             {"shape": "ball", "material": "rock", "position": [0, 0, 1e6]}],
  "boundaries": [{"name": "tray", "type": "surface", "file": "part.stl", "material": "rock"}],
  "interfaces": [{"between": ["*", "*"], "normal": {"law": "barrier", "threshold": 1e-3, "stiffness": 1e5}}]
})";

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text = scree::fuzz::text_of(data, size);
  const std::string_view seen = text;
  const std::string name = seen.starts_with("ply")                      ? "part.ply"
                           : seen.starts_with("v ")                     ? "part.obj"
                           : seen.substr(0, 4).find("OFF") != seen.npos ? "part.off"
                                                                        : "part.stl";
  scree::fuzz::write_file(name, text);
  std::string deck = kDeck;
  for (std::size_t at = 0; (at = deck.find("part.stl", at)) != std::string::npos; at += name.size())
    deck.replace(at, 8, name);
  scree::fuzz::read_as_deck(deck, scree::fuzz::scratch());
  return 0;
}

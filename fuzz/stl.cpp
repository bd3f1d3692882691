/// Any bytes as the mesh of a body and of a boundary.
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
  scree::fuzz::write_file("part.stl", scree::fuzz::text_of(data, size));
  scree::fuzz::read_as_deck(kDeck, scree::fuzz::scratch());
  return 0;
}

/// Any bytes as the file of a deck's bodies.
#include "fuzz/target.hpp"

namespace {

const char* const kDeck = R"({
  "time": {"end": 1, "step": 1e-4},
  "materials": {"rock": {"density": 2000}, "foam": {"density": 10}},
  "shapes": {"block": {"type": "box", "size": [0.1, 0.1, 0.1]}, "ball": {"type": "sphere", "radius": 0.05},
             "egg": {"type": "superquadric", "half_axes": [0.1, 0.1, 0.05], "blockiness": [4, 4]}},
  "bodies": [{"file": "bodies.csv"}],
  "boundaries": [{"name": "floor", "type": "plane", "point": [0, 0, 0], "normal": [0, 0, 1], "material": "rock"}],
  "interfaces": [{"between": ["*", "*"], "normal": {"law": "hooke", "stiffness": 1e5}}]
})";

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  scree::fuzz::write_file("bodies.csv", scree::fuzz::text_of(data, size));
  scree::fuzz::read_as_deck(kDeck, scree::fuzz::scratch());
  return 0;
}

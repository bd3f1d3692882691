/// For tests of the deck: a good deck to spoil, and a folder that is gone afterwards.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <ostream>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "core/memory.hpp"
#include "io/deck/deck.hpp"

namespace scree::test {

/// A folder of its own under the system's temporary folder.
class Folder {
 public:
  Folder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "scree_deck_XXXXXX").string();
    path_ = mkdtemp(pattern.data());
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  Folder(Folder&&) = delete;
  Folder& operator=(Folder&&) = delete;

  /// Writes a file. @returns its path.
  std::filesystem::path write(const std::string& name, const std::string& text) const {
    std::ofstream(path_ / name, std::ios::binary) << text;
    return path_ / name;
  }
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

/// For its lifetime this program counts as one of so many on this machine that each has about `bytes`.
class ScarceMemory {
 public:
  explicit ScarceMemory(double bytes) {
    share_memory_among(static_cast<int>(std::min(memory_left().bytes / bytes, 1e9)));
  }
  ~ScarceMemory() { share_memory_among(1); }
  ScarceMemory(const ScarceMemory&) = delete;
  ScarceMemory& operator=(const ScarceMemory&) = delete;
  ScarceMemory(ScarceMemory&&) = delete;
  ScarceMemory& operator=(ScarceMemory&&) = delete;
};

/// @returns the model of a deck of inputs/. @param deck its path there.
inline std::shared_ptr<Model> model_of_input(const std::string& deck) {
  return std::make_shared<Model>(read_deck(std::filesystem::path(SCREE_SOURCE_DIR) / "inputs" / deck).model);
}

/// A deck without errors that uses most of what there is.
inline nlohmann::json good_deck() {
  return nlohmann::json::parse(R"({
    "title": "good", "gravity": [0, 0, -9.81],
    "time": {"end": 1, "step": 1e-4},
    "integrator": {"type": "newmark"},
    "materials": {"rock": {"density": 2000, "young": 5e10, "poisson": 0.25}, "foam": {}},
    "shapes": {"block": {"type": "box", "size": [0.1, 0.1, 0.1]}, "ball": {"type": "sphere", "radius": 0.05},
               "rod": {"type": "capsule", "radius": 0.01, "length": 0.1},
               "tet": {"type": "polyhedron", "vertices": [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]],
                       "faces": [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]], "scale": 0.1}},
    "bodies": [{"name": "b1", "shape": "block", "material": "rock", "position": [0, 0, 1],
                "orientation": {"axis": [1, 0, 0], "angle_deg": 30}, "velocity": [1, 0, 0]},
               {"shape": "ball", "material": "foam", "position": [0.5, 0, 1], "mass": 2},
               {"shape": "block", "material": "rock", "count": 3, "region": {"min": [-1, -1, 2], "max": [1, 1, 3]}}],
    "boundaries": [{"name": "floor", "type": "plane", "point": [0, 0, 0], "normal": [0, 0, 1], "material": "rock"},
                   {"name": "walls", "type": "box", "min": [-2, -2, 0], "max": [2, 2, 4], "open": ["+z", "-z"],
                    "material": "rock", "active": [0, 1]}],
    "interfaces": [{"between": ["*", "*"],
                    "normal": {"law": "barrier", "threshold": 1e-3, "stiffness": 2.8e13},
                    "friction": {"static": 0.5, "dynamic": 0.4, "stiffness": 3e5, "active": [[0, 1], [2, 3]]}}],
    "loads": [{"type": "force", "body": "b1", "value": [1, 0, 0], "ramp": [[0, 0], [1, 1]]},
              {"type": "moment", "body": 1, "value": [0, 0, 1]}],
    "solver": {"linear": "direct"},
    "output": {"vtk": {"every": 0.1}, "final_state": "final.csv",
               "histories": [{"file": "energy.csv", "columns": ["time", "kinetic_energy"]},
                             {"file": "b1.csv", "body": "b1", "columns": ["time", "x"]},
                             {"file": "floor.csv", "boundary": "floor", "columns": ["time", "fz"]}]}
  })");
}

/// Writes a deck and reads it.
inline Deck read(const Folder& folder, const nlohmann::json& deck) {
  return read_deck(folder.write("deck.json", deck.dump()));
}

/// @returns everything that is wrong with a deck of this text, "" if nothing is.
inline std::string complaints(const Folder& folder, const std::string& text) {
  try {
    read_deck(folder.write("deck.json", text));
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

/// One mistake: the value at a pointer of the good deck is replaced ("" takes it away).
struct Mistake {
  const char* name;
  const char* pointer;
  const char* value;
  const char* where;              ///< pointer that the message must begin with
  std::vector<const char*> says;  ///< what it must contain
  int errors = 1;                 ///< how many errors there must be
};

inline std::ostream& operator<<(std::ostream& out, const Mistake& m) { return out << m.name; }

/// The message is there, no other is, and nothing was written.
inline void expect_refused(const Mistake& mistake) {
  nlohmann::json deck = good_deck();
  const nlohmann::json::json_pointer pointer(mistake.pointer);
  if (*mistake.value == '\0') {
    deck.at(pointer.parent_pointer()).erase(pointer.back());
  } else {
    deck[pointer] = nlohmann::json::parse(mistake.value);
  }
  const Folder folder;
  const std::string all = complaints(folder, deck.dump());
  EXPECT_THAT(all, ::testing::HasSubstr(std::string("deck.json: ") + mistake.where +
                                        (*mistake.where == '\0' ? "" : ": ")));
  for (const char* part : mistake.says) EXPECT_THAT(all, ::testing::HasSubstr(part));
  EXPECT_EQ(std::count(all.begin(), all.end(), '\n') + 1, mistake.errors) << all;
  // Nothing is written, and not even a folder made.
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 1);
}

}  // namespace scree::test
